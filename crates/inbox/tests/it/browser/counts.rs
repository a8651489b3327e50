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
    // What was decided is told in the words that people use.
    tab.says(".charts", "Approved").await;
    tab.says(".charts", "Declined").await;
    // A chart of one bar a row, a line over days, columns of days and hours; each has its numbers beside it.
    tab.until("document.querySelectorAll('.bars td svg rect').length >= 3")
        .await;
    tab.until("document.querySelectorAll('.chart svg circle').length === 2")
        .await;
    let titles = "return [...document.querySelectorAll('.chart:not(.bars)')].map((one) => \
        [one.querySelector('figcaption').textContent, one.querySelectorAll('svg rect').length, one.querySelectorAll('details tbody tr').length])";
    let wanted = json!([
        ["Time to an answer, by day", 0, 1],
        ["Asks by day, and how they ended", 3, 1],
        ["By hour of the day", 1, 24],
    ]);
    assert_eq!(tab.js(titles).await, wanted);
    let empty = "return [...document.querySelectorAll('.chart')].some((one) => !one.querySelector('rect, path'))";
    assert_eq!(tab.js(empty).await, json!(false));
    tab.replace("#words", "green").await;
    tab.until("document.querySelector('.figures dd')?.textContent === '1'")
        .await;
    tab.replace("#words", "purple").await;
    tab.until("document.querySelector('.charts') === null")
        .await;
    tab.says(".nothing", "No asks in this time with these words.")
        .await;
    // The address says what is counted.
    tab.until("location.search === '?words=purple'").await;
    tab.click("#count-all").await;
    tab.until("document.querySelector('.figures dd')?.textContent === '3'")
        .await;
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}
