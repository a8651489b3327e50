//! `kitchen-sink.js`: every ask, every emit, every effect.

use super::{
    stage::{Stage, accept, asked, result},
    tab::{Tab, field},
};
use serde_json::json;
use std::fs;

/// A browser that has begun a method of the kitchen sink that is given nothing.
async fn begun(stage: &Stage, method: &str) -> Tab {
    let tab = Tab::at(stage, &format!("/scripts/kitchen-sink/{method}")).await;
    tab.click("#run").await;
    tab
}

#[tokio::test]
async fn a_name_is_asked_for_and_greeted() {
    let stage = Stage::set().await;
    let tab = Tab::at(&stage, "/scripts").await;
    tab.says("#scripts .group", "kitchen-sink").await;
    tab.says("#scripts .about", "Asks for a name, and greets.")
        .await;
    tab.click("a[href='/scripts/kitchen-sink/askUserName']")
        .await;
    tab.says(".help", "the word before the name").await;
    tab.replace(&field("greeting", "input"), "Good day").await;
    tab.click("#run").await;
    asked(&tab, "What is your name?").await;
    tab.enter(".asking [data-kind=text] input", "Ada").await;
    tab.click("#submit").await;
    assert_eq!(result(&tab).await, "Good day, Ada!");
    assert_eq!(tab.complaints().await, [""; 0]);

    // A file that comes, and one that breaks, are seen at once.
    let hello = "/** Says hello. */\nexport function* hello() { return 'hello'; }\n";
    fs::write(stage.scripts().join("added.js"), hello).unwrap();
    tab.says("#scripts .group", "added").await;
    fs::write(
        stage.scripts().join("added.js"),
        "export function* hello() {\n  yield { ask: ;\n",
    )
    .unwrap();
    tab.says(".fault", "added.js:2:").await;
    tab.close().await;
}

#[tokio::test]
async fn everything_that_can_be_asked_for() {
    let stage = Stage::set().await;
    let note = stage.home.root().join("note.txt");
    fs::write(&note, "hello").unwrap();
    let tab = begun(&stage, "everyAsk").await;
    accept(&tab, "A nickname, please").await;
    asked(&tab, "A password").await;
    tab.enter(".asking input[type=password]", "hunter2").await;
    tab.click("#submit").await;
    accept(&tab, "Are you sure?").await;
    asked(&tab, "Which colour?").await;
    tab.click(".asking input[value=green]").await;
    tab.click("#submit").await;
    asked(&tab, "Which toppings?").await;
    tab.click(".asking input[value=cheese]").await;
    tab.click(".asking input[value=basil]").await;
    tab.click("#submit").await;
    accept(&tab, "How many guests?").await;
    asked(&tab, "How was it?").await;
    tab.click(".asking .star:nth-child(4)").await;
    tab.click("#submit").await;
    asked(&tab, "A text file").await;
    tab.enter(".asking input[type=file]", note.to_str().unwrap())
        .await;
    tab.says(".asking .hint", "note.txt, 5 bytes").await;
    tab.click("#submit").await;
    asked(&tab, "Which day?").await;
    tab.pick(".asking input[type=date]", "2026-07-28").await;
    tab.click("#submit").await;
    asked(&tab, "And when exactly?").await;
    tab.pick(".asking input[type=datetime-local]", "2026-07-28T09:30")
        .await;
    tab.click("#submit").await;
    asked(&tab, "Where to?").await;
    tab.enter(&field("street", "input"), "Hill Road 3").await;
    tab.enter(&field("floor", "input"), "2").await;
    tab.click(&field("kind", "input[value=home]")).await;
    tab.click("#submit").await;
    asked(&tab, "Read the terms").await;
    tab.says(".asking .visit", "https://example.org/terms")
        .await;
    tab.click(".asking [data-kind=link] input").await;
    tab.click("#submit").await;
    accept(&tab, "Anything else?").await;
    assert_eq!(
        result(&tab).await,
        json!({
            "name": "ada", "passwordLength": 7, "sure": true, "colour": "green",
            "toppings": ["cheese", "basil"], "guests": 4, "stars": 4, "file": "note.txt",
            "day": "2026-07-28", "moment": "2026-07-28T09:30:00+02:00",
            "address": { "street": "Hill Road 3", "floor": 2, "kind": "home" },
            "visited": true, "remark": null,
        })
    );
    tab.until("document.querySelectorAll('.past li .badge.go').length === 13")
        .await;
    let all = tab.js("return document.documentElement.outerHTML").await;
    assert!(!all.as_str().unwrap().contains("hunter2"));
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}

#[tokio::test]
async fn everything_that_can_be_told() {
    let stage = Stage::set().await;
    let tab = begun(&stage, "everyEmit").await;
    assert_eq!(result(&tab).await, "4 steps");
    tab.says(".far", "100 % · step 4 of 4").await;
    tab.says(".lines", "The oven is hot").await;
    tab.says(".lines pre", "\"degrees\": 220").await;
    tab.says(".line.toast", "Done").await;
    tab.says(".artifact[data-type=markdown] li", "basil").await;
    tab.says(".artifact[data-type=code] pre", "oven.heat(220);")
        .await;
    tab.says(".artifact[data-type=json] pre", "\"steps\": 4")
        .await;
    tab.until("document.querySelector('.artifact img')?.naturalWidth === 1")
        .await;
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}

#[tokio::test]
async fn asked_together_caught_and_counted() {
    let stage = Stage::set().await;
    let tab = begun(&stage, "together").await;
    asked(&tab, "Your first name?").await;
    tab.says(".others", "Your second name?").await;
    tab.enter(".asking [data-kind=text] input", "Ada").await;
    tab.click("#submit").await;
    asked(&tab, "Your second name?").await;
    tab.enter(".asking [data-kind=text] input", "Lovelace")
        .await;
    tab.click("#submit").await;
    assert_eq!(result(&tab).await, "Ada Lovelace");

    tab.click("a[href='/scripts/kitchen-sink/outcomes']").await;
    tab.click("#run").await;
    asked(&tab, "Your favourite colour?").await;
    tab.click("#decline").await;
    tab.enter("#reason", "none").await;
    tab.click("#decline-send").await;
    assert_eq!(result(&tab).await, "declined: none");

    tab.click("a[href='/scripts/kitchen-sink/checkpoints']")
        .await;
    tab.enter(&field("numbers", "textarea"), "40\n2").await;
    tab.click("#run").await;
    assert_eq!(result(&tab).await, 42);
    tab.close().await;
}

#[tokio::test]
async fn nothing_is_done_before_a_person_permits_it() {
    let stage = Stage::set().await;
    let out = stage.home.workspace().join("out/kitchen-sink.txt");
    let tab = begun(&stage, "effects").await;
    asked(&tab, "Let the script kitchen-sink.js act in").await;
    tab.says(".asking .warning", "Dangerous.").await;
    tab.click("#decline").await;
    tab.click("#decline-send").await;
    tab.says(".named .badge", "Declined").await;
    assert!(!out.exists());
    tab.click("#again").await;
    tab.click("#run").await;
    accept(&tab, "Let the script kitchen-sink.js act in").await;
    let done = result(&tab).await;
    assert!(
        done["git"].as_str().unwrap().starts_with("git version"),
        "{done}"
    );
    let written = fs::read_to_string(out).unwrap();
    assert_eq!(written.trim(), done["git"].as_str().unwrap());
    tab.close().await;
}
