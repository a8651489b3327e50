//! Every view can be used by everybody: axe finds nothing to complain of, on screens of four widths, light and dark, and
//! no view scrolls sideways.

use super::{stage::Stage, tab::Tab};
use crate::{
    permission::{harness, permission, yes},
    workshop::Workshop,
};
use holdpoint::{
    Ask, AskId, Field, Form, Kind, Reply,
    field::{Ending, Pick, Text},
    review::{EditableText, Round},
    testing::accept,
};
use holdpoint_testkit::browser::Screen;
use serde_json::{Value, json};
use std::{fs, path::PathBuf};

/// What axe found: the rule, and where.
const RUN: &str = "const done = arguments[0]; \
    axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => done(violations.flatMap(({ id, nodes }) => \
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`))), (error) => done([String(error)]));";
/// By how much a view is wider than the screen, and what makes it so.
const SIDEWAYS: &str = "const main = document.querySelector('main:not([hidden])'); \
    const over = Math.max(document.documentElement.scrollWidth - innerWidth, main.scrollWidth - main.clientWidth); \
    const edge = main.getBoundingClientRect().left + main.clientWidth; \
    const wide = [...main.querySelectorAll('*')].filter((one) => one.getBoundingClientRect().right > edge); \
    return over > 0 ? [`${over} px`, ...wide.map((one) => `${one.tagName}.${one.className}#${one.id}`)].join(' ') : null";

fn axe() -> String {
    let default = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../.tools"));
    let tools = std::env::var_os("TEST_TOOLS").map_or_else(default, PathBuf::from);
    let file = tools.join("node_modules/axe-core/axe.min.js");
    fs::read_to_string(&file)
        .unwrap_or_else(|error| panic!("{}: {error}: `dev/setup` installs it", file.display()))
}

fn screens() -> Vec<Screen> {
    let sizes = [(320, 640), (390, 844), (1280, 800), (1440, 900)];
    let screens = sizes.map(|(width, height)| Screen::new(width, height));
    screens
        .into_iter()
        .flat_map(|screen| [screen, screen.dark()])
        .collect()
}

/// Looks at these addresses on every screen.
async fn look(tab: &Tab, stage: &Stage, paths: &[(String, &str)]) {
    let axe = axe();
    let mut found = Vec::new();
    for (path, there) in paths {
        tab.go(&stage.url(path)).await;
        tab.see(there).await;
        tab.client.execute(&axe, vec![]).await.unwrap();
        for screen in screens() {
            tab.on(screen).await;
            // A colour on its way to another is neither.
            tab.until("document.getAnimations().every((one) => one.playState !== 'running')")
                .await;
            let at = format!("{path} at {} px, dark: {}", screen.width, screen.dark);
            let sideways = tab.js(SIDEWAYS).await;
            if !sideways.is_null() {
                found.push(format!("{at}: it scrolls sideways: {sideways}"));
            }
            let told = tab.client.execute_async(RUN, vec![]).await.unwrap();
            let told: Vec<Value> = told.as_array().unwrap().clone();
            found.extend(told.iter().map(|one| format!("{at}: {one}")));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n\n"));
}

async fn asks(stage: &Stage) -> Vec<AskId> {
    let diff = "```diff\n--- a/src/shop.rs\n+++ b/src/shop.rs\n@@ -1,2 +1,2 @@\n-let price = 1;\n+let price = 2;\n fn main() {}\n```";
    let plan = "# Goal\n\nA shop.\n\n## Steps\n\n- [x] First\n- [ ] Second ~~old~~\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
    let endings = [
        Pick::new("approve").label("Approve"),
        Pick::new("change").label("Request changes"),
    ];
    let [mut yes, mut no] = endings;
    yes.ending = Some(Box::new(Ending::go("Approve", "Approved")));
    no.ending = Some(Box::new(Ending::hold(
        "Request changes",
        "Changes requested",
    )));
    let choice = || Form::choice([yes.clone(), no.clone()]);
    let form = Form::string_input("name")
        .field(Field::new("note", Kind::Text(Text::default())).optional())
        .field(Field::new("sure", Kind::Confirm));
    let mut asks = Vec::new();
    for ask in [
        Ask::confirm("Deploy the blue build?").dangerous(),
        Ask::confirm("Go on?"),
        Ask::choose("Which one?", ["a", "b"]),
        Ask::new("Who are you?", Form::string_input("name")),
        Ask::new("All of it", form),
        Ask::new("The plan", choice())
            .titled("Plan of the shop")
            .details(plan)
            .in_round(Round::first("The plan"))
            .editable(EditableText::field("plan", "The plan", "A shop.")),
        Ask::new("The diff", choice()).details(diff),
        permission("cargo test --workspace --all-features && git push origin main --tags"),
    ] {
        asks.push(stage.ask(ask).await);
    }
    asks
}

#[tokio::test]
async fn every_ask_open_and_ended() {
    let stage = Stage::set().await;
    let asks = asks(&stage).await;
    let ended = stage.ask(Ask::confirm("Go on then?")).await;
    stage
        .reply_elsewhere(ended, accept(json!({ "confirmed": true })))
        .await;
    let tab = Tab::at(&stage, "/").await;
    let paths = asks.iter().chain([&ended]);
    let paths: Vec<_> = paths.map(|id| (format!("/ask/{id}"), ".ask h2")).collect();
    look(&tab, &stage, &paths).await;
    tab.close().await;
}

#[tokio::test]
async fn the_inbox_the_history_and_the_statistics() {
    let stage = Stage::set().await;
    asks(&stage).await;
    for number in 0..3 {
        stage
            .ask(Ask::confirm(format!("Delete file {number}?")))
            .await;
    }
    let soon = stage.ask(Ask::confirm("Soon?")).await;
    stage.due_in(soon, 4).await;
    for reply in [
        accept(json!({ "confirmed": true })),
        Reply::Decline { reason: None },
        Reply::Cancel,
    ] {
        let id = stage.ask(Ask::confirm("Ended?")).await;
        stage.reply_elsewhere(id, reply).await;
    }
    for remember in ["session exactly", "always pattern"] {
        let id = stage.ask_from(harness(), permission("git push")).await;
        stage.reply_elsewhere(id, accept(yes(remember))).await;
    }
    let tab = Tab::at(&stage, "/").await;
    let paths = [
        ("/", "#asks li"),
        ("/?kind=choice", "#asks li"),
        ("/?q=nothing-of-this", "#clear-filters"),
        ("/history", "#asks li"),
        ("/history?odd=", "#odd[aria-pressed=true]"),
        ("/remembered", "#permissions > li"),
        ("/remembered?q=nothing-of-this", "#nothing:not([hidden])"),
        ("/stats", ".chart svg"),
        ("/stats?words=nothing-of-this", ".nothing"),
        ("/no/such/page", ".nowhere"),
    ];
    let paths = paths.map(|(path, there)| (path.to_owned(), there));
    look(&tab, &stage, &paths).await;
    tab.close().await;
}

#[tokio::test]
async fn the_first_run_the_scripts_and_the_gate() {
    let stage = Stage::with_scripts(Workshop::new()).await;
    let tab = Tab::blank().await;
    let gate = [("/".to_owned(), "#gate:not([hidden])")];
    look(&tab, &stage, &gate).await;
    tab.close().await;
    let tab = Tab::at(&stage, "/").await;
    let paths = [
        ("/", ".reading, .first-steps"),
        ("/remembered", "#nothing:not([hidden])"),
        ("/scripts", ".listing .entry"),
        ("/scripts/tools/echo", ".reading form"),
    ];
    let paths = paths.map(|(path, there)| (path.to_owned(), there));
    look(&tab, &stage, &paths).await;
    // In forced colours everything is still there.
    tab.with_forced_colours().await;
    tab.go(&stage.url("/")).await;
    tab.says("nav", "History").await;
    tab.close().await;
}
