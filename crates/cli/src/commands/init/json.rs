//! The entry in a JSON file.

use super::{
    client::EntryShape,
    client_trust::Trust,
    http_entry::{HttpEntry, INPUT, KeyFrom},
    json_edit::{checked, is_void, line, object, object_or_new, parse, property, set, unset},
    server::{EntryChange, ExistingEntry, NAME, Removed, Server},
};
use anyhow::Context;
use jsonc_parser::cst::{CstInputValue, CstObject};
use serde_json::{Value, json};

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
    let (root, top) = parse(text)?;
    let servers = object_or_new(&top, shape.key)?;
    let met = match object(&servers, NAME)? {
        None => {
            servers.append(NAME, entry(server, shape.entry));
            EntryChange::Added
        }
        Some(entry) => {
            let (server, met) = server.over(read(&entry)?)?;
            let entry = holder(&entry)?;
            match shape.entry {
                EntryShape::Local => set(&entry, "command", list(&server.all())),
                _ => {
                    set(&entry, "command", server.command.as_str().into());
                    set(&entry, "args", list(&server.args));
                }
            }
            for passed in &server.passed {
                let env = object_or_new(&entry, "env")?;
                if property(&env, passed.name)?.is_none() {
                    env.append(passed.name, passed.value.as_str().into());
                }
            }
            met
        }
    };
    if let Some(trust) = trust {
        add_trust(&top, &servers, trust)?;
    }
    Ok((root.to_string(), met))
}

/// The text with a server at an address registered.
pub fn register_http(
    text: &str,
    shape: Shape,
    server: &HttpEntry,
    trust: Option<&Trust>,
) -> anyhow::Result<(String, EntryChange)> {
    let (root, top) = parse(text)?;
    let servers = object_or_new(&top, shape.key)?;
    let met = match object(&servers, NAME)? {
        Some(entry) => server.over(&read(&entry)?)?,
        None => {
            servers.append(NAME, http_entry(server, shape.entry));
            if server.key == KeyFrom::Input {
                ask_for_key(&top)?;
            }
            EntryChange::Added
        }
    };
    if let Some(trust) = trust {
        add_trust(&top, &servers, trust)?;
    }
    Ok((root.to_string(), met))
}

/// The text without the entry, and without what trusts it.
pub fn remove(text: &str, shape: Shape, trust: Option<&Trust>) -> anyhow::Result<Removed> {
    let (root, top) = parse(text)?;
    let mut wanted = top.to_serde_value().unwrap_or_default();
    let mut found = false;
    if let Some(servers) = object(&top, shape.key)?
        && let Some(entry) = property(&servers, NAME)?
    {
        entry.remove();
        take(&mut wanted, &[shape.key, NAME]);
        found = true;
    }
    found |= drop_permission(&top, &mut wanted, trust)?;
    if !found {
        return Ok(Removed::Nothing);
    }
    let text = checked(&root, &wanted)?;
    Ok(if is_void(&text) {
        Removed::Everything
    } else {
        Removed::Rest(text)
    })
}

/// The text without what trusts the entry, which stays.
pub fn distrust(text: &str, shape: Shape, trust: &Trust) -> anyhow::Result<Removed> {
    let (root, top) = parse(text)?;
    let mut wanted = top.to_serde_value().unwrap_or_default();
    let mut found = false;
    if let Some(key) = trust.entry
        && let Some(servers) = object(&top, shape.key)?
        && let Some(entry) = object(&servers, NAME)?
        && unset(&entry, key, &Value::Bool(true))?
    {
        take(&mut wanted, &[shape.key, NAME, key]);
        found = true;
    }
    found |= drop_permission(&top, &mut wanted, Some(trust))?;
    Ok(if found {
        Removed::Rest(checked(&root, &wanted)?)
    } else {
        Removed::Nothing
    })
}

fn add_trust(top: &CstObject, servers: &CstObject, trust: &Trust) -> anyhow::Result<()> {
    if let Some(key) = trust.entry
        && let Some(entry) = object(servers, NAME)?
    {
        property(&entry, key)?;
        set(&entry, key, CstInputValue::Bool(true));
    }
    if let Some(pattern) = trust.permission {
        let permissions = object_or_new(top, "permission")?;
        property(&permissions, pattern)?;
        set(&permissions, pattern, "allow".into());
    }
    Ok(())
}

fn drop_permission(
    top: &CstObject,
    wanted: &mut Value,
    trust: Option<&Trust>,
) -> anyhow::Result<bool> {
    let Some(pattern) = trust.and_then(|trust| trust.permission) else {
        return Ok(false);
    };
    // A word in place of the list says the same of everything, and is the person's.
    let listed = property(top, "permission")?.and_then(|found| found.object_value());
    let Some(permissions) = listed else {
        return Ok(false);
    };
    let found = unset(&permissions, pattern, &json!("allow"))?;
    if found {
        take(wanted, &["permission", pattern]);
    }
    Ok(found)
}

/// Takes the member at this path out of a value.
fn take(value: &mut Value, path: &[&str]) {
    let Some((last, path)) = path.split_last() else {
        return;
    };
    let parent = path
        .iter()
        .try_fold(value, |value, name| value.get_mut(name));
    if let Some(Value::Object(members)) = parent {
        members.remove(*last);
    }
}

/// Lets VS Code ask for the key.
fn ask_for_key(top: &CstObject) -> anyhow::Result<()> {
    let inputs = match property(top, "inputs")? {
        None => top.array_value_or_set("inputs"),
        Some(found) => found
            .array_value()
            .with_context(|| format!("{}`inputs` is not a list", line(found.clone())))?,
    };
    let known = inputs.elements().into_iter().any(|input| {
        let input = input.to_serde_value();
        input.is_some_and(|input| input["id"] == INPUT)
    });
    if !known {
        let pair = |name: &str, value: &str| (name.to_owned(), CstInputValue::from(value));
        inputs.append(CstInputValue::Object(vec![
            pair("id", INPUT),
            pair("type", "promptString"),
            pair(
                "description",
                "The key of Holdpoint (`holdpoint token show`)",
            ),
            ("password".to_owned(), CstInputValue::Bool(true)),
        ]));
    }
    Ok(())
}

/// What holds the command: the entry, or what Cline itself writes into it.
fn holder(entry: &CstObject) -> anyhow::Result<CstObject> {
    Ok(object(entry, "transport")?.unwrap_or_else(|| entry.clone()))
}

fn read(entry: &CstObject) -> anyhow::Result<ExistingEntry> {
    let holder = holder(entry)?;
    for name in ["command", "args", "env"] {
        property(&holder, name)?;
    }
    let all = entry.to_serde_value().unwrap_or_default();
    Ok(ExistingEntry::from_json(&all))
}

fn entry(server: &Server, shape: EntryShape) -> CstInputValue {
    let mut pairs = Vec::new();
    match shape {
        EntryShape::Typed => pairs.push(("type".into(), "stdio".into())),
        EntryShape::Local => pairs.push(("type".into(), "local".into())),
        EntryShape::Plain => {}
    }
    if shape == EntryShape::Local {
        pairs.push(("command".into(), list(&server.all())));
        pairs.push(("enabled".into(), CstInputValue::Bool(true)));
    } else {
        pairs.push(("command".into(), server.command.as_str().into()));
        pairs.push(("args".into(), list(&server.args)));
    }
    if !server.passed.is_empty() {
        let env = server.passed.iter();
        let env = env.map(|passed| (passed.name.to_owned(), passed.value.as_str().into()));
        pairs.push(("env".into(), CstInputValue::Object(env.collect())));
    }
    CstInputValue::Object(pairs)
}

fn http_entry(server: &HttpEntry, shape: EntryShape) -> CstInputValue {
    let url = || CstInputValue::from(server.url.as_str());
    let mut pairs: Vec<(String, CstInputValue)> = match shape {
        EntryShape::Typed => vec![("type".into(), "http".into()), ("url".into(), url())],
        EntryShape::Plain => vec![("httpUrl".into(), url())],
        EntryShape::Local => vec![
            ("type".into(), "remote".into()),
            ("url".into(), url()),
            ("enabled".into(), CstInputValue::Bool(true)),
        ],
    };
    if let Some(authorization) = server.authorization() {
        let header = ("Authorization".into(), authorization.into());
        pairs.push(("headers".into(), CstInputValue::Object(vec![header])));
    }
    CstInputValue::Object(pairs)
}

fn list(args: &[String]) -> CstInputValue {
    CstInputValue::Array(args.iter().map(|arg| arg.as_str().into()).collect())
}
