//! Some tools of a source, where a person wants fewer.

use crate::tool_set::ToolSelection;
use futures::stream::BoxStream;
use holdpoint::{FlowVersion, PromptSource, ResourceSource, ToolCall, ToolContext, ToolSource};
use rmcp::model::{JsonObject, Tool};
use std::sync::Arc;

/// A source of which only the selected tools are offered.
pub struct SelectedTools {
    source: Arc<dyn ToolSource>,
    selection: Arc<ToolSelection>,
    instructions: Option<String>,
}

impl SelectedTools {
    /// The tools of this source that are selected.
    pub fn new(source: Arc<dyn ToolSource>, selection: Arc<ToolSelection>) -> Self {
        let missing = selection.missing();
        let instructions = source.instructions().map(|all| without(all, &missing));
        Self {
            instructions: instructions.filter(|said| !said.is_empty()),
            source,
            selection,
        }
    }
}

impl ToolSource for SelectedTools {
    fn tools(&self) -> Vec<Tool> {
        let mut tools = self.source.tools();
        tools.retain(|tool| self.selection.contains(&tool.name));
        tools
    }

    fn tool(&self, name: &str) -> Option<Tool> {
        let selected = self.selection.contains(name);
        selected.then(|| self.source.tool(name))?
    }

    fn has_tool(&self, name: &str) -> bool {
        self.selection.contains(name) && self.source.has_tool(name)
    }

    fn call(&self, cx: ToolContext, name: &str, arguments: Option<JsonObject>) -> Option<ToolCall> {
        let selected = self.selection.contains(name);
        selected.then(|| self.source.call(cx, name, arguments))?
    }

    fn version(&self, tool: &str) -> Option<FlowVersion> {
        self.source.version(tool)
    }

    fn instructions(&self) -> Option<&str> {
        self.instructions.as_deref()
    }

    fn changes(&self) -> Option<BoxStream<'static, ()>> {
        self.source.changes()
    }

    fn log_hidden(&self, tool: &str) {
        self.source.log_hidden(tool);
    }

    fn prompts(&self) -> Option<&dyn PromptSource> {
        self.source.prompts()
    }

    fn resources(&self) -> Option<&dyn ResourceSource> {
        self.source.resources()
    }
}

/// Instructions without the sentences about tools that are missing.
fn without(instructions: &str, missing: &[&str]) -> String {
    let about_missing = |sentence: &str| {
        let mut missing = missing.iter();
        missing.any(|tool| sentence.contains(&format!("`{tool}`")))
    };
    let sentences = instructions.split_inclusive(". ");
    let kept: String = sentences.filter(|said| !about_missing(said)).collect();
    kept.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_not_spoken_of() {
        let all = "Ask first. Call `one`, then `two`. At the end `three`. Be kind.";
        assert_eq!(without(all, &[]), all);
        assert_eq!(
            without(all, &["two"]),
            "Ask first. At the end `three`. Be kind."
        );
        assert_eq!(without("Call `one`.", &["one"]), "");
    }
}
