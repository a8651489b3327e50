//! `.history/timeline.jsonl`: what happened to a plan, one line each. A report for people; the
//! journal is what is believed.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// One line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Entry {
    pub at: String,
    pub event: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u32>,
    /// The agent's client, or who answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The ask that was answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ask_id: Option<String>,
    /// The rest.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

impl Entry {
    pub fn new(at: &str, event: &str) -> Self {
        Self {
            at: at.to_owned(),
            event: event.to_owned(),
            step: None,
            by: None,
            ask_id: None,
            more: Map::new(),
        }
    }

    pub fn step(mut self, step: u32) -> Self {
        self.step = Some(step);
        self
    }

    pub fn by(mut self, by: impl Into<Option<String>>) -> Self {
        self.by = by.into();
        self
    }

    pub fn ask(mut self, ask: holdpoint::AskId) -> Self {
        self.ask_id = Some(ask.to_string());
        self
    }

    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.more.insert(name.to_owned(), value.into());
        self
    }

    /// As a line of the file.
    pub fn line(&self) -> String {
        let line = serde_json::to_string(self).unwrap_or_default();
        format!("{line}\n")
    }
}

/// The lines that can be read, oldest first. One that a crash cut short, or a person wrote, is passed
/// over.
pub(super) fn read(text: &str) -> Vec<Entry> {
    text.lines().filter_map(entry).collect()
}

/// The numbers of the lines that cannot be read, counted from 1.
pub(super) fn broken_lines(text: &str) -> Vec<usize> {
    let numbered = text
        .lines()
        .zip(1..)
        .filter(|(line, _)| !line.trim().is_empty());
    let broken = numbered.filter(|(line, _)| entry(line).is_none());
    broken.map(|(_, number)| number).collect()
}

fn entry(line: &str) -> Option<Entry> {
    let own = serde_json::from_str(line).ok();
    own.or_else(|| {
        let theirs: RiotPlanEntry = serde_json::from_str(line).ok()?;
        let mut entry = Entry::new(&theirs.timestamp, &theirs.kind);
        entry.more = theirs.data;
        Some(entry)
    })
}

/// A line as RiotPlan writes it.
#[derive(Deserialize)]
struct RiotPlanEntry {
    timestamp: String,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    data: Map<String, Value>,
}
