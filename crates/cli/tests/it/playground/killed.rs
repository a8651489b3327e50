//! A run whose process is killed goes on where it was.

use super::{
    stage::{Stage, accept, asked, result},
    tab::{Page, Tab, field},
};
use serde_json::json;

#[tokio::test]
async fn a_killed_run_is_gone_on_with_from_its_page() {
    let mut stage = Stage::set().await;
    let counts = "\
        export const permissions = { run: ['sh'] };\n\
        /** Counts. */\n\
        export function* count() {\n\
          yield { run: ['sh', '-c', 'echo once >> ran.txt'] };\n\
          const name = yield { ask: 'text', message: 'Your name?' };\n\
          return { name };\n\
        }\n";
    std::fs::write(stage.scripts().join("count.js"), counts).unwrap();
    let tab = Tab::at(&stage, "/scripts").await;
    tab.says("#scripts .group", "count").await;
    tab.click("a[href='/scripts/count/count']").await;
    tab.click("#run").await;
    accept(&tab, "Let the script count.js act in").await;
    asked(&tab, "Your name?").await;
    let address = tab.js("return location.pathname").await;
    stage.kill();
    stage.start().await;
    tab.go(&stage.url_with_key(address.as_str().unwrap())).await;
    tab.says(".named .badge", "Not ended").await;
    // It can be answered before it goes on, or after.
    tab.click("#resume").await;
    tab.says(".named .badge", "Running").await;
    asked(&tab, "Your name?").await;
    tab.enter(".asking [data-kind=text] input", "Ada").await;
    tab.click("#submit").await;
    assert_eq!(result(&tab).await, json!({ "name": "Ada" }));
    let ran = std::fs::read_to_string(stage.home.workspace().join("ran.txt"));
    assert_eq!(ran.unwrap(), "once\n", "no effect happened twice");
    tab.close().await;
}

#[tokio::test]
async fn a_file_that_has_changed_is_not_gone_on_with() {
    let mut stage = Stage::set().await;
    let tab = Tab::at(&stage, "/scripts/kitchen-sink/askUserName").await;
    tab.replace(&field("greeting", "input"), "Hi").await;
    tab.click("#run").await;
    asked(&tab, "What is your name?").await;
    let address = tab.js("return location.pathname").await;
    stage.kill();
    let file = stage.scripts().join("kitchen-sink.js");
    let changed = std::fs::read_to_string(&file).unwrap() + "\n// Another one.\n";
    std::fs::write(&file, changed).unwrap();
    stage.start().await;
    tab.go(&stage.url_with_key(address.as_str().unwrap())).await;
    tab.click("#resume").await;
    tab.says(".trouble", "It cannot continue here").await;
    tab.close().await;
}

#[tokio::test]
async fn what_is_taken_back_does_nothing_more() {
    let stage = Stage::set().await;
    let waits = "\
        export const permissions = { run: ['sh'], write: ['.'] };\n\
        export function* wait() {\n\
          yield { emit: 'status', message: 'Waiting' };\n\
          yield { run: ['sh', '-c', 'while [ ! -e go.txt ]; do sleep 0.05; done'] };\n\
          yield { write: 'done.txt', text: 'done' };\n\
        }\n";
    std::fs::write(stage.scripts().join("wait.js"), waits).unwrap();
    let tab = Tab::at(&stage, "/scripts").await;
    tab.says("#scripts .group", "wait").await;
    tab.click("a[href='/scripts/wait/wait']").await;
    tab.click("#run").await;
    accept(&tab, "Let the script wait.js act in").await;
    tab.until("!document.querySelector('.asking .ask')").await;
    tab.click("#withdraw").await;
    tab.says("#said", "Taken back").await;
    stage.home.work_file("go.txt", "");
    tab.says(".named .badge", "Withdrawn").await;
    tab.says(".result .told", "withdrawn: nothing more is done")
        .await;
    assert!(!stage.home.workspace().join("done.txt").exists());
    tab.close().await;
}
