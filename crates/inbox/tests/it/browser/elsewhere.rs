//! What happens elsewhere: another tab, another surface, a server that goes away.

use super::{
    stage::Stage,
    tab::{Tab, field},
};
use holdpoint::{Ask, Field, Form, Kind, Reply, field::Text, journal::EventKind, testing::accept};
use serde_json::json;

#[tokio::test]
async fn of_two_at_once_one_wins_and_the_other_is_told() {
    let stage = Stage::set().await;
    let form = Form::new().field(Field::new("name", Kind::Text(Text::default())));
    let id = stage.form(form).await;
    let (one, two) = tokio::join!(Tab::with(&stage, id), Tab::with(&stage, id));
    one.enter(&field("name", "input"), "one").await;
    two.enter(&field("name", "input"), "two").await;
    one.armed().await;
    two.armed().await;
    let click = "document.querySelector('#submit').click()";
    tokio::join!(one.js(click), two.js(click));
    tokio::join!(one.send_now(), two.send_now());
    let won = stage.accepted(id).await["name"].clone();
    one.see(".ended").await;
    two.see(".ended").await;
    let told = "return document.querySelector('.note')?.innerText ?? ''";
    let (told_one, told_two) = (one.js(told).await, two.js(told).await);
    let elsewhere = json!("This ask was answered elsewhere: there is nothing left to do here.");
    let expected = if won == json!("one") {
        (json!(""), elsewhere)
    } else {
        (elsewhere, json!(""))
    };
    assert_eq!((told_one, told_two), expected);
    let answer = won.as_str().unwrap();
    one.says(".answer", answer).await;
    two.says(".answer", answer).await;
    tokio::join!(one.close(), two.close());
}

#[tokio::test]
async fn answered_elsewhere_closes_here_and_says_who_and_how() {
    let stage = Stage::set().await;
    let form = Form::new().field(Field::new("name", Kind::Text(Text::default())));
    let id = stage.form(form).await;
    let tab = Tab::with(&stage, id).await;
    tab.enter(&field("name", "input"), "not yet sent").await;
    stage
        .reply_elsewhere(id, accept(json!({ "name": "bob's" })))
        .await;
    tab.says(".ended h2", "Answered by bob in the terminal")
        .await;
    tab.says(".answer", "bob's").await;
    tab.says(".note", "answered elsewhere").await;
    // What was typed stays to be read.
    let typed = "return document.querySelector('[data-field=name] input').value";
    assert_eq!(tab.js(typed).await, json!("not yet sent"));
    tab.until("!document.querySelector('#submit')").await;
    tab.until("document.querySelectorAll('#asks li').length === 0")
        .await;
    tab.close().await;
}

#[tokio::test]
async fn a_new_ask_appears_and_one_that_ends_goes() {
    let stage = Stage::set().await;
    let tab = Tab::at(&stage, "/").await;
    tab.says("#nothing", "Nothing is waiting for you.").await;
    tab.see("#connection[data-state=live]").await;
    let id = stage.ask(Ask::confirm("Now?")).await;
    tab.says("#asks li", "Now?").await;
    tab.says(".message", "Now?").await;
    tab.until("document.title === '(1) Holdpoint'").await;
    tab.says("#said", "New ask: Now?").await;
    stage
        .reply_elsewhere(id, Reply::Decline { reason: None })
        .await;
    tab.until("document.title === 'Holdpoint'").await;
    tab.says("#said", "Declined by bob in the terminal").await;
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}

#[tokio::test]
async fn two_tabs_of_one_browser_share_a_connection_and_both_hear() {
    let stage = Stage::set().await;
    let tab = Tab::at(&stage, "/").await;
    tab.see("#connection[data-state=live]").await;
    let first = tab.client.window().await.unwrap();
    let second = tab.client.new_window(true).await.unwrap().handle;
    tab.client.switch_to_window(second).await.unwrap();
    tab.go(&stage.url("/")).await;
    tab.see("#connection[data-state=live]").await;
    let streams = "performance.getEntriesByType('resource').filter((it) => it.name.endsWith('/api/events')).length";
    tab.until(&format!("{streams} === 0")).await;
    stage.ask(Ask::confirm("Both?")).await;
    tab.says("#asks li", "Both?").await;
    tab.client.switch_to_window(first).await.unwrap();
    tab.says("#asks li", "Both?").await;

    // The tab that listened goes: the other takes over.
    let left = tab.client.windows().await.unwrap();
    tab.client.close_window().await.unwrap();
    tab.client.switch_to_window(left[1].clone()).await.unwrap();
    stage.ask(Ask::confirm("Still?")).await;
    tab.says("#asks li", "Still?").await;
    tab.close().await;
}

#[tokio::test]
async fn a_lost_server_is_shown() {
    let stage = Stage::set().await;
    let tab = Tab::at(&stage, "/").await;
    tab.see("#connection[data-state=live]").await;
    drop(stage);
    tab.says("#connection", "Reconnecting").await;
    tab.close().await;
}

#[tokio::test]
async fn an_agent_that_goes_is_told_of_until_it_is_back() {
    let stage = Stage::set().await;
    let form = Form::new().field(Field::new("name", Kind::Text(Text::default())));
    let id = stage.form(form).await;
    let tab = Tab::with(&stage, id).await;
    tab.see("#connection[data-state=live]").await;
    tab.enter(&field("name", "input"), "half").await;
    stage.note(id, EventKind::AgentGone).await;
    tab.says("#asks li .badge", "Agent gone").await;
    tab.says(".gone", "Nothing is waiting for your answer")
        .await;
    stage.note(id, EventKind::AgentBack).await;
    tab.until("document.querySelector('.gone').hidden").await;
    // What was being typed is still there, and still counts.
    tab.enter(&field("name", "input"), " and whole").await;
    tab.send().await;
    assert_eq!(
        stage.accepted(id).await,
        json!({ "name": "half and whole" })
    );
    tab.close().await;
}
