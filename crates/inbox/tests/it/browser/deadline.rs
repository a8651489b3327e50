//! Time: an ask stays open while somebody is at it, offers more in its last minute, and no snooze outlives it.

use super::{reviews, stage::Stage, tab::Tab};
use holdpoint::{Ask, AskId};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

async fn ends_in(stage: &Stage, id: AskId, seconds: i64) {
    let deadline = Timestamp::now() + SignedDuration::from_secs(seconds);
    assert!(stage.desk.extend(id, Some(deadline), "test").await.unwrap());
}

#[tokio::test]
async fn typing_keeps_it_open() {
    let stage = Stage::set().await;
    let id = stage.ask(reviews::plan()).await;
    ends_in(&stage, id, 20).await;
    let tab = Tab::with(&stage, id).await;
    tab.says(".action-bar .left", "0:").await;
    tab.click("#comment-whole").await;
    tab.keys("A long thought").await;
    tab.says(".action-bar .left", "9:5").await;
    assert!(stage.deadline(id).await > Timestamp::now() + SignedDuration::from_mins(9));
    tab.close().await;
}

#[tokio::test]
async fn the_last_minute_is_offered_to_be_longer() {
    let stage = Stage::set().await;
    let id = stage.ask(Ask::confirm("Go?")).await;
    ends_in(&stage, id, 50).await;
    let tab = Tab::with(&stage, id).await;
    tab.says(".offer", "Less than a minute left.").await;
    tab.click("#keep-open").await;
    tab.until("document.querySelector('.offer').hidden").await;
    assert!(stage.deadline(id).await > Timestamp::now() + SignedDuration::from_mins(9));
    tab.close().await;
}

#[tokio::test]
async fn a_snooze_never_outlives_the_deadline() {
    let stage = Stage::set().await;
    let id = stage.ask(Ask::confirm("Go?")).await;
    ends_in(&stage, id, 300).await;
    let tab = Tab::with(&stage, id).await;
    tab.armed().await;
    tab.click(".snoozing summary").await;
    tab.click(".snoozing .entry:nth-child(2)").await;
    let until =
        format!("return JSON.parse(localStorage['holdpoint.snoozed'])['{id}'] - Date.now()");
    let left = tab.js(&until).await.as_f64().unwrap();
    assert!((200_000.0..=240_000.0).contains(&left), "{left}");
    tab.close().await;
}

#[tokio::test]
async fn nothing_is_held_back_when_the_time_is_nearly_up() {
    let stage = Stage::set().await;
    let id = stage.ask(Ask::confirm("Go?")).await;
    let tab = Tab::with(&stage, id).await;
    tab.see("#connection[data-state=live]").await;
    tab.armed().await;
    ends_in(&stage, id, 14).await;
    tab.says(".action-bar .left", "0:").await;
    tab.js("document.querySelector('#submit').click()").await;
    let held = tab.js("return document.querySelector('.undo')").await;
    assert_eq!(held, json!(null));
    stage.accepted(id).await;
    tab.close().await;
}
