//! What a client is told before it calls anything.

use holdpoint_cli::{
    commands::serve::sources::{SourcesConfig, tool_server},
    tool_set::{AWAIT_ANSWER, ToolSelection},
};
use holdpoint_testkit::{Conversation, ERAS, Era, StandSetup, ToolStand};
use holdpoint_tools::Commit;
use serde_json::{Value, json};

/// Every tool set, where the person commits.
pub fn setup() -> StandSetup {
    setup_with(Commit::Verify)
}

fn setup_with(commit: Commit) -> StandSetup {
    setup_of(ToolSelection::all(), commit)
}

fn setup_of(tools: ToolSelection, commit: Commit) -> StandSetup {
    let await_answer = tools.contains(AWAIT_ANSWER);
    let setup = StandSetup::with_server(move |workspace| {
        let config = SourcesConfig {
            tools: tools.clone(),
            workspace,
            plans_dir: "plans".into(),
            commit,
            git_filters: Vec::new(),
        };
        tool_server(config.sources().unwrap())
    });
    StandSetup {
        await_answer,
        ..setup
    }
}

async fn tools(stand: &ToolStand, era: Era) -> Vec<Value> {
    let mut client = Conversation::new(stand, era).await;
    let listed = client.request("tools/list", json!({})).await;
    listed["result"]["tools"].as_array().unwrap().clone()
}

#[tokio::test(start_paused = true)]
async fn every_tool_says_what_it_takes_and_gives() {
    let stand = setup().stand().await;
    let listed = tools(&stand, Era::Legacy).await;
    assert_eq!(listed, tools(&stand, Era::Modern).await);
    for tool in &listed {
        let name = tool["name"].as_str().unwrap();
        assert!(tool["title"].is_string(), "{name}");
        check_hints(tool);
        for schema in ["inputSchema", "outputSchema"] {
            let schema = &tool[schema];
            assert_eq!(schema["type"], "object", "{name}");
            jsonschema::meta::validate(schema).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(!schema.to_string().contains("$ref"), "{name}");
        }
        let input = &tool["inputSchema"]["properties"];
        let output = &tool["outputSchema"]["properties"];
        let asks = name.starts_with("elicit_")
            || name.starts_with("request_")
            || [
                "verify_understanding",
                "plan_create",
                "plan_step_complete",
                "plan_step_skip",
                "plan_restore",
                "onboarding",
            ]
            .contains(&name);
        assert_eq!(input.get("timeoutSeconds").is_some(), asks, "{name}");
        let has_status = output.get("status").is_some();
        assert_eq!(has_status, asks || name == "await_answer", "{name}");
    }
    insta::assert_json_snapshot!("tools", listed);
}

/// A person who approves a call in their client reads these.
fn check_hints(tool: &Value) {
    let (name, hints) = (tool["name"].as_str().unwrap(), &tool["annotations"]);
    // VS Code has people approve the raw result of a tool whose world is open.
    assert_eq!(hints["openWorldHint"], false, "{name}");
    let writes = name.starts_with("record_") || name.starts_with("plan_step_");
    let replaces = name == "plan_restore" || name == "onboarding";
    let changes = writes || replaces || ["plan_create", "plan_checkpoint"].contains(&name);
    assert_eq!(hints["readOnlyHint"], !changes, "{name}");
    // Without the hint, what is not read-only counts as destructive.
    let destroys = changes && hints["destructiveHint"] != false;
    assert_eq!(destroys, replaces, "{name}");
    let repeatable = hints["idempotentHint"] == true;
    assert_eq!(repeatable, name.starts_with("record_"), "{name}");
}

/// Some clients send the whole list with every request of theirs.
#[tokio::test(start_paused = true)]
async fn the_list_is_small() {
    let stand = setup().stand().await;
    for era in ERAS {
        let listed = tools(&stand, era).await;
        let whole = json!(listed).to_string().len();
        assert!(whole < 34_500, "{whole} bytes");
        for tool in &listed {
            let (name, size) = (tool["name"].as_str().unwrap(), tool.to_string().len());
            let most = if name == "elicit_form" { 2_400 } else { 1_800 };
            assert!(size < most, "{name}: {size} bytes");
            let noise = [
                "$schema",
                "$defs",
                "\"format\":\"u",
                "\"default\":null",
                ",\"null\"]",
            ];
            let said = tool.to_string();
            for noise in noise {
                // Whether a commit is there may really be unknown.
                let fine = noise == ",\"null\"]" && name == "request_phase_commit_approval";
                assert!(fine || !said.contains(noise), "{name}: {noise}");
            }
        }
    }
}

/// Claude Code shows its model nothing but the names of other tools until it searches for them.
#[tokio::test(start_paused = true)]
async fn a_client_that_puts_tools_away_keeps_those_that_ask_first() {
    let stand = setup().stand().await;
    let listed = tools(&stand, Era::Modern).await;
    let kept = listed
        .iter()
        .filter(|tool| tool["_meta"]["anthropic/alwaysLoad"] == true);
    let kept: Vec<_> = kept.map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(
        kept,
        [
            "elicit_choice",
            "elicit_confirm",
            "request_plan_approval",
            "request_phase_commit_approval",
            "await_answer",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn only_the_selected_tools_are_there_and_spoken_of() {
    let all = ToolSelection::all();
    for word in [
        "ask",
        "approvals",
        "orchestra",
        "plans",
        "plan_list",
        "onboarding",
        "record",
        "all",
    ] {
        let selection: ToolSelection = word.parse().unwrap();
        let stand = setup_of(selection.clone(), Commit::Verify).stand().await;
        let listed = tools(&stand, Era::Legacy).await;
        let names: Vec<_> = listed
            .iter()
            .map(|tool| tool["name"].as_str().unwrap())
            .collect();
        let mut wanted = selection.names().to_vec();
        // It is every server's own, and listed behind what its tools are.
        wanted.sort_by_key(|name| *name == AWAIT_ANSWER);
        assert_eq!(names, wanted, "{word}");
        let mut client = Conversation::new(&stand, Era::Modern).await;
        let hello = client.request("server/discover", json!({})).await;
        let said = hello["result"]["instructions"].as_str().unwrap();
        for tool in all.names() {
            let named = said.contains(&format!("`{tool}`"));
            assert!(!named || selection.contains(tool), "{word}: {said}");
            if !selection.contains(tool) {
                let call = json!({ "name": tool, "arguments": {} });
                let answer = client.request("tools/call", call).await;
                assert_eq!(answer["error"]["code"], -32602, "{word}: {answer}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_commits_says_so() {
    let stand = setup_with(Commit::Perform).stand().await;
    let listed = tools(&stand, Era::Legacy).await;
    let commits = listed
        .iter()
        .find(|tool| tool["name"] == "request_phase_commit_approval");
    assert_eq!(commits.unwrap()["annotations"]["readOnlyHint"], false);
}

#[tokio::test(start_paused = true)]
async fn the_server_introduces_itself() {
    let stand = setup().stand().await;
    for era in ERAS {
        let mut client = Conversation::new(&stand, era).await;
        let hello = match era {
            Era::Legacy => {
                let hello = json!({
                    "protocolVersion": "2025-11-25", "capabilities": {},
                    "clientInfo": { "name": "x", "version": "1" },
                });
                client.request("initialize", hello).await
            }
            Era::Modern => client.request("server/discover", json!({})).await,
        };
        let instructions = hello["result"]["instructions"].as_str().unwrap();
        assert!(instructions.len() < 1_500, "{} bytes", instructions.len());
        insta::assert_snapshot!("instructions", instructions);
        if era == Era::Legacy {
            let info = &hello["result"]["serverInfo"];
            assert_eq!(info["name"], "holdpoint");
            assert_eq!(info["title"], "Holdpoint");
            assert!(info["version"].is_string());
            let icon = info["icons"][0]["src"].as_str().unwrap();
            assert!(icon.starts_with("data:image/svg+xml,"));
        }
    }
}
