//! What an author has at hand: every way to ask, the client's model, grants, and faults.

use crate::support::*;
use holdpoint::{Digest, GrantError, Holdpoint, Outcome, Settings, journal::AskQuery};
use rmcp::ErrorData;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::Duration;

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Mix {
    /// What the mix is called
    name: String,
    /// How loud, in percent
    #[schemars(range(min = 0, max = 100))]
    loudness: u8,
    mood: Option<Mood>,
    stems: Vec<Stem>,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Mood {
    /// For the morning
    Bright,
    /// For the night
    Dark,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
enum Stem {
    Drums,
    Bass,
}

fn flows() -> Flows {
    let said = |outcome: Outcome<Value>| -> Result<String, ErrorData> {
        Ok(match outcome {
            Outcome::Accepted(value) => value.to_string(),
            other => other.status().into(),
        })
    };
    Flows::default()
        .with("choose", move |cx, _| async move {
            let asked = cx.elicitor().choose("Key?", ["C", "Am"]);
            said(asked.await?.map(Into::into))
        })
        .with("choose_many", move |cx, _| async move {
            let asked = cx.elicitor().choose_many("Stems?", ["drums", "bass"]);
            said(asked.await?.map(Into::into))
        })
        .with("text", move |cx, _| async move {
            said(
                cx.elicitor()
                    .text_input("Name?", "name")
                    .await?
                    .map(Into::into),
            )
        })
        .with("number", move |cx, _| async move {
            let asked = cx.elicitor().number("Tempo?", 40.0..=200.0);
            said(asked.await?.map(Into::into))
        })
        .with("rating", move |cx, _| async move {
            said(cx.elicitor().rating("Good?", 5).await?.map(Into::into))
        })
        .with("mix", move |cx, _| async move {
            let outcome = cx.elicitor().form::<Mix>("The mix?").await?;
            Ok(format!("{:?}", outcome.accepted()))
        })
        .with("no_form", |cx, _| async move {
            let outcome = cx.elicitor().form::<Vec<Vec<u8>>>("?").await?;
            Ok(outcome.status().into())
        })
        .with("sample", |cx, _| async move {
            let params = serde_json::from_value(json!({
                "messages": [{ "role": "user", "content": { "type": "text", "text": "Hm?" } }],
                "maxTokens": 10,
            }));
            let said = cx.sampler().create_message(params.unwrap()).await?;
            Ok(json!(said)["content"]["text"].to_string())
        })
        .with("grant", |cx, _| async move {
            let shown = Digest::hash_bytes(b"what was shown");
            let decided = cx.elicitor().confirm("Migrate?").decided().await?;
            let lifetime = Duration::from_secs(60);
            let desk = cx.desk();
            let principal = &cx.session().principal;
            let granted = desk
                .grant(&decided.decision, "migrate", shown, lifetime)
                .await;
            let grant = match granted {
                Ok(grant) => grant,
                Err(error) => return Ok(error.to_string()),
            };
            let redeem =
                async |purpose: &str, digest| desk.redeem(grant, principal, purpose, digest).await;
            let other = redeem("migrate", Digest::hash_bytes(b"something else")).await;
            assert!(matches!(other, Err(GrantError::OtherDigest)), "{other:?}");
            let other = redeem("rollback", shown).await;
            assert!(matches!(other, Err(GrantError::Unknown)), "{other:?}");
            let other = desk.redeem(grant, "bob", "migrate", shown).await;
            assert!(matches!(other, Err(GrantError::Unknown)), "{other:?}");
            redeem("migrate", shown).await.unwrap();
            let twice = redeem("migrate", shown).await;
            assert!(matches!(twice, Err(GrantError::Used)), "{twice:?}");
            let another = desk
                .grant(&decided.decision, "migrate", shown, lifetime)
                .await;
            assert!(
                matches!(another, Err(GrantError::AlreadyGiven)),
                "{another:?}"
            );
            Ok("redeemed once".into())
        })
        .with("late_grant", |cx, _| async move {
            let shown = Digest::hash_bytes(b"what was shown");
            let decided = cx.elicitor().confirm("Migrate?").decided().await?;
            let (desk, lifetime) = (cx.desk(), Duration::from_secs(60));
            let late = desk
                .grant(&decided.decision, "migrate", shown, lifetime)
                .await
                .unwrap();
            tokio::time::sleep(lifetime).await;
            let principal = &cx.session().principal;
            let late = desk.redeem(late, principal, "migrate", shown).await;
            assert!(matches!(late, Err(GrantError::Expired)), "{late:?}");
            Ok("too late".into())
        })
}

async fn client() -> Client {
    Client::legacy(
        Holdpoint::new(desk(patient()).await, flows()).unwrap(),
        form(),
    )
    .await
}

async fn check(tool: &str, reply: Value, wanted: &str) {
    let mut client = client().await;
    let call = client.call(tool).await;
    let asked = client.asked().await;
    client.reply(&asked, reply).await;
    assert_eq!(text(&client.answer(call).await), wanted);
}

#[tokio::test(start_paused = true)]
async fn every_way_to_ask() {
    check("choose", accept(json!({ "choice": "Am" })), r#""Am""#).await;
    let both = json!({ "choices": ["bass", "drums"] });
    check("choose_many", accept(both), r#"["drums","bass"]"#).await;
    check("text", accept(json!({ "name": "intro" })), r#""intro""#).await;
    check("number", accept(json!({ "value": 90.5 })), "90.5").await;
    check("rating", accept(json!({ "rating": 4 })), "4").await;
    check("rating", json!({ "action": "decline" }), "declined").await;
    let mix = json!({ "name": "A", "loudness": 80, "mood": "dark", "stems": ["Bass"] });
    let wanted = r#"Some(Mix { name: "A", loudness: 80, mood: Some(Dark), stems: [Bass] })"#;
    check("mix", accept(mix), wanted).await;
}

#[tokio::test(start_paused = true)]
async fn a_type_that_no_form_can_carry_is_a_fault() {
    let mut client = client().await;
    let call = client.call("no_form").await;
    let answer = client.answer(call).await;
    assert!(answer["error"]["message"].is_string(), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn the_model_is_asked_in_both_eras() {
    let model =
        json!({ "role": "assistant", "content": { "type": "text", "text": "Hm." }, "model": "m" });
    let sampling = || json!({ "sampling": {} });
    let server = || async { Holdpoint::new(desk(patient()).await, flows()).unwrap() };
    let mut legacy = Client::legacy(server().await, sampling()).await;
    let call = legacy.call("sample").await;
    let asked = legacy.next().await;
    assert_eq!(asked["method"], "sampling/createMessage");
    legacy.reply(&asked, model.clone()).await;
    assert_eq!(text(&legacy.answer(call).await), r#""Hm.""#);

    let mut modern = Client::modern(server().await, sampling());
    let call = modern.call("sample").await;
    let asked = modern.answer(call).await;
    let (keys, state) = round(&asked);
    let method = &asked["result"]["inputRequests"][&keys[0]]["method"];
    assert_eq!(method, "sampling/createMessage");
    let call = modern
        .retry("sample", &state, json!({ &keys[0]: model }))
        .await;
    assert_eq!(text(&modern.answer(call).await), r#""Hm.""#);

    for mut client in [
        Client::legacy(server().await, json!({})).await,
        Client::modern(server().await, json!({})),
    ] {
        let call = client.call("sample").await;
        let answer = client.answer(call).await;
        assert_eq!(answer["error"]["code"], -32021, "{answer}");
        let needed = &answer["error"]["data"]["requiredCapabilities"];
        assert!(needed["sampling"].is_object(), "{answer}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_grant_is_good_once_for_what_was_shown() {
    let yes = accept(json!({ "confirmed": true }));
    check("grant", yes.clone(), "redeemed once").await;
    check("late_grant", yes, "too late").await;
    let refused = GrantError::NotAccepted.to_string();
    check("grant", json!({ "action": "decline" }), &refused).await;
}

#[tokio::test]
async fn without_a_record_nobody_is_asked_and_nothing_is_approved() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("journal.db").display());
    let journal = holdpoint::journal::open(&url).await.unwrap();
    let desk = desk_over(journal, Settings::default()).await;
    let full = no_room(&folder.path().join("journal.db"), "TRUE");
    let mut client = Client::legacy(Holdpoint::new(desk.clone(), flows()).unwrap(), form()).await;
    let call = client.call("choose").await;
    // The first thing that the client hears is the error.
    let answer = client.next().await;
    assert_eq!(answer["id"], call);
    let message = answer["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("nobody was asked"), "{answer}");
    assert!(
        desk.journal()
            .asks(AskQuery::default())
            .await
            .unwrap()
            .is_empty()
    );
    drop(full);
}

#[tokio::test]
async fn an_answer_that_is_not_on_record_does_not_count_and_its_ask_ends_with_its_call() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("journal.db").display());
    let journal = holdpoint::journal::open(&url).await.unwrap();
    let desk = desk_over(journal, patient()).await;
    let an_answer = "NEW.kind = 'decided' AND NEW.body LIKE '%accepted%'";
    let _full = no_room(&folder.path().join("journal.db"), an_answer);
    let mut client = Client::legacy(Holdpoint::new(desk.clone(), flows()).unwrap(), form()).await;
    let call = client.call("text").await;
    let asked = client.asked().await;
    client
        .reply(&asked, accept(json!({ "name": "intro" })))
        .await;
    let answer = client.answer(call).await;
    let message = answer["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("does not count"), "{answer}");
    assert!(!message.contains("nobody was asked"), "{answer}");
    let asks = desk.journal().asks(AskQuery::default()).await.unwrap();
    let outcome = asks[0].decision.as_ref().map(|decision| &decision.outcome);
    assert!(
        matches!(outcome, Some(Outcome::Withdrawn { .. })),
        "{outcome:?}"
    );
}

/// Lets no such event be written any more, as a full disk would not.
fn no_room(path: &std::path::Path, event: &str) -> rusqlite::Connection {
    let connection = rusqlite::Connection::open(path).unwrap();
    connection
        .execute_batch(&format!(
            "CREATE TRIGGER no_room BEFORE INSERT ON events WHEN {event}
             BEGIN SELECT RAISE(ABORT, 'disk full'); END;"
        ))
        .unwrap();
    connection
}
