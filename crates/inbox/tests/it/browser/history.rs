//! What was decided, found again.

use super::{stage::Stage, tab::Tab};
use holdpoint::{Ask, ChannelKind, Presence, Replier, Reply, ReplyResult, testing::accept};
use holdpoint_ask::short_id;
use serde_json::json;

#[tokio::test]
async fn the_history_is_searched_and_one_ask_shown_whole() {
    let stage = Stage::set().await;
    let whole = Ask::confirm("Deploy the **blue** build?")
        .details("```diff\n-old line\n+new line\n```")
        .dangerous();
    let blue = stage.ask(whole).await;
    let green = stage.ask(Ask::confirm("Deploy the green build?")).await;
    let reason = Some("Too green".to_owned());
    stage
        .reply_elsewhere(green, Reply::Decline { reason })
        .await;
    stage
        .reply_elsewhere(blue, accept(json!({ "confirmed": true })))
        .await;

    let tab = Tab::at(&stage, "/history").await;
    tab.until("document.querySelectorAll('#asks li').length === 2")
        .await;
    tab.enter("#search", "blue").await;
    tab.until("document.querySelectorAll('#asks li').length === 1")
        .await;
    tab.click("#asks a").await;
    tab.says(".ended h2", "Approved by bob in the terminal")
        .await;
    tab.says(".message", "Deploy the blue build?").await;
    tab.says(".ask", "new line").await;
    tab.says(".asked .origin", "shop-mcp asks, for studio 2.1")
        .await;
    tab.says(".facts", &short_id(&blue)).await;
    let whole = format!("document.querySelector('.facts .id').title === '{blue}'");
    tab.until(&whole).await;
    tab.says(".badges", "Dangerous").await;

    // Back to the list, which a review covers, and which is as it was.
    tab.js("history.back()").await;
    tab.until("document.body.dataset.reading === 'false' && document.querySelector('#search').value === 'blue'")
        .await;
    // A decision is found by its reason, too; and what is nowhere is said to be.
    tab.replace("#search", "too green").await;
    tab.says("#asks li", "Deploy the green build?").await;
    tab.replace("#search", "purple").await;
    tab.says("#nothing", "Nothing found.").await;

    // An ended ask has an address of its own.
    tab.go(&stage.url(&format!("/ask/{green}"))).await;
    tab.says(".verdict blockquote", "Too green").await;
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}

#[tokio::test]
async fn the_history_can_show_only_what_looks_odd() {
    let stage = Stage::set().await;
    let fine = stage.ask(Ask::confirm("Deploy the green build?")).await;
    stage
        .reply_elsewhere(fine, Reply::Decline { reason: None })
        .await;
    let tried = stage.ask(Ask::confirm("Deploy the blue build?")).await;
    let nobody = Replier::new(ChannelKind::Inbox, None, Presence::default());
    let yes = accept(json!({ "confirmed": true }));
    let taken = stage.desk.reply(tried, nobody, yes).await.unwrap();
    assert!(matches!(taken, ReplyResult::NotTaken(_)), "{taken:?}");

    let tab = Tab::at(&stage, "/history").await;
    tab.until("document.querySelectorAll('#asks li').length === 1")
        .await;
    tab.click("#odd").await;
    tab.says("#asks li", "did not count").await;
    tab.says("#asks li", "Deploy the blue build?").await;
    tab.until("document.querySelectorAll('#asks li').length === 1")
        .await;
    tab.click("#asks a").await;
    tab.says(".message", "Deploy the blue build?").await;
    tab.says("#asks li", "did not count").await;
    tab.click("#odd").await;
    tab.says("#asks li", "Deploy the green build?").await;
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}
