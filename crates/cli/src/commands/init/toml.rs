//! The entry in Codex's TOML file.
//!
//! The file is parsed for where things are, and the text is spliced: writing a parsed document out
//! again would turn its line endings.

use super::{
    http_entry::{HttpEntry, VARIABLE},
    program::NAME,
    server::{EntryChange, ExistingEntry, Server},
};
use crate::config::toml_as_json;
use anyhow::{Context, bail, ensure};
use std::ops::Range;
use toml_edit::{Array, Document, InlineTable, Item, Value};

/// What the servers are listed under.
pub const KEY: &str = "mcp_servers";
/// The key by which Codex does not ask before it calls a tool, and its value.
pub const TRUST: &str = "default_tools_approval_mode";
pub const TRUSTING: &str = "approve";
/// The variables that Codex hands on, by name.
const PASSED: &str = "env_vars";

/// How long Codex lets a call run, in seconds. Its own default is a minute, and older versions
/// count the time in which a person reads the question.
const PATIENCE: i64 = 3_600;
const PATIENCE_COMMENT: &str =
    "# A person needs minutes to answer; Codex stops a call after one unless told otherwise.";

/// The text with the server registered; everything else in it stays byte for byte.
pub fn register(text: &str, server: &Server, trust: bool) -> anyhow::Result<(String, EntryChange)> {
    let document = parse(text)?;
    let servers = match document.get(KEY) {
        None => None,
        Some(servers) => Some((
            servers,
            servers
                .as_table_like()
                .with_context(|| format!("{}`{KEY}` is not a table", line(text, servers.span())))?,
        )),
    };
    let found = servers.and_then(|(_, table)| table.get(NAME));
    let (server, met, splices) = match (found, servers) {
        (Some(found), _) => update(text, found, server)?,
        (None, Some((Item::Value(Value::InlineTable(servers)), _))) => (
            server.clone(),
            EntryChange::Added,
            vec![inline(servers, server)?],
        ),
        (None, _) => (
            server.clone(),
            EntryChange::Added,
            vec![appended(text, server)],
        ),
    };
    let edited = spliced(text, splices);
    // The splices rest on what the parser says of places: nothing is written that does not read
    // as it was meant.
    let read = parse(&edited)
        .ok()
        .and_then(|document| read(document.get(KEY)?.get(NAME)?));
    ensure!(
        read.is_some_and(|read| {
            read.command.as_ref() == Some(&server.command)
                && read.args.as_ref() == Some(&server.args)
        }),
        "`{KEY}.{NAME}` is written in a way that cannot be changed safely; remove it and run this again"
    );
    let edited = with_passed(&edited, &server)?;
    Ok((with_trust(edited, trust)?, met))
}

/// The text with a server at an address registered, as a table of its own.
pub fn register_http(
    text: &str,
    server: &HttpEntry,
    trust: bool,
) -> anyhow::Result<(String, EntryChange)> {
    let document = parse(text)?;
    let servers = document.get(KEY);
    if let Some(found) = servers.and_then(|servers| servers.get(NAME)) {
        let at = line(text, found.span());
        let found = read(found).with_context(|| format!("{at}`{KEY}.{NAME}` is not a table"))?;
        let met = server.over(&found)?;
        return Ok((with_trust(text.to_owned(), trust)?, met));
    }
    ensure!(
        servers.is_none_or(Item::is_table),
        "`{KEY}` is written in a way that cannot be changed safely; write it as `[{KEY}.NAME]` tables"
    );
    let lines = [
        format!("url = {}", Value::from(server.url.as_str())),
        format!("bearer_token_env_var = {}", Value::from(VARIABLE)),
    ];
    let edited = spliced(text, vec![table(text, &lines)]);
    Ok((with_trust(edited, trust)?, EntryChange::Added))
}

/// The text with these variables among those that are handed on.
fn with_passed(text: &str, server: &Server) -> anyhow::Result<String> {
    if server.passed.is_empty() {
        return Ok(text.to_owned());
    }
    let document = parse(text)?;
    let entry = document.get(KEY).and_then(|servers| servers.get(NAME));
    let found = entry.and_then(|entry| entry.get(PASSED));
    let names = server.passed.iter().map(|passed| passed.name);
    match found.and_then(Item::as_array) {
        None => with_key(text, PASSED, &Value::from(names.collect::<Array>())),
        // Behind the last: what stands there, comments too, stays.
        Some(array) => {
            let place = match array.iter().filter_map(Value::span).last() {
                Some(last) => last.end,
                None => array.span().map_or(0, |all| all.start + 1),
            };
            let new = names.map(|name| Value::from(name).to_string());
            let new = new.collect::<Vec<_>>().join(", ");
            let new = if array.is_empty() {
                new
            } else {
                format!(", {new}")
            };
            let edited = spliced(text, vec![(place..place, new)]);
            parse(&edited)?;
            Ok(edited)
        }
    }
}

fn with_trust(text: String, trust: bool) -> anyhow::Result<String> {
    if !trust {
        return Ok(text);
    }
    with_key(&text, TRUST, &Value::from(TRUSTING))
}

/// The text with a key of the entry set.
fn with_key(text: &str, key: &str, value: &Value) -> anyhow::Result<String> {
    let document = parse(text)?;
    let entry = document.get(KEY).and_then(|servers| servers.get(NAME));
    let entry = entry.with_context(|| format!("there is no `{KEY}.{NAME}`"))?;
    let mut wanted = toml_as_json(document.as_item());
    wanted[KEY][NAME][key] = toml_as_json(&Item::Value(value.clone()));
    if wanted == toml_as_json(document.as_item()) {
        return Ok(text.to_owned());
    }
    let place = |key| entry.get(key).and_then(Item::span);
    let splice = match place(key) {
        Some(place) => (place, value.to_string()),
        None => {
            let last = ["command", "args", "url"].into_iter().filter_map(place);
            let last = last.max_by_key(|place| place.end);
            let last = last.with_context(|| format!("`{KEY}.{NAME}` starts nothing"))?;
            member_below(text, entry, last.end, key, &value.to_string())
        }
    };
    let edited = spliced(text, vec![splice]);
    let now = parse(&edited).map(|now| toml_as_json(now.as_item()));
    ensure!(
        now.is_ok_and(|now| now == wanted),
        "`{KEY}.{NAME}` is written in a way that cannot be changed safely; add `{key} = {value}` to it by hand"
    );
    Ok(edited)
}

/// Another member of an entry, behind the value that ends here.
fn member_below(text: &str, entry: &Item, end: usize, key: &str, value: &str) -> Splice {
    if entry.is_inline_table() {
        return (end..end, format!(", {key} = {value}"));
    }
    // After the line's end: a comment there belongs to what is before it.
    let newline = newline(text);
    let (end, line) = match text[end..].find('\n') {
        Some(line) => (end + line + 1, format!("{key} = {value}{newline}")),
        None => (text.len(), format!("{newline}{key} = {value}")),
    };
    (end..end, line)
}

/// A piece of new text, and what of the old it replaces.
type Splice = (Range<usize>, String);

/// Parses the file.
pub fn parse(text: &str) -> anyhow::Result<Document<&str>> {
    Document::parse(text).map_err(|error| {
        let message = error.message().trim().replace('\n', "; ");
        anyhow::anyhow!("{}{message}", line(text, error.span()))
    })
}

fn update(
    text: &str,
    found: &Item,
    server: &Server,
) -> anyhow::Result<(Server, EntryChange, Vec<Splice>)> {
    let at = || line(text, found.span());
    let entry = read(found).with_context(|| format!("{}`{KEY}.{NAME}` is not a table", at()))?;
    let (command, args) = (entry.command.clone(), entry.args.clone());
    let (server, met) = server.over(entry)?;
    let place = |key| found.get(key).and_then(Item::span);
    let mut splices = Vec::new();
    let Some(program) = place("command") else {
        bail!(
            "{}`{KEY}.{NAME}` has no command; remove that table and run this again",
            at()
        );
    };
    let list = array(&server.args);
    match place("args") {
        Some(place) if args.as_ref() != Some(&server.args) => splices.push((place, list)),
        Some(_) => {}
        None => splices.push(member_below(text, found, program.end, "args", &list)),
    }
    if command.as_ref() != Some(&server.command) {
        splices.push((program, Value::from(server.command.as_str()).to_string()));
    }
    Ok((server, met, splices))
}

fn read(entry: &Item) -> Option<ExistingEntry> {
    entry.as_table_like()?;
    Some(ExistingEntry::from_json(&toml_as_json(entry)))
}

fn array(args: &[String]) -> String {
    Value::from(args.iter().collect::<Array>()).to_string()
}

/// A table of its own, at the end of the file.
fn appended(text: &str, server: &Server) -> Splice {
    let lines = [
        format!("command = {}", Value::from(server.command.as_str())),
        format!("args = {}", array(&server.args)),
    ];
    table(text, &lines)
}

/// A table with these lines, at the end of the file.
fn table(text: &str, own: &[String]) -> Splice {
    let newline = newline(text);
    let gap = match text {
        "" => String::new(),
        text if text.ends_with('\n') => newline.into(),
        _ => newline.repeat(2),
    };
    let name = format!("[{KEY}.{NAME}]");
    let last = [
        PATIENCE_COMMENT.to_owned(),
        format!("tool_timeout_sec = {PATIENCE}"),
    ];
    let mut lines: String = std::iter::once(&name)
        .chain(own)
        .chain(&last)
        .map(|line| format!("{line}{newline}"))
        .collect();
    // A file whose last line does not end keeps that, which tells later how it was.
    if !text.is_empty() && !text.ends_with('\n') {
        lines.truncate(lines.len() - newline.len());
    }
    (text.len()..text.len(), gap + &lines)
}

/// Another member of an inline table, after its last.
fn inline(servers: &InlineTable, server: &Server) -> anyhow::Result<Splice> {
    let mut entry = InlineTable::new();
    entry.insert("command", server.command.as_str().into());
    entry.insert("args", Value::from(server.args.iter().collect::<Array>()));
    entry.insert("tool_timeout_sec", PATIENCE.into());
    let last = servers
        .iter()
        .filter_map(|(_, value)| value.span())
        .max_by_key(|span| span.end);
    let (place, entry) = match (last, servers.span()) {
        (Some(last), _) => (last.end, format!(", {NAME} = {entry}")),
        (None, Some(all)) => (all.start + 1, format!(" {NAME} = {entry} ")),
        (None, None) => bail!("`{KEY}` is written in a way that cannot be changed safely"),
    };
    Ok((place..place, entry))
}

fn spliced(text: &str, mut splices: Vec<Splice>) -> String {
    splices.sort_by_key(|(place, _)| std::cmp::Reverse(place.start));
    let mut text = text.to_owned();
    for (place, new) in splices {
        text.replace_range(place, &new);
    }
    text
}

/// The line ending that the file uses.
fn newline(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// "line 3: ", where something starts.
fn line(text: &str, place: Option<Range<usize>>) -> String {
    let Some(before) = place.and_then(|place| text.get(..place.start)) else {
        return String::new();
    };
    format!("line {}: ", before.matches('\n').count() + 1)
}
