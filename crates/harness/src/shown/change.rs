//! A change of files, as a diff.

mod diff;
mod patch;

use super::{
    other_tool,
    subject::Subject,
    text::{DESCRIPTIONS, block, code, description, other_arguments, short_path, title},
};
use crate::ToolPrompt;
use diff::{edit_diff, whole_file};
use patch::as_diff;
use serde_json::Value;

/// A change; the bare arguments where it is of no known shape.
pub(super) fn subject(tool: &ToolPrompt) -> Subject {
    let input = &tool.tool_use.input;
    let text = |key: &str| input.get(key).and_then(Value::as_str);
    let folder = &tool.tool_use.folder;
    let path = short_path(text("file_path").unwrap_or_default(), folder);
    let mut notes = Vec::new();
    // What the harness acts on comes first: whatever else an agent adds is shown as it is.
    let (diff, shown): (String, &[&str]) = if text("old_string").or(text("new_string")).is_some() {
        let (old, new) = (text("old_string"), text("new_string"));
        (
            edit_diff(path, old.unwrap_or_default(), new.unwrap_or_default()),
            &["old_string", "new_string"],
        )
    } else if let (true, Some(content)) = (tool.tool_use.tool == "Write", text("content")) {
        notes.push(
            "The whole file is written so. What stands in it now, if it is there, will be gone."
                .to_owned(),
        );
        (whole_file(path, content), &["content"])
    } else if let Some(patch) = text("patch") {
        (as_diff(patch), &["patch"])
    } else if let Some(edits) = input.get("edits").and_then(Value::as_array) {
        notes.extend(edits.iter().filter_map(note));
        (each(edits, folder), &["edits"])
    } else if let Some(diff) = text("diff") {
        (diff.to_owned(), &["diff"])
    } else {
        return other_tool::subject(tool);
    };
    if input.get("replace_all") == Some(&Value::Bool(true)) {
        notes.push("It is changed in **every** place where it stands in the file.".to_owned());
    }
    let paths = paths(input);
    let shown: Vec<_> = shown
        .iter()
        .copied()
        .chain(["file_path", "file_paths"])
        .chain(DESCRIPTIONS)
        .collect();
    notes.extend(other_arguments(input, &shown));
    let short: Vec<_> = paths.iter().map(|path| short_path(path, folder)).collect();
    let (what, asks) = match tool.tool_use.tool.as_str() {
        "Write" => ("Write", "Write"),
        _ => ("Edit", "Change"),
    };
    Subject {
        title: title(what, &short.join(", ")),
        question: match paths.as_slice() {
            [path] => format!("{asks} {}?", code(path)),
            paths => format!("{asks} {} files?", paths.len()),
        },
        thing: match diff.trim() {
            "" => "Nothing would change.".to_owned(),
            _ => block("diff", &diff),
        },
        notes,
        description: description(input),
    }
}

/// The files that are changed.
fn paths(input: &Value) -> Vec<&str> {
    let one = input.get("file_path").and_then(Value::as_str);
    let several = input.get("file_paths").and_then(Value::as_array);
    let several = several.into_iter().flatten().filter_map(Value::as_str);
    one.into_iter().chain(several).collect()
}

/// Several edits, one after the other.
fn each(edits: &[Value], folder: &str) -> String {
    let diffs = edits.iter().map(|edit| {
        let text = |key: &str| edit.get(key).and_then(Value::as_str).unwrap_or_default();
        let path = short_path(text("file_path"), folder);
        edit_diff(path, text("old_string"), text("new_string"))
    });
    diffs.collect()
}

/// What one of several edits says besides.
fn note(edit: &Value) -> Option<String> {
    let path = edit.get("file_path").and_then(Value::as_str)?;
    let every = edit.get("replace_all") == Some(&Value::Bool(true));
    let every = every.then(|| "It is changed in **every** place where it stands.".to_owned());
    let shown = ["file_path", "old_string", "new_string"];
    let notes: Vec<_> = every
        .into_iter()
        .chain(other_arguments(edit, &shown))
        .collect();
    (!notes.is_empty()).then(|| format!("In {}: {}", code(path), notes.join("\n\n")))
}
