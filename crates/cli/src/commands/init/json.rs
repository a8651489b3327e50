//! The entry in a JSON file.

use super::{
    client::EntryShape,
    client_trust::Trust,
    http_entry::{HttpEntry, INPUT, KeyFrom},
    json_edit::{Step, left, list_at, object_at, push, set, take, value_at},
    program::NAME,
    server::{EntryChange, ExistingEntry, Removed, Server},
};
use serde_json::{Value, json};

/// How long Zed lets a call run, in seconds: the most that it takes from its file. Its own default is a minute.
const PATIENCE: u32 = 600;

/// Where the entry is, and what it looks like.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// What the servers are listed under.
    pub key: &'static str,
    /// What an entry looks like.
    pub entry: EntryShape,
}

/// The text with the server registered; everything else in it stays byte for byte.
pub fn register(
    text: &str,
    shape: Shape,
    server: &Server,
    trust: Option<&Trust>,
) -> anyhow::Result<(String, EntryChange)> {
    let ours = [shape.key, NAME];
    let mut text = text.to_owned();
    let met = match found(&text, shape)? {
        None => {
            text = set(&text, &ours, &entry(server, shape.entry))?;
            EntryChange::Added
        }
        Some(existing) => {
            let holder = holder(&text, shape)?;
            let (server, met) = server.over(existing)?;
            let at = |name| [&holder[..], &[name]].concat();
            match shape.entry {
                EntryShape::Local => text = set(&text, &at("command"), &json!(server.all()))?,
                _ => {
                    text = set(&text, &at("command"), &json!(server.command))?;
                    text = set(&text, &at("args"), &json!(server.args))?;
                }
            }
            for passed in &server.passed {
                let env = [shape.key, NAME, "env", passed.name];
                if value_at(&text, &env.map(Step::Key))?.is_none() {
                    text = set(&text, &env, &json!(passed.value))?;
                }
            }
            met
        }
    };
    Ok((trusted(text, shape, trust)?, met))
}

/// The text with a server at an address registered.
pub fn register_http(
    text: &str,
    shape: Shape,
    server: &HttpEntry,
    trust: Option<&Trust>,
) -> anyhow::Result<(String, EntryChange)> {
    let mut text = text.to_owned();
    let met = match found(&text, shape)? {
        Some(existing) => server.over(&existing)?,
        None => {
            text = set(&text, &[shape.key, NAME], &http_entry(server, shape.entry))?;
            if server.key == KeyFrom::Input && input_at(&text)?.is_none() {
                text = push(&text, &[INPUTS], &input())?;
            }
            EntryChange::Added
        }
    };
    Ok((trusted(text, shape, trust)?, met))
}

/// The text without the entry, what trusts it, and what asks for its key.
pub fn remove(text: &str, shape: Shape, trust: Option<&Trust>) -> anyhow::Result<Removed> {
    object_at(text, &[shape.key.into()])?;
    let mut now = take(text, &[shape.key.into(), NAME.into()])?;
    let rest = now.as_deref().unwrap_or(text);
    let permission = without_permission(rest, trust)?;
    now = permission.or(now);
    let rest = now.as_deref().unwrap_or(text);
    // Another server may use the same key.
    if now.is_some()
        && let Some(place) = input_at(rest)?
        && !rest.contains(&format!("${{input:{INPUT}}}"))
    {
        now = take(rest, &[INPUTS.into(), place.into()])?.or(now);
    }
    Ok(now.map_or(Removed::Nothing, left))
}

/// The text without what trusts the entry, which stays.
pub fn distrust(text: &str, shape: Shape, trust: &Trust) -> anyhow::Result<Removed> {
    let mut now = None;
    if let Some(key) = trust.entry {
        let path = [shape.key, NAME, key].map(Step::Key);
        if value_at(text, &path)? == Some(Value::Bool(true)) {
            now = take(text, &path)?;
        }
    }
    let rest = now.as_deref().unwrap_or(text);
    let permission = without_permission(rest, Some(trust))?;
    Ok(permission.or(now).map_or(Removed::Nothing, Removed::Rest))
}

fn trusted(text: String, shape: Shape, trust: Option<&Trust>) -> anyhow::Result<String> {
    let mut text = text;
    if let Some(key) = trust.and_then(|trust| trust.entry) {
        text = set(&text, &[shape.key, NAME, key], &Value::Bool(true))?;
    }
    if let Some(pattern) = trust.and_then(|trust| trust.permission) {
        text = set(&text, &[PERMISSION, pattern], &json!("allow"))?;
    }
    Ok(text)
}

const PERMISSION: &str = "permission";

fn without_permission(text: &str, trust: Option<&Trust>) -> anyhow::Result<Option<String>> {
    let Some(pattern) = trust.and_then(|trust| trust.permission) else {
        return Ok(None);
    };
    // A word in place of the list says the same of everything, and is the person's.
    let listed = value_at(text, &[PERMISSION.into()])?;
    if !listed.is_some_and(|listed| listed.is_object()) {
        return Ok(None);
    }
    let path = [PERMISSION, pattern].map(Step::Key);
    if value_at(text, &path)? != Some(json!("allow")) {
        return Ok(None);
    }
    take(text, &path)
}

/// What VS Code asks for.
const INPUTS: &str = "inputs";

/// Where VS Code is told to ask for the key.
fn input_at(text: &str) -> anyhow::Result<Option<usize>> {
    let inputs = list_at(text, &[INPUTS.into()])?.unwrap_or_default();
    Ok(inputs.iter().position(|input| input["id"] == INPUT))
}

fn input() -> Value {
    json!({
        "id": INPUT,
        "type": "promptString",
        "description": "The key of Holdpoint (`holdpoint token show`)",
        "password": true,
    })
}

fn found(text: &str, shape: Shape) -> anyhow::Result<Option<ExistingEntry>> {
    let path = [shape.key.into(), NAME.into()];
    if object_at(text, &path)?.is_none() {
        return Ok(None);
    }
    let holder = holder(text, shape)?;
    for name in ["command", "args", "env"] {
        let steps: Vec<_> = holder
            .iter()
            .chain([&name])
            .map(|name| Step::Key(name))
            .collect();
        value_at(text, &steps)?;
    }
    let entry = value_at(text, &path)?.unwrap_or_default();
    Ok(Some(ExistingEntry::from_json(&entry)))
}

/// What holds the command: the entry, or what Cline itself writes into it.
fn holder(text: &str, shape: Shape) -> anyhow::Result<Vec<&'static str>> {
    let inner = [shape.key, NAME, "transport"];
    Ok(match object_at(text, &inner.map(Step::Key))? {
        Some(_) => inner.to_vec(),
        None => inner[..2].to_vec(),
    })
}

/// The entry of a server that the client starts.
pub fn entry(server: &Server, shape: EntryShape) -> Value {
    let mut entry = match shape {
        EntryShape::Typed => json!({ "type": "stdio" }),
        EntryShape::Local => json!({ "type": "local" }),
        EntryShape::Plain | EntryShape::Timed | EntryShape::Served => json!({}),
    };
    if shape == EntryShape::Local {
        entry["command"] = json!(server.all());
        entry["enabled"] = true.into();
    } else {
        entry["command"] = json!(server.command);
        entry["args"] = json!(server.args);
    }
    for passed in &server.passed {
        entry["env"][passed.name] = json!(passed.value);
    }
    if shape == EntryShape::Timed {
        entry["timeout"] = PATIENCE.into();
    }
    entry
}

fn http_entry(server: &HttpEntry, shape: EntryShape) -> Value {
    let url = &server.url;
    let mut entry = match shape {
        EntryShape::Typed => json!({ "type": "http", "url": url }),
        EntryShape::Plain | EntryShape::Timed => json!({ "httpUrl": url }),
        EntryShape::Served => json!({ "serverUrl": url }),
        EntryShape::Local => json!({ "type": "remote", "url": url, "enabled": true }),
    };
    if let Some(authorization) = server.authorization() {
        entry["headers"] = json!({ "Authorization": authorization });
    }
    entry
}
