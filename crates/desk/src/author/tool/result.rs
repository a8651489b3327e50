//! Results of tools: a text that says it all, and the same as fields. Not every client hands the
//! fields to its model.

use super::schema::output_schema;
use crate::{
    Decision,
    author::tool_result::{AskFields, fields_of, result},
    tool_result,
};
use holdpoint_ask::describe::outcome_line;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use std::marker::PhantomData;

/// What the flow of a [`TypedTool`](super::TypedTool) gives back: its type is its schema.
pub trait ToolOutput {
    /// The schema of the result.
    fn schema() -> JsonObject;

    /// The result.
    fn into_result(self) -> CallToolResult;
}

/// The result of a tool that asks: the fields of every ask, and its own, `O`.
///
/// Each field of `O` may be missing: a call that could not ask has none.
pub struct AskResult<O = NoFields>(CallToolResult, PhantomData<fn() -> O>);

/// The result of a tool that asks nobody: its own fields, `O`, and what to do now.
pub struct PlainResult<O>(CallToolResult, PhantomData<fn() -> O>);

/// A tool without fields of its own.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct NoFields {}

impl<O: Serialize> AskResult<O> {
    /// What was decided. `proceed` is true only for a yes, and counts only where the ask was
    /// accepted.
    pub fn new(decision: &Decision, proceed: bool, next_step: &str, output: &O) -> Self {
        Self::with_fields(decision, proceed, next_step, fields_of(output))
    }

    /// An ask that was not accepted, without fields of the tool's own.
    pub fn not_accepted(decision: &Decision, next_step: &str) -> Self {
        Self::with_fields(decision, false, next_step, Map::new())
    }

    /// An ask that was not accepted, passed on as it is.
    pub fn passed_on(decision: &Decision) -> Self {
        Self::not_accepted(decision, decision.outcome.next_step())
    }

    /// Nobody had to be asked. Without a text of its own, the text is the next step and the fields.
    pub fn without_ask(text: Option<String>, next_step: &str, output: &O) -> Self {
        plain(text, next_step, output).into()
    }

    /// Nobody was asked, since the tool refuses.
    pub fn refused(text: String, next_step: &str, output: &O) -> Self {
        let mut refused = plain(Some(text), next_step, output);
        refused.is_error = Some(true);
        refused.into()
    }

    fn with_fields(decision: &Decision, proceed: bool, next_step: &str, own: JsonObject) -> Self {
        let is_empty = |value: &Value| value == &Value::Array(Vec::new());
        let mut text = outcome_line(&decision.outcome);
        for (name, value) in own.iter().filter(|(_, value)| !is_empty(value)) {
            text.push_str(&format!("\n{name}: {value}"));
        }
        text.push_str(if own.is_empty() { " " } else { "\n" });
        text.push_str(next_step);
        let mut result = tool_result(decision, proceed, Some(next_step), own);
        result.content = vec![ContentBlock::text(text)];
        result.into()
    }
}

impl<O: Serialize> PlainResult<O> {
    /// A result without a text of its own: the text is the next step and the fields.
    pub fn new(next_step: &str, output: &O) -> Self {
        Self(plain(None, next_step, output), PhantomData)
    }

    /// A result with this text.
    pub fn with_text(text: String, next_step: &str, output: &O) -> Self {
        Self(plain(Some(text), next_step, output), PhantomData)
    }
}

/// A result of an ask, as another call or process recorded it.
impl<O> From<CallToolResult> for AskResult<O> {
    fn from(result: CallToolResult) -> Self {
        Self(result, PhantomData)
    }
}

impl<O: JsonSchema> ToolOutput for AskResult<O> {
    fn schema() -> JsonObject {
        output_schema::<AskFields, O>()
    }

    fn into_result(self) -> CallToolResult {
        self.0
    }
}

impl<O: JsonSchema> ToolOutput for PlainResult<O> {
    fn schema() -> JsonObject {
        output_schema::<PlainFields, O>()
    }

    fn into_result(self) -> CallToolResult {
        self.0
    }
}

/// The result fields of every tool that asks nobody.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct PlainFields {
    /// Always false: nobody was asked
    proceed: bool,
    /// What to do now
    next_step: String,
}

fn plain(text: Option<String>, next_step: &str, output: &impl Serialize) -> CallToolResult {
    let mut own = fields_of(output);
    let text = text.unwrap_or_else(|| {
        let fields = own.iter().map(|(name, value)| format!("\n{name}: {value}"));
        format!("{next_step}{}", fields.collect::<String>())
    });
    own.extend(fields_of(&PlainFields {
        proceed: false,
        next_step: next_step.to_owned(),
    }));
    result(text, own, false)
}
