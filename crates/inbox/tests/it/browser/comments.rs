//! Comments: on lines, paragraphs, selections and the whole, kept until they are sent with the answer.

use super::{
    reviews,
    stage::Stage,
    tab::{CTRL_ENTER, Tab},
};
use holdpoint::{Decision, testing::accept};
use serde_json::{Value, json};

fn comments_of(decision: &Decision) -> Value {
    let review = decision.review.as_ref().expect("something was said");
    serde_json::to_value(&review.comments).unwrap()
}

/// Points at an element, and begins a comment there before the pointer can move on.
async fn begin_at(tab: &Tab, css: &str) {
    tab.see(css).await;
    let point = format!(
        "const at = document.querySelector({}); at.scrollIntoView({{ block: 'center' }}); \
         at.dispatchEvent(new PointerEvent('pointerover', {{ bubbles: true }})); \
         at.querySelector('.comment-here').click()",
        json!(css)
    );
    tab.js(&point).await;
    tab.see(".comment textarea").await;
}

#[tokio::test]
async fn comments_on_a_paragraph_a_heading_and_the_whole_reach_the_decision() {
    let stage = Stage::set().await;
    let id = stage.ask(reviews::plan()).await;
    let tab = Tab::with(&stage, id).await;
    begin_at(&tab, ".details h2 + p").await;
    tab.keys("Which market?").await;
    tab.keys(CTRL_ENTER).await;
    tab.says(".comment .text", "Which market?").await;
    tab.says("#comment-count", "1 comment").await;

    // The key, on a heading that has the focus.
    tab.js("document.querySelectorAll('.details h2')[1].querySelector('button').focus()")
        .await;
    tab.keys("c").await;
    tab.keys("Two providers?").await;
    tab.keys(CTRL_ENTER).await;
    tab.click("#comment-whole").await;
    tab.keys("Good work.").await;
    tab.keys(CTRL_ENTER).await;
    tab.says("#comment-count", "3 comments").await;
    tab.says(
        ".comments .jump",
        "Checkout in three phases › Phase 2: payment",
    )
    .await;

    // All of it is still there after the page was loaded again, each at its place.
    tab.reload().await;
    tab.says("#comment-count", "3 comments").await;
    let at = "return document.querySelector('.details h2 + p').nextElementSibling.innerText.includes('Which market?')";
    assert_eq!(tab.js(at).await, json!(true));

    // One is changed, one is deleted.
    let card = "[...document.querySelectorAll('.details .comment')].find((one) => one.innerText.includes('Two providers'))";
    tab.js(&format!(
        "{card}.querySelectorAll('.does button')[1].click()"
    ))
    .await;
    tab.says("#comment-count", "2 comments").await;
    tab.js("document.querySelector('.details .comment .does button').click()")
        .await;
    tab.keys(" And when?").await;
    tab.keys(CTRL_ENTER).await;
    tab.send().await;
    let decision = stage.decision(id).await;
    let wanted = json!([
        {
            "where": { "headings": ["Checkout in three phases", "Phase 1: address"], "line": 7 },
            "quote": "Behind a switch, for one market.",
            "text": "Which market? And when?",
        },
        { "text": "Good work." },
    ]);
    assert_eq!(comments_of(&decision), wanted);
    tab.says(".verdict .comment", "Which market? And when?")
        .await;
    let kept = tab.js("return JSON.stringify(localStorage)").await;
    assert!(!kept.as_str().unwrap().contains("Which market"), "{kept}");
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}

#[tokio::test]
async fn a_selection_is_quoted_and_a_change_suggested() {
    let stage = Stage::set().await;
    let id = stage.ask(reviews::plan()).await;
    let tab = Tab::with(&stage, id).await;
    tab.see(".details p").await;
    tab.js(
        "const text = document.querySelector('.details p').firstChild; const range = document.createRange(); \
         range.setStart(text, 4); range.setEnd(text, 12); \
         getSelection().removeAllRanges(); getSelection().addRange(range)",
    )
    .await;
    tab.keys("c").await;
    tab.says(".comment blockquote", "old form").await;
    tab.keys("Be clear.").await;
    tab.js("[...document.querySelectorAll('.comment button')].find((one) => one.innerText === 'Suggest a change').click()")
        .await;
    let filled = "return document.querySelector('.comment .instead').value";
    assert_eq!(tab.js(filled).await, json!("old form"));
    tab.replace(".comment .instead", "current form").await;
    tab.keys(CTRL_ENTER).await;
    tab.send().await;
    let decision = stage.decision(id).await;
    let wanted = json!([{
        "where": { "headings": ["Checkout in three phases"], "line": 3 },
        "quote": "old form", "text": "Be clear.", "suggestion": "current form",
    }]);
    assert_eq!(comments_of(&decision), wanted);
    tab.close().await;
}

#[tokio::test]
async fn lines_of_a_diff_are_known_by_file_number_and_side() {
    let stage = Stage::set().await;
    let id = stage.ask(reviews::diff()).await;
    let tab = Tab::with(&stage, id).await;
    let cart = "[data-path=\"src/shop/cart.rs\"]";
    begin_at(&tab, &format!("{cart} .row.del")).await;
    tab.keys("Why not before?").await;
    tab.keys(CTRL_ENTER).await;
    begin_at(&tab, &format!("{cart} [data-place=n4]")).await;
    tab.keys("Say why.").await;
    tab.keys(CTRL_ENTER).await;
    tab.send().await;
    let decision = stage.decision(id).await;
    let wanted = json!([
        {
            "where": { "file": "src/shop/cart.rs", "line": 3, "side": "old" },
            "quote": "    for item in items { sum += item.price; }",
            "text": "Why not before?",
        },
        {
            "where": { "file": "src/shop/cart.rs", "line": 4 },
            "quote": "    // Rounded down.",
            "text": "Say why.",
        },
    ]);
    assert_eq!(comments_of(&decision), wanted);
    tab.close().await;
}

#[tokio::test]
async fn what_was_not_sent_can_be_copied_and_is_offered_in_the_next_round() {
    let stage = Stage::set().await;
    let id = stage.ask(reviews::plan()).await;
    let tab = Tab::with(&stage, id).await;
    begin_at(&tab, ".details h2 + p").await;
    tab.keys("Which market?").await;
    let changes = json!({ "decision": "changes", "feedback": "Mine." });
    stage.reply_elsewhere(id, accept(changes)).await;
    // It stays under the person's hands, and can be read only.
    tab.says(".happened", "by bob in the terminal").await;
    tab.says(".happened .lost summary", "was not sent").await;
    tab.keys(" nothing more").await;
    let typed = "return document.querySelector('.comment textarea').value";
    assert_eq!(tab.js(typed).await, json!("Which market?"));

    let round = holdpoint::review::Round::first("Plan “checkout”").after(id);
    let next = stage.ask(reviews::plan().in_round(round)).await;
    tab.go(&stage.url(&format!("/ask/{next}"))).await;
    tab.says(".unsent", "Round 1 ended before you sent 1 comment")
        .await;
    tab.says("#comment-count", "Comment").await;
    tab.click("#take-over").await;
    tab.says(".details .comment", "Which market?").await;
    tab.says("#comment-count", "1 comment").await;
    tab.reload().await;
    assert!(
        tab.js("return document.querySelector('.unsent')")
            .await
            .is_null()
    );
    tab.close().await;
}
