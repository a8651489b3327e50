//! A client that sends what it likes, over lines (as on standard input and output) or over HTTP.

use crate::stand::Question;
use bytes::Bytes;
use holdpoint::{HttpService, ToolServer, http_settings};
use holdpoint_testkit::{Client, Era, ToolStand, form_capabilities, initialize, modern_meta};
use http_body_util::{BodyExt, Full};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use tokio::sync::mpsc;
use tower_service::Service;

/// How messages travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transport {
    /// Lines, as on standard input and output.
    Lines,
    /// Streamable HTTP.
    Http,
}

/// All of them.
pub const TRANSPORTS: [Transport; 2] = [Transport::Lines, Transport::Http];

/// A client that sends whatever it is told.
pub struct Wire {
    era: Era,
    last: u64,
    over: Over,
}

enum Over {
    Lines(Box<Client>),
    Http(Box<Http>),
}

struct Http {
    service: HttpService<ToolServer>,
    era: Era,
    session: Arc<Mutex<Option<String>>>,
    came: mpsc::UnboundedReceiver<Value>,
    comes: mpsc::UnboundedSender<Value>,
}

/// Where a call has come to.
pub enum Stop {
    /// A question, with the id of its request or its key, and the state to call again with.
    Asked { key: String, state: Value },
    /// Its end, or an error.
    Ended(Value),
}

impl Wire {
    /// Connects a client that shows forms.
    pub async fn connect(stand: &ToolStand, era: Era, transport: Transport) -> Self {
        let over = match transport {
            Transport::Lines => Over::Lines(Box::new(Client::modern(stand, form_capabilities()))),
            Transport::Http => Over::Http(Box::new(Http::new(stand, era))),
        };
        let mut wire = Self { era, last: 0, over };
        if era == Era::Legacy {
            let hello = initialize("2025-11-25", &form_capabilities());
            let id = wire.request("initialize", hello).await;
            while wire.next().await["id"] != id {}
            let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
            wire.send(&ready.to_string()).await;
        }
        wire
    }

    /// Sends a text as it is.
    pub async fn send(&mut self, text: &str) {
        match &mut self.over {
            Over::Lines(client) => client.send_line(text).await,
            Over::Http(http) => http.send(text),
        }
    }

    /// Waits for the next message.
    pub async fn next(&mut self) -> Value {
        match &mut self.over {
            Over::Lines(client) => client.next().await,
            Over::Http(http) => http.came.recv().await.unwrap(),
        }
    }

    /// The text of a request, with the id that is next.
    pub fn make(&mut self, method: &str, mut params: Value) -> String {
        self.last += 1;
        if self.era == Era::Modern {
            params["_meta"] = modern_meta(&form_capabilities());
        }
        json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params }).to_string()
    }

    async fn request(&mut self, method: &str, params: Value) -> u64 {
        let text = self.make(method, params);
        self.send(&text).await;
        self.last
    }

    /// Calls a tool.
    pub async fn call(&mut self, question: &Question) -> Stop {
        let params = json!({ "name": question.tool, "arguments": question.arguments });
        self.request("tools/call", params).await;
        self.stop().await
    }

    /// Waits for a question, or for the end of the last call.
    pub async fn stop(&mut self) -> Stop {
        loop {
            let message = self.next().await;
            if message["method"] == "elicitation/create" {
                let (key, state) = (message["id"].to_string(), Value::Null);
                return Stop::Asked { key, state };
            }
            // A line that is no message is refused without an id.
            let is_refused = self.era == Era::Modern && message["id"].is_null();
            if message.get("method").is_some() || !is_refused && message["id"] != self.last {
                continue;
            }
            let result = &message["result"];
            if result["resultType"] != "input_required" {
                return Stop::Ended(message);
            }
            let requests = result["inputRequests"].as_object().unwrap();
            let key = requests.keys().next().unwrap().clone();
            let state = result["requestState"].clone();
            return Stop::Asked { key, state };
        }
    }

    /// Replies to a question with this text in place of an `ElicitResult`.
    pub async fn reply(&mut self, question: &Question, key: &str, state: &Value, reply: &str) {
        match self.era {
            Era::Legacy => {
                let text = format!(r#"{{"jsonrpc":"2.0","id":{key},"result":{reply}}}"#);
                self.send(&text).await;
            }
            Era::Modern => {
                let responses = format!(r#"{{"{key}":{reply}}}"#);
                self.retry(question, state, &responses).await;
            }
        }
    }

    /// Calls again with this text in place of the `inputResponses`.
    pub async fn retry(&mut self, question: &Question, state: &Value, responses: &str) {
        const PLACE: &str = "-- responses --";
        let text = self.make(
            "tools/call",
            json!({
                "name": question.tool, "arguments": question.arguments,
                "requestState": state, "inputResponses": PLACE,
            }),
        );
        self.send(&text.replace(&format!("{PLACE:?}"), responses))
            .await;
    }
}

impl Http {
    fn new(stand: &ToolStand, era: Era) -> Self {
        let (comes, came) = mpsc::unbounded_channel();
        // Keep-alives go by the real clock: where a paused one is ahead of it, they would never stop.
        let settings = http_settings().with_sse_keep_alive(None);
        Self {
            service: HttpService::new(stand.server.clone(), settings),
            era,
            session: Arc::default(),
            came,
            comes,
        }
    }

    fn send(&self, text: &str) {
        let mut request = http::Request::post("http://127.0.0.1/mcp")
            .header("host", "127.0.0.1")
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        let said: Value = serde_json::from_str(text).unwrap_or_default();
        if self.era == Era::Modern {
            let name = said["params"]["name"].as_str().unwrap_or("elicit_confirm");
            let method = said["method"].as_str().unwrap_or("tools/call");
            request = request
                .header("mcp-protocol-version", "2026-07-28")
                .header("mcp-method", method)
                .header("mcp-name", name);
        } else if let Some(session) = self.session.lock().unwrap().as_deref() {
            request = request
                .header("mcp-protocol-version", "2025-11-25")
                .header("mcp-session-id", session);
        }
        let request = request
            .body(Full::new(Bytes::from(text.to_owned())))
            .unwrap();
        let (mut service, comes) = (self.service.clone(), self.comes.clone());
        let (session, id) = (self.session.clone(), said["id"].clone());
        tokio::spawn(async move {
            let response = service.call(request).await.unwrap();
            let status = response.status();
            if let Some(named) = response.headers().get("mcp-session-id") {
                *session.lock().unwrap() = Some(named.to_str().unwrap().to_owned());
            }
            let mut body = response.into_body();
            let mut text = String::new();
            while let Some(Ok(frame)) = body.frame().await {
                let Ok(data) = frame.into_data() else {
                    continue;
                };
                text.push_str(&String::from_utf8_lossy(&data));
                while let Some((line, rest)) = text.split_once('\n') {
                    let line = line.trim_start_matches("data:").trim();
                    if let Ok(message) = serde_json::from_str::<Value>(line) {
                        let _ = comes.send(message);
                    }
                    text = rest.to_owned();
                }
            }
            match serde_json::from_str::<Value>(text.trim()) {
                Ok(message) => drop(comes.send(message)),
                // Refused as a request: that is its answer.
                Err(_) if !status.is_success() => {
                    let error = json!({ "code": status.as_u16(), "message": text });
                    let _ = comes.send(json!({ "id": id, "error": error }));
                }
                Err(_) => {}
            }
        });
    }
}
