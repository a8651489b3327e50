//! Who begins is led on: what is done already is known, and each command can be copied.

use super::{stage::Stage, tab::Tab};
use holdpoint::{Ask, testing::accept};
use serde_json::json;

const DONE: &str = "return [...document.querySelectorAll('.first-steps li')].map((one) => [one.dataset.step, one.dataset.done])";

#[tokio::test]
async fn the_first_steps_are_shown_until_something_was_decided() {
    let stage = Stage::set().await;
    stage.desk.pin().set(None, "271828").await.unwrap();
    let tab = Tab::at(&stage, "/").await;
    tab.says(".first-steps", "1 of 4 done").await;
    let done = json!([
        ["client", "false"],
        ["decided", "false"],
        ["phone", "false"],
        ["pin", "true"]
    ]);
    assert_eq!(tab.js(DONE).await, done);
    tab.says("[data-step=client]", "holdpoint init claude")
        .await;
    tab.click("[data-step=client] button").await;
    tab.until("/Copied|Selected/.test(document.querySelector('#said').innerText)")
        .await;

    // Whoever knows can hide them, and finds them in the help.
    tab.click("#steps-dismiss").await;
    tab.says(".reading", "Nothing is waiting for you.").await;
    tab.reload().await;
    tab.says(".reading", "All done.").await;
    tab.click("#help").await;
    tab.click("#help-steps").await;
    tab.says("#steps-dialog", "Set a PIN").await;

    let id = stage.ask(Ask::confirm("Is this on?")).await;
    stage
        .reply_elsewhere(id, accept(json!({ "confirmed": true })))
        .await;
    tab.js("localStorage.removeItem('holdpoint.steps-dismissed')")
        .await;
    tab.reload().await;
    tab.says(".reading", "All done.").await;
    tab.click("#help").await;
    tab.click("#help-steps").await;
    tab.says("#steps-dialog", "3 of 4 done").await;
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}
