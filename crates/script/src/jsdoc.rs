//! JSDoc: what a comment says of a method.

use crate::jsdoc_types;
use holdpoint_ask::arguments::{Argument, ArgumentKind, Arguments};
use serde_json::{Map, Value};

/// What a comment says.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Doc {
    pub description: Option<String>,
    pub arguments: Arguments,
    pub returns: Option<Map<String, Value>>,
}

impl Doc {
    /// Parses a whole comment, `/**` and `*/` included.
    pub fn parse(comment: &str) -> Self {
        let text = plain(comment);
        let tags = tags(&text);
        let end = tags.first().map_or(text.len(), |tag| tag.start);
        let mut doc = Self {
            description: prose(&text[..end]),
            ..Self::default()
        };
        let mut given = Vec::new();
        for (index, tag) in tags.iter().enumerate() {
            let end = tags.get(index + 1).map_or(text.len(), |next| next.start);
            let body = text[tag.body..end].trim();
            match tag.name {
                "param" | "arg" | "argument" => given.extend(argument(body)),
                "returns" | "return" => doc.returns = returns(body),
                "description" | "desc" if doc.description.is_none() => {
                    doc.description = prose(body);
                }
                _ => {}
            }
        }
        doc.arguments = arguments(given);
        doc
    }
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
    let mut depth = 0_usize;
    for (index, character) in body.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 1 => return (Some(&body[1..index]), body[index + 1..].trim_start()),
            '}' => depth -= 1,
            _ => {}
        }
    }
    (None, "")
}

fn returns(body: &str) -> Option<Map<String, Value>> {
    let (wanted, text) = typed(body);
    let mut schema = jsdoc_types::parse(wanted?).kind.to_schema();
    if let Some(text) = prose(text.trim_start_matches('-')) {
        schema.insert("description".into(), text.into());
    }
    (!schema.is_empty()).then_some(schema)
}

/// Parses the body of a `@param`.
fn argument(body: &str) -> Option<Argument> {
    let (wanted, rest) = typed(body);
    let parsed = wanted.map(jsdoc_types::parse).unwrap_or_default();
    let (name, default, optional, text) = named(rest)?;
    let default = default.and_then(|text| jsdoc_types::parse_default(&text, &parsed.kind));
    Some(Argument {
        name,
        description: prose(text.trim_start_matches('-')),
        required: !(optional || parsed.optional),
        kind: parsed.kind,
        default,
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

/// The arguments that a method takes.
///
/// They reach it as one object, which some like to name: `opts`, then `opts.name`.
fn arguments(given: Vec<Argument>) -> Arguments {
    const WHOLE: [&str; 9] = [
        "args",
        "arguments",
        "opts",
        "options",
        "params",
        "input",
        "props",
        "_",
        "object",
    ];
    if let [only] = given.as_slice()
        && WHOLE.contains(&only.name.as_str())
    {
        match &only.kind {
            ArgumentKind::Record(entries) => return Arguments::Listed(entries.clone()),
            ArgumentKind::Object => return Arguments::Any,
            _ => {}
        }
    }
    if given.is_empty() {
        return Arguments::Any;
    }
    let root = |argument: &Argument| Some(argument.name.split_once('.')?.0.to_owned());
    let roots: Vec<_> = given.iter().filter_map(root).collect();
    let mut listed: Vec<Argument> = Vec::new();
    for mut argument in given {
        if roots.contains(&argument.name) {
            continue;
        }
        if let Some((_, name)) = argument.name.split_once('.') {
            argument.name = name.to_owned();
        }
        let plain = argument
            .name
            .chars()
            .all(|character| character.is_alphanumeric() || "_$-".contains(character));
        if plain && !listed.iter().any(|other| other.name == argument.name) {
            listed.push(argument);
        }
    }
    Arguments::Listed(listed)
}

/// Joins the lines of each paragraph, and writes `{@link x}` as x.
fn prose(text: &str) -> Option<String> {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("{@") {
        let Some(end) = rest[start..].find('}') else {
            break;
        };
        plain += &rest[..start];
        let inner = &rest[start + 2..start + end];
        let target = inner
            .split_once(char::is_whitespace)
            .map_or("", |(_, target)| target.trim());
        let shown = target
            .split_once('|')
            .map_or(target, |(_, label)| label.trim());
        plain += shown;
        rest = &rest[start + end + 1..];
    }
    plain += rest;
    let paragraphs = plain.split("\n\n").map(|paragraph| {
        let words: Vec<_> = paragraph.split_whitespace().collect();
        words.join(" ")
    });
    let paragraphs: Vec<_> = paragraphs
        .filter(|paragraph| !paragraph.is_empty())
        .collect();
    (!paragraphs.is_empty()).then(|| paragraphs.join("\n\n"))
}
