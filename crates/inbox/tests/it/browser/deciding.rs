//! Deciding: yes, no, later, several at once, by keys.

use super::{
    stage::Stage,
    tab::{CTRL_ENTER, ENTER, HOLD, Tab, field},
};
use holdpoint::{
    Ask, AskId, ChannelKind, Field, Form, Kind, Outcome, ReplyResult, field::Text, testing::accept,
};
use serde_json::json;

fn current(id: AskId) -> String {
    format!(".ask[data-id=\"{id}\"]")
}

#[tokio::test]
async fn approve_decline_with_a_reason_and_dismiss() {
    let stage = Stage::set().await;
    let second = stage.ask(Ask::confirm("Second?")).await;
    let third = stage.ask(Ask::confirm("Third?")).await;
    let first = stage.ask(Ask::confirm("First?").dangerous()).await;
    let tab = Tab::at(&stage, "/").await;

    // The dangerous one comes first, and says so.
    tab.see(&current(first)).await;
    tab.says(".warning", "This cannot be undone.").await;
    assert_eq!(tab.client.title().await.unwrap(), "(3) Holdpoint");
    tab.approve().await;
    assert_eq!(stage.accepted(first).await, json!({ "confirmed": true }));
    tab.says(".ended h2", "Approved by ann on the page").await;

    tab.click("#next").await;
    tab.see(&current(second)).await;
    tab.click("#decline").await;
    tab.enter("#reason", "Not on a Friday").await;
    tab.click("#decline-send").await;
    tab.send_now().await;
    let decision = stage.decision(second).await;
    let reason = Some("Not on a Friday".to_owned());
    assert_eq!(decision.outcome, Outcome::Declined { reason });
    tab.says(".verdict blockquote", "Not on a Friday").await;

    tab.click("#next").await;
    tab.see(&current(third)).await;
    tab.click("#decline").await;
    tab.click("#dismiss").await;
    tab.send_now().await;
    assert_eq!(stage.decision(third).await.outcome, Outcome::Cancelled);
    tab.says(".ended h2", "Dismissed by ann").await;
    tab.until("document.title === 'Holdpoint'").await;
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}

#[tokio::test]
async fn going_back_declines_nothing() {
    let stage = Stage::set().await;
    let id = stage.ask(Ask::confirm("Sure?")).await;
    let tab = Tab::with(&stage, id).await;
    tab.click("#decline").await;
    tab.see("#decline-dialog[open]").await;
    tab.enter("#reason", "\u{e00c}").await;
    tab.until("!document.querySelector('#decline-dialog')")
        .await;
    tab.armed().await;
    assert!(stage.now(id).await.is_none());
    tab.close().await;
}

#[tokio::test]
async fn keys() {
    let stage = Stage::set().await;
    let form = Form::new().field(Field::new("why", Kind::Text(Text::default())));
    let second = stage.ask(Ask::confirm("Second?")).await;
    let third = stage.ask(Ask::new("Third", form)).await;
    let first = stage.ask(Ask::confirm("First?").dangerous()).await;
    let tab = Tab::at(&stage, "/").await;

    tab.see(&current(first)).await;
    tab.press("j").await;
    tab.see(&current(second)).await;
    tab.press("j").await;
    tab.see(&current(third)).await;
    tab.press("k").await;
    tab.see(&current(second)).await;
    tab.press("?").await;
    tab.says("#help-dialog", "previous ask").await;
    tab.enter("#help-dialog", "\u{e00c}").await;
    tab.until("!document.querySelector('dialog')").await;

    // Letters that are typed are letters.
    tab.press("j").await;
    tab.enter(&field("why", "input"), "djk?").await;
    tab.see(&current(third)).await;
    tab.until("!document.querySelector('dialog')").await;
    tab.armed().await;
    tab.enter(&field("why", "input"), CTRL_ENTER).await;
    tab.send_now().await;
    assert_eq!(stage.accepted(third).await, json!({ "why": "djk?" }));

    tab.until("document.activeElement.id === 'next'").await;
    tab.enter("#next", ENTER).await;
    tab.see(&current(first)).await;
    tab.press("j").await;
    tab.see(&current(second)).await;
    tab.armed().await;
    tab.click(".ask .message").await;
    tab.press("d").await;
    tab.enter("#reason", CTRL_ENTER).await;
    tab.send_now().await;
    let outcome = stage.decision(second).await.outcome;
    assert_eq!(outcome, Outcome::Declined { reason: None });

    // A dangerous ask is approved by its button alone.
    tab.see("#next").await;
    tab.press("k").await;
    tab.see(&current(first)).await;
    tab.armed().await;
    tab.click(".ask .message").await;
    tab.press(CTRL_ENTER).await;
    tab.until("document.activeElement.id === 'submit'").await;
    tab.keys(ENTER).await;
    assert!(stage.now(first).await.is_none());
    tab.hold_key('\u{e007}', HOLD).await;
    stage.accepted(first).await;
    tab.close().await;
}

#[tokio::test]
async fn longer_and_later() {
    let stage = Stage::set().await;
    let other = stage.ask(Ask::confirm("Other?")).await;
    let id = stage.ask(Ask::confirm("Sure?")).await;
    let tab = Tab::with(&stage, id).await;
    tab.says(".times", ":").await;
    tab.click(".longer summary").await;
    tab.click(".longer .entry:nth-child(2)").await;
    let times = "document.querySelector('.times').innerText";
    tab.until(&format!("/8\\d min left/.test({times})")).await;

    tab.click(".snoozing summary").await;
    tab.click(".snoozing .entry:nth-child(1)").await;
    tab.see(&current(other)).await;
    let listed = "[...document.querySelectorAll('#asks li')].map((it) => it.dataset.id).join()";
    tab.until(&format!("{listed} === '{other}'")).await;
    tab.says("#snoozed", "Show 1 snoozed").await;

    // It comes back when its time is up.
    tab.js("localStorage['holdpoint.snoozed'] = localStorage['holdpoint.snoozed'].replace(/:\\d+/, ':1')").await;
    tab.reload().await;
    tab.until(&format!("{listed} === '{other},{id}'")).await;
    tab.close().await;
}

#[tokio::test]
async fn a_dangerous_ask_needs_the_pin() {
    let stage = Stage::set().await;
    stage.desk.pin().set(None, "271828").await.unwrap();
    let id = stage.ask(Ask::confirm("Drop the table?").dangerous()).await;
    let tab = Tab::with(&stage, id).await;
    tab.approve().await;
    tab.says(".pin .error", "Enter your PIN.").await;
    assert!(stage.now(id).await.is_none());

    tab.enter("#pin", "000000").await;
    tab.approve().await;
    tab.says(".trouble", "Wrong PIN.").await;
    assert_eq!(
        tab.js("return document.querySelector('#pin').value").await,
        json!("")
    );

    // After some wrong ones there is a wait, which the page tells and keeps.
    for _ in 0..2 {
        let guess = holdpoint::testing::person(ChannelKind::Terminal, None).with_pin("111111");
        let yes = accept(json!({ "confirmed": true }));
        let taken = stage.desk.reply(id, guess, yes).await.unwrap();
        assert!(matches!(taken, ReplyResult::WrongPin { .. }));
    }
    tab.enter("#pin", "000000").await;
    tab.approve().await;
    tab.says(".trouble", "You can try again in").await;
    assert!(stage.now(id).await.is_none());
    tab.enter("#pin", "271828").await;
    tab.approve().await;
    assert_eq!(stage.accepted(id).await, json!({ "confirmed": true }));
    let kept = tab.js("return JSON.stringify({ ...localStorage })").await;
    assert!(!kept.as_str().unwrap().contains("271828"));
    tab.close().await;
}
