//! Undo: a reply is held back for five seconds, goes at once when the tab is left, and is never taken back later.

use super::{reviews, stage::Stage, tab::Tab};
use holdpoint::{Ask, Reply};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

#[tokio::test]
async fn what_is_undone_was_never_sent_and_can_be_chosen_anew() {
    let stage = Stage::set().await;
    let id = stage.ask(Ask::confirm("Go?")).await;
    let tab = Tab::with(&stage, id).await;
    tab.click("#submit").await;
    tab.says(".undo", "Approved").await;
    tab.says(".undo", "Sent in").await;
    assert!(stage.now(id).await.is_none(), "it is held back");
    tab.click("#undo").await;
    tab.says("#said", "Nothing was sent").await;
    tab.armed().await;
    assert!(stage.now(id).await.is_none());
    tab.click("#submit").await;
    // And by itself it goes after a while.
    stage.accepted(id).await;
    tab.see("#next, .ended").await;
    tab.close().await;
}

#[tokio::test]
async fn a_second_press_on_undo_chooses_nothing_anew() {
    let stage = Stage::set().await;
    let id = stage.ask(Ask::confirm("Go?")).await;
    let tab = Tab::with(&stage, id).await;
    tab.click("#submit").await;
    tab.see("#undo[aria-disabled=false]").await;
    // The endings are back where the strip was, with the focus on the one that was pressed.
    let double = "document.querySelector('#undo').click(); \
        const approve = document.querySelector('#submit'); approve.click(); return approve.ariaDisabled";
    assert_eq!(tab.js(double).await, json!("true"));
    tab.says("#said", "Nothing was sent").await;
    tab.armed().await;
    assert!(
        tab.js("return document.querySelector('.undo')")
            .await
            .is_null()
    );
    assert!(stage.now(id).await.is_none());
    tab.close().await;
}

#[tokio::test]
async fn a_second_press_on_back_approves_nothing() {
    let stage = Stage::set().await;
    let id = stage.ask(reviews::plan()).await;
    let tab = Tab::with(&stage, id).await;
    tab.armed().await;
    tab.click(".endings .secondary").await;
    tab.see(".step .sends .plain").await;
    let double = "document.querySelector('.step .sends .plain').click(); \
        const approve = document.querySelector('#submit'); approve.click(); return approve.ariaDisabled";
    assert_eq!(tab.js(double).await, json!("true"));
    tab.armed().await;
    assert!(
        tab.js("return document.querySelector('.undo')")
            .await
            .is_null()
    );
    tab.close().await;
}

#[tokio::test]
async fn it_goes_at_once_when_the_tab_is_hidden_or_another_ask_is_gone_to() {
    let stage = Stage::set().await;
    let first = stage.ask(Ask::confirm("First?")).await;
    let second = stage.ask(Ask::confirm("Second?")).await;
    let tab = Tab::with(&stage, first).await;
    tab.click("#submit").await;
    tab.see(".undo").await;
    let pressed = Timestamp::now();
    tab.click(&format!("#asks li[data-id=\"{second}\"] a"))
        .await;
    stage.accepted(first).await;
    let soon = SignedDuration::from_secs(4);
    assert!(Timestamp::now().duration_since(pressed) < soon);

    tab.click("#submit").await;
    tab.see(".undo").await;
    let pressed = Timestamp::now();
    tab.js(
        "Object.defineProperty(document, 'hidden', { value: true, configurable: true }); \
            document.dispatchEvent(new Event('visibilitychange'))",
    )
    .await;
    stage.accepted(second).await;
    assert!(Timestamp::now().duration_since(pressed) < soon);
    tab.close().await;
}

#[tokio::test]
async fn it_goes_when_the_page_is_left() {
    let stage = Stage::set().await;
    let id = stage.ask(reviews::plan()).await;
    let tab = Tab::with(&stage, id).await;
    tab.click("#submit").await;
    tab.see(".undo").await;
    let pressed = Timestamp::now();
    tab.client.goto("about:blank").await.unwrap();
    assert_eq!(stage.accepted(id).await["decision"], json!("approve"));
    assert!(Timestamp::now().duration_since(pressed) < SignedDuration::from_secs(4));
    tab.close().await;
}

#[tokio::test]
async fn what_is_held_back_is_dropped_when_the_ask_ends_elsewhere() {
    let stage = Stage::set().await;
    let id = stage.ask(Ask::confirm("Go?")).await;
    let tab = Tab::with(&stage, id).await;
    tab.see("#connection[data-state=live]").await;
    tab.click("#submit").await;
    tab.see(".undo").await;
    stage.reply_elsewhere(id, Reply::Cancel).await;
    tab.says(".ended .note", "was not sent").await;
    assert!(
        tab.js("return document.querySelector('.undo')")
            .await
            .is_null()
    );
    tab.close().await;
}

#[tokio::test]
async fn nothing_dangerous_is_held_back() {
    let stage = Stage::set().await;
    let id = stage.ask(Ask::confirm("Drop it?").dangerous()).await;
    let tab = Tab::with(&stage, id).await;
    tab.approve().await;
    stage.accepted(id).await;
    tab.see(".ended").await;
    tab.close().await;
}
