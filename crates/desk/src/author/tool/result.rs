//! Results of typed tools.

use super::schema::output_schema;
use crate::{
    Decision,
    author::tool_result::{AskFields, fields_of, result},
    tool_result,
};
use rmcp::{
    ErrorData,
    handler::server::tool::IntoCallToolResult,
    model::{CallToolResponse, CallToolResult, JsonObject},
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use std::{fmt, marker::PhantomData};

/// What the flow of a [`TypedTool`](super::TypedTool) gives back: its type is its schema.
pub trait ToolOutput {
    /// The schema of the result.
    fn schema() -> JsonObject;

    /// The result.
    fn into_result(self) -> CallToolResult;
}

/// The result of a tool that asks: the fields of every ask, and its own, `O`.
///
/// Each field of `O` may be missing: a call that could not ask has none. Its `Debug` leaves the fields out:
/// a person's answer may be in them.
pub struct AskResult<O = NoFields>(CallToolResult, PhantomData<fn() -> O>);

/// The result of a tool that asks nobody: its own fields, `O`, and what to do now. Its `Debug` leaves them
/// out.
pub struct PlainResult<O>(CallToolResult, PhantomData<fn() -> O>);

/// A tool without fields of its own.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct NoFields {}

impl<O: Serialize> AskResult<O> {
    /// What was decided. `proceed` is true only for a yes, and counts only where the ask was
    /// accepted.
    pub fn new(decision: &Decision, proceed: bool, next_step: &str, output: &O) -> Self {
        let mut own = fields_of(output);
        // A list of what nobody said tells an agent nothing.
        own.retain(|_, value| value != &Value::Array(Vec::new()));
        tool_result(decision, proceed, Some(next_step), own).into()
    }

    /// An ask that was not accepted, without fields of the tool's own.
    pub fn not_accepted(decision: &Decision, next_step: &str) -> Self {
        tool_result(decision, false, Some(next_step), Map::new()).into()
    }

    /// An ask that was not accepted, passed on as it is.
    pub fn passed_on(decision: &Decision) -> Self {
        Self::not_accepted(decision, decision.outcome.next_step())
    }

    /// Nobody had to be asked.
    pub fn without_ask(next_step: &str, output: &O) -> Self {
        plain(next_step, output, false).into()
    }

    /// Nobody was asked, since the tool refuses.
    pub fn refused(next_step: &str, output: &O) -> Self {
        plain(next_step, output, true).into()
    }
}

impl<O: Serialize> PlainResult<O> {
    /// These fields, and what to do now.
    pub fn new(next_step: &str, output: &O) -> Self {
        Self(plain(next_step, output, false), PhantomData)
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

/// For a `#[tool]` of rmcp's: name the [schema](ToolOutput::schema) there too.
impl<O> IntoCallToolResult for AskResult<O> {
    fn into_call_tool_result(self) -> Result<CallToolResponse, ErrorData> {
        Ok(self.0.into())
    }
}

/// For a `#[tool]` of rmcp's: name the [schema](ToolOutput::schema) there too.
impl<O> IntoCallToolResult for PlainResult<O> {
    fn into_call_tool_result(self) -> Result<CallToolResponse, ErrorData> {
        Ok(self.0.into())
    }
}

/// Whether whatever an ask ends with fits this schema, as it does that of an [`AskResult`].
pub(crate) fn is_of_asks(schema: &JsonObject) -> bool {
    let asks = output_schema::<AskFields, NoFields>();
    let required = |schema: &JsonObject| -> Vec<Value> {
        let required = schema.get("required").and_then(Value::as_array);
        required.cloned().unwrap_or_default()
    };
    let always = required(&asks);
    let fields = asks.get("properties").and_then(Value::as_object);
    let own = schema.get("properties").and_then(Value::as_object);
    schema.get("additionalProperties") != Some(&Value::Bool(false))
        && required(schema).iter().all(|name| always.contains(name))
        && fields.into_iter().flatten().all(|(name, field)| {
            let own = own.and_then(|own| own.get(name));
            own.is_none_or(|own| own == field)
        })
}

impl<O> fmt::Debug for AskResult<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AskResult")
            .field("is_error", &self.0.is_error)
            .finish_non_exhaustive()
    }
}

impl<O> fmt::Debug for PlainResult<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlainResult")
            .field("is_error", &self.0.is_error)
            .finish_non_exhaustive()
    }
}

/// The result fields of every tool that asks nobody; `proceed` is always false.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct PlainFields {
    proceed: bool,
    next_step: String,
}

fn plain(next_step: &str, output: &impl Serialize, failed: bool) -> CallToolResult {
    let mut own = fields_of(output);
    own.extend(fields_of(&PlainFields {
        proceed: false,
        next_step: next_step.to_owned(),
    }));
    result(own, failed)
}
