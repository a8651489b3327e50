//! The entry in a JSON file, with comments and trailing commas as editors allow them.

use super::{
    http_entry::{HttpEntry, INPUT, KeyFrom},
    server::{EntryChange, ExistingEntry, NAME, Server},
};
use anyhow::{Context, bail};
use jsonc_parser::{
    ParseOptions,
    cst::{CstInputValue, CstNode, CstObject, CstObjectProp, CstRootNode},
};
use serde_json::Value;

/// The text with the server registered under `key`; everything else in it stays byte for byte.
pub fn register(
    text: &str,
    key: &str,
    typed: bool,
    server: &Server,
) -> anyhow::Result<(String, EntryChange)> {
    let (root, _, servers) = parse(text, key)?;
    let met = match property(&servers, NAME)? {
        None => {
            servers.append(NAME, entry(server, typed));
            EntryChange::Added
        }
        Some(found) => {
            let entry = found
                .object_value()
                .with_context(|| format!("{}`{NAME}` is not an object", line(found.clone())))?;
            let (server, met) = server.over(read(&entry)?)?;
            set(&entry, "command", server.command.as_str().into());
            set(&entry, "args", list(&server.args));
            met
        }
    };
    Ok((root.to_string(), met))
}

/// The text with a server at an address registered under `key`.
pub fn register_http(
    text: &str,
    key: &str,
    server: &HttpEntry,
) -> anyhow::Result<(String, EntryChange)> {
    let (root, top, servers) = parse(text, key)?;
    if let Some(found) = property(&servers, NAME)? {
        let entry = found
            .object_value()
            .with_context(|| format!("{}`{NAME}` is not an object", line(found.clone())))?;
        let met = server.over(&read(&entry)?)?;
        return Ok((text.to_owned(), met));
    }
    let mut pairs = vec![
        ("type".into(), "http".into()),
        ("url".into(), server.url.as_str().into()),
    ];
    if let Some(authorization) = server.authorization() {
        let header = ("Authorization".into(), authorization.into());
        pairs.push(("headers".into(), CstInputValue::Object(vec![header])));
    }
    servers.append(NAME, CstInputValue::Object(pairs));
    if server.key == KeyFrom::Input {
        ask_for_key(&top)?;
    }
    Ok((root.to_string(), EntryChange::Added))
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

/// The file, its top, and the servers in it.
fn parse(text: &str, key: &str) -> anyhow::Result<(CstRootNode, CstObject, CstObject)> {
    let root = CstRootNode::parse(text, &options()).map_err(|error| {
        let (line, column) = (error.line_display(), error.column_display());
        anyhow::anyhow!("line {line}, column {column}: {}", error.kind())
    })?;
    let top = match root.value() {
        None => root.object_value_or_set(),
        Some(value) => value
            .as_object()
            .with_context(|| format!("{}the file is not a JSON object", line(value.clone())))?,
    };
    let servers = match property(&top, key)? {
        None => top.object_value_or_set(key),
        Some(found) => found
            .object_value()
            .with_context(|| format!("{}`{key}` is not an object", line(found.clone())))?,
    };
    Ok((root, top, servers))
}

/// What editors allow, and no more: a file that a client cannot read is not made better by us.
fn options() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

/// A property of this name; two of them mean different things to different readers.
fn property(object: &CstObject, name: &str) -> anyhow::Result<Option<CstObjectProp>> {
    let named = |property: &CstObjectProp| property.decoded_name().as_deref() == Some(name);
    let mut found = object.properties().into_iter().filter(named);
    match (found.next(), found.next()) {
        (_, Some(second)) => bail!("{}`{name}` is there twice", line(second)),
        (first, None) => Ok(first),
    }
}

fn read(entry: &CstObject) -> anyhow::Result<ExistingEntry> {
    let mut found = ExistingEntry::default();
    for name in ["command", "args"] {
        property(entry, name)?;
    }
    for property in entry.properties() {
        let name = property.decoded_name().unwrap_or_default();
        let value = property.value().and_then(|value| value.to_serde_value());
        match (name.as_str(), value) {
            ("command", Some(Value::String(command))) => found.command = Some(command),
            ("args", Some(args)) => found.args = serde_json::from_value(args).ok(),
            ("url", Some(Value::String(url))) => found.url = Some(url),
            ("command" | "args" | "type", _) => {}
            _ => found.others.push(name),
        }
    }
    Ok(found)
}

fn entry(server: &Server, typed: bool) -> CstInputValue {
    let mut pairs = Vec::new();
    if typed {
        pairs.push(("type".into(), "stdio".into()));
    }
    pairs.push(("command".into(), server.command.as_str().into()));
    pairs.push(("args".into(), list(&server.args)));
    CstInputValue::Object(pairs)
}

fn list(args: &[String]) -> CstInputValue {
    CstInputValue::Array(args.iter().map(|arg| arg.as_str().into()).collect())
}

/// Sets a property, and leaves one that says it already exactly as it is written.
fn set(object: &CstObject, name: &str, value: CstInputValue) {
    match object.get(name) {
        None => drop(object.append(name, value)),
        Some(property) => {
            let now = property.value().and_then(|value| value.to_serde_value());
            if now != Some(json(&value)) {
                property.set_value(value);
            }
        }
    }
}

fn json(value: &CstInputValue) -> Value {
    match value {
        CstInputValue::Array(items) => items.iter().map(json).collect(),
        CstInputValue::String(text) => text.as_str().into(),
        _ => Value::Null,
    }
}

/// "line 3: ", the line on which a node starts.
fn line(node: impl Into<CstNode>) -> String {
    let node = node.into();
    let mut above = 0;
    let mut count = |node: &CstNode| {
        let before = node.previous_siblings();
        above += before
            .map(|node| node.to_string().matches('\n').count())
            .sum::<usize>();
    };
    count(&node);
    node.ancestors()
        .for_each(|ancestor| count(&ancestor.into()));
    format!("line {}: ", above + 1)
}
