//! A server of flows written in the test, and a client that says exactly what the test wants.

pub mod process;

use futures::future::BoxFuture;
use holdpoint::{Clock, Desk, Holdpoint, Settings, ToolContext, journal::Journal};
use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock,
        GetPromptRequestParams, GetPromptResponse, GetPromptResult, PromptMessage, Role,
        ServerCapabilities, ServerConfig,
    },
    service::RequestContext,
};
use serde_json::{Value, json};
use std::{collections::HashMap, sync::Arc};
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf,
};

pub type Flow =
    Arc<dyn Fn(ToolContext, Value) -> BoxFuture<'static, Result<String, ErrorData>> + Send + Sync>;

/// A server whose tools (and prompts of the same names) are the test's flows.
#[derive(Clone, Default)]
pub struct Flows(HashMap<&'static str, Flow>);

impl Flows {
    pub fn with<F, R>(mut self, name: &'static str, flow: F) -> Self
    where
        F: Fn(ToolContext, Value) -> R + Send + Sync + 'static,
        R: Future<Output = Result<String, ErrorData>> + Send + 'static,
    {
        self.0
            .insert(name, Arc::new(move |cx, args| Box::pin(flow(cx, args))));
        self
    }

    async fn run(
        &self,
        name: &str,
        arguments: Option<rmcp::model::JsonObject>,
        context: &RequestContext<RoleServer>,
    ) -> Result<String, ErrorData> {
        let cx = context
            .extensions
            .get::<ToolContext>()
            .cloned()
            .expect("served by Holdpoint");
        self.0[name](cx, Value::Object(arguments.unwrap_or_default())).await
    }
}

impl ServerHandler for Flows {
    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let text = self.run(&request.name, request.arguments, &context).await?;
        Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let text = self.run(&request.name, request.arguments, &context).await?;
        Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]).into())
    }

    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(
            ServerCapabilities::builder()
                .enable_tools()
                .enable_prompts()
                .build(),
        )
    }
}

/// A desk over a journal in memory, on tokio's clock.
pub async fn desk(settings: Settings) -> Desk {
    desk_over(holdpoint::journal::open("memory:").await.unwrap(), settings).await
}

pub async fn desk_over(journal: Arc<dyn Journal>, settings: Settings) -> Desk {
    Desk::builder(journal)
        .settings(settings)
        .clock(Clock::tokio())
        .build()
        .await
        .unwrap()
}

/// Settings under which a test's quick answers count.
pub fn patient() -> Settings {
    Settings {
        fast_reply: std::time::Duration::ZERO,
        ..Settings::default()
    }
}

pub fn form() -> Value {
    json!({ "elicitation": {} })
}

/// A client, down to the JSON.
pub struct Client {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    write: WriteHalf<DuplexStream>,
    modern: Option<Value>,
    last: u64,
    name: &'static str,
}

impl Client {
    /// A client that shakes hands, at this version.
    pub async fn legacy_at(version: &str, server: Holdpoint<Flows>, capabilities: Value) -> Self {
        let mut client = Self::connect(server, None);
        let id = client
            .request(
                "initialize",
                json!({
                    "protocolVersion": version,
                    "capabilities": capabilities,
                    "clientInfo": { "name": "test-client", "version": "1.0" },
                }),
            )
            .await;
        let answer = client.answer(id).await;
        assert_eq!(answer["result"]["protocolVersion"], version, "{answer}");
        client
            .send(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))
            .await;
        client
    }

    pub async fn legacy(server: Holdpoint<Flows>, capabilities: Value) -> Self {
        Self::legacy_at("2025-11-25", server, capabilities).await
    }

    /// A client that says who it is with every request.
    pub fn modern(server: Holdpoint<Flows>, capabilities: Value) -> Self {
        Self::connect(server, Some(capabilities))
    }

    fn connect(server: Holdpoint<Flows>, modern: Option<Value>) -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        tokio::spawn(async move {
            if let Ok(running) = server.serve(holdpoint::over(theirs)).await {
                let _ = running.waiting().await;
            }
        });
        let (read, write) = tokio::io::split(ours);
        Self {
            lines: BufReader::new(read).lines(),
            write,
            modern,
            last: 0,
            name: "test-client",
        }
    }

    pub async fn send(&mut self, message: Value) {
        let line = format!("{message}\n");
        self.write.write_all(line.as_bytes()).await.unwrap();
    }

    pub async fn request(&mut self, method: &str, mut params: Value) -> u64 {
        self.last += 1;
        if let Some(capabilities) = &self.modern {
            params["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2026-07-28".into();
            params["_meta"]["io.modelcontextprotocol/clientInfo"] =
                json!({ "name": self.name, "version": "1.0" });
            params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = capabilities.clone();
        }
        self.send(json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params }))
            .await;
        self.last
    }

    /// The next message; a ping is answered and passed over.
    pub async fn next(&mut self) -> Value {
        loop {
            let line = self.lines.next_line().await.unwrap();
            let message: Value = serde_json::from_str(&line.expect("the server hung up")).unwrap();
            if message["method"] != "ping" {
                return message;
            }
            self.send(json!({ "jsonrpc": "2.0", "id": message["id"], "result": {} }))
                .await;
        }
    }

    /// The answer to a request, passing over notifications.
    pub async fn answer(&mut self, id: u64) -> Value {
        loop {
            let message = self.next().await;
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
            assert!(
                message.get("id").is_none(),
                "not the answer to {id}: {message}"
            );
        }
    }

    /// The next request of the server's, passing over notifications.
    pub async fn asked(&mut self) -> Value {
        loop {
            let message = self.next().await;
            if message.get("id").is_some() {
                assert_eq!(message["method"], "elicitation/create", "{message}");
                return message;
            }
        }
    }

    pub async fn reply(&mut self, asked: &Value, reply: Value) {
        self.send(json!({ "jsonrpc": "2.0", "id": asked["id"], "result": reply }))
            .await;
    }

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

    pub async fn cancel(&mut self, request: u64, reason: &str) {
        self.send(json!({
            "jsonrpc": "2.0", "method": "notifications/cancelled",
            "params": { "requestId": request, "reason": reason },
        }))
        .await;
    }
}

/// The text of a tool's result.
pub fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"]
        .as_str()
        .unwrap_or_else(|| panic!("no text in {answer}"))
}

pub fn accept(content: Value) -> Value {
    json!({ "action": "accept", "content": content })
}

/// An `input_required` result: the keys in order, and the state.
pub fn round(answer: &Value) -> (Vec<String>, Value) {
    let result = &answer["result"];
    assert_eq!(result["resultType"], "input_required", "{answer}");
    let keys = result["inputRequests"]
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect();
    (keys, result["requestState"].clone())
}
