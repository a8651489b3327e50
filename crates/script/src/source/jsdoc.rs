//! JSDoc: what a comment says of a method.

use super::kinds::Kinds;
use holdpoint_ask::arguments::{Argument, ArgumentKind};
use serde_json::{Map, Value};

/// What a comment says.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct Doc {
    pub description: Option<String>,
    pub params: Vec<Param>,
    /// The body of `@returns`.
    returns: Option<String>,
    /// It says that this is for the file's own use: `@internal` or `@private`.
    pub hidden: bool,
}

/// A `@param`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Param {
    pub name: String,
    /// The text of its type.
    pub wanted: Option<String>,
    /// `[name]`
    pub optional: bool,
    /// `[name=default]`
    pub default: Option<String>,
    text: String,
}

impl Doc {
    /// Parses a whole comment, `/**` and `*/` included.
    pub fn parse(comment: &str) -> Self {
        let text = plain(comment);
        let tags = tags(&text);
        let end = tags.first().map_or(text.len(), |tag| tag.start);
        let mut doc = Self {
            description: prose(&text[..end]).0,
            ..Self::default()
        };
        for (index, tag) in tags.iter().enumerate() {
            let end = tags.get(index + 1).map_or(text.len(), |next| next.start);
            let body = text[tag.body..end].trim();
            match tag.name {
                "param" | "arg" | "argument" => doc.params.extend(param(body)),
                "returns" | "return" => doc.returns = Some(body.to_owned()),
                "description" | "desc" if doc.description.is_none() => {
                    doc.description = prose(body).0;
                }
                "internal" | "private" => doc.hidden = true,
                _ => {}
            }
        }
        doc
    }

    /// The JSON Schema of what is returned, where the comment has a type for it.
    pub fn returns(&self, kinds: &Kinds<'_>) -> Option<Map<String, Value>> {
        let (wanted, text) = typed(self.returns.as_deref()?);
        let mut schema = kinds.read_jsdoc(wanted?).kind.to_schema();
        if let Some(text) = prose(text.trim_start_matches('-')).0 {
            schema.insert("description".into(), text.into());
        }
        (!schema.is_empty()).then_some(schema)
    }
}

impl Param {
    /// Takes over what the text says: what the argument is for, its choices and its default.
    pub fn describe(&self, argument: &mut Argument) {
        describe_text(&self.text, argument);
        if let Some(default) = &self.default {
            argument.required = false;
            argument.default = parse_default(default, &argument.kind);
        }
    }
}

/// Takes over what the comment before an entry of a type says of it.
pub(super) fn describe(comment: &str, argument: &mut Argument) {
    describe_text(&plain(comment), argument);
}

fn describe_text(text: &str, argument: &mut Argument) {
    let (description, marks) = prose(text.trim_start().trim_start_matches('-'));
    if description.is_some() {
        argument.description = description;
    }
    for (name, value) in marks {
        match name {
            "choice" => choose(value, argument),
            "default" => {
                argument.required = false;
                argument.default = parse_default(value, &argument.kind);
            }
            _ => {}
        }
    }
}

/// `{@choice a,b}`: one of these, or several of them where the argument is a list.
fn choose(values: &str, argument: &mut Argument) {
    let values = values
        .split(',')
        .map(str::trim)
        .filter(|value| !value.is_empty());
    let values = |item: &ArgumentKind| -> Option<Vec<Value>> {
        values.map(|value| item.parse(value).ok()).collect()
    };
    argument.kind = match std::mem::take(&mut argument.kind) {
        ArgumentKind::List(item) => ArgumentKind::list(match values(&item) {
            Some(values) if !values.is_empty() => ArgumentKind::one_of(values),
            _ => *item,
        }),
        kind => match values(&kind) {
            Some(values) if !values.is_empty() => ArgumentKind::one_of(values),
            _ => kind,
        },
    };
}

/// Parses a default as a value of its kind; nothing if it does not fit.
fn parse_default(text: &str, kind: &ArgumentKind) -> Option<Value> {
    let quoted = ['\'', '"', '`']
        .iter()
        .find_map(|quote| text.strip_prefix(*quote)?.strip_suffix(*quote));
    let bare = || quoted.unwrap_or(text).to_owned();
    let value: Value = match (kind.type_name(), quoted) {
        (Some("string"), _) => bare().into(),
        (_, Some(quoted)) => quoted.into(),
        _ => serde_json::from_str(&text.replace('\'', "\"")).unwrap_or_else(|_| bare().into()),
    };
    kind.accepts(&value).then_some(value)
}

/// The comment without its stars.
fn plain(comment: &str) -> String {
    let inner = comment.strip_prefix("/**").unwrap_or(comment);
    let inner = inner.strip_suffix("*/").unwrap_or(inner);
    let lines = inner.lines().map(|line| {
        let line = line.trim();
        line.strip_prefix('*').unwrap_or(line).trim_start()
    });
    lines.collect::<Vec<_>>().join("\n")
}

struct Tag<'a> {
    name: &'a str,
    start: usize,
    body: usize,
}

/// The tags of a comment. At the start of a line anything is a tag, within one only those that we know:
/// `@param {string} a - text @param {number} b`.
fn tags(text: &str) -> Vec<Tag<'_>> {
    let mut tags = Vec::new();
    for (start, _) in text.match_indices('@') {
        let before = text[..start].trim_end_matches([' ', '\t']);
        let line_start = before.is_empty() || before.ends_with('\n');
        if !line_start && before.len() == start {
            continue;
        }
        let name = &text[start + 1..];
        let end = name.find(|c: char| !c.is_ascii_alphanumeric());
        let name = &name[..end.unwrap_or(name.len())];
        let known = ["param", "returns", "return"].contains(&name);
        if !name.is_empty() && (line_start || known) {
            let body = start + 1 + name.len();
            tags.push(Tag { name, start, body });
        }
    }
    tags
}

/// `{type} rest`: the type, if there is one, and the rest.
fn typed(body: &str) -> (Option<&str>, &str) {
    if !body.starts_with('{') {
        return (None, body);
    }
    match braced(body) {
        Some((inner, rest)) => (Some(inner), rest.trim_start()),
        None => (None, ""),
    }
}

/// What is in the braces that a text starts with, and what follows.
fn braced(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0_usize;
    for (index, character) in text.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 1 => return Some((&text[1..index], &text[index + 1..])),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Parses the body of a `@param`.
fn param(body: &str) -> Option<Param> {
    let (wanted, rest) = typed(body);
    let (name, default, optional, text) = named(rest)?;
    Some(Param {
        name,
        wanted: wanted.map(str::to_owned),
        optional,
        default,
        text: text.to_owned(),
    })
}

/// `name`, `[name]` or `[name=default]`, and what follows.
fn named(rest: &str) -> Option<(String, Option<String>, bool, &str)> {
    let Some(inner) = rest.strip_prefix('[') else {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let name = &rest[..end];
        return (!name.is_empty())
            .then(|| (name.to_owned(), None, false, rest[end..].trim_start()));
    };
    let end = closing(inner)?;
    let after = inner[end + 1..].trim_start();
    let (name, default) = match inner[..end].split_once('=') {
        Some((name, default)) => (name, Some(default.trim().to_owned())),
        None => (&inner[..end], None),
    };
    let name = name.trim();
    (!name.is_empty()).then(|| (name.to_owned(), default, true, after))
}

/// The bracket that closes: a default may be a list or a text with brackets.
fn closing(text: &str) -> Option<usize> {
    let (mut depth, mut quote) = (0_usize, None);
    for (index, character) in text.char_indices() {
        match character {
            _ if quote == Some(character) => quote = None,
            _ if quote.is_some() => {}
            '"' | '\'' => quote = Some(character),
            '[' => depth += 1,
            ']' if depth == 0 => return Some(index),
            ']' => depth -= 1,
            _ => {}
        }
    }
    // An apostrophe is not always a quote.
    text.find(']')
}

/// Joins the lines of each paragraph, writes `{@link x}` as x, and takes marks such as `{@min 1}` out.
fn prose(text: &str) -> (Option<String>, Vec<(&str, &str)>) {
    let (mut plain, mut marks) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some(start) = rest.find("{@") {
        let Some((inner, after)) = braced(&rest[start..]) else {
            break;
        };
        plain += &rest[..start];
        let mark = &inner[1..];
        let (name, value) = mark.split_once(char::is_whitespace).unwrap_or((mark, ""));
        let value = value.trim();
        match name {
            "link" | "linkcode" | "linkplain" | "tutorial" => {
                plain += value
                    .split_once('|')
                    .map_or(value, |(_, label)| label.trim());
            }
            "hint" => plain += value,
            _ => marks.push((name, value)),
        }
        rest = after;
    }
    plain += rest;
    let paragraphs = plain.split("\n\n").map(|paragraph| {
        let words: Vec<_> = paragraph.split_whitespace().collect();
        words.join(" ")
    });
    let paragraphs: Vec<_> = paragraphs
        .filter(|paragraph| !paragraph.is_empty())
        .collect();
    let text = (!paragraphs.is_empty()).then(|| paragraphs.join("\n\n"));
    (text, marks)
}
