//! Over HTTP: both eras at one address, and who is let in.

use super::support::*;
use serde_json::{Value, json};
use std::{
    fs,
    io::{BufRead, BufReader, Read},
    ops::Deref,
    process::Command,
    time::Duration,
};
use ureq::{
    Agent, Body,
    http::{Request, Response},
};

/// How long an answer that may be a stream is read.
const MOMENT: Duration = Duration::from_millis(700);

/// A server, and its own key's holder as a caller.
pub struct Server {
    pub process: Process,
    caller: Caller,
}

/// Somebody who calls a server.
pub struct Caller {
    pub url: String,
    agent: Agent,
    key: String,
    shows: Option<String>,
}

impl Deref for Server {
    type Target = Caller;

    fn deref(&self) -> &Caller {
        &self.caller
    }
}

impl Server {
    pub fn start(home: &Home, args: &[&str]) -> Self {
        Self::start_under(home, "true", args)
    }

    /// Starts it in a shell that ran this line before.
    pub fn start_under(home: &Home, line: &str, args: &[&str]) -> Self {
        let args = [&["serve", "--http", "127.0.0.1:0"], args].concat();
        Self::run(home, &mut home.command_under(line, &args))
    }

    /// Starts it at this address.
    pub fn start_at(home: &Home, address: &str, args: &[&str]) -> Self {
        let args = [&["serve", "--http", address], args].concat();
        Self::run(home, &mut home.command(&args))
    }

    fn run(home: &Home, command: &mut Command) -> Self {
        let mut process = Process::start(command);
        let mut url = String::new();
        let output = process.child().stdout.take().unwrap();
        BufReader::new(output).read_line(&mut url).unwrap();
        let path = format!("{}-keys/http", home.journal().display());
        let key = eventually_blocking("the server's key", || {
            let open = fs::read_to_string(home.root().join(".config/holdpoint/config.toml"));
            let none = open.is_ok_and(|open| open.contains("http_key = false"));
            fs::read(&path).ok().or(none.then(Vec::new))
        });
        let key: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
        let caller = Caller::of(url.trim(), &key);
        Self { process, caller }
    }
}

impl Caller {
    /// Somebody who shows this key or token to the server at this address.
    pub fn of(url: &str, key: &str) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(PATIENCE));
        Self {
            url: url.to_owned(),
            agent: config.build().into(),
            shows: Some(key.to_owned()),
            key: key.to_owned(),
        }
    }

    /// The server's key.
    pub fn key(&self) -> String {
        self.key.clone()
    }

    /// Somebody who shows nothing.
    pub fn anonymous(&self) -> Self {
        self.who_shows(None)
    }

    /// Somebody who shows this token.
    pub fn as_holder_of(&self, token: &str) -> Self {
        self.who_shows(Some(token.to_owned()))
    }

    fn who_shows(&self, shows: Option<String>) -> Self {
        Self {
            url: self.url.clone(),
            agent: self.agent.clone(),
            key: self.key.clone(),
            shows,
        }
    }

    /// A request without a body.
    pub fn bare(&self, method: &str) -> Response<Body> {
        self.in_no_body(method, &[])
    }

    /// Ends a session.
    pub fn delete(&self, session: &str) -> Response<Body> {
        let headers = [
            ("Mcp-Session-Id", session),
            ("MCP-Protocol-Version", "2025-11-25"),
        ];
        self.in_no_body("DELETE", &headers)
    }

    fn in_no_body(&self, method: &str, headers: &[(&str, &str)]) -> Response<Body> {
        let mut request = Request::builder().method(method).uri(&self.url);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(shows) = &self.shows {
            request = request.header("Authorization", format!("Bearer {shows}"));
        }
        self.agent.run(request.body(()).unwrap()).unwrap()
    }

    /// Says exactly this, and gives what comes back within a moment: a stream may stay open for long.
    pub fn say(&self, method: &str, headers: &[(String, String)], body: Option<&str>) -> String {
        let mut request = Request::builder().method(method).uri(&self.url);
        let own = [
            ("accept", "application/json, text/event-stream"),
            ("content-type", "application/json"),
        ];
        let headers = headers.iter().map(|(name, value)| (&**name, &**value));
        for (name, value) in own.into_iter().chain(headers) {
            request = request.header(name, value);
        }
        let agent: Agent = Agent::config_builder()
            .http_status_as_error(false)
            .allow_non_standard_methods(true)
            .timeout_recv_body(Some(MOMENT))
            .build()
            .into();
        let sent = match body {
            Some(body) => agent.run(request.body(body.to_owned()).unwrap()),
            None => agent.run(request.body(String::new()).unwrap()),
        };
        let mut answer = sent.unwrap();
        let mut text = Vec::new();
        let _ = answer.body_mut().as_reader().read_to_end(&mut text);
        format!("{} {}", answer.status(), String::from_utf8_lossy(&text))
    }

    /// Posts, where somebody may not even be listened to.
    pub fn try_post(&self, body: &Value) -> Option<Response<Body>> {
        let request = self.agent.post(&self.url);
        let json = request.header("Content-Type", "application/json");
        json.send(body.to_string()).ok()
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
        if let Some(shows) = &self.shows {
            request = request.header("Authorization", format!("Bearer {shows}"));
        }
        request.send(body).unwrap()
    }

    /// A modern call of a tool, and what came back.
    pub fn modern(&self, params: Value) -> Value {
        self.modern_request("tools/call", params)
    }

    /// A modern request, and what came back.
    pub fn modern_request(&self, method: &str, mut params: Value) -> Value {
        params["_meta"] = modern_meta();
        let name = params["name"].as_str().or(params["uri"].as_str());
        let name = name.unwrap().to_owned();
        let headers = [
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", method),
            ("Mcp-Name", &name),
        ];
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let mut answer = Events::whatever(self.post(&headers, &call));
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
        Self::whatever(response)
    }

    fn whatever(response: Response<Body>) -> Self {
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
    home.config("fast_reply_ms = 0");
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
