//! Claude Code's `settings.json`.

use super::{ImportError, Imported, tool_of};
use crate::{
    Verdict,
    rule::{EDITORS, READERS},
};
use serde_json::Value;

/// Takes the rules of a `settings.json`.
///
/// # Errors
/// When it is not JSON.
pub fn claude(text: &str) -> Result<Imported, ImportError> {
    let settings: Value = serde_json::from_str(text)
        .map_err(|error| ImportError(format!("this is not JSON: {error}")))?;
    let mut imported = Imported::default();
    let Some(permissions) = settings.get("permissions").and_then(Value::as_object) else {
        return Ok(imported);
    };
    for (key, value) in permissions {
        let verdict = match &**key {
            "allow" => Verdict::Allow,
            "ask" => Verdict::Ask,
            "deny" => Verdict::Deny,
            other => {
                let why = "it is not a list of rules: `default` and the scopes that you give take its place";
                imported
                    .skipped
                    .push((format!("permissions.{other}"), why.into()));
                continue;
            }
        };
        for rule in value.as_array().into_iter().flatten() {
            match rule.as_str() {
                Some(rule) => take(&mut imported, verdict, rule.trim()),
                None => imported.skip(&rule.to_string(), "a rule is a text", verdict, "*"),
            }
        }
    }
    Ok(imported.finish())
}

fn take(imported: &mut Imported, verdict: Verdict, rule: &str) {
    let tool = tool_of(rule);
    let path = rule.split_once('(').map_or("", |(_, rest)| rest);
    let is_file = READERS.contains(&tool) || EDITORS.contains(&tool);
    // There it begins at the folder of the settings, which may be the person's own.
    if is_file && path.starts_with('/') && !path.starts_with("//") {
        let why = "its path begins at the folder of the settings: write it with `//` or `~/`";
        return imported.skip(rule, why, verdict, tool);
    }
    imported.take(verdict, rule.to_owned(), rule);
}
