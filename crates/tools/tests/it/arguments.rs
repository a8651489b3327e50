//! Arguments that do not fit: the agent is told which, nobody is asked, nothing is stored.

use crate::setup;
use holdpoint::Settings;
use holdpoint_testkit::{Conversation, ERAS, Era, StandSetup};
use serde_json::{Value, json};

async fn check(tool: &str, arguments: Value, wanted: &str) {
    let stand = setup().stand().await;
    let ended = stand.run(Era::Legacy, tool, arguments, &[]).await;
    assert!(ended.error, "{tool}: {}", ended.text);
    assert!(ended.message().contains(wanted), "{tool}: {}", ended.text);
    assert_eq!(ended.body["proceed"], false);
    assert!(ended.body["error"].is_string());
    assert_eq!(stand.desk.journal().head().await.unwrap(), 0, "{tool}");
}

#[tokio::test(start_paused = true)]
async fn a_wrong_argument_is_named() {
    let yes = |more: Value| {
        let mut arguments = json!({ "message": "Go?" });
        arguments
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        arguments
    };
    check("elicit_confirm", json!({}), "`message` is missing: string").await;
    check(
        "elicit_confirm",
        json!({ "message": 5 }),
        "`message`: invalid type: integer `5`",
    )
    .await;
    check(
        "elicit_confirm",
        json!({ "mesage": "Go?" }),
        "did you mean `message`?",
    )
    .await;
    check(
        "elicit_confirm",
        json!({ "message": "  " }),
        "message is empty",
    )
    .await;
    check(
        "elicit_confirm",
        yes(json!({ "timeoutSeconds": -1 })),
        "`timeoutSeconds`",
    )
    .await;
    check(
        "elicit_confirm",
        yes(json!({ "dangerous": "yes" })),
        "`dangerous`",
    )
    .await;
    check(
        "elicit_choice",
        yes(json!({})),
        "`options` is missing: array",
    )
    .await;
    check(
        "elicit_choice",
        yes(json!({ "options": [] })),
        "has no options",
    )
    .await;
    check(
        "elicit_choice",
        yes(json!({ "options": ["a", "a"] })),
        "twice",
    )
    .await;
    check(
        "elicit_choice",
        yes(json!({ "options": ["a", 1] })),
        "`options[1]`: invalid type: integer `1`, expected a string, or an object",
    )
    .await;
    check(
        "elicit_choice",
        yes(json!({ "options": [{ "value": "a", "text": "A" }] })),
        "unknown field `text`, expected one of `value`, `label`, `description`",
    )
    .await;
    check(
        "elicit_choice",
        yes(json!({ "options": ["a", "b"], "recommended": "c" })),
        "`recommended`: \"c\" is not the value of an option",
    )
    .await;
    check(
        "elicit_input",
        yes(json!({ "pattern": "(" })),
        "pattern that cannot be used",
    )
    .await;
    check(
        "elicit_input",
        yes(json!({ "format": "phone" })),
        "`format`: unknown variant",
    )
    .await;
    check(
        "elicit_input",
        yes(json!({ "default": "ab", "maxLength": 1 })),
        "default",
    )
    .await;
    check(
        "elicit_number",
        yes(json!({ "min": 2, "max": 1 })),
        "min above its max",
    )
    .await;
    check(
        "elicit_number",
        yes(json!({ "integer": true, "min": 1.5 })),
        "`min`",
    )
    .await;
    check("elicit_rating", yes(json!({ "max": 0 })), "rating").await;
    check(
        "elicit_confirm",
        yes(json!({ "allowNote": "yes" })),
        "`allowNote`",
    )
    .await;
    check(
        "verify_understanding",
        json!({ "understanding": " " }),
        "`understanding`: expected some text",
    )
    .await;
    check(
        "verify_understanding",
        json!({ "understanding": "x", "assumptions": "y" }),
        "`assumptions`",
    )
    .await;
    check(
        "await_answer",
        json!({ "askId": "x" }),
        "`askId`: expected the askId",
    )
    .await;
    check(
        "request_plan_approval",
        json!({ "planSummary": "x" }),
        "`phaseCount` is missing",
    )
    .await;
    check(
        "request_plan_approval",
        json!({ "planSummary": " ", "phaseCount": 1 }),
        "`planSummary`: expected some text",
    )
    .await;
    check(
        "request_plan_approval",
        json!({ "planSummary": "x", "phaseCount": 1, "openQuestions": ["a?", " "] }),
        "`openQuestions[1]`",
    )
    .await;
    check(
        "request_review_decision",
        json!({ "phaseNumber": 1, "summary": "x", "findings": [{ "severity": "BAD", "text": "x" }] }),
        "`findings[0].severity`: unknown variant `BAD`, expected one of `CRITICAL`, `MAJOR`, `MINOR`",
    )
    .await;
    check(
        "record_plan_completion",
        json!({ "planName": "x", "outcome": "done", "summary": "x" }),
        "expected `completed` or `aborted`",
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_wrong_field_is_named() {
    let check = async |field: Value, wanted: &str| {
        let arguments =
            json!({ "message": "x", "fields": [{ "name": "a", "kind": "text" }, field] });
        check("elicit_form", arguments, wanted).await;
    };
    check(
        json!({ "name": "b" }),
        "`fields[1].kind` is missing: one of text, toggle",
    )
    .await;
    check(
        json!({ "kind": "text" }),
        "`fields[1]`: missing field `name`",
    )
    .await;
    check(
        json!({ "name": "b", "kind": "secret" }),
        "secrets cannot be asked for",
    )
    .await;
    check(
        json!({ "name": "b", "kind": "password" }),
        "secrets cannot be asked for",
    )
    .await;
    check(
        json!({ "name": "b", "kind": "link" }),
        "is not a kind of field",
    )
    .await;
    check(
        json!({ "name": "b", "kind": "numbr" }),
        "did you mean number?",
    )
    .await;
    check(json!({ "name": "b", "kind": 1 }), "expected one of text").await;
    check(
        json!({ "name": "b", "kind": "text", "min_length": 1 }),
        "did you mean `minLength`? (kind text)",
    )
    .await;
    check(
        json!({ "name": "b", "kind": "confirm", "default": true }),
        "`fields[1].default` is not known",
    )
    .await;
    check(
        json!({ "name": "b", "kind": "number", "min": "x" }),
        "`fields[1].min`",
    )
    .await;
    check(
        json!({ "name": "b", "kind": "choice" }),
        "missing field `options`",
    )
    .await;
    check(
        json!({ "name": "b", "kind": "choice", "options": [1] }),
        "`fields[1].options[0]`",
    )
    .await;
    check(json!({ "name": "a", "kind": "text" }), "appears twice").await;
    check(json!("name"), "`fields[1]`: invalid type").await;
}

#[tokio::test(start_paused = true)]
async fn a_wrong_schema_is_named() {
    let of = |schema: Value| json!({ "message": "x", "schema": schema });
    check(
        "elicit_form",
        json!({ "message": "x" }),
        "`fields` is missing",
    )
    .await;
    let both = json!({ "message": "x", "fields": [], "schema": {} });
    check(
        "elicit_form",
        both,
        "`schema` is given together with `fields`",
    )
    .await;
    check("elicit_form", of(json!("text")), "`schema`: invalid type").await;
    for (schema, wanted) in [
        (
            json!({}),
            "`schema`: it must have the type \"object\"; a property is a string",
        ),
        (json!({ "type": "object" }), "must have properties"),
        (
            json!({ "type": "object", "properties": {} }),
            "at least one field",
        ),
        (
            json!({ "type": "object", "properties": {}, "anyOf": [] }),
            "cannot have \"anyOf\"",
        ),
        (
            json!({ "type": "object", "properties": { "a": { "type": "string" } }, "required": ["b"] }),
            "requires \"b\"",
        ),
    ] {
        check("elicit_form", of(schema), wanted).await;
    }
    let check = async |property: Value, wanted: &str| {
        let properties = json!({ "a": { "type": "string" }, "it": property });
        let schema = json!({ "type": "object", "properties": properties });
        let wanted = format!("`schema.properties.it`: {wanted}");
        check("elicit_form", of(schema), &wanted).await;
    };
    check(
        json!({ "type": "object", "properties": {} }),
        "it is an object: a form must be flat; a property is a string",
    )
    .await;
    check(json!({ "type": "null" }), "it has the type \"null\"").await;
    check(json!({ "enum": ["a"] }), "it has no type").await;
    check(
        json!({ "type": "string", "$ref": "#/x" }),
        "it cannot have \"$ref\"",
    )
    .await;
    check(
        json!({ "type": "string", "format": "ipv4" }),
        "it has the format \"ipv4\"; MCP allows email, uri, date and date-time",
    )
    .await;
    check(
        json!({ "type": "array", "items": { "type": "string" } }),
        "it is a list of arbitrary values",
    )
    .await;
    check(
        json!({ "type": "integer", "minimum": 2, "maximum": 1 }),
        "it has a min above its max",
    )
    .await;
    check(
        json!({ "type": "string", "enum": ["a"], "default": "b" }),
        "it has a default that is not one of its options",
    )
    .await;
    check(
        json!({ "type": "string", "format": "password" }),
        "secrets cannot be asked for",
    )
    .await;
    check(json!("string"), "it must be a schema").await;
}

#[tokio::test(start_paused = true)]
async fn a_secret_is_known_by_its_name() {
    for name in ["password", "apiKey", "GITHUB_TOKEN", "client-secret"] {
        let field = json!({ "name": name, "kind": "text" });
        let fields = json!({ "message": "x", "fields": [field] });
        check(
            "elicit_form",
            fields,
            "`fields[0].name`: secrets cannot be asked for",
        )
        .await;
        let properties = json!({ name: { "type": "string" } });
        let schema = json!({ "type": "object", "properties": properties });
        let schema = json!({ "message": "x", "schema": schema });
        let wanted = format!("`schema.properties.{name}`: secrets cannot be asked for");
        check("elicit_form", schema, &wanted).await;
    }
}

#[tokio::test(start_paused = true)]
async fn limits_are_told() {
    let long = "x".repeat(64 * 1024 + 1);
    check(
        "elicit_confirm",
        json!({ "message": long }),
        "at most 65536",
    )
    .await;
    check(
        "elicit_confirm",
        json!({ "message": "a", "details": long }),
        "at most 65536",
    )
    .await;
    let options: Vec<_> = (0..201).map(|n| n.to_string()).collect();
    check(
        "elicit_choice",
        json!({ "message": "a", "options": options }),
        "at most 200",
    )
    .await;
    let fields: Vec<_> = (0..21)
        .map(|n| json!({ "name": format!("f{n}"), "kind": "text" }))
        .collect();
    check(
        "elicit_form",
        json!({ "message": "a", "fields": fields }),
        "at most 20",
    )
    .await;
    check(
        "elicit_form",
        json!({ "message": "a", "fields": [] }),
        "at least one field",
    )
    .await;
    let questions: Vec<_> = (0..19).map(|n| format!("Question {n}?")).collect();
    let plan = json!({ "planSummary": "x", "phaseCount": 1, "openQuestions": questions });
    check("request_plan_approval", plan, "at most 20").await;
    let plan = json!({ "planSummary": long, "phaseCount": 1 });
    check("request_plan_approval", plan, "at most 65536").await;
    let phase = json!({ "phaseNumber": 1, "phaseSummary": "x", "commitMessage": long });
    check("request_phase_commit_approval", phase, "at most 65536").await;
}

#[tokio::test(start_paused = true)]
async fn too_many_open_asks_are_refused() {
    let setup = StandSetup {
        settings: Settings::default().max_open_asks(1),
        ..setup()
    };
    let stand = setup.stand().await;
    let mut one = Conversation::new(&stand, Era::Legacy).await;
    let arguments = json!({ "message": "Go?" });
    let _open = stand
        .asked(&mut one, "elicit_confirm", arguments.clone())
        .await;
    let ended = stand
        .run(Era::Legacy, "elicit_confirm", arguments, &[])
        .await;
    assert!(
        ended.error && ended.text.contains("1 questions of this client are open"),
        "{}",
        ended.text
    );
    assert_eq!(stand.asks().await.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_unknown_tool_is_a_protocol_error() {
    for era in ERAS {
        let stand = setup().stand().await;
        let mut client = Conversation::new(&stand, era).await;
        let done = client.call("elicit_confrim", json!({})).await.done();
        assert_eq!(done["error"]["code"], -32602, "{done}");
        let message = done["error"]["message"].as_str().unwrap();
        assert!(
            message.contains("did you mean elicit_confirm?"),
            "{message}"
        );
    }
}
