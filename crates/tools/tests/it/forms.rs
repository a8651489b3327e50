//! The three forms of a Conductor as clients get them, in both eras.

use crate::setup;
use holdpoint_testkit::{Asked, Conversation, ERAS, Era, Step, accept};
use serde_json::{Map, Value, json};

/// A client that selects nothing, one that selects the first option, one that is not known.
const CLIENTS: [&str; 3] = ["mcpdo", "Visual Studio Code", "nobody knows me"];

/// The tools, with what they are called with and the texts that their forms ask for.
fn forms() -> [(&'static str, Value, &'static [&'static str]); 3] {
    [
        (
            "request_plan_approval",
            json!({
                "planSummary": "Adds a login page.", "phaseCount": 3,
                "openQuestions": ["Which store? Memory / SQLite", "How long is a session good?"],
            }),
            &["feedback", "answer_2"],
        ),
        (
            "request_phase_commit_approval",
            json!({ "phaseNumber": 1, "phaseSummary": "Done.", "commitMessage": "feat: login" }),
            &["revisionNotes"],
        ),
        (
            "request_review_decision",
            json!({ "phaseNumber": 1, "summary": "Bad.", "findings": [] }),
            &["notes"],
        ),
    ]
}

/// Each form, as each of the clients gets it in each era.
async fn each(
    mut check: impl AsyncFnMut(&'static str, &'static [&'static str], Conversation, Asked),
) {
    for era in ERAS {
        for client in CLIENTS {
            for (tool, arguments, texts) in forms() {
                let stand = setup().stand().await;
                let mut client = Conversation::named(&stand, era, client).await;
                let asked = stand.asked(&mut client, tool, arguments).await;
                check(tool, texts, client, asked).await;
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn every_field_has_a_title_and_a_description() {
    each(async |tool, texts, _, asked| {
        let fields = asked.properties().as_object().unwrap();
        for (name, field) in fields {
            for key in ["title", "description"] {
                let said = field[key].as_str().unwrap_or_default();
                assert!(said.len() > 4, "{tool} {name} has no {key}: {field}");
                // Claude Code shows forms of short lines only.
                assert!(said.chars().count() <= 72, "{tool} {name}: {said}");
            }
            let default = field.get("default");
            match name.as_str() {
                "commitConfirmed" => assert_eq!(default, Some(&json!(false))),
                text if texts.contains(&text) => assert_eq!(default, Some(&json!("")), "{name}"),
                _ => assert_eq!(default, None, "{tool} {name} decides"),
            }
        }
        for text in texts {
            assert!(fields.contains_key(*text), "{tool} {text}");
            assert_eq!(fields[*text]["maxLength"], 1000);
        }
        if tool == "request_phase_commit_approval" {
            let said = fields["commitConfirmed"]["description"].as_str().unwrap();
            assert_eq!(said, "I have run git commit with the proposed message.");
        }
        assert_eq!(
            asked.params["requestedSchema"]["required"],
            json!(["decision"])
        );
    })
    .await;
}

/// Claude Code shows forms of short lines only: what explains a field must not cost it the form.
#[tokio::test(start_paused = true)]
async fn a_client_with_narrow_forms_still_gets_them() {
    for era in ERAS {
        let stand = setup().stand().await;
        let mut claude = Conversation::named(&stand, era, "claude-code").await;
        let small = json!({ "planSummary": "Rename the crate.", "phaseCount": 1 });
        let asked = stand
            .asked(&mut claude, "request_plan_approval", small)
            .await;
        assert_eq!(asked.properties()["feedback"]["default"], "");
    }
}

/// What a client has in a form that nobody touched: defaults, and where it selects, the first option.
fn untouched(fields: &Value, selects: bool) -> Value {
    let mut content = Map::new();
    for (name, field) in fields.as_object().unwrap() {
        let first = field["oneOf"][0].get("const").or(field["enum"].get(0));
        let first = first.filter(|_| selects);
        if let Some(value) = field.get("default").or(first) {
            content.insert(name.clone(), value.clone());
        }
    }
    content.into()
}

#[tokio::test(start_paused = true)]
async fn a_form_that_nobody_touched_approves_nothing() {
    each(async |tool, _, mut client, asked| {
        let selects = asked.properties()["decision"]
            .to_string()
            .contains("Not decided yet");
        let mut step = Step::Asked(asked);
        for _ in 0..3 {
            if let Step::Asked(asked) = step {
                let content = untouched(asked.properties(), selects);
                assert!(
                    content
                        .as_object()
                        .unwrap()
                        .values()
                        .any(|value| value == "")
                );
                step = client.answer(asked, accept(content)).await;
            }
        }
        let result = step.done();
        let fields = &result["result"]["structuredContent"];
        assert_eq!(fields["proceed"], false, "{tool}: {result}");
        assert_ne!(fields["status"], "accepted", "{tool}: {result}");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_client_that_cannot_leave_a_text_empty_is_not_told_that_it_starts_empty() {
    let stand = setup().stand().await;
    let mut codex = Conversation::named(&stand, Era::Legacy, "codex-mcp-client").await;
    let (tool, arguments, _) = forms().into_iter().next().unwrap();
    let asked = codex.call(tool, arguments).await.asked();
    assert!(!asked.params.to_string().contains("\"default\":"));
    let changes = json!({ "01_decision": "request_changes", "02_answer_1": "Not decided yet" });
    let asked = codex.answer(asked, accept(changes)).await.asked();
    let fields = asked.properties().as_object().unwrap();
    assert_eq!(fields.len(), 2, "{fields:?}");
    assert!(fields.values().all(|field| field.get("default").is_none()));
    // A dash leaves it empty: nothing was said then.
    let dashes = fields
        .keys()
        .map(|name| (name.clone(), json!("-")))
        .collect();
    let result = codex.answer(asked, accept(dashes)).await.done();
    let next = result["result"]["structuredContent"]["nextStep"]
        .as_str()
        .unwrap();
    assert!(next.contains("no feedback was given"), "{next}");
}
