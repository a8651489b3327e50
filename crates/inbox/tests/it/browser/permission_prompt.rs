//! A permission prompt: a yes for once needs nothing more, and what is remembered was chosen on purpose.

use super::{
    stage::Stage,
    tab::{Tab, field},
};
use crate::permission::{harness, permission};
use holdpoint::AskId;
use serde_json::json;
use std::time::Duration;

const TAB: &str = "\u{e004}";
const DOWN: &str = "\u{e015}";

/// Longer than the time for which what has just come cannot be chosen.
const SETTLED: Duration = Duration::from_millis(600);

async fn prompt() -> (Stage, Tab, AskId) {
    let stage = Stage::set().await;
    let id = stage
        .ask_from(harness(), permission("git push origin main"))
        .await;
    let tab = Tab::with(&stage, id).await;
    tab.armed().await;
    (stage, tab, id)
}

/// Unfolds what can be remembered.
async fn unfold(tab: &Tab) {
    tab.click(&field("remember", ".more")).await;
    tab.see(&field("remember", ".options")).await;
    tokio::time::sleep(SETTLED).await;
}

async fn chosen(tab: &Tab) -> serde_json::Value {
    tab.js("return document.querySelectorAll('.ask input:checked').length")
        .await
}

#[tokio::test]
async fn an_untouched_form_allows_once_and_remembers_nothing() {
    let (stage, tab, id) = prompt().await;
    assert_eq!(chosen(&tab).await, json!(0));
    // Neither what can be remembered nor the reason stands in the way.
    for hidden in [field("remember", ".scopes"), "[data-field=reason]".into()] {
        tab.until(&format!(
            "!document.querySelector({}).checkVisibility()",
            json!(hidden)
        ))
        .await;
    }
    tab.says("#submit", "Allow once").await;
    tab.click("#submit").await;
    tab.says(".undo", "Allowed").await;
    tab.click("#send-now").await;
    assert_eq!(stage.accepted(id).await, json!({ "decision": "allow" }));
    assert!(stage.desk.remembered().await.unwrap().is_empty());
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}

#[tokio::test]
async fn a_scope_is_chosen_cleared_and_chosen_again_and_the_button_says_so() {
    let (stage, tab, id) = prompt().await;
    unfold(&tab).await;
    assert_eq!(chosen(&tab).await, json!(0));
    tab.says(
        ".scopes",
        "It would have allowed lately: git push origin old",
    )
    .await;
    tab.click(".scopes .option:nth-child(3)").await;
    tab.says("#submit", "Allow and remember").await;
    tab.click(".scopes .once").await;
    tab.says("#submit", "Allow once").await;
    assert_eq!(chosen(&tab).await, json!(0));
    unfold(&tab).await;
    assert_eq!(chosen(&tab).await, json!(0), "nothing comes back by itself");
    tab.click(".scopes .option:nth-child(2)").await;
    tab.send().await;
    let answer = json!({ "decision": "allow", "remember": "workspace pattern" });
    assert_eq!(stage.accepted(id).await, answer);
    tab.says("#remembered-count", "1").await;
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}

#[tokio::test]
async fn a_choice_is_not_kept_in_the_browser() {
    let (_stage, tab, _) = prompt().await;
    unfold(&tab).await;
    tab.click(".scopes .option:nth-child(2)").await;
    tab.says("#submit", "Allow and remember").await;
    tab.reload().await;
    tab.says("#submit", "Allow once").await;
    assert_eq!(chosen(&tab).await, json!(0));
    tab.close().await;
}

#[tokio::test]
async fn a_no_opens_the_reason_and_remembers_nothing() {
    let (stage, tab, id) = prompt().await;
    unfold(&tab).await;
    tab.click(".scopes .option:nth-child(2)").await;
    tab.click(".endings .secondary").await;
    tab.until("document.activeElement.closest('.step [data-field=reason]')")
        .await;
    tab.until("document.querySelector('[data-field=remember]').disabled")
        .await;
    tab.keys("Not on a Friday").await;
    tab.click("#confirm-ending").await;
    tab.click("#send-now").await;
    let answer = json!({ "decision": "deny", "reason": "Not on a Friday" });
    assert_eq!(stage.accepted(id).await, answer);
    assert!(stage.desk.remembered().await.unwrap().is_empty());
    tab.close().await;
}

#[tokio::test]
async fn a_reason_that_was_begun_does_not_go_with_a_yes() {
    let (stage, tab, id) = prompt().await;
    tab.click(".endings .secondary").await;
    tab.keys("Not on a").await;
    tab.click(".step .plain").await;
    tab.armed().await;
    tab.send().await;
    assert_eq!(stage.accepted(id).await, json!({ "decision": "allow" }));
    tab.close().await;
}

#[tokio::test]
async fn keys_that_were_on_their_way_choose_no_scope() {
    let (stage, tab, id) = prompt().await;
    tab.click(&field("remember", ".more")).await;
    // Whoever types on comes to the first option and past it.
    tab.keys(&format!("{TAB} ")).await;
    tab.until("document.activeElement.matches('.scopes input')")
        .await;
    assert_eq!(
        chosen(&tab).await,
        json!(0),
        "a space that came with the focus"
    );
    tab.keys(&format!("{DOWN}{DOWN}")).await;
    tab.until("document.activeElement === document.querySelectorAll('.scopes input')[2]")
        .await;
    assert_eq!(chosen(&tab).await, json!(0), "arrows only lead on");
    tab.keys(" ").await;
    assert_eq!(chosen(&tab).await, json!(0));
    // Whoever has stopped there chooses.
    tokio::time::sleep(SETTLED).await;
    tab.keys(" ").await;
    tab.until("document.querySelectorAll('.scopes input')[2].checked")
        .await;
    assert!(stage.now(id).await.is_none());
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}
