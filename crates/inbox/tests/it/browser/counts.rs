//! The page of statistics.

use super::{stage::Stage, tab::Tab};
use holdpoint::{Ask, Reply, testing::accept};
use serde_json::json;

#[tokio::test]
async fn counts_are_drawn_and_can_be_narrowed() {
    let stage = Stage::set().await;
    let blue = stage.ask(Ask::confirm("Deploy the blue build?")).await;
    let green = stage.ask(Ask::confirm("Deploy the green build?")).await;
    stage.ask(Ask::confirm("Still open?")).await;
    stage
        .reply_elsewhere(blue, accept(json!({ "confirmed": true })))
        .await;
    stage
        .reply_elsewhere(green, Reply::Decline { reason: None })
        .await;

    let tab = Tab::at(&stage, "/stats").await;
    tab.says(".figures", "3").await;
    tab.says(".figures", "50 %").await;
    tab.says(".charts", "declined").await;
    // A chart of one bar a row, and two of columns that are tables too.
    tab.until("document.querySelectorAll('.charts td svg rect').length >= 3")
        .await;
    tab.until("document.querySelectorAll('figure svg rect').length === 24 + 1")
        .await;
    tab.replace("#words", "green").await;
    tab.until("document.querySelector('.figures dd').textContent === '1'")
        .await;
    tab.replace("#words", "purple").await;
    tab.until("document.querySelector('.charts') === null")
        .await;
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}
