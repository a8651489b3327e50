//! `claude -p --permission-prompt-tool mcp__holdpoint__permission`: the tool `permission`, without any hook.

use super::{catalog::CLAUDE, desk::Desk, every_client::DONE, support::eventually_blocking};
use serde_json::json;

const TOOL: [&str; 2] = ["--permission-prompt-tool", "mcp__holdpoint__permission"];

fn with_tool() -> Vec<&'static str> {
    [CLAUDE.task, &TOOL].concat()
}

#[test]
fn a_yes_lets_it_run() {
    let desk = Desk::without_hook(&CLAUDE, "");
    let run = desk.does(&with_tool(), "folder");
    desk.asked();
    assert!(!desk.is_made());
    desk.allow();
    let told = run.told(&desk);
    assert!(told.contains(DONE), "{told}");
    assert_eq!(desk.asks(), ["accepted"]);
    desk.verifies();
}

#[test]
fn a_no_stops_it_with_its_reason() {
    let desk = Desk::without_hook(&CLAUDE, "");
    let run = desk.does(&with_tool(), "folder");
    desk.deny("Not before the release");
    let told = run.told(&desk);
    assert!(told.contains("Not before the release"), "{told}");
    assert!(!desk.is_made());
}

#[test]
fn questions_are_answered_by_it() {
    let desk = Desk::without_hook(&CLAUDE, "");
    let run = desk.does(&with_tool(), "question");
    desk.answer(json!({ "answer_1": "SQLite" }));
    let told = run.told(&desk);
    assert!(told.contains("SQLite"), "{told}");
}

/// Claude Code asks both at once, and waits for the first answer.
#[test]
fn where_the_hook_is_registered_too_one_answer_is_enough() {
    let desk = Desk::new(&CLAUDE);
    let run = desk.does(&with_tool(), "folder");
    let asks = eventually_blocking("both asks", || {
        let listed = desk.page.get("/api/asks");
        let asks = listed["asks"].as_array()?.clone();
        (asks.len() == 2).then_some(asks)
    });
    let answered = desk.page.accept(&asks[0], json!({ "decision": "allow" }));
    assert_eq!(answered["result"], "settled", "{answered}");
    let told = run.told(&desk);
    assert!(told.contains(DONE), "{told}");
    desk.withdrawn();
    let mut ended = desk.asks();
    ended.sort();
    assert_eq!(ended, ["accepted", "withdrawn"]);
    desk.verifies();
}

#[test]
fn an_agent_that_calls_it_is_refused() {
    let desk = Desk::without_hook(&CLAUDE, "");
    let own = [CLAUDE.task, &["--allowedTools", "mcp__holdpoint"]].concat();
    let told = desk.does(&own, "own_permission").told(&desk);
    assert!(told.contains("deny"), "{told}");
    assert!(!told.contains("allow"), "{told}");
    assert!(desk.asks().is_empty(), "{:?}", desk.asks());
}
