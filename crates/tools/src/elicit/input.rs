//! `elicit_input`: a text.

use super::{Ended, Tool};
use holdpoint::tool::{
    OutputSchema, ToolHints, ToolInfo, ask_and_log, ask_result, object, passed_on, timeout,
};
use holdpoint::{
    Ask, Field, Form, Kind, Outcome, ToolContext,
    field::{Format, Text},
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    /// The question, as short Markdown
    message: String,
    /// The name of the field that the person fills in; `value` where it is left out
    #[serde(default)]
    field_name: Option<String>,
    /// What the field is filled with at first. Sent back unchanged it is no approval
    #[serde(default)]
    default: Option<String>,
    /// An example, shown while the field is empty
    #[serde(default)]
    placeholder: Option<String>,
    /// The fewest characters
    #[serde(default)]
    min_length: Option<u32>,
    /// The most characters
    #[serde(default)]
    max_length: Option<u32>,
    /// A well-known shape
    #[serde(default)]
    format: Option<FormatArgument>,
    /// A regular expression that the whole text must match
    #[serde(default)]
    pattern: Option<String>,
    /// Room for several lines
    #[serde(default)]
    multiline: Option<bool>,
    /// How many seconds the question waits, 5 to 86400; the user's own setting where it is left out
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

pub(super) fn tool() -> Tool {
    let own = json!({ "value": { "type": "string", "description": "What the person wrote" } });
    let about = ToolInfo {
        name: "elicit_input",
        title: "Ask for a text",
        description: "Asks the person for a text. Not for passwords, tokens or keys: what is typed here goes to you.",
        hints: ToolHints::Asks,
    };
    Tool::new(about, OutputSchema::WithAskFields(own), run)
}

async fn run(cx: ToolContext, arguments: Arguments) -> Ended {
    let name = arguments.field_name.unwrap_or_else(|| "value".into());
    let default = arguments.default.clone().map(Value::from);
    let text = Text {
        min_length: arguments.min_length,
        max_length: arguments.max_length,
        format: arguments.format.map(Into::into),
        pattern: arguments.pattern,
        multiline: arguments.multiline.unwrap_or(false),
        placeholder: arguments.placeholder,
        default: arguments.default,
    };
    let form = Form::new().field(Field::new(name.clone(), Kind::Text(text)));
    let mut question = Ask::new(arguments.message, form);
    question.timeout = timeout(arguments.timeout_seconds);
    let decided = ask_and_log(&cx, question).await?;
    let Outcome::Accepted(answer) = decided.outcome else {
        return Ok(passed_on(&decided.decision));
    };
    let value = answer.get(&name).cloned().unwrap_or(Value::Null);
    let given = !value.is_null() && Some(&value) != default.as_ref();
    let next = if given {
        "Go on with what the person wrote."
    } else {
        super::AS_IT_WAS
    };
    let own = object(json!({ "value": value }));
    Ok(ask_result(&decided.decision, given, next, own))
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
