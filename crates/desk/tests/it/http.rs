//! A client over HTTP, down to the JSON.

use crate::support::*;
use bytes::Bytes;
use holdpoint::{Holdpoint, HttpService, http_settings};
use http::{Method, Request};
use http_body_util::{BodyExt, Full, combinators::BoxBody};
use serde_json::{Value, json};
use std::convert::Infallible;
use tower_service::Service;

pub type Body = BoxBody<Bytes, Infallible>;

/// An endpoint, and a session in it.
pub struct Http {
    service: HttpService<Flows>,
    session: Option<String>,
}

impl Http {
    pub fn modern(server: Holdpoint<Flows>) -> Self {
        Self {
            service: HttpService::new(server, http_settings()),
            session: None,
        }
    }

    pub async fn legacy(server: Holdpoint<Flows>) -> Self {
        let mut http = Self::modern(server);
        let params = holdpoint_testkit::initialize("2025-11-25", &form());
        let hello = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
        let begun = http.send(Method::POST, &[], Some(hello)).await;
        let id = begun.headers()["mcp-session-id"].to_str().unwrap();
        http.session = Some(id.to_owned());
        begun.into_body().collect().await.unwrap();
        let there = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        http.send(Method::POST, &[], Some(there)).await;
        http
    }

    pub async fn send(
        &self,
        method: Method,
        headers: &[(&str, &str)],
        body: Option<Value>,
    ) -> http::Response<Body> {
        let mut request = Request::builder()
            .method(method)
            .uri("http://127.0.0.1/mcp")
            .header("host", "127.0.0.1")
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        if let Some(session) = &self.session {
            request = request
                .header("mcp-session-id", session)
                .header("mcp-protocol-version", "2025-11-25");
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        let request = request.body(Full::new(Bytes::from(body))).unwrap();
        let response = self.service.clone().call(request).await.unwrap();
        assert!(response.status().is_success(), "{:?}", response.status());
        response
    }

    pub async fn call(&self, tool: &str) -> Body {
        let params = json!({ "name": tool, "arguments": {} });
        let call = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params });
        self.send(Method::POST, &[], Some(call)).await.into_body()
    }

    pub async fn reply(&self, id: &Value, reply: Value) {
        let reply = json!({ "jsonrpc": "2.0", "id": id, "result": reply });
        self.send(Method::POST, &[], Some(reply)).await;
    }
}

/// Reads events up to the question; its id.
pub async fn read_to_the_question(body: &mut Body) -> Value {
    read_question(body).await["id"].clone()
}

/// Reads events up to the question.
pub async fn read_question(body: &mut Body) -> Value {
    loop {
        let frame = body.frame().await.expect("the stream goes on").unwrap();
        let Ok(data) = frame.into_data() else {
            continue;
        };
        let text = String::from_utf8(data.to_vec()).unwrap();
        for line in text.lines().filter_map(|line| line.strip_prefix("data:")) {
            if let Ok(message) = serde_json::from_str::<Value>(line)
                && message["method"] == "elicitation/create"
            {
                return message;
            }
        }
    }
}
