//! Ten thousand open asks: the page is there as fast, and holds no more than it shows.

use super::{stage::Stage, tab::Tab};
use serde_json::json;

const OPEN: usize = 10_000;
/// Of the page's own memory.
const MOST_BYTES: f64 = 40e6;

#[tokio::test]
async fn ten_thousand_open_asks_are_listed_page_by_page() {
    let stage = Stage::set().await;
    stage.crowd(OPEN).await;
    let tab = Tab::at(&stage, "/").await;
    tab.until("document.querySelector('#count').innerText === '10,000'")
        .await;
    tab.says("#asks h2", "10000").await;
    // What the server read once it knows: the second time is what a person waits for.
    tab.reload().await;
    let ready = tab
        .js("return performance.getEntriesByName('ready')[0].startTime")
        .await;
    println!("ready after {ready} ms");
    for rows in [100, 150, 200] {
        // The list may be put back to its place while it loads: a person scrolls on.
        tab.until(&format!(
            "(document.querySelector('#more').scrollIntoView(), document.querySelectorAll('#asks li').length >= {rows})"
        ))
        .await;
    }
    let first = "return [...document.querySelectorAll('#asks .gist')].slice(0, 3).map((one) => one.textContent)";
    let wanted = json!(["Question 0?", "Question 1?", "Question 2?"]);
    assert_eq!(tab.js(first).await, wanted, "the oldest first");
    tab.devtools("HeapProfiler.collectGarbage", json!({})).await;
    let used = tab.js("return performance.memory.usedJSHeapSize").await;
    println!("{used} bytes of script memory");
    assert!(used.as_f64().unwrap() < MOST_BYTES, "{used}");
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}
