//! `holdpoint doctor` on the hook by which prompts come here, and on settings that answer for a person.

use crate::support::*;
use serde_json::{Value, json};

/// What it says under this name, the binary being on the PATH.
fn checks(home: &Home, name: &str) -> Vec<Value> {
    let folder = home.binary().parent().unwrap().display();
    let mut doctor = home.command(&["doctor", "--json"]);
    let path = format!("{folder}:/usr/bin:/bin");
    let output = doctor.env("PATH", path).output().unwrap();
    let report: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let checks = report["checks"].as_array().unwrap().clone();
    let named = checks.into_iter().filter(|check| check["name"] == name);
    named.collect()
}

#[track_caller]
fn check(home: &Home, name: &str, state: &str, parts: &[&str]) {
    let found = checks(home, name);
    let fits = |check: &&Value| {
        let said = check.to_string();
        check["state"] == state && parts.iter().all(|part| said.contains(part))
    };
    assert!(
        found.iter().any(|check| fits(&check)),
        "no {state} with {parts:?} in {found:#?}"
    );
}

fn cursor(entry: Value) -> String {
    json!({ "version": 1, "hooks": { "beforeShellExecution": [entry] } }).to_string()
}

const CLAUDE: &str = ".claude/settings.json";
const CURSOR: &str = ".cursor/hooks.json";
const GITHUB: &str = ".github/hooks/holdpoint.json";

/// A hook as Claude Code has it.
fn claude() -> String {
    let entry = json!({
        "type": "command", "command": "holdpoint hook claude --within 3590", "timeout": 3600, "onFailure": "block",
    });
    json!({ "hooks": { "PreToolUse": [{ "matcher": "*", "hooks": [entry] }] } }).to_string()
}

/// A hook as Copilot CLI has it.
fn copilot() -> String {
    let entry = json!({
        "type": "command", "bash": "holdpoint hook copilot --within 3590 || exit 2", "timeoutSec": 3600,
    });
    json!({ "version": 1, "hooks": { "preToolUse": [entry] } }).to_string()
}

#[test]
fn a_hook_that_does_not_hold_is_found() {
    let wrong = |entry: Value, parts: &[&str]| {
        let home = new_home();
        home.work_file(CURSOR, &cursor(entry));
        let all = [parts, &[CURSOR, "mend"]].concat();
        check(&home, "prompts", "problem", &all);
    };
    let entry = |command: &str, timeout: u32, closed: bool| json!({ "command": command, "timeout": timeout, "failClosed": closed });
    let hook = "holdpoint hook cursor --within 3590";
    wrong(entry(hook, 600, true), &["waits 600 s", "take 3590 s"]);
    wrong(
        entry("holdpoint hook cursor", 30, true),
        &["gives you 25 s"],
    );
    wrong(
        entry("holdpoint hook cursor --within 20", 600, true),
        &["gives you 20 s"],
    );
    wrong(entry(hook, 3600, false), &["as if it had said yes"]);
    wrong(
        entry("/nowhere/holdpoint hook cursor", 3600, true),
        &["/nowhere/holdpoint was not found"],
    );
    let home = new_home();
    home.work_file(CURSOR, &cursor(entry(hook, 3600, true)));
    check(
        &home,
        "prompts",
        "hint",
        &[
            "not registered as this version does it",
            "holdpoint init cursor --prompts",
        ],
    );
    // What is the person's own is not ours to judge.
    home.work_file(CURSOR, &cursor(entry("./mine.sh", 1, false)));
    assert!(checks(&home, "prompts").is_empty());
}

#[test]
fn a_client_without_a_time_of_its_own_waits_as_it_usually_does() {
    let home = new_home();
    let entry =
        json!({ "type": "command", "command": "holdpoint hook gemini --within 3590 || exit 2" });
    let hooks = json!({ "hooks": { "BeforeTool": [{ "matcher": "*", "hooks": [entry] }] } });
    home.work_file(".gemini/settings.json", &hooks.to_string());
    check(&home, "prompts", "problem", &["waits 60 s", "BeforeTool"]);
}

#[test]
fn a_hook_that_runs_twice_is_found() {
    let home = new_home();
    home.work_file(CLAUDE, &claude());
    home.work_file(GITHUB, &copilot());
    let twice = [
        "Copilot CLI asks everything twice",
        CLAUDE,
        GITHUB,
        "holdpoint init claude --prompts",
    ];
    check(&home, "prompts", "problem", &twice);
    let vscode = |found: Vec<Value>| {
        found
            .iter()
            .any(|check| check["what"].as_str().unwrap().starts_with("VS Code asks"))
    };
    assert!(!vscode(checks(&home, "prompts")));
    let settings = home.root().join(".config/Code/User/settings.json");
    std::fs::create_dir_all(settings.parent().unwrap()).unwrap();
    std::fs::write(&settings, "{ \"chat.useClaudeHooks\": true }").unwrap();
    assert!(vscode(checks(&home, "prompts")));

    let home = new_home();
    home.work_file(CLAUDE, &claude());
    home.work_file(CURSOR, &cursor(json!({ "command": "holdpoint hook cursor --within 3590", "timeout": 3600, "failClosed": true })));
    check(
        &home,
        "prompts",
        "hint",
        &["Cursor asks twice where", "init cursor --prompts --remove"],
    );
    // Claude Code runs the same command once.
    let own = home.root().join(CLAUDE);
    std::fs::create_dir_all(own.parent().unwrap()).unwrap();
    std::fs::write(own, claude()).unwrap();
    let found = checks(&home, "prompts");
    assert!(!found.iter().any(|check| {
        check["what"]
            .as_str()
            .unwrap()
            .starts_with("Claude Code asks")
    }));
}

#[test]
fn our_own_hook_on_other_servers_forms_is_no_finding() {
    let home = new_home();
    let hooks = |matcher: &str| {
        let entry = json!({ "type": "command", "command": "holdpoint hook claude --within 3590" });
        json!({ "hooks": { "Elicitation": [{ "matcher": matcher, "hooks": [entry] }] } })
            .to_string()
    };
    home.work_file(CLAUDE, &hooks("^(?!.*holdpoint)"));
    assert!(checks(&home, "hooks").is_empty());
    // On our own it is one.
    home.work_file(CLAUDE, &hooks("*"));
    check(&home, "hooks", "problem", &["Elicitation"]);
}

#[test]
fn settings_that_answer_for_a_person_are_found() {
    let with = |client: &str, file: &str, text: &str| {
        let home = new_home();
        assert!(home.run(&["init", client]).status.success());
        let now = std::fs::read_to_string(home.workspace().join(file)).unwrap_or_default();
        home.work_file(file, &format!("{text}{now}"));
        home
    };
    let file = ".vscode/settings.json";
    for (setting, part) in [
        (
            "{ \"chat.permissions.default\": \"autopilot\" }",
            "`autopilot`",
        ),
        (
            "{ \"chat.permissions.default\": \"autoApprove\" }",
            "`autoApprove`",
        ),
        (
            "{ \"chat.tools.global.autoApprove\": true, }",
            "chat.tools.global.autoApprove",
        ),
        ("{ \"chat.autoReply\": true }", "chat.autoReply"),
    ] {
        let home = with("vscode", file, setting);
        check(&home, "settings", "problem", &[file, part, "mend"]);
        // Where Holdpoint is not, they are none of ours.
        let home = new_home();
        home.work_file(file, setting);
        assert!(checks(&home, "settings").is_empty());
    }
    let home = with(
        "vscode",
        file,
        "{ \"chat.permissions.default\": \"default\" }",
    );
    assert!(checks(&home, "settings").is_empty());

    let file = ".codex/config.toml";
    for (setting, part) in [
        ("approval_policy = \"never\"\n", "`never`"),
        (
            "approval_policy = { granular = { mcp_elicitations = false } }\n",
            "mcp_elicitations",
        ),
    ] {
        let home = with("codex", file, setting);
        check(&home, "settings", "problem", &[file, part, "on-request"]);
    }
    let home = with("codex", file, "approval_policy = \"on-request\"\n");
    assert!(checks(&home, "settings").is_empty());
}

#[test]
fn settings_that_keep_the_hook_from_running_are_found() {
    let home = new_home();
    home.work_file(CLAUDE, &claude());
    assert!(checks(&home, "settings").is_empty());
    let local = ".claude/settings.local.json";
    home.work_file(local, "{ \"disableAllHooks\": true }");
    check(
        &home,
        "settings",
        "problem",
        &[local, "disableAllHooks", "mend"],
    );
    for mode in ["bypassPermissions", "dontAsk"] {
        home.work_file(
            local,
            &json!({ "permissions": { "defaultMode": mode } }).to_string(),
        );
        check(&home, "settings", "hint", &[local, mode, "mend"]);
    }
    home.work_file(GITHUB, &copilot());
    let own = ".github/copilot/settings.json";
    home.work_file(own, "{ \"disableAllHooks\": true }");
    check(&home, "settings", "problem", &[own, "Copilot CLI"]);
}

#[test]
fn a_hook_that_codex_was_not_told_to_trust_is_found() {
    let home = new_home();
    let entry = json!({
        "type": "command", "command": "holdpoint hook codex --within 3590 || exit 2", "timeout": 3600,
    });
    let hooks = json!({ "hooks": { "PreToolUse": [{ "hooks": [entry] }] } });
    home.work_file(".codex/hooks.json", &hooks.to_string());
    let wanted = [".codex/hooks.json", "have not trusted", "/hooks"];
    check(&home, "prompts", "problem", &wanted);
    let file = home.workspace().canonicalize().unwrap();
    let file = file.join(".codex/hooks.json");
    let config = format!(
        "[hooks.state.\"{}:pre_tool_use:0:0\"]\ntrusted_hash = \"sha256:1\"\n",
        file.display()
    );
    let own = home.root().join(".codex/config.toml");
    std::fs::create_dir_all(own.parent().unwrap()).unwrap();
    std::fs::write(own, config).unwrap();
    let found = checks(&home, "prompts");
    assert!(
        !found.iter().any(|check| check["state"] == "problem"),
        "{found:?}"
    );
}
