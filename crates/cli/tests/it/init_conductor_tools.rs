//! A Conductor without its tools: refused by `init`, found by `doctor`.

use crate::support::*;
use serde_json::Value;

/// What `init` says where it refuses.
#[track_caller]
fn refused(home: &Home, args: &[&str], wanted: &[&str]) {
    let before = std::fs::read_to_string(home.workspace().join(".vscode/mcp.json")).ok();
    let output = home.run(&[&["init"], args].concat());
    assert!(!output.status.success(), "{args:?}: {}", stdout(&output));
    let said = stderr(&output);
    for part in wanted {
        assert!(said.contains(part), "{part:?} is not in {said}");
    }
    assert!(!home.workspace().join(".github").exists(), "{args:?} wrote");
    let after = std::fs::read_to_string(home.workspace().join(".vscode/mcp.json")).ok();
    assert_eq!(before, after, "{args:?} wrote");
}

#[track_caller]
fn done(home: &Home, args: &[&str]) {
    let output = home.run(&[&["init"], args].concat());
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
}

const LACKS: &str = "needs the tool set `orchestra`";

#[test]
fn a_list_of_tools_without_them_is_refused() {
    for client in ["vscode", "claude", "codex"] {
        for list in [
            "elicit",
            "elicit,plans",
            "ask",
            "approvals",
            "request_plan_approval",
        ] {
            let home = new_home();
            let args = [client, "--conductor", "--tools", list];
            let instead = format!("`--tools {list},orchestra`");
            refused(&home, &args, &[LACKS, &instead, "record_phase_completion"]);
            refused(&home, &[&args[..], &["--print"]].concat(), &[LACKS]);
            let more = format!("{list},orchestra");
            done(&home, &[client, "--conductor", "--tools", &more]);
        }
        let home = new_home();
        done(&home, &[client, "--conductor", "--tools", "orchestra"]);
    }
}

#[test]
fn an_entry_that_is_there_counts_too() {
    let flags = r#"{"servers": {"holdpoint": {"command": "holdpoint", "args": ["serve", "--tools=elicit"]}}}"#;
    let variable = r#"{"servers": {"holdpoint": {"command": "holdpoint", "args": ["serve"], "env": {"HOLDPOINT_TOOLS": "elicit"}}}}"#;
    for entry in [flags, variable] {
        let home = new_home();
        home.work_file(".vscode/mcp.json", entry);
        refused(
            &home,
            &["vscode", "--conductor"],
            &[LACKS, "`--tools elicit` leaves out"],
        );
        done(
            &home,
            &["vscode", "--conductor", "--tools", "elicit,orchestra"],
        );
    }
}

#[test]
fn a_configuration_that_leaves_them_out_counts_too() {
    let home = new_home();
    home.config("tools = [\"elicit\"]");
    let wanted = [LACKS, "your configuration leaves out", "config.toml"];
    refused(&home, &["vscode", "--conductor"], &wanted);
    refused(&home, &["vscode", "--conductor", "--user"], &wanted);
    // A flag adds nothing to what the person's own file leaves.
    refused(
        &home,
        &["vscode", "--conductor", "--tools", "orchestra"],
        &wanted,
    );

    let home = new_home();
    home.work_file(".holdpoint/config.toml", "tools = [\"elicit\"]");
    refused(&home, &["vscode", "--conductor"], &wanted);
    // What one folder says is nothing to the others.
    done(&home, &["vscode", "--conductor", "--user"]);
}

/// What `doctor` says of the Conductor.
fn checks(home: &Home) -> Vec<Value> {
    let output = home.run(&["doctor", "--json"]);
    let report: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let checks = report["checks"].as_array().unwrap().iter();
    let found = checks.filter(|check| check["name"] == "conductor");
    found.cloned().collect()
}

#[test]
fn doctor_finds_agent_files_whose_tools_are_missing() {
    for (client, file) in [
        ("vscode", ".github/agents/Conductor.agent.md"),
        ("claude", ".claude/agents/conductor.md"),
        ("codex", ".agents/skills/conductor/SKILL.md"),
    ] {
        let home = new_home();
        assert_eq!(checks(&home), Vec::<Value>::new());
        let check = |state: &str, wanted: &[&str]| {
            let found = checks(&home);
            assert_eq!(found.len(), 1, "{found:?}");
            assert_eq!(found[0]["state"], state, "{found:?}");
            let said = found[0].to_string();
            for part in wanted {
                assert!(said.contains(part), "{part:?} is not in {said}");
            }
        };
        done(&home, &[client, "--conductor"]);
        check("ok", &[file]);
        home.work_file(".holdpoint/config.toml", "tools = [\"plans\"]");
        check("problem", &["record_plan_completion"]);
        home.work_file(".holdpoint/config.toml", "");
        done(&home, &[client, "--tools", "elicit"]);
        let mend = format!("holdpoint init {client} --tools elicit,orchestra");
        check("problem", &[file, "request_plan_approval", &mend]);
        done(&home, &[client, "--tools", "elicit,orchestra"]);
        check("ok", &[file]);

        // The agent file alone: its gates would be missing.
        let kept = std::fs::read_to_string(home.workspace().join(file)).unwrap();
        done(&home, &[client, "--remove"]);
        assert_eq!(checks(&home), Vec::<Value>::new());
        home.work_file(file, &kept);
        check(
            "problem",
            &["no server", &format!("holdpoint init {client} --conductor")],
        );
        // The person's own server is one too.
        done(&home, &[client, "--user"]);
        check("ok", &[file]);
        done(&home, &[client, "--user", "--tools", "ask"]);
        check(
            "problem",
            &[&format!("init {client} --user --tools ask,orchestra")],
        );
        done(&home, &[client, "--user", "--remove"]);
        let address = "http://127.0.0.1:1/mcp";
        done(&home, &[client, "--http", address]);
        check("hint", &["a server at an address"]);
    }
}

#[test]
fn doctor_sees_a_persons_own_files() {
    let home = new_home();
    done(&home, &["vscode", "--user", "--conductor"]);
    let found = checks(&home);
    assert_eq!(found[0]["state"], "ok", "{found:?}");
    let output = home.run(&["doctor"]);
    let said = stdout(&output);
    assert!(said.contains("Code/User/mcp.json"), "{said}");
    assert!(!said.contains("no client is registered"), "{said}");
}
