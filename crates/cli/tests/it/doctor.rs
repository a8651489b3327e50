//! `holdpoint doctor`, the real binary.

use crate::support::*;
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
    assert_eq!(lines.len(), 5, "one line for each check: {lines:#?}");
    assert!(lines[1].starts_with("ok      journal"), "{lines:#?}");
    assert!(lines[2].contains("nobody serves it now"), "{lines:#?}");
    assert!(lines[4].contains("holdpoint init vscode"), "{lines:#?}");
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
        "{{ // a comment\n \"servers\": {{ \"holdpoint\": {{ \"command\": {binary:?}, }}, }}, }}"
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
        &format!("[mcp_servers.holdpoint]\ncommand = {binary:?}\n"),
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
