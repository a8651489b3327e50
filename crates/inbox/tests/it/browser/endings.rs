//! Endings: one button for each way to end an ask, in its own words, and nothing chosen for anyone.

use super::{
    reviews,
    stage::Stage,
    tab::{CTRL_ENTER, HOLD, Tab, field},
};
use holdpoint::{Ask, Outcome};
use serde_json::json;

const LABELS: &str = "return [...document.querySelectorAll('.endings button, .stops button')].map((one) => one.innerText)";

#[tokio::test]
async fn the_real_words_end_it_and_a_no_leads_to_its_field_first() {
    let stage = Stage::set().await;
    let id = stage.ask(Ask::new("Start?", reviews::endings())).await;
    let tab = Tab::with(&stage, id).await;
    tab.armed().await;
    let labels = json!(["Approve", "Request changes…", "Cancel the task"]);
    assert_eq!(tab.js(LABELS).await, labels);
    let chosen =
        "return document.querySelectorAll('.ask input:checked, .ask [data-field=decision]').length";
    assert_eq!(tab.js(chosen).await, json!(0), "nothing is chosen");

    tab.click(".endings .secondary").await;
    tab.until("document.activeElement.closest('.step [data-field=feedback]')")
        .await;
    assert!(stage.now(id).await.is_none());
    // Going back decides nothing and loses nothing.
    tab.keys("Smaller steps").await;
    tab.click(".step .plain").await;
    assert_eq!(tab.js(LABELS).await, labels);
    let kept = format!(
        "return document.querySelector({}).value",
        json!(field("feedback", "textarea"))
    );
    assert_eq!(tab.js(&kept).await, json!("Smaller steps"));

    tab.click(".endings .secondary").await;
    tab.click("#confirm-ending").await;
    tab.says(".undo", "Changes requested").await;
    tab.click("#send-now").await;
    let answer = json!({ "decision": "changes", "feedback": "Smaller steps" });
    assert_eq!(stage.accepted(id).await, answer);
    tab.says(".verdict .badge", "Changes requested").await;
    // A no has the colours of a badge that says neither good nor bad.
    let neutral = "const badge = document.querySelector('.verdict .badge'); const colours = () => getComputedStyle(badge).color + getComputedStyle(badge).backgroundColor; \
        const before = colours(); badge.className = 'badge'; return before === colours();";
    assert_eq!(tab.js(neutral).await, json!(true));
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}

#[tokio::test]
async fn ctrl_enter_chooses_none_of_several() {
    let stage = Stage::set().await;
    let id = stage.ask(Ask::new("Start?", reviews::endings())).await;
    let tab = Tab::with(&stage, id).await;
    tab.armed().await;
    tab.click(&field("feedback", "textarea")).await;
    tab.keys(CTRL_ENTER).await;
    tab.until("document.activeElement.classList.contains('endings')")
        .await;
    tab.says("#said", "chooses for nobody").await;
    tab.keys(CTRL_ENTER).await;
    assert!(stage.now(id).await.is_none());
    assert!(
        tab.js("return document.querySelector('.undo')")
            .await
            .is_null()
    );
    tab.close().await;
}

#[tokio::test]
async fn a_dangerous_yes_is_held_and_a_no_to_it_is_not() {
    for (yes, value) in [(true, "approve"), (false, "cancel")] {
        let stage = Stage::set().await;
        let ask = Ask::new("Drop the table?", reviews::endings()).dangerous();
        let id = stage.ask(ask).await;
        let tab = Tab::with(&stage, id).await;
        tab.says("#submit.danger", "Hold to approve").await;
        if yes {
            tab.click("#submit").await;
            tab.says(".trouble", "Hold the button").await;
            assert!(stage.now(id).await.is_none());
            tab.hold("#submit", HOLD).await;
        } else {
            tab.click(".stops .stop").await;
        }
        assert_eq!(stage.accepted(id).await["decision"], json!(value));
        tab.close().await;
    }
}

#[tokio::test]
async fn not_answering_is_one_quiet_control_with_a_reason_or_none() {
    let stage = Stage::set().await;
    let id = stage.ask(Ask::choose("Which?", ["One", "Two"])).await;
    let tab = Tab::with(&stage, id).await;
    tab.armed().await;
    assert_eq!(tab.js(LABELS).await, json!(["Answer"]));
    tab.says("#decline.plain", "Don’t answer…").await;
    tab.click("#decline").await;
    tab.enter("#reason", "Neither").await;
    tab.click("#decline-send").await;
    tab.send_now().await;
    let reason = Some("Neither".to_owned());
    assert_eq!(
        stage.decision(id).await.outcome,
        Outcome::Declined { reason }
    );
    tab.close().await;
}
