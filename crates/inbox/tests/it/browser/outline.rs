//! A long text: an outline that follows the reader, sections that fold, a place that is kept.

use super::{reviews, stage::Stage, tab::Tab};
use holdpoint::Ask;
use holdpoint_testkit::browser::Screen;
use serde_json::json;
use std::fmt::Write as _;

fn long() -> Ask {
    let mut text = String::new();
    for part in 1..=8 {
        write!(text, "## Part {part}\n\n").unwrap();
        for line in 0..20 {
            write!(text, "Paragraph {line} of part {part}.\n\n").unwrap();
        }
    }
    Ask::new("Read this", reviews::endings()).details(text)
}

const HERE: &str = "document.querySelector('.outline [aria-current]')?.innerText";
/// The part whose heading stands at the top of the screen.
const AT_TOP: &str = "Math.abs([...document.querySelectorAll('.details h2')][5].getBoundingClientRect().top - document.querySelector('.reading').getBoundingClientRect().top) < 120";

#[tokio::test]
async fn the_outline_follows_the_reader_and_leads_on() {
    let stage = Stage::set().await;
    let id = stage.ask(long()).await;
    let tab = Tab::with(&stage, id).await;
    tab.on(Screen::new(1440, 900)).await;
    tab.until(&format!("{HERE} === 'Part 1'")).await;
    tab.js("document.querySelectorAll('.details h2')[3].scrollIntoView()")
        .await;
    tab.until(&format!("{HERE} === 'Part 4'")).await;
    tab.click(".outline li:nth-child(6) button").await;
    tab.until(AT_TOP).await;
    tab.until(&format!("{HERE} === 'Part 6'")).await;

    // Coming back to it, the reader is where they were.
    tab.until("JSON.stringify(sessionStorage).includes('place')")
        .await;
    tab.reload().await;
    tab.until(AT_TOP).await;

    // A section folds under its heading; what leads into it unfolds it.
    let hidden = "document.querySelectorAll('.details h2')[5].nextElementSibling.hidden";
    tab.js("document.querySelectorAll('.details h2')[5].querySelector('button').click()")
        .await;
    assert_eq!(tab.js(&format!("return {hidden}")).await, json!(true));
    tab.js("document.querySelectorAll('.details h2')[5].querySelector('button').click()")
        .await;
    assert_eq!(tab.js(&format!("return {hidden}")).await, json!(false));
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}
