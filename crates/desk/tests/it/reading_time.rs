//! The reading time of a client counts from when the question left for it, on every transport; and who
//! answers is who was shown it.

use crate::{
    http::{Http, read_to_the_question},
    support::*,
};
use holdpoint::{
    Clock, Desk, Holdpoint, Outcome, Yes,
    journal::{AskQuery, EventKind},
};
use holdpoint_testkit::Connect;
use http::Method;
use http_body_util::BodyExt;
use rmcp::ServiceExt;
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};
use tokio::io::DuplexStream;

const A_WHILE: Duration = Duration::from_secs(3);

async fn served() -> (Desk, Holdpoint<Flows>) {
    let journal = holdpoint::journal::open("memory:").await.unwrap();
    let desk = Desk::builder(journal)
        .clock(Clock::tokio())
        .channel(Arc::new(ParkedInbox::default()));
    let desk = desk.build().await.unwrap();
    let flows = Flows::default().with("drop", |cx, _| async move {
        Ok(match cx.elicitor().confirm("Drop?").dangerous().await? {
            Outcome::Accepted(Yes) => "dropped".into(),
            other => other.status().to_owned(),
        })
    });
    let server = Holdpoint::new(desk.clone(), flows).unwrap();
    (desk, server)
}

fn yes() -> Value {
    accept(json!({ "confirmed": true }))
}

/// Nobody has answered, and a reply that was too fast is on record.
async fn check_too_fast(desk: &Desk) {
    let noted = async || {
        let events = desk.journal().events(0, 100).await.unwrap();
        let noted = |event: &_| matches!(event, EventKind::TooFast | EventKind::Decided);
        events.into_iter().map(|event| event.kind).find(noted)
    };
    let what = eventually("a fate of the reply", noted).await;
    assert_eq!(what, EventKind::TooFast);
    assert_eq!(open_asks(desk).await.len(), 1);
}

/// A server at the other end of pipes that hold less than a question.
struct Narrow(Holdpoint<Flows>);

impl Connect for Narrow {
    fn connect(&self) -> DuplexStream {
        let (ours, theirs) = tokio::io::duplex(64);
        let server = self.0.clone();
        tokio::spawn(async move {
            let (read, write) = tokio::io::split(theirs);
            let running = server.serve(holdpoint::over(read, write)).await;
            let _ = running.unwrap().waiting().await;
        });
        ours
    }
}

#[tokio::test(start_paused = true)]
async fn a_question_that_lay_unread_in_a_pipe_is_not_answered_when_it_is_read() {
    let (desk, server) = served().await;
    let mut client = Client::legacy(Narrow(server), form()).await;
    client.call("drop").await;
    tokio::time::sleep(A_WHILE).await;
    let asked = client.asked().await;
    client.reply(&asked, yes()).await;
    check_too_fast(&desk).await;
}

#[tokio::test(start_paused = true)]
async fn a_round_that_lay_unread_in_a_pipe_is_not_answered_when_it_is_read() {
    let (desk, server) = served().await;
    let mut client = Client::modern(Narrow(server), form());
    let call = client.call("drop").await;
    tokio::time::sleep(A_WHILE).await;
    let (keys, state) = round(&client.answer(call).await);
    client
        .retry("drop", &state, json!({ &keys[0]: yes() }))
        .await;
    check_too_fast(&desk).await;
}

#[tokio::test(start_paused = true)]
async fn what_was_read_for_a_while_is_answered_in_both_eras() {
    let (_, server) = served().await;
    let mut client = Client::legacy(Narrow(server.clone()), form()).await;
    let call = client.call("drop").await;
    let asked = client.asked().await;
    tokio::time::sleep(A_WHILE).await;
    client.reply(&asked, yes()).await;
    assert_eq!(text(&client.answer(call).await), "dropped");

    let mut client = Client::modern(Narrow(server), form());
    let call = client.call("drop").await;
    let (keys, state) = round(&client.answer(call).await);
    tokio::time::sleep(A_WHILE).await;
    let call = client
        .retry("drop", &state, json!({ &keys[0]: yes() }))
        .await;
    assert_eq!(text(&client.answer(call).await), "dropped");
}

#[tokio::test(start_paused = true)]
async fn a_question_that_nobody_fetched_over_http_is_not_answered_when_it_is_fetched() {
    let (desk, server) = served().await;
    let http = Http::legacy(server).await;
    let mut stream = http.call("drop").await;
    open_ask(&desk).await;
    tokio::time::sleep(A_WHILE).await;
    let id = read_to_the_question(&mut stream).await;
    http.reply(&id, yes()).await;
    check_too_fast(&desk).await;
}

#[tokio::test(start_paused = true)]
async fn a_question_that_is_sent_again_on_a_resumed_stream_is_read_from_there_on() {
    for waits in [false, true] {
        let (desk, server) = served().await;
        let http = Http::legacy(server).await;
        let mut stream = http.call("drop").await;
        read_to_the_question(&mut stream).await;
        drop(stream);
        tokio::time::sleep(A_WHILE).await;
        let resumed = [("last-event-id", "0/0")];
        let resumed = http.send(Method::GET, &resumed, None).await;
        let id = read_to_the_question(&mut resumed.into_body()).await;
        if waits {
            tokio::time::sleep(A_WHILE).await;
            http.reply(&id, yes()).await;
            let decided = async || {
                let asks = desk.journal().asks(AskQuery::default()).await.unwrap();
                asks.into_iter().find_map(|ask| ask.decision)
            };
            let decided = eventually("a decision", decided).await;
            assert!(matches!(decided.outcome, Outcome::Accepted(_)));
        } else {
            http.reply(&id, yes()).await;
            check_too_fast(&desk).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_round_that_nobody_fetched_over_http_is_not_answered_when_it_is_fetched() {
    let (desk, server) = served().await;
    let http = Http::modern(server);
    let send = async |params: Value| {
        let mut params = params;
        params["_meta"] = holdpoint_testkit::modern_meta(&form());
        let headers = [
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", "tools/call"),
            ("mcp-name", "drop"),
        ];
        let call = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params });
        http.send(Method::POST, &headers, Some(call)).await
    };
    let answer = send(json!({ "name": "drop", "arguments": {} })).await;
    open_ask(&desk).await;
    tokio::time::sleep(A_WHILE).await;
    let answer = answer.into_body().collect().await.unwrap().to_bytes();
    let answer = String::from_utf8(answer.to_vec()).unwrap();
    let start = answer
        .find("{\"jsonrpc\"")
        .unwrap_or_else(|| panic!("{answer}"));
    let answer = answer[start..].lines().next().unwrap();
    let (keys, state) = round(&serde_json::from_str(answer).unwrap());
    let retry = json!({
        "name": "drop", "arguments": {}, "requestState": state,
        "inputResponses": { &keys[0]: yes() },
    });
    let retried = tokio::time::timeout(Duration::from_millis(1), send(retry)).await;
    drop(retried);
    check_too_fast(&desk).await;
}

/// The handshake and the call of another version of the same client.
async fn call_as(client: &mut Client, version: &str) {
    let mut params = holdpoint_testkit::initialize("2025-11-25", &form());
    params["clientInfo"]["version"] = version.into();
    let hello = json!({ "jsonrpc": "2.0", "id": 100, "method": "initialize", "params": params });
    client.send(hello).await;
    client.answer(100).await;
    let there = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    client.send(there).await;
    let params = json!({ "name": "drop", "arguments": {} });
    let call = json!({ "jsonrpc": "2.0", "id": 101, "method": "tools/call", "params": params });
    client.send(call).await;
}

async fn answered_by(desk: &Desk) -> Option<String> {
    let asks = desk.journal().asks(AskQuery::default()).await.unwrap();
    assert_eq!(asks.len(), 1);
    asks[0].decision.as_ref().unwrap().answered_by.clone()
}

#[tokio::test(start_paused = true)]
async fn who_takes_a_call_up_and_answers_is_recorded_by_its_own_version() {
    let (desk, server) = served().await;
    let (mut first, mut second) = (
        Client::modern(&server, form()),
        Client::modern(&server, form()),
    );
    call_as(&mut first, "1.0").await;
    first.asked().await;
    first.cancel(101, "Request timed out").await;
    let gone = async || open_ask(&desk).await.agent_gone.then_some(());
    eventually("that the first is gone", gone).await;
    call_as(&mut second, "2.0").await;
    let asked = second.asked().await;
    tokio::time::sleep(A_WHILE).await;
    second.reply(&asked, yes()).await;
    assert_eq!(text(&second.answer(101).await), "dropped");
    assert_eq!(
        answered_by(&desk).await.as_deref(),
        Some("mcpdo-test-client 2.0")
    );
}

#[tokio::test(start_paused = true)]
async fn who_calls_again_with_an_answer_is_recorded_by_its_own_version() {
    let (desk, server) = served().await;
    let mut client = Client::modern(&server, form());
    let call = client.call("drop").await;
    let (keys, state) = round(&client.answer(call).await);
    tokio::time::sleep(A_WHILE).await;
    let mut meta = holdpoint_testkit::modern_meta(&form());
    meta["io.modelcontextprotocol/clientInfo"]["version"] = "2.0".into();
    let params = json!({
        "name": "drop", "arguments": {}, "requestState": state,
        "inputResponses": { &keys[0]: yes() }, "_meta": meta,
    });
    let retry = json!({ "jsonrpc": "2.0", "id": 100, "method": "tools/call", "params": params });
    client.send(retry).await;
    assert_eq!(text(&client.answer(100).await), "dropped");
    assert_eq!(
        answered_by(&desk).await.as_deref(),
        Some("mcpdo-test-client 2.0")
    );
}
