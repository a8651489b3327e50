//! Attempts to get a yes that nobody gave.

use crate::setup;
use holdpoint::{ChannelKind, Reply, ReplyResult, Settings};
use holdpoint_testkit::{Conversation, ERAS, Era, StandSetup, accept};
use serde_json::{Value, json};
use std::time::Duration;

fn plan() -> Value {
    json!({ "planSummary": "Add a login page.", "phaseCount": 2 })
}

fn phase() -> Value {
    json!({ "phaseNumber": 1, "phaseSummary": "Done.", "commitMessage": "feat: login" })
}

fn review() -> Value {
    json!({ "phaseNumber": 1, "summary": "Bad.", "findings": [] })
}

#[tokio::test(start_paused = true)]
async fn only_the_word_itself_is_a_yes() {
    let cases = [
        ("request_plan_approval", plan()),
        ("request_phase_commit_approval", phase()),
        ("request_review_decision", review()),
    ];
    let wrong = [
        json!({ "decision": "Approve" }),
        json!({ "decision": "approve " }),
        json!({ "decision": true }),
        json!({ "decision": ["approve"] }),
        json!({ "decision": "✅ Approve - Start Implementation" }),
        json!({ "decision": null, "feedback": "approve" }),
        json!({ "decision": "" }),
        json!({ "approved": true }),
        json!({ "decision": "approve", "extra": 1 }),
        json!({ "decision": "commit_and_continue", "commitConfirmed": "maybe" }),
    ];
    for era in ERAS {
        for (tool, arguments) in &cases {
            for content in &wrong {
                let stand = setup().stand().await;
                let replies = vec![accept(content.clone()); 3];
                let ended = stand.run(era, tool, arguments.clone(), &replies).await;
                assert_eq!(ended.body["status"], "invalid", "{tool} {content}");
                assert_eq!(ended.body["proceed"], false);
                assert!(
                    ended.next().contains("nothing is approved"),
                    "{}",
                    ended.next()
                );
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_chosen_is_no_choice() {
    let arguments = json!({ "message": "Which?", "options": ["a", "b"], "multiple": true });
    for era in ERAS {
        let stand = setup().stand().await;
        let none = vec![accept(json!({ "choices": [] })); 3];
        let ended = stand
            .run(era, "elicit_choice", arguments.clone(), &none)
            .await;
        assert_eq!(ended.body["status"], "invalid");
    }
}

#[tokio::test(start_paused = true)]
async fn what_nobody_filled_in_is_no_yes() {
    let text = json!({ "name": "x", "kind": "text", "minLength": 0 });
    let moment = json!({ "name": "x", "kind": "date-time", "default": "2026-08-01T09:00:00Z" });
    let lines = json!({ "name": "x", "kind": "text", "multiline": true, "default": "a\nb" });
    let form = |field: Value| json!({ "message": "m", "fields": [field] });
    let schema = |property: Value| {
        let schema =
            json!({ "type": "object", "properties": { "x": property }, "required": ["x"] });
        json!({ "message": "m", "schema": schema })
    };
    let input = json!({ "message": "m", "fieldName": "x", "minLength": 0 });
    let cases = [
        ("elicit_form", form(text), json!("")),
        (
            "elicit_form",
            schema(json!({ "type": "string", "minLength": 0 })),
            json!(""),
        ),
        (
            "elicit_form",
            form(moment),
            json!("2026-08-01T09:00:00.000+00:00"),
        ),
        ("elicit_form", form(lines), json!("a\r\nb\n")),
        ("elicit_input", input, json!("")),
    ];
    for era in ERAS {
        for (tool, arguments, sent) in &cases {
            let stand = setup().stand().await;
            let reply = [accept(json!({ "x": sent }))];
            let ended = stand.run(era, tool, arguments.clone(), &reply).await;
            assert_eq!(
                ended.body["proceed"], false,
                "{tool} {arguments} {}",
                ended.body
            );
        }
    }
}

/// A client that sends back what was filled in, as some do without showing anything.
fn autopilot(schema: &Value) -> Value {
    let properties = schema["properties"].as_object().unwrap();
    let filled = properties
        .iter()
        .filter_map(|(name, rules)| Some((name.clone(), rules.get("default")?.clone())));
    Value::Object(filled.collect())
}

#[tokio::test(start_paused = true)]
async fn what_was_filled_in_is_no_yes() {
    let form = json!({ "message": "Go?", "fields": [
        { "name": "a", "kind": "text", "default": "x" },
        { "name": "b", "kind": "toggle", "default": true },
        { "name": "c", "kind": "choice", "options": ["yes", "no"], "default": "yes" },
        { "name": "d", "kind": "choices", "options": ["yes", "no"], "default": ["yes"] },
        { "name": "e", "kind": "number", "default": 1 },
        { "name": "f", "kind": "integer", "default": 1 },
        { "name": "g", "kind": "date", "default": "2026-07-28" },
    ] });
    let mut unticked = form.clone();
    let confirm = json!({ "name": "h", "kind": "confirm", "required": false });
    unticked["fields"].as_array_mut().unwrap().push(confirm);
    let optional = json!({ "message": "Go?", "fields": [
        { "name": "a", "kind": "text", "required": false },
        { "name": "b", "kind": "toggle", "required": false },
    ] });
    let cases = [
        (
            "elicit_input",
            json!({ "message": "Go?", "default": "yes" }),
        ),
        ("elicit_number", json!({ "message": "Go?", "default": 1 })),
        ("elicit_form", form),
        ("elicit_form", unticked),
        ("elicit_form", optional),
        (
            "elicit_form",
            json!({ "message": "Go?", "schema": { "type": "object", "properties": {
                "a": { "type": "string", "default": "x" },
                "b": { "type": "boolean", "default": true },
                "c": { "type": "string", "enum": ["yes", "no"], "default": "yes" },
                "d": { "type": "array", "items": { "type": "string", "enum": ["yes"] }, "default": ["yes"] },
                "e": { "type": "boolean" },
            } } }),
        ),
        (
            "verify_understanding",
            json!({ "understanding": "All of it." }),
        ),
        ("elicit_confirm", json!({ "message": "Go?" })),
        (
            "elicit_choice",
            json!({ "message": "Go?", "options": ["yes", "no"], "recommended": "yes" }),
        ),
        (
            "elicit_choice",
            json!({ "message": "Go?", "options": ["yes", "no"], "multiple": true }),
        ),
        ("elicit_rating", json!({ "message": "Go?" })),
        ("request_plan_approval", plan()),
        ("request_phase_commit_approval", phase()),
        ("request_review_decision", review()),
    ];
    for era in ERAS {
        for (tool, arguments) in &cases {
            let stand = setup().stand().await;
            let mut client = Conversation::new(&stand, era).await;
            let mut step = client.call(tool, arguments.clone()).await;
            for _ in 0..3 {
                if let holdpoint_testkit::Step::Asked(asked) = step {
                    let filled = autopilot(&asked.params["requestedSchema"]);
                    step = client.answer(asked, accept(filled)).await;
                }
            }
            let ended = stand.ended(tool, step);
            assert_eq!(ended.body["proceed"], false, "{era:?} {tool} {arguments}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_form_with_a_no_in_it_is_no_yes() {
    let arguments = json!({ "message": "Go?", "fields": [
        { "name": "name", "kind": "text" }, { "name": "go", "kind": "confirm", "required": false },
    ] });
    for era in ERAS {
        for answer in [json!({ "name": "x", "go": false }), json!({ "name": "x" })] {
            let stand = setup().stand().await;
            let reply = accept(answer.clone());
            let ended = stand
                .run(era, "elicit_form", arguments.clone(), &[reply])
                .await;
            assert_eq!(ended.body["status"], "accepted");
            assert_eq!(ended.body["proceed"], false, "{answer}");
            assert!(
                ended.next().contains("did not say yes to go"),
                "{}",
                ended.next()
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_late_yes_after_the_deadline_changes_nothing() {
    let stand = setup().stand().await;
    let mut client = Conversation::new(&stand, Era::Modern).await;
    let asked = stand
        .asked(&mut client, "request_plan_approval", plan())
        .await;
    tokio::time::sleep(Duration::from_secs(86_401)).await;
    let step = client
        .answer(asked, accept(json!({ "decision": "approve" })))
        .await;
    let ended = stand.ended("request_plan_approval", step);
    assert_eq!(ended.body["status"], "timed_out");
}

#[tokio::test(start_paused = true)]
async fn of_two_answers_the_first_counts() {
    let setup = StandSetup {
        inbox: true,
        ..setup()
    };
    let stand = setup.stand().await;
    let mut client = Conversation::new(&stand, Era::Modern).await;
    let asked = stand
        .asked(&mut client, "request_plan_approval", plan())
        .await;
    let id = stand.asks().await[0].id;
    let from = holdpoint::testing::person(ChannelKind::Inbox, Some("ada"));
    let no = Reply::Accept {
        content: json!({ "decision": "cancel" }).as_object().unwrap().clone(),
    };
    let taken = stand.desk.reply(id, from, no).await.unwrap();
    assert!(matches!(taken, ReplyResult::Settled(_)));
    let step = client
        .answer(asked, accept(json!({ "decision": "approve" })))
        .await;
    let ended = stand.ended("request_plan_approval", step);
    let told = ended.fields(&["decision", "channel", "answeredBy", "proceed"]);
    assert_eq!(
        told,
        json!({ "decision": "cancel", "channel": "inbox", "answeredBy": "ada", "proceed": false })
    );
}

#[tokio::test(start_paused = true)]
async fn a_dangerous_yes_faster_than_a_person_is_none() {
    for era in ERAS {
        let setup = StandSetup {
            settings: Settings::default(),
            ..setup()
        };
        let stand = setup.stand().await;
        let arguments = json!({ "message": "Drop it?", "dangerous": true });
        let yes = accept(json!({ "confirmed": true }));
        let ended = stand.run(era, "elicit_confirm", arguments, &[yes]).await;
        assert_eq!(ended.body["status"], "unreachable");
    }
}
