//! Where things are in a YAML text: its nodes with their places, and its lines.

use anyhow::bail;
use saphyr::{LoadableYamlNode, MarkedYaml, Scalar, YamlData};
use serde_json::{Map, Value};
use std::ops::RangeInclusive;

/// The document; none where there is nothing in the text.
pub fn parse(text: &str) -> anyhow::Result<Option<MarkedYaml<'_>>> {
    let documents = MarkedYaml::load_from_str(text).map_err(|error| {
        let line = error.marker().line();
        anyhow::anyhow!("line {line}: {}", error.info())
    })?;
    let mut documents = documents.into_iter();
    match (documents.next(), documents.next()) {
        (_, Some(_)) => bail!("there is more than one document in it"),
        (first, None) => Ok(first),
    }
}

/// What was found below a node: a member of a mapping, or an item of a list.
#[derive(Clone, Copy)]
pub struct Found<'a, 'b> {
    key: Option<&'a MarkedYaml<'b>>,
    /// What it holds.
    pub value: &'a MarkedYaml<'b>,
}

/// The member of this name.
pub fn member<'a, 'b>(node: &'a MarkedYaml<'b>, name: &str) -> Option<Found<'a, 'b>> {
    let YamlData::Mapping(members) = &node.data else {
        return None;
    };
    let (key, value) = members.iter().find(|(key, _)| as_text(key) == Some(name))?;
    let key = Some(key);
    Some(Found { key, value })
}

/// The item of a list whose `name` this is.
pub fn item<'a, 'b>(node: &'a MarkedYaml<'b>, name: &str) -> Option<Found<'a, 'b>> {
    let YamlData::Sequence(items) = &node.data else {
        return None;
    };
    let named = |item: &&MarkedYaml<'_>| {
        member(item, "name").is_some_and(|found| as_text(found.value) == Some(name))
    };
    let value = items.iter().find(named)?;
    Some(Found { key: None, value })
}

impl Found<'_, '_> {
    /// The line and column of its key, from zero.
    pub fn place(&self) -> (usize, usize) {
        let start = self.key.unwrap_or(self.value).span.start;
        (start.line().saturating_sub(1), start.col())
    }

    /// Its first and its last line. The last is where its last scalar begins: what goes on from there is
    /// found when the text is parsed again.
    pub fn lines(&self) -> (usize, usize) {
        let first = self.place().0;
        (first, last_line(self.value).max(first))
    }
}

fn last_line(node: &MarkedYaml<'_>) -> usize {
    let own = node.span.start.line().saturating_sub(1);
    match &node.data {
        YamlData::Mapping(members) => {
            let both = members.iter().flat_map(|(key, value)| [key, value]);
            both.map(last_line).max().unwrap_or(own)
        }
        YamlData::Sequence(items) => items.iter().map(last_line).max().unwrap_or(own),
        _ => own,
    }
}

/// Whether a node holds nothing.
pub fn is_void(node: &MarkedYaml<'_>) -> bool {
    matches!(node.data, YamlData::Value(Scalar::Null)) || len(node) == Some(0)
}

/// How many members or items it has.
pub fn len(node: &MarkedYaml<'_>) -> Option<usize> {
    match &node.data {
        YamlData::Mapping(members) => Some(members.len()),
        YamlData::Sequence(items) => Some(items.len()),
        _ => None,
    }
}

/// How far its members or items are indented; none where they do not begin their lines.
pub fn indent(node: &MarkedYaml<'_>, lines: &Lines<'_>) -> Option<usize> {
    let (first, starts) = match &node.data {
        YamlData::Mapping(members) => (members.iter().next()?.0, ""),
        YamlData::Sequence(items) => (items.first()?, "- "),
        _ => return None,
    };
    let start = first.span.start;
    let line = lines.line(start.line().saturating_sub(1));
    let indent = line.len() - line.trim_start_matches(' ').len();
    let column = indent + starts.len();
    (line[indent..].starts_with(starts) && start.col() == column).then_some(indent)
}

/// The node as JSON; none where it has what JSON has not.
pub fn as_json(node: &MarkedYaml<'_>) -> Option<Value> {
    Some(match &node.data {
        YamlData::Value(scalar) => match scalar {
            Scalar::Null => Value::Null,
            Scalar::Boolean(truth) => (*truth).into(),
            Scalar::Integer(number) => (*number).into(),
            Scalar::FloatingPoint(number) => number.into_inner().into(),
            Scalar::String(text) => text.as_ref().into(),
        },
        YamlData::Sequence(items) => {
            Value::Array(items.iter().map(as_json).collect::<Option<_>>()?)
        }
        YamlData::Mapping(members) => {
            let pair = |(key, value): (&MarkedYaml<'_>, &MarkedYaml<'_>)| {
                let key = as_text(key).map_or_else(
                    || as_json(key).map(|key| key.to_string()),
                    |key| Some(key.to_owned()),
                );
                Some((key?, as_json(value)?))
            };
            Value::Object(members.iter().map(pair).collect::<Option<Map<_, _>>>()?)
        }
        YamlData::Tagged(tag, inner) => Value::Array(vec![tag.to_string().into(), as_json(inner)?]),
        _ => return None,
    })
}

fn as_text<'a>(node: &'a MarkedYaml<'_>) -> Option<&'a str> {
    match &node.data {
        YamlData::Value(Scalar::String(text)) => Some(text),
        _ => None,
    }
}

/// A text by its lines, which are counted from zero.
pub struct Lines<'a> {
    lines: Vec<&'a str>,
    newline: &'static str,
    /// Its last line does not end, and does not in what is made of it.
    is_open: bool,
}

impl<'a> Lines<'a> {
    /// The lines of this text.
    pub fn new(text: &'a str) -> Self {
        Self {
            lines: text.split_inclusive('\n').collect(),
            newline: if text.contains("\r\n") { "\r\n" } else { "\n" },
            is_open: !text.is_empty() && !text.ends_with('\n'),
        }
    }

    /// One of them.
    pub fn line(&self, index: usize) -> &'a str {
        self.lines.get(index).copied().unwrap_or_default()
    }

    /// These of them.
    pub fn text(&self, range: RangeInclusive<usize>) -> String {
        self.lines.get(range).unwrap_or_default().concat()
    }

    /// The text with other lines in the place of these.
    pub fn replaced(&self, range: RangeInclusive<usize>, new: &str) -> String {
        let before = self.lines[..*range.start()].concat();
        let after = self.lines[range.end() + 1..].concat();
        self.whole(format!("{before}{}{after}", self.ended(new)))
    }

    /// The text with these lines below one of them. A void list or mapping on that line goes.
    pub fn below(&self, index: usize, new: &str) -> String {
        let line = self.line(index);
        let line = line.replacen(" []", "", 1).replacen(" {}", "", 1);
        let line = if line.ends_with('\n') {
            line
        } else {
            line + self.newline
        };
        let before = self.lines[..index].concat();
        let after = self.lines[index + 1..].concat();
        self.whole(format!("{before}{line}{}{after}", self.ended(new)))
    }

    /// The text with these lines at its end.
    pub fn appended(&self, new: &str) -> String {
        let text = self.lines.concat();
        let gap = if text.is_empty() || text.ends_with('\n') {
            ""
        } else {
            self.newline
        };
        self.whole(format!("{text}{gap}{}", self.ended(new)))
    }

    /// A text of these lines, which ends as they do.
    fn whole(&self, mut text: String) -> String {
        if self.is_open && text.ends_with(self.newline) {
            text.truncate(text.len() - self.newline.len());
        }
        text
    }

    /// Lines of ours, with the line endings of this text.
    pub fn ended(&self, lines: &str) -> String {
        lines.replace('\n', self.newline)
    }
}
