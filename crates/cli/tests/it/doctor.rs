//! `holdpoint doctor`, the real binary.

use crate::{init::place::registering, support::*};
use serde_json::Value;

/// What it says of one thing, and how it ends.
fn check(home: &Home, name: &str) -> (Value, Option<i32>) {
    let output = home.run(&["doctor", "--json"]);
    let report: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let checks = report["checks"].as_array().unwrap();
    let found = checks.iter().find(|check| check["name"] == name);
    let found = found.unwrap_or_else(|| panic!("no {name} in {report:#}"));
    assert_eq!(report["ok"], output.status.code() == Some(0));
    (found.clone(), output.status.code())
}

#[test]
fn a_fresh_set_up_is_well() {
    let home = new_home();
    let output = home.run(&["doctor"]);
    assert!(output.status.success());
    let lines: Vec<_> = stdout(&output).lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 6, "one line for each check: {lines:#?}");
    assert!(lines[1].starts_with("ok      journal"), "{lines:#?}");
    assert!(lines[2].contains("free in"), "{lines:#?}");
    assert!(lines[3].contains("nobody serves it now"), "{lines:#?}");
    assert!(lines[5].contains("holdpoint init"), "{lines:#?}");
}

#[test]
fn what_is_wrong_is_found() {
    let problem = |prepare: &dyn Fn(&Home), name: &str, wanted: &[&str]| {
        let home = new_home();
        prepare(&home);
        let (check, code) = check(&home, name);
        assert_eq!(
            (&check["state"], code),
            (&"problem".into(), Some(1)),
            "{check:#}"
        );
        let said = check.to_string();
        for part in wanted {
            assert!(said.contains(part), "{part:?} is not in {said}");
        }
    };
    problem(
        &|home| home.config("tool = []"),
        "config",
        &["line 1", "`tools`"],
    );
    problem(
        &|home| home.work_file(".holdpoint/config.toml", "journal = \"memory:\""),
        "config",
        &["may not set `journal`"],
    );
    problem(
        &|home| {
            std::fs::create_dir_all(home.journal().parent().unwrap()).unwrap();
            std::fs::write(home.journal(), "not a database, but long enough").unwrap();
        },
        "journal",
        &["journal.db", "mend"],
    );
    for (file, text, name) in [
        (".vscode/mcp.json", "{ \"servers\": ", "vscode"),
        (".codex/config.toml", "[mcp_servers", "codex"),
        (
            ".mcp.json",
            r#"{"mcpServers": {"holdpoint": {}}}"#,
            "claude",
        ),
        (
            ".cursor/mcp.json",
            r#"{"mcpServers": {"holdpoint": {"command": "/nowhere/holdpoint"}}}"#,
            "cursor",
        ),
    ] {
        problem(&|home| home.work_file(file, text), name, &[file, "mend"]);
    }
}

#[test]
fn registered_clients_are_seen() {
    let home = new_home();
    let binary = env!("CARGO_BIN_EXE_holdpoint");
    let json = format!(
        "{{ // a comment\n \"servers\": {{ \"holdpoint\": {{ \"command\": {binary:?}, \"args\": [\"serve\"] }}, }}, }}"
    );
    home.work_file(".vscode/mcp.json", &json);
    home.work_file(
        ".mcp.json",
        r#"{"mcpServers": {"other": {"command": "x"}}}"#,
    );
    home.work_file(
        ".cursor/mcp.json",
        r#"{"mcpServers": {"holdpoint": {"url": "http://127.0.0.1:1/mcp"}}}"#,
    );
    home.work_file(
        ".codex/config.toml",
        &format!("[mcp_servers.holdpoint]\ncommand = {binary:?}\nargs = [\"serve\"]\n"),
    );
    for (name, state) in [
        ("vscode", "ok"),
        ("claude", "hint"),
        ("cursor", "ok"),
        ("codex", "ok"),
    ] {
        let (check, code) = check(&home, name);
        assert_eq!(
            (&check["state"], code),
            (&state.into(), Some(0)),
            "{check:#}"
        );
    }
    let (claude, _) = check(&home, "claude");
    assert_eq!(claude["mend"], "holdpoint init claude");
}

/// What it says of everything, with these variables.
fn report(home: &Home, variables: &[(&str, &str)]) -> Vec<Value> {
    let mut doctor = home.command(&["doctor", "--json"]);
    let output = doctor.envs(variables.iter().copied()).output().unwrap();
    let report: Value = serde_json::from_str(&stdout(&output)).unwrap();
    report["checks"].as_array().unwrap().clone()
}

#[test]
fn every_client_that_init_knows_is_seen() {
    let home = new_home();
    std::fs::create_dir_all(home.root().join(".continue")).unwrap();
    std::fs::write(home.root().join(".continue/config.yaml"), "name: x\n").unwrap();
    let clients = [
        "vscode",
        "claude",
        "claude-desktop",
        "cursor",
        "codex",
        "copilot",
        "gemini",
        "qwen",
        "opencode",
        "kilo",
        "continue",
        "cline",
        "fast-agent",
        "zed",
        "windsurf",
    ];
    let folder = home.binary().parent().unwrap().display();
    let path = format!("{folder}:/usr/bin:/bin");
    for client in clients {
        // A file of the person's that does not name it is none of ours.
        let told = report(&home, &[]);
        assert!(
            !told.iter().any(|check| check["name"] == client),
            "{client}"
        );
        let done = home.run(&registering(client));
        assert!(done.status.success(), "{client}: {}", stderr(&done));
    }
    let found = report(&home, &[("PATH", &path)]);
    for client in clients {
        let mut checks = found.iter().filter(|check| check["name"] == client);
        let check = checks.next().unwrap_or_else(|| panic!("no {client}"));
        assert_eq!(check["state"], "ok", "{check}");
        assert!(checks.next().is_none(), "{client}");
    }
    // However long a name is, what is said of it begins in the same place.
    let lines = stdout(&home.run(&["doctor"]));
    let about = |client: &str| {
        let mut lines = lines.lines();
        lines.find(|line| line[8..].starts_with(client)).unwrap()
    };
    let said = |client: &str, file: &str| about(client).find(file).unwrap();
    assert_eq!(
        said("zed ", ".zed/settings.json"),
        said("claude-desktop ", home.root().to_str().unwrap()),
        "{lines}"
    );
    let absent = report(&home, &[("PATH", "/usr/bin:/bin")]);
    let gemini = absent.iter().find(|check| check["name"] == "gemini");
    assert_eq!(gemini.unwrap()["state"], "problem");
}

#[test]
fn an_entry_that_starts_something_else_is_named() {
    let home = new_home();
    let entry = r#"{"mcpServers": {"holdpoint": {"command": "sh", "args": ["run.sh"]}}}"#;
    home.work_file(".gemini/settings.json", entry);
    let (check, code) = check(&home, "gemini");
    assert_eq!(
        (&check["state"], code),
        (&"hint".into(), Some(0)),
        "{check}"
    );
    let what = check["what"].as_str().unwrap();
    assert!(what.contains("starts `sh run.sh`"), "{what}");
    assert_eq!(check["mend"], "holdpoint init gemini");
}

#[test]
fn a_server_that_would_keep_another_journal_is_found() {
    let home = new_home();
    let moved = home.root().join("moved");
    let moved = [("XDG_STATE_HOME", moved.to_str().unwrap())];
    // No such client is registered: what would happen.
    let told = report(&home, &moved);
    let hint = told.iter().find(|check| check["name"] == "environment");
    let hint = hint.expect("a hint");
    assert_eq!(hint["state"], "hint", "{hint}");
    for part in [
        "XDG_STATE_HOME",
        "moved/holdpoint/journal.db",
        ".local/state/holdpoint",
    ] {
        assert!(
            hint["what"].as_str().unwrap().contains(part),
            "{part}: {hint}"
        );
    }
    assert!(
        !report(&home, &[])
            .iter()
            .any(|check| check["name"] == "environment")
    );

    for client in ["codex", "fast-agent", "claude-desktop", "windsurf"] {
        let problems = |variables: &[(&str, &str)]| {
            let told = report(&home, variables).into_iter();
            let about = told.filter(|check| check["name"] == client);
            let told = about.map(|check| check["what"].as_str().unwrap().to_owned());
            let told = told.filter(|what| what.contains("few variables"));
            told.collect::<Vec<_>>()
        };
        let registered = home.run(&registering(client));
        assert!(
            registered.status.success(),
            "{client}: {}",
            stderr(&registered)
        );
        let found = problems(&moved);
        assert_eq!(found.len(), 1, "{client}: {found:?}");
        assert!(found[0].contains("moved/holdpoint/journal.db"), "{found:?}");
        assert_eq!(problems(&[]), Vec::<String>::new(), "{client}");
        // As it says: in this shell, init hands it on.
        let mut init = home.command(&["init", client]);
        let done = init.envs(moved).output().unwrap();
        assert!(done.status.success(), "{client}: {}", stderr(&done));
        assert_eq!(problems(&moved), Vec::<String>::new(), "{client}");
        assert!(home.run(&["init", client, "--remove"]).status.success());
    }
}

#[test]
fn hooks_that_answer_in_a_persons_place_are_found() {
    let hook = |event: &str, matcher: &str| {
        format!(
            r#"{{"hooks": {{"{event}": [{{"matcher": "{matcher}", "hooks": [{{"type": "command", "command": "./yes.sh"}}]}}]}}}}"#
        )
    };
    let found = |file: &str, text: &str| {
        let home = new_home();
        let path = home.root().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        let told = report(&home, &[]).into_iter();
        told.filter(|check| check["name"] == "hooks")
            .collect::<Vec<_>>()
    };
    for file in [
        "work/.claude/settings.json",
        "work/.claude/settings.local.json",
        ".claude/settings.json",
    ] {
        for (event, matcher) in [
            ("Elicitation", ""),
            ("ElicitationResult", "*"),
            ("Elicitation", "other|another"),
        ] {
            let found = found(file, &hook(event, matcher));
            assert_eq!(found.len(), 1, "{file} {event} {matcher}");
            assert_eq!(found[0]["state"], "problem");
            let said = found[0].to_string();
            let file = file.trim_start_matches("work/");
            for part in [file, event, "./yes.sh", "clients.claude-code"] {
                assert!(said.contains(part), "{part:?} is not in {said}");
            }
        }
        assert!(found(file, &hook("PreToolUse", "")).is_empty());
        assert!(found(file, "{}").is_empty());
        assert_eq!(found(file, "{")[0]["state"], "hint");
    }
}

#[test]
fn a_changed_record_is_found() {
    let home = new_home();
    let mut client = Pipe::modern(&mut home.command(&["serve"]));
    client.ask("tools/call", confirm());
    drop(client);
    assert_eq!(check(&home, "journal").0["state"], "ok");
    let database = rusqlite::Connection::open(home.journal()).unwrap();
    database
        .pragma_update(None, "writable_schema", true)
        .unwrap();
    let triggers = "DELETE FROM sqlite_schema WHERE type = 'trigger'";
    database.execute(triggers, []).unwrap();
    drop(database);
    let database = rusqlite::Connection::open(home.journal()).unwrap();
    let edit = "UPDATE events SET body = replace(body, 'Go on?', 'Stay?')";
    assert_ne!(database.execute(edit, []).unwrap(), 0);
    drop(database);
    let (check, code) = check(&home, "journal");
    assert_eq!(
        (&check["state"], code),
        (&"problem".into(), Some(1)),
        "{check:#}"
    );
}

#[test]
fn the_page_may_be_off_and_its_port_taken() {
    let said = |place: &str| {
        let home = new_home();
        let mut doctor = home.command(&["doctor", "--json"]);
        let output = doctor.env("HOLDPOINT_INBOX", place).output().unwrap();
        assert!(output.status.success(), "{}", stdout(&output));
        let report: Value = serde_json::from_str(&stdout(&output)).unwrap();
        let checks = report["checks"].as_array().unwrap();
        let page = checks.iter().find(|check| check["name"] == "page").unwrap();
        assert_eq!(page["state"], "hint", "{page}");
        page["what"].as_str().unwrap().to_owned()
    };
    assert!(said("off").contains("off"));
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let place = taken.local_addr().unwrap().to_string();
    assert!(said(&place).contains("another program"));
}
