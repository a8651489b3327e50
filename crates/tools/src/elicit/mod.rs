//! Single questions.

mod choice;
mod confirm;
mod form;
mod input;
mod note;
mod number;
mod rating;
mod understanding;

use holdpoint::{
    ToolCall, ToolContext, ToolSource,
    tool::{TypedTool, TypedTools},
};
use rmcp::model::JsonObject;

/// The tools that ask a single question.
pub struct ElicitTools(TypedTools<ToolContext>);

type Tool = TypedTool<ToolContext>;

const INSTRUCTIONS: &str = "\
Ask for a yes with `elicit_confirm`. Let the person choose with `elicit_choice`. Ask several things at once with `elicit_form`. Check an unclear task with `verify_understanding`. Never ask for passwords, tokens or keys. While `status` is pending nobody has answered yet: call `await_answer` with its askId; do not ask again.";

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
