//! A client, down to the JSON: a call goes from question to question until it is done.

use crate::stand::Stand;
use holdpoint::Holdpoint;
use holdpoint_flows::FlowServer;
use rmcp::ServiceExt;
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf,
};

/// How a client is asked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Era {
    /// In the middle of its call.
    Legacy,
    /// By the result of its call.
    Modern,
}

pub const ERAS: [Era; 2] = [Era::Legacy, Era::Modern];

pub struct Client {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    write: WriteHalf<DuplexStream>,
    era: Era,
    capabilities: Value,
    last: u64,
    /// A level for the log, in each request of a modern client.
    pub log_level: Option<&'static str>,
    /// Log lines that came.
    pub logs: Vec<Value>,
}

/// Where a call has come to.
pub enum Step {
    Asked(Asked),
    Done(Value),
}

/// A question that is before the person.
pub struct Asked {
    /// `message` and `requestedSchema`.
    pub params: Value,
    call: u64,
    /// The request to answer, or the key in the round.
    key: Value,
    retry: Value,
    method: &'static str,
}

impl Client {
    pub async fn new(stand: &Stand, era: Era) -> Self {
        Self::with(stand.server.clone(), era, json!({ "elicitation": {} })).await
    }

    pub async fn with(server: Holdpoint<FlowServer>, era: Era, capabilities: Value) -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        tokio::spawn(async move {
            if let Ok(running) = server.serve(theirs).await {
                let _ = running.waiting().await;
            }
        });
        let (read, write) = tokio::io::split(ours);
        let mut client = Self {
            lines: BufReader::new(read).lines(),
            write,
            era,
            capabilities,
            last: 0,
            log_level: None,
            logs: Vec::new(),
        };
        if era == Era::Legacy {
            let hello = json!({
                "protocolVersion": "2025-11-25",
                "capabilities": client.capabilities,
                "clientInfo": { "name": "test-client", "version": "1.0" },
            });
            client.request("initialize", hello).await;
            client
                .send(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))
                .await;
        }
        client
    }

    /// Calls a tool and comes to its first question, or to its end.
    pub async fn call(&mut self, tool: &str, arguments: Value) -> Step {
        self.begin("tools/call", tool, arguments).await
    }

    /// Gets a prompt, and comes to its first question, or to its end.
    pub async fn prompt(&mut self, prompt: &str, arguments: Value) -> Step {
        self.begin("prompts/get", prompt, arguments).await
    }

    async fn begin(&mut self, method: &'static str, name: &str, arguments: Value) -> Step {
        let params = json!({ "name": name, "arguments": arguments });
        let call = self.start(method, params.clone()).await;
        self.step(call, params, method).await
    }

    /// Answers a question and comes to the next, or to the end.
    pub async fn answer(&mut self, asked: Asked, reply: Value) -> Step {
        match self.era {
            Era::Legacy => {
                self.send(json!({ "jsonrpc": "2.0", "id": asked.key, "result": reply }))
                    .await;
                self.step(asked.call, asked.retry, asked.method).await
            }
            Era::Modern => {
                let mut params = asked.retry.clone();
                params["inputResponses"] = json!({ asked.key.as_str().unwrap().to_owned(): reply });
                let call = self.start(asked.method, params).await;
                self.step(call, asked.retry, asked.method).await
            }
        }
    }

    /// The end of the last call, which nobody answers.
    pub async fn wait_for_end(&mut self) -> Step {
        self.step(self.last, Value::Null, "tools/call").await
    }

    /// Gives up the last call, as a legacy client does.
    pub async fn give_up(&mut self) {
        let params = json!({ "requestId": self.last, "reason": "not wanted any more" });
        self.send(
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }),
        )
        .await;
    }

    /// A request that asks nobody.
    pub async fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.start(method, params).await;
        loop {
            let message = self.next().await;
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
        }
    }

    async fn step(&mut self, call: u64, retry: Value, method: &'static str) -> Step {
        loop {
            let message = self.next().await;
            if message["method"] == "elicitation/create"
                || message["method"] == "sampling/createMessage"
            {
                return Step::Asked(Asked {
                    params: message["params"].clone(),
                    call,
                    key: message["id"].clone(),
                    retry,
                    method,
                });
            }
            if message["id"] != call || message.get("method").is_some() {
                continue;
            }
            if message["result"]["resultType"] != "input_required" {
                return Step::Done(message);
            }
            let result = &message["result"];
            let requests = result["inputRequests"].as_object().unwrap();
            let (key, request) = requests.iter().next().unwrap();
            assert_eq!(requests.len(), 1, "{message}");
            let mut retry = retry;
            retry["requestState"] = result["requestState"].clone();
            return Step::Asked(Asked {
                params: request["params"].clone(),
                call,
                key: key.clone().into(),
                retry,
                method,
            });
        }
    }

    /// Starts to hear of changes to these resources, as the client's era does.
    pub async fn hear_of(&mut self, uris: &[&str]) {
        match self.era {
            Era::Legacy => {
                for uri in uris {
                    let answer = self
                        .request("resources/subscribe", json!({ "uri": uri }))
                        .await;
                    assert!(answer.get("error").is_none(), "{answer}");
                }
            }
            Era::Modern => {
                let wanted = json!({ "notifications": { "resourceSubscriptions": uris } });
                self.start("subscriptions/listen", wanted).await;
                let told = self.next().await;
                assert_eq!(
                    told["method"], "notifications/subscriptions/acknowledged",
                    "{told}"
                );
                assert_eq!(
                    told["params"]["notifications"]["resourceSubscriptions"],
                    json!(uris)
                );
            }
        }
    }

    /// The next resource that has changed.
    pub async fn heard(&mut self) -> String {
        loop {
            let message = self.next().await;
            if message["method"] == "notifications/resources/updated" {
                return message["params"]["uri"].as_str().unwrap().to_owned();
            }
        }
    }

    pub async fn start(&mut self, method: &str, mut params: Value) -> u64 {
        self.last += 1;
        if self.era == Era::Modern {
            let meta = |name: &str| format!("io.modelcontextprotocol/{name}");
            params["_meta"][meta("protocolVersion")] = "2026-07-28".into();
            params["_meta"][meta("clientInfo")] =
                json!({ "name": "test-client", "version": "1.0" });
            params["_meta"][meta("clientCapabilities")] = self.capabilities.clone();
            if let Some(level) = self.log_level {
                params["_meta"][meta("logLevel")] = level.into();
            }
        }
        self.send(json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params }))
            .await;
        self.last
    }

    async fn next(&mut self) -> Value {
        loop {
            let line = self.lines.next_line().await.unwrap();
            let message: Value = serde_json::from_str(&line.expect("the server hung up")).unwrap();
            match message["method"].as_str() {
                Some("ping") => {
                    self.send(json!({ "jsonrpc": "2.0", "id": message["id"], "result": {} }))
                        .await;
                }
                Some("notifications/message") => self.logs.push(message["params"].clone()),
                _ => return message,
            }
        }
    }

    async fn send(&mut self, message: Value) {
        let line = format!("{message}\n");
        self.write.write_all(line.as_bytes()).await.unwrap();
    }
}

impl Step {
    pub fn asked(self) -> Asked {
        match self {
            Self::Asked(asked) => asked,
            Self::Done(done) => panic!("it was not asked: {done}"),
        }
    }

    pub fn done(self) -> Value {
        match self {
            Self::Done(done) => done,
            Self::Asked(asked) => panic!("it is not done: {}", asked.params),
        }
    }
}

impl Asked {
    pub fn message(&self) -> &str {
        self.params["message"].as_str().unwrap()
    }

    pub fn properties(&self) -> &Value {
        &self.params["requestedSchema"]["properties"]
    }
}

pub fn accept(content: Value) -> Value {
    json!({ "action": "accept", "content": content })
}

pub fn decline() -> Value {
    json!({ "action": "decline" })
}

pub fn cancel() -> Value {
    json!({ "action": "cancel" })
}
