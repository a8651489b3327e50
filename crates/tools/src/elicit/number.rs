//! `elicit_number`: a number.

use super::Tool;
use holdpoint::tool::{
    AskResult, ToolError, ToolHints, ToolInfo, ask_and_log, parse_value, timeout,
};
use holdpoint::{
    Ask, Field, Form, Kind, Outcome, ToolContext,
    field::{Integer, Number},
};
use holdpoint_ask::form_verdict::AS_IT_WAS;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    /// Short Markdown
    message: String,
    #[serde(default)]
    min: Option<f64>,
    #[serde(default)]
    max: Option<f64>,
    /// Counted from min, or from zero
    #[serde(default)]
    step: Option<f64>,
    #[serde(default)]
    integer: Option<bool>,
    /// Like BPM
    #[serde(default)]
    unit: Option<String>,
    /// Filled in at first; sent back unchanged it approves nothing
    #[serde(default)]
    default: Option<f64>,
    #[serde(default)]
    timeout_seconds: Option<u64>,
}

/// The arguments that are rules of the field, for reading them as whole numbers.
#[derive(Serialize)]
struct Rules<'a> {
    min: Option<Value>,
    max: Option<Value>,
    step: Option<Value>,
    unit: Option<&'a str>,
    default: Option<Value>,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    #[schemars(with = "f64")]
    value: Option<Value>,
}

pub(super) fn tool() -> Tool {
    let about = ToolInfo {
        name: "elicit_number",
        title: "Ask for a number",
        description: "Asks the person for a number.",
        hints: ToolHints::Asks,
    };
    Tool::new(about, run)
}

async fn run(cx: ToolContext, arguments: Arguments) -> Result<AskResult<Output>, ToolError> {
    let kind = if arguments.integer.unwrap_or(false) {
        Kind::Integer(whole(&arguments)?)
    } else {
        Kind::Number(Number {
            min: arguments.min,
            max: arguments.max,
            step: arguments.step,
            unit: arguments.unit,
            default: arguments.default,
        })
    };
    let form = Form::new().field(Field::new("value", kind));
    let mut question = Ask::new(arguments.message, form);
    question.timeout = timeout(arguments.timeout_seconds);
    let decided = ask_and_log(&cx, question).await?;
    let Outcome::Accepted(answer) = decided.outcome else {
        return Ok(AskResult::passed_on(&decided.decision));
    };
    let value = answer
        .get("value")
        .filter(|value| value.is_number())
        .cloned();
    let given = value.is_some() && value.as_ref().and_then(Value::as_f64) != arguments.default;
    let next = if given {
        "Go on with the person's number."
    } else {
        AS_IT_WAS
    };
    Ok(AskResult::new(
        &decided.decision,
        given,
        next,
        &Output { value },
    ))
}

fn whole(arguments: &Arguments) -> Result<Integer, ToolError> {
    let plain = |number: f64| {
        if number.fract() == 0.0 {
            json!(number as i64)
        } else {
            json!(number)
        }
    };
    let rules = Rules {
        min: arguments.min.map(plain),
        max: arguments.max.map(plain),
        step: arguments.step.map(plain),
        unit: arguments.unit.as_deref(),
        default: arguments.default.map(plain),
    };
    parse_value(json!(rules), "")
}
