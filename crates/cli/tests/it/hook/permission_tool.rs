//! The tool `permission`, which Claude Code calls in place of its own prompt.

use super::station::{Station, allow, decline, open};
use crate::support::Pipe;
use serde_json::{Value, json};

const ID: &str = "toolu_01";

fn serve(station: &Station, args: &[&str], entry: &str) -> Pipe {
    let mut command = station.home.command(&[&["serve"], args].concat());
    command.env("CLAUDE_CODE_ENTRYPOINT", entry);
    Pipe::legacy(&mut command)
}

/// A call as Claude Code makes it; a model has another id in `_meta`.
fn call(command: &str, called_as: &str) -> Value {
    json!({
        "name": "permission",
        "arguments": {
            "tool_name": "Bash", "input": { "command": command }, "tool_use_id": ID,
        },
        "_meta": { "claudecode/toolUseId": called_as, "progressToken": 7 },
    })
}

/// What Claude Code reads: one text block, and nothing beside it.
fn said(answer: &Value) -> Value {
    let result = &answer["result"];
    assert!(result.get("structuredContent").is_none(), "{answer}");
    let [block] = result["content"].as_array().unwrap().as_slice() else {
        panic!("{answer}");
    };
    serde_json::from_str(block["text"].as_str().unwrap()).unwrap()
}

fn has_tool(client: &mut Pipe) -> bool {
    let listed = client.ask("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    let tool = tools.iter().find(|tool| tool["name"] == "permission");
    tool.is_some_and(|tool| tool.get("outputSchema").is_none())
}

#[test]
fn it_is_there_for_headless_runs_of_claude_code_and_where_it_is_named() {
    let station = Station::new();
    assert!(has_tool(&mut serve(&station, &[], "sdk-cli")));
    assert!(!has_tool(&mut serve(&station, &[], "cli")));
    assert!(has_tool(&mut serve(
        &station,
        &["--tools", "permission"],
        "cli"
    )));
    assert!(!has_tool(&mut serve(&station, &["--tools", "all"], "cli")));
}

#[tokio::test]
async fn what_a_person_says_reaches_claude_code() {
    let station = Station::with_rules("deny = [\"Bash(rm *)\"]\nallow = [\"Bash(ls *)\"]");
    let mut client = serve(&station, &[], "sdk-cli");
    let rule = said(&client.ask("tools/call", call("ls -l", ID)));
    assert_eq!(rule["behavior"], "allow", "{rule}");
    assert_eq!(rule["updatedInput"], json!({ "command": "ls -l" }));
    let rule = said(&client.ask("tools/call", call("rm x", ID)));
    assert_eq!(rule["behavior"], "deny", "{rule}");

    let desk = station.desk().await;
    let asked = client.request("tools/call", call("touch here", ID));
    let ask = station.open_ask(&desk).await;
    allow(&desk, ask.id).await;
    let answer = client.until(|message| message["id"] == asked);
    assert_eq!(said(&answer)["behavior"], "allow");
    // A yes is one use.
    let asked = client.request("tools/call", call("touch here", ID));
    let ask = station.open_ask(&desk).await;
    decline(&desk, ask.id, "Once is enough.").await;
    let answer = said(&client.until(|message| message["id"] == asked));
    assert_eq!(answer["behavior"], "deny");
    let message = answer["message"].as_str().unwrap();
    assert!(message.contains("Once is enough."), "{message}");
}

#[tokio::test]
async fn an_agent_that_calls_it_gets_nothing() {
    let station = Station::with_rules("allow = [\"Bash\"]");
    let mut client = serve(&station, &[], "sdk-cli");
    let mut bare = call("touch here", ID);
    bare.as_object_mut().unwrap().remove("_meta");
    let mut without_id = call("touch here", ID);
    without_id["arguments"]["tool_use_id"] = Value::Null;
    without_id["_meta"]["claudecode/toolUseId"] = Value::Null;
    for own in [call("touch here", "toolu_02"), bare, without_id] {
        let answer = client.ask("tools/call", own);
        assert_eq!(said(&answer)["behavior"], "deny", "{answer}");
    }
    assert_eq!(
        open(&station.desk().await).await.len(),
        0,
        "nobody was asked"
    );
}
