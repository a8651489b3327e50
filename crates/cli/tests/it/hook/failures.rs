//! Whatever goes wrong is a no, in the words of each harness.

use super::station::{Hook, Said, Station};
use serde_json::{Value, json};
use std::{
    fs,
    process::Stdio,
    time::{Duration, Instant},
};

/// A prompt of every harness for the same command.
fn prompts(station: &Station) -> Vec<(&'static str, Value)> {
    let folder = station.folder();
    let bash = json!({ "command": "touch here" });
    vec![
        ("claude", station.bash("touch here")),
        ("claude", station.claude("PreToolUse", "Bash", bash.clone())),
        (
            "codex",
            json!({
                "session_id": "s", "turn_id": "t", "transcript_path": null, "cwd": folder,
                "hook_event_name": "PermissionRequest", "model": "m", "permission_mode": "default",
                "tool_name": "Bash", "tool_input": bash,
            }),
        ),
        (
            "gemini",
            json!({
                "session_id": "s", "transcript_path": "/t", "cwd": folder, "timestamp": "2026-11-01T00:00:00Z",
                "hook_event_name": "BeforeTool", "tool_name": "run_shell_command", "tool_input": bash,
            }),
        ),
        (
            "copilot",
            json!({
                "sessionId": "s", "timestamp": 1, "cwd": folder, "toolName": "bash",
                "toolArgs": bash,
            }),
        ),
        (
            "vscode",
            json!({
                "session_id": "s", "timestamp": "2026-11-01T00:00:00Z", "cwd": folder,
                "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": bash,
                "tool_use_id": "u",
            }),
        ),
        (
            "cursor",
            json!({
                "conversation_id": "c", "generation_id": "g", "model": "m", "cursor_version": "2",
                "hook_event_name": "beforeShellExecution", "workspace_roots": [folder],
                "command": "touch here", "cwd": folder,
            }),
        ),
    ]
}

/// Whether the harness goes on with the tool after this.
fn goes_on(harness: &str, said: &Said) -> bool {
    let output = &said.reply["hookSpecificOutput"];
    let allows = [
        &output["decision"]["behavior"],
        &output["permissionDecision"],
        &said.reply["permissionDecision"],
        &said.reply["behavior"],
        &said.reply["decision"],
        &said.reply["permission"],
    ];
    let allowed = allows.iter().any(|said| **said == "allow");
    let denied = allows
        .iter()
        .any(|said| **said == "deny" || **said == "block");
    // Copilot takes every failure for a no, the others exit code 2.
    let refused = said.code == 2 || harness == "copilot" && said.code != 0;
    allowed || !denied && !refused
}

fn check(what: &str, prepare: impl Fn(&Station)) {
    for (harness, prompt) in prompts(&Station::new()) {
        let station = Station::new();
        let mut prompt = prompt;
        for place in ["cwd"] {
            if prompt[place].is_string() {
                prompt[place] = station.folder().into();
            }
        }
        // Announced calls of a harness that prompts by itself need a rule to be asked about.
        station.rules(r#"ask = ["Bash"]"#);
        prepare(&station);
        let said = station.say(harness, 1, &prompt);
        assert!(!goes_on(harness, &said), "{what}, {harness}: {said:?}");
    }
}

#[test]
fn nobody_answers() {
    check("nobody answers", |_| ());
}

#[test]
fn the_rules_cannot_be_read() {
    check("broken rules", |station| station.rules("allow = [\"Bash"));
    check("unknown key", |station| station.rules("alow = []"));
    check("a folder in its place", |station| {
        let rules = station.home.root().join(".config/holdpoint/rules.toml");
        fs::remove_file(&rules).unwrap();
        fs::create_dir(&rules).unwrap();
    });
}

#[test]
fn the_record_cannot_be_kept() {
    check("a file where its folder should be", |station| {
        let place = station.home.root().join(".local/state");
        fs::create_dir_all(&place).unwrap();
        fs::write(place.join("holdpoint"), "").unwrap();
    });
    check("no journal", |station| {
        let journal = station.home.journal();
        fs::create_dir_all(journal.parent().unwrap()).unwrap();
        fs::write(journal, "this is not a journal").unwrap();
    });
    check("the inbox is off", |station| {
        station.home.config("inbox = \"off\"")
    });
    check("broken configuration", |station| {
        station.home.config("inbox = ")
    });
}

/// Codex and Gemini CLI go on when they have waited long enough: no lock may take longer than that.
#[test]
fn the_record_is_locked() {
    let station = Station::with_rules(r#"ask = ["Bash"]"#);
    station.say("claude", 1, &station.bash("touch there"));
    let lock = rusqlite::Connection::open(station.home.journal()).unwrap();
    lock.execute_batch("BEGIN IMMEDIATE").unwrap();
    let began = Instant::now();
    let prompts = prompts(&station).into_iter();
    let hooks: Vec<_> = prompts
        .map(|(harness, prompt)| (harness, station.start(harness, 1, &prompt)))
        .collect();
    let turn = station.claude("Stop", "", json!({}));
    let stop = station.start("claude", 1, &turn);
    for (harness, hook) in hooks {
        let said = hook.said();
        assert!(!goes_on(harness, &said), "{harness}: {said:?}");
    }
    let said = stop.said();
    assert_eq!((said.text.trim(), said.code), ("", 0), "{said:?}");
    assert!(
        began.elapsed() < Duration::from_secs(15),
        "{:?}",
        began.elapsed()
    );
}

#[test]
fn the_harness_does_not_end_its_payload() {
    let station = Station::new();
    let mut hooks = Vec::new();
    for harness in [
        "claude", "codex", "gemini", "copilot", "vscode", "cursor", "opencode",
    ] {
        let mut hook = station.home.command(&["hook", harness, "--within", "1"]);
        hook.stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut hook = hook.spawn().unwrap();
        // Held open until the hook has ended.
        let input = hook.stdin.take().unwrap();
        hooks.push((harness, Hook(hook), input));
    }
    for (harness, hook, input) in hooks {
        let said = hook.said();
        assert!(!goes_on(harness, &said), "{harness}: {said:?}");
        assert!(said.errors.contains("took too long"), "{harness}: {said:?}");
        drop(input);
    }
}

#[test]
fn the_payload_cannot_be_read() {
    let station = Station::new();
    for harness in [
        "claude", "codex", "gemini", "copilot", "vscode", "cursor", "opencode",
    ] {
        for payload in [
            "",
            "{",
            "null",
            "[]",
            "{}",
            "\"x\"",
            "{\"cwd\": 7}",
            "\u{0}",
        ] {
            let said = station
                .start_raw(harness, 1, payload.as_bytes(), &[])
                .said();
            assert!(!goes_on(harness, &said), "{harness}, {payload:?}: {said:?}");
            assert!(
                !said.errors.contains("panicked"),
                "{harness}, {payload:?}: {said:?}"
            );
        }
    }
}

#[test]
fn the_end_of_a_turn_is_never_held_up() {
    let station = Station::with_rules("alow = 7");
    station.home.config("inbox = ");
    for event in ["Stop", "UserPromptSubmit", "SessionEnd", "PostToolUse"] {
        let payload = station.claude(event, "Bash", json!({ "command": "touch here" }));
        let said = station.say("claude", 5, &payload);
        assert_eq!((said.text.trim(), said.code), ("", 0), "{event}: {said:?}");
    }
}

#[test]
fn only_the_persons_own_file_leaves_failures_to_the_harness() {
    let station = Station::with_rules("on_failure = \"harness\"");
    station.home.config("inbox = ");
    let said = station.say("claude", 1, &station.bash("touch here"));
    assert_eq!((said.behavior(), said.code), ("none", 0), "{said:?}");
    let announced = station.claude("PreToolUse", "Bash", json!({ "command": "touch here" }));
    assert_ne!(station.say("claude", 1, &announced).before(), "allow");
    // Where that file itself cannot be read, nobody said so.
    station.rules("on_failure = \"harness\"\nallow = 7");
    let said = station.say("claude", 1, &station.bash("touch here"));
    assert_eq!(said.behavior(), "deny", "{said:?}");
}
