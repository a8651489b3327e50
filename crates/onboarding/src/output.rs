//! What every action gives back.

use super::{
    folder::Folder,
    state::{Proposal, Record, Status},
    text::analysis::{Pattern, Problem},
};
use holdpoint::tool::{AskResult, ToolError};
use jiff::Timestamp;
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// What an action ends with.
pub(super) type ActionResult = Result<AskResult<Output>, ToolError>;

/// The result fields of the tool. What an action has nothing to say of is left out.
#[derive(Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Output {
    pub error: Option<String>,
    pub state: Status,
    pub file: &'static str,
    pub message: String,
    pub comment: Option<String>,
    pub suggestion: Option<&'static str>,
    pub pattern: Option<Pattern>,
    #[schemars(with = "Vec<JsonObject>")]
    pub problems: Option<Vec<Problem>>,
    pub problem_count: Option<usize>,
    #[schemars(with = "JsonObject")]
    pub proposal: Option<Proposal>,
    #[schemars(with = "Vec<Value>")]
    pub removed: Option<Value>,
    /// The migrated file
    pub result: Option<String>,
    pub diff: Option<String>,
    /// In words; decides nothing
    #[schemars(with = "JsonObject")]
    pub explanation: Option<Explanation>,
    pub backup: Option<String>,
    #[schemars(with = "String")]
    pub rollback_until: Option<Timestamp>,
    pub report: Option<String>,
}

/// Findings in words.
#[derive(Serialize)]
pub(super) struct Explanation {
    pub by: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<&'static str>,
    pub text: String,
}

impl Output {
    /// Where a take-over stands, and what happened.
    pub fn new(folder: &Folder, state: Status, message: impl Into<String>) -> Self {
        Self {
            state,
            file: folder.file,
            message: message.into(),
            ..Self::default()
        }
    }

    /// All that the record says of it, too.
    pub fn from_record(folder: &Folder, record: &Record, message: impl Into<String>) -> Self {
        let migration = record.migration.as_ref();
        Self {
            problems: Some(record.problems.clone()),
            problem_count: Some(record.problem_count),
            pattern: record.pattern,
            backup: migration
                .and_then(|migration| migration.backup.as_ref())
                .map(|backup| backup.path.clone()),
            rollback_until: migration.map(|migration| migration.until),
            ..Self::new(folder, record.status, message)
        }
    }

    /// The result of an action that asked nobody.
    pub fn without_ask(&self, next: &str) -> AskResult<Self> {
        AskResult::without_ask(next, self)
    }
}
