//! Attempts to turn something else than a person's answer into a yes, to ask twice, or to leave
//! something behind.

use crate::support::*;
use holdpoint::{
    Ask, ClientProfile, Clock, Desk, Field, Form, Holdpoint, Kind, Outcome, Settings, Yes, field,
    journal::EventKind,
};
use serde_json::json;
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

#[test]
fn a_resent_round_does_not_answer_the_next_ask() {
    let flows = || {
        Flows::default().with("files", |cx, _| async move {
            for n in 1..=3 {
                let outcome = cx
                    .elicitor()
                    .confirm(format!("Delete file {n}?"))
                    .key("ok")
                    .await?;
                if !matches!(outcome, Outcome::Accepted(Yes)) {
                    return Ok(format!("stopped at {n}"));
                }
            }
            Ok("all three deleted".into())
        })
    };
    let yes = |key: &str| json!({ key: accept(json!({ "confirmed": true })) });
    let journal = memory_journal();
    let first = Replica::start(&journal, flows(), patient(), false);
    let (_, state) = round(&first.call("files"));
    let (keys, state) = round(&first.retry("files", &state, yes("ok")));
    assert_eq!(keys, ["ok-2"]);
    first.kill();
    let second = Replica::start(&journal, flows(), patient(), false);
    let third = second.retry("files", &state, yes("ok-2"));
    round(&third);
    // the client resends the very same request
    let again = second.retry("files", &state, yes("ok-2"));
    assert_eq!(
        again["result"]["resultType"], "input_required",
        "file 3 was deleted and nobody was asked"
    );
}

#[tokio::test(start_paused = true)]
async fn an_ask_that_never_opened_is_not_counted() {
    let flows = Flows::default()
        .with("pair", |cx, _| async move {
            let ask = cx.elicitor();
            tokio::try_join!(ask.confirm("Fine?").decided(), ask.confirm("").decided())?;
            Ok("".into())
        })
        .with("one", |cx, _| async move {
            Ok(cx.elicitor().confirm("Fine?").await?.status().into())
        });
    let desk = desk(Settings {
        max_open_asks: 3,
        ..patient()
    })
    .await;
    let mut client = Client::modern(Holdpoint::new(desk, flows), form());
    for _ in 0..3 {
        let call = client.call("pair").await;
        client.answer(call).await;
    }
    let call = client.call("one").await;
    let answer = client.answer(call).await;
    round(&answer);
}

#[test]
fn a_flow_that_ends_while_its_ask_is_being_recorded_leaves_none_open() {
    let folder = tempfile::tempdir().unwrap();
    let flows = Flows::default().with("hasty", |cx, _| async move {
        let ask = async { cx.elicitor().confirm("Fine?").await };
        let other = async {
            tokio::task::yield_now().await;
            tokio::task::yield_now().await;
        };
        tokio::select! { biased; _ = ask => {}, () = other => {} }
        Ok("done".into())
    });
    let p = Replica::start(&sqlite_journal(&folder), flows, patient(), true);
    for _ in 0..5 {
        p.call("hasty");
    }
    // Each is on record as withdrawn, soon after its flow has ended.
    let none_open = async || open_asks(&p.desk).await.is_empty().then_some(());
    p.runtime
        .block_on(eventually("the last withdrawal", none_open));
}

fn danger() -> Flows {
    Flows::default()
        .with("danger", |cx, _| async move {
            let _ = cx.elicitor().text_input("Name?", "name").await?;
            Ok(
                match cx.elicitor().confirm("Drop the table?").dangerous().await? {
                    Outcome::Accepted(Yes) => "dropped".into(),
                    other => other.status().to_owned(),
                },
            )
        })
        .with("just", |cx, _| async move {
            Ok(
                match cx.elicitor().confirm("Drop the table?").dangerous().await? {
                    Outcome::Accepted(Yes) => "dropped".into(),
                    other => other.status().to_owned(),
                },
            )
        })
}

#[tokio::test(start_paused = true)]
async fn a_robots_yes_to_a_danger_shown_late_is_too_fast() {
    let journal = holdpoint::journal::open("memory:").await.unwrap();
    let desk = Desk::builder(journal)
        .clock(Clock::tokio())
        .channel(Arc::new(ParkedInbox))
        .build()
        .await
        .unwrap();
    let mut client = Client::modern(Holdpoint::new(desk.clone(), danger()), form());
    let call = client.call("danger").await;
    let (_, state) = round(&client.answer(call).await);
    let ask = open_asks(&desk).await[0].id;
    inbox_reply(&desk, ask, json!({ "name": "x" })).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    let call = client.retry("danger", &state, json!({})).await;
    let (keys, state) = round(&client.answer(call).await);
    // shown just now, answered in no time at all
    let call = client
        .retry(
            "danger",
            &state,
            json!({ &keys[0]: accept(json!({ "confirmed": true })) }),
        )
        .await;
    let answer = client.answer(call).await;
    assert_ne!(text(&answer), "dropped");
}

#[test]
fn a_robot_at_another_process_cannot_wear_a_danger_down() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (
        Replica::start(
            &sqlite_journal(&folder),
            danger(),
            Settings::default(),
            true,
        ),
        Replica::start(
            &sqlite_journal(&folder),
            danger(),
            Settings::default(),
            true,
        ),
    );
    let (mut keys, mut state) = round(&a.call("just"));
    for n in 0..40 {
        let answer = b.retry(
            "just",
            &state,
            json!({ &keys[0]: accept(json!({ "confirmed": true })) }),
        );
        if answer["result"]["resultType"] == "input_required" {
            (keys, state) = round(&answer);
            continue;
        }
        assert_ne!(text(&answer), "dropped", "after {n} rounds");
        return;
    }
}

#[test]
fn a_call_is_taken_over_once_by_concurrent_retries() {
    let runs = Arc::new(AtomicUsize::new(0));
    let flows = |runs: &Arc<AtomicUsize>| {
        let runs = runs.clone();
        Flows::default().with("two", move |cx, _| {
            let runs = runs.clone();
            async move {
                runs.fetch_add(1, Ordering::SeqCst);
                let _ = cx.elicitor().text_input("One?", "word").await?;
                let _ = cx.elicitor().text_input("Two?", "word").await?;
                Ok("done".into())
            }
        })
    };
    let mut worst = 0;
    for _ in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let a = Replica::start(
            &sqlite_journal(&folder),
            flows(&Arc::default()),
            patient(),
            false,
        );
        let (_, state) = round(&a.call("two"));
        let Replica {
            runtime,
            desk,
            server,
        } = a;
        drop((desk, server));
        runtime.shutdown_timeout(Duration::from_secs(5));
        runs.store(0, Ordering::SeqCst);
        let b = Replica::start(&sqlite_journal(&folder), flows(&runs), patient(), false);
        let word = json!({ "0001": accept(json!({ "word": "x" })) });
        let params = json!({ "name": "two", "arguments": {}, "requestState": state, "inputResponses": word });
        b.runtime.block_on(async {
            let mut tasks = Vec::new();
            for _ in 0..8 {
                let (server, params) = (b.server.clone(), params.clone());
                tasks.push(tokio::spawn(async move {
                    let mut client = Client::modern(server, form());
                    let call = client.request("tools/call", params).await;
                    tokio::time::timeout(Duration::from_secs(8), client.answer(call))
                        .await
                        .map(|_| ())
                }));
            }
            for t in tasks {
                let _ = t.await;
            }
        });
        worst = worst.max(runs.load(Ordering::SeqCst));
    }
    assert_eq!(worst, 1, "the flow ran that often at once in one process");
}

#[tokio::test(start_paused = true)]
async fn opening_our_page_is_not_visiting_two_links() {
    let flows = Flows::default().with("visit", |cx, _| async move {
        let link = |u: &str| Kind::Link(field::Link { url: u.into() });
        let form = Form::new()
            .field(Field::new("a", link("https://a.example/x")))
            .field(Field::new("b", link("https://b.example/x")));
        Ok(
            match cx.elicitor().ask(Ask::new("Agree to both", form)).await? {
                Outcome::Accepted(a) => json!(a).to_string(),
                o => o.status().into(),
            },
        )
    });
    let journal = holdpoint::journal::open("memory:").await.unwrap();
    let desk = Desk::builder(journal)
        .settings(patient())
        .clock(Clock::tokio())
        .page(|ask| format!("http://127.0.0.1:1/{ask}"))
        .channel(Arc::new(ParkedInbox))
        .build()
        .await
        .unwrap();
    let mut client = Client::modern(
        Holdpoint::new(desk, flows),
        json!({ "elicitation": { "form": {}, "url": {} } }),
    );
    let call = client.call("visit").await;
    let asked = client.answer(call).await;
    let (keys, state) = round(&asked);
    let call = client
        .retry("visit", &state, json!({ &keys[0]: { "action": "accept" } }))
        .await;
    let answer = client.answer(call).await;
    assert!(!text(&answer).contains("true"));
}

#[tokio::test(start_paused = true)]
async fn a_dangerous_ask_is_never_cut() {
    let hidden = "\u{200b}".repeat(10);
    let message = format!("Clean up?{hidden} It drops ALL tables.");
    let flows = Flows::default().with("d", move |cx, _| {
        let m = message.clone();
        async move { Ok(cx.elicitor().confirm(m).dangerous().await?.status().into()) }
    });
    let journal = holdpoint::journal::open("memory:").await.unwrap();
    let profile = ClientProfile {
        max_message: Some(60),
        ..Default::default()
    };
    let desk = Desk::builder(journal)
        .clock(Clock::tokio())
        .profile("test-client", profile)
        .channel(Arc::new(ParkedInbox))
        .build()
        .await
        .unwrap();
    let mut client = Client::legacy(Holdpoint::new(desk, flows), form()).await;
    client.call("d").await;
    let asked = tokio::time::timeout(Duration::from_secs(10), client.asked()).await;
    if let Ok(asked) = asked {
        assert!(
            asked["params"]["message"]
                .as_str()
                .unwrap()
                .contains("ALL tables")
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_prompt_that_only_the_inbox_shows_says_so() {
    let journal = holdpoint::journal::open("memory:").await.unwrap();
    let desk = Desk::builder(journal)
        .clock(Clock::tokio())
        .channel(Arc::new(ParkedInbox))
        .build()
        .await
        .unwrap();
    let flows = Flows::default().with("p", |cx, _| async move {
        Ok(cx.elicitor().confirm("?").await?.status().into())
    });
    let mut client = Client::modern(Holdpoint::new(desk, flows), json!({}));
    let call = client.request("prompts/get", json!({ "name": "p" })).await;
    let answer = client.answer(call).await;
    assert!(!answer.to_string().contains("another request"));
}

#[test]
fn a_flow_whose_call_was_taken_over_asks_nobody_anymore() {
    let folder = tempfile::tempdir().unwrap();
    let (go, said) = (
        Arc::new(tokio::sync::Notify::new()),
        std::sync::mpsc::channel(),
    );
    let two = |go: &Arc<tokio::sync::Notify>| {
        let (go, tell) = (go.clone(), said.0.clone());
        Flows::default().with("two", move |cx, _| {
            let (go, tell) = (go.clone(), tell.clone());
            async move {
                let _ = cx.elicitor().text_input("One?", "word").await;
                go.notified().await;
                let second = cx.elicitor().confirm("Two?").await;
                tell.send(second.map(|outcome| outcome.status())).unwrap();
                Ok(String::new())
            }
        })
    };
    let never = Arc::new(tokio::sync::Notify::new());
    let a = Replica::start(&sqlite_journal(&folder), two(&go), patient(), true);
    let b = Replica::start(&sqlite_journal(&folder), two(&never), patient(), true);
    let (_, state) = round(&a.call("two"));
    // A sleeps: its lease lapses on record, and B takes the call over.
    let raw = rusqlite::Connection::open(folder.path().join("journal.db")).unwrap();
    raw.execute("UPDATE owners SET lease_until = 0", [])
        .unwrap();
    let server = b.server.clone();
    b.runtime.spawn(async move {
        let mut client = Client::modern(server, form());
        let word = json!({ "0001": accept(json!({ "word": "x" })) });
        client.retry("two", &state, word).await;
        std::future::pending::<()>().await;
        drop(client);
    });
    b.runtime.block_on(async {
        let taken_over = async || {
            let events = b.desk.journal().events(0, 100).await.unwrap();
            let mut kinds = events.iter().map(|event| event.kind);
            kinds.any(|kind| kind == EventKind::TakenOver).then_some(())
        };
        eventually("B to take the call over", taken_over).await;
    });
    // A wakes up and goes on: it is told, and nobody is asked by it.
    go.notify_one();
    let second = said.1.recv().unwrap();
    assert!(
        matches!(second, Err(holdpoint::AskError::LostCall)),
        "{second:?}"
    );
    let open = b.runtime.block_on(open_asks(&b.desk));
    assert!(open.iter().all(|ask| ask.ask.message != "Two?"), "{open:?}");
}

#[test]
fn every_ask_has_a_key_of_its_own() {
    let flows = Flows::default()
        .with("three", |cx, _| async move {
            let ask = |name: &str, key: &'static str| {
                let question = cx.elicitor().confirm(format!("Delete {name}?"));
                question.key(key).decided()
            };
            let (a, b, c) = tokio::try_join!(ask("A", "x-2"), ask("B", "x"), ask("C", "x"))?;
            let told = [a, b, c].map(|decided| decided.outcome.status());
            Ok(told.join(" "))
        })
        .with("number", |cx, _| async move {
            let asked = cx.elicitor().confirm("Delete?").key("0001");
            Ok(asked.await?.status().into())
        })
        .with("again", |cx, _| async move {
            let asked = cx.elicitor().confirm("Delete?").key("x-again-1");
            Ok(asked.await?.status().into())
        });
    let process = Replica::start(&memory_journal(), flows, patient(), false);
    let asked = process.call("three");
    let (keys, state) = round(&asked);
    let messages = keys.iter().map(|key| {
        let params = &asked["result"]["inputRequests"][key]["params"];
        params["message"].as_str().unwrap().to_owned()
    });
    let messages: std::collections::BTreeSet<_> = messages.collect();
    assert_eq!(messages.len(), 3, "{asked}");
    let yes = json!({ "x-2": accept(json!({ "confirmed": true })) });
    let rest = process.retry("three", &state, yes);
    assert_eq!(round(&rest).0.len(), 2, "{rest}");
    // A name that the desk might give by itself is refused.
    for tool in ["number", "again"] {
        let answer = process.call(tool);
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
}

#[test]
fn invalid_replies_are_bounded_across_processes() {
    let folder = tempfile::tempdir().unwrap();
    let flows = || {
        Flows::default().with("one", |cx, _| async move {
            Ok(cx.elicitor().confirm("?").await?.status().into())
        })
    };
    let a = Replica::start(&sqlite_journal(&folder), flows(), patient(), false);
    let b = Replica::start(&sqlite_journal(&folder), flows(), patient(), false);
    let (keys, state) = round(&a.call("one"));
    let hollow = |key: &str| json!({ key: accept(json!({})) });
    println!(
        "at B: {:?}",
        round(&b.retry("one", &state, hollow(&keys[0]))).0
    );
    let mut key = keys[0].clone();
    for _ in 0..10 {
        let answer = a.retry("one", &state, hollow(&key));
        if answer["result"]["resultType"] != "input_required" {
            return;
        }
        key = round(&answer).0[0].clone();
    }
    panic!("asked again without end");
}
