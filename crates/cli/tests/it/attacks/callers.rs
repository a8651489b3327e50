//! Somebody who speaks to `serve --http` about another's call.

use super::super::{
    serve::{
        callers::token,
        http::{Caller, Events, Server},
    },
    support::*,
};
use holdpoint_testkit::{Case, attack_cases};
use serde_json::{Value, json};

/// The calls of ann, which wait for a person, and what others know of them.
struct Calls {
    home: Home,
    server: Server,
    ann: String,
    bob: String,
    session: String,
    /// A session of bob's.
    theirs: String,
    /// The id of the question in ann's session.
    reply: String,
    /// Her modern call.
    state: Value,
    _waits: Events,
}

const QUESTION: &str = r#"{"message":"Proceed?"}"#;

impl Calls {
    fn begin() -> Self {
        let home = new_home();
        home.config("fast_reply_ms = 0");
        let server = Server::start(&home, &[]);
        let (ann, bob) = (token(&home, "ann", "ask"), token(&home, "bob", "ask"));
        let her = server.as_holder_of(&ann);
        let session = her.session();
        let arguments: Value = serde_json::from_str(QUESTION).unwrap();
        let params = json!({ "name": "elicit_confirm", "arguments": arguments });
        let call = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params });
        let mut waits = Events::of(her.in_session(&session, &call));
        let asked = waits.until(|message| message["method"] == "elicitation/create");
        let round = her.modern(params);
        let state = round["result"]["requestState"].clone();
        assert!(state.is_string(), "{round}");
        Self {
            theirs: server.as_holder_of(&bob).session(),
            reply: asked["id"].to_string(),
            _waits: waits,
            home,
            server,
            ann,
            bob,
            session,
            state,
        }
    }

    fn fill(&self, text: &str) -> String {
        let key = self.server.key();
        text.replace("BOB", &self.bob)
            .replace("ANN", &self.ann)
            .replace("KEY-WRONG", &format!("{}x", &key[1..]))
            .replace("HTTP-KEY", &key)
            .replace("SESSION", &self.session)
            .replace("THEIRS", &self.theirs)
            .replace("REPLY", &self.reply)
            .replace("YES", &yes().to_string())
    }

    /// What is sent: the method, headers and body.
    fn request(&self, case: &Case) -> (String, Vec<(String, String)>, Option<String>) {
        let mut headers: Vec<(String, String)> = case
            .texts("headers")
            .iter()
            .map(|header| header.split_once(": ").unwrap())
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        let mut add = |name: &str, value: &str| {
            if !value.is_empty() && headers.iter().all(|(other, _)| other != name) {
                headers.push((name.to_owned(), self.fill(value)));
            }
        };
        add("authorization", case.text("shows").unwrap_or_default());
        let tool = case.text("tool").unwrap_or(if case.is("await") {
            "await_answer"
        } else {
            "elicit_confirm"
        });
        let body = if case.is("retry") || case.is("await") {
            add("mcp-protocol-version", "2026-07-28");
            add("mcp-method", "tools/call");
            add("mcp-name", tool);
            let arguments = match case.text("arguments") {
                None if case.is("await") => json!({ "askId": self.asks()[0] }),
                None => serde_json::from_str(QUESTION).unwrap(),
                Some(arguments) => serde_json::from_str(arguments).unwrap(),
            };
            let mut params =
                json!({ "name": tool, "arguments": arguments, "_meta": modern_meta() });
            if case.is("retry") {
                params["requestState"] = self.state.clone();
                params["inputResponses"] = json!({ "0001": yes() });
            }
            let call =
                json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
            Some(call.to_string())
        } else {
            add("mcp-protocol-version", "2025-11-25");
            add("mcp-session-id", case.text("session").unwrap_or_default());
            case.text("body").map(|body| self.fill(body))
        };
        let method = case.text("method").unwrap_or("POST").to_owned();
        (method, headers, body)
    }

    /// The ids of the asks.
    fn asks(&self) -> Vec<String> {
        let open = stdout(&self.home.run(&["inbox", "--json"]));
        let open: Value = serde_json::from_str(&open).unwrap();
        let asks = open["asks"].as_array().unwrap().iter();
        asks.map(|ask| ask["id"].as_str().unwrap().to_owned())
            .collect()
    }
}

#[test]
fn no_caller_answers_for_another() {
    let calls = Calls::begin();
    let before = calls.asks();
    assert_eq!(before.len(), 2);
    for case in attack_cases("callers") {
        let (method, headers, body) = calls.request(&case);
        let said = calls
            .server
            .anonymous()
            .say(&method, &headers, body.as_deref());
        let name = format!("{}: {said}", case.name);
        assert_eq!(super::accepted(&calls.home), 0, "{name}");
        assert!(!said.contains("Proceed?"), "her question is told: {name}");
        let now = calls.asks();
        for id in &before {
            assert!(now.contains(id), "{id} has ended: {name}");
        }
    }
    // Her own reply counts, so the check sees a yes.
    let her: Caller = calls.server.as_holder_of(&calls.ann);
    let id: Value = serde_json::from_str(&calls.reply).unwrap();
    let reply = json!({ "jsonrpc": "2.0", "id": id, "result": yes() });
    assert_eq!(her.in_session(&calls.session, &reply).status(), 202);
    eventually_blocking("her yes", || {
        (super::accepted(&calls.home) == 1).then_some(())
    });
}
