//! Rules that people already have, from the harnesses that they use.
//!
//! Nothing comes out looser than it went in. What has no equal here is not taken, and said; where that was a rule that
//! asks or denies, the rules that allow the same tool are not taken either, since it may have held them back.

mod claude;
mod codex;
mod gemini;
mod opencode;
mod starlark;

pub use claude::claude;
pub use codex::codex;
pub use gemini::gemini;
pub use opencode::opencode;

use crate::{Verdict, rule::Rule};
use std::fmt::Write as _;

/// What was taken of a harness's rules, and what was not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Imported {
    /// For `allow`.
    pub allow: Vec<String>,
    /// For `ask`.
    pub ask: Vec<String>,
    /// For `deny`.
    pub deny: Vec<String>,
    /// What was not taken, and why.
    pub skipped: Vec<(String, String)>,
    /// The tools of rules that ask or deny and were not taken.
    held_back: Vec<String>,
}

/// The text is not what the harness writes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ImportError(pub String);

impl Imported {
    /// The lists, as they stand in `rules.toml`.
    pub fn rules_toml(&self) -> String {
        let mut text = String::new();
        for (name, list) in [
            ("allow", &self.allow),
            ("ask", &self.ask),
            ("deny", &self.deny),
        ] {
            if list.is_empty() {
                continue;
            }
            let _ = writeln!(text, "{name} = [");
            for rule in list {
                // JSON's way to write a text is also TOML's.
                let _ = writeln!(text, "    {},", serde_json::Value::from(rule.as_str()));
            }
            text.push_str("]\n");
        }
        text
    }

    /// Takes a rule if it is one here.
    fn take(&mut self, verdict: Verdict, rule: String, was: &str) {
        match Rule::parse(&rule, verdict) {
            Err(why) => self.skip(was, why, verdict, tool_of(&rule)),
            Ok(_) => {
                let list = match verdict {
                    Verdict::Allow => &mut self.allow,
                    Verdict::Ask => &mut self.ask,
                    Verdict::Deny => &mut self.deny,
                };
                if !list.contains(&rule) {
                    list.push(rule);
                }
            }
        }
    }

    /// Does not take a rule. One that asks or denies may have held back what allows the same tool.
    fn skip(&mut self, was: &str, why: impl Into<String>, verdict: Verdict, tool: &str) {
        self.skipped.push((was.to_owned(), why.into()));
        if verdict != Verdict::Allow {
            self.held_back.push(tool.to_owned());
        }
    }

    /// Takes back what allows the tools of rules that were not taken.
    fn finish(mut self) -> Self {
        for tool in std::mem::take(&mut self.held_back) {
            let skipped = &mut self.skipped;
            self.allow.retain(|rule| {
                let same = touches(&tool, tool_of(rule));
                if same {
                    let why =
                        format!("a rule that asks about `{tool}` or denies it could not be taken");
                    skipped.push((rule.clone(), why));
                }
                !same
            });
        }
        self
    }
}

/// The tool of a rule string.
fn tool_of(rule: &str) -> &str {
    rule.split('(').next().unwrap_or(rule)
}

/// Whether a rule about one tool may be about another. `*` is every tool.
fn touches(one: &str, other: &str) -> bool {
    let start = |name: &str| name.split('*').next().unwrap_or_default().to_owned();
    let family = |name: &str| match name {
        "Read" | "Glob" | "Grep" | "LS" | "NotebookRead" => "Read".to_owned(),
        "Edit" | "Write" | "MultiEdit" | "NotebookEdit" => "Edit".to_owned(),
        other => start(other),
    };
    let (one, other) = (family(one), family(other));
    one.starts_with(&other) || other.starts_with(&one)
}
