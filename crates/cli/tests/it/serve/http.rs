//! Over HTTP: both eras at one address, and who is let in.

use super::support::*;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read};
use ureq::{Agent, Body, http::Response};

/// A server, and a client of it.
pub struct Server {
    pub process: Process,
    pub url: String,
    agent: Agent,
}

impl Server {
    pub fn start(home: &Home, args: &[&str]) -> Self {
        Self::start_under(home, "true", args)
    }

    /// Starts it in a shell that ran this line before.
    pub fn start_under(home: &Home, line: &str, args: &[&str]) -> Self {
        let args = [&["serve", "--http", "127.0.0.1:0"], args].concat();
        let mut process = Process::start(&mut home.command_under(line, &args));
        let mut url = String::new();
        let output = process.child().stdout.take().unwrap();
        BufReader::new(output).read_line(&mut url).unwrap();
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(PATIENCE));
        Self {
            process,
            url: url.trim().to_owned(),
            agent: config.build().into(),
        }
    }

    pub fn post(&self, headers: &[(&str, &str)], body: &Value) -> Response<Body> {
        self.post_text(headers, &body.to_string())
    }

    fn post_text(&self, headers: &[(&str, &str)], body: &str) -> Response<Body> {
        let mut request = self
            .agent
            .post(&self.url)
            .header("Accept", "application/json, text/event-stream");
        let json = ("Content-Type", "application/json");
        let typed = headers.iter().any(|(name, _)| *name == json.0);
        for (name, value) in headers.iter().chain((!typed).then_some(&json)) {
            request = request.header(*name, *value);
        }
        request.send(body).unwrap()
    }

    /// A modern call of a tool, and what came back.
    pub fn modern(&self, mut params: Value) -> Value {
        params["_meta"] = modern_meta();
        let name = params["name"].as_str().unwrap().to_owned();
        let headers = [
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", "tools/call"),
            ("Mcp-Name", &name),
        ];
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let mut answer = Events::of(self.post(&headers, &call));
        answer.until(|message| message["id"] == 1)
    }

    /// A legacy session: its id.
    pub fn session(&self) -> String {
        let hello = json!({
            "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": initialize(),
        });
        let answer = self.post(&[], &hello);
        let session = answer.headers()["mcp-session-id"]
            .to_str()
            .unwrap()
            .to_owned();
        Events::of(answer).until(|message| message["id"] == 0);
        let there = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        self.in_session(&session, &there);
        session
    }

    pub fn in_session(&self, session: &str, body: &Value) -> Response<Body> {
        let headers = [
            ("Mcp-Session-Id", session),
            ("MCP-Protocol-Version", "2025-11-25"),
        ];
        self.post(&headers, body)
    }
}

/// The messages of a response, one JSON body or a stream of events.
pub struct Events(Box<dyn BufRead>);

impl Events {
    pub fn of(response: Response<Body>) -> Self {
        assert_eq!(response.status(), 200);
        Self(Box::new(BufReader::new(response.into_body().into_reader())))
    }

    pub fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let mut line = String::new();
            let read = self.0.read_line(&mut line).unwrap();
            assert_ne!(read, 0, "the stream ended");
            let data = line.strip_prefix("data:").unwrap_or(&line).trim();
            match serde_json::from_str::<Value>(data) {
                Ok(message) if message.is_object() && wanted(&message) => return message,
                _ => {}
            }
        }
    }

    /// Reads on to the end, however it comes.
    pub fn end(mut self) {
        let _ = self.0.read_to_end(&mut Vec::new());
    }
}

#[test]
fn both_eras_at_one_address() {
    let home = new_home();
    let server = Server::start(&home, &[]);

    let round = server.modern(confirm());
    let round = &round["result"];
    assert_eq!(round["resultType"], "input_required", "{round}");
    let mut again = confirm();
    again["requestState"] = round["requestState"].clone();
    again["inputResponses"] = json!({ "0001": yes() });
    let answer = server.modern(again);
    let told = &answer["result"]["structuredContent"];
    assert_eq!(told["confirmed"], true, "{answer}");

    let session = server.session();
    let call = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": confirm() });
    let mut events = Events::of(server.in_session(&session, &call));
    let asked = events.until(|message| message["method"] == "elicitation/create");
    let reply = json!({ "jsonrpc": "2.0", "id": asked["id"], "result": yes() });
    assert_eq!(server.in_session(&session, &reply).status(), 202);
    let answer = events.until(|message| message["id"] == 7);
    let told = &answer["result"]["structuredContent"];
    assert_eq!(told["confirmed"], true, "{answer}");
}

#[test]
fn who_is_let_in() {
    let home = new_home();
    let server = Server::start(&home, &[]);
    let hello =
        json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": initialize() });
    let check = |headers: &[(&str, &str)], status: u16| {
        let response = server.post(headers, &hello);
        assert_eq!(response.status().as_u16(), status, "{headers:?}");
    };
    check(&[], 200);
    check(&[("Host", "localhost:80")], 200);
    check(&[("Host", "evil.example")], 403);
    check(&[("Origin", "https://evil.example")], 403);
    check(&[("Origin", "null")], 403);
    check(&[("Origin", &server.url.replace("/mcp", ""))], 403);
    check(&[("Content-Type", "text/plain")], 415);

    let mut large = hello.clone();
    large["params"]["padding"] = "x".repeat(5 << 20).into();
    let refused = server.post(&[], &large);
    assert_eq!(refused.status().as_u16(), 413);
    let broken = server.post_text(&[], "{\"jsonrpc\":");
    assert!(broken.status().is_client_error(), "{}", broken.status());

    let elsewhere = server.agent.get(server.url.replace("/mcp", "/")).call();
    assert_eq!(elsewhere.unwrap().status().as_u16(), 404);
}

#[test]
fn beyond_this_machine_only_when_told_so() {
    let home = new_home();
    let args = ["serve", "--http", "0.0.0.0:0", "--insecure-lan"];
    let mut process = Process::start(&mut home.command(&args));
    let mut url = String::new();
    let output = process.child().stdout.take().unwrap();
    BufReader::new(output).read_line(&mut url).unwrap();
    assert!(url.starts_with("http://0.0.0.0:"), "{url}");
}
