//! Flows that wait for people are let go, and go on from the record.

use crate::support::*;
use holdpoint::{
    Clock, Desk, DeskBuilder, Holdpoint, Outcome, Settings, ToolContext, Yes,
    journal::{AskQuery, EventKind},
};
use serde_json::{Value, json};
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

pub const SOON: Duration = Duration::from_secs(2);

/// A server whose flows are let go, and how often its flow was run.
pub struct Served {
    pub desk: Desk,
    pub server: Holdpoint<Flows>,
    runs: Arc<AtomicUsize>,
}

/// A server with one tool, `work`.
pub async fn served<F, R>(settings: Settings, flow: F) -> Served
where
    F: Fn(ToolContext) -> R + Clone + Send + Sync + 'static,
    R: Future<Output = Result<String, holdpoint::AskError>> + Send + 'static,
{
    served_by(|desk| desk.settings(settings), flow).await
}

/// The same, with a desk that is set up so.
pub async fn served_by<F, R>(set_up: impl FnOnce(DeskBuilder) -> DeskBuilder, flow: F) -> Served
where
    F: Fn(ToolContext) -> R + Clone + Send + Sync + 'static,
    R: Future<Output = Result<String, holdpoint::AskError>> + Send + 'static,
{
    let journal = holdpoint::journal::open("memory:").await.unwrap();
    let desk = Desk::builder(journal)
        .clock(Clock::tokio())
        .channel(Arc::new(ParkedInbox::default()));
    let desk = set_up(desk).build().await.unwrap();
    let runs = Arc::<AtomicUsize>::default();
    let count = runs.clone();
    let flows = Flows::default().with("work", move |cx, _| {
        count.fetch_add(1, Ordering::SeqCst);
        let running = flow(cx);
        async move { Ok(running.await?) }
    });
    let server = Holdpoint::new(desk.clone(), flows).unwrap();
    Served {
        server: server.release_waiting_after(SOON),
        desk,
        runs,
    }
}

async fn two(cx: ToolContext) -> Result<String, holdpoint::AskError> {
    let ask = cx.elicitor();
    let one = ask.text_input("One?", "word").await?;
    let two = ask.text_input("Two?", "word").await?;
    Ok(format!("{:?} {:?}", one.accepted(), two.accepted()))
}

pub async fn deletes(cx: ToolContext) -> Result<String, holdpoint::AskError> {
    Ok(match cx.elicitor().confirm("Delete?").await? {
        Outcome::Accepted(Yes) => "deleted".into(),
        other => format!("kept: {}", other.status()),
    })
}

impl Served {
    /// Waits until so many calls are let go.
    pub async fn let_go(&self, wanted: usize) {
        let count = async || {
            tokio::time::sleep(Duration::from_millis(100)).await;
            (self.desk.released_calls() == wanted).then_some(())
        };
        eventually(&format!("{wanted} calls to be let go"), count).await;
    }

    /// Waits for long, and finds that nothing was let go.
    pub async fn kept(&self) {
        for _ in 0..50 {
            tokio::time::sleep(SOON / 5).await;
            assert_eq!(self.desk.released_calls(), 0);
        }
    }

    /// A call whose flow is kept, for as long as nobody answers.
    pub async fn kept_until_answered(&self) {
        let mut client = Client::legacy(&self.server, form()).await;
        let call = client.call("work").await;
        let asked = client.asked().await;
        self.kept().await;
        let yes = accept(json!({ "confirmed": true }));
        client.reply(&asked, yes).await;
        assert_eq!(text(&client.answer(call).await), "deleted");
    }

    pub fn runs(&self) -> usize {
        self.runs.load(Ordering::SeqCst)
    }

    /// Waits until an event of this kind is on record.
    pub async fn recorded(&self, kind: EventKind) {
        let recorded = async || {
            tokio::time::sleep(Duration::from_millis(10)).await;
            let events = self.desk.journal().events(0, 100).await.unwrap();
            let is_there = events.iter().any(|event| event.kind == kind);
            is_there.then_some(())
        };
        eventually(&format!("{kind:?} on record"), recorded).await;
    }
}

fn word(key: &str, word: &str) -> Value {
    json!({ key: accept(json!({ "word": word })) })
}

#[tokio::test(start_paused = true)]
async fn a_modern_client_goes_on_with_a_call_that_was_let_go() {
    let served = served(patient(), two).await;
    let mut client = Client::modern(&served.server, form());
    let call = client.call("work").await;
    let (keys, first) = round(&client.answer(call).await);
    assert_eq!(keys, ["0001"]);
    served.let_go(1).await;
    let call = client.retry("work", &first, word("0001", "a")).await;
    let (keys, second) = round(&client.answer(call).await);
    assert_eq!(keys, ["0002"]);
    assert_eq!(served.runs(), 2);
    served.let_go(1).await;
    // An older round again feeds nothing, and brings the next.
    let call = client.retry("work", &first, word("0001", "x")).await;
    assert_eq!(round(&client.answer(call).await).0, ["0002"]);
    served.let_go(1).await;
    let call = client.retry("work", &second, word("0002", "b")).await;
    assert_eq!(text(&client.answer(call).await), r#"Some("a") Some("b")"#);
    assert_eq!(served.desk.released_calls(), 0);
    let asks = served.desk.journal().asks(AskQuery::default()).await;
    assert_eq!(asks.unwrap().len(), 2, "nothing was asked twice");
    let call = client.retry("work", &second, word("0002", "c")).await;
    assert_eq!(text(&client.answer(call).await), r#"Some("a") Some("b")"#);
}

#[tokio::test(start_paused = true)]
async fn an_invalid_answer_is_asked_for_again() {
    let served = served(patient(), deletes).await;
    let mut client = Client::modern(&served.server, form());
    let call = client.call("work").await;
    let (_, state) = round(&client.answer(call).await);
    served.let_go(1).await;
    let wrong = json!({ "0001": accept(json!({})) });
    let call = client.retry("work", &state, wrong).await;
    let (keys, state) = round(&client.answer(call).await);
    assert_eq!(keys, ["0001-again-1"]);
    served.let_go(1).await;
    let yes = json!({ "0001-again-1": accept(json!({ "confirmed": true })) });
    let call = client.retry("work", &state, yes).await;
    assert_eq!(text(&client.answer(call).await), "deleted");
}

#[tokio::test(start_paused = true)]
async fn an_answer_in_the_inbox_wakes_the_flow() {
    let served = served(patient(), deletes).await;
    let mut client = Client::modern(&served.server, form());
    let call = client.call("work").await;
    let (_, state) = round(&client.answer(call).await);
    served.let_go(1).await;
    let ask = open_ask(&served.desk).await.id;
    inbox_reply(&served.desk, ask, json!({ "confirmed": true })).await;
    served.let_go(0).await;
    served.recorded(EventKind::Finished).await;
    let call = client.retry("work", &state, json!({})).await;
    assert_eq!(text(&client.answer(call).await), "deleted");
}

#[tokio::test(start_paused = true)]
async fn a_legacy_clients_form_stays_in_view_and_its_reply_counts_from_when_it_left() {
    let settings = Settings::default().fast_reply(Duration::from_millis(400));
    let served = served(settings, deletes).await;
    let mut client = Client::legacy(&served.server, form()).await;
    let call = client.call("work").await;
    let asked = client.asked().await;
    served.let_go(1).await;
    client
        .reply(&asked, accept(json!({ "confirmed": true })))
        .await;
    // The next message is the result: the client was not asked again.
    assert_eq!(text(&client.answer(call).await), "deleted");
    assert_eq!(served.runs(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_form_is_taken_out_of_view_when_the_inbox_was_faster() {
    let served = served(patient(), deletes).await;
    let mut client = Client::legacy(&served.server, form()).await;
    let call = client.call("work").await;
    let asked = client.asked().await;
    served.let_go(1).await;
    let ask = open_ask(&served.desk).await.id;
    inbox_reply(&served.desk, ask, json!({ "confirmed": true })).await;
    let withdrawn = client.next().await;
    assert_eq!(withdrawn["method"], "notifications/cancelled");
    assert_eq!(withdrawn["params"]["requestId"], asked["id"]);
    assert_eq!(text(&client.answer(call).await), "deleted");
}

#[tokio::test(start_paused = true)]
async fn a_call_that_was_let_go_is_cancelled_like_any_other() {
    let served = served(patient(), deletes).await;
    let mut client = Client::legacy(&served.server, form()).await;
    let call = client.call("work").await;
    let asked = client.asked().await;
    served.let_go(1).await;
    client.cancel(call, "the user pressed stop").await;
    let withdrawn = client.next().await;
    assert_eq!(withdrawn["params"]["requestId"], asked["id"]);
    served.recorded(EventKind::Finished).await;
    assert!(open_asks(&served.desk).await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn an_ask_of_a_call_that_was_let_go_times_out_and_may_be_given_more_time() {
    let settings = patient().timeout(Some(Duration::from_secs(60)));
    let served = served(settings, deletes).await;
    let mut client = Client::legacy(&served.server, form()).await;
    let call = client.call("work").await;
    client.asked().await;
    served.let_go(1).await;
    let ask = open_ask(&served.desk).await;
    let longer = ask.deadline_at.unwrap() + holdpoint::jiff::SignedDuration::from_secs(60);
    let given = served.desk.extend(ask.id, Some(longer), "ann").await;
    assert!(given.unwrap());
    tokio::time::sleep(Duration::from_secs(70)).await;
    assert_eq!(open_asks(&served.desk).await.len(), 1, "it has more time");
    let withdrawn = client.next().await;
    assert_eq!(withdrawn["method"], "notifications/cancelled");
    assert_eq!(text(&client.answer(call).await), "kept: timed_out");
}

#[tokio::test(start_paused = true)]
async fn the_agent_that_waits_for_the_answer_gets_the_result() {
    let served = served(patient(), deletes).await;
    let mut client = Client::legacy(&served.server, json!({})).await;
    let call = client.call("work").await;
    let pending = client.answer(call).await;
    assert_eq!(pending["result"]["structuredContent"]["status"], "pending");
    served.let_go(1).await;
    let runs = served.runs();
    let ask = pending["result"]["structuredContent"]["askId"].clone();
    let name = "flows_await_answer";
    let arguments = json!({ "name": name, "arguments": { "askId": ask, "waitSeconds": 30 } });
    let waits = client.request("tools/call", arguments).await;
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!(served.runs(), runs, "waiting wakes nothing");
    let ask = open_ask(&served.desk).await.id;
    inbox_reply(&served.desk, ask, json!({ "confirmed": true })).await;
    assert_eq!(text(&client.answer(waits).await), "deleted");
}

#[tokio::test(start_paused = true)]
async fn the_same_call_again_takes_up_one_that_was_let_go() {
    let served = served(patient(), deletes).await;
    let mut client = Client::legacy(&served.server, json!({})).await;
    let call = client.call("work").await;
    client.answer(call).await;
    served.let_go(1).await;
    let again = client.call("work").await;
    served.let_go(0).await;
    let ask = open_ask(&served.desk).await.id;
    inbox_reply(&served.desk, ask, json!({ "confirmed": true })).await;
    assert_eq!(text(&client.answer(again).await), "deleted");
}

#[tokio::test(start_paused = true)]
async fn a_flow_that_waits_for_anything_else_is_kept() {
    let with_timer = |cx: ToolContext| async move {
        tokio::select! {
            outcome = deletes(cx) => outcome,
            () = tokio::time::sleep(Duration::from_secs(200)) => Ok("too late".into()),
        }
    };
    let served = served(patient(), with_timer).await;
    let mut client = Client::legacy(&served.server, form()).await;
    let call = client.call("work").await;
    client.asked().await;
    served.kept().await;
    // The form is withdrawn, then the flow ends by its own timer.
    client.next().await;
    assert_eq!(text(&client.answer(call).await), "too late");
    assert_eq!(served.runs(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_flow_that_asks_in_a_task_of_its_own_is_kept() {
    let spawned = |cx: ToolContext| async move {
        let asks = tokio::spawn(deletes(cx));
        asks.await.unwrap()
    };
    let served = served(patient(), spawned).await;
    served.kept_until_answered().await;
}

#[tokio::test(start_paused = true)]
async fn a_flow_with_a_step_under_way_is_kept() {
    let in_step = |cx: ToolContext| async move {
        let asks = cx.clone();
        let step = cx.step("ask", async move { deletes(asks).await.unwrap() });
        Ok(step.await.unwrap())
    };
    let served = served(patient(), in_step).await;
    served.kept_until_answered().await;
}

#[tokio::test(start_paused = true)]
async fn steps_of_a_flow_that_was_let_go_run_once() {
    let done = Arc::<AtomicUsize>::default();
    let count = done.clone();
    let steps = move |cx: ToolContext| {
        let count = count.clone();
        async move {
            let effect = || async { count.fetch_add(1, Ordering::SeqCst) };
            cx.step("first", effect()).await.unwrap();
            let said = deletes(cx.clone()).await?;
            cx.step("second", effect()).await.unwrap();
            Ok(said)
        }
    };
    let served = served(patient(), steps).await;
    let mut client = Client::modern(&served.server, form());
    let call = client.call("work").await;
    let (_, state) = round(&client.answer(call).await);
    served.let_go(1).await;
    let yes = json!({ "0001": accept(json!({ "confirmed": true })) });
    let call = client.retry("work", &state, yes).await;
    assert_eq!(text(&client.answer(call).await), "deleted");
    assert_eq!(done.load(Ordering::SeqCst), 2);
    assert_eq!(served.runs(), 2);
}

#[tokio::test(start_paused = true)]
async fn the_limit_of_open_asks_counts_those_that_were_let_go() {
    let served = served(patient().max_open_asks(2), two).await;
    let mut client = Client::modern(&served.server, form());
    for wanted in 1..=2 {
        let arguments = json!({ "name": "work", "arguments": { "number": wanted } });
        let call = client.request("tools/call", arguments).await;
        round(&client.answer(call).await);
        served.let_go(wanted).await;
    }
    let call = client.call("work").await;
    let refused = client.answer(call).await;
    let why = refused["error"]["message"].as_str().unwrap();
    assert!(why.starts_with("2 questions"), "{refused}");
    let ask = open_ask(&served.desk).await.id;
    inbox_reply(&served.desk, ask, json!({ "word": "a" })).await;
    served.let_go(2).await;
    assert_eq!(
        open_asks(&served.desk).await.len(),
        2,
        "the next question of the same call"
    );
}

#[tokio::test(start_paused = true)]
async fn a_rush_of_calls_is_let_go_before_its_time() {
    const CALLS: usize = 2_000;
    let mut served = served(patient().max_open_asks(CALLS), two).await;
    let server = served.server.clone();
    served.server = server.release_waiting_after(Duration::from_secs(3600));
    let mut client = Client::modern(&served.server, form());
    let mut first = None;
    for number in 0..CALLS {
        let arguments = json!({ "name": "work", "arguments": { "number": number } });
        let call = client.request("tools/call", arguments).await;
        let (_, state) = round(&client.answer(call).await);
        first.get_or_insert(state);
    }
    let half = async || (served.desk.released_calls() >= CALLS / 2).then_some(());
    eventually("half of the calls to be let go", half).await;
    let call = json!({
        "name": "work", "arguments": { "number": 0 },
        "requestState": first, "inputResponses": word("0001", "a"),
    });
    let call = client.request("tools/call", call).await;
    let (keys, _) = round(&client.answer(call).await);
    assert_eq!(keys, ["0002"], "its flow goes on");
}
