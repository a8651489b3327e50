//! Who asks: the server first, then the client, so that tools of one name are told apart.

use super::{
    stage::{Stage, origin},
    tab::Tab,
};
use holdpoint::{Ask, Origin, Reply};
use serde_json::json;

#[tokio::test]
async fn tools_of_one_name_are_told_apart_by_their_server() {
    let stage = Stage::set().await;
    let of = |server: Option<&str>, client: Option<&str>| Origin {
        server: server.map(str::to_owned),
        client: client.map(str::to_owned),
        ..origin()
    };
    let shop = of(Some("shop-mcp"), Some("Claude Code 2.1"));
    let todo = of(Some("todo-mcp"), Some("Claude Code 2.1"));
    let shop = stage.ask_from(shop, Ask::confirm("Go on?")).await;
    let todo = stage.ask_from(todo, Ask::confirm("Go on?")).await;
    let alone = of(None, Some("Claude Code 2.1"));
    let alone = stage.ask_from(alone, Ask::confirm("Go on?")).await;
    let nobody = Origin {
        tool: None,
        ..of(None, None)
    };
    let nobody = stage.ask_from(nobody, Ask::confirm("Go on?")).await;

    let tab = Tab::at(&stage, "/").await;
    for (id, heading, agent) in [
        (shop, "shop-mcp asks, for Claude Code 2.1", "Claude Code"),
        (todo, "todo-mcp asks, for Claude Code 2.1", "Claude Code"),
        (alone, "Claude Code 2.1 asks", "Claude Code"),
        (nobody, "An agent asks", "An agent"),
    ] {
        let entry = format!("#asks li[data-id=\"{id}\"] .agent");
        tab.says(&entry, agent).await;
        tab.click(&format!("#asks li[data-id=\"{id}\"] a")).await;
        tab.until(&format!(
            "document.querySelector('.ask h2')?.innerText === '{heading}'"
        ))
        .await;
    }

    // What comes while a server is searched for is listed only where it is of that server.
    tab.enter("#search", "todo-mcp").await;
    tab.until("document.querySelectorAll('#asks li').length === 1")
        .await;
    let more = of(Some("todo-mcp"), None);
    stage.ask_from(more, Ask::confirm("And this?")).await;
    let other = of(Some("shop-mcp"), None);
    stage.ask_from(other, Ask::confirm("Or that?")).await;
    tab.until("document.querySelector('#count').innerText === '6'")
        .await;
    tab.until("document.querySelectorAll('#asks li').length === 2")
        .await;

    // The history tells them apart as well.
    for id in [shop, todo] {
        stage
            .reply_elsewhere(id, Reply::Decline { reason: None })
            .await;
    }
    tab.go(&stage.url("/history")).await;
    tab.until("document.querySelectorAll('#asks li').length === 2")
        .await;
    tab.enter("#search", "shop-mcp").await;
    tab.until("document.querySelectorAll('#asks li').length === 1")
        .await;
    tab.says("#asks .agent", "Claude Code").await;
    tab.click("#asks a").await;
    tab.says(".asked .origin", "shop-mcp asks, for Claude Code 2.1")
        .await;
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}

#[tokio::test]
async fn long_names_are_cut_and_push_nothing_out_of_the_list() {
    let stage = Stage::set().await;
    let origin = Origin {
        server: Some("s".repeat(200)),
        client: Some("c".repeat(200)),
        tool: Some("t".repeat(200)),
        ..origin()
    };
    stage.ask_from(origin, Ask::confirm("Go on?")).await;
    let tab = Tab::at(&stage, "/").await;
    let cut = |name: &str| format!("{}…", name.repeat(79));
    let heading = format!("{} asks, for {}", cut("s"), cut("c"));
    tab.says(".ask h2", &heading).await;
    let entry = "const one = document.querySelector('#asks .entry'); \
        return [one.scrollWidth <= one.clientWidth, one.querySelector('.place').clientWidth >= 30]";
    assert_eq!(tab.js(entry).await, json!([true, true]));
    tab.close().await;
}

/// A browser that may notify, of a page that nobody looks at.
const NOTIFIES: &str = "window.told = []; \
    window.Notification = class { \
      static permission = 'granted'; \
      constructor(title, { body }) { window.told.push([title, body]); } \
    }; \
    Object.defineProperty(document, 'hidden', { value: true });";

#[tokio::test]
async fn a_notification_says_who_asks() {
    let stage = Stage::set().await;
    let tab = Tab::at(&stage, "/").await;
    tab.js(NOTIFIES).await;
    stage.ask(Ask::confirm("Drop it?").dangerous()).await;
    tab.until("window.told.length === 1").await;
    let told = json!([["studio · shop (dangerous)", "Drop it?"]]);
    assert_eq!(tab.js("return window.told").await, told);
    tab.close().await;
}
