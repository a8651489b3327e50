//! What is remembered: a view of its own with search and revoking, and how many there are wherever one looks.

use super::{stage::Stage, tab::Tab};
use crate::permission::{harness, permission, yes};
use holdpoint::testing::accept;

/// Somebody in a terminal has this remembered.
async fn give(stage: &Stage, command: &str, remember: &str) {
    let ask = stage.ask_from(harness(), permission(command)).await;
    stage.reply_elsewhere(ask, accept(yes(remember))).await;
}

async fn rows(tab: &Tab, count: usize) {
    tab.until(&format!(
        "document.querySelectorAll('#permissions > li').length === {count}"
    ))
    .await;
}

#[tokio::test]
async fn each_row_says_what_who_where_until_when_and_leads_to_its_ask() {
    let stage = Stage::set().await;
    let tab = Tab::at(&stage, "/remembered").await;
    tab.says("#nothing", "Nothing is remembered.").await;
    tab.says("#nothing", "can be revoked here").await;
    tab.until("document.querySelector('#remembered-count').hidden")
        .await;
    // It comes without a reload.
    tab.see("#connection[data-state=live]").await;
    give(&stage, "git push origin main", "workspace pattern").await;
    rows(&tab, 1).await;
    for words in [
        "git push with any arguments, in this workspace, until revoked",
        "Run: git push origin main",
        "git push origin old",
        "Claude Code",
        "/home/ann/shop",
        "by bob",
    ] {
        tab.says("#permissions > li", words).await;
    }
    give(&stage, "ls", "session exactly").await;
    rows(&tab, 2).await;
    tab.says("#permissions > li:first-child", "one session in")
        .await;
    tab.says("#remembered-count", "2").await;
    tab.click("#permissions > li:first-child .of a").await;
    tab.says(".ask.ended", "Allowed by bob").await;
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}

#[tokio::test]
async fn search_narrows_the_list_and_is_in_the_address() {
    let stage = Stage::set().await;
    give(&stage, "git push", "workspace pattern").await;
    give(&stage, "npm install", "session exactly").await;
    let tab = Tab::at(&stage, "/remembered").await;
    rows(&tab, 2).await;
    tab.replace("#search", "npm").await;
    rows(&tab, 1).await;
    tab.until("location.search === '?q=npm'").await;
    tab.reload().await;
    rows(&tab, 1).await;
    tab.replace("#search", "nowhere").await;
    tab.says("#nothing", "Nothing found.").await;
    tab.says("#remembered-count", "2").await;
    tab.close().await;
}

#[tokio::test]
async fn one_press_revokes_here_and_in_every_tab() {
    let stage = Stage::set().await;
    give(&stage, "git push", "workspace pattern").await;
    give(&stage, "npm install", "session exactly").await;
    let inbox = Tab::at(&stage, "/").await;
    inbox
        .says("#remembered-line", "2 permissions remembered")
        .await;
    inbox.see("#connection[data-state=live]").await;
    let other = Tab::at(&stage, "/remembered").await;
    other.see("#connection[data-state=live]").await;
    let tab = Tab::at(&stage, "/remembered").await;
    rows(&tab, 2).await;
    tab.see("#permissions > li:first-child button[aria-disabled=false]")
        .await;
    tab.click("#permissions > li:first-child button").await;
    tab.says("#said", "Revoked: Exactly this, in this session")
        .await;
    rows(&tab, 1).await;
    // The focus is on nothing that would revoke the next.
    tab.until("!document.activeElement.closest('#permissions')")
        .await;
    rows(&other, 1).await;
    inbox
        .says("#remembered-line", "1 permission remembered")
        .await;
    inbox.says("#remembered-count", "1").await;
    assert_eq!(stage.desk.remembered().await.unwrap().len(), 1);
    tab.click("#permissions > li:first-child button").await;
    tab.says("#nothing", "Nothing is remembered.").await;
    inbox
        .until("document.querySelector('#remembered-line').hidden")
        .await;
    inbox
        .until("document.querySelector('#remembered-count').hidden")
        .await;
    assert_eq!(tab.complaints().await, [""; 0]);
    for tab in [tab, other, inbox] {
        tab.close().await;
    }
}
