//! Attempts to turn something else than a person's answer into a yes, to ask twice, or to leave
//! something behind.

use crate::support::*;
use holdpoint::{
    Ask, ClientProfile, Clock, Desk, Field, Form, Holdpoint, Kind, Outcome, Settings, Yes, field,
    journal::EventKind,
};
use serde_json::{Value, json};
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
    let desk = desk(patient().max_open_asks(3)).await;
    let mut client = Client::modern(Holdpoint::new(desk, flows).unwrap(), form());
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
        .channel(Arc::new(ParkedInbox::default()))
        .build()
        .await
        .unwrap();
    let mut client = Client::modern(Holdpoint::new(desk.clone(), danger()).unwrap(), form());
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
    assert_eq!(status(&answer), "pending", "{answer}");
    let open = open_asks(&desk).await;
    assert_eq!(open.len(), 1, "it is left to the person: {open:?}");
    assert_eq!(too_fast(&desk).await, 1);
}

/// How many replies are on record as too fast to be a person's.
async fn too_fast(desk: &Desk) -> usize {
    let events = desk.journal().events(0, 1_000).await.unwrap();
    let too_fast = events
        .iter()
        .filter(|event| event.kind == EventKind::TooFast);
    too_fast.count()
}

/// The status in a tool's structured result.
fn status(answer: &Value) -> &str {
    let status = answer["result"]["structuredContent"]["status"].as_str();
    status.unwrap_or_else(|| panic!("no status in {answer}"))
}

#[test]
fn a_robot_at_another_process_cannot_wear_a_danger_down() {
    let folder = tempfile::tempdir().unwrap();
    // However slow this machine is, no reply of this test comes late enough to be a person's.
    let settings = Settings::default()
        .fast_reply(Duration::from_secs(600))
        .hold(Duration::from_millis(1));
    let start = || Replica::start(&sqlite_journal(&folder), danger(), settings.clone(), true);
    let (a, b) = (start(), start());
    let (keys, state) = round(&a.call("just"));
    for tries in 0..40 {
        let key = match tries {
            0 => keys[0].clone(),
            n => format!("{}-again-{n}", keys[0]),
        };
        let yes = json!({ key: accept(json!({ "confirmed": true })) });
        let answer = b.retry("just", &state, yes);
        assert_eq!(status(&answer), "pending", "{answer}");
    }
    let open = a.runtime.block_on(open_asks(&a.desk));
    assert_eq!(open.len(), 1, "it is left to the person: {open:?}");
    let tries = b.runtime.block_on(too_fast(&b.desk));
    assert_eq!(tries, 1, "it is shown to nobody else after the first");
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
                    let answer = tokio::time::timeout(PATIENCE, client.answer(call));
                    round(&answer.await.expect("an answer to every client")).0
                }));
            }
            for task in tasks {
                assert_eq!(task.await.unwrap(), ["0002"]);
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
        .channel(Arc::new(ParkedInbox::default()))
        .build()
        .await
        .unwrap();
    let mut client = Client::modern(
        Holdpoint::new(desk, flows).unwrap(),
        json!({ "elicitation": { "form": {}, "url": {} } }),
    );
    let call = client.call("visit").await;
    let asked = client.answer(call).await;
    let (keys, state) = round(&asked);
    let call = client
        .retry("visit", &state, json!({ &keys[0]: { "action": "accept" } }))
        .await;
    let answer = client.answer(call).await;
    // Nobody has answered on the page yet.
    assert!(text(&answer).contains("status: \"pending\""), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn a_dangerous_ask_is_never_cut() {
    let hidden = "\u{200b}".repeat(10);
    let message = format!("Clean up?{hidden} It drops ALL tables.");
    for (max_message, fits) in [(60, false), (600, true)] {
        let message = message.clone();
        let flows = Flows::default().with("d", move |cx, _| {
            let question = cx.elicitor().confirm(message.clone()).dangerous();
            async move { Ok(question.await?.status().into()) }
        });
        let journal = holdpoint::journal::open("memory:").await.unwrap();
        let mut profile = ClientProfile::default();
        profile.max_message = Some(max_message);
        let desk = Desk::builder(journal)
            .clock(Clock::tokio())
            .profile("mcpdo-test-client", profile)
            .channel(Arc::new(ParkedInbox::default()))
            .build()
            .await
            .unwrap();
        let mut client = Client::legacy(Holdpoint::new(desk.clone(), flows).unwrap(), form()).await;
        client.call("d").await;
        let asked = tokio::time::timeout(Duration::from_secs(10), client.asked()).await;
        match asked {
            Ok(asked) => {
                assert!(fits, "it was cut: {asked}");
                let shown = asked["params"]["message"].as_str().unwrap();
                assert!(shown.contains("It drops ALL tables."), "{shown}");
            }
            Err(_) => assert!(!fits, "the client was not asked"),
        }
        let open = open_asks(&desk).await;
        assert!(open[0].ask.message.contains("ALL tables"), "{open:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_prompt_that_only_the_inbox_shows_says_so() {
    let journal = holdpoint::journal::open("memory:").await.unwrap();
    let desk = Desk::builder(journal)
        .clock(Clock::tokio())
        .channel(Arc::new(ParkedInbox::default()))
        .build()
        .await
        .unwrap();
    let flows = Flows::default().with("p", |cx, _| async move {
        Ok(cx.elicitor().confirm("?").await?.status().into())
    });
    let mut client = Client::modern(Holdpoint::new(desk.clone(), flows).unwrap(), json!({}));
    let call = client.request("prompts/get", json!({ "name": "p" })).await;
    let answer = client.answer(call).await;
    let ask = open_asks(&desk).await[0].id;
    let wanted = format!("The person has not answered yet (ask {ask}): try again later.");
    assert_eq!(answer["error"]["message"], wanted, "{answer}");
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
    // Somebody removes A's lock, as if A were dead, and B takes the call over.
    let lock = format!("journal.db-owners/{}.lock", a.desk.journal().owner());
    std::fs::remove_file(folder.path().join(lock)).unwrap();
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
    let second = said.1.recv_timeout(PATIENCE).unwrap();
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
            let statuses = [a, b, c].map(|decided| decided.outcome.status());
            Ok(statuses.join(" "))
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
    let at_b = round(&b.retry("one", &state, hollow(&keys[0]))).0;
    assert_eq!(at_b, ["0001-again-1"]);
    let mut key = keys[0].clone();
    for _ in 0..10 {
        let answer = a.retry("one", &state, hollow(&key));
        if answer["result"]["resultType"] != "input_required" {
            assert_eq!(text(&answer), "invalid");
            return;
        }
        key = round(&answer).0[0].clone();
    }
    panic!("asked again without end");
}
