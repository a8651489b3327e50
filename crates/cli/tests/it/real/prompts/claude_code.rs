//! What only Claude Code has: a dialog beside the hook, questions and plans as tools, forms of other servers, and
//! runs that end at a question.

use super::{
    catalog::CLAUDE, desk::Desk, every_client::DONE, fake_model::script, terminal::Terminal,
};
use serde_json::{Value, json};
use std::fs;

/// What its dialog says.
const DIALOG: &str = "Do you want to proceed?";
/// How often a key is pressed there.
const MOST_KEYS: usize = 10;

/// A key in its dialog. It takes none that comes at once after it has opened.
fn answers_dialog(terminal: &Terminal, key: &str) {
    terminal.sees(DIALOG);
    for _ in 0..MOST_KEYS {
        terminal.press(key);
        if !terminal.screen().contains(DIALOG) {
            return;
        }
    }
    panic!("the dialog stays:\n{}", terminal.screen());
}

#[test]
fn a_yes_in_its_dialog_takes_our_ask_back() {
    let desk = Desk::new(&CLAUDE);
    let terminal = desk.at_terminal("folder");
    desk.asked();
    answers_dialog(&terminal, "Enter");
    let got = desk.station.model.got();
    assert!(got[0].contains(DONE), "{got:?}");
    let ended = desk.withdrawn();
    assert!(ended.to_string().contains("answered_in_harness"), "{ended}");
    desk.verifies();
}

#[test]
fn a_no_in_its_dialog_takes_our_ask_back() {
    let desk = Desk::new(&CLAUDE);
    let terminal = desk.at_terminal("folder");
    desk.asked();
    answers_dialog(&terminal, "Escape");
    let ended = desk.withdrawn();
    assert!(ended.to_string().contains("answered_in_harness"), "{ended}");
    assert!(!desk.is_made());
    desk.verifies();
}

#[test]
fn an_answer_on_the_page_closes_its_dialog() {
    let desk = Desk::new(&CLAUDE);
    let terminal = desk.at_terminal("folder");
    desk.asked();
    terminal.sees(DIALOG);
    desk.allow();
    let got = desk.station.model.got();
    assert!(got[0].contains(DONE), "{got:?}");
    terminal.sees("The scenario has ended.");
    assert!(!terminal.screen().contains(DIALOG), "{}", terminal.screen());
    assert_eq!(desk.asks(), ["accepted"]);
    desk.verifies();
}

#[test]
fn its_questions_are_answered_on_the_page() {
    let desk = Desk::new(&CLAUDE);
    let _terminal = desk.at_terminal("question");
    let asked = desk.answer(json!({ "answer_1": "SQLite" }));
    assert!(asked.to_string().contains("Which database?"), "{asked}");
    let got = desk.station.model.got();
    assert!(got[0].contains("SQLite"), "{got:?}");
    assert!(got[0].contains("Which database?"), "{got:?}");
    assert_eq!(desk.asks(), ["accepted"]);
}

/// The plan on the page, answered so; what the model was told.
fn plan(content: Value) -> String {
    let desk = Desk::new(&CLAUDE);
    let planning = [CLAUDE.client.interactive, &["--permission-mode", "plan"]].concat();
    let _terminal = desk.typed_at(&planning, "plan mode on", "written_plan");
    let asked = desk.answer(content).to_string();
    assert!(
        asked.contains("First the folder, then its users."),
        "{asked}"
    );
    let got = desk.station.model.got();
    assert_eq!(desk.asks(), ["accepted"]);
    got.last().unwrap().clone()
}

#[test]
fn its_plan_is_approved_on_the_page() {
    let told = plan(json!({ "decision": "approve", "feedback": "Mind the gap" }));
    assert!(told.contains("Approved Plan"), "{told}");
    assert!(told.contains("Mind the gap"), "{told}");
}

#[test]
fn changes_of_its_plan_are_requested_on_the_page() {
    let told = plan(json!({ "decision": "request_changes", "feedback": "The users first" }));
    assert!(told.contains("do not start"), "{told}");
    assert!(told.contains("The users first"), "{told}");
}

#[test]
fn the_form_of_another_server_is_answered_on_the_page() {
    let desk = Desk::new(&CLAUDE);
    let server = json!({ "command": "python3", "args": [script("other_server.py")] });
    let servers = json!({ "mcpServers": { "other": server } });
    let file = desk.station.home.root().join("other.json");
    fs::write(&file, servers.to_string()).unwrap();
    let more = [
        "--mcp-config",
        file.to_str().unwrap(),
        "--allowedTools",
        "mcp__other",
    ];
    let run = desk.does(&[CLAUDE.task, &more].concat(), "other_servers_form");
    let asked = desk.answer(json!({ "stage": "staging" })).to_string();
    assert!(asked.contains("Deploy to which stage?"), "{asked}");
    let told = run.told(&desk);
    assert!(
        told.contains("accept") && told.contains("staging"),
        "{told}"
    );
    assert_eq!(desk.asks(), ["accepted"]);
}

#[test]
fn a_headless_run_ends_at_a_rule_that_asks_and_is_resumed() {
    let desk = Desk::with_config(&CLAUDE, "hold_seconds = 2\n");
    desk.rules("ask = [\"Bash(mkdir *)\"]\n");
    let json = ["--output-format", "json"];
    let mut run = desk.does(&[CLAUDE.task, &json].concat(), "folder");
    let said: Value = serde_json::from_str(&run.said()).unwrap();
    assert_eq!(said["stop_reason"], "tool_deferred", "{said}");
    assert!(!desk.is_made());
    assert_eq!(desk.asks(), ["pending"]);
    desk.allow();
    assert!(!desk.is_made(), "nobody has resumed it");
    let resumed: Vec<_> = CLAUDE
        .again
        .iter()
        .copied()
        .filter(|arg| *arg != "TASK")
        .collect();
    let told = desk.does(&resumed, "").told(&desk);
    assert!(told.contains(DONE), "{told}");
    assert_eq!(desk.asks(), ["accepted"], "nobody is asked twice");
    desk.verifies();
}
