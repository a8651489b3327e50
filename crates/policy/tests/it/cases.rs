//! What the tests share: rules from text, uses of tools, a disk with links.

use holdpoint_policy::{Holder, NoLinks, Paths, RealPath, Rules, Ruling, Scope, ToolUse, Verdict};
use jiff::Timestamp;
use serde_json::{Value, json};

pub fn own(text: &str) -> Rules {
    Rules::own(text, "rules.toml").unwrap()
}

pub fn tool(tool: &str, input: Value) -> ToolUse {
    let mut tool_use = ToolUse::new(tool, input, "/w");
    tool_use.home = Some("/home/ann".into());
    tool_use
}

pub fn bash(command: &str) -> ToolUse {
    tool("Bash", json!({ "command": command }))
}

pub fn file(name: &str, path: &str) -> ToolUse {
    tool(name, json!({ "file_path": path }))
}

pub fn decide(rules: &Rules, tool_use: &ToolUse) -> Ruling {
    rules.decide(tool_use, &NoLinks, &[], &Holder::default(), now())
}

pub fn verdict(rules: &str, tool_use: &ToolUse) -> Verdict {
    decide(&own(rules), tool_use).verdict
}

pub fn with_scopes(rules: &Rules, tool_use: &ToolUse, scopes: &[Scope], holder: &Holder) -> Ruling {
    rules.decide(tool_use, &NoLinks, scopes, holder, now())
}

pub fn now() -> Timestamp {
    Timestamp::UNIX_EPOCH
}

/// Where some paths lead.
#[derive(Debug)]
pub struct Links(pub Vec<(&'static str, RealPath)>);

impl Paths for Links {
    fn real(&self, path: &str) -> RealPath {
        let known = self.0.iter().find(|(link, _)| *link == path);
        known.map_or(RealPath::Same, |(_, real)| real.clone())
    }
}
