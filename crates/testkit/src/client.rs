//! A client of a server in this process, down to the JSON.

use crate::protocol::{Era, LEGACY_REVISION, Requests, answers, initialize, initialized, result};
use holdpoint::Holdpoint;
use rmcp::{ServerHandler, ServiceExt};
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf,
};

/// A server that clients of a test connect to.
pub trait Connect {
    /// Serves one more client, at the other end of what this gives.
    fn connect(&self) -> DuplexStream;
}

impl<H: ServerHandler + Clone> Connect for Holdpoint<H> {
    fn connect(&self) -> DuplexStream {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let server = self.clone();
        tokio::spawn(async move {
            let (read, write) = tokio::io::split(theirs);
            if let Ok(running) = server.serve(holdpoint::over(read, write)).await {
                let _ = running.waiting().await;
            }
        });
        ours
    }
}

impl<C: Connect> Connect for &C {
    fn connect(&self) -> DuplexStream {
        (**self).connect()
    }
}

/// A client that says exactly what the test wants.
pub struct Client {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    write: WriteHalf<DuplexStream>,
    pub(crate) requests: Requests,
}

impl Client {
    /// Connects a client that shakes hands, at this revision of the protocol.
    pub async fn legacy_at(revision: &str, server: impl Connect, capabilities: Value) -> Self {
        let hello = initialize(revision, &capabilities);
        let mut client = Self::connect(&server, Era::Legacy, capabilities);
        let id = client.request("initialize", hello).await;
        let answer = client.answer(id).await;
        assert_eq!(answer["result"]["protocolVersion"], revision, "{answer}");
        client.send(initialized()).await;
        client
    }

    /// Connects a client that calls itself so, and shakes hands where its era does.
    pub async fn named(name: &str, server: impl Connect, era: Era, capabilities: Value) -> Self {
        let mut client = Self::connect(&server, era, capabilities.clone());
        client.requests.name = name.to_owned();
        if era == Era::Legacy {
            let mut hello = initialize(LEGACY_REVISION, &capabilities);
            hello["clientInfo"]["name"] = name.into();
            let id = client.request("initialize", hello).await;
            client.answer(id).await;
            client.send(initialized()).await;
        }
        client
    }

    /// Says this too with each request from now on.
    pub fn with_meta(mut self, meta: Value) -> Self {
        self.requests.meta = meta;
        self
    }

    /// Connects a client that shakes hands.
    pub async fn legacy(server: impl Connect, capabilities: Value) -> Self {
        Self::legacy_at(LEGACY_REVISION, server, capabilities).await
    }

    /// Connects a client that says who it is with every request.
    pub fn modern(server: impl Connect, capabilities: Value) -> Self {
        Self::connect(&server, Era::Modern, capabilities)
    }

    fn connect(server: &impl Connect, era: Era, capabilities: Value) -> Self {
        let (read, write) = tokio::io::split(server.connect());
        Self {
            lines: BufReader::new(read).lines(),
            write,
            requests: Requests::new(era, capabilities),
        }
    }

    /// Sends a message as it is.
    pub async fn send(&mut self, message: Value) {
        self.send_line(&message.to_string()).await;
    }

    /// Sends a line as it is, whatever it says.
    pub async fn send_line(&mut self, line: &str) {
        let line = format!("{line}\n");
        self.write.write_all(line.as_bytes()).await.unwrap();
    }

    /// Sends a request, and gives its id.
    pub async fn request(&mut self, method: &str, params: Value) -> u64 {
        let request = self.requests.make(method, params);
        self.send(request).await;
        self.requests.last
    }

    /// Waits for the next message; a ping is answered and passed over.
    pub async fn next(&mut self) -> Value {
        loop {
            let line = self.lines.next_line().await.unwrap();
            let message: Value = serde_json::from_str(&line.expect("the server hung up")).unwrap();
            if message["method"] != "ping" {
                return message;
            }
            self.reply(&message, json!({})).await;
        }
    }

    /// Waits for the answer to a request, passing over notifications.
    pub async fn answer(&mut self, id: u64) -> Value {
        loop {
            let message = self.next().await;
            if answers(&message, id) {
                return message;
            }
            assert!(
                message.get("id").is_none(),
                "not the answer to {id}: {message}"
            );
        }
    }

    /// Waits for the server's next request, passing over notifications.
    pub async fn asked(&mut self) -> Value {
        loop {
            let message = self.next().await;
            if message.get("id").is_some() {
                assert_eq!(message["method"], "elicitation/create", "{message}");
                return message;
            }
        }
    }

    /// Answers a request of the server's.
    pub async fn reply(&mut self, asked: &Value, reply: Value) {
        self.send(result(asked, reply)).await;
    }

    /// Calls a tool that takes no arguments, and gives the request's id.
    pub async fn call(&mut self, tool: &str) -> u64 {
        self.request("tools/call", json!({ "name": tool, "arguments": {} }))
            .await
    }

    /// Calls again with answers, as a modern client does.
    pub async fn retry(&mut self, tool: &str, state: &Value, responses: Value) -> u64 {
        self.request(
            "tools/call",
            json!({
                "name": tool, "arguments": {}, "requestState": state, "inputResponses": responses,
            }),
        )
        .await
    }

    /// Cancels a request.
    pub async fn cancel(&mut self, request: u64, reason: &str) {
        self.send(json!({
            "jsonrpc": "2.0", "method": "notifications/cancelled",
            "params": { "requestId": request, "reason": reason },
        }))
        .await;
    }
}
