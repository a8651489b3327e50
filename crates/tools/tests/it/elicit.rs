//! Every tool of `elicit`, with every kind of answer.

use crate::setup;
use holdpoint_testkit::{Conversation, ERAS, Era, accept, cancel, decline};
use serde_json::{Value, json};

/// A tool with arguments that it takes, an answer that it takes, and what the agent is told then.
fn cases() -> Vec<(&'static str, Value, Value, Value)> {
    let options = json!([{ "value": "am", "label": "A minor" }, "C"]);
    vec![
        (
            "elicit_choice",
            json!({ "message": "Which key?", "options": options, "recommended": "am" }),
            json!({ "choice": "am" }),
            json!({ "choice": "am" }),
        ),
        (
            "elicit_choice",
            json!({ "message": "Which keys?", "options": options, "multiple": true }),
            json!({ "choices": ["C", "am"] }),
            json!({ "choices": ["am", "C"] }),
        ),
        (
            "elicit_choice",
            json!({ "message": "Which key?", "options": options, "allowOther": true }),
            json!({ "choice": "other", "choice_other": "F sharp" }),
            json!({ "other": "F sharp" }),
        ),
        (
            "elicit_choice",
            json!({ "message": "Which keys?", "options": options, "allowOther": true, "multiple": true }),
            json!({ "choices": ["C"], "choices_other": "F" }),
            json!({ "choices": ["C"], "other": "F" }),
        ),
        (
            "elicit_input",
            json!({ "message": "Name?", "fieldName": "name", "maxLength": 20, "pattern": "[a-z]+" }),
            json!({ "name": "intro" }),
            json!({ "value": "intro" }),
        ),
        (
            "elicit_input",
            json!({ "message": "Mail?", "format": "email", "default": "a@example.org" }),
            json!({ "value": "b@example.org" }),
            json!({ "value": "b@example.org" }),
        ),
        (
            "elicit_confirm",
            json!({ "message": "Delete 5 clips?", "details": "- a\n- b", "dangerous": true }),
            json!({ "confirmed": true }),
            json!({ "confirmed": true }),
        ),
        (
            "elicit_number",
            json!({ "message": "Tempo?", "min": 40, "max": 200, "unit": "BPM", "default": 120 }),
            json!({ "value": 90.5 }),
            json!({ "value": 90.5 }),
        ),
        (
            "elicit_number",
            json!({ "message": "How many?", "integer": true, "min": 0.0, "step": 2 }),
            json!({ "value": 4.0 }),
            json!({ "value": 4 }),
        ),
        (
            "elicit_rating",
            json!({ "message": "How good?", "lowLabel": "poor", "highLabel": "great" }),
            json!({ "rating": 4 }),
            json!({ "rating": 4 }),
        ),
        (
            "elicit_form",
            json!({ "message": "A clip", "fields": [
                { "name": "name", "kind": "text", "title": "Name" },
                { "name": "loud", "kind": "toggle", "default": false, "required": false },
                { "name": "go", "kind": "confirm" },
                { "name": "key", "kind": "choice", "options": ["C", "Am"], "recommended": "C" },
                { "name": "tags", "kind": "choices", "options": ["a", "b"], "min": 1, "max": 2 },
                { "name": "tempo", "kind": "number", "min": 40, "max": 200 },
                { "name": "takes", "kind": "integer", "min": 1 },
                { "name": "stars", "kind": "rating", "max": 3 },
                { "name": "day", "kind": "date", "min": "2026-01-01" },
                { "name": "at", "kind": "date-time", "required": false },
            ] }),
            json!({ "name": "x", "go": true, "key": "Am", "tags": ["b"], "tempo": 60, "takes": 2,
                    "stars": 3, "day": "2026-07-28" }),
            json!({ "values": { "name": "x", "go": true, "key": "Am", "tags": ["b"], "tempo": 60,
                    "takes": 2, "stars": 3, "day": "2026-07-28" } }),
        ),
    ]
}

#[tokio::test(start_paused = true)]
async fn an_answer_comes_back_as_the_tools_own_fields() {
    for era in ERAS {
        for (tool, arguments, answer, wanted) in cases() {
            let stand = setup().stand().await;
            let ended = stand.run(era, tool, arguments, &[accept(answer)]).await;
            let told = ended.fields(&["status", "channel", "answeredBy", "proceed"]);
            let by = "mcpdo-test-client 1.0";
            assert_eq!(
                told,
                json!({ "status": "accepted", "channel": "client", "answeredBy": by, "proceed": true }),
                "{tool}"
            );
            for (name, value) in wanted.as_object().unwrap() {
                assert_eq!(ended.body[name], *value, "{tool} {name}");
                // Not every client hands the structured part to its model.
                assert!(
                    ended.text.contains(&format!("{name}: {value}")),
                    "{}",
                    ended.text
                );
            }
            let others = [
                "choice",
                "choices",
                "other",
                "value",
                "confirmed",
                "rating",
                "values",
            ];
            for name in others.iter().filter(|name| wanted.get(name).is_none()) {
                assert!(ended.body.get(name).is_none(), "{tool} {name}");
            }
            assert_eq!(ended.body["askId"], stand.asks().await[0].id.to_string());
            assert!(ended.body["durationMs"].is_u64());
        }
    }
}

#[tokio::test(start_paused = true)]
async fn every_other_answer_is_passed_on_and_is_no_yes() {
    let empty = || accept(json!({}));
    for era in ERAS {
        for (tool, arguments, ..) in cases() {
            let check = async |replies: &[Value], status: &str, next: &str| {
                let stand = setup().stand().await;
                let ended = stand.run(era, tool, arguments.clone(), replies).await;
                assert_eq!(ended.body["status"], status, "{tool}");
                assert_eq!(ended.body["proceed"], false, "{tool}");
                assert!(ended.next().contains(next), "{tool}: {}", ended.next());
            };
            check(&[decline()], "declined", "said no").await;
            check(&[cancel()], "cancelled", "wait").await;
            check(&[empty(), empty(), empty()], "invalid", "plain words").await;
            let garbled = json!({ "action": "accept", "content": "yes" });
            let wrong = accept(json!({ "nonsense": true }));
            let unknown = json!({ "action": "approve" });
            check(&[garbled, wrong, unknown], "invalid", "plain words").await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_wrong_answer_can_be_put_right() {
    for era in ERAS {
        for (tool, arguments, answer, _) in cases() {
            let stand = setup().stand().await;
            let mut client = Conversation::new(&stand, era).await;
            let asked = stand.asked(&mut client, tool, arguments).await;
            let asked = client.answer(asked, accept(json!({}))).await.asked();
            assert!(
                asked
                    .message()
                    .starts_with("The last answer could not be accepted:")
            );
            let step = client.answer(asked, accept(answer)).await;
            assert_eq!(stand.ended(tool, step).body["proceed"], true, "{tool}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_that_asks_nobody_reaches_nobody() {
    for era in ERAS {
        for (tool, arguments, ..) in cases() {
            let stand = setup().stand().await;
            let mut client = Conversation::with(stand.server.clone(), era, json!({})).await;
            let ended = stand.drive(&mut client, tool, arguments, &[]).await;
            assert_eq!(ended.body["status"], "unreachable", "{tool}");
            assert!(ended.next().contains("tell the person"), "{}", ended.next());
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_no_is_declined() {
    for era in ERAS {
        let stand = setup().stand().await;
        let arguments = json!({ "message": "Deploy?" });
        let no = accept(json!({ "confirmed": false }));
        let ended = stand.run(era, "elicit_confirm", arguments, &[no]).await;
        let told = ended.fields(&["status", "confirmed", "proceed"]);
        assert_eq!(
            told,
            json!({ "status": "declined", "confirmed": false, "proceed": false })
        );
    }
}

#[tokio::test(start_paused = true)]
async fn nobody_answers_in_time() {
    for (seconds, waited) in [(Some(1), 5), (Some(60), 60), (None, 300), (Some(0), 5)] {
        let stand = setup().stand().await;
        let mut client = Conversation::new(&stand, Era::Legacy).await;
        let arguments = json!({ "message": "Deploy?", "timeoutSeconds": seconds });
        let asked = stand.asked(&mut client, "elicit_confirm", arguments).await;
        drop(asked);
        let begun = tokio::time::Instant::now();
        let step = client.wait_for_end().await;
        assert_eq!(begun.elapsed().as_secs(), waited);
        let ended = stand.ended("elicit_confirm", step);
        assert_eq!(ended.body["status"], "timed_out");
        assert!(ended.next().contains("do not ask again in a loop"));
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_that_decides_is_filled_in() {
    for era in ERAS {
        for (tool, arguments, ..) in cases() {
            let stand = setup().stand().await;
            let mut client = Conversation::new(&stand, era).await;
            let asked = stand.asked(&mut client, tool, arguments).await;
            for name in [
                "choice",
                "choices",
                "confirmed",
                "go",
                "key",
                "tags",
                "rating",
            ] {
                assert!(
                    asked.properties()[name].get("default").is_none(),
                    "{tool} {name}"
                );
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_file_goes_past_the_clients_form() {
    let stand = setup().stand().await;
    let fields = json!([{ "name": "take", "kind": "file", "accept": [".wav"] }]);
    let arguments = json!({ "message": "Which take?", "fields": fields });
    let ended = stand.run(Era::Legacy, "elicit_form", arguments, &[]).await;
    assert_eq!(ended.body["status"], "unreachable");
}
