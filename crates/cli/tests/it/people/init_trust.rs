//! `holdpoint init --trust`: a person says so at a terminal, and an agent cannot.

use super::*;
use std::fs;

/// What is in a file of the workspace.
fn text(home: &Home, file: &str) -> String {
    fs::read_to_string(home.workspace().join(file)).unwrap_or_default()
}

const RULE: &str = "\"allow\": [\"mcp__holdpoint\"]";

/// A client, and what its files say when it is trusted.
const TRUSTED: [(&str, &[(&str, &str)]); 6] = [
    (
        "claude",
        &[
            (".mcp.json", "\"alwaysLoad\": true"),
            (".claude/settings.json", RULE),
        ],
    ),
    ("gemini", &[(".gemini/settings.json", "\"trust\": true")]),
    ("qwen", &[(".qwen/settings.json", "\"trust\": true")]),
    (
        "codex",
        &[(
            ".codex/config.toml",
            "\ndefault_tools_approval_mode = \"approve\"\n",
        )],
    ),
    (
        "opencode",
        &[("opencode.json", "\"holdpoint_*\": \"allow\"")],
    ),
    ("kilo", &[("kilo.json", "\"holdpoint_*\": \"allow\"")]),
];

#[test]
fn a_person_lets_a_client_call_without_its_own_question() {
    for (client, said) in TRUSTED {
        let home = new_home();
        assert!(home.run(&["init", client]).status.success());
        let plain: Vec<_> = said.iter().map(|(file, _)| text(&home, file)).collect();
        let trust = ["init", client, "--trust"];
        let (code, page) = Person::ran(&home, &trust);
        assert_eq!(code, 0, "{client}: {page}");
        assert!(page.contains("without a question of its own"), "{page}");
        for (file, part) in said {
            let text = text(&home, file);
            assert!(text.contains(part), "{client}: no {part} in {text}");
        }
        let once: Vec<_> = said.iter().map(|(file, _)| text(&home, file)).collect();
        let (_, page) = Person::ran(&home, &trust);
        assert!(page.contains("nothing was changed"), "{client}: {page}");
        let twice: Vec<_> = said.iter().map(|(file, _)| text(&home, file)).collect();
        assert_eq!(once, twice, "{client}");
        // It is taken back alone, by anybody: that loosens nothing.
        let back = home.run(&["init", client, "--trust", "--remove"]);
        assert!(back.status.success(), "{client}: {}", stderr(&back));
        for ((file, part), plain) in said.iter().zip(&plain) {
            let now = text(&home, file);
            assert!(!now.contains(part.trim()), "{client}: {now}");
            if !plain.is_empty() && client != "opencode" && client != "kilo" {
                assert_eq!(&now, plain, "{client}");
            }
        }
        let entry = text(&home, said[0].0);
        assert!(entry.contains("holdpoint"), "{client}: {entry}");
    }
}

#[test]
fn what_else_a_person_allows_stays_theirs() {
    let home = new_home();
    let settings = "{\n  // mine\n  \"permissions\": {\n    \"allow\": [\"Bash(ls)\", \"mcp__holdpoint__plan_list\"],\n    \"deny\": [\"mcp__holdpoint\"]\n  }\n}\n";
    home.work_file(".claude/settings.json", settings);
    let (code, page) = Person::ran(&home, &["init", "claude", "--trust"]);
    assert_eq!(code, 0, "{page}");
    let with = text(&home, ".claude/settings.json");
    let added = "\"mcp__holdpoint__plan_list\", \"mcp__holdpoint\"]";
    assert_eq!(
        with,
        settings.replace("\"mcp__holdpoint__plan_list\"]", added)
    );
    assert!(home.run(&["init", "claude", "--remove"]).status.success());
    assert_eq!(text(&home, ".claude/settings.json"), settings);
    // A word in place of the list of permissions is not taken apart.
    home.work_file("opencode.json", "{ \"permission\": \"ask\" }");
    let (code, page) = Person::ran(&home, &["init", "opencode", "--trust"]);
    assert_eq!(code, 1, "{page}");
    assert!(page.contains("`permission` is not an object"), "{page}");
    assert_eq!(text(&home, "opencode.json"), "{ \"permission\": \"ask\" }");
}

#[test]
fn a_client_without_such_a_setting_is_named() {
    for (client, instead) in [
        ("vscode", "Always Allow"),
        ("claude-desktop", "Always allow"),
        ("cursor", "settings window"),
        ("copilot", "--allow-tool holdpoint"),
        ("continue", "permissions.yaml"),
        ("cline", "one switch"),
        ("fast-agent", "does not ask"),
    ] {
        let home = new_home();
        let (code, page) = Person::ran(&home, &["init", client, "--trust"]);
        assert_eq!(code, 1, "{client}: {page}");
        let page = page.replace("\r\n", " ");
        for part in ["has no setting", instead, "nothing was written"] {
            assert!(page.contains(part), "{client}: {part:?} is not in {page}");
        }
        assert_eq!(
            fs::read_dir(home.workspace()).unwrap().count(),
            0,
            "{client}"
        );
    }
}

#[test]
fn an_agent_loosens_nothing() {
    let home = new_home();
    for (client, said) in TRUSTED {
        let trust = ["init", client, "--trust"];
        let marked = Person::runs(&home, &trust, &[("CLAUDECODE", "1")]);
        let (page, status) = marked.ends();
        assert_eq!(status.exit_code(), 1, "{client}: {page}");
        let page = page.replace("\r\n", " ");
        assert!(page.contains("Claude Code (CLAUDECODE)"), "{page}");
        assert!(page.contains("nothing was written"), "{page}");
        let alone = home.run(&trust);
        assert!(
            stderr(&alone).contains("no controlling terminal"),
            "{client}"
        );
        for (file, _) in said {
            assert_eq!(text(&home, file), "", "{client}");
        }
    }
    let recorded = agents::attempts(&home);
    let commands: Vec<_> = recorded.iter().map(|(command, _)| &**command).collect();
    assert_eq!(commands, vec!["init --trust"; TRUSTED.len() * 2]);
    // To register, and to look at what would be written, loosens nothing.
    let shown = home.run(&["init", "gemini", "--trust", "--print"]);
    assert!(
        stdout(&shown).contains("\"trust\": true"),
        "{}",
        stdout(&shown)
    );
    assert_eq!(text(&home, ".gemini/settings.json"), "");
    assert!(home.run(&["init", "gemini"]).status.success());
    assert!(!text(&home, ".gemini/settings.json").contains("trust"));
}
