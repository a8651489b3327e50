//! A yes needs the whole ask to have been in view, from its first line to its last.

use super::{
    stage::Stage,
    tab::{CTRL_ENTER, Tab},
};
use holdpoint::Ask;
use jiff::Timestamp;
use serde_json::json;

const END: &str = "And drop the production database.";

fn long() -> Ask {
    let text: String = (0..300).map(|at| format!("Paragraph {at}.\n\n")).collect();
    Ask::confirm(format!("Go on?\n\n{text}{END}"))
}

#[tokio::test]
async fn a_yes_waits_until_the_end_of_a_long_ask_was_in_view() {
    for (width, height) in [(1200, 900), (400, 700)] {
        let stage = Stage::set().await;
        let id = stage.ask(long()).await;
        let tab = Tab::blank().await;
        tab.client.set_window_size(width, height).await.unwrap();
        tab.go(&holdpoint_testkit::browser::Page::url_with_key(
            &stage,
            &format!("/ask/{id}"),
        ))
        .await;
        tab.see("#submit").await;
        tab.click(".ask .message p").await;
        // Longer than the reading time: it is the end that is missing.
        tab.until("document.querySelector('#decline').ariaDisabled !== 'true' && performance.now() > 1500")
            .await;
        tab.keys(CTRL_ENTER).await;
        tab.says("#said", "Read the whole ask first").await;
        assert!(stage.now(id).await.is_none());
        tab.says("#read-how", "Read the whole ask first").await;
        let described = "return document.querySelector('#submit').getAttribute('aria-describedby')";
        assert_eq!(tab.js(described).await, json!("read-how"));
        let read_at = Timestamp::now();
        tab.js("[...document.querySelectorAll('.ask .message p')].at(-1).scrollIntoView()")
            .await;
        tab.until("document.querySelector('#submit').ariaDisabled !== 'true'")
            .await;
        tab.keys(CTRL_ENTER).await;
        tab.send_now().await;
        stage.accepted(id).await;
        let presence = stage.decision(id).await.presence.unwrap();
        assert!(presence.shown_at.unwrap() >= read_at);
        tab.close().await;
    }
}

#[tokio::test]
async fn a_no_to_a_long_ask_waits_for_nothing() {
    let stage = Stage::set().await;
    let id = stage.ask(long()).await;
    let tab = Tab::with(&stage, id).await;
    tab.until("document.querySelector('#decline')?.ariaDisabled !== 'true'")
        .await;
    tab.click(".ask .message p").await;
    tab.keys("d").await;
    tab.see("#decline-dialog[open]").await;
    tab.keys(CTRL_ENTER).await;
    tab.send_now().await;
    let declined = holdpoint::Outcome::Declined { reason: None };
    assert_eq!(stage.decision(id).await.outcome, declined);
    tab.close().await;
}

#[tokio::test]
async fn no_text_of_an_ask_hides_in_a_box_of_its_own() {
    let lines: String = (0..60).map(|at| format!("echo {at}\n")).collect();
    let wide = "x ".repeat(400);
    let cells = "| a ".repeat(40);
    let rule = "|---".repeat(40);
    let quotes = ">".repeat(60);
    let details = format!(
        "```sh\n{lines}{wide}\nrm -rf ~/\n```\n\n{cells}|\n{rule}|\n{cells}|\n\n{quotes} deep\n\n```diff\n+{wide}\n```\n"
    );
    for (width, height) in [(1200, 900), (400, 700)] {
        let stage = Stage::set().await;
        let id = stage.ask(Ask::confirm("Run it?").details(&details)).await;
        let tab = Tab::with(&stage, id).await;
        tab.client.set_window_size(width, height).await.unwrap();
        tab.see("#submit").await;
        let hiding = "const pane = document.querySelector('.reading'); \
            return [pane, ...document.querySelectorAll('.ask .details *')] \
              .filter((one) => one.clientWidth && (one.scrollWidth > one.clientWidth + 1 \
                || (one !== pane && one.scrollHeight > one.clientHeight + 1))) \
              .filter((one) => one === pane || getComputedStyle(one).overflow !== 'visible') \
              .map((one) => `${one.tagName} ${one.clientWidth}x${one.clientHeight} of ${one.scrollWidth}x${one.scrollHeight}`)";
        assert_eq!(tab.js(hiding).await, json!([]), "{width} wide");
        tab.approve().await;
        stage.accepted(id).await;
        tab.close().await;
    }
}
