//! `elicit_input`: a text.

use super::Tool;
use holdpoint::tool::{AskResult, ToolError, ToolHints, ToolInfo, ask_and_log, timeout};
use holdpoint::{
    Ask, Field, Form, Kind, Outcome, ToolContext,
    field::{Format, Text},
};
use holdpoint_ask::form_verdict::{AS_IT_WAS, is_same_text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    /// Short Markdown
    message: String,
    /// Default: value
    #[serde(default)]
    field_name: Option<String>,
    /// Filled in at first; sent back unchanged it approves nothing
    #[serde(default)]
    default: Option<String>,
    /// An example
    #[serde(default)]
    placeholder: Option<String>,
    #[serde(default)]
    min_length: Option<u32>,
    #[serde(default)]
    max_length: Option<u32>,
    #[serde(default)]
    format: Option<FormatArgument>,
    /// Regular expression for the whole text
    #[serde(default)]
    pattern: Option<String>,
    #[serde(default)]
    multiline: Option<bool>,
    #[serde(default)]
    timeout_seconds: Option<u64>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum FormatArgument {
    Email,
    Uri,
    Date,
    DateTime,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    value: Option<String>,
}

pub(super) fn tool() -> Tool {
    let about = ToolInfo {
        name: "elicit_input",
        title: "Ask for a text",
        description: "Asks the person for a text. Never for passwords, tokens or keys.",
        hints: ToolHints::Asks,
    };
    Tool::new(about, run)
}

async fn run(cx: ToolContext, arguments: Arguments) -> Result<AskResult<Output>, ToolError> {
    let name = arguments.field_name.unwrap_or_else(|| "value".into());
    let default = arguments.default.clone();
    let text = Text {
        min_length: arguments.min_length,
        max_length: arguments.max_length,
        format: arguments.format.map(Into::into),
        pattern: arguments.pattern,
        multiline: arguments.multiline.unwrap_or(false),
        placeholder: arguments.placeholder,
        default: arguments.default,
        ..Text::default()
    };
    let form = Form::new().field(Field::new(name.clone(), Kind::Text(text)));
    let mut question = Ask::new(arguments.message, form);
    question.timeout = timeout(arguments.timeout_seconds);
    let decided = ask_and_log(&cx, question).await?;
    let Outcome::Accepted(answer) = decided.outcome else {
        return Ok(AskResult::passed_on(&decided.decision));
    };
    let value = answer.get(&name).and_then(Value::as_str).map(str::to_owned);
    let given = value.as_deref().is_some_and(|text| {
        let filled_in = |default| is_same_text(text, default);
        !text.trim().is_empty() && !default.as_deref().is_some_and(filled_in)
    });
    let next = if given {
        "Go on with what the person wrote."
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

impl From<FormatArgument> for Format {
    fn from(format: FormatArgument) -> Self {
        match format {
            FormatArgument::Email => Self::Email,
            FormatArgument::Uri => Self::Uri,
            FormatArgument::Date => Self::Date,
            FormatArgument::DateTime => Self::DateTime,
        }
    }
}
