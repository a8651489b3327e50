//! A call that goes from question to question until it is done, in the same words for both eras.

use crate::{
    client::{Client, Connect},
    protocol::{CLIENT, Era, answers, form_capabilities},
};
use serde_json::{Value, json};

/// A client that calls tools and answers their questions, one at a time.
pub struct Conversation {
    client: Client,
    /// Log lines that came.
    pub logs: Vec<Value>,
}

/// Where a call has come to.
pub enum Step {
    /// It waits for an answer.
    Asked(Asked),
    /// It has ended with this message.
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

impl Conversation {
    /// Connects a client that shows forms.
    pub async fn new(server: impl Connect, era: Era) -> Self {
        Self::with(server, era, form_capabilities()).await
    }

    /// Connects a client with these capabilities.
    pub async fn with(server: impl Connect, era: Era, capabilities: Value) -> Self {
        Self {
            client: Client::named(CLIENT, server, era, capabilities).await,
            logs: Vec::new(),
        }
    }

    /// Connects a client that calls itself so and shows forms.
    pub async fn named(server: impl Connect, era: Era, name: &str) -> Self {
        Self {
            client: Client::named(name, server, era, form_capabilities()).await,
            logs: Vec::new(),
        }
    }

    /// Sets the level of the log lines that a modern client wants.
    pub fn set_log_level(&mut self, level: &'static str) {
        self.client.requests.log_level = Some(level);
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
        match self.client.requests.era {
            Era::Legacy => {
                self.client.reply(&json!({ "id": asked.key }), reply).await;
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

    /// Waits for the end of the last call, which nobody answers.
    pub async fn wait_for_end(&mut self) -> Step {
        let last = self.client.requests.last;
        self.step(last, Value::Null, "tools/call").await
    }

    /// Gives up the last call, as a legacy client does.
    pub async fn give_up(&mut self) {
        let last = self.client.requests.last;
        self.client.cancel(last, "not wanted any more").await;
    }

    /// Sends a request, and waits for its answer.
    pub async fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.start(method, params).await;
        loop {
            let message = self.next().await;
            if answers(&message, id) {
                return message;
            }
        }
    }

    /// Sends a request, and gives its id.
    pub async fn start(&mut self, method: &str, params: Value) -> u64 {
        self.client.request(method, params).await
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
            if !answers(&message, call) {
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

    /// Subscribes to changes of these resources, as the client's era does.
    pub async fn subscribe(&mut self, uris: &[&str]) {
        match self.client.requests.era {
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
                let answer = self.next().await;
                assert_eq!(
                    answer["method"], "notifications/subscriptions/acknowledged",
                    "{answer}"
                );
                assert_eq!(
                    answer["params"]["notifications"]["resourceSubscriptions"],
                    json!(uris)
                );
            }
        }
    }

    /// Waits for the next resource that has changed.
    pub async fn updated_resource(&mut self) -> String {
        loop {
            let message = self.next().await;
            if message["method"] == "notifications/resources/updated" {
                return message["params"]["uri"].as_str().unwrap().to_owned();
            }
        }
    }

    /// Waits for the next message that is no log line.
    pub async fn next(&mut self) -> Value {
        loop {
            let message = self.client.next().await;
            if message["method"] != "notifications/message" {
                return message;
            }
            self.logs.push(message["params"].clone());
        }
    }
}

impl Step {
    /// The question; panics if the call has ended.
    pub fn asked(self) -> Asked {
        match self {
            Self::Asked(asked) => asked,
            Self::Done(done) => panic!("it was not asked: {done}"),
        }
    }

    /// The call's end; panics if it asks.
    pub fn done(self) -> Value {
        match self {
            Self::Done(done) => done,
            Self::Asked(asked) => panic!("it is not done: {}", asked.params),
        }
    }
}

impl Asked {
    /// The question's message.
    pub fn message(&self) -> &str {
        self.params["message"].as_str().unwrap()
    }

    /// The fields of the form.
    pub fn properties(&self) -> &Value {
        &self.params["requestedSchema"]["properties"]
    }
}
