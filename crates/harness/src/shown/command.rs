//! A command of a shell.

use super::{
    subject::Subject,
    text::{DESCRIPTIONS, block, description, other_arguments, title},
};
use crate::ToolPrompt;
use serde_json::Value;

pub(super) fn subject(tool: &ToolPrompt) -> Subject {
    let input = &tool.tool_use.input;
    let command = input.get("command").and_then(Value::as_str);
    let command = command.unwrap_or_default();
    let (language, question) = match tool.tool_use.tool.as_str() {
        "PowerShell" => ("powershell", "Run this command in PowerShell?"),
        _ => ("bash", "Run this command?"),
    };
    let mut shown = vec!["command"];
    shown.extend(DESCRIPTIONS);
    Subject {
        title: title("Run", command),
        question: question.to_owned(),
        thing: block(language, command),
        notes: other_arguments(input, &shown).into_iter().collect(),
        description: description(input),
    }
}
