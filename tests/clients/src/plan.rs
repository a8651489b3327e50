use std::path::Path;

use serde_json::{Map, Value, json};

/// A generation of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    /// Up to 2025-11-25: `initialize`, and questions in the middle of a call.
    Legacy,
    /// From 2026-07-28: questions between the rounds of a call.
    Modern,
}

/// What a client shall do, and how it shall answer.
#[derive(Clone, Debug)]
pub struct Plan(Map<String, Value>);

impl Plan {
    /// For a server at an address.
    pub fn http(url: &str) -> Self {
        Self::new("url", json!(url))
    }

    /// For a server that the client starts and talks to over standard input and output.
    pub fn stdio<'a>(program: &Path, args: impl IntoIterator<Item = &'a str>) -> Self {
        let mut command = vec![json!(program)];
        command.extend(args.into_iter().map(Value::from));
        Self::new("command", Value::Array(command))
    }

    fn new(key: &str, target: Value) -> Self {
        let empty = json!({ "calls": [], "answers": [] });
        let Value::Object(plan) = empty else {
            unreachable!()
        };
        Self(plan).with(key, target)
    }

    /// Sets the era.
    pub fn era(self, era: Era) -> Self {
        let era = match era {
            Era::Legacy => "legacy",
            Era::Modern => "modern",
        };
        self.with("era", json!(era))
    }

    /// Adds a call of a tool.
    pub fn call(self, tool: &str, arguments: Value) -> Self {
        self.push("calls", json!({ "tool": tool, "arguments": arguments }))
    }

    /// Adds a request for a prompt.
    pub fn prompt(self, prompt: &str, arguments: Value) -> Self {
        self.push("calls", json!({ "prompt": prompt, "arguments": arguments }))
    }

    /// Adds a call with all its keys given.
    pub fn raw_call(self, call: Value) -> Self {
        self.push("calls", call)
    }

    /// Adds an answer, for the next question that has none yet.
    pub fn answer(self, answer: Value) -> Self {
        self.push("answers", answer)
    }

    /// Sets any key of the plan.
    pub fn with(mut self, key: &str, value: Value) -> Self {
        self.0.insert(key.into(), value);
        self
    }

    fn push(mut self, key: &str, value: Value) -> Self {
        let list = self.0.get_mut(key).and_then(Value::as_array_mut);
        list.expect("calls and answers are lists").push(value);
        self
    }

    pub(crate) fn to_json(&self) -> String {
        Value::Object(self.0.clone()).to_string()
    }
}
