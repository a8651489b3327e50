//! Every tool of `elicit`, with every kind of answer.

use crate::setup;
use holdpoint_testkit::{Conversation, ERAS, Era, Step, accept, cancel, decline};
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
            "elicit_choice",
            json!({ "message": "Which key?", "options": options, "allowNote": true, "allowOther": true }),
            json!({ "choice": "am", "note": "But slower." }),
            json!({ "choice": "am", "note": "But slower." }),
        ),
        (
            "elicit_choice",
            json!({ "message": "Which keys?", "options": options, "allowNote": true, "multiple": true }),
            json!({ "choices": ["am"], "note": "" }),
            json!({ "choices": ["am"] }),
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
            "elicit_confirm",
            json!({ "message": "Deploy?", "allowNote": true }),
            json!({ "confirmed": true, "note": "Not on Friday." }),
            json!({ "confirmed": true, "note": "Not on Friday." }),
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
            "elicit_rating",
            json!({ "message": "How good?", "allowNote": true }),
            json!({ "rating": 2, "note": "Too loud." }),
            json!({ "rating": 2, "note": "Too loud." }),
        ),
        (
            "verify_understanding",
            json!({ "understanding": "Delete **nothing**.", "task": "Tidy up.", "assumptions": ["One", "Two"] }),
            json!({ "verdict": "right" }),
            json!({ "verdict": "right" }),
        ),
        (
            "elicit_form",
            json!({ "message": "A clip", "schema": schema() }),
            json!({ "name": "x", "mail": "a@example.org", "day": "2026-07-28", "tempo": 60.5, "takes": 2,
                    "go": true, "key": "am", "mode": "b", "tags": ["y"] }),
            json!({ "values": { "name": "x", "mail": "a@example.org", "day": "2026-07-28", "tempo": 60.5,
                    "takes": 2, "go": true, "key": "am", "mode": "b", "tags": ["y"] } }),
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

/// Everything that MCP's subset of JSON Schema has.
fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "title": "Name", "minLength": 1, "maxLength": 20 },
            "mail": { "type": "string", "format": "email", "description": "Where to" },
            "day": { "type": "string", "format": "date" },
            "tempo": { "type": "number", "minimum": 40, "maximum": 200 },
            "takes": { "type": "integer", "minimum": 1 },
            "go": { "type": "boolean" },
            "loud": { "type": "boolean", "default": false },
            "key": { "type": "string", "oneOf": [
                { "const": "am", "title": "A minor" }, { "const": "c", "title": "C" },
            ] },
            "mode": { "type": "string", "enum": ["a", "b"], "enumNames": ["A", "B"] },
            "tags": { "type": "array", "minItems": 1, "items": { "type": "string", "enum": ["x", "y"] } },
        },
        "required": ["name", "go", "key", "mode", "tags"],
    })
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
                "note",
                "verdict",
                "corrections",
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
                "mode",
                "verdict",
                "rating",
                "note",
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

#[tokio::test(start_paused = true)]
async fn a_note_is_no_answer() {
    let options = json!(["yes", "no"]);
    let cases = [
        ("elicit_confirm", json!({ "message": "Go?" })),
        (
            "elicit_confirm",
            json!({ "message": "Go?", "dangerous": true }),
        ),
        ("elicit_rating", json!({ "message": "Go?" })),
        (
            "elicit_choice",
            json!({ "message": "Go?", "options": options }),
        ),
        (
            "elicit_choice",
            json!({ "message": "Go?", "options": options, "multiple": true }),
        ),
    ];
    for era in ERAS {
        for (tool, arguments) in &cases {
            let mut arguments = arguments.clone();
            // Nobody has made room for one.
            let stand = setup().stand().await;
            let reply = accept(json!({ "note": "yes" }));
            let ended = stand
                .run(era, tool, arguments.clone(), &vec![reply; 3])
                .await;
            assert_eq!(ended.body["status"], "invalid", "{tool}");
            arguments["allowNote"] = true.into();
            for note in ["yes", "true", "5", "confirm"] {
                let stand = setup().stand().await;
                let reply = accept(json!({ "note": note }));
                let ended = stand
                    .run(era, tool, arguments.clone(), &vec![reply; 3])
                    .await;
                assert_eq!(ended.body["status"], "invalid", "{tool} {note}");
                assert_eq!(ended.body["proceed"], false);
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_no_with_a_note_is_declined() {
    let cases = ERAS.map(|era| [(era, false), (era, true)]);
    for (era, dangerous) in cases.into_iter().flatten() {
        let stand = setup().stand().await;
        let arguments = json!({ "message": "Deploy?", "allowNote": true, "dangerous": dangerous });
        // Of a client that presets: there a yes is typed.
        let mut client = Conversation::named(&stand, era, "nobody knows me").await;
        let asked = stand.asked(&mut client, "elicit_confirm", arguments).await;
        let no = accept(json!({ "confirmed": "No", "note": "yes, but on Monday" }));
        let step = client.answer(asked, no).await;
        let ended = stand.ended("elicit_confirm", step);
        assert_eq!(
            ended.fields(&["status", "confirmed", "proceed", "note"]),
            json!({ "status": "declined", "confirmed": false, "proceed": false, "note": "yes, but on Monday" })
        );
        assert!(ended.next().contains("said no"), "{}", ended.next());
    }
}

/// As clients that preset, sort or cannot leave a text empty show them.
#[tokio::test(start_paused = true)]
async fn notes_in_the_forms_of_known_clients() {
    let confirm = json!({ "message": "Go?", "allowNote": true });
    let rating = json!({ "message": "How good?", "allowNote": true });
    let options = json!(["a", "b"]);
    let choice = json!({ "message": "Which?", "options": options, "allowNote": true });
    for era in ERAS {
        for client in ["codex-mcp-client", "Visual Studio Code", "nobody knows me"] {
            for (tool, arguments, field) in [
                ("elicit_confirm", &confirm, "confirmed"),
                ("elicit_rating", &rating, "rating"),
                ("elicit_choice", &choice, "choice"),
            ] {
                let at = format!("{era:?} {client} {tool}");
                let fields = async |note: &str, answers: bool| {
                    let stand = setup().stand().await;
                    let mut client = Conversation::named(&stand, era, client).await;
                    let mut step = client.call(tool, arguments.clone()).await;
                    while let Step::Asked(asked) = step {
                        let shown = asked.properties().as_object().unwrap().clone();
                        let content = shown.iter().map(|(name, property)| {
                            let value = match property {
                                _ if name.ends_with("note") => json!(note),
                                // What an untouched form has: the first option, or nothing.
                                _ if !answers => first(property),
                                _ => last(property),
                            };
                            (name.clone(), value)
                        });
                        let content = Value::Object(content.collect());
                        step = client.answer(asked, accept(content)).await;
                    }
                    stand.ended(tool, step)
                };
                let ended = fields("A remark.", true).await;
                assert_eq!(ended.body["note"], "A remark.", "{at}: {}", ended.text);
                assert!(!ended.body[field].is_null(), "{at}: {}", ended.text);
                // A dash leaves it empty where a text cannot be.
                let empty = if client.starts_with("codex") { "-" } else { "" };
                let ended = fields(empty, true).await;
                assert!(ended.body.get("note").is_none(), "{at}: {}", ended.text);
                assert!(!ended.body[field].is_null(), "{at}: {}", ended.text);
                let ended = fields("yes", false).await;
                assert_eq!(ended.body["proceed"], false, "{at}: {}", ended.text);
                assert_eq!(ended.body["status"], "invalid", "{at}: {}", ended.text);
            }
        }
    }
}

/// The options of a property, as far as it has any.
fn options_of(property: &Value) -> Vec<Value> {
    match (&property["enum"], &property["oneOf"]) {
        (Value::Array(values), _) => values.clone(),
        (_, Value::Array(titled)) => titled.iter().map(|one| one["const"].clone()).collect(),
        _ => Vec::new(),
    }
}

fn first(property: &Value) -> Value {
    options_of(property).first().cloned().unwrap_or_default()
}

/// The last option, which nobody presets; of a number the least.
fn last(property: &Value) -> Value {
    let last = options_of(property).last().cloned();
    last.unwrap_or_else(|| property.get("minimum").cloned().unwrap_or(json!(true)))
}

/// The message says nothing of what this yes is to.
#[tokio::test(start_paused = true)]
async fn a_yes_among_other_fields_has_its_own_name() {
    let properties = json!({ "name": { "type": "string" }, "publish": { "type": "boolean" } });
    let fields =
        json!([{ "name": "name", "kind": "text" }, { "name": "publish", "kind": "confirm" }]);
    for era in ERAS {
        for arguments in [
            json!({ "message": "A clip", "schema": { "type": "object", "properties": properties } }),
            json!({ "message": "A clip", "fields": fields }),
        ] {
            let stand = setup().stand().await;
            let mut client = Conversation::new(&stand, era).await;
            let asked = stand.asked(&mut client, "elicit_form", arguments).await;
            assert_eq!(asked.properties()["publish"]["title"], "publish");
        }
    }
}
