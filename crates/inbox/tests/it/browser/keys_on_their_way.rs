//! Keys that were on their way to one ask when it ended, and shortcuts on an ask that nobody touched:
//! they decide nothing.

use super::{
    stage::Stage,
    tab::{CTRL_ENTER, Tab, field},
    workshop::Workshop,
};
use holdpoint::{Ask, AskId, Field, Form, Kind, Outcome, Reply, field::Text, testing::accept};
use serde_json::json;
use std::time::Duration;

/// Longer than the pause after which keys count again.
const PAUSE: Duration = Duration::from_millis(1200);

fn current(id: AskId) -> String {
    format!(".ask[data-id=\"{id}\"]")
}

fn text_form() -> Form {
    Form::new().field(Field::new("name", Kind::Text(Text::default())))
}

/// A person types into one ask while another, which must not be decided, waits behind it.
async fn typing() -> (Stage, Tab, AskId, AskId) {
    let stage = Stage::set().await;
    let behind = Ask::confirm("Run terraform apply for production?");
    let behind = stage.ask(behind).await;
    let typed_into = stage.form(text_form()).await;
    let tab = Tab::at(&stage, "/").await;
    tab.see("#connection[data-state=live]").await;
    tab.click(&format!("li[data-id=\"{typed_into}\"] a")).await;
    tab.see(&current(typed_into)).await;
    tab.click(&field("name", "input")).await;
    tab.keys("half a ").await;
    (stage, tab, typed_into, behind)
}

/// The focus is where it was, in what can only be read now, and says above it what happened.
async fn stayed(tab: &Tab, id: AskId, words: &str) {
    tab.says(&format!("{} .happened", current(id)), words).await;
    let input = "document.querySelector('[data-field=name] input')";
    tab.until(&format!("document.activeElement === {input}"))
        .await;
    tab.until(&format!("{input}.readOnly")).await;
    let above = format!(
        "return document.querySelector('.happened').compareDocumentPosition({input}) === Node.DOCUMENT_POSITION_FOLLOWING"
    );
    assert_eq!(tab.js(&above).await, json!(true), "what happened is above");
}

#[tokio::test]
async fn keys_on_their_way_when_an_ask_is_answered_elsewhere_decide_nothing() {
    let (stage, tab, ended, behind) = typing().await;
    let top = "return Math.round(document.querySelector('[data-field=name] input').getBoundingClientRect().top)";
    let before = tab.js(top).await;
    stage
        .reply_elsewhere(ended, accept(json!({ "name": "bob's" })))
        .await;
    tab.says("#said", "Answered by bob").await;
    let stays = format!(
        "Math.abs({} - {before}) <= 2",
        top.trim_start_matches("return ")
    );
    tab.until(&stays).await;
    // What happened stands right above the field that is in use.
    let near = "document.querySelector('.happened').nextElementSibling?.dataset.field === 'name'";
    tab.until(near).await;
    // The next words, then what they would be to another ask.
    tab.keys(" d").await;
    tab.keys(CTRL_ENTER).await;
    tab.keys("\t\t \u{e007}").await;
    stayed(&tab, ended, "Answered by bob in the terminal").await;
    let value = "return document.querySelector('[data-field=name] input').value";
    assert_eq!(tab.js(value).await, json!("half a "));
    assert!(
        tab.js("return document.querySelector('dialog')")
            .await
            .is_null()
    );
    tab.see(&current(ended)).await;
    assert!(stage.now(behind).await.is_none(), "nothing was decided");
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}

#[tokio::test]
async fn keys_on_their_way_when_an_ask_times_out_decide_nothing() {
    let (stage, tab, ended, behind) = typing().await;
    stage.time_out(ended).await;
    tab.says("#said", "Nobody answered in time").await;
    tab.keys(" d").await;
    tab.keys(CTRL_ENTER).await;
    stayed(&tab, ended, "Nobody answered in time").await;
    assert!(stage.now(behind).await.is_none(), "nothing was decided");
    tab.close().await;
}

#[tokio::test]
async fn after_a_pause_a_new_gesture_leads_on() {
    let (stage, tab, ended, behind) = typing().await;
    stage.reply_elsewhere(ended, Reply::Cancel).await;
    tab.says(".happened", "Dismissed by bob").await;
    // Each key begins the pause anew.
    tab.keys("jj\t\u{e007}").await;
    tab.see(&current(ended)).await;
    tokio::time::sleep(PAUSE).await;
    // A field that can only be read still takes letters for letters.
    tab.keys("j").await;
    tab.see(&current(ended)).await;
    tab.click("#next").await;
    tab.see(&current(behind)).await;
    tab.armed().await;
    // It was opened, but nobody has touched it yet.
    tab.keys("d").await;
    tab.keys(CTRL_ENTER).await;
    assert!(
        tab.js("return document.querySelector('dialog')")
            .await
            .is_null()
    );
    assert!(stage.now(behind).await.is_none());
    tab.click(".ask .message").await;
    tab.keys("d").await;
    tab.see("#decline-dialog[open]").await;
    tab.keys(CTRL_ENTER).await;
    tab.send_now().await;
    let declined = Outcome::Declined { reason: None };
    assert_eq!(stage.decision(behind).await.outcome, declined);
    tab.close().await;
}

#[tokio::test]
async fn shortcuts_act_only_on_an_ask_that_was_opened_and_touched() {
    let stage = Stage::set().await;
    let shown = stage.ask(Ask::confirm("Shown by the page?")).await;
    let tab = Tab::at(&stage, "/").await;
    tab.see(&current(shown)).await;
    tab.armed().await;
    for keys in [CTRL_ENTER, "d"] {
        tab.keys(keys).await;
        tab.says("#said", "Click into the ask first").await;
        tab.js("document.querySelector('#said').textContent = ''")
            .await;
    }
    // Typing elsewhere is not touching it.
    tab.click("#search").await;
    tab.keys(CTRL_ENTER).await;
    assert!(
        tab.js("return document.querySelector('dialog')")
            .await
            .is_null()
    );
    assert!(stage.now(shown).await.is_none());
    tab.click(".ask .message").await;
    tab.keys(CTRL_ENTER).await;
    tab.send_now().await;
    stage.accepted(shown).await;
    tab.close().await;
}

#[tokio::test]
async fn ctrl_enter_sends_only_a_form_whose_fields_the_person_was_in() {
    let stage = Stage::set().await;
    let optional = Field::new("name", Kind::Text(Text::default())).optional();
    let id = stage.form(Form::new().field(optional)).await;
    let tab = Tab::with(&stage, id).await;
    tab.armed().await;
    tab.click(".ask .message").await;
    tab.keys(CTRL_ENTER).await;
    tab.says("#said", "Go into a field first").await;
    assert!(stage.now(id).await.is_none());
    tab.click(&field("name", "input")).await;
    tab.keys(CTRL_ENTER).await;
    tab.send_now().await;
    assert_eq!(stage.accepted(id).await, json!({}));
    tab.close().await;
}

#[tokio::test]
async fn a_dialog_for_a_reason_is_told_when_its_ask_ends() {
    let (stage, tab, ended, behind) = typing().await;
    tab.click("#decline").await;
    tab.keys("because").await;
    stage.reply_elsewhere(ended, Reply::Cancel).await;
    tab.says("#decline-dialog .happened", "Dismissed by bob")
        .await;
    tab.keys(" of").await;
    tab.keys(CTRL_ENTER).await;
    let value = "return document.querySelector('#reason').value";
    assert_eq!(tab.js(value).await, json!("because"));
    assert!(stage.now(behind).await.is_none());
    assert_eq!(stage.decision(ended).await.outcome, Outcome::Cancelled);
    tab.close().await;
}

#[tokio::test]
async fn keys_on_their_way_to_a_script_that_goes_on_decide_nothing() {
    let stage = Stage::with_scripts(Workshop::new()).await;
    let tab = Tab::at(&stage, "/scripts/tools/together").await;
    tab.click("#run").await;
    tab.says(".asking .message", "Your first name?").await;
    let first = "return document.querySelector('.asking .ask').dataset.id";
    let first: AskId = tab.js(first).await.as_str().unwrap().parse().unwrap();
    tab.click(&field("value", "input")).await;
    tab.keys("Ad").await;
    stage
        .reply_elsewhere(first, accept(json!({ "value": "Ada" })))
        .await;
    tab.says(".asking .happened", "Answered by bob").await;
    tab.keys("a d").await;
    tab.keys(CTRL_ENTER).await;
    tab.says(".asking .message", "Your first name?").await;
    let value = "return document.querySelector('.asking input').value";
    assert_eq!(tab.js(value).await, json!("Ad"));
    // The other ask is offered, and opened by the person alone.
    tab.click(".others button").await;
    tab.says(".asking .message", "Your second name?").await;
    tab.enter(&field("value", "input"), "Lovelace").await;
    tab.approve().await;
    tab.says(".result .told", "Ada Lovelace").await;
    tab.close().await;
}
