//! What our plugin for opencode writes: `hook_event_name`, `directory`, `worktree`, the names of the MCP servers as
//! `mcp_servers` where it knows them, and what opencode gave it as `input` and `output`; an event is the `input`.

use super::payload::Payload;
use crate::ReadError;
use serde_json::{Map, Value, json};

/// The payload by the keys that other harnesses have.
pub(super) fn by_common_keys(object: &Map<String, Value>) -> Result<Map<String, Value>, ReadError> {
    let payload = Payload::new(object);
    let input = payload.object("input")?;
    let input = Payload::new(input);
    // An event has its own in here.
    let about = match input.get("properties") {
        Some(Value::Object(properties)) => Payload::new(properties),
        _ => input,
    };
    let output = Payload::new(match payload.get("output") {
        Some(_) => payload.object("output")?,
        None => object,
    });
    let called = match about.get("tool") {
        Some(Value::Object(tool)) => Payload::new(tool).get("callID"),
        _ => about.get("callID"),
    };
    let args = output.get("args").or_else(|| about.get("args"));
    let (name, args) = match (about.get("permission"), about.get("questions")) {
        (Some(permission), _) => (Some(permission.clone()), Some(asked(&about)?)),
        (None, Some(questions)) => (
            Some(json!("question")),
            Some(json!({ "questions": questions })),
        ),
        _ => (about.get("tool").cloned(), args.cloned()),
    };
    // Outside of any repository it is all of the disk.
    let root = payload.get("worktree").filter(|root| **root != json!("/"));
    let keys = [
        ("hook_event_name", payload.get("hook_event_name").cloned()),
        ("cwd", payload.get("directory").cloned()),
        ("workspace_roots", root.map(|root| json!([root]))),
        ("session_id", about.get("sessionID").cloned()),
        ("tool_use_id", called.cloned()),
        ("tool_name", name),
        ("tool_input", args),
        ("mcp_servers", payload.get("mcp_servers").cloned()),
    ];
    let keys = keys.into_iter();
    Ok(keys
        .filter_map(|(key, value)| Some((key.to_owned(), value?)))
        .collect())
}

/// The arguments of a permission that opencode is about to ask for: what it shows, and the patterns, which is all
/// that there is for an MCP tool or a folder outside.
fn asked(about: &Payload<'_>) -> Result<Value, ReadError> {
    let mut shown = match about.get("metadata") {
        None => Map::new(),
        Some(_) => about.object("metadata")?.clone(),
    };
    if let Some(patterns) = about.get("patterns") {
        shown.entry("patterns").or_insert_with(|| patterns.clone());
    }
    Ok(Value::Object(shown))
}
