//! What the rules say of one use of a tool.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What is to happen. The strictest wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It may be done.
    Allow,
    /// A person is asked.
    Ask,
    /// It is not done.
    Deny,
}

/// What the rules say of one use of a tool, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Ruling {
    /// What is to happen.
    pub verdict: Verdict,
    /// A yes to it is dangerous: it is never remembered.
    pub danger: bool,
    /// Why: what decided, most decisive first. Never empty.
    pub reasons: Vec<Reason>,
    /// The parts of a shell command, in order; empty for other tools, and for what cannot be taken apart.
    pub parts: Vec<CommandPart>,
    /// The scope that allowed it, by its id, where one was needed.
    pub scope: Option<String>,
}

/// Why the rules say so.
#[derive(Debug, Clone, PartialEq)]
pub enum Reason {
    /// A rule matched.
    Rule {
        /// What it says.
        verdict: Verdict,
        /// As it is written.
        text: String,
        /// Where.
        place: RulePlace,
        /// Why its author wants it.
        because: Option<String>,
    },
    /// A person gave a scope that covers it.
    Scope {
        /// Its id.
        id: String,
        /// Its pattern, as it was shown.
        pattern: String,
    },
    /// Nothing matched: the default of the person's file.
    Default(Verdict),
    /// Reading inside the workspace, which the person's file allows.
    ReadsInWorkspace,
    /// The command cannot be taken apart, or holds what only running it would tell. In words.
    Unclear(String),
    /// The tool is not what it was when it was pinned.
    ChangedDefinition,
}

/// Where a rule is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulePlace {
    /// The file, as it is shown to people.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
}

/// One command of a shell command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandPart {
    /// Its text.
    pub text: String,
    /// What the rules say of it alone.
    pub verdict: Verdict,
    /// Why, in one line for people: "allowed by `Bash(git status *)`".
    pub why: String,
}

impl Verdict {
    /// What it does to something: "allowed".
    pub(crate) fn done(self) -> &'static str {
        match self {
            Self::Allow => "allowed",
            Self::Ask => "asked about",
            Self::Deny => "denied",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        })
    }
}

impl fmt::Display for RulePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, line {}", self.file, self.line)
    }
}

/// Why, in one line for people.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule {
                verdict,
                text,
                place,
                because,
            } => {
                write!(
                    f,
                    "{} by the rule `{text}` ({place})",
                    capital(verdict.done())
                )?;
                match because {
                    Some(because) => write!(f, ": {because}"),
                    None => Ok(()),
                }
            }
            Self::Scope { pattern, .. } => write!(f, "Allowed by a scope that you gave: {pattern}"),
            Self::Default(verdict) => write!(
                f,
                "{} by default: no rule is about it",
                capital(verdict.done())
            ),
            Self::ReadsInWorkspace => f.write_str("Allowed: it reads inside the workspace"),
            Self::Unclear(why) => write!(f, "It cannot be told what it does: {why}"),
            Self::ChangedDefinition => {
                f.write_str("Asked about: the tool is not what it was when you trusted it")
            }
        }
    }
}

/// What the rules say, in one line for people: the first reason.
impl fmt::Display for Ruling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reasons.first() {
            Some(reason) => reason.fmt(f),
            None => f.write_str(self.verdict.done()),
        }
    }
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    let first = chars.next().map(|char| char.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}
