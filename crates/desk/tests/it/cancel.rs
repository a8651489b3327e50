//! Clients that cancel, lose patience or vanish.

use crate::support::*;
use holdpoint::{
    AskId, ChannelKind, Desk, Holdpoint, Outcome, Reply, Withdrawal, Yes,
    journal::{AskQuery, AskRecord, EventKind},
};
use serde_json::json;
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::sync::Notify;

/// A server with one tool, a count of its deletions, and a sign when it has ended.
struct Served {
    desk: Desk,
    server: Holdpoint<Flows>,
    deleted: Arc<AtomicUsize>,
    ended: Arc<Notify>,
}

async fn served() -> Served {
    let desk = desk(patient()).await;
    let deleted = Arc::new(AtomicUsize::new(0));
    let ended = Arc::new(Notify::new());
    let (count, end) = (deleted.clone(), ended.clone());
    let flows = Flows::default().with("delete", move |cx, _| {
        let (count, end) = (count.clone(), end.clone());
        async move {
            let outcome = cx.elicitor().confirm("Delete?").await?;
            if let Outcome::Accepted(Yes) = outcome {
                count.fetch_add(1, Ordering::SeqCst);
            }
            end.notify_one();
            Ok(outcome.status().into())
        }
    });
    let server = Holdpoint::new(desk.clone(), flows).unwrap();
    Served {
        desk,
        server,
        deleted,
        ended,
    }
}

async fn asks(desk: &Desk) -> Vec<AskRecord> {
    desk.journal().asks(AskQuery::default()).await.unwrap()
}

async fn answer(desk: &Desk, ask: AskId, confirmed: bool) {
    let from = holdpoint::testing::person(ChannelKind::Inbox, Some("ann"));
    let content = json!({ "confirmed": confirmed })
        .as_object()
        .unwrap()
        .clone();
    desk.reply(ask, from, Reply::Accept { content })
        .await
        .unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_call_withdraws_its_ask() {
    let served = served().await;
    let mut client = Client::legacy(served.server, form()).await;
    let call = client.call("delete").await;
    let asked = client.asked().await;
    client.cancel(call, "the user pressed stop").await;
    let withdrawn = client.next().await;
    assert_eq!(withdrawn["method"], "notifications/cancelled");
    assert_eq!(withdrawn["params"]["requestId"], asked["id"]);
    served.ended.notified().await;
    let decision = asks(&served.desk).await.remove(0).decision.unwrap();
    let why = Withdrawal::CallCancelled;
    assert_eq!(decision.outcome, Outcome::Withdrawn { why });
    assert_eq!(served.deleted.load(Ordering::SeqCst), 0);
}

#[tokio::test(start_paused = true)]
async fn a_client_that_lost_patience_leaves_the_ask_to_the_person() {
    for reason in ["Request timed out", "request timeout", "McpError: Timeout"] {
        let served = served().await;
        let mut client = Client::legacy(served.server, form()).await;
        let call = client.call("delete").await;
        let asked = client.asked().await;
        client.cancel(call, reason).await;
        let taken_back = client.next().await;
        assert_eq!(taken_back["params"]["requestId"], asked["id"]);
        let ask = asks(&served.desk).await.remove(0);
        assert_eq!(ask.decision, None, "the ask is open: {reason}");
        answer(&served.desk, ask.id, true).await;
        served.ended.notified().await;
        assert_eq!(served.deleted.load(Ordering::SeqCst), 1, "the flow went on");
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_that_vanishes_leaves_the_ask_to_the_person() {
    let served = served().await;
    let mut client = Client::legacy(served.server, form()).await;
    client.call("delete").await;
    client.asked().await;
    drop(client);
    let events = eventually("a note that the agent is gone", async || {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let events = served.desk.journal().events(0, 100).await.unwrap();
        let gone = events
            .iter()
            .any(|event| event.kind == EventKind::AgentGone);
        gone.then_some(events)
    })
    .await;
    assert!(!events.iter().any(|event| event.kind == EventKind::Decided));
    let ask = asks(&served.desk).await.remove(0);
    answer(&served.desk, ask.id, true).await;
    served.ended.notified().await;
    assert_eq!(served.deleted.load(Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn an_ask_that_nobody_took_up_ends_at_its_deadline() {
    let served = served().await;
    let mut client = Client::legacy(served.server, form()).await;
    let call = client.call("delete").await;
    client.asked().await;
    client.cancel(call, "Request timed out").await;
    served.ended.notified().await;
    let decision = asks(&served.desk).await.remove(0).decision.unwrap();
    assert_eq!(decision.outcome, Outcome::TimedOut);
    assert_eq!(served.deleted.load(Ordering::SeqCst), 0);
}

#[tokio::test(start_paused = true)]
async fn a_call_cancelled_at_once_asks_nobody_for_long() {
    let served = served().await;
    let mut client = Client::legacy(served.server, form()).await;
    let call = client.call("delete").await;
    client.cancel(call, "changed my mind").await;
    // Whether it was asked and withdrawn, or never asked, is a matter of who was first.
    let next = client.request("ping", json!({})).await;
    loop {
        let message = client.next().await;
        if message["id"] == next && message.get("method").is_none() {
            break;
        }
    }
    for ask in asks(&served.desk).await {
        let outcome = ask.decision.map(|decision| decision.outcome);
        let why = Withdrawal::CallCancelled;
        assert_eq!(outcome, Some(Outcome::Withdrawn { why }));
    }
    assert_eq!(served.deleted.load(Ordering::SeqCst), 0);
}

#[tokio::test(start_paused = true)]
async fn a_modern_call_is_cancelled_while_its_retry_is_open() {
    let served = served().await;
    let mut client = Client::modern(served.server, form());
    let call = client.call("delete").await;
    let (_, state) = round(&client.answer(call).await);
    let retry = client.retry("delete", &state, json!({})).await;
    // Nothing was answered, so the same round comes back; cancelling after that is too late.
    assert_eq!(round(&client.answer(retry).await).0, ["0001"]);
    client.cancel(retry, "stop").await;
    let call = client
        .retry("delete", &state, json!({ "0001": { "action": "decline" } }))
        .await;
    assert_eq!(text(&client.answer(call).await), "declined");
}

#[tokio::test(start_paused = true)]
async fn the_same_call_again_takes_the_open_ask_over() {
    let served = served().await;
    let mut client = Client::legacy(served.server, form()).await;
    let call = client.call("delete").await;
    client.asked().await;
    client.cancel(call, "Request timed out").await;
    assert_eq!(client.next().await["method"], "notifications/cancelled");
    let again = client.call("delete").await;
    let asked = client.asked().await;
    assert_eq!(asks(&served.desk).await.len(), 1, "nobody is asked twice");
    client
        .reply(&asked, accept(json!({ "confirmed": true })))
        .await;
    assert_eq!(text(&client.answer(again).await), "accepted");
    assert_eq!(served.deleted.load(Ordering::SeqCst), 1);
    // It is over: the next call is a new one.
    client.call("delete").await;
    client.asked().await;
    assert_eq!(asks(&served.desk).await.len(), 2);
}

#[tokio::test(start_paused = true)]
async fn two_calls_at_once_are_two_asks() {
    let served = served().await;
    let mut client = Client::legacy(served.server, form()).await;
    for _ in 0..2 {
        client.call("delete").await;
        client.asked().await;
    }
    assert_eq!(asks(&served.desk).await.len(), 2);
}
