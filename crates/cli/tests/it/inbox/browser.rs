//! A browser, as far as the page's API goes: a key that opens it, then one of its own.

use super::support::*;
use holdpoint_inbox::Keys;
use serde_json::{Value, json};
use std::{
    fs,
    io::{BufRead, BufReader},
    thread,
    time::Duration,
};
use ureq::{Agent, RequestBuilder};

#[derive(Clone)]
pub struct Browser {
    pub address: String,
    /// Which host its requests name, where that is not the address.
    host: Option<String>,
    browser: holdpoint_inbox::Browser,
    agent: Agent,
}

impl Browser {
    /// Opens the page of this home's journal with its key, as soon as it is there.
    pub fn open(home: &Home) -> Self {
        let address = eventually_blocking("the page's address", || address(home));
        Self::with_key(address, None, || key(home))
    }

    /// Opens the page at this address, with a key behind its `#`.
    pub fn at(address: &str) -> Self {
        let (address, key) = address.split_once("/#key=").expect(address);
        Self::with_key(address.to_owned(), None, || key.to_owned())
    }

    /// Opens the page of a team with the address that a person was given, at the replica that listens there.
    pub fn at_replica(given: &str, replica: &str) -> Self {
        let (public, key) = given.split_once("/#key=").expect(given);
        let host = public.rsplit('/').next().map(str::to_owned);
        Self::with_key(format!("http://{replica}"), host, || key.to_owned())
    }

    /// The same browser, when the proxy leads it to the replica that listens there.
    pub fn led_to(&self, replica: &str) -> Self {
        Self {
            address: format!("http://{replica}"),
            ..self.clone()
        }
    }

    fn with_key(address: String, host: Option<String>, key: impl Fn() -> String) -> Self {
        let agent: Agent = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(PATIENCE))
            .build()
            .into();
        let opened = eventually_blocking("the page", || {
            named(
                agent.post(format!("{address}/api/session")),
                host.as_deref(),
            )
            .header("content-type", "application/json")
            .send(json!({ "key": key() }).to_string())
            .ok()
        });
        assert_eq!(opened.status(), 200);
        let body: Value = serde_json::from_reader(opened.into_body().into_reader()).unwrap();
        let text = |name: &str| body[name].as_str().unwrap().to_owned();
        Self {
            browser: holdpoint_inbox::Browser {
                number: text("browser"),
                key: text("key"),
            },
            address,
            host,
            agent,
        }
    }

    /// A request that names the page's host.
    fn named<B>(&self, request: RequestBuilder<B>) -> RequestBuilder<B> {
        named(request, self.host.as_deref())
    }

    /// What the browser shows of itself to the process that serves the page now.
    fn token(&self) -> Option<String> {
        let health = self.agent.get(format!("{}/api/health", self.address));
        let health = self.named(health).call().ok()?.into_body().into_reader();
        let health: Value = serde_json::from_reader(health).ok()?;
        Some(self.browser.token(health["hosting"].as_str()?))
    }

    pub fn get(&self, path: &str) -> Value {
        self.try_get(path).expect("the page is there")
    }

    pub fn try_get(&self, path: &str) -> Option<Value> {
        let request = self.agent.get(format!("{}{path}", self.address));
        let request = self
            .named(request)
            .header("x-holdpoint-token", self.token()?);
        let answer = request.call().ok()?;
        assert_eq!(answer.status(), 200, "{path}");
        serde_json::from_reader(answer.into_body().into_reader()).ok()
    }

    /// What the page answers to this browser: 200, or why not.
    pub fn status(&self, path: &str) -> u16 {
        let request = self.agent.get(format!("{}{path}", self.address));
        let request = request.header("x-holdpoint-token", self.token().unwrap());
        request.call().unwrap().status().as_u16()
    }

    /// The one ask that is open, whole, as soon as it is there.
    pub fn asked(&self) -> Value {
        let row = eventually_blocking("an open ask", || {
            let mut listed = self.get("/api/asks");
            let asks = listed["asks"].as_array_mut().unwrap();
            (asks.len() == 1).then(|| asks.remove(0))
        });
        self.get(&format!("/api/asks/{}", row["id"].as_str().unwrap()))
    }

    pub fn accept(&self, ask: &Value, content: Value) -> Value {
        self.respond(json!({ "askId": ask["id"], "action": "accept", "content": content }))
    }

    /// Answers as the page does: the ask is looked at for as long as it takes to read, and the button held.
    pub fn respond(&self, mut body: Value) -> Value {
        let ask = self.get(&format!("/api/asks/{}", body["askId"].as_str().unwrap()));
        if body["action"] == "accept" {
            read(&ask);
        }
        body["presence"] = json!({ "shownMs": ask["readingMs"], "gesture": "held" });
        self.post("/api/elicitation/respond", body)
    }

    pub fn post(&self, path: &str, body: Value) -> Value {
        let answer = self
            .named(self.agent.post(format!("{}{path}", self.address)))
            .header("content-type", "application/json")
            .header("x-holdpoint-token", self.token().unwrap())
            .send(body.to_string())
            .unwrap();
        assert_eq!(answer.status(), 200);
        serde_json::from_reader(answer.into_body().into_reader()).unwrap()
    }

    /// Sends this as an answer, with these headers in place of a browser's own; an empty one is left out. What
    /// came back, whatever it is.
    pub fn answer(&self, headers: &[(&str, &str)], body: &str) -> String {
        let token = self.token().unwrap();
        let own = [
            ("content-type", "application/json"),
            ("x-holdpoint-token", token.as_str()),
        ];
        let own = own
            .into_iter()
            .filter(|(name, _)| headers.iter().all(|(other, _)| other != name));
        let address = format!("{}/api/elicitation/respond", self.address);
        let mut request = self.agent.post(address);
        for (name, value) in own.chain(headers.iter().copied()) {
            let value = value
                .replace("TOKEN-UPPER", &token.to_uppercase())
                .replace("TOKEN", &token);
            if !value.is_empty() {
                request = request.header(name, value);
            }
        }
        let mut answer = request.send(body).unwrap();
        let text = answer.body_mut().read_to_string().unwrap_or_default();
        format!("{} {text}", answer.status())
    }

    /// The live events, from now on.
    pub fn listen(&self) -> Events {
        let request = self.agent.get(format!("{}/api/events", self.address));
        let request = self
            .named(request)
            .header("x-holdpoint-token", self.token().unwrap())
            .config()
            // It stays open for a whole test.
            .timeout_global(Some(4 * PATIENCE))
            .build();
        let answer = request.call().unwrap();
        Events(Box::new(BufReader::new(answer.into_body().into_reader())))
    }
}

fn named<B>(request: RequestBuilder<B>, host: Option<&str>) -> RequestBuilder<B> {
    match host {
        Some(host) => request.header("host", host),
        None => request,
    }
}

/// Takes the time that it takes to read an ask.
pub fn read(ask: &Value) {
    let reading = ask["readingMs"].as_u64().unwrap();
    thread::sleep(Duration::from_millis(reading));
}

/// A stream of live events.
pub struct Events(Box<dyn BufRead>);

impl Events {
    /// The data of the next event of this name.
    pub fn hear(&mut self, name: &str) -> Value {
        let (mut event, mut line) = (String::new(), String::new());
        loop {
            line.clear();
            assert_ne!(self.0.read_line(&mut line).unwrap(), 0, "the stream ended");
            if let Some(heard) = line.strip_prefix("event: ") {
                event = heard.trim().to_owned();
            } else if let Some(data) = line.strip_prefix("data: ")
                && event == name
            {
                return serde_json::from_str(data).unwrap();
            }
        }
    }
}

/// Where the page of this home is.
pub fn address(home: &Home) -> Option<String> {
    fs::read_to_string(beside(home, "kept/page-address")).ok()
}

/// A key that opens the page once, as `holdpoint inbox --web` shows it to a person.
pub fn key(home: &Home) -> String {
    let bytes = fs::read(beside(home, "keys/page")).unwrap();
    Keys::new(bytes.try_into().unwrap()).opening_key().unwrap()
}

fn beside(home: &Home, name: &str) -> String {
    format!("{}-{name}", home.journal().display())
}
