//! Secrets: handed to the flow once, and found nowhere else.

use crate::support::*;
use holdpoint::{Ask, Clock, Desk, Field, Form, Holdpoint, Kind, Outcome};
use serde_json::json;
use std::sync::Arc;

#[test]
fn a_secret_given_in_another_process_reaches_its_flow() {
    let folder = tempfile::tempdir().unwrap();
    let flows = || {
        Flows::default().with("login", |cx, _| async move {
            let form = Form::new().field(Field::new("password", Kind::Secret));
            Ok(
                match cx.elicitor().ask(Ask::new("Password?", form)).await? {
                    Outcome::Accepted(a) => json!(a).to_string(),
                    o => o.status().into(),
                },
            )
        })
    };
    let a = Replica::start(&sqlite_journal(&folder), flows(), patient(), true);
    let b = Replica::start(&sqlite_journal(&folder), flows(), patient(), true);
    let server = a.server.clone();
    let answer = a.runtime.block_on(async {
        let mut client = Client::modern(server, form());
        let call = client.call("login").await;
        let ask = open_ask(&a.desk).await.id;
        inbox_reply(&b.desk, ask, json!({ "password": "hunter2" })).await;
        client.answer(call).await
    });
    assert!(answer.get("error").is_none(), "{answer}");
    // The flow repeats what it got, and what leaves it is masked.
    assert!(text(&answer).contains("••••"), "{answer}");
}

#[test]
fn a_secret_ask_whose_process_is_gone_is_replaced_by_a_new_one() {
    let journal = memory_journal();
    let flows = || {
        Flows::default().with("login", |cx, _| async move {
            let form = Form::new().field(Field::new("password", Kind::Secret));
            let outcome = cx.elicitor().ask(Ask::new("Password?", form)).await?;
            Ok(match outcome {
                Outcome::Accepted(answer) if answer["password"] == "hunter2" => "in".into(),
                other => other.status().to_owned(),
            })
        })
    };
    let url = || json!({ "elicitation": { "form": {}, "url": {} } });
    let params = |state: Option<&serde_json::Value>| match state {
        None => json!({ "name": "login", "arguments": {} }),
        Some(state) => json!({ "name": "login", "arguments": {}, "requestState": state }),
    };
    let first = Replica::start(&journal, flows(), patient(), true);
    let round = first.send_as(url(), params(None));
    let old = first.runtime.block_on(open_asks(&first.desk))[0].id;
    first.kill();

    // Nobody but the process that is gone could have opened what is sealed for the old ask.
    let second = Replica::start(&journal, flows(), patient(), true);
    let state = &round["result"]["requestState"];
    let round = second.send_as(url(), params(Some(state)));
    let state = &round["result"]["requestState"];
    let open = second.runtime.block_on(open_asks(&second.desk));
    assert_eq!(open.len(), 1);
    assert_ne!(open[0].id, old);
    let record = second.runtime.block_on(journal.ask(old)).unwrap().unwrap();
    let outcome = record.decision.unwrap().outcome;
    assert!(matches!(outcome, Outcome::Withdrawn { .. }), "{outcome:?}");
    let secret = json!({ "password": "hunter2" });
    second
        .runtime
        .block_on(inbox_reply(&second.desk, open[0].id, secret));
    let answer = second.send_as(url(), params(Some(state)));
    assert_eq!(text(&answer), "in");
}

#[test]
fn the_reply_that_lost_does_not_take_the_secret_away() {
    let folder = tempfile::tempdir().unwrap();
    let flows = Flows::default().with("login", |cx, _| async move {
        let form = Form::new().field(Field::new("password", Kind::Secret));
        Ok(
            match cx.elicitor().ask(Ask::new("Password?", form)).await? {
                Outcome::Accepted(a) => json!(a).to_string(),
                o => o.status().into(),
            },
        )
    });
    let a = Replica::start(&sqlite_journal(&folder), flows, patient(), true);
    let mut lost = 0;
    for _ in 0..30 {
        let (server, desk) = (a.server.clone(), a.desk.clone());
        let answer = a.runtime.block_on(async move {
            let mut client = Client::modern(server, form());
            let call = client.call("login").await;
            let ask = open_ask(&desk).await.id;
            let tasks: Vec<_> = (0..6)
                .map(|_| {
                    let desk = desk.clone();
                    tokio::spawn(async move {
                        inbox_reply(&desk, ask, json!({ "password": "hunter2" })).await
                    })
                })
                .collect();
            for task in tasks {
                task.await.unwrap();
            }
            client.answer(call).await
        });
        if text(&answer).contains("given") {
            lost += 1;
        }
    }
    assert_eq!(lost, 0, "of 30 secrets were lost");
}

#[tokio::test(start_paused = true)]
async fn a_flow_that_repeats_a_secret_is_masked() {
    let flows = Flows::default().with("leak", |cx, _| async move {
        let form = Form::new().field(Field::new("password", Kind::Secret));
        let outcome = cx.elicitor().ask(Ask::new("Password?", form)).await?;
        let answer = outcome.accepted().unwrap_or_default();
        let secret = answer["password"].as_str().unwrap_or_default().to_owned();
        let kept: String = cx
            .step("login", async { format!("token {secret}") })
            .await?;
        Ok(format!("logged in with {secret}, {kept}"))
    });
    let journal = holdpoint::journal::open("memory:").await.unwrap();
    let builder = Desk::builder(journal)
        .settings(patient())
        .clock(Clock::tokio());
    let desk = builder
        .channel(Arc::new(ParkedInbox::default()))
        .build()
        .await
        .unwrap();
    let mut client = Client::legacy(Holdpoint::new(desk.clone(), flows).unwrap(), form()).await;
    let call = client.call("leak").await;
    let ask = open_ask(&desk).await.id;
    inbox_reply(&desk, ask, json!({ "password": "hunter2" })).await;
    let answer = client.answer(call).await;
    assert!(text(&answer).starts_with("logged in with"), "{answer}");
    assert!(!answer.to_string().contains("hunter2"), "{answer}");
    for event in desk.journal().events(0, 100).await.unwrap() {
        assert!(!event.body.to_string().contains("hunter2"), "{event:?}");
    }
}
