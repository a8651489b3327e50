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
    let mut same = Vec::new();
    for number in 0..20 {
        let lines = (0..12).map(|line| format!("Line {line} of it.\n\n"));
        let text = format!("Delete file {number}?\n\n{}", lines.collect::<String>());
        same.push(stage.ask(Ask::confirm(text)).await);
    }
    let tab = Tab::with(&stage, same[0]).await;
    tab.armed().await;
    tab.click("#together").await;
    tab.see(&tick(same[19])).await;
    let last = "document.querySelectorAll('#together-dialog .texts > li')[19]";
    let order = "return [...document.querySelectorAll('#together-dialog input[type=checkbox]')].map((one) => one.value)";
    let order = tab.js(order).await;
    let at = |at: usize| order[at].as_str().unwrap().parse::<AskId>().unwrap();
    // Ticked by somebody who has not come that far.
    tab.js(&format!("{last}.querySelector('input').checked = true"))
        .await;
    tab.js("document.querySelector('#together-review').click()")
        .await;
    tab.says("#together-dialog .trouble", "to its end").await;
    assert!(
        tab.js("return document.querySelector('#together-table')")
            .await
            .is_null()
    );
    tab.js(&format!("{last}.scrollIntoView({{ block: 'end' }})"))
        .await;
    tab.until(&format!("{last}.dataset.seen")).await;
    tab.click("#together-review").await;
    tab.click("#together-send").await;
    stage.accepted(at(19)).await;
    assert!(stage.now(at(0)).await.is_none());
    tab.close().await;
}

#[tokio::test]
async fn what_is_long_is_decided_by_itself() {
    let stage = Stage::set().await;
    for _ in 0..2 {
        let ask = Ask::confirm("Delete it?").details("And more. ".repeat(70));
        stage.ask(ask).await;
    }
    let tab = Tab::at(&stage, "/").await;
    tab.armed().await;
    let offered = "return document.querySelectorAll('#together, #asks .tick input').length";
    assert_eq!(tab.js(offered).await, json!(0));
    tab.press("x").await;
    tab.says("#said", "decided by itself").await;
    tab.until("document.querySelector('#picked').hidden").await;
    tab.close().await;
}

#[tokio::test]
async fn rows_are_picked_by_a_key_or_a_box_and_only_of_one_kind() {
    let stage = Stage::set().await;
    let mut same = Vec::new();
    for number in 0..3 {
        same.push(
            stage
                .ask(Ask::confirm(format!("Delete file {number}?")))
                .await,
        );
    }
    let other = Origin {
        workspace: Some("/home/ann/bank".into()),
        ..origin()
    };
    let other = stage.ask_from(other, Ask::confirm("Delete file 1?")).await;
    let tab = Tab::at(&stage, "/").await;
    tab.armed().await;
    tab.press("x").await;
    tab.says("#picked", "1 ask of studio in shop").await;
    let boxed = |id: AskId| format!("#asks li[data-id=\"{id}\"] .tick input");
    tab.click(&boxed(same[2])).await;
    tab.says("#picked", "2 asks of studio in shop").await;
    // One of another workspace is not taken with them.
    tab.js(&format!(
        "document.querySelector('{}').click()",
        boxed(other)
    ))
    .await;
    tab.says("#said", "Only asks of one agent").await;
    tab.until(&format!(
        "!document.querySelector('{}').checked",
        boxed(other)
    ))
    .await;
    // What is picked is still so when the page is loaded again.
    tab.reload().await;
    tab.says("#picked", "2 asks of studio in shop").await;
    tab.click("#picked-decide").await;
    tab.says("#together-dialog .origin", "shop-mcp asks, for studio 2.1")
        .await;
    let listed = "return [...document.querySelectorAll('#together-dialog .texts input')].map((one) => one.value)";
    assert_eq!(tab.js(listed).await, json!([same[0], same[2]]));
    for id in [same[0], same[2]] {
        tab.click(&tick(id)).await;
    }
    // Each row unfolds to what the ask says, here and in the table.
    tab.click("#together-review").await;
    tab.click("#together-table summary").await;
    tab.says("#together-table .whole-text", "Delete file 0?")
        .await;
    tab.click("#together-send").await;
    for id in [same[0], same[2]] {
        stage.accepted(id).await;
    }
    tab.until("document.querySelector('#picked').hidden").await;
    assert!(stage.now(same[1]).await.is_none() && stage.now(other).await.is_none());
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}
