//! `holdpoint init --prompts`: each client's hook, once, and out again.

use super::*;
use std::{collections::BTreeMap, fs, path::Path};

/// A client, the file of its hook, and something of the person's that may be in it.
const CLIENTS: [(&str, &str, &str); 7] = [
    ("claude", ".claude/settings.json", MINE),
    ("codex", ".codex/hooks.json", MINE),
    ("vscode", ".github/hooks/holdpoint.json", VERSIONED),
    ("copilot", ".github/hooks/holdpoint.json", VERSIONED),
    ("cursor", ".cursor/hooks.json", VERSIONED),
    ("gemini", ".gemini/settings.json", MINE),
    ("opencode", ".opencode/plugin/holdpoint.js", ""),
];

/// What Copilot CLI does not run.
const ONLY_VSCODE: &str = r#"[ -n \"$COPILOT_CLI\" ] || holdpoint hook vscode --within 3590"#;

const MINE: &str = "{\n  // mine\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"matcher\": \"Bash\",\n        \"hooks\": [{ \"type\": \"command\", \"command\": \"./mine.sh\" }] // why\n      }\n    ]\n  },\n  \"model\": \"x\"\n}\n";
const VERSIONED: &str = "{\n  \"version\": 1, // mine\n  \"hooks\": {\n    \"preToolUse\": [\n      { \"command\": \"./mine.sh\" } // why\n    ]\n  }\n}\n";

/// Every file of the workspace.
fn files(home: &Home) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![home.workspace()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(home.workspace()).unwrap();
                let text = fs::read_to_string(&path).unwrap();
                found.insert(name.display().to_string(), text);
            }
        }
    }
    found
}

fn text(home: &Home, file: &str) -> String {
    fs::read_to_string(home.workspace().join(file)).unwrap_or_default()
}

fn put(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// What a person at a terminal is told.
#[track_caller]
fn init(home: &Home, args: &[&str]) -> String {
    let all = [&["init"], args].concat();
    let (code, page) = Person::ran(home, &all);
    assert_eq!(code, 0, "{args:?}: {page}");
    page.replace("\r\n", "\n")
}

#[test]
fn every_clients_hook_goes_in_once_and_comes_out_again() {
    for (client, file, mine) in CLIENTS {
        for before in ["", mine] {
            let home = new_home();
            if !before.is_empty() {
                home.work_file(file, before);
            }
            let untouched = files(&home);
            let shown = home.run(&["init", client, "--prompts", "--print"]);
            assert!(stdout(&shown).contains(file), "{client}");
            assert_eq!(files(&home), untouched, "{client}: --print wrote");

            let page = init(&home, &[client, "--prompts"]);
            assert!(page.contains("your rules decide"), "{client}: {page}");
            let with = text(&home, file);
            let word = match client {
                "copilot" => "vscode",
                own => own,
            };
            let word = format!("hook {word} --within 3590");
            let called = with.contains(&word) || client == "opencode";
            assert!(called, "{client}: {with}");
            let plain = with.replace(',', "");
            for line in before.replace(',', "").lines().map(str::trim) {
                assert!(plain.contains(line), "{client}: {line} is not in {with}");
            }

            let once = files(&home);
            let page = init(&home, &[client, "--prompts"]);
            assert!(page.contains("nothing was changed"), "{client}: {page}");
            assert_eq!(files(&home), once, "{client}: twice is not once");

            // The prompts alone: the server stays.
            let page = init(&home, &[client, "--prompts", "--remove"]);
            let gone = ["Took what --prompts wrote out of", "Removed "];
            assert!(gone.iter().any(|part| page.contains(part)), "{page}");
            let left = files(&home);
            assert!(left.values().any(|text| text.contains("serve")), "{client}");
            let ours = left.values().any(|text| text.contains("hook "));
            assert!(!ours, "{client}: {left:#?}");
            if client != "gemini" && !before.is_empty() {
                assert_eq!(text(&home, file), before, "{client}");
            }

            // Everything.
            init(&home, &[client, "--prompts"]);
            init(&home, &[client, "--remove"]);
            let left = files(&home);
            assert!(!left.values().any(|text| text.contains("holdpoint")));
            if before.is_empty() {
                assert_eq!(left, untouched, "{client}");
            }
        }
    }
}

#[test]
fn an_older_hook_gets_the_numbers_of_now() {
    let home = new_home();
    let old = r#"{ "version": 1, "hooks": { "beforeShellExecution": [{ "command": "holdpoint hook cursor --within 20", "timeout": 30, "mine": 1 }] } }"#;
    home.work_file(".cursor/hooks.json", old);
    init(&home, &["cursor", "--prompts"]);
    let now: Value = serde_json::from_str(&text(&home, ".cursor/hooks.json")).unwrap();
    let wanted = serde_json::json!([{
        "command": "holdpoint hook cursor --within 3590", "timeout": 3600, "failClosed": true, "mine": 1,
    }]);
    assert_eq!(now["hooks"]["beforeShellExecution"], wanted);
}

#[test]
fn a_plugin_that_is_not_ours_is_left_alone() {
    let home = new_home();
    let file = ".opencode/plugin/holdpoint.js";
    home.work_file(file, "export const mine = 1\n");
    let (code, page) = Person::ran(&home, &["init", "opencode", "--prompts"]);
    assert_eq!(code, 1, "{page}");
    assert!(page.contains("holdpoint.js was left as it is"), "{page}");
    assert_eq!(files(&home).len(), 1);
    init(&home, &["opencode", "--remove"]);
    assert_eq!(text(&home, file), "export const mine = 1\n");
}

#[test]
fn who_runs_anothers_hook_gets_none_of_its_own() {
    let home = new_home();
    init(&home, &["claude", "--prompts"]);
    for (client, file) in [
        ("copilot", ".github/hooks/holdpoint.json"),
        ("cursor", ".cursor/hooks.json"),
    ] {
        let page = init(&home, &[client, "--prompts"]).replace('\n', " ");
        assert!(page.contains("nothing more is registered"), "{page}");
        assert!(page.contains(".claude/settings.json"), "{page}");
        assert_eq!(text(&home, file), "", "{client}");
    }
    // VS Code does so only where its user says so; and Copilot CLI does not run what is there for it.
    let file = ".github/hooks/holdpoint.json";
    init(&home, &["vscode", "--prompts"]);
    assert!(text(&home, file).contains(ONLY_VSCODE));
    init(&home, &["vscode", "--prompts", "--remove"]);
    let settings = home.root().join(".config/Code/User/settings.json");
    put(&settings, "{ \"chat.useClaudeHooks\": true, // mine\n }");
    let page = init(&home, &["vscode", "--prompts"]).replace('\n', " ");
    assert!(page.contains("VS Code runs Claude Code's hooks"), "{page}");
    assert_eq!(text(&home, file), "");
}

#[test]
fn a_second_registration_goes_when_the_new_one_is_there() {
    let file = ".github/hooks/holdpoint.json";
    let home = new_home();
    init(&home, &["vscode", "--prompts"]);
    // Copilot CLI runs what VS Code has.
    let now = text(&home, file);
    init(&home, &["copilot", "--prompts"]);
    assert_eq!(text(&home, file), now);
    init(&home, &["cursor", "--prompts"]);
    let cursor = text(&home, ".cursor/hooks.json");

    // Claude Code's, Copilot CLI runs too; VS Code and perhaps Cursor do not.
    let page = init(&home, &["claude", "--prompts"]).replace('\n', " ");
    assert!(page.contains("for VS Code alone"), "{page}");
    assert!(page.contains("init cursor --prompts --remove"), "{page}");
    let now = text(&home, file);
    assert_eq!(now.matches(ONLY_VSCODE).count(), 2, "{now}");
    assert_eq!(text(&home, ".cursor/hooks.json"), cursor);
    let page = init(&home, &["claude", "--prompts"]);
    assert!(page.contains("nothing was changed"), "{page}");

    // And who relied on it is told when it goes.
    let page = init(&home, &["claude", "--prompts", "--remove"]).replace('\n', " ");
    assert!(page.contains("What Copilot CLI and Cursor ran"), "{page}");
}

#[test]
fn the_persons_own_files_hold_for_all_folders() {
    let home = new_home();
    for (client, file) in [
        ("claude", ".claude/settings.json"),
        ("codex", ".codex/hooks.json"),
        ("vscode", ".copilot/hooks/holdpoint.json"),
    ] {
        init(&home, &[client, "--user", "--prompts"]);
        let there = fs::read_to_string(home.root().join(file)).unwrap();
        assert!(there.contains(&format!("hook {client}")), "{there}");
        assert!(files(&home).is_empty(), "{client}");
        let page = init(&home, &[client, "--prompts", "--print"]);
        let again = page.contains("come here already");
        assert_eq!(again, client != "claude", "{client}: {page}");
        init(&home, &[client, "--user", "--remove"]);
        assert!(!home.root().join(file).exists(), "{client}");
    }
    // What one folder gets changes nothing for the others.
    init(&home, &["vscode", "--user", "--prompts"]);
    let own = home.root().join(".copilot/hooks/holdpoint.json");
    let before = fs::read_to_string(&own).unwrap();
    init(&home, &["claude", "--prompts"]);
    assert_eq!(fs::read_to_string(&own).unwrap(), before);
}

#[test]
fn a_client_without_hooks_is_told_which_have_them() {
    let home = new_home();
    for client in [
        "qwen",
        "kilo",
        "continue",
        "cline",
        "fast-agent",
        "claude-desktop",
    ] {
        let (code, page) = Person::ran(&home, &["init", client, "--prompts"]);
        assert_eq!(code, 1, "{client}: {page}");
        let page = page.replace("\r\n", " ");
        let known = "claude, codex, vscode, copilot, cursor, gemini, opencode";
        assert!(page.contains(known), "{client}: {page}");
        assert!(files(&home).is_empty(), "{client}");
    }
}

#[test]
fn no_agent_lets_a_hook_decide_or_takes_it_out() {
    let home = new_home();
    for (client, file, _) in CLIENTS {
        let prompts = ["init", client, "--prompts"];
        let (page, status) = Person::runs(&home, &prompts, &[("CLAUDECODE", "1")]).ends();
        assert_eq!(status.exit_code(), 1, "{client}: {page}");
        assert_eq!(text(&home, file), "", "{client}");
    }
    init(&home, &["gemini", "--prompts"]);
    let with = files(&home);
    for args in [
        &["init", "gemini", "--remove"][..],
        &["init", "gemini", "--prompts", "--remove"],
    ] {
        let refused = home.run(args);
        assert_eq!(refused.status.code(), Some(1), "{args:?}");
        assert!(
            stderr(&refused).contains("nothing was written"),
            "{}",
            stderr(&refused)
        );
        assert_eq!(files(&home), with, "{args:?}");
    }
    let attempts = agents::attempts(&home);
    let commands: Vec<_> = attempts.iter().map(|(command, _)| &**command).collect();
    let mut wanted = vec!["init --prompts"; CLIENTS.len()];
    wanted.extend(["init --remove", "init --prompts"]);
    assert_eq!(commands, wanted);
    // To look loosens nothing.
    assert!(
        home.run(&["init", "gemini", "--remove", "--print"])
            .status
            .success()
    );
}
