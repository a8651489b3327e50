//! What comes over the wire and is not what it should be: replies that are none, in both eras and on
//! every transport.

use crate::support::*;
use bytes::Bytes;
use holdpoint::{Desk, Holdpoint, HttpService, Outcome, Yes, http_settings};
use holdpoint_testkit::Connect;
use http_body_util::{BodyExt, Full, combinators::BoxBody};
use rmcp::ServiceExt;
use serde_json::{Value, json};
use std::convert::Infallible;
use tokio::io::{DuplexStream, duplex};
use tower_service::Service;

fn flows() -> Flows {
    Flows::default().with("drop", |cx, _| async move {
        Ok(match cx.elicitor().confirm("Drop the table?").await? {
            Outcome::Accepted(Yes) => "dropped".into(),
            other => other.status().to_owned(),
        })
    })
}

/// Results that are not an `ElicitResult`. Each one was a yes once, or could be one.
const NO_REPLIES: [&str; 12] = [
    r#"["accept",{"confirmed":true},null]"#,
    r#"{"action":{"accept":null},"content":{"confirmed":true}}"#,
    r#"{"action":["accept"],"content":{"confirmed":true}}"#,
    r#"{"action":"decline","action":"accept","content":{"confirmed":true}}"#,
    r#"{"action":"accept","action":"accept","content":{"confirmed":true}}"#,
    r#"{"action":"accept","content":{"confirmed":false,"confirmed":true}}"#,
    r#"{"action":"accept","content":{"confirmed":false},"content":{"confirmed":true}}"#,
    r#"{"action":"accept","content":[["confirmed",true]]}"#,
    r#"{"action":"Accept","content":{"confirmed":true}}"#,
    r#"{"content":{"confirmed":true}}"#,
    r#""accept""#,
    "null",
];

async fn refusals(desk: &Desk) -> u32 {
    open_ask(desk).await.refusals
}

#[tokio::test(start_paused = true)]
async fn a_legacy_reply_that_is_no_elicit_result_is_refused_and_counted() {
    for reply in NO_REPLIES {
        let desk = desk(patient()).await;
        let server = Holdpoint::new(desk.clone(), flows()).unwrap();
        let mut client = Client::legacy(server, form()).await;
        let call = client.call("drop").await;
        for tries in 1..=3 {
            let asked = client.asked().await;
            assert_eq!(refusals(&desk).await, tries - 1, "{reply}");
            let line = format!(
                r#"{{"jsonrpc":"2.0","id":{},"result":{reply}}}"#,
                asked["id"]
            );
            client.send_line(&line).await;
        }
        assert_eq!(text(&client.answer(call).await), "invalid", "{reply}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_response_that_is_none_is_counted_for_the_question_that_it_names() {
    let yes = r#"{"action":"accept","content":{"confirmed":true}}"#;
    for response in [
        format!(r#"{{"jsonrpc":"2.0","id":"ID","result":{yes}}}"#),
        format!(r#"{{"jsonrpc":"2.0","id":ID,"result":{{"action":"decline"}},"result":{yes}}}"#),
        format!(r#"{{"jsonrpc":"2.0","id":ID,"result":{yes},"error":{{"code":1,"message":""}}}}"#),
        format!(r#"{{"jsonrpc":"1.0","id":ID,"result":{yes}}}"#),
        format!(r#"{{"id":ID,"result":{yes}}}"#),
    ] {
        let desk = desk(patient()).await;
        let server = Holdpoint::new(desk.clone(), flows()).unwrap();
        let mut client = Client::legacy(server, form()).await;
        let call = client.call("drop").await;
        for _ in 0..3 {
            let asked = client.asked().await;
            let line = response.replace("ID", &asked["id"].to_string());
            client.send_line(&line).await;
        }
        assert_eq!(text(&client.answer(call).await), "invalid", "{response}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_no_message_at_all_is_refused_and_answers_nothing() {
    let yes = r#"{"action":"accept","content":{"confirmed":true}}"#;
    for line in [
        format!(r#"["2.0",ID,{yes}]"#),
        format!(r#"[{{"jsonrpc":"2.0","id":ID,"result":{yes}}}]"#),
        format!(r#"{{"jsonrpc":"2.0","id":7,"id":ID,"result":{yes}}}"#),
        format!(r#"{{"jsonrpc":"2.0","id":null,"result":{yes}}}"#),
        format!(r#"{{"jsonrpc":"2.0","result":{yes}}}"#),
    ] {
        let desk = desk(patient()).await;
        let server = Holdpoint::new(desk.clone(), flows()).unwrap();
        let mut client = Client::legacy(server, form()).await;
        let call = client.call("drop").await;
        let asked = client.asked().await;
        client
            .send_line(&line.replace("ID", &asked["id"].to_string()))
            .await;
        let refused = client.next().await;
        assert_eq!(refused["error"]["code"], -32600, "{line}: {refused}");
        assert_eq!(refusals(&desk).await, 0, "{line}");
        // The stream is in step: the person's own answer counts.
        client
            .reply(&asked, accept(json!({ "confirmed": true })))
            .await;
        assert_eq!(text(&client.answer(call).await), "dropped", "{line}");
    }
}

/// The text of a modern retry, with these `inputResponses`.
fn retry_line(request: &Value, responses: &str) -> String {
    let line = request.to_string();
    let marked = line.replace(
        r#""inputResponses":{}"#,
        &format!(r#""inputResponses":{responses}"#),
    );
    assert_ne!(line, marked);
    marked
}

fn modern_call(id: u32, state: Option<&Value>) -> Value {
    let mut params = json!({
        "name": "drop", "arguments": {},
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "mcpdo-test-client", "version": "1.0" },
            "io.modelcontextprotocol/clientCapabilities": form(),
        },
    });
    if let Some(state) = state {
        params["requestState"] = state.clone();
        params["inputResponses"] = json!({});
    }
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
}

/// A reply under its key, and a decline and an accept under one key.
fn responses(key: &str) -> Vec<String> {
    let mut all: Vec<_> = NO_REPLIES
        .iter()
        .map(|reply| format!(r#"{{"{key}":{reply}}}"#))
        .collect();
    let yes = r#"{"action":"accept","content":{"confirmed":true}}"#;
    all.push(format!(
        r#"{{"{key}":{{"action":"decline"}},"{key}":{yes}}}"#
    ));
    all
}

#[tokio::test(start_paused = true)]
async fn an_input_response_that_is_no_elicit_result_is_refused_and_counted() {
    for responses in responses("KEY") {
        let desk = desk(patient()).await;
        let server = Holdpoint::new(desk.clone(), flows()).unwrap();
        let mut client = Client::modern(server, form());
        let call = client.call("drop").await;
        let mut asked = client.answer(call).await;
        for tries in 1..=3 {
            let (keys, state) = round(&asked);
            let responses = responses.replace("KEY", &keys[0]);
            let line = retry_line(&modern_call(100 + tries, Some(&state)), &responses);
            client.send_line(&line).await;
            asked = client.answer(u64::from(100 + tries)).await;
            if tries < 3 {
                assert_eq!(refusals(&desk).await, tries, "{responses}");
            }
        }
        assert_eq!(text(&asked), "invalid", "{responses}");
    }
}

#[tokio::test(start_paused = true)]
async fn over_http_too_no_other_shape_is_a_reply() {
    for responses in responses("KEY") {
        let desk = desk(patient()).await;
        let server = Holdpoint::new(desk.clone(), flows()).unwrap();
        let mut service = HttpService::new(server, http_settings());
        let mut send = async |body: String| {
            let request = http::Request::post("http://127.0.0.1/mcp")
                .header("host", "127.0.0.1")
                .header("content-type", "application/json")
                .header("accept", "application/json, text/event-stream")
                .header("mcp-protocol-version", "2026-07-28")
                .header("mcp-method", "tools/call")
                .header("mcp-name", "drop")
                .body(Full::new(Bytes::from(body)))
                .unwrap();
            let response = service.call(request).await.unwrap();
            let body = response.into_body().collect().await.unwrap().to_bytes();
            let text = String::from_utf8(body.to_vec()).unwrap();
            let mut json = text
                .lines()
                .map(|line| line.trim_start_matches("data:").trim());
            let json = json.rfind(|line| line.starts_with('{'));
            serde_json::from_str::<Value>(json.unwrap_or_else(|| panic!("{text}"))).unwrap()
        };
        let mut asked = send(modern_call(1, None).to_string()).await;
        for tries in 1..=3 {
            let (keys, state) = round(&asked);
            // Not in the whole line: the state is random, and may hold these letters.
            let responses = responses.replace("KEY", &keys[0]);
            asked = send(retry_line(
                &modern_call(1 + tries, Some(&state)),
                &responses,
            ))
            .await;
        }
        assert_eq!(text(&asked), "invalid", "{responses}");
        let list = send(format!("[{}]", modern_call(9, None))).await;
        assert_eq!(list["error"]["code"], -32600, "{list}");
    }
}

/// A server that its author serves over a transport of rmcp's own.
struct NotOurs(Holdpoint<Flows>);

impl Connect for NotOurs {
    fn connect(&self) -> DuplexStream {
        let (ours, theirs) = duplex(1 << 16);
        let server = self.0.clone();
        tokio::spawn(async move {
            if let Ok(running) = server.serve(theirs).await {
                let _ = running.waiting().await;
            }
        });
        ours
    }
}

#[tokio::test(start_paused = true)]
async fn over_a_transport_that_is_not_read_strictly_nothing_is_served() {
    let server = || async {
        let desk = desk(patient()).await;
        NotOurs(Holdpoint::new(desk, flows()).unwrap())
    };
    let check = |answer: Value| {
        let said = answer["error"]["message"].as_str().unwrap();
        assert!(said.contains("holdpoint::serve_stdio"), "{answer}");
    };
    let mut modern = Client::modern(server().await, form());
    let call = modern.call("drop").await;
    check(modern.answer(call).await);
    let mut legacy = Client::modern(server().await, form());
    let hello = holdpoint_testkit::initialize("2025-11-25", &form());
    let call = legacy.request("initialize", hello).await;
    check(legacy.answer(call).await);
}

/// A legacy client's replies come as posts of their own.
#[tokio::test]
async fn over_http_a_legacy_reply_that_is_none_is_counted_too() {
    let desk = desk(patient()).await;
    let server = Holdpoint::new(desk.clone(), flows()).unwrap();
    let service = HttpService::new(server, http_settings());
    let post = async |session: Option<&str>, body: String| {
        let mut request = http::Request::post("http://127.0.0.1/mcp")
            .header("host", "127.0.0.1")
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        if let Some(session) = session {
            request = request
                .header("mcp-session-id", session)
                .header("mcp-protocol-version", "2025-11-25");
        }
        let request = request.body(Full::new(Bytes::from(body))).unwrap();
        service.clone().call(request).await.unwrap()
    };
    let hello = json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25", "capabilities": form(),
            "clientInfo": { "name": "mcpdo-test-client", "version": "1.0" },
        },
    });
    let hello = post(None, hello.to_string()).await;
    let session = hello.headers()["mcp-session-id"]
        .to_str()
        .unwrap()
        .to_owned();
    let session = Some(session.as_str());
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    post(session, ready.to_string()).await;
    let call = json!({
        "jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": { "name": "drop", "arguments": {} },
    });
    let mut events = post(session, call.to_string()).await.into_body();
    let mut text = String::new();
    let mut tries = 0;
    let next = async |events: &mut BoxBody<Bytes, Infallible>, text: &mut String| -> Value {
        loop {
            if let Some((event, rest)) = text.clone().split_once("\n\n") {
                *text = rest.to_owned();
                let data = event.lines().find_map(|line| line.strip_prefix("data:"));
                let data = data.map(str::trim).filter(|data| data.starts_with('{'));
                if let Some(data) = data {
                    return serde_json::from_str(data).unwrap();
                }
                continue;
            }
            let frame = tokio::time::timeout(PATIENCE, events.frame()).await;
            let frame = frame.unwrap().unwrap().unwrap();
            text.push_str(std::str::from_utf8(frame.data_ref().unwrap()).unwrap());
        }
    };
    loop {
        let message = next(&mut events, &mut text).await;
        let answer = if message["method"] == "ping" {
            json!({ "jsonrpc": "2.0", "id": message["id"], "result": {} }).to_string()
        } else if message["method"] == "elicitation/create" {
            tries += 1;
            let reply = NO_REPLIES[tries];
            format!(
                r#"{{"jsonrpc":"2.0","id":{},"result":{reply}}}"#,
                message["id"]
            )
        } else {
            assert_eq!(
                message["result"]["content"][0]["text"], "invalid",
                "{message}"
            );
            break;
        };
        assert_eq!(post(session, answer).await.status(), 202);
    }
    assert_eq!(tries, 3);
}
