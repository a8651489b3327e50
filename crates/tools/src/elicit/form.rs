//! `elicit_form`: several questions at once.

use super::form_fields::{FieldArgument, field};
use super::{Tool, schema};
use holdpoint::tool::{AskResult, ToolError, ToolHints, ToolInfo, ask_and_log, timeout};
use holdpoint::{Answer, Ask, Field, Form, Kind, Outcome, ToolContext};
use jiff::Timestamp;
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    /// Short Markdown
    message: String,
    /// Up to 20
    #[serde(default)]
    fields: Option<Vec<FieldArgument>>,
    /// In place of fields: as MCP's requestedSchema; a boolean without a default must be a yes
    #[serde(default)]
    schema: Option<JsonObject>,
    #[serde(default)]
    timeout_seconds: Option<u64>,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// By field; what was left empty is not there
    #[schemars(with = "JsonObject")]
    values: Answer,
}

pub(super) fn tool() -> Tool {
    let about = ToolInfo {
        name: "elicit_form",
        title: "Ask several things at once",
        description: "Asks the person several things at once. Never for passwords, tokens or keys.",
        hints: ToolHints::Asks,
    };
    Tool::new(about, run)
}

async fn run(cx: ToolContext, arguments: Arguments) -> Result<AskResult<Output>, ToolError> {
    let mut form = match (arguments.fields, arguments.schema) {
        (Some(fields), None) => of_fields(fields)?,
        (None, Some(schema)) => schema::form(schema)?,
        (None, None) => {
            let what = "is missing: a list of fields; or give a `schema` in its place";
            return Err(ToolError::argument("fields", what));
        }
        (Some(_), Some(_)) => {
            let what = "is given together with `fields`: give only one of them";
            return Err(ToolError::argument("schema", what));
        }
    };
    name_confirms(&mut form);
    let mut question = Ask::new(arguments.message, form.clone());
    question.timeout = timeout(arguments.timeout_seconds);
    let decided = ask_and_log(&cx, question).await?;
    let Outcome::Accepted(answer) = decided.outcome else {
        return Ok(AskResult::passed_on(&decided.decision));
    };
    let refused = refused(&form, &answer);
    let yes = refused.is_empty() && form.fields.iter().any(|field| is_given(field, &answer));
    let next = match (yes, refused.as_slice()) {
        (true, _) => "Go on with the person's answers.".to_owned(),
        (false, []) => super::AS_IT_WAS.to_owned(),
        (false, names) => format!(
            "The person did not say yes to {}: do not do it.",
            names.join(", ")
        ),
    };
    let output = Output { values: answer };
    Ok(AskResult::new(&decided.decision, yes, &next, &output))
}

fn of_fields(fields: Vec<FieldArgument>) -> Result<Form, ToolError> {
    let mut form = Form::new();
    for (place, given) in fields.into_iter().enumerate() {
        form = form.field(field(given, &format!("fields[{place}]"))?);
    }
    if form.fields.is_empty() {
        return Err(ToolError::argument("fields", NO_FIELD));
    }
    Ok(form)
}

/// Has a yes or no among other fields asked for by its own name. Without a title it would be shown under the
/// message, which says nothing of what the yes is to.
fn name_confirms(form: &mut Form) {
    if form.fields.len() < 2 {
        return;
    }
    for field in &mut form.fields {
        if matches!(field.kind, Kind::Confirm) && field.title.is_none() {
            field.title = Some(field.name.clone());
        }
    }
}

/// What is wrong with a form that asks for nothing.
pub(super) const NO_FIELD: &str =
    "expected at least one field; for a plain yes there is elicit_confirm";

/// The confirms that were not answered with yes.
fn refused(form: &Form, answer: &Answer) -> Vec<String> {
    form.fields
        .iter()
        .filter(|field| matches!(field.kind, Kind::Confirm))
        .filter(|field| answer.get(&field.name) != Some(&Value::Bool(true)))
        .map(|field| field.name.clone())
        .collect()
}

/// Whether a person must have answered this: it is there, and not merely what was filled in. A
/// toggle is a setting, and says nothing.
fn is_given(field: &Field, answer: &Answer) -> bool {
    let Some(value) = answer.get(&field.name).filter(|value| !is_empty(value)) else {
        return false;
    };
    let default = match &field.kind {
        Kind::Toggle(_) => return false,
        Kind::Text(rules) => return !is_default(value, rules.default.as_deref()),
        Kind::Choice(rules) => rules.default.clone().map(Value::from),
        Kind::Choices(rules) => {
            // An answer has them in the form's order.
            let order = rules.options.iter().map(|pick| &pick.value);
            rules.default.as_ref().map(|default| {
                let chosen = order.filter(|value| default.contains(value)).cloned();
                chosen.collect::<Vec<_>>().into()
            })
        }
        Kind::Number(rules) => return value.as_f64() != rules.default,
        Kind::Integer(rules) => rules.default.map(Value::from),
        Kind::Date(range) => range.default.clone().map(Value::from),
        Kind::DateTime(range) => return moment(value) != range.default.as_deref().and_then(parsed),
        Kind::Secret | Kind::Confirm | Kind::Rating(_) | Kind::File(_) | Kind::Link(_) => None,
    };
    Some(value) != default.as_ref()
}

/// An untouched field of a client that sends every field back.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::String(text) => text.trim().is_empty(),
        Value::Array(values) => values.is_empty(),
        _ => false,
    }
}

fn is_default(value: &Value, default: Option<&str>) -> bool {
    let text = value.as_str();
    text.zip(default)
        .is_some_and(|(text, default)| super::is_same_text(text, default))
}

/// The same moment can be written in several ways.
fn moment(value: &Value) -> Option<Timestamp> {
    value.as_str().and_then(parsed)
}

fn parsed(text: &str) -> Option<Timestamp> {
    text.parse().ok()
}
