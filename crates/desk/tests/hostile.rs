//! Attempts to turn something else than a person's answer into a yes, to ask twice, or to leave
//! something behind.

mod support;

use futures::future::BoxFuture;
use holdpoint::{
    Ask, AskId, Channel, ChannelKind, ClientProfile, Clock, Delivery, Desk, Field, Form, Holdpoint,
    Kind, Lost, Outcome, Replier, Reply, Settings, Showing, Yes, field,
    journal::{AskQuery, EventKind, Journal},
};
use serde_json::{Value, json};
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use support::*;
use tokio::runtime::Runtime;

#[derive(Debug)]
struct Inbox;
impl Channel for Inbox {
    fn kind(&self) -> ChannelKind {
        ChannelKind::Inbox
    }
    fn reaches(&self, _ask: &Ask) -> bool {
        true
    }
    fn answers_as(&self) -> Option<String> {
        None
    }
    fn deliver(&self, _s: Showing) -> BoxFuture<'static, Result<Delivery, Lost>> {
        Box::pin(async { Ok(Delivery::Parked) })
    }
}

fn memory() -> Arc<dyn Journal> {
    Runtime::new()
        .unwrap()
        .block_on(holdpoint::journal::open("memory:"))
        .unwrap()
}
fn sqlite(folder: &tempfile::TempDir) -> Arc<dyn Journal> {
    let url = format!("sqlite:{}", folder.path().join("journal.db").display());
    Runtime::new()
        .unwrap()
        .block_on(holdpoint::journal::open(&url))
        .unwrap()
}

struct Process {
    runtime: Runtime,
    desk: Desk,
    server: Holdpoint<Flows>,
}
impl Process {
    fn start(journal: &Arc<dyn Journal>, flows: Flows, settings: Settings, inbox: bool) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(4)
            .enable_all()
            .build()
            .unwrap();
        let desk = runtime.block_on(async {
            let mut b = Desk::builder(journal.clone())
                .settings(settings)
                .page(|ask| format!("http://127.0.0.1:4653/asks/{ask}"));
            if inbox {
                b = b.channel(Arc::new(Inbox));
            }
            b.build().await.unwrap()
        });
        let server = Holdpoint::new(desk.clone(), flows);
        Self {
            runtime,
            desk,
            server,
        }
    }
    fn send_as(&self, caps: Value, params: Value) -> Value {
        let server = self.server.clone();
        self.runtime.block_on(async {
            let mut client = Client::modern(server, caps);
            let call = client.request("tools/call", params).await;
            client.answer(call).await
        })
    }
    fn call(&self, tool: &str) -> Value {
        self.send_as(form(), json!({ "name": tool, "arguments": {} }))
    }
    fn retry(&self, tool: &str, state: &Value, responses: Value) -> Value {
        self.send_as(form(), json!({ "name": tool, "arguments": {}, "requestState": state, "inputResponses": responses }))
    }
    fn kill(self) {
        self.runtime.shutdown_background();
    }
}

async fn inbox_reply(desk: &Desk, ask: AskId, content: Value) {
    let from = Replier {
        channel: ChannelKind::Inbox,
        name: None,
    };
    let content = content.as_object().unwrap().clone();
    desk.reply(ask, from, Reply::Accept { content })
        .await
        .unwrap();
}
async fn open_asks(desk: &Desk) -> Vec<holdpoint::journal::AskRecord> {
    desk.journal()
        .asks(AskQuery {
            open: true,
            ..Default::default()
        })
        .await
        .unwrap()
}

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
    let journal = memory();
    let first = Process::start(&journal, flows(), patient(), false);
    let (_, state) = round(&first.call("files"));
    let (keys, state) = round(&first.retry("files", &state, yes("ok")));
    assert_eq!(keys, ["ok-2"]);
    first.kill();
    let second = Process::start(&journal, flows(), patient(), false);
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
    let p = Process::start(&sqlite(&folder), flows, patient(), true);
    for _ in 0..5 {
        p.call("hasty");
    }
    // Each is on record as withdrawn, soon after its flow has ended.
    p.runtime.block_on(async {
        while !open_asks(&p.desk).await.is_empty() {
            tokio::task::yield_now().await;
        }
    });
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
        .channel(Arc::new(Inbox))
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
        Process::start(&sqlite(&folder), danger(), Settings::default(), true),
        Process::start(&sqlite(&folder), danger(), Settings::default(), true),
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
        let a = Process::start(&sqlite(&folder), flows(&Arc::default()), patient(), false);
        let (_, state) = round(&a.call("two"));
        let Process {
            runtime,
            desk,
            server,
        } = a;
        drop((desk, server));
        runtime.shutdown_timeout(Duration::from_secs(5));
        runs.store(0, Ordering::SeqCst);
        let b = Process::start(&sqlite(&folder), flows(&runs), patient(), false);
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
        .channel(Arc::new(Inbox))
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

#[test]
fn a_secret_given_in_another_process_is_not_accepted_as_its_marker() {
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
    let a = Process::start(&sqlite(&folder), flows(), patient(), true);
    let b = Process::start(&sqlite(&folder), flows(), patient(), true);
    let server = a.server.clone();
    let answer = a.runtime.block_on(async {
        let mut client = Client::modern(server, form());
        let call = client.call("login").await;
        let ask = loop {
            if let Some(ask) = open_asks(&a.desk).await.first() {
                break ask.id;
            }
        };
        inbox_reply(&b.desk, ask, json!({ "password": "hunter2" })).await;
        client.answer(call).await
    });
    let message = answer["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("ask again"), "{answer}");
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
        .channel(Arc::new(Inbox))
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
        .channel(Arc::new(Inbox))
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
    let a = Process::start(&sqlite(&folder), two(&go), patient(), true);
    let b = Process::start(&sqlite(&folder), two(&never), patient(), true);
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
        let taken = |event: &holdpoint::journal::Event| event.kind == EventKind::TakenOver;
        while !b
            .desk
            .journal()
            .events(0, 100)
            .await
            .unwrap()
            .iter()
            .any(taken)
        {
            tokio::task::yield_now().await;
        }
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
    let process = Process::start(&memory(), flows, patient(), false);
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
    let a = Process::start(&sqlite(&folder), flows(), patient(), false);
    let b = Process::start(&sqlite(&folder), flows(), patient(), false);
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
    let a = Process::start(&sqlite(&folder), flows, patient(), true);
    let mut lost = 0;
    for _ in 0..100 {
        let (server, desk) = (a.server.clone(), a.desk.clone());
        let answer = a.runtime.block_on(async move {
            let mut client = Client::modern(server, form());
            let call = client.call("login").await;
            let ask = loop {
                if let Some(ask) = open_asks(&desk).await.first() {
                    break ask.id;
                }
            };
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
    assert_eq!(lost, 0, "of 100 secrets were lost");
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
    let desk = builder.channel(Arc::new(Inbox)).build().await.unwrap();
    let mut client = Client::legacy(Holdpoint::new(desk.clone(), flows), form()).await;
    let call = client.call("leak").await;
    let ask = loop {
        match open_asks(&desk).await.first() {
            Some(ask) => break ask.id,
            None => tokio::task::yield_now().await,
        }
    };
    inbox_reply(&desk, ask, json!({ "password": "hunter2" })).await;
    let answer = client.answer(call).await;
    assert!(text(&answer).starts_with("logged in with"), "{answer}");
    assert!(!answer.to_string().contains("hunter2"), "{answer}");
    for event in desk.journal().events(0, 100).await.unwrap() {
        assert!(!event.body.to_string().contains("hunter2"), "{event:?}");
    }
}
