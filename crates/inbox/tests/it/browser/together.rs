//! Several asks at once: of one server and agent only, each text read whole, never a dangerous one.

use super::{
    stage::{Stage, origin},
    tab::Tab,
};
use holdpoint::{Ask, AskId, Origin};
use serde_json::json;

fn tick(id: AskId) -> String {
    format!("#together-dialog input[value=\"{id}\"]")
}

#[tokio::test]
async fn several_at_once_with_the_agent_named_and_each_text_whole() {
    let stage = Stage::set().await;
    let mut same = Vec::new();
    for number in 0..3 {
        let ask = Ask::confirm(format!(
            "Delete file {number}?\n\nand its *backup* {number}"
        ))
        .details(format!("It was last used in {number}."));
        same.push(stage.ask(ask).await);
    }
    let dangerous = stage.ask(Ask::confirm("Delete all?").dangerous()).await;
    let tab = Tab::with(&stage, dangerous).await;
    tab.armed().await;
    let together = "return document.querySelector('#together')";
    assert!(tab.js(together).await.is_null());

    tab.click(&format!("li[data-id=\"{}\"] a", same[2])).await;
    let same_kind = "2 more asks of the same server, client and tool";
    tab.says(".notice", same_kind).await;
    tab.click("#together").await;
    let who = "shop-mcp asks, for studio 2.1";
    tab.says("#together-dialog .origin", who).await;
    tab.says("#together-dialog .origin", "/home/ann/shop").await;
    for number in 0..3 {
        tab.says(
            "#together-dialog .texts",
            &format!("and its backup {number}"),
        )
        .await;
        tab.says(
            "#together-dialog .texts",
            &format!("It was last used in {number}."),
        )
        .await;
    }
    // Each is ticked beside its own text, none of them beforehand.
    let ticks = "return [...document.querySelectorAll('#together-dialog input[type=checkbox]')].map((one) => one.checked)";
    assert_eq!(tab.js(ticks).await, json!([false, false, false]));
    tab.click("#together-review").await;
    tab.says("#together-dialog .trouble", "Tick the asks").await;
    for id in &same[1..] {
        tab.click(&tick(*id)).await;
    }
    tab.click("#together-review").await;
    tab.says("#together-table", "Delete file 1?").await;
    let rows = "return [...document.querySelectorAll('#together-table .decided')].map((one) => one.innerText)";
    assert_eq!(tab.js(rows).await, json!(["Approved", "Approved"]));
    assert!(stage.now(same[1]).await.is_none());
    tab.click("#together-send").await;
    for id in &same[1..] {
        assert_eq!(stage.accepted(*id).await, json!({ "confirmed": true }));
    }
    tab.until("!document.querySelector('#together-dialog')")
        .await;
    assert!(stage.now(same[0]).await.is_none());
    assert!(stage.now(dangerous).await.is_none());
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}

#[tokio::test]
async fn asks_of_other_agents_are_not_said_to_be_the_same() {
    let stage = Stage::set().await;
    let others = [
        Origin {
            server: Some("todo-mcp".into()),
            ..origin()
        },
        Origin {
            client: Some("other 1.0".into()),
            ..origin()
        },
        Origin {
            principal: "somebody".into(),
            ..origin()
        },
        Origin {
            workspace: Some("/home/ann/bank".into()),
            ..origin()
        },
        Origin {
            tool: Some("drop".into()),
            ..origin()
        },
    ];
    for origin in others {
        stage.ask_from(origin, Ask::confirm("Go on?")).await;
    }
    let id = stage.ask(Ask::confirm("Go on?")).await;
    let tab = Tab::with(&stage, id).await;
    tab.armed().await;
    tab.until("document.querySelectorAll('#asks li').length === 6")
        .await;
    let together = "return document.querySelector('#together')";
    assert!(tab.js(together).await.is_null());
    tab.close().await;
}

/// Ticks the first asks of the window, and opens the table of what will be decided.
async fn review(tab: &Tab, ticked: &[AskId]) {
    for id in ticked {
        tab.click(&tick(*id)).await;
    }
    tab.click("#together-review").await;
}

#[tokio::test]
async fn a_double_click_on_approve_does_not_skip_the_table_of_what_is_decided() {
    let stage = Stage::set().await;
    let mut same = Vec::new();
    for number in 0..2 {
        same.push(stage.ask(Ask::confirm(format!("Delete {number}?"))).await);
    }
    let tab = Tab::with(&stage, same[0]).await;
    tab.armed().await;
    tab.click("#together").await;
    for id in &same {
        tab.click(&tick(*id)).await;
    }
    // The second click comes before anybody can have seen the table.
    let double = "document.querySelector('#together-review').click(); \
        const send = document.querySelector('#together-send'); send.click(); return send.ariaDisabled";
    assert_eq!(tab.js(double).await, json!("true"));
    tab.says("#together-table", "Delete 1?").await;
    assert!(stage.now(same[0]).await.is_none());
    tab.click("#together-send").await;
    stage.accepted(same[0]).await;
    stage.accepted(same[1]).await;
    tab.close().await;
}

#[tokio::test]
async fn several_are_approved_only_after_the_end_of_each_text_was_in_view() {
    let stage = Stage::set().await;
    let long = (0..200).map(|at| format!("Paragraph {at}.\n\n"));
    let long = format!("Delete?\n\n{}", long.collect::<String>());
    let mut same = Vec::new();
    for _ in 0..3 {
        same.push(stage.ask(Ask::confirm(long.as_str())).await);
    }
    let tab = Tab::with(&stage, same[0]).await;
    tab.armed().await;
    tab.click("#together").await;
    let order = "return [...document.querySelectorAll('#together-dialog input[type=checkbox]')].map((one) => one.value)";
    let order = tab.js(order).await;
    let at = |at: usize| order[at].as_str().unwrap().parse::<AskId>().unwrap();
    review(&tab, &[at(1)]).await;
    tab.says("#together-dialog .trouble", "to its end").await;
    assert!(
        tab.js("return document.querySelector('#together-table')")
            .await
            .is_null()
    );
    tab.js("document.querySelectorAll('#together-dialog .texts > li')[1].scrollIntoView({ block: 'end' })")
        .await;
    tab.until("document.querySelectorAll('#together-dialog .texts > li')[1].dataset.seen")
        .await;
    tab.click("#together-review").await;
    tab.click("#together-send").await;
    stage.accepted(at(1)).await;
    assert!(stage.now(at(0)).await.is_none());
    tab.close().await;
}
