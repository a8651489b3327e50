//! How a member or an item stands among the others in JSON with comments: where the text of a new one goes, and
//! what of the text goes with an old one. The second undoes the first.

use super::json_edit::Among;
use jsonc_parser::{ast, common::Ranged};
use serde_json::Value;
use std::ops::Range;

/// An object or a list, by the places of its text.
#[derive(Debug)]
pub struct Holder {
    /// Behind its opening bracket.
    open: usize,
    /// Before its closing one.
    close: usize,
    children: Vec<Range<usize>>,
}

/// What is put in.
#[derive(Debug, Clone, Copy)]
pub enum Child<'a> {
    /// A member of an object.
    Member(&'a str, &'a Value),
    /// An item of a list.
    Item(&'a Value),
}

impl Holder {
    /// That of a value; none where it is neither.
    pub fn of(value: &ast::Value<'_>) -> Option<Self> {
        let (all, children) = match value {
            ast::Value::Object(object) => {
                let members = object.properties.iter();
                let ranges = members.map(|member| member.range.start..member.range.end);
                (object.range, ranges.collect())
            }
            ast::Value::Array(array) => {
                let items = array.elements.iter().map(Ranged::range);
                let ranges = items.map(|item| item.start..item.end);
                (array.range, ranges.collect())
            }
            _ => return None,
        };
        Some(Self {
            open: all.start + 1,
            close: all.end.saturating_sub(1),
            children,
        })
    }

    /// Whether nothing is in it, and no comment either.
    pub fn is_void(&self, text: &str) -> bool {
        text[self.open..self.close].trim().is_empty()
    }

    /// Whether its children have lines of their own.
    fn is_in_lines(&self, text: &str) -> bool {
        let starts = self.children.iter().map(|child| child.start);
        let ends = self.children.iter().map(|child| child.end);
        let mut gaps = std::iter::once(self.open)
            .chain(ends)
            .zip(starts.chain([self.close]));
        gaps.any(|(from, to)| text[from..to].contains('\n'))
    }

    /// How far its children are indented.
    fn indent<'a>(&self, text: &'a str) -> Option<&'a str> {
        let mut children = self.children.iter().rev();
        children.find_map(|child| {
            let before = line_before(text, child.start);
            before.trim().is_empty().then_some(before)
        })
    }
}

/// The text with a child more.
pub fn with(text: &str, holder: &Holder, child: Child<'_>, among: Among) -> String {
    let style = Style::of(text);
    let newline = style.newline;
    let own = indent_of_line(text, holder.open);
    let (Some(first), Some(last)) = (holder.children.first(), holder.children.last()) else {
        let gap = Gap::new(text, holder.open..holder.close);
        let at = gap.comments.last().map_or(holder.open, |last| last.end);
        let indent = format!("{own}{}", style.unit);
        let mut new = format!("{newline}{indent}{}", child.lines(&indent, &style, ""));
        if !text[at..holder.close].contains('\n') {
            new += &format!("{newline}{own}");
        }
        return spliced(text, vec![(at..at, new)]);
    };
    let in_lines = holder.is_in_lines(text);
    let indent = holder.indent(text).map(str::to_owned);
    let indent = indent.unwrap_or_else(|| format!("{own}{}", style.unit));
    let after = Gap::new(text, last.end..holder.close);
    let comma = if in_lines && after.comma.is_some() {
        ","
    } else {
        ""
    };
    if among == Among::First {
        let place = first.start..first.start;
        let new = if in_lines {
            let lines = child.lines(&indent, &style, comma);
            format!("{lines},{newline}{indent}")
        } else {
            format!("{}, ", child.inline())
        };
        return spliced(text, vec![(place, new)]);
    }
    let new = |separator: &str| {
        if in_lines {
            let lines = child.lines(&indent, &style, comma);
            format!("{newline}{indent}{lines}{comma}")
        } else {
            format!("{separator} {}", child.inline())
        }
    };
    match (after.comma, in_lines) {
        (Some(comma), false) => {
            let place = comma + 1..comma + 1;
            spliced(text, vec![(place, format!("{},", new("")))])
        }
        (None, false) => spliced(text, vec![(last.end..last.end, new(","))]),
        (comma, true) => {
            // Behind the comments that are on the line of the last one.
            let start = comma.map_or(last.end, |comma| comma + 1);
            let beside = after.comments.iter().rev();
            let mut beside = beside.filter(|comment| !text[last.end..comment.start].contains('\n'));
            let at = beside
                .next()
                .map_or(start, |comment| comment.end.max(start));
            let mut splices = vec![(at..at, new(""))];
            if comma.is_none() {
                splices.push((last.end..last.end, ",".to_owned()));
            }
            spliced(text, splices)
        }
    }
}

/// The text without one of its children. Comments stay.
pub fn without(text: &str, holder: &Holder, index: usize) -> String {
    let Some(child) = holder.children.get(index) else {
        return text.to_owned();
    };
    let previous = index.checked_sub(1).and_then(|at| holder.children.get(at));
    let next = holder.children.get(index + 1);
    let start = previous.map_or(holder.open, |previous| previous.end);
    let before = Gap::new(text, start..child.start);
    let after = Gap::new(
        text,
        child.end..next.map_or(holder.close, |next| next.start),
    );
    let comments = before.comments.last().map_or(start, |last| last.end);
    let anchor = before
        .comma
        .map_or(comments, |comma| comments.max(comma + 1));
    let in_lines = text[anchor..child.start].contains('\n');
    let nothing = |range: Range<usize>| (range, String::new());
    let comma_of = |gap: &Gap| gap.comma.map(|comma| nothing(comma..comma + 1));
    let mut splices = Vec::new();
    match (previous, next) {
        (None, None) if before.comments.is_empty() && after.comments.is_empty() => {
            let rest = after.comma.map_or(child.end, |comma| comma + 1)..holder.close;
            let ours = format!(
                "{}{}",
                Style::of(text).newline,
                indent_of_line(text, holder.open)
            );
            let kept = match text[rest].strip_prefix(&ours) {
                Some(kept) if in_lines => kept.to_owned(),
                _ => String::new(),
            };
            splices.push((holder.open..holder.close, kept));
        }
        (_, Some(next)) if !in_lines => {
            let comma = after.comma.map_or(child.end, |comma| comma + 1);
            splices.push(nothing(child.start..child.end));
            // With the blanks up to the next one, which stands where this one stood.
            let blanks = text[comma..next.start].len() - text[comma..next.start].trim_start().len();
            if after.comments.is_empty() {
                splices.push(nothing(child.end..comma + blanks));
            } else {
                splices.extend(comma_of(&after));
            }
        }
        (Some(_), None) => {
            splices.push(nothing(anchor..child.end));
            splices.extend(match after.comma {
                Some(_) => comma_of(&after),
                None => comma_of(&before),
            });
        }
        _ => {
            splices.push(nothing(anchor..child.end));
            splices.extend(comma_of(&after));
        }
    }
    spliced(text, splices)
}

/// A value on one line.
pub fn inline(value: &Value) -> String {
    match value {
        Value::Object(members) if !members.is_empty() => {
            let members = members.iter();
            let members = members.map(|(name, value)| named(name, &inline(value)));
            format!("{{ {} }}", members.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(inline).collect();
            format!("[{}]", items.join(", "))
        }
        other => other.to_string(),
    }
}

impl Child<'_> {
    fn inline(&self) -> String {
        match self {
            Self::Member(name, value) => named(name, &inline(value)),
            Self::Item(value) => inline(value),
        }
    }

    /// On lines of its own; `comma` is what stands behind the last member of an object.
    fn lines(&self, indent: &str, style: &Style, comma: &str) -> String {
        match self {
            Self::Member(name, value) => named(name, &lines(value, indent, style, comma)),
            Self::Item(value) => lines(value, indent, style, comma),
        }
    }
}

fn lines(value: &Value, indent: &str, style: &Style, comma: &str) -> String {
    let inner = format!("{indent}{}", style.unit);
    let block = |open: char, all: Vec<String>, close: char| {
        let newline = style.newline;
        let all = all.join(&format!(",{newline}{inner}"));
        format!("{open}{newline}{inner}{all}{comma}{newline}{indent}{close}")
    };
    match value {
        Value::Object(members) if !members.is_empty() => {
            let members = members.iter();
            let members =
                members.map(|(name, value)| named(name, &lines(value, &inner, style, comma)));
            block('{', members.collect(), '}')
        }
        Value::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
            let items = items.iter();
            let items = items.map(|item| lines(item, &inner, style, comma));
            block('[', items.collect(), ']')
        }
        other => inline(other),
    }
}

fn named(name: &str, value: &str) -> String {
    format!("{}: {value}", Value::from(name))
}

/// How a text is written.
struct Style {
    newline: &'static str,
    /// By what one level is indented.
    unit: String,
}

impl Style {
    fn of(text: &str) -> Self {
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let mut indents = text.lines().filter_map(|line| {
            let rest = line.trim_start_matches([' ', '\t']);
            let indent = &line[..line.len() - rest.len()];
            // Comments may be aligned in another way.
            let counts = rest.starts_with(['"', '{', '[']) && !indent.is_empty();
            counts.then(|| indent.to_owned())
        });
        Self {
            newline,
            unit: indents.next().unwrap_or_else(|| "  ".to_owned()),
        }
    }
}

/// What is between two children: blanks, comments and at most one comma.
struct Gap {
    comma: Option<usize>,
    /// A line comment ends before its line does.
    comments: Vec<Range<usize>>,
}

impl Gap {
    fn new(text: &str, range: Range<usize>) -> Self {
        let mut gap = Self {
            comma: None,
            comments: Vec::new(),
        };
        let mut at = range.start;
        while at < range.end {
            let rest = &text[at..range.end];
            let length = if rest.starts_with("//") {
                let line = rest.find('\n').unwrap_or(rest.len());
                rest[..line].trim_end_matches('\r').len()
            } else if let Some(inside) = rest.strip_prefix("/*") {
                inside.find("*/").map_or(rest.len(), |end| end + 4)
            } else {
                if rest.starts_with(',') {
                    gap.comma = Some(at);
                }
                at += rest.chars().next().map_or(1, char::len_utf8);
                continue;
            };
            gap.comments.push(at..at + length);
            at += length;
        }
        gap
    }
}

/// What is before a place on its line.
fn line_before(text: &str, place: usize) -> &str {
    let start = text[..place].rfind('\n').map_or(0, |end| end + 1);
    &text[start..place]
}

/// How far the line of a place is indented.
fn indent_of_line(text: &str, place: usize) -> &str {
    let line = line_before(text, place);
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

fn spliced(text: &str, mut splices: Vec<(Range<usize>, String)>) -> String {
    splices.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    let mut text = text.to_owned();
    for (range, new) in splices {
        text.replace_range(range, &new);
    }
    text
}
