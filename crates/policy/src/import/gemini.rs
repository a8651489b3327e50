//! Gemini CLI's policies: TOML with `[[rule]]` tables.

use super::{ImportError, Imported};
use crate::Verdict;
use toml::{Table, Value};

/// Takes the rules of a policy file. Its priorities are not taken: here the strictest rule wins.
///
/// # Errors
/// When it is not TOML.
pub fn gemini(text: &str) -> Result<Imported, ImportError> {
    let file: Table = toml::from_str(text)
        .map_err(|error| ImportError(format!("this is not TOML: {}", error.message())))?;
    let mut imported = Imported::default();
    for (key, value) in &file {
        match (&**key, value) {
            ("rule", Value::Array(rules)) => {
                rules.iter().for_each(|rule| take(&mut imported, rule))
            }
            _ => imported.skip(key, "only `[[rule]]` is understood", Verdict::Ask, "*"),
        }
    }
    Ok(imported.finish())
}

const KEYS: [&str; 10] = [
    "toolName",
    "mcpName",
    "decision",
    "priority",
    "commandPrefix",
    "denyMessage",
    "modes",
    "interactive",
    "name",
    "description",
];

fn take(imported: &mut Imported, rule: &Value) {
    let was = shown(rule);
    let Some(table) = rule.as_table() else {
        return imported.skip(&was, "a rule is a table", Verdict::Ask, "*");
    };
    let verdict = match table.get("decision").and_then(Value::as_str) {
        Some("allow") => Verdict::Allow,
        Some("ask_user") => Verdict::Ask,
        Some("deny") => Verdict::Deny,
        _ => return imported.skip(&was, "its decision is not known", Verdict::Ask, "*"),
    };
    let tools = match tools(table) {
        Some(tools) if !tools.is_empty() => tools,
        _ => return imported.skip(&was, "its tools have no equal here", verdict, "*"),
    };
    // A rule for `Edit` is here for every change to a file. Who may read every file may also search them.
    if verdict == Verdict::Allow
        && tools.iter().any(|tool| tool == "Edit")
        && !tools.iter().any(|tool| tool == "Write")
    {
        return imported.skip(
            &was,
            "here it would also allow writing whole files",
            verdict,
            "Edit",
        );
    }
    let narrows = |key: &&str| !KEYS.contains(key);
    let unknown = table.keys().map(|key| &**key).find(narrows);
    let sometimes = ["modes", "interactive"]
        .into_iter()
        .find(|key| table.contains_key(*key));
    for tool in tools {
        if let Some(key) = unknown {
            imported.skip(&was, format!("`{key}` has no equal here"), verdict, &tool);
            continue;
        }
        // Asking and denying more often than before is no harm.
        if let Some(key) = sometimes.filter(|_| verdict == Verdict::Allow) {
            imported.skip(
                &was,
                format!("it allows only at times (`{key}`)"),
                verdict,
                &tool,
            );
            continue;
        }
        match table.get("commandPrefix").map(texts) {
            None => imported.take(verdict, tool, &was),
            Some(Some(prefixes)) if tool == "Bash" => {
                for prefix in prefixes {
                    let rule = match verdict {
                        Verdict::Allow => format!("Bash({prefix} *)"),
                        _ => format!("Bash({prefix}*)"),
                    };
                    if prefix.contains('*') {
                        imported.skip(&was, "its prefix has a star in it", verdict, "Bash")
                    } else {
                        imported.take(verdict, rule, &was)
                    }
                }
            }
            Some(_) => imported.skip(&was, "`commandPrefix` is not for this tool", verdict, &tool),
        }
    }
}

/// A rule, shortly.
fn shown(rule: &Value) -> String {
    match serde_json::to_value(rule) {
        Ok(json) => json.to_string(),
        Err(_) => "a rule".to_owned(),
    }
}

/// A text, or a list of them.
fn texts(value: &Value) -> Option<Vec<&str>> {
    match value {
        Value::String(text) => Some(vec![text]),
        Value::Array(items) => items.iter().map(Value::as_str).collect(),
        _ => None,
    }
}

/// The tools of a rule, by the names that they have here.
fn tools(table: &Table) -> Option<Vec<String>> {
    let names = match table.get("toolName") {
        Some(names) => texts(names)?,
        None => vec!["*"],
    };
    let server = match table.get("mcpName") {
        Some(server) => Some(server.as_str()?),
        None => None,
    };
    if let Some(server) = server {
        return Some(
            names
                .into_iter()
                .map(|name| format!("mcp__{server}__{name}"))
                .collect(),
        );
    }
    names.into_iter().map(tool).collect()
}

fn tool(name: &str) -> Option<String> {
    Some(match name {
        "run_shell_command" => "Bash".into(),
        "read_file" | "read_many_files" => "Read".into(),
        "write_file" => "Write".into(),
        "replace" => "Edit".into(),
        "glob" => "Glob".into(),
        "grep_search" | "search_file_content" => "Grep".into(),
        "list_directory" => "LS".into(),
        "web_fetch" => "WebFetch".into(),
        "google_web_search" => "WebSearch".into(),
        "*" => "*".into(),
        // `mcp_server_tool`: where the server ends cannot be told, but for a star in its place.
        _ => match name.strip_prefix("mcp_")?.strip_prefix("*_") {
            Some(rest) => format!("mcp__*__{rest}"),
            None => return None,
        },
    })
}
