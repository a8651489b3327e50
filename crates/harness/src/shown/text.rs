//! Agent text on its way into a message.

use holdpoint_ask::{markdown, visible};
use serde_json::Value;

/// The most characters of a title.
const TITLE: usize = 100;

/// Code within a line.
pub(super) fn code(text: &str) -> String {
    match visible(text) {
        // Markdown has no empty code.
        shown if shown.trim().is_empty() => "(empty)".to_owned(),
        shown => markdown::code(&shown),
    }
}

/// A block of code.
pub(super) fn block(language: &str, text: &str) -> String {
    markdown::fenced(language, &visible(text))
}

/// A quotation.
pub(super) fn quoted(text: &str) -> String {
    markdown::quoted(&visible(text))
}

/// Text within a line of ours.
pub(super) fn one_line(text: &str) -> String {
    markdown::one_line(&visible(text))
}

/// A title: what is to be done, and to what, on one line.
pub(super) fn title(what: &str, to: &str) -> String {
    let to = visible(to);
    let words: Vec<_> = to.split_whitespace().collect();
    let line = format!("{what}: {}", words.join(" "));
    match line.char_indices().nth(TITLE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// A path as people know it in this folder: what leads out of it, or might, is shown whole.
pub(super) fn short_path<'a>(path: &'a str, folder: &str) -> &'a str {
    let inside = path
        .strip_prefix(folder.trim_end_matches('/'))
        .and_then(|rest| rest.strip_prefix('/'));
    let plain = |inside: &&str| !inside.is_empty() && !inside.split('/').any(|part| part == "..");
    inside.filter(plain).unwrap_or(path)
}

/// Arguments that are shown nowhere else, as a list with their values. What is shown elsewhere is of the type that
/// it should have: anything else is listed too.
pub(super) fn other_arguments(input: &Value, shown: &[&str]) -> Option<String> {
    let input = input.as_object()?;
    let is_shown = |key: &str, value: &Value| match value {
        Value::Null => true,
        Value::Bool(_) => key == "replace_all",
        Value::Array(_) => ["edits", "file_paths"].contains(&key) && shown.contains(&key),
        Value::String(_) => key != "replace_all" && shown.contains(&key),
        _ => false,
    };
    let others = input.iter().filter(|(key, value)| !is_shown(key, value));
    let lines = others.map(|(key, value)| format!("- {}: {}", code(key), code(&value.to_string())));
    let lines: Vec<_> = lines.collect();
    (!lines.is_empty()).then(|| format!("**With**\n\n{}", lines.join("\n")))
}

/// Where agents say what a thing is for.
pub(super) const DESCRIPTIONS: [&str; 5] = [
    "description",
    "explanation",
    "goal",
    "instruction",
    "justification",
];

/// What the agent says that it is for.
pub(super) fn description(input: &Value) -> Option<String> {
    let texts = DESCRIPTIONS
        .iter()
        .filter_map(|key| input.get(*key)?.as_str());
    let texts: Vec<_> = texts.filter(|text| !text.trim().is_empty()).collect();
    (!texts.is_empty()).then(|| texts.join("\n\n"))
}
