//! Every tool, before clients that answer for their person. A new tool is not forgotten: one that is not
//! in the table fails.

use crate::tools_list::setup;
use holdpoint::{Outcome, Settings};
use holdpoint_testkit::{
    Conversation, ERAS, Era, StandSetup, Step, ToolStand, check_text_says_fields, form_capabilities,
};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// A tool, what it is called with, and whether it asks then.
fn tools() -> Vec<(&'static str, Value, bool)> {
    let choice = json!({ "message": "Which?", "options": ["a", "b"] });
    let fields = json!([{ "name": "sure", "kind": "confirm" }]);
    let plan = json!({ "planSummary": "Do it.", "phaseCount": 1, "openQuestions": [] });
    let commit = json!({ "phaseNumber": 1, "phaseSummary": "Done.", "commitMessage": "Do it" });
    let findings = json!([{ "severity": "MAJOR", "text": "It is wrong." }]);
    let review = json!({ "phaseNumber": 1, "findings": findings, "summary": "Failed." });
    vec![
        ("elicit_choice", choice, true),
        ("elicit_input", json!({ "message": "What?" }), true),
        ("elicit_confirm", json!({ "message": "Sure?" }), true),
        ("elicit_number", json!({ "message": "How many?" }), true),
        ("elicit_rating", json!({ "message": "How good?" }), true),
        (
            "elicit_form",
            json!({ "message": "All:", "fields": fields }),
            true,
        ),
        (
            "verify_understanding",
            json!({ "understanding": "All of it." }),
            true,
        ),
        ("await_answer", json!({ "askId": "none" }), false),
        ("request_plan_approval", plan, true),
        ("request_phase_commit_approval", commit, true),
        ("request_review_decision", review, true),
        ("record_phase_completion", json!({}), false),
        ("record_plan_completion", json!({}), false),
        ("plan_create", json!({}), true),
        ("elicit_plan_info", json!({}), true),
        ("plan_status", json!({}), false),
        ("plan_list", json!({}), false),
        ("plan_step_add", json!({}), false),
        ("plan_step_start", json!({}), false),
        ("plan_step_complete", json!({}), false),
        ("plan_step_skip", json!({}), false),
        ("plan_validate", json!({}), false),
        ("plan_history", json!({}), false),
        ("plan_checkpoint", json!({}), false),
        ("plan_restore", json!({}), false),
        ("onboarding", json!({ "action": "skip" }), true),
        ("search_decisions", json!({}), false),
        ("decision_stats", json!({}), false),
    ]
}

/// The most willing answer that a form allows: true, the first option, any text or number.
fn yes(asked: &Value) -> Map<String, Value> {
    let properties = asked["requestedSchema"]["properties"].as_object();
    let value = |schema: &Value| match schema["type"].as_str() {
        Some("boolean") => json!(true),
        Some("number" | "integer") => schema.get("minimum").cloned().unwrap_or(json!(1)),
        Some("array") => json!([schema["items"]["anyOf"][0]["const"]]),
        _ if schema["oneOf"].is_array() => schema["oneOf"][0]["const"].clone(),
        _ if schema["enum"].is_array() => schema["enum"][0].clone(),
        _ => json!("text"),
    };
    properties
        .into_iter()
        .flatten()
        .map(|(name, schema)| (name.clone(), value(schema)))
        .collect()
}

type MakeReply = fn(&Value) -> Value;

/// What a client says that answers for its person, made from the form that it was sent.
const REPLIES: [(&str, MakeReply); 6] = [
    (
        "a willing accept",
        |asked| json!({ "action": "accept", "content": yes(asked) }),
    ),
    (
        "an empty accept",
        |_| json!({ "action": "accept", "content": {} }),
    ),
    ("an accept", |_| json!({ "action": "accept" })),
    ("a decline", |_| json!({ "action": "decline" })),
    ("a cancel", |_| json!({ "action": "cancel" })),
    ("nothing", |_| Value::Null),
];

#[tokio::test(start_paused = true)]
async fn no_tool_takes_a_clients_own_answer_for_a_persons() {
    for era in ERAS {
        let stand = StandSetup {
            settings: Settings::default(),
            ..setup()
        };
        let stand = stand.stand().await;
        std::fs::create_dir(stand.path().join(".github")).unwrap();
        let file = stand.path().join(".github/copilot-instructions.md");
        std::fs::write(file, "- Use tabs.\n").unwrap();
        let mut client = Conversation::new(&stand, era).await;
        let listed = client.request("tools/list", json!({})).await;
        let mut known: Vec<_> = tools().into_iter().map(|(name, ..)| name).collect();
        let listed = listed["result"]["tools"].as_array().unwrap();
        let mut names: Vec<_> = listed.iter().map(|t| t["name"].as_str().unwrap()).collect();
        known.sort_unstable();
        names.sort_unstable();
        assert_eq!(names, known, "a tool that this test knows nothing of");

        for (tool, arguments, asks) in tools() {
            for (said, reply) in REPLIES {
                let at = format!("{tool}, {said}, {era:?}");
                let mut step = client.call(tool, arguments.clone()).await;
                assert_eq!(matches!(step, Step::Asked(_)), asks, "{at}");
                while let Step::Asked(asked) = step {
                    let reply = reply(&asked.params);
                    step = client.answer(asked, reply).await;
                }
                let done = step.done();
                check_text_says_fields(&done["result"]);
                assert_ne!(
                    done["result"]["structuredContent"]["proceed"], true,
                    "{at}: {done}"
                );
            }
        }
        for ask in stand.asks().await {
            let outcome = ask.decision.unwrap().outcome;
            let by_nobody = matches!(
                outcome,
                Outcome::Unreachable { .. } | Outcome::Invalid { .. }
            );
            assert!(by_nobody, "{}: {outcome:?}", ask.ask.message);
        }
    }
}

const SHORT: Duration = Duration::from_secs(180);

/// How a call can end: what the client can do, whether there is an inbox, and what comes back.
const ENDS: [(&str, bool, bool, MakeReply); 7] = [
    ("accepted", true, false, REPLIES[0].1),
    ("invalid", true, false, REPLIES[1].1),
    ("declined", true, false, REPLIES[3].1),
    ("cancelled", true, false, REPLIES[4].1),
    ("timed_out", true, false, |_| json!("never")),
    ("unreachable", false, false, |_| Value::Null),
    ("pending", false, true, |_| Value::Null),
];

/// The text is all that the models of some clients get.
#[tokio::test(start_paused = true)]
async fn the_text_says_everything_for_every_tool_and_outcome() {
    for (status, form, inbox, reply) in ENDS {
        for era in ERAS {
            let stand = StandSetup { inbox, ..setup() }.stand().await;
            let capabilities = if form { form_capabilities() } else { json!({}) };
            for (tool, mut arguments, asks) in tools() {
                let at = format!("{tool}, {status}, {era:?}");
                if asks && status == "timed_out" {
                    arguments["timeoutSeconds"] = SHORT.as_secs().into();
                }
                let mut client =
                    Conversation::with(stand.server.clone(), era, capabilities.clone()).await;
                let mut step = client.call(tool, arguments).await;
                while let Step::Asked(asked) = step {
                    step = match reply(&asked.params) {
                        Value::String(_) => after_the_deadline(&mut client, &stand, era).await,
                        reply => client.answer(asked, reply).await,
                    };
                }
                let result = step.done()["result"].clone();
                check_text_says_fields(&result);
                let told = &result["structuredContent"];
                if asks {
                    assert_eq!(told["status"], status, "{at}: {result}");
                } else {
                    assert_eq!(told["proceed"], false, "{at}: {result}");
                }
            }
        }
    }
}

/// What a call ends with where nobody answers in the time that it gave.
async fn after_the_deadline(client: &mut Conversation, stand: &ToolStand, era: Era) -> Step {
    if era == Era::Legacy {
        return client.wait_for_end().await;
    }
    tokio::time::advance(2 * SHORT).await;
    let asked = stand.asks().await.into_iter().map(|ask| ask.id).max();
    client.call("await_answer", json!({ "askId": asked })).await
}
