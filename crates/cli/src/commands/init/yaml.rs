//! The entry in a YAML file: one of Continue's list, or one of fast-agent's named servers.
//!
//! The text is edited by whole lines and then parsed again. What does not read as the old text with just
//! this change is not written: the person gets the lines to paste instead.

use super::{
    client::Servers,
    http_entry::HttpEntry,
    program::NAME,
    server::{EntryChange, ExistingEntry, Removed, Server},
    yaml_lines::{Found, Lines, as_json, indent, is_void, item, len, member, parse},
};
use anyhow::{Context, bail};
use saphyr::MarkedYaml;
use serde_json::{Map, Value, json};

/// A server as it is written: names and values, in this order.
type Fields = Vec<(&'static str, Value)>;

/// The text with the server registered; everything else in it stays byte for byte.
pub fn register(
    text: &str,
    servers: Servers,
    server: &Server,
) -> anyhow::Result<(String, EntryChange)> {
    let Some(found) = entry(text, servers)? else {
        let added = insert(text, servers, &program(servers, server))?;
        return Ok((added, EntryChange::Added));
    };
    let (wanted, met) = server.over(ExistingEntry::from_json(&found))?;
    if matches!(met, EntryChange::Same { .. }) && wanted.passed.is_empty() {
        return Ok((text.to_owned(), met));
    }
    // What is handed on already stays so.
    let mut fields = program(servers, &wanted);
    if let Value::Object(before) = &found["env"] {
        let mut env = before.clone();
        env.extend(
            wanted
                .passed
                .iter()
                .map(|passed| (passed.name.into(), json!(passed.value))),
        );
        fields.retain(|(name, _)| *name != "env");
        fields.push(("env", Value::Object(env)));
    }
    Ok((replace(text, servers, &fields)?, met))
}

/// The text with a server at an address registered.
pub fn register_http(
    text: &str,
    servers: Servers,
    server: &HttpEntry,
) -> anyhow::Result<(String, EntryChange)> {
    if let Some(found) = entry(text, servers)? {
        let met = server.over(&ExistingEntry::from_json(&found))?;
        return Ok((text.to_owned(), met));
    }
    let key = server.authorization().unwrap_or_default();
    let fields = match servers {
        Servers::Listed(_) => vec![
            ("name", json!(NAME)),
            ("type", json!("streamable-http")),
            ("url", json!(server.url)),
            (
                "requestOptions",
                json!({ "headers": { "Authorization": key } }),
            ),
        ],
        Servers::Named(_) => vec![
            ("transport", json!("http")),
            ("url", json!(server.url)),
            ("headers", json!({ "Authorization": key })),
        ],
    };
    Ok((insert(text, servers, &fields)?, EntryChange::Added))
}

/// The text without the entry, and without what holds nothing else.
pub fn remove(text: &str, servers: Servers) -> anyhow::Result<Removed> {
    if entry(text, servers)?.is_none() {
        return Ok(Removed::Nothing);
    }
    let lines = Lines::new(text);
    let document = parse(text)?;
    let (place, outer) = find(&document, servers).context("it is not where it was")?;
    let (first, last) = place.lines();
    let by_hand = || format!("take it out by hand: lines {} to {}", first + 1, last + 1);
    let mut wanted = whole(&document)?;
    let mut edited = lines.replaced(first..=last, "");
    take(&mut wanted, servers);
    // From the inside out, what now holds nothing.
    for key_line in outer {
        edited = Lines::new(&edited).replaced(key_line..=key_line, "");
    }
    check(&edited, &wanted).with_context(by_hand)?;
    Ok(if edited.trim().is_empty() {
        Removed::Everything
    } else {
        Removed::Rest(edited)
    })
}

/// The lines of an entry, with those above it.
pub fn lines(servers: Servers, server: &Server) -> String {
    rendered(servers, 0, &program(servers, server), 0)
}

/// The entry, where there is one.
pub fn entry(text: &str, servers: Servers) -> anyhow::Result<Option<Value>> {
    let all = whole(&parse(text)?)?;
    if !all.is_object() && !all.is_null() {
        bail!("the file is not a mapping");
    }
    let keys = servers.keys();
    let mut held = &all;
    for key in keys {
        held = &held[*key];
        let fits = match servers {
            Servers::Listed(_) => held.is_array(),
            Servers::Named(_) => held.is_object(),
        };
        if !held.is_null() && !fits {
            bail!("`{}` is not a {}", keys.join("."), servers.kind());
        }
    }
    Ok(match servers {
        Servers::Named(_) => held.get(NAME).cloned(),
        Servers::Listed(_) => {
            let items = held.as_array().into_iter().flatten();
            items.into_iter().find(|item| item["name"] == NAME).cloned()
        }
    })
}

impl Servers {
    fn keys(&self) -> &[&'static str] {
        match self {
            Self::Listed(key) => std::slice::from_ref(key),
            Self::Named(keys) => keys,
        }
    }

    fn kind(self) -> &'static str {
        match self {
            Self::Listed(_) => "list",
            Self::Named(_) => "mapping",
        }
    }
}

fn program(servers: Servers, server: &Server) -> Fields {
    let mut fields = match servers {
        Servers::Listed(_) => vec![("name", json!(NAME))],
        Servers::Named(_) => Vec::new(),
    };
    fields.push(("command", json!(server.command)));
    fields.push(("args", json!(server.args)));
    if !server.passed.is_empty() {
        let env = server.passed.iter();
        let env: Map<_, _> = env
            .map(|one| (one.name.to_owned(), json!(one.value)))
            .collect();
        fields.push(("env", Value::Object(env)));
    }
    fields
}

/// The text with an entry more, as the first of its kind: where the others end cannot be told as safely.
fn insert(text: &str, servers: Servers, fields: &Fields) -> anyhow::Result<String> {
    let edited = inserted(text, servers, fields);
    let document = parse(text)?;
    let mut wanted = whole(&document)?;
    put(&mut wanted, servers, as_value(fields));
    let checked = edited.and_then(|edited| check(&edited, &wanted).map(|()| edited));
    checked.with_context(|| paste(servers, fields))
}

fn inserted(text: &str, servers: Servers, fields: &Fields) -> anyhow::Result<String> {
    let lines = Lines::new(text);
    let document = parse(text)?;
    let keys = servers.keys();
    let mut node = document.as_ref();
    let mut above: Option<(usize, usize)> = None;
    for (depth, key) in keys.iter().enumerate() {
        match node.and_then(|node| member(node, key)) {
            Some(found) => {
                above = Some(found.place());
                node = Some(found.value).filter(|value| !is_void(value));
            }
            None => {
                let block = |indent: usize| rendered(servers, depth, fields, indent);
                return Ok(match above {
                    None => lines.appended(&block(0)),
                    Some((line, column)) => lines.below(line, &block(inner(node, column, &lines)?)),
                });
            }
        }
    }
    let (line, column) = above.context("nothing lists its servers")?;
    let indent = inner(node, column, &lines)?;
    Ok(lines.below(line, &rendered(servers, keys.len(), fields, indent)))
}

/// How far what is below a key in this column is indented.
fn inner(node: Option<&MarkedYaml<'_>>, column: usize, lines: &Lines<'_>) -> anyhow::Result<usize> {
    match node {
        None => Ok(column + 2),
        Some(node) => indent(node, lines).context("it is written in one line"),
    }
}

/// The whole document.
fn whole(document: &Option<MarkedYaml<'_>>) -> anyhow::Result<Value> {
    match document {
        None => Ok(Value::Null),
        Some(document) => as_json(document).context("it has anchors that are not there"),
    }
}

/// The text with an entry that is written as we write them in place of the one that is there.
fn replace(text: &str, servers: Servers, fields: &Fields) -> anyhow::Result<String> {
    let lines = Lines::new(text);
    let document = parse(text)?;
    let found = entry(text, servers)?.unwrap_or_default();
    let (place, _) = find(&document, servers).context("it is not where it was")?;
    let (first, last) = place.lines();
    let line = lines.line(first);
    let indent = line.len() - line.trim_start_matches(' ').len();
    let now: Fields = fields
        .iter()
        .filter_map(|(name, _)| Some((*name, found.get(name)?.clone())))
        .collect();
    let depth = servers.keys().len();
    let ours = rendered(servers, depth, &now, indent);
    let ends = |text: &str| text.trim_end_matches(['\r', '\n']).to_owned();
    if ends(&lines.text(first..=last)) != ends(&lines.ended(&ours)) {
        bail!(
            "its entry `{NAME}` is written by hand; {}",
            paste(servers, fields)
        );
    }
    let edited = lines.replaced(first..=last, &rendered(servers, depth, fields, indent));
    let mut wanted = whole(&document)?;
    take(&mut wanted, servers);
    put(&mut wanted, servers, as_value(fields));
    check(&edited, &wanted).with_context(|| paste(servers, fields))?;
    Ok(edited)
}

/// Where the entry is, and the lines of the keys above it that hold nothing else, from the inside out.
fn find<'a, 'b>(
    document: &'a Option<MarkedYaml<'b>>,
    servers: Servers,
) -> Option<(Found<'a, 'b>, Vec<usize>)> {
    let mut node = document.as_ref()?;
    let mut above = Vec::new();
    for key in servers.keys() {
        let found = member(node, key)?;
        node = found.value;
        above.push((found.place().0, len(node)));
    }
    let found = match servers {
        Servers::Named(_) => member(node, NAME)?,
        Servers::Listed(_) => item(node, NAME)?,
    };
    let outer = above.into_iter().rev();
    let outer = outer
        .take_while(|(_, count)| *count == Some(1))
        .map(|(line, _)| line);
    Some((found, outer.collect()))
}

/// The lines of an entry, below the keys from this depth on.
fn rendered(servers: Servers, depth: usize, fields: &Fields, indent: usize) -> String {
    let mut out = String::new();
    let mut indent = indent;
    for key in &servers.keys()[depth..] {
        out += &format!("{:indent$}{key}:\n", "");
        indent += 2;
    }
    let listed = matches!(servers, Servers::Listed(_));
    if !listed {
        out += &format!("{:indent$}{NAME}:\n", "");
    }
    for (index, (name, value)) in fields.iter().enumerate() {
        let dash = if listed && index == 0 { "- " } else { "  " };
        out += &format!("{:indent$}{dash}{}", "", pair(name, value, indent + 2));
    }
    out
}

/// One pair; a mapping has its own lines.
fn pair(name: &str, value: &Value, indent: usize) -> String {
    match value {
        Value::Object(members) => {
            let inner = indent + 2;
            let members = members
                .iter()
                .map(|(name, value)| format!("{:inner$}{}", "", pair(name, value, inner)));
            format!("{name}:\n{}", members.collect::<String>())
        }
        Value::String(text) if is_plain(text) => format!("{name}: {text}\n"),
        // JSON is YAML.
        value => format!("{name}: {value}\n"),
    }
}

/// Whether a text means itself without quotes.
fn is_plain(text: &str) -> bool {
    let starts = text.starts_with(|char: char| char.is_ascii_alphabetic());
    let words = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"];
    let word = words.contains(&text.to_ascii_lowercase().as_str());
    starts
        && !word
        && text
            .chars()
            .all(|char| char.is_ascii_alphanumeric() || "-_/.".contains(char))
}

fn as_value(fields: &Fields) -> Value {
    let members = fields.iter();
    Value::Object(
        members
            .map(|(name, value)| ((*name).to_owned(), value.clone()))
            .collect(),
    )
}

/// The document as it is to read, with the entry.
fn put(document: &mut Value, servers: Servers, entry: Value) {
    let mut held = document;
    for key in servers.keys() {
        if held.is_null() {
            *held = json!({});
        }
        held = &mut held[*key];
    }
    match servers {
        Servers::Named(_) if held.is_null() => *held = json!({ NAME: entry }),
        Servers::Named(_) => held[NAME] = entry,
        Servers::Listed(_) => match held {
            Value::Array(items) => items.insert(0, entry),
            held => *held = json!([entry]),
        },
    }
}

/// The document as it is to read, without the entry.
fn take(document: &mut Value, servers: Servers) {
    fn below(held: &mut Value, keys: &[&str]) {
        match (keys, held) {
            ([], Value::Array(items)) => items.retain(|item| item["name"] != NAME),
            ([], Value::Object(members)) => drop(members.remove(NAME)),
            ([key, rest @ ..], Value::Object(members)) => {
                if let Some(inner) = members.get_mut(*key) {
                    below(inner, rest);
                    let void = inner.as_object().is_some_and(Map::is_empty)
                        || inner.as_array().is_some_and(Vec::is_empty);
                    if void {
                        members.remove(*key);
                    }
                }
            }
            _ => {}
        }
    }
    below(document, servers.keys());
}

/// That the text reads as it was meant.
fn check(text: &str, wanted: &Value) -> anyhow::Result<()> {
    let now = parse(text).and_then(|now| whole(&now)).ok();
    let void = |value: &Value| value.is_null() || value.as_object().is_some_and(Map::is_empty);
    match now {
        Some(now) if now == *wanted || void(&now) && void(wanted) => Ok(()),
        _ => bail!("it is written in a way that cannot be changed safely"),
    }
}

fn paste(servers: Servers, fields: &Fields) -> String {
    let lines = rendered(servers, 0, fields, 0);
    format!("add these lines to it by hand:\n{lines}")
}

#[cfg(test)]
mod tests;
