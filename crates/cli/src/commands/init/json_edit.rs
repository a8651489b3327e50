//! Editing JSON with comments and trailing commas, as editors allow them: what is not touched stays byte
//! for byte, and what is taken out again leaves the text as it was before it was put in.

use super::{
    json_layout::{Child, Holder, inline, with, without},
    server::Removed,
};
use anyhow::{Context, bail, ensure};
use jsonc_parser::{CollectOptions, ParseOptions, ast, common::Range};
use serde_json::{Map, Value, json};

/// One step from a value to one in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'a> {
    /// The member of this name.
    Key(&'a str),
    /// The item at this place.
    Item(usize),
}

impl<'a> From<&'a str> for Step<'a> {
    fn from(name: &'a str) -> Self {
        Self::Key(name)
    }
}

impl From<usize> for Step<'_> {
    fn from(place: usize) -> Self {
        Self::Item(place)
    }
}

/// Where a new member goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Among {
    /// Before the others.
    First,
    /// Behind them.
    Last,
}

/// What the file says; an empty one says `{}`.
pub fn read(text: &str) -> anyhow::Result<Value> {
    Ok(parse(text)?.map_or_else(|| json!({}), Value::from))
}

/// The value at this place.
///
/// # Errors
/// When something on the way is of another kind, or there twice.
pub fn value_at(text: &str, path: &[Step<'_>]) -> anyhow::Result<Option<Value>> {
    let top = parse(text)?;
    let found = find(text, top.as_ref(), path)?;
    Ok(found.map(|place| place.value.clone().into()))
}

/// The object at this place.
pub fn object_at(text: &str, path: &[Step<'_>]) -> anyhow::Result<Option<Map<String, Value>>> {
    let top = parse(text)?;
    let Some(place) = find(text, top.as_ref(), path)? else {
        return Ok(None);
    };
    place.object(text)?;
    let Value::Object(members) = place.value.clone().into() else {
        return Ok(None);
    };
    Ok(Some(members))
}

/// The list at this place.
pub fn list_at(text: &str, path: &[Step<'_>]) -> anyhow::Result<Option<Vec<Value>>> {
    let top = parse(text)?;
    let Some(place) = find(text, top.as_ref(), path)? else {
        return Ok(None);
    };
    place.list(text)?;
    let Value::Array(items) = place.value.clone().into() else {
        return Ok(None);
    };
    Ok(Some(items))
}

/// The text in which the member at this place says this; what holds it is made where it is not there. One that
/// says it already stays exactly as it is written.
pub fn set(text: &str, path: &[&str], value: &Value) -> anyhow::Result<String> {
    set_among(text, path, value, Among::Last)
}

/// The same; a member that is new goes there.
pub fn set_among(text: &str, path: &[&str], value: &Value, among: Among) -> anyhow::Result<String> {
    let steps: Vec<_> = path.iter().map(|name| Step::Key(name)).collect();
    set_at(text, &steps, value, among)
}

/// The same, with items on the way, which are there.
pub fn set_at(
    text: &str,
    path: &[Step<'_>],
    value: &Value,
    among: Among,
) -> anyhow::Result<String> {
    let top = parse(text)?;
    let mut wanted = read(text)?;
    let edited = match find(text, top.as_ref(), path)? {
        Some(found) if Value::from(found.value.clone()) == *value => return Ok(text.to_owned()),
        Some(found) => {
            let Range { start, end } = range(found.value);
            format!("{}{}{}", &text[..start], inline(value), &text[end..])
        }
        None => put(text, top.as_ref(), path, value, among)?,
    };
    let mut held = &mut wanted;
    for step in path {
        held = match step {
            Step::Key(name) => {
                if held.is_null() {
                    *held = json!({});
                }
                &mut held[*name]
            }
            Step::Item(place) => &mut held[*place],
        };
    }
    *held = value.clone();
    checked(edited, &wanted)
}

/// The text with one item more in the list at this place, as its last.
pub fn push(text: &str, path: &[&str], item: &Value) -> anyhow::Result<String> {
    let steps: Vec<_> = path.iter().map(|name| Step::Key(name)).collect();
    let Some(mut items) = list_at(text, &steps)? else {
        return set(text, path, &json!([item]));
    };
    let top = parse(text)?;
    let found = find(text, top.as_ref(), &steps)?.context("the list is not where it was")?;
    let holder = Holder::of(found.value).context("the list is not where it was")?;
    let edited = with(text, &holder, Child::Item(item), Among::Last);
    items.push(item.clone());
    let mut wanted = read(text)?;
    let mut held = &mut wanted;
    for name in path {
        held = &mut held[*name];
    }
    *held = Value::Array(items);
    checked(edited, &wanted)
}

/// The text without what is at this place, and without what held nothing else; none where nothing is there.
pub fn take(text: &str, path: &[Step<'_>]) -> anyhow::Result<Option<String>> {
    if value_at(text, path)?.is_none() {
        return Ok(None);
    }
    let mut text = cut(text, path)?;
    let mut rest = path;
    while let [above @ .., _] = rest
        && !above.is_empty()
        && is_void_at(&text, above)?
    {
        text = cut(&text, above)?;
        rest = above;
    }
    Ok(Some(text))
}

/// What became of a text: whether there is still something in it.
pub fn left(text: String) -> Removed {
    if is_void(&text) {
        Removed::Everything
    } else {
        Removed::Rest(text)
    }
}

/// Whether a file says nothing: no member, and no comment either.
pub fn is_void(text: &str) -> bool {
    let bare: String = text.split_whitespace().collect();
    bare.is_empty() || bare == "{}"
}

/// The text without what is at this place.
fn cut(text: &str, path: &[Step<'_>]) -> anyhow::Result<String> {
    let [above @ .., step] = path else {
        bail!("there is nothing to take out");
    };
    let top = parse(text)?;
    let gone = "it is not where it was";
    let held = find(text, top.as_ref(), above)?.context(gone)?;
    let place = match (held.value, step) {
        (ast::Value::Object(object), Step::Key(name)) => {
            let mut names = object.properties.iter();
            names.position(|member| name_of(member) == *name)
        }
        (ast::Value::Array(_), Step::Item(place)) => Some(*place),
        _ => None,
    };
    let holder = Holder::of(held.value).context(gone)?;
    let edited = without(text, &holder, place.context(gone)?);
    let mut wanted = read(text)?;
    let held = above.iter().try_fold(&mut wanted, |held, step| match step {
        Step::Key(name) => held.get_mut(*name),
        Step::Item(place) => held.get_mut(*place),
    });
    match (held, step) {
        (Some(Value::Object(members)), Step::Key(name)) => drop(members.shift_remove(*name)),
        (Some(Value::Array(items)), Step::Item(place)) if *place < items.len() => {
            drop(items.remove(*place));
        }
        _ => bail!(gone),
    }
    checked(edited, &wanted)
}

/// Whether what is at this place holds nothing, and no comment either.
fn is_void_at(text: &str, path: &[Step<'_>]) -> anyhow::Result<bool> {
    let top = parse(text)?;
    let found = find(text, top.as_ref(), path)?;
    let holder = found.and_then(|found| Holder::of(found.value));
    Ok(holder.is_some_and(|holder| holder.is_void(text)))
}

/// The text with a member that is not there yet.
fn put(
    text: &str,
    top: Option<&ast::Value<'_>>,
    path: &[Step<'_>],
    value: &Value,
    among: Among,
) -> anyhow::Result<String> {
    let Some(top) = top else {
        // Nothing is in the file, or comments only.
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let above = match text.trim() {
            "" => String::new(),
            comments => format!("{comments}{newline}"),
        };
        let bare = format!("{above}{{}}{newline}");
        let top = parse(&bare)?;
        return put(&bare, top.as_ref(), path, value, among);
    };
    let mut depth = 0;
    while find(text, Some(top), &path[..=depth])?.is_some() {
        depth += 1;
    }
    let held = find(text, Some(top), &path[..depth])?.context("it is not where it was")?;
    held.object(text)?;
    let nested = path[depth + 1..].iter().rev();
    let nested = nested.fold(value.clone(), |inner, step| match step {
        Step::Key(name) => json!({ *name: inner }),
        Step::Item(_) => json!([inner]),
    });
    let holder = Holder::of(held.value).context("it is not where it was")?;
    let Step::Key(name) = path[depth] else {
        bail!("a list has no members");
    };
    Ok(with(text, &holder, Child::Member(name, &nested), among))
}

/// A value, and where it starts: with its name, where it has one.
struct Place<'a, 'b> {
    value: &'b ast::Value<'a>,
    start: usize,
    name: &'b str,
}

impl<'a, 'b> Place<'a, 'b> {
    fn object(&self, text: &str) -> anyhow::Result<&'b ast::Object<'a>> {
        let object = self.value.as_object();
        object
            .with_context(|| format!("{}`{}` is not an object", line(text, self.start), self.name))
    }

    fn list(&self, text: &str) -> anyhow::Result<&'b ast::Array<'a>> {
        let list = self.value.as_array();
        list.with_context(|| format!("{}`{}` is not a list", line(text, self.start), self.name))
    }
}

/// What is at this place. Two members of one name mean different things to different readers.
fn find<'a, 'b>(
    text: &str,
    top: Option<&'b ast::Value<'a>>,
    path: &[Step<'_>],
) -> anyhow::Result<Option<Place<'a, 'b>>> {
    let Some(top) = top else {
        return Ok(None);
    };
    let mut place = Place {
        value: top,
        start: range(top).start,
        name: "the file",
    };
    for step in path {
        let below = match step {
            Step::Key(name) => {
                let members = place.object(text)?.properties.iter();
                let mut named = members.filter(|member| name_of(member) == *name);
                match (named.next(), named.next()) {
                    (_, Some(second)) => {
                        bail!("{}`{name}` is there twice", line(text, second.range.start))
                    }
                    (first, None) => first.map(|member| Place {
                        value: &member.value,
                        start: member.range.start,
                        name: name_of(member),
                    }),
                }
            }
            Step::Item(index) => {
                let items = &place.list(text)?.elements;
                items.get(*index).map(|item| Place {
                    value: item,
                    start: range(item).start,
                    name: place.name,
                })
            }
        };
        match below {
            Some(below) => place = below,
            None => return Ok(None),
        }
    }
    Ok(Some(place))
}

fn name_of<'b>(member: &'b ast::ObjectProp<'_>) -> &'b str {
    match &member.name {
        ast::ObjectPropName::String(name) => &name.value,
        ast::ObjectPropName::Word(name) => name.value,
    }
}

fn range(value: &ast::Value<'_>) -> Range {
    jsonc_parser::common::Ranged::range(value)
}

/// The file's one value, an object; none where there is nothing in the file.
fn parse(text: &str) -> anyhow::Result<Option<ast::Value<'_>>> {
    let parsed = jsonc_parser::parse_to_ast(text, &CollectOptions::default(), &options());
    let parsed = parsed.map_err(|error| {
        let (line, column) = (error.line_display(), error.column_display());
        anyhow::anyhow!("line {line}, column {column}: {}", error.kind())
    })?;
    if let Some(value) = &parsed.value
        && value.as_object().is_none()
    {
        let at = line(text, range(value).start);
        bail!("{at}the file is not a JSON object");
    }
    Ok(parsed.value)
}

/// The text, if it reads as what was meant.
fn checked(text: String, wanted: &Value) -> anyhow::Result<String> {
    let now = read(&text);
    ensure!(
        now.is_ok_and(|now| now == *wanted),
        "it is written in a way that cannot be changed safely; change it by hand"
    );
    Ok(text)
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

/// "line 3: ", the line of a place.
fn line(text: &str, place: usize) -> String {
    let before = text.get(..place).unwrap_or_default();
    format!("line {}: ", before.matches('\n').count() + 1)
}

#[cfg(test)]
mod tests;
