//! Answers that come after the call had to end.

use crate::setup;
use holdpoint::{AskId, ChannelKind, Reply};
use holdpoint_testkit::{Client, Conversation, ERAS, Era, StandSetup, ToolStand};
use serde_json::{Value, json};
use std::time::Duration;

async fn stand() -> ToolStand {
    let setup = StandSetup {
        inbox: true,
        ..setup()
    };
    setup.stand().await
}

async fn reply(stand: &ToolStand, ask: &str, content: Value) {
    let from = holdpoint::testing::person(ChannelKind::Inbox, Some("ada"));
    let content = content.as_object().unwrap().clone();
    let id: AskId = ask.parse().unwrap();
    stand
        .desk
        .reply(id, from, Reply::Accept { content })
        .await
        .unwrap();
}

#[tokio::test(start_paused = true)]
async fn await_answer_gives_the_result_of_the_call_that_asked() {
    for era in ERAS {
        let stand = stand().await;
        let mut client = Conversation::with(stand.server.clone(), era, json!({})).await;
        let plan = json!({ "planSummary": "Add a login page.", "phaseCount": 2 });
        let begun = tokio::time::Instant::now();
        let ended = stand
            .drive(&mut client, "request_plan_approval", plan, &[])
            .await;
        assert_eq!(begun.elapsed().as_secs(), 45);
        assert_eq!(ended.body["status"], "pending");
        assert_eq!(ended.body["proceed"], false);
        assert_eq!(ended.body["retryAfterSeconds"], 30);
        assert!(!ended.error);
        let ask = ended.body["askId"].as_str().unwrap().to_owned();
        let wait = json!({ "askId": ask, "waitSeconds": 10 });
        let begun = tokio::time::Instant::now();
        let ended = stand
            .drive(&mut client, "await_answer", wait.clone(), &[])
            .await;
        assert_eq!(ended.body["status"], "pending");
        assert_eq!(begun.elapsed().as_secs(), 10);
        reply(
            &stand,
            &ask,
            json!({ "decision": "approve", "feedback": "Nice." }),
        )
        .await;
        let ended = stand
            .drive(&mut client, "await_answer", wait.clone(), &[])
            .await;
        let told = ended.fields(&["status", "decision", "feedback", "proceed", "channel"]);
        assert_eq!(
            told,
            json!({ "status": "accepted", "decision": "approve", "feedback": "Nice.",
                    "proceed": true, "channel": "inbox" })
        );
        // Asked for again, the record says the same.
        let again = stand.drive(&mut client, "await_answer", wait, &[]).await;
        assert_eq!(again.body, ended.body);
    }
}

#[tokio::test(start_paused = true)]
async fn an_ask_that_never_was_is_unknown() {
    let stand = stand().await;
    let arguments = json!({ "askId": AskId::new().to_string() });
    let ended = stand.run(Era::Legacy, "await_answer", arguments, &[]).await;
    assert!(ended.error);
    assert_eq!(ended.body["error"], "UNKNOWN_ASK");
}

#[tokio::test]
async fn the_answer_survives_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let journal = format!("sqlite:{}", folder.path().join("journal.db").display());
    let workspace = tempfile::tempdir().unwrap();
    let path = workspace.path().to_owned();
    let setup = |hold: u64| {
        let mut setup = StandSetup {
            inbox: true,
            journal: journal.clone(),
            tokio_clock: false,
            ..setup()
        };
        setup.settings.hold = Duration::from_millis(hold);
        setup
    };
    std::fs::create_dir_all(path.join("plans")).unwrap();
    std::fs::write(path.join("plans/login-plan.md"), "# Login\n").unwrap();
    let plan = json!({ "planSummary": "x", "phaseCount": 1, "planFile": "plans/login-plan.md" });
    let before = setup(200).stand_in(workspace).await;
    let mut client = Conversation::with(before.server.clone(), Era::Legacy, json!({})).await;
    let ended = before
        .drive(&mut client, "request_plan_approval", plan, &[])
        .await;
    let ask = ended.body["askId"].as_str().unwrap().to_owned();
    // Another process, for all that the journal knows: the plan has changed meanwhile.
    std::fs::write(path.join("plans/login-plan.md"), "# Login, and more\n").unwrap();
    reply(&before, &ask, json!({ "decision": "approve" })).await;
    let arguments = json!({ "askId": ask });
    let ended = before
        .drive(&mut client, "await_answer", arguments, &[])
        .await;
    assert_eq!(ended.body["proceed"], true);
    drop(client);
    let ToolStand {
        folder: workspace, ..
    } = before;
    let after = setup(200).stand_in(workspace).await;
    let mut client = Conversation::with(after.server.clone(), Era::Legacy, json!({})).await;
    let ended = after
        .drive(&mut client, "await_answer", json!({ "askId": ask }), &[])
        .await;
    assert_eq!(ended.body["proceed"], true);
}

#[tokio::test(start_paused = true)]
async fn waiting_for_an_answer_shows_signs_of_life() {
    let stand = stand().await;
    let mut client = Client::legacy(stand.server.clone(), json!({})).await;
    let confirm = json!({ "name": "elicit_confirm", "arguments": { "message": "Go?" } });
    let call = client.request("tools/call", confirm).await;
    let ask = client.answer(call).await["result"]["structuredContent"]["askId"].clone();
    let wait = json!({
        "name": "await_answer", "arguments": { "askId": ask, "waitSeconds": 25 },
        "_meta": { "progressToken": 1 },
    });
    client.request("tools/call", wait).await;
    for count in 1..=2 {
        let progress = client.next().await["params"].clone();
        assert_eq!(progress["progress"], f64::from(count), "{progress}");
        let words = "Waiting for a person's answer with `holdpoint inbox`";
        assert_eq!(progress["message"], words);
    }
    let pending = client.next().await;
    assert_eq!(pending["result"]["structuredContent"]["status"], "pending");
}

/// Whatever tool asked, each field of its result is named by the schema of the tool that waits for it.
#[tokio::test(start_paused = true)]
async fn the_schema_of_await_answer_names_every_field() {
    for era in ERAS {
        let stand = stand().await;
        let mut client = Conversation::with(stand.server.clone(), era, json!({})).await;
        let listed = client.request("tools/list", json!({})).await;
        let tools = listed["result"]["tools"].as_array().unwrap();
        let waits = tools.iter().find(|tool| tool["name"] == "await_answer");
        let schema = &waits.unwrap()["outputSchema"];
        assert_ne!(schema["additionalProperties"], false);
        let named = schema["properties"].as_object().unwrap();
        for common in [
            "status",
            "askId",
            "channel",
            "answeredBy",
            "durationMs",
            "proceed",
            "nextStep",
            "reason",
            "retryAfterSeconds",
            "url",
            "error",
            "message",
        ] {
            assert!(named[common]["type"].is_string(), "{common}: {schema}");
        }
        let asking = tools.iter().map(|tool| &tool["outputSchema"]["properties"]);
        for fields in asking.filter(|fields| fields.get("askId").is_some()) {
            for name in fields.as_object().unwrap().keys() {
                assert!(named.contains_key(name), "{name}: {schema}");
            }
        }
        assert!(
            named.get("decisions").is_none(),
            "of a tool that asks nobody: {schema}"
        );
        for (tool, arguments, content) in [
            (
                "elicit_choice",
                json!({ "message": "Which?", "options": ["a", "b"] }),
                json!({ "choice": "a" }),
            ),
            (
                "elicit_number",
                json!({ "message": "How many?" }),
                json!({ "value": 3 }),
            ),
            (
                "request_plan_approval",
                json!({ "planSummary": "x", "phaseCount": 1 }),
                json!({ "decision": "request_changes", "feedback": "Smaller." }),
            ),
        ] {
            let ended = stand.drive(&mut client, tool, arguments, &[]).await;
            assert_eq!(ended.body["status"], "pending", "{tool}");
            let ask = ended.body["askId"].as_str().unwrap().to_owned();
            reply(&stand, &ask, content).await;
            let wait = json!({ "askId": ask });
            let answer = stand.drive(&mut client, "await_answer", wait, &[]).await;
            assert_eq!(answer.body["status"], "accepted", "{tool}");
            for result in [&ended.body, &answer.body] {
                jsonschema::validate(schema, result).unwrap();
                for name in result.as_object().unwrap().keys() {
                    assert!(named.contains_key(name), "{tool}: {name}");
                }
            }
        }
    }
}
