//! Single questions.

mod choice;
mod confirm;
mod form;
mod form_fields;
mod input;
mod note;
mod number;
mod option;
mod rating;
mod schema;
mod secret_name;
mod understanding;

use holdpoint::{
    ToolCall, ToolContext, ToolSource,
    tool::{ToolError, TypedTool, TypedTools},
};
use holdpoint_ask::check::MAX_MESSAGE;
use rmcp::model::JsonObject;

pub(crate) use option::Names;

/// The tools that ask a single question.
pub struct ElicitTools(TypedTools<ToolContext>);

type Tool = TypedTool<ToolContext>;

const INSTRUCTIONS: &str = "\
Ask for a yes with `elicit_confirm`. Let the person choose with `elicit_choice`. Ask several things at once with `elicit_form`. Check an unclear task with `verify_understanding`. Never ask for passwords, tokens or keys. While `status` is pending nobody has answered yet: call `await_answer` with its askId; do not ask again.";

/// The next step after an answer that is only what was filled in beforehand: a client may
/// have sent it by itself.
const AS_IT_WAS: &str = "This is only what was filled in beforehand: use it as a value, but do not take it for approval.";

impl ElicitTools {
    /// All of them.
    pub fn new() -> Self {
        Self(TypedTools::new([
            choice::tool(),
            input::tool(),
            confirm::tool(),
            number::tool(),
            rating::tool(),
            form::tool(),
            understanding::tool(),
        ]))
    }
}

/// The details that an agent gives. Long ones are for what Holdpoint itself reads: a file, a diff.
fn short_details(details: Option<String>) -> Result<Option<String>, ToolError> {
    match details.as_ref().map_or(0, String::len) {
        bytes if bytes > MAX_MESSAGE => {
            let what = format!("expected at most {MAX_MESSAGE} bytes, and there are {bytes}");
            Err(ToolError::argument("details", what))
        }
        _ => Ok(details),
    }
}

/// Whether a text is the other one, which a client may have sent back with other line ends or without the
/// space around it.
fn is_same_text(one: &str, other: &str) -> bool {
    one.trim().lines().eq(other.trim().lines())
}

impl Default for ElicitTools {
    fn default() -> Self {
        Self::new()
    }
}

impl ToolSource for ElicitTools {
    fn tools(&self) -> Vec<rmcp::model::Tool> {
        self.0.list()
    }

    fn tool(&self, name: &str) -> Option<rmcp::model::Tool> {
        self.0.listed(name)
    }

    fn has_tool(&self, name: &str) -> bool {
        self.0.get(name).is_some()
    }

    fn call(&self, cx: ToolContext, name: &str, arguments: Option<JsonObject>) -> Option<ToolCall> {
        Some(self.0.get(name)?.call(cx, arguments))
    }

    fn instructions(&self) -> Option<&str> {
        Some(INSTRUCTIONS)
    }
}
