//! HTTP sessions: whose they are, how many there may be, and when they end.

use crate::support::*;
use bytes::Bytes;
use holdpoint::{Desk, Holdpoint, HttpService, Outcome, Yes, http_settings};
use http::{Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full, combinators::BoxBody};
use serde_json::{Value, json};
use std::{convert::Infallible, sync::Arc, time::Duration};
use tower_service::Service;

type Answer = Response<BoxBody<Bytes, Infallible>>;

struct Stand {
    desk: Desk,
    service: HttpService<Flows>,
}

impl Stand {
    async fn new() -> Self {
        let desk = desk(patient()).await;
        let flows = Flows::default().with("drop", |cx, _| async move {
            Ok(match cx.elicitor().confirm("Drop the table?").await? {
                Outcome::Accepted(Yes) => "dropped".into(),
                other => other.status().to_owned(),
            })
        });
        let server = Holdpoint::new(desk.clone(), flows).unwrap();
        let service = HttpService::new(server, http_settings());
        Self { desk, service }
    }

    async fn send(
        &self,
        method: Method,
        who: &str,
        headers: &[(&str, &str)],
        body: Option<Value>,
    ) -> Answer {
        let mut request = Request::builder()
            .method(method)
            .uri("http://127.0.0.1/mcp")
            .header("host", "127.0.0.1")
            .header("authorization", format!("Bearer {who}"))
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        let request = request.body(Full::new(Bytes::from(body))).unwrap();
        self.service.clone().call(request).await.unwrap()
    }

    async fn in_session(&self, method: Method, who: &str, id: &str, body: Option<Value>) -> Answer {
        let headers = [
            ("mcp-session-id", id),
            ("mcp-protocol-version", "2025-11-25"),
        ];
        self.send(method, who, &headers, body).await
    }

    /// Begins a session; its id, or how it was refused.
    async fn begin(&self, who: &str) -> Result<String, StatusCode> {
        let params = holdpoint_testkit::initialize("2025-11-25", &form());
        let hello = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
        let answer = self.send(Method::POST, who, &[], Some(hello)).await;
        if answer.status() != 200 {
            return Err(answer.status());
        }
        let id = answer.headers()["mcp-session-id"]
            .to_str()
            .unwrap()
            .to_owned();
        answer.into_body().collect().await.unwrap();
        let there = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        let there = self.in_session(Method::POST, who, &id, Some(there)).await;
        if there.status() != 202 {
            return Err(there.status());
        }
        Ok(id)
    }

    async fn ping(&self, who: &str, id: &str) -> StatusCode {
        let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
        let answer = self.in_session(Method::POST, who, id, Some(ping)).await;
        let status = answer.status();
        answer.into_body().collect().await.unwrap();
        status
    }
}

fn call() -> Value {
    json!({
        "jsonrpc": "2.0", "id": 7, "method": "tools/call",
        "params": { "name": "drop", "arguments": {} },
    })
}

/// Reads events until one holds this, and gives its message.
async fn until(body: &mut BoxBody<Bytes, Infallible>, wanted: impl Fn(&Value) -> bool) -> Value {
    loop {
        let frame = body.frame().await.expect("the stream ended").unwrap();
        let text = String::from_utf8(frame.into_data().unwrap().to_vec()).unwrap();
        for line in text.lines() {
            let line = line.trim_start_matches("data:").trim();
            match serde_json::from_str::<Value>(line) {
                Ok(message) if wanted(&message) => return message,
                _ => {}
            }
        }
    }
}

#[tokio::test]
async fn another_principal_with_a_known_session_id_gets_nothing_reads_nothing_deletes_nothing() {
    let stand = Stand::new().await;
    let id = stand.begin("ann").await.unwrap();
    let answer = stand
        .in_session(Method::POST, "ann", &id, Some(call()))
        .await;
    let mut events = answer.into_body();
    let asked = until(&mut events, |message| {
        message["method"] == "elicitation/create"
    })
    .await;
    let yes = json!({
        "jsonrpc": "2.0", "id": asked["id"], "result": accept(json!({ "confirmed": true })),
    });
    let cancelled = json!({
        "jsonrpc": "2.0", "method": "notifications/cancelled",
        "params": { "requestId": 7, "reason": "no more" },
    });
    let unknown = stand
        .in_session(Method::POST, "bob", "none", Some(yes.clone()))
        .await;
    let unknown = (
        unknown.status(),
        unknown.into_body().collect().await.unwrap().to_bytes(),
    );
    assert_eq!(unknown.0, 404);
    for (method, body) in [
        (Method::POST, Some(yes.clone())),
        (Method::POST, Some(cancelled)),
        (Method::POST, Some(call())),
        (Method::GET, None),
        (Method::DELETE, None),
    ] {
        let answer = stand.in_session(method.clone(), "bob", &id, body).await;
        let status = answer.status();
        let said = answer.into_body().collect().await.unwrap().to_bytes();
        assert_eq!(
            (status, said),
            unknown,
            "{method}: as for a session that is not there"
        );
    }
    for last in ["0", "0/0", "1/0"] {
        let headers = [
            ("mcp-session-id", id.as_str()),
            ("mcp-protocol-version", "2025-11-25"),
            ("last-event-id", last),
        ];
        let resumed = stand.send(Method::GET, "bob", &headers, None).await;
        assert_eq!(resumed.status(), 404, "{last}");
        // Both names at once are nobody's session.
        let twice = [headers[0], headers[0], headers[1]];
        let twice = stand.send(Method::GET, "ann", &twice, None).await;
        assert_eq!(twice.status(), 404);
    }
    assert!(
        open_ask(&stand.desk).await.decision.is_none(),
        "nobody has answered"
    );

    let taken = stand.in_session(Method::POST, "ann", &id, Some(yes)).await;
    assert_eq!(taken.status(), 202);
    let result = until(&mut events, |message| message["id"] == 7).await;
    assert_eq!(text(&result), "dropped");
    let ended = stand.in_session(Method::DELETE, "ann", &id, None).await;
    assert_eq!(ended.status(), 202);
    assert_eq!(stand.ping("ann", &id).await, 404);
}

#[tokio::test]
async fn sessions_are_bounded_for_each_principal_and_the_idlest_makes_room() {
    let stand = Stand::new().await;
    let bobs = stand.begin("bob").await.unwrap();
    let busy = stand.begin("ann").await.unwrap();
    let waiting = stand.in_session(Method::GET, "ann", &busy, None).await;
    assert_eq!(waiting.status(), 200);
    let idle = stand.begin("ann").await.unwrap();
    for _ in 0..62 {
        stand.begin("ann").await.unwrap();
    }
    assert_eq!(stand.ping("ann", &idle).await, 200, "64 are fine");
    let next = stand.begin("ann").await.unwrap();
    assert_eq!(stand.ping("ann", &next).await, 200);
    assert_eq!(stand.ping("ann", &busy).await, 200, "its stream is open");
    assert_eq!(stand.ping("ann", &idle).await, 200, "it was used since");
    assert_eq!(stand.ping("bob", &bobs).await, 200, "others lose nothing");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_hundred_sessions_that_begin_at_once_are_64() {
    let stand = Arc::new(Stand::new().await);
    let all: Vec<_> = (0..200)
        .map(|_| {
            let stand = stand.clone();
            tokio::spawn(async move { stand.begin("ann").await })
        })
        .collect();
    let mut begun = Vec::new();
    for one in all {
        match one.await.unwrap() {
            Ok(id) => begun.push(id),
            // No room was left, or another one took its place.
            Err(refused) => assert!(refused == 429 || refused == 404, "{refused}"),
        }
    }
    let mut alive = 0;
    for id in &begun {
        alive += usize::from(stand.ping("ann", id).await == 200);
    }
    assert_eq!(alive, 64, "of {}", begun.len());
}

#[tokio::test]
async fn a_principal_whose_sessions_are_all_in_use_begins_no_other() {
    let stand = Stand::new().await;
    let mut streams = Vec::new();
    for _ in 0..64 {
        let id = stand.begin("ann").await.unwrap();
        streams.push(stand.in_session(Method::GET, "ann", &id, None).await);
    }
    assert_eq!(stand.begin("ann").await, Err(StatusCode::TOO_MANY_REQUESTS));
    assert!(stand.begin("bob").await.is_ok());
    streams.pop();
    assert!(stand.begin("ann").await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_session_that_nobody_uses_ends_and_one_that_waits_for_a_person_does_not() {
    let stand = Stand::new().await;
    let idle = stand.begin("ann").await.unwrap();
    let waits = stand.begin("ann").await.unwrap();
    let answer = stand
        .in_session(Method::POST, "ann", &waits, Some(call()))
        .await;
    let mut events = answer.into_body();
    until(&mut events, |message| {
        message["method"] == "elicitation/create"
    })
    .await;
    tokio::time::sleep(Duration::from_secs(3_600 + 120)).await;
    assert_eq!(stand.ping("ann", &waits).await, 200);
    assert_eq!(stand.ping("ann", &idle).await, 404);
    drop(events);
    tokio::time::sleep(Duration::from_secs(3_600 + 120)).await;
    assert_eq!(stand.ping("ann", &waits).await, 404);
}
