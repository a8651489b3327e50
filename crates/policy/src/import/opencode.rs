//! opencode's `permission` in `opencode.json`.

use super::{ImportError, Imported};
use crate::Verdict;
use serde_json::Value;

/// Takes the permissions of an `opencode.json`. There the last rule that matches wins, and here the strictest does:
/// a `*` that asks or denies before others is what happens by default here, and is not taken.
///
/// # Errors
/// When it is not JSON.
pub fn opencode(text: &str) -> Result<Imported, ImportError> {
    let config: Value = serde_json::from_str(text).map_err(|error| {
        ImportError(format!(
            "this is not JSON: {error}; comments must be taken out first"
        ))
    })?;
    let mut imported = Imported::default();
    match config.get("permission") {
        Some(Value::Object(permissions)) => {
            for (key, value) in permissions {
                permission(&mut imported, key, value);
            }
        }
        Some(Value::String(_)) => {
            let why = "one word for everything is `default` here";
            imported.skip("permission", why, Verdict::Ask, "*");
        }
        Some(other) => imported.skip(
            &other.to_string(),
            "this way to write permissions is not known",
            Verdict::Ask,
            "*",
        ),
        None => {}
    }
    Ok(imported.finish())
}

fn permission(imported: &mut Imported, key: &str, value: &Value) {
    let tool = match key {
        "bash" => "Bash",
        "edit" => "Edit",
        "read" => "Read",
        "glob" => "Glob",
        "grep" => "Grep",
        "list" => "LS",
        "webfetch" => "WebFetch",
        "websearch" => "WebSearch",
        "task" => "Task",
        _ => {
            let verdict = value.as_str().and_then(verdict).unwrap_or(Verdict::Ask);
            let about = if key == "*" { "*" } else { "" };
            return if about.is_empty() {
                imported.skipped.push((
                    key.to_owned(),
                    "it is about nothing that is known here".into(),
                ))
            } else {
                imported.skip(
                    key,
                    "what happens by default is `default` here",
                    verdict,
                    about,
                )
            };
        }
    };
    match value {
        Value::String(word) => match verdict(word) {
            Some(verdict) => imported.take(verdict, tool.to_owned(), key),
            None => imported.skip(key, format!("`{word}` is not known"), Verdict::Ask, tool),
        },
        Value::Object(patterns) => {
            let last = patterns.len().saturating_sub(1);
            for (at, (pattern, word)) in patterns.iter().enumerate() {
                let was = format!("{key}: {pattern}");
                match word.as_str().and_then(verdict) {
                    None => imported.skip(&was, "its effect is not known", Verdict::Ask, tool),
                    Some(verdict)
                        if pattern == "*" && verdict != Verdict::Allow && at == 0 && last > 0 =>
                    {
                        let why = "what nothing else is about is `default` here";
                        imported.skipped.push((was, why.into()));
                    }
                    Some(verdict) => one(imported, tool, pattern, verdict, &was),
                }
            }
        }
        other => imported.skip(
            &other.to_string(),
            "its effect is not known",
            Verdict::Ask,
            tool,
        ),
    }
}

fn one(imported: &mut Imported, tool: &str, pattern: &str, verdict: Verdict, was: &str) {
    if pattern.contains('?') {
        return imported.skip(was, "a `?` has no equal here", verdict, tool);
    }
    let rule = match tool {
        "Bash" => format!("Bash({pattern})"),
        _ if pattern == "*" => tool.to_owned(),
        "Edit" | "Read" => match path(pattern, verdict) {
            Some(path) => format!("{tool}({path})"),
            None => {
                return imported.skip(was, "its stars stand for other things here", verdict, tool);
            }
        },
        _ => return imported.skip(was, "its pattern has no equal here", verdict, tool),
    };
    imported.take(verdict, rule, was);
}

/// A path there begins at the workspace, and a star also stands for folders.
fn path(pattern: &str, verdict: Verdict) -> Option<String> {
    if pattern.starts_with("~/") {
        return Some(pattern.to_owned());
    }
    let (folder, name) = pattern.rsplit_once('/').unwrap_or(("", pattern));
    let absolute = pattern.starts_with('/');
    // One star or two, at the end of a name: what ours allows is then no more than theirs, and what ours denies no less.
    if folder.contains('*') && verdict != Verdict::Allow {
        return None;
    }
    // A name here also stands for everything in a folder of that name.
    if verdict == Verdict::Allow && !name.contains(['*', '.']) {
        return None;
    }
    let root = if absolute { "/" } else { "" };
    let folder = folder.trim_start_matches('/');
    let anywhere =
        verdict != Verdict::Allow || (folder.is_empty() && !absolute && name.starts_with('*'));
    let between = if anywhere { "**/" } else { "" };
    let folder = if folder.is_empty() {
        String::new()
    } else {
        format!("{folder}/")
    };
    Some(format!("{root}/{folder}{between}{name}"))
}

fn verdict(word: &str) -> Option<Verdict> {
    match word {
        "allow" => Some(Verdict::Allow),
        "ask" => Some(Verdict::Ask),
        "deny" => Some(Verdict::Deny),
        _ => None,
    }
}
