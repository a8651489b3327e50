//! Any other tool: its arguments.

use super::{
    subject::Subject,
    text::{block, code, short_path, title},
};
use crate::{ToolPrompt, tools::mcp_parts};
use serde_json::Value;

pub(super) fn subject(tool: &ToolPrompt) -> Subject {
    let known = &tool.tool_use;
    let text = |key: &str| known.input.get(key).and_then(Value::as_str);
    let (title, question) = match (known.tool.as_str(), text("file_path"), text("url")) {
        ("WebFetch", _, Some(url)) => (title("Fetch", url), format!("Fetch {}?", code(url))),
        (name @ ("Read" | "Write" | "Edit" | "Delete"), Some(path), _) => (
            title(name, short_path(path, &known.folder)),
            format!("{name} {}?", code(path)),
        ),
        (name, ..) => match mcp_parts(name) {
            Some((server, tool)) => (
                title("Call", &format!("{tool} of {server}")),
                format!("Call {} of the MCP server {}?", code(tool), code(server)),
            ),
            None => (title("Use", name), format!("Use the tool {}?", code(name))),
        },
    };
    let arguments = serde_json::to_string_pretty(&tool.input).unwrap_or_default();
    // What the rules and the harness call it, where that is not the same or not in the question.
    let known_as = (tool.name != known.tool).then(|| {
        format!(
            "Your rules know it as {}, its harness as {}.",
            code(&known.tool),
            code(&tool.name)
        )
    });
    Subject {
        title,
        question,
        thing: format!("With these arguments:\n\n{}", block("json", &arguments)),
        notes: known_as.into_iter().collect(),
        description: None,
    }
}
