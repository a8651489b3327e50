//! The list: its groups and rows, what it can be narrowed to, and that nobody loses their place in it.

use super::{
    stage::{Stage, origin},
    tab::Tab,
};
use holdpoint::{Ask, AskId, Origin, Reply, testing::accept};
use holdpoint_testkit::browser::Screen;
use serde_json::json;

const GROUPS: &str = "return [...document.querySelectorAll('#asks section')].map((one) => \
    [one.querySelector('h2').innerText.replace(/\\s+/g, ' '), ...[...one.querySelectorAll('.gist')].map((row) => row.innerText)])";

fn row(id: AskId) -> String {
    format!("#asks li[data-id=\"{id}\"]")
}

/// Rows whose whole height is on the screen.
const ROWS_IN_VIEW: &str = "[...document.querySelectorAll('#asks li')].filter((row) => { \
    const { top, bottom, height } = row.getBoundingClientRect(); return height > 0 && top >= 0 && bottom <= innerHeight; }).length";

#[tokio::test]
async fn asks_are_grouped_and_a_row_says_who_asks_for_what() {
    let stage = Stage::set().await;
    let soon = stage.ask(Ask::confirm("Due?")).await;
    stage.due_in(soon, 5).await;
    stage.ask(Ask::confirm("Drop it?").dangerous()).await;
    let long = "A long text. ".repeat(200);
    stage
        .ask(
            Ask::confirm("The whole plan\n\nin words")
                .titled("Plan of the shop")
                .details(long),
        )
        .await;
    let choice = stage.ask(Ask::choose("Which?", ["a", "b"])).await;
    let later = stage.ask(Ask::confirm("Later?")).await;
    let tab = Tab::at(&stage, "/").await;
    let groups = json!([
        ["Due soon 1", "Due?"],
        ["Dangerous 1", "Drop it?"],
        ["Reviews 1", "Plan of the shop"],
        ["Questions 2", "Which?", "Later?"],
    ]);
    assert_eq!(tab.js(GROUPS).await, groups);
    tab.says(&row(choice), "studio").await;
    tab.says(&row(choice), "shop").await;
    tab.says(&row(choice), "Choice").await;
    tab.says(&row(soon), "left").await;
    // Half an hour is not near.
    let far = format!(
        "return document.querySelector('{} time[data-left]')",
        row(later)
    );
    assert!(tab.js(&far).await.is_null());
    // One that is given more time is no longer due.
    stage.due_in(soon, 60).await;
    tab.until("!document.querySelector('#asks [data-group=soon]')")
        .await;
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}

#[tokio::test]
async fn eighteen_rows_are_on_a_laptops_screen() {
    let stage = Stage::set().await;
    for number in 0..12 {
        let ask = Ask::confirm(format!("Deploy the build {number} to production?"));
        let ask = match number % 3 {
            0 => ask.dangerous(),
            1 => ask.details("A long text. ".repeat(200)),
            _ => ask,
        };
        stage.ask(ask.clone()).await;
        let id = stage.ask(ask).await;
        if number % 4 == 0 {
            stage.due_in(id, 5).await;
        }
    }
    let tab = Tab::at(&stage, "/").await;
    tab.on(Screen::new(1280, 800)).await;
    tab.until(&format!("{ROWS_IN_VIEW} >= 18")).await;
    // On a phone there are fewer, for fingers.
    tab.on(Screen::new(390, 844)).await;
    tab.until(
        "[...document.querySelectorAll('#asks a.entry, .bar nav a, .filters select')].every((one) => one.getBoundingClientRect().height >= 44)",
    )
    .await;
    tab.until("Math.abs(document.querySelector('.bar nav').getBoundingClientRect().bottom - innerHeight) < 1")
        .await;
    tab.close().await;
}

#[tokio::test]
async fn filters_and_search_are_in_the_address_and_back_undoes_them() {
    let stage = Stage::set().await;
    for (client, workspace, text) in [
        ("Claude Code 2.1", "/home/ann/shop", "Alpha?"),
        ("codex 1.0", "/home/ann/shop", "Beta?"),
        ("codex 1.0", "/home/ann/bank", "Gamma?"),
    ] {
        let origin = Origin {
            client: Some(client.into()),
            workspace: Some(workspace.into()),
            ..origin()
        };
        stage.ask_from(origin, Ask::confirm(text)).await;
    }
    let tab = Tab::at(&stage, "/").await;
    let rows = async |count: usize| {
        tab.until(&format!(
            "document.querySelectorAll('#asks li').length === {count}"
        ))
        .await;
    };
    let choose = async |name: &str, value: &str| {
        tab.js(&format!(
            "const one = document.querySelector('#filter-{name}'); one.value = '{value}'; \
             one.dispatchEvent(new Event('change', {{ bubbles: true }}))"
        ))
        .await;
    };
    rows(3).await;
    choose("agent", "codex").await;
    rows(2).await;
    choose("workspace", "bank").await;
    rows(1).await;
    tab.until("location.search === '?agent=codex&workspace=bank'")
        .await;
    // What does not fit stays out, and is counted.
    stage.ask(Ask::confirm("Delta?")).await;
    tab.until("document.querySelector('#count').innerText === '4'")
        .await;
    rows(1).await;
    tab.js("history.back()").await;
    rows(2).await;
    tab.until("document.querySelector('#filter-workspace').value === ''")
        .await;
    tab.js("history.forward()").await;
    rows(1).await;
    // The address is all that somebody else needs.
    tab.go(&stage.url("/?agent=codex&q=gamma")).await;
    rows(1).await;
    tab.until("document.querySelector('#search').value === 'gamma'")
        .await;
    tab.replace("#search", "nowhere").await;
    tab.says("#nothing", "Nothing found.").await;
    tab.click("#clear-filters").await;
    rows(4).await;
    tab.until("location.search === ''").await;
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}

#[tokio::test]
async fn an_ask_that_is_not_loaded_has_its_address_and_the_place_in_the_list_is_kept() {
    let stage = Stage::set().await;
    let mut asks = Vec::new();
    for number in 0..120 {
        asks.push(stage.ask(Ask::confirm(format!("Number {number}?"))).await);
    }
    let tab = Tab::with(&stage, asks[119]).await;
    tab.says(".ask .message", "Number 119?").await;
    tab.until("document.querySelectorAll('#asks li').length === 50")
        .await;
    tab.close().await;

    let tab = Tab::blank().await;
    tab.on(Screen::new(390, 844)).await;
    tab.go(&browser_url(&stage)).await;
    tab.until("document.querySelectorAll('#asks li').length >= 50")
        .await;
    // Further down there is more.
    tab.js("document.querySelector('#more').scrollIntoView()")
        .await;
    tab.until("document.querySelectorAll('#asks li').length === 100")
        .await;
    tab.js(&format!(
        "document.querySelector('{}').scrollIntoView({{ block: 'center' }})",
        row(asks[70])
    ))
    .await;
    let top = tab
        .js("return document.querySelector('main').scrollTop")
        .await;
    tab.click(&format!("{} a", row(asks[70]))).await;
    tab.says(".ask .message", "Number 70?").await;
    let back = format!("Math.abs(document.querySelector('main').scrollTop - {top}) < 60");
    tab.js("history.back()").await;
    tab.until("document.body.dataset.reading === 'false'").await;
    tab.until(&back).await;
    // Also after the page was loaded again.
    tab.reload().await;
    tab.until("document.querySelectorAll('#asks li').length >= 100")
        .await;
    tab.until(&back).await;
    tab.close().await;
}

fn browser_url(stage: &Stage) -> String {
    holdpoint_testkit::browser::Page::url_with_key(stage, "/")
}

#[tokio::test]
async fn what_was_decided_is_told_in_words_and_a_no_is_not_red() {
    let stage = Stage::set().await;
    let yes = stage.ask(Ask::confirm("Yes?")).await;
    let no = stage.ask(Ask::confirm("No?")).await;
    stage
        .reply_elsewhere(yes, accept(json!({ "confirmed": true })))
        .await;
    stage
        .reply_elsewhere(no, Reply::Decline { reason: None })
        .await;
    let tab = Tab::at(&stage, "/history").await;
    tab.says(&format!("{} .badge.go", row(yes)), "Approved")
        .await;
    tab.says(&format!("{} .badge.hold", row(no)), "Declined")
        .await;
    tab.says("#asks h2", "Today").await;
    let red = "return [...document.querySelectorAll('#asks .badge')].some((one) => one.matches('.bad, .stop'))";
    assert_eq!(tab.js(red).await, json!(false));
    // What is announced is seen, too.
    tab.js("window.name = ''").await;
    stage.ask(Ask::confirm("New?")).await;
    tab.says("#said", "New ask: New?").await;
    tab.until("document.querySelector('#said').getBoundingClientRect().height > 20")
        .await;
    tab.close().await;
}

#[tokio::test]
async fn an_address_that_does_not_exist_has_a_page_with_the_same_header() {
    let stage = Stage::set().await;
    stage.ask(Ask::confirm("Open?")).await;
    let tab = Tab::at(&stage, "/").await;
    tab.go(&stage.url("/no/such/page")).await;
    tab.says("h1", "There is nothing at this address").await;
    tab.says("nav", "History").await;
    tab.until("document.querySelector('#count').innerText === '1'")
        .await;
    tab.click("main a").await;
    tab.says(".ask .message", "Open?").await;
    tab.close().await;
}
