//! Programs that ask and answer with tokens, through the page of the real binary.

mod described;
mod examples;
mod outlive;
mod tokens;

use crate::{
    inbox::{browser::Browser, delivery::client},
    serve::callers::token,
    support::{person::*, *},
};
use serde_json::{Value, json};
use ureq::Agent;

/// A program with a token, at a page.
pub struct Program {
    address: String,
    token: String,
    agent: Agent,
}

impl Program {
    /// One that may do this.
    pub fn new(home: &Home, name: &str, may: &str) -> Self {
        Self::with(home, token(home, name, may))
    }

    /// One with this token.
    fn with(home: &Home, token: String) -> Self {
        let address = eventually_blocking("the page's address", || {
            crate::inbox::browser::address(home)
        });
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(2 * PATIENCE))
            .build();
        Self {
            address,
            token,
            agent: agent.into(),
        }
    }

    pub fn ask(&self, question: &Value) -> Value {
        let (status, told) = self.post("/api/asks", question);
        assert_eq!(status, 201, "{told}");
        told
    }

    fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let request = self.agent.post(format!("{}{path}", self.address));
        let request = request
            .header("authorization", format!("Bearer {}", self.token))
            .header("content-type", "application/json");
        let answer = request.send(body.to_string()).expect("the page is there");
        let status = answer.status().as_u16();
        (
            status,
            serde_json::from_reader(answer.into_body().into_reader()).unwrap(),
        )
    }

    /// What is told of this ask; none where the page is not there.
    fn read(&self, told: &Value, more: &str) -> Option<Value> {
        let ask = told["askId"].as_str().unwrap();
        let request = self
            .agent
            .get(format!("{}/api/asks/{ask}{more}", self.address));
        let request = request.header("authorization", format!("Bearer {}", self.token));
        let answer = request.call().ok()?;
        serde_json::from_reader(answer.into_body().into_reader()).ok()
    }
}

/// A plain question.
pub fn question() -> Value {
    json!({ "message": "Deploy?", "fields": [{ "name": "ok", "kind": "confirm" }] })
}
