//! A client of the older era, asked in the middle of its call.

use crate::support::*;
use holdpoint::{Ask, Clock, Desk, Field, Form, Holdpoint, Kind, Outcome, Yes};
use serde_json::{Value, json};
use std::sync::Arc;

fn flows() -> Flows {
    Flows::default()
        .with("delete", |cx, _| async move {
            Ok(match cx.elicitor().confirm("Delete 5 artifacts?").await? {
                Outcome::Accepted(Yes) => "deleted".into(),
                other => format!("kept: {}", other.status()),
            })
        })
        .with("name", |cx, _| async move {
            let form = Form::new().field(Field::new("name", Kind::Text(Default::default())));
            let outcome = cx.elicitor().ask(Ask::new("Name?", form)).await?;
            Ok(serde_json::to_string(&outcome).unwrap())
        })
        .with("panic", |_, _| async { panic!("a bug in the flow") })
}

async fn client() -> Client {
    let desk = desk(patient()).await;
    Client::legacy(Holdpoint::new(desk, flows()).unwrap(), form()).await
}

/// Calls a tool, gives these replies to what it asks, and gives the text it ends with.
async fn check(tool: &str, replies: &[Value]) -> String {
    let mut client = client().await;
    let call = client.call(tool).await;
    for reply in replies {
        let asked = client.asked().await;
        client.reply(&asked, reply.clone()).await;
    }
    text(&client.answer(call).await).to_owned()
}

#[tokio::test(start_paused = true)]
async fn only_a_yes_is_a_yes() {
    let yes = accept(json!({ "confirmed": true }));
    assert_eq!(check("delete", &[yes]).await, "deleted");
    let no = accept(json!({ "confirmed": false }));
    assert_eq!(check("delete", &[no]).await, "kept: declined");
    let decline = json!({ "action": "decline" });
    assert_eq!(check("delete", &[decline]).await, "kept: declined");
    let cancel = json!({ "action": "cancel" });
    assert_eq!(check("delete", &[cancel]).await, "kept: cancelled");
}

#[tokio::test(start_paused = true)]
async fn what_is_no_answer_is_asked_twice_more_and_then_ends_invalid() {
    let hollow = [
        json!({ "action": "accept" }),
        accept(json!({})),
        accept(json!({ "confirmed": "true" })),
        accept(json!({ "confirmed": 1 })),
        accept(json!({ "confirmed": null })),
        accept(json!({ "confirmed": [true] })),
        accept(json!({ "confirmed": true, "extra": 1 })),
        accept(json!("yes")),
        accept(json!([true])),
        json!({ "action": "approve", "content": { "confirmed": true } }),
        json!({ "content": { "confirmed": true } }),
        json!({ "confirmed": true }),
        json!({}),
        json!("accept"),
        json!(true),
        Value::Null,
    ];
    for reply in hollow {
        let replies = [reply.clone(), reply.clone(), reply.clone()];
        assert_eq!(check("delete", &replies).await, "kept: invalid", "{reply}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_second_try_is_told_what_was_wrong() {
    let mut client = client().await;
    let call = client.call("name").await;
    let asked = client.asked().await;
    assert_eq!(asked["params"]["message"], "Name?");
    client.reply(&asked, accept(json!({ "name": 7 }))).await;
    let again = client.asked().await;
    let message = again["params"]["message"].as_str().unwrap();
    assert!(
        message.contains("could not be accepted") && message.ends_with("Name?"),
        "{message}"
    );
    client
        .reply(&again, accept(json!({ "name": "intro" })))
        .await;
    let answer = client.answer(call).await;
    assert!(text(&answer).contains("intro"), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_fails_to_ask_reached_nobody() {
    let mut client = client().await;
    let call = client.call("delete").await;
    let asked = client.asked().await;
    client
        .send(json!({ "jsonrpc": "2.0", "id": asked["id"], "error": { "code": -32601, "message": "no forms here" } }))
        .await;
    assert_eq!(text(&client.answer(call).await), "kept: unreachable");
}

#[tokio::test(start_paused = true)]
async fn a_client_without_elicitation_is_never_asked() {
    let desk = desk(patient()).await;
    let mut client = Client::legacy(Holdpoint::new(desk, flows()).unwrap(), json!({})).await;
    let call = client.call("delete").await;
    assert_eq!(text(&client.answer(call).await), "kept: unreachable");
}

#[tokio::test(start_paused = true)]
async fn the_deadline_takes_the_form_back() {
    let mut client = client().await;
    let call = client.call("delete").await;
    let asked = client.asked().await;
    let cancelled = client.next().await;
    assert_eq!(cancelled["method"], "notifications/cancelled");
    assert_eq!(cancelled["params"]["requestId"], asked["id"]);
    assert_eq!(text(&client.answer(call).await), "kept: timed_out");
    // A late yes changes nothing.
    client
        .reply(&asked, accept(json!({ "confirmed": true })))
        .await;
    let next = client.call("delete").await;
    let asked = client.asked().await;
    client.reply(&asked, json!({ "action": "decline" })).await;
    assert_eq!(text(&client.answer(next).await), "kept: declined");
}

#[tokio::test(start_paused = true)]
async fn a_flow_that_panics_ends_its_call_with_an_error() {
    let mut client = client().await;
    let call = client.call("panic").await;
    let answer = client.answer(call).await;
    assert_eq!(answer["error"]["code"], -32603, "{answer}");
}

/// Where a person can answer beside the client.
enum Elsewhere {
    Nowhere,
    Inbox,
    Page,
}

async fn check_signs_of_life(elsewhere: Elsewhere) {
    let mut desk = Desk::builder(holdpoint::journal::open("memory:").await.unwrap())
        .settings(patient())
        .clock(Clock::tokio());
    if !matches!(elsewhere, Elsewhere::Nowhere) {
        desk = desk.channel(Arc::new(ParkedInbox::default()));
    }
    if matches!(elsewhere, Elsewhere::Page) {
        desk = desk.page(|ask| format!("http://127.0.0.1:4653/asks/{ask}"));
    }
    let desk = desk.build().await.unwrap();
    let server = Holdpoint::new(desk.clone(), flows()).unwrap();
    let mut client = Client::legacy(server, form()).await;
    let call = client
        .request(
            "tools/call",
            json!({ "name": "delete", "arguments": {}, "_meta": { "progressToken": "t" } }),
        )
        .await;
    let asked = client.asked().await;
    let ask = open_ask(&desk).await.id;
    let wanted = match elsewhere {
        Elsewhere::Nowhere => "Waiting for a person's answer".to_owned(),
        Elsewhere::Inbox => "Waiting for a person's answer with `holdpoint inbox`".to_owned(),
        Elsewhere::Page => format!(
            "Waiting for a person's answer at http://127.0.0.1:4653/asks/{ask} or with `holdpoint inbox`"
        ),
    };
    for count in 1..=3 {
        let progress = client.next().await;
        assert_eq!(progress["method"], "notifications/progress", "{progress}");
        assert_eq!(progress["params"]["progressToken"], "t");
        assert_eq!(progress["params"]["progress"], f64::from(count));
        assert_eq!(progress["params"]["message"], wanted);
    }
    client
        .reply(&asked, accept(json!({ "confirmed": true })))
        .await;
    assert_eq!(text(&client.answer(call).await), "deleted");
}

#[tokio::test(start_paused = true)]
async fn a_sign_of_life_says_where_to_answer_and_counts_in_whole_numbers() {
    check_signs_of_life(Elsewhere::Nowhere).await;
    check_signs_of_life(Elsewhere::Inbox).await;
    check_signs_of_life(Elsewhere::Page).await;
}

#[tokio::test(start_paused = true)]
async fn an_ask_never_has_the_id_that_cannot_be_withdrawn() {
    let mut client = client().await;
    client.call("delete").await;
    let asked = client.asked().await;
    assert_ne!(asked["id"], 0);
}
