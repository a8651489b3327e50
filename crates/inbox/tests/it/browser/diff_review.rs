//! Diffs: files with their counts, marks and folds, in the whole width of the window, smooth however many lines.

use super::{reviews, stage::Stage, tab::Tab};
use holdpoint_testkit::browser::Screen;
use serde_json::{Value, json};

const CART: &str = "[data-path=\"src/shop/cart.rs\"]";

#[tokio::test]
async fn files_are_listed_folded_marked_and_laid_out() {
    let stage = Stage::set().await;
    let id = stage.ask(reviews::diff()).await;
    let tab = Tab::with(&stage, id).await;
    tab.on(Screen::new(1440, 900)).await;
    // The whole width: the list makes room.
    tab.until("document.querySelector('.listing').clientWidth === 0")
        .await;
    tab.until("document.querySelector('.ask').clientWidth > 1200")
        .await;
    tab.says(".diff-tools", "4 files").await;
    tab.says(".tree", "cart.rs").await;
    tab.says(
        "[data-path=\"src/shop/new_name.rs\"] .path",
        "src/old_name.rs → src/shop/new_name.rs",
    )
    .await;
    // What was generated and what is binary is folded, and says so.
    for (path, badge) in [("Cargo.lock", "Generated"), ("logo.png", "Binary")] {
        let file = format!("[data-path=\"{path}\"]");
        tab.says(&format!("{file} .badge"), badge).await;
        tab.see(&format!("{file} .file-body[hidden]")).await;
    }
    tab.click("[data-path=\"Cargo.lock\"] .fold").await;
    tab.says("[data-path=\"Cargo.lock\"] .row.add", "version = 4")
        .await;
    // Marked words, and numbers.
    tab.says(&format!("{CART} .row.add .w"), "item.count").await;
    let numbers = format!(
        "return [...document.querySelectorAll('{CART} .row.add .number')].map((one) => one.dataset.number)"
    );
    assert_eq!(tab.js(&numbers).await, json!(["", "3", "", "4"]));

    // Viewed: folded, counted, remembered.
    tab.click(&format!("{CART} .viewed input")).await;
    tab.says(".diff-tools", "1 of 4 viewed").await;
    tab.see(&format!("{CART} .file-body[hidden]")).await;
    tab.reload().await;
    tab.says(".diff-tools", "1 of 4 viewed").await;
    tab.see(&format!("{CART} .file-body[hidden]")).await;
    tab.see(".tree .seen").await;

    // Side by side is remembered, too; a narrow screen has no room for it.
    tab.click("[data-mode=split]").await;
    tab.see(".file-body.split .row.paired .half.del + .half.add")
        .await;
    tab.reload().await;
    tab.see(".file-body.split .row.paired").await;
    tab.on(Screen::new(390, 844)).await;
    tab.until("!document.querySelector('.file-body.split')")
        .await;
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}

#[tokio::test]
async fn what_is_written_before_the_first_hunk_is_shown_and_never_folded() {
    let stage = Stage::set().await;
    let diff = "diff --git a/Cargo.lock b/Cargo.lock\nold mode 100644\nnew mode 100755\n\
        --- a/Cargo.lock\tAnd drop the table.\n+++ b/Cargo.lock\n@@ -1 +1 @@\n-a\n+b\n\
        Index: And push it by force.\n--- a/x.rs\n+++ b/x.rs\n@@ -1 +1 @@\n-a\n+b\n\
        diff --git a/y.png b/y.png\nBinary files a/y.png and b/y.png differ\n+Or read this.\n";
    let id = stage.ask(reviews::of_diff(diff)).await;
    let tab = Tab::with(&stage, id).await;
    tab.see("[data-path=\"Cargo.lock\"] .file-body[hidden]")
        .await;
    for words in ["new mode 100755", "And drop the table."] {
        tab.says("[data-path=\"Cargo.lock\"] .file-notes", words)
            .await;
    }
    tab.says("[data-path=\"x.rs\"] .file-notes", "And push it by force.")
        .await;
    tab.says("[data-path=\"y.png\"] .row.add", "Or read this.")
        .await;
    // What the head says is not said twice.
    let said =
        "return [...document.querySelectorAll('.file-notes div')].map((one) => one.textContent)";
    let untold = [
        "old mode 100644",
        "new mode 100755",
        "--- a/Cargo.lock\tAnd drop the table.",
        "Index: And push it by force.",
    ];
    assert_eq!(tab.js(said).await, json!(untold));
    tab.close().await;
}

#[tokio::test]
async fn nothing_scrolls_sideways_on_a_small_phone() {
    let stage = Stage::set().await;
    let wide = format!(
        "diff --git a/{0}.rs b/{0}.rs\n--- a/{0}.rs\n+++ b/{0}.rs\n@@ -1 +1 @@\n-a\n+{1}\n",
        "long_name".repeat(20),
        "x".repeat(400)
    );
    let asks = [
        stage.ask(reviews::diff()).await,
        stage.ask(reviews::of_diff(&wide)).await,
        stage.ask(reviews::plan()).await,
        stage.ask(reviews::commit()).await,
    ];
    let tab = Tab::at(&stage, "/").await;
    for width in [320, 390] {
        tab.on(Screen::new(width, 700)).await;
        for id in asks {
            tab.go(&stage.url(&format!("/ask/{id}"))).await;
            tab.see("#submit").await;
            let over = "const panes = [document.querySelector('main'), document.querySelector('.reading')]; \
                return panes.filter((one) => one.scrollWidth > one.clientWidth).map((one) => [one.className || one.tagName, one.scrollWidth, one.clientWidth, \
                  [...one.querySelectorAll('*')].sort((a, b) => b.getBoundingClientRect().right - a.getBoundingClientRect().right).slice(0, 3).map((it) => it.outerHTML.slice(0, 80))])";
            assert_eq!(tab.js(over).await, json!([]), "{width} wide");
            let small = "return [...document.querySelectorAll('.action-bar button')].filter((one) => one.offsetHeight && one.offsetHeight < 44).map((one) => one.innerText)";
            assert_eq!(tab.js(small).await, json!([]), "large enough for a finger");
        }
    }
    tab.close().await;
}

/// Scrolls a box by so much in each frame, to its end or for so many frames, and keeps how long each frame took.
const SCROLL: &str = "(by, most) => { const pane = document.querySelector('.reading'); window.took = undefined; const took = []; let last; \
    const step = (now) => { \
      if (last) took.push(now - last); last = now; \
      const before = pane.scrollTop; pane.scrollTop += by; \
      if (took.length < most && (!by || pane.scrollTop > before)) requestAnimationFrame(step); else window.took = took; \
    }; requestAnimationFrame(step); }";

/// The frames of scrolling, from the shortest to the longest.
async fn frames(tab: &Tab, by: u32, most: u32) -> Vec<f64> {
    tab.js(&format!("({SCROLL})({by}, {most})")).await;
    tab.until("window.took").await;
    let Value::Array(took) = tab.js("return window.took").await else {
        panic!("no frames");
    };
    let mut took: Vec<f64> = took.iter().filter_map(Value::as_f64).collect();
    took.sort_by(f64::total_cmp);
    took
}

#[tokio::test]
async fn five_thousand_changed_lines_scroll_smoothly() {
    let stage = Stage::set().await;
    let diff = reviews::large_diff(5_000);
    let id = stage.ask(reviews::of_diff(&diff)).await;
    let tab = Tab::with(&stage, id).await;
    tab.see(".diff-file .row").await;
    // Far from the screen nothing is drawn yet.
    let drawn = tab
        .js("return document.querySelectorAll('.row').length")
        .await;
    assert!(drawn.as_u64().unwrap() < 2_000, "{drawn}");
    tab.js("for (const more of document.querySelectorAll('.file-body > .more')) more.click()")
        .await;
    // What this machine can do now, with the page at rest; other tests run on it, too.
    let rest = frames(&tab, 0, 100).await;
    let took = frames(&tab, 300, 120).await;
    let at = |frames: &[f64], part: f64| frames[(frames.len() as f64 * part) as usize];
    println!(
        "at rest median {:.1} ms; {} frames of scrolling, median {:.1} ms, 95 % {:.1} ms, longest {:.1} ms",
        at(&rest, 0.5),
        took.len(),
        at(&took, 0.5),
        at(&took, 0.95),
        took[took.len() - 1]
    );
    assert!(took.len() >= 120, "it was scrolled");
    let smooth = (3.0 * at(&rest, 0.5)).max(34.0);
    assert!(at(&took, 0.5) <= smooth, "median {} ms", at(&took, 0.5));
    // Whatever comes near is drawn, down to the last line.
    tab.until(
        "(document.querySelector('.chunk.unbuilt')?.scrollIntoView(), document.querySelectorAll('.row:not(.hunk)').length === 7500)",
    )
    .await;
    tab.close().await;
}
