//! Results: each fits the schema of its tool, error or not, and says what happened and what to do now.

use crate::stage::{Stage, call, result};
use holdpoint_testkit::{
    Conversation, ERAS, Era, accept, cancel, check_text_says_fields, decline, form_capabilities,
};
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

/// Every tool that asks, with arguments and an answer that fit.
fn asking() -> [(&'static str, Value, Value); 6] {
    let clip = json!({ "clip": "intro" });
    [
        (
            "select_variation",
            json!({ "variations": ["a", { "name": "b", "label": "B", "description": "slower" }] }),
            json!({ "choice": "b" }),
        ),
        ("get_tempo", json!({}), json!({ "value": 99 })),
        ("pick_key", json!({}), json!({ "choice": "Am" })),
        ("name_artifact", clip.clone(), json!({ "name": "outro" })),
        ("rate_clip", clip, json!({ "rating": 4 })),
        (
            "confirm_delete",
            json!({ "clips": ["intro"] }),
            json!({ "confirmed": true }),
        ),
    ]
}

/// Tools, what they are called with, and the error that this is.
fn wrong_arguments() -> [(&'static str, Value, &'static str); 6] {
    [
        (
            "select_variation",
            json!({ "variations": [] }),
            "INVALID_ARGUMENTS",
        ),
        (
            "select_variation",
            json!({ "variations": ["a", "a"] }),
            "CANNOT_BE_ASKED",
        ),
        ("name_artifact", json!({ "clip": "gone" }), "NO_SUCH_CLIP"),
        ("rate_clip", json!({ "clip": "../x\u{1b}[2J" }), "BAD_NAME"),
        (
            "confirm_delete",
            json!({ "clips": [] }),
            "INVALID_ARGUMENTS",
        ),
        (
            "export_clips",
            json!({ "clips": ["intro", "gone"] }),
            "NO_SUCH_CLIP",
        ),
    ]
}

/// The schemas that the tools declare, and which of them were seen to be kept.
struct Schemas {
    declared: BTreeMap<String, Value>,
    kept: BTreeSet<(String, String)>,
}

impl Schemas {
    async fn of(client: &mut Conversation) -> Self {
        let listed = client.request("tools/list", json!({})).await;
        let tools = listed["result"]["tools"].as_array().unwrap();
        let own = tools
            .iter()
            .filter(|tool| tool["name"] != "holdpoint-studio_await_answer");
        let declared = own.map(|tool| {
            let schema = tool["outputSchema"].clone();
            assert!(schema.is_object(), "{tool}");
            (tool["name"].as_str().unwrap().to_owned(), schema)
        });
        Self {
            declared: declared.collect(),
            kept: BTreeSet::new(),
        }
    }

    /// Checks a result, and gives its fields.
    #[track_caller]
    fn check(&mut self, tool: &str, result: &Value) -> Value {
        let fields = result["structuredContent"].clone();
        if let Err(error) = jsonschema::validate(&self.declared[tool], &fields) {
            panic!("{tool}: {error}: {result}");
        }
        check_text_says_fields(result);
        let end = fields["status"].as_str().or(fields["error"].as_str());
        self.kept
            .insert((tool.to_owned(), end.unwrap_or("done").to_owned()));
        fields
    }
}

#[tokio::test(start_paused = true)]
async fn every_result_of_every_tool_fits_its_schema() {
    for era in ERAS {
        let wrong = accept(json!({ "value": [], "choice": 1, "name": {}, "rating": 9 }));
        let invalid = [wrong.clone(), wrong.clone(), wrong];
        let stage = Stage::new().await;
        let mut client = Conversation::new(&stage, era).await;
        let mut schemas = Schemas::of(&mut client).await;
        let refused: &[(&[Value], &str, bool)] = &[
            (&[decline()], "declined", false),
            (&[cancel()], "cancelled", false),
            (&invalid, "invalid", true),
        ];
        for (tool, arguments, _) in asking() {
            for (replies, status, failed) in refused {
                let result = call(&mut client, tool, arguments.clone(), replies).await;
                let fields = schemas.check(tool, &result);
                assert_eq!(fields["status"], *status, "{era:?} {tool}");
                assert_eq!(fields["proceed"], false, "{era:?} {tool}");
                assert_eq!(result["isError"] == true, *failed, "{era:?} {result}");
            }
            let timed_out = timed_out(&mut client, era, tool, arguments.clone()).await;
            assert_eq!(schemas.check(tool, &timed_out)["status"], "timed_out");
            assert_eq!(timed_out["isError"], true, "{era:?} {timed_out}");
        }
        assert!(stage.has("intro"));
        for (tool, arguments, error) in wrong_arguments() {
            let result = call(&mut client, tool, arguments, &[]).await;
            assert_eq!(schemas.check(tool, &result)["error"], error, "{era:?}");
            assert_eq!(result["isError"], true, "{era:?} {result}");
        }
        let exported = call(&mut client, "export_clips", json!({ "clips": [] }), &[]).await;
        let files = &schemas.check("export_clips", &exported)["files"];
        assert_eq!(*files, json!(["exports/intro.wav"]));
        for (tool, arguments, answer) in asking() {
            stage.clip("intro");
            let result = call(&mut client, tool, arguments, &[accept(answer.clone())]).await;
            let fields = schemas.check(tool, &result);
            assert_eq!(fields["proceed"], true, "{era:?} {result}");
            let given = answer.as_object().unwrap().values().next().unwrap();
            let given = given.as_f64().map_or(given.clone(), |number| number.into());
            match tool {
                "confirm_delete" => assert_eq!(fields["value"], 1),
                "rate_clip" => assert_eq!(fields["value"], 4),
                _ => assert_eq!(fields["value"], given, "{era:?} {result}"),
            }
        }
        made(&stage, era, &mut schemas).await;
        let seen: BTreeSet<_> = schemas.kept.iter().map(|(tool, _)| tool.clone()).collect();
        let all: BTreeSet<_> = schemas.declared.keys().cloned().collect();
        assert_eq!(seen, all, "{era:?}: each tool was tried");
    }
}

/// A result of a call whose question nobody answers in time.
async fn timed_out(client: &mut Conversation, era: Era, tool: &str, arguments: Value) -> Value {
    let asked = client.call(tool, arguments).await.asked();
    if era == Era::Legacy {
        return result(client.wait_for_end().await);
    }
    // A modern client comes back with an answer that does not fit, and then too late.
    tokio::time::sleep(Duration::from_secs(86_399)).await;
    let again = client.answer(asked, accept(json!({}))).await.asked();
    tokio::time::sleep(Duration::from_secs(2)).await;
    result(client.answer(again, accept(json!({}))).await)
}

/// Clips that are made, with a name that is none and with one that is taken.
async fn made(stage: &Stage, era: Era, schemas: &mut Schemas) {
    stage.clip("intro");
    let none = json!({});
    let mut client = Conversation::with(stage, era, none).await;
    let result = call(&mut client, "new_clip", json!({}), &[]).await;
    let fields = schemas.check("new_clip", &result);
    assert_eq!(
        (&fields["status"], &result["isError"]),
        (&json!("unreachable"), &json!(true))
    );
    assert_eq!(fields["nextStep"], "Nobody gave a name: no clip was made.");

    let mut client = Conversation::with(stage, era, form_capabilities()).await;
    for (name, error) in [("../x", "BAD_NAME"), ("other", "NAME_TAKEN")] {
        stage.clip("other");
        let named = [accept(json!({ "name": name }))];
        let result = call(
            &mut client,
            "name_artifact",
            json!({ "clip": "intro" }),
            &named,
        )
        .await;
        assert_eq!(schemas.check("name_artifact", &result)["error"], error);
        assert_eq!(result["isError"], true, "{era:?} {result}");
        assert!(stage.has("intro"), "{era:?}: nothing was renamed");
    }
}

/// Where an inbox may show the question, the agent is told to come back.
#[tokio::test(start_paused = true)]
async fn what_is_pending_fits_too() {
    for era in ERAS {
        let stage = Stage::with_inbox().await;
        let mut client = Conversation::with(&stage, era, json!({})).await;
        let mut schemas = Schemas::of(&mut client).await;
        for (tool, arguments, _) in asking() {
            let result = call(&mut client, tool, arguments, &[]).await;
            let fields = schemas.check(tool, &result);
            assert_eq!(fields["status"], "pending", "{era:?} {result}");
            assert_ne!(result["isError"], true, "{era:?} {result}");
        }
        assert!(stage.has("intro"), "{era:?}");
    }
}

/// A no to what may be left out is "skipped", with what stands in; nobody there is the same; and a no to a deletion is a no.
#[tokio::test(start_paused = true)]
async fn what_is_skipped_has_a_stated_default() {
    let defaults = [
        (
            "select_variation",
            "the first variation, a, is used.",
            json!("a"),
        ),
        ("get_tempo", "120 BPM is used.", json!(120.0)),
        ("pick_key", "C major is used.", json!("C")),
        (
            "name_artifact",
            "the clip is still called intro.",
            json!("intro"),
        ),
        ("rate_clip", "the clip is not rated.", Value::Null),
    ];
    for era in ERAS {
        let stage = Stage::new().await;
        let mut forms = Conversation::new(&stage, era).await;
        let mut nobody = Conversation::with(&stage, era, json!({})).await;
        for (tool, arguments, _) in asking() {
            let skipped = call(&mut forms, tool, arguments.clone(), &[decline()]).await;
            let unreachable = call(&mut nobody, tool, arguments, &[]).await;
            let Some((_, instead, value)) = defaults.iter().find(|(of, ..)| *of == tool) else {
                let next = skipped["structuredContent"]["nextStep"].as_str().unwrap();
                assert!(next.contains("do not ask again"), "{era:?} {next}");
                assert_eq!(unreachable["isError"], true, "{era:?} {unreachable}");
                continue;
            };
            for (result, why) in [
                (skipped, "The person skipped this"),
                (unreachable, "Nobody could be asked"),
            ] {
                let fields = &result["structuredContent"];
                let said = format!("{why}: {instead}");
                assert_eq!(fields["nextStep"], said, "{era:?} {tool}");
                assert_eq!(fields["defaultUsed"], said, "{era:?} {tool}");
                assert_eq!(fields["value"], *value, "{era:?} {tool}");
                assert_eq!(result["isError"], false, "{era:?} {tool}");
            }
        }
        assert!(stage.has("intro"), "{era:?}: nothing was deleted");
    }
}

#[tokio::test(start_paused = true)]
async fn options_have_labels_and_a_deletion_says_that_it_cannot_be_undone() {
    for era in ERAS {
        let stage = Stage::new().await;
        let mut client = Conversation::new(&stage, era).await;
        for (tool, arguments, labels) in [
            ("pick_key", json!({}), ["C major", "A minor"]),
            ("select_variation", asking()[0].1.clone(), ["a", "B"]),
        ] {
            let asked = client.call(tool, arguments).await.asked();
            let options = &asked.properties()["choice"]["oneOf"];
            let titles = [&options[0]["title"], &options[1]["title"]];
            for (title, label) in titles.into_iter().zip(labels) {
                assert!(
                    title.as_str().unwrap().starts_with(label),
                    "{era:?} {options}"
                );
            }
            assert!(asked.properties()["choice"].get("default").is_none());
            client.answer(asked, cancel()).await;
        }
        let clips = json!({ "clips": ["intro", "intro"] });
        let asked = client.call("confirm_delete", clips).await.asked();
        let shown = asked.params.to_string();
        assert!(shown.contains("this cannot be undone"), "{era:?} {shown}");
        assert!(shown.contains("- intro"), "{era:?} {shown}");
    }
}
