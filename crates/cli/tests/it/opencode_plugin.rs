//! opencode's plugin under Node.js, with a program in Holdpoint's place that answers as it is told.

use crate::support::*;
use std::{fs, os::unix::fs::PermissionsExt, process::Command};

const PLUGIN: &str = include_str!("../../src/commands/init/prompts/holdpoint.js");

/// Loads the plugin and does what opencode does with one call.
const DRIVER: &str = r#"
import { Holdpoint } from "./holdpoint.mjs"
const replied = []
const client = { postSessionIdPermissionsPermissionId: async (reply) => replied.push(reply) }
const hooks = await Holdpoint({ client, directory: process.cwd() })
await hooks.config({ mcp: { github: {} } })
const output = { args: { command: "rm x", timeout: 5 } }
let said = "ran"
try {
  await hooks["tool.execute.before"]({ tool: "bash", sessionID: "s1", callID: "c1" }, output)
} catch (error) {
  said = error.message
}
const properties = { id: "p1", sessionID: "s1", tool: { callID: "c1" } }
await hooks.event({ event: { type: "permission.asked", properties } })
await hooks["tool.execute.after"]({ tool: "bash", sessionID: "s1", callID: "c1" }, {})
await hooks.event({ event: { type: "permission.asked", properties } })
await hooks.event({ event: { type: "session.idle", properties: { sessionID: "s1" } } })
console.log(JSON.stringify({ said, args: output.args, replied }))
"#;

/// What came of a call when the hook is this script; none where there is no Node.js.
fn call(script: Option<&str>) -> Option<(serde_json::Value, String)> {
    call_with(DRIVER, script)
}

fn call_with(driver: &str, script: Option<&str>) -> Option<(serde_json::Value, String)> {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    fs::write(file("holdpoint.mjs"), PLUGIN).unwrap();
    fs::write(file("driver.mjs"), driver).unwrap();
    if let Some(script) = script {
        let script = format!("#!/bin/sh\n{script}\n");
        fs::write(file("holdpoint"), script).unwrap();
        fs::set_permissions(file("holdpoint"), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let node = std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|folder| folder.join("node"))
        .find(|path| path.is_file())?;
    let path = format!("{}:/bin:/usr/bin", folder.path().display());
    let ran = Command::new(node)
        .arg("driver.mjs")
        .current_dir(folder.path())
        .env("PATH", path)
        .output()
        .unwrap();
    assert!(ran.status.success(), "{}", stderr(&ran));
    let asked = fs::read_to_string(file("asked")).unwrap_or_default();
    Some((serde_json::from_str(&stdout(&ran)).unwrap(), asked))
}

#[test]
fn a_yes_lets_the_tool_run_and_answers_opencodes_own_question() {
    let script = r#"cat >> asked; echo >> asked; echo '{"decision":"allow"}'"#;
    let Some((came, asked)) = call(Some(script)) else {
        return;
    };
    assert_eq!(came["said"], "ran");
    assert_eq!(came["args"]["command"], "rm x");
    let replied = came["replied"].as_array().unwrap();
    assert_eq!(replied.len(), 1, "{came}");
    assert_eq!(replied[0]["body"]["response"], "once");
    assert_eq!(replied[0]["path"]["permissionID"], "p1");
    let asked: Vec<serde_json::Value> = asked
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(asked[0]["hook_event_name"], "tool.execute.before");
    assert_eq!(asked[0]["input"]["tool"], "bash");
    assert_eq!(asked[0]["output"]["args"]["command"], "rm x");
    assert_eq!(asked[0]["mcp_servers"], serde_json::json!(["github"]));
    assert_eq!(
        (
            &asked[0]["input"]["sessionID"],
            &asked[0]["input"]["callID"]
        ),
        (&"s1".into(), &"c1".into())
    );
    assert!(asked[0]["directory"].as_str().unwrap().starts_with('/'));
    assert_eq!(asked[1]["hook_event_name"], "session.idle");
    assert_eq!(asked[1]["input"]["properties"]["sessionID"], "s1");
    // The hook reads both, as the plugin writes them.
    for (payload, is_tool) in asked.iter().zip([true, false]) {
        let payload = payload.to_string();
        let around = holdpoint_harness::Surroundings::default();
        let harness = holdpoint_harness::Harness::OpenCode;
        let read = holdpoint_harness::read(harness, payload.as_bytes(), &around).unwrap();
        assert_eq!(read.session, "s1");
        let tool = matches!(read.prompt, holdpoint_harness::Prompt::Tool(_));
        assert_eq!(tool, is_tool, "{read:?}");
    }
}

#[test]
fn other_arguments_take_the_place_of_all() {
    let script = r#"cat > /dev/null; echo '{"decision":"allow","args":{"command":"ls"}}'"#;
    if let Some((came, _)) = call(Some(script)) {
        assert_eq!(came["args"], serde_json::json!({ "command": "ls" }));
    }
}

#[test]
fn whatever_is_no_yes_stops_the_tool() {
    for (script, told) in [
        (
            Some(r#"echo '{"decision":"deny","reason":"Ada said no"}'"#),
            "Ada said no",
        ),
        (Some(r#"echo '{"decision":"ask"}'"#), "Holdpoint said no."),
        (Some("echo '{}'"), "Holdpoint said no."),
        (Some("echo null"), "Holdpoint said no."),
        (Some("echo yes"), "no JSON"),
        (Some("true"), "no JSON"),
        (
            Some("echo '{\"decision\":\"allow\"}'; echo 'disk full' >&2; exit 2"),
            "disk full",
        ),
        (Some("kill -9 $$"), "did not decide"),
        (None, "did not decide"),
    ] {
        let Some((came, _)) = call(script) else {
            return;
        };
        let said = came["said"].as_str().unwrap();
        assert!(said.contains(told), "{script:?}: {said}");
        assert_eq!(came["replied"], serde_json::json!([]), "{script:?}");
    }
}

#[test]
fn an_interruption_ends_what_waits() {
    let driver = r#"
import { Holdpoint } from "./holdpoint.mjs"
const hooks = await Holdpoint({ client: {}, directory: process.cwd() })
const call = { tool: "bash", sessionID: "s1", callID: "c1" }
const began = Date.now()
const waits = hooks["tool.execute.before"](call, { args: {} }).then(() => "ran", (error) => error.message)
setTimeout(() => hooks.event({ event: { type: "session.idle", properties: { sessionID: "s1" } } }), 300)
const said = await waits
console.log(JSON.stringify({ said, took: Date.now() - began }))
"#;
    let script = "case $(cat) in *session.idle*) echo '{}' ;; *) exec sleep 60 ;; esac";
    if let Some((came, _)) = call_with(driver, Some(script)) {
        let said = came["said"].as_str().unwrap();
        assert!(said.contains("did not decide"), "{said}");
        assert!(came["took"].as_u64().unwrap() < 30_000, "{came}");
    }
}
