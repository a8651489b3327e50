//! What a client is told before it calls anything.

use holdpoint_cli::{
    commands::serve::sources::{SourcesConfig, tool_server},
    tool_set::ToolSet,
};
use holdpoint_testkit::{Conversation, ERAS, Era, StandSetup, ToolStand};
use holdpoint_tools::Commit;
use serde_json::{Value, json};

/// Every tool set, where the person commits.
pub fn setup() -> StandSetup {
    setup_with(Commit::Verify)
}

fn setup_with(commit: Commit) -> StandSetup {
    StandSetup::with_server(move |workspace| {
        let config = SourcesConfig {
            tools: ToolSet::ALL.to_vec(),
            workspace,
            plans_dir: "plans".into(),
            commit,
            git_filters: Vec::new(),
        };
        tool_server(config.sources().unwrap())
    })
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
        for hint in [
            "readOnlyHint",
            "destructiveHint",
            "idempotentHint",
            "openWorldHint",
        ] {
            assert!(tool["annotations"][hint].is_boolean(), "{name} {hint}");
        }
        assert!(tool["annotations"]["title"].is_string(), "{name}");
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
            || ["plan_create", "plan_step_complete", "onboarding"].contains(&name);
        assert_eq!(input.get("timeoutSeconds").is_some(), asks, "{name}");
        if asks || name == "await_answer" {
            let statuses = output["status"]["enum"].as_array().unwrap();
            assert_eq!(statuses.len(), 8, "{name}");
            assert!(statuses.contains(&"pending".into()), "{name}");
        }
    }
    insta::assert_json_snapshot!("tools", listed);
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
