//! A client of the newer era, asked by the result of its call.

use crate::support::*;
use holdpoint::{ChannelKind, Holdpoint, Outcome, Reply, ReplyResult, Yes, journal::AskQuery};
use serde_json::{Value, json};

fn flows() -> Flows {
    Flows::default()
        .with("delete", |cx, _| async move {
            Ok(match cx.elicitor().confirm("Delete 5 artifacts?").await? {
                Outcome::Accepted(Yes) => "deleted".into(),
                other => format!("kept: {}", other.status()),
            })
        })
        .with("pair", |cx, _| async move {
            let ask = cx.elicitor();
            let (tempo, key) = tokio::try_join!(
                ask.number("Tempo?", 40.0..=200.0).decided(),
                ask.choose("Key?", ["C", "Am"]).decided(),
            )?;
            Ok(match (tempo.outcome, key.outcome) {
                (Outcome::Accepted(tempo), Outcome::Accepted(key)) => format!("{tempo} {key}"),
                (tempo, key) => format!("{} {}", tempo.status(), key.status()),
            })
        })
        .with("steps", |cx, _| async move {
            let ask = cx.elicitor();
            let mut words = Vec::new();
            for n in 1..=3 {
                match ask.text_input(format!("Word {n}?"), "word").await? {
                    Outcome::Accepted(word) => words.push(word),
                    other => return Ok(other.status().into()),
                }
            }
            Ok(words.join(" "))
        })
        .with("same", |cx, _| async move {
            let ask = || cx.elicitor().text_input("Word?", "word");
            let (one, two) = tokio::try_join!(ask().decided(), ask().decided())?;
            Ok(format!(
                "{:?} {:?}",
                one.outcome.accepted(),
                two.outcome.accepted()
            ))
        })
        .with("preset", |cx, _| async move {
            let name = cx
                .elicitor()
                .text_input("Name?", "name")
                .key("name")
                .await?;
            let go = cx.elicitor().confirm("Go?").key("go").await?;
            Ok(format!("{} {}", name.status(), go.status()))
        })
}

async fn served() -> (holdpoint::Desk, Holdpoint<Flows>) {
    let desk = desk(patient()).await;
    (desk.clone(), Holdpoint::new(desk, flows()).unwrap())
}

async fn client() -> Client {
    Client::modern(served().await.1, form())
}

#[tokio::test(start_paused = true)]
async fn an_ask_is_a_round_and_its_retry_ends_the_call() {
    for (reply, wanted) in [
        (accept(json!({ "confirmed": true })), "deleted"),
        (accept(json!({ "confirmed": false })), "kept: declined"),
        (json!({ "action": "decline" }), "kept: declined"),
        (json!({ "action": "cancel" }), "kept: cancelled"),
    ] {
        let mut client = client().await;
        let call = client.call("delete").await;
        let first = client.answer(call).await;
        let (keys, state) = round(&first);
        assert_eq!(keys, ["0001"]);
        let request = &first["result"]["inputRequests"]["0001"];
        assert_eq!(request["method"], "elicitation/create");
        assert_eq!(request["params"]["mode"], "form");
        assert_eq!(request["params"]["message"], "Delete 5 artifacts?");
        let confirmed = &request["params"]["requestedSchema"]["properties"]["confirmed"];
        assert_eq!(confirmed["type"], "boolean");
        assert!(confirmed.get("default").is_none());
        let call = client
            .retry("delete", &state, json!({ "0001": reply }))
            .await;
        assert_eq!(text(&client.answer(call).await), wanted);
    }
}

#[tokio::test(start_paused = true)]
async fn asks_made_together_are_in_one_round() {
    let mut client = client().await;
    let call = client.call("pair").await;
    let (keys, state) = round(&client.answer(call).await);
    assert_eq!(keys, ["0001", "0002"]);
    let replies = json!({ "0001": accept(json!({ "value": 90 })), "0002": accept(json!({ "choice": "Am" })) });
    let call = client.retry("pair", &state, replies).await;
    assert_eq!(text(&client.answer(call).await), "90 Am");
}

#[tokio::test(start_paused = true)]
async fn what_is_missing_is_asked_again_and_what_is_extra_is_passed_over() {
    let mut client = client().await;
    let call = client.call("pair").await;
    let (_, state) = round(&client.answer(call).await);
    let some =
        json!({ "0002": accept(json!({ "choice": "C" })), "9999": accept(json!({})), "x": 1 });
    let call = client.retry("pair", &state, some).await;
    let (keys, state) = round(&client.answer(call).await);
    assert_eq!(keys, ["0001"]);
    let call = client
        .retry(
            "pair",
            &state,
            json!({ "0001": accept(json!({ "value": 60 })) }),
        )
        .await;
    assert_eq!(text(&client.answer(call).await), "60 C");
}

#[tokio::test(start_paused = true)]
async fn equal_asks_are_told_apart() {
    let mut client = client().await;
    let call = client.call("same").await;
    let (keys, state) = round(&client.answer(call).await);
    assert_eq!(keys, ["0001", "0002"]);
    let replies =
        json!({ "0001": accept(json!({ "word": "a" })), "0002": accept(json!({ "word": "b" })) });
    let call = client.retry("same", &state, replies).await;
    assert_eq!(text(&client.answer(call).await), r#"Some("a") Some("b")"#);
}

#[tokio::test(start_paused = true)]
async fn a_retry_is_idempotent_in_every_round() {
    let mut client = client().await;
    let word = |word: &str| accept(json!({ "word": word }));
    let call = client.call("steps").await;
    let (_, first) = round(&client.answer(call).await);
    let call = client
        .retry("steps", &first, json!({ "0001": word("one") }))
        .await;
    let (keys, second) = round(&client.answer(call).await);
    assert_eq!(keys, ["0002"]);
    assert_ne!(first, second, "every round has a state of its own");
    // The first round again, with another answer: it feeds nothing and gets the present round.
    for _ in 0..2 {
        let call = client
            .retry("steps", &first, json!({ "0001": word("other") }))
            .await;
        assert_eq!(round(&client.answer(call).await).0, ["0002"]);
    }
    let call = client
        .retry("steps", &second, json!({ "0002": word("two") }))
        .await;
    let (keys, third) = round(&client.answer(call).await);
    assert_eq!(keys, ["0003"]);
    for state in [&third, &third, &first, &second] {
        let call = client
            .retry("steps", state, json!({ "0003": word("three") }))
            .await;
        assert_eq!(text(&client.answer(call).await), "one two three");
    }
}

#[tokio::test(start_paused = true)]
async fn an_invalid_reply_counts_once_however_often_it_is_sent() {
    let mut client = client().await;
    let call = client.call("delete").await;
    let (_, first) = round(&client.answer(call).await);
    let hollow = json!({ "0001": accept(json!({})) });
    for _ in 0..5 {
        let call = client.retry("delete", &first, hollow.clone()).await;
        let again = client.answer(call).await;
        assert_eq!(round(&again).0, ["0001-again-1"]);
        let message = &again["result"]["inputRequests"]["0001-again-1"]["params"]["message"];
        assert!(
            message.as_str().unwrap().contains("could not be accepted"),
            "{message}"
        );
    }
    let call = client
        .retry("delete", &first, json!({ "0001-again-1": 12345 }))
        .await;
    let (keys, state) = round(&client.answer(call).await);
    assert_eq!(keys, ["0001-again-2"]);
    let call = client
        .retry(
            "delete",
            &state,
            json!({ "0001-again-2": { "action": "accept" } }),
        )
        .await;
    assert_eq!(text(&client.answer(call).await), "kept: invalid");
}

#[tokio::test(start_paused = true)]
async fn a_state_that_is_not_good_answers_nothing() {
    let (desk, server) = served().await;
    let server = server.principal(|extensions| extensions.get::<Name>().map(|name| name.0.clone()));
    let mut client = Client::modern(server.clone(), form());
    let call = client.call("delete").await;
    let (_, state) = round(&client.answer(call).await);
    let yes = || json!({ "0001": accept(json!({ "confirmed": true })) });
    let refused = |answer: Value| {
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        let message = answer["error"]["message"].as_str().unwrap().to_owned();
        assert!(message.contains("Nothing was answered"), "{message}");
    };

    let tampered = json!(format!("{}-TAMPERED", state.as_str().unwrap()));
    for state in [tampered, json!(""), json!("x.y.z")] {
        let call = client.retry("delete", &state, yes()).await;
        refused(client.answer(call).await);
    }
    let call = client.retry("pair", &state, yes()).await;
    refused(client.answer(call).await);
    let call = client
        .request("tools/call", json!({ "name": "delete", "arguments": { "x": 1 }, "requestState": state, "inputResponses": yes() }))
        .await;
    refused(client.answer(call).await);
    let call = client
        .request(
            "prompts/get",
            json!({ "name": "delete", "requestState": state, "inputResponses": yes() }),
        )
        .await;
    refused(client.answer(call).await);
    let stranger = server.clone().principal(|_| Some("stranger".into()));
    let mut other = Client::modern(stranger, form());
    let call = other.retry("delete", &state, yes()).await;
    refused(other.answer(call).await);

    let open = desk
        .journal()
        .asks(AskQuery {
            open: true,
            ..Default::default()
        })
        .await
        .unwrap();
    assert_eq!(open.len(), 1, "the ask is still open");
    let call = client.retry("delete", &state, yes()).await;
    assert_eq!(text(&client.answer(call).await), "deleted");
}

#[derive(Clone)]
struct Name(String);

#[tokio::test(start_paused = true)]
async fn an_expired_state_answers_nothing() {
    let settings = patient().state_lifetime(std::time::Duration::ZERO);
    let server = Holdpoint::new(desk(settings).await, flows()).unwrap();
    let mut client = Client::modern(server, form());
    let call = client.call("delete").await;
    let (_, state) = round(&client.answer(call).await);
    let call = client
        .retry(
            "delete",
            &state,
            json!({ "0001": accept(json!({ "confirmed": true })) }),
        )
        .await;
    assert_eq!(client.answer(call).await["error"]["code"], -32602);
}

#[tokio::test(start_paused = true)]
async fn an_ask_answered_elsewhere_ends_the_call_at_its_retry() {
    let (desk, server) = served().await;
    let mut client = Client::modern(server, form());
    let call = client.call("delete").await;
    let (_, state) = round(&client.answer(call).await);
    let open = desk
        .journal()
        .asks(AskQuery {
            open: true,
            ..Default::default()
        })
        .await
        .unwrap();
    let from = holdpoint::testing::person(ChannelKind::Cli, Some("ann"));
    let decline = || Reply::Decline {
        reason: Some("not today".into()),
    };
    let taken = desk
        .reply(open[0].id, from.clone(), decline())
        .await
        .unwrap();
    assert!(matches!(taken, ReplyResult::Settled(_)));
    let late = desk.reply(open[0].id, from, decline()).await.unwrap();
    assert!(matches!(late, ReplyResult::Late(_)));
    // The client's yes comes too late.
    let call = client
        .retry(
            "delete",
            &state,
            json!({ "0001": accept(json!({ "confirmed": true })) }),
        )
        .await;
    assert_eq!(text(&client.answer(call).await), "kept: declined");
}

#[tokio::test(start_paused = true)]
async fn nobody_is_asked_what_the_client_did_not_declare() {
    for capabilities in [
        json!({}),
        json!({ "sampling": {} }),
        json!({ "elicitation": { "url": {} } }),
    ] {
        let mut client = Client::modern(served().await.1, capabilities);
        let call = client.call("delete").await;
        assert_eq!(text(&client.answer(call).await), "kept: unreachable");
    }
}

#[tokio::test(start_paused = true)]
async fn a_prompt_can_ask_too() {
    let mut client = client().await;
    let call = client
        .request("prompts/get", json!({ "name": "delete" }))
        .await;
    let (_, state) = round(&client.answer(call).await);
    let call = client
        .request(
            "prompts/get",
            json!({
                "name": "delete", "requestState": state,
                "inputResponses": { "0001": accept(json!({ "confirmed": true })) },
            }),
        )
        .await;
    let answer = client.answer(call).await;
    assert_eq!(
        answer["result"]["messages"][0]["content"]["text"], "deleted",
        "{answer}"
    );
}

#[tokio::test(start_paused = true)]
async fn an_answer_beforehand_fills_in_a_named_text_and_never_decides() {
    let mut client = client().await;
    let call = client
        .request("tools/call", json!({
            "name": "preset", "arguments": {},
            "inputResponses": { "name": accept(json!({ "name": "Ann" })), "go": accept(json!({ "confirmed": true })) },
        }))
        .await;
    let (keys, state) = round(&client.answer(call).await);
    assert_eq!(
        keys,
        ["go"],
        "the name was given, the decision was not taken"
    );
    let call = client
        .retry("preset", &state, json!({ "go": { "action": "decline" } }))
        .await;
    assert_eq!(text(&client.answer(call).await), "accepted declined");
}

#[tokio::test(start_paused = true)]
async fn a_round_that_nobody_answers_times_out() {
    let mut client = client().await;
    let call = client.call("delete").await;
    let (_, state) = round(&client.answer(call).await);
    tokio::time::sleep(std::time::Duration::from_secs(86_401)).await;
    let call = client
        .retry(
            "delete",
            &state,
            json!({ "0001": accept(json!({ "confirmed": true })) }),
        )
        .await;
    assert_eq!(text(&client.answer(call).await), "kept: timed_out");
}
