//! Parses one property of a JSON Schema into a field, for the forms of other servers and of Rust types.

use crate::{
    Field, Kind,
    field::{Choice, Choices, DateRange, Format, Integer, Number, Pick, Text, Toggle},
};
use serde_json::{Map, Value};

/// The keywords of one property.
pub(crate) type Property = Map<String, Value>;
/// What was parsed, or what is wrong with the property, as the end of a sentence about it.
pub(crate) type Read<T> = Result<T, String>;

/// Parses the field that this property asks for.
///
/// A boolean with a default is a setting; one without decides, and stays without.
pub(crate) fn parse_field(name: &str, property: &Property, required: bool) -> Read<Field> {
    let kind = match property.get("type").and_then(Value::as_str) {
        Some("string") => match parse_options(property)? {
            Some(options) => Kind::Choice(Choice {
                options,
                other: false,
                default: text(property, "default")?,
                enum_names: property.contains_key("enumNames"),
            }),
            None => string(property)?,
        },
        Some("boolean") => match get(property, "default", "true or false", Value::as_bool)? {
            Some(default) => Kind::Toggle(Toggle {
                default: Some(default),
            }),
            None => Kind::Confirm,
        },
        Some("number") => number(property)?,
        Some("integer") => integer(property)?,
        Some("array") => array(property)?,
        Some("object") => return Err("is an object: a form must be flat".into()),
        Some(other) => return Err(format!("has the type {other:?}, which no field can hold")),
        None => return Err("has no type that a field can hold".into()),
    };
    let filled = |key| Ok::<_, String>(text(property, key)?.filter(|text| !text.trim().is_empty()));
    Ok(Field {
        name: name.to_owned(),
        title: filled("title")?,
        help: filled("description")?,
        required,
        separate: false,
        kind,
    })
}

/// Parses the options that the keywords list, in any of the shapes that are in use.
pub(crate) fn parse_options(property: &Property) -> Read<Option<Vec<Pick>>> {
    if let Some(value) = property.get("const") {
        let mut pick = Pick::new(option_value(value)?);
        pick.label = text(property, "title")?;
        pick.description = text(property, "description")?;
        return Ok(Some(vec![pick]));
    }
    if let Some(values) = property.get("enum") {
        return named(values, property.get("enumNames")).map(Some);
    }
    let Some(branches) = property.get("oneOf").or_else(|| property.get("anyOf")) else {
        return Ok(None);
    };
    let mut picks = Vec::new();
    for branch in list(branches, "oneOf")? {
        let listed = branch.as_object().map(parse_options).transpose()?.flatten();
        picks.extend(listed.ok_or("has alternatives that are not plain options")?);
    }
    Ok(Some(picks))
}

fn named(values: &Value, names: Option<&Value>) -> Read<Vec<Pick>> {
    let values = list(values, "enum")?;
    let names = names.map(|names| list(names, "enumNames")).transpose()?;
    if names.is_some_and(|names| names.len() != values.len()) {
        return Err("has a different number of enumNames than of values".into());
    }
    let mut picks = Vec::new();
    for (index, value) in values.iter().enumerate() {
        let mut pick = Pick::new(option_value(value)?);
        let name = names.and_then(|names| names[index].as_str());
        pick.label = name.filter(|name| *name != pick.value).map(str::to_owned);
        picks.push(pick);
    }
    Ok(picks)
}

fn option_value(value: &Value) -> Read<&str> {
    value
        .as_str()
        .ok_or_else(|| "has an option that is not text".into())
}

fn string(property: &Property) -> Read<Kind> {
    let format = text(property, "format")?;
    let mut rules = Text {
        min_length: count(property, "minLength")?,
        max_length: count(property, "maxLength")?,
        pattern: text(property, "pattern")?.map(|pattern| anchored(&pattern)),
        default: text(property, "default")?.filter(|default| !default.is_empty()),
        ..Text::default()
    };
    let bare = rules.min_length.is_none() && rules.max_length.is_none() && rules.pattern.is_none();
    let day = || DateRange {
        default: rules.default.clone(),
        ..DateRange::default()
    };
    match format.as_deref() {
        None => {}
        Some("date") if bare => return Ok(Kind::Date(day())),
        Some("date-time") if bare => return Ok(Kind::DateTime(day())),
        Some("password") => return Ok(Kind::Secret),
        Some("uuid") => rules.pattern = rules.pattern.or_else(|| Some(UUID.to_owned())),
        Some(name) => match serde_json::from_value::<Format>(name.into()) {
            Ok(format) => rules.format = Some(format),
            Err(_) => return Err(format!("has the format {name:?}, which no field can check")),
        },
    }
    Ok(Kind::Text(rules))
}

const UUID: &str = "[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}";

/// Makes a pattern that matches anywhere, as a schema's does, one for the whole text, as a field's is.
fn anchored(pattern: &str) -> String {
    let inner = pattern
        .strip_prefix('^')
        .and_then(|rest| rest.strip_suffix('$'));
    match inner {
        Some(inner) if !inner.contains('|') && !inner.ends_with('\\') => inner.to_owned(),
        _ => format!("(?s:.*)(?:{pattern})(?s:.*)"),
    }
}

fn number(property: &Property) -> Read<Kind> {
    let number = |key| get(property, key, "a number", Value::as_f64);
    if property.contains_key("exclusiveMinimum") || property.contains_key("exclusiveMaximum") {
        return Err("has an exclusive bound: use minimum and maximum".into());
    }
    let (min, step) = (number("minimum")?, number("multipleOf")?);
    // A step counts from the minimum: move that to the first multiple.
    let first = |(min, step): (f64, f64)| (min / step).ceil() * step;
    Ok(Kind::Number(Number {
        min: min.zip(step).map(first).or(min),
        max: number("maximum")?,
        step,
        unit: None,
        default: number("default")?,
    }))
}

fn integer(property: &Property) -> Read<Kind> {
    let integer = |key| get(property, key, "a whole number", whole_number);
    let format = text(property, "format")?;
    let (least, most) = format.as_deref().map(type_bounds).unwrap_or_default();
    let above = integer("exclusiveMinimum")?.map(|bound| bound.saturating_add(1));
    let below = integer("exclusiveMaximum")?.map(|bound| bound.saturating_sub(1));
    let min = [integer("minimum")?, above, least]
        .into_iter()
        .flatten()
        .max();
    let max = [integer("maximum")?, below, most]
        .into_iter()
        .flatten()
        .min();
    let step = integer("multipleOf")?;
    let first = |(min, step): (i64, i64)| match step {
        1.. => min.saturating_add((step - min.rem_euclid(step)) % step),
        _ => min,
    };
    Ok(Kind::Integer(Integer {
        min: min.zip(step).map(first).or(min),
        max,
        step,
        unit: None,
        default: integer("default")?,
    }))
}

/// The bounds of a Rust integer, where clients can hold them.
fn type_bounds(format: &str) -> (Option<i64>, Option<i64>) {
    match format {
        "int8" => (Some(i8::MIN.into()), Some(i8::MAX.into())),
        "int16" => (Some(i16::MIN.into()), Some(i16::MAX.into())),
        "int32" => (Some(i32::MIN.into()), Some(i32::MAX.into())),
        "uint8" => (Some(0), Some(u8::MAX.into())),
        "uint16" => (Some(0), Some(u16::MAX.into())),
        "uint32" => (Some(0), Some(u32::MAX.into())),
        unsigned if unsigned.starts_with("uint") => (Some(0), None),
        _ => (None, None),
    }
}

fn array(property: &Property) -> Read<Kind> {
    let items = property.get("items").and_then(Value::as_object);
    let options = items.map(parse_options).transpose()?.flatten();
    let default = match property.get("default") {
        Some(default) => {
            let values = list(default, "default")?;
            let values: Result<Vec<_>, _> = values.iter().map(option_value).collect();
            Some(values?.into_iter().map(str::to_owned).collect())
        }
        None => None,
    };
    Ok(Kind::Choices(Choices {
        options: options
            .ok_or("is a list of arbitrary values: only a list of options can be asked for")?,
        other: false,
        min: count(property, "minItems")?,
        max: count(property, "maxItems")?,
        default,
    }))
}

fn text(property: &Property, key: &str) -> Read<Option<String>> {
    get(property, key, "text", |value| {
        value.as_str().map(str::to_owned)
    })
}

pub(crate) fn count(property: &Property, key: &str) -> Read<Option<u32>> {
    let count = |value: &Value| whole_number(value)?.try_into().ok();
    get(property, key, "a count", count)
}

fn whole_number(value: &Value) -> Option<i64> {
    let whole = |number: f64| number.fract() == 0.0 && number.abs() < i64::MAX as f64;
    value.as_i64().or_else(|| {
        let number = value.as_f64().filter(|number| whole(*number))?;
        Some(number as i64)
    })
}

fn list<'a>(value: &'a Value, key: &str) -> Read<&'a Vec<Value>> {
    value
        .as_array()
        .ok_or_else(|| format!("has a {key} that is not a list"))
}

fn get<T>(
    property: &Property,
    key: &str,
    what: &str,
    read: impl Fn(&Value) -> Option<T>,
) -> Read<Option<T>> {
    match property.get(key) {
        Some(value) => read(value)
            .map(Some)
            .ok_or_else(|| format!("has a {key} that is not {what}")),
        None => Ok(None),
    }
}
