//! Checks whether one value fits its field.

use super::format;
use crate::{
    Field, Kind,
    field::{Choices, DateRange, File, Format, Integer, Number, Pick, Text},
    visible,
};
use serde_json::{Value, json};
use std::fmt;

/// Checks a value: gives it in the field's own shape, or one sentence that says what would be right.
///
/// No message repeats the value: it can be a secret, or of any length.
pub(crate) fn accept(field: &Field, value: &Value) -> Result<Value, String> {
    let checked = match &field.kind {
        Kind::Text(rules) => text(rules, field.required, value),
        Kind::Secret => secret(value),
        Kind::Toggle(_) | Kind::Confirm => boolean(value),
        Kind::Choice(rules) => choice(&rules.options, rules.other, value),
        Kind::Choices(rules) => choices(rules, value),
        Kind::Number(rules) => number(rules, value),
        Kind::Integer(rules) => integer(rules, value),
        Kind::Rating(rules) => integer(&whole(1, rules.max.into()), value),
        Kind::Date(range) => within(range, Format::Date, format::date, value),
        Kind::DateTime(range) => within(range, Format::DateTime, format::moment, value),
        Kind::File(rules) => file(rules, value),
        Kind::Link(_) => link(value),
    };
    checked.map_err(|rejection| match rejection {
        Rejection::Missing => missing(field),
        Rejection::Must(be) => format!("{} must {be}.", visible(field.label())),
    })
}

/// What to say where a required field was left out.
pub(super) fn missing(field: &Field) -> String {
    let label = visible(field.label());
    match &field.kind {
        Kind::Toggle(_) | Kind::Confirm => format!("{label} must be yes or no."),
        Kind::Choice(_) => format!("{label} must be chosen."),
        Kind::Link(_) => format!("{label} must be opened and then marked as done."),
        _ => format!("{label} must be filled in."),
    }
}

/// A number with its unit, as a person would write it.
pub(crate) fn amount(number: impl fmt::Display, unit: Option<&str>) -> String {
    match unit {
        Some(unit) => format!("{number} {}", visible(unit)),
        None => number.to_string(),
    }
}

enum Rejection {
    Missing,
    Must(String),
}

type Checked = Result<Value, Rejection>;

fn must<T>(be: impl Into<String>) -> Result<T, Rejection> {
    Err(Rejection::Must(be.into()))
}

fn text(rules: &Text, required: bool, value: &Value) -> Checked {
    let Value::String(text) = value else {
        return must("be text");
    };
    if required && rules.min_length != Some(0) && text.trim().is_empty() {
        return Err(Rejection::Missing);
    }
    let length = text.chars().count() as u64;
    if let Some(least) = rules.min_length.filter(|least| length < (*least).into()) {
        return must(format!("have at least {}", counted(least, "character")));
    }
    if let Some(most) = rules.max_length.filter(|most| length > (*most).into()) {
        return must(format!("have at most {}", counted(most, "character")));
    }
    let count = lines(text).count() as u64;
    if let Some(least) = rules.min_lines.filter(|least| count < (*least).into()) {
        return must(format!("have at least {}", counted(least, "line")));
    }
    if let Some(most) = rules.max_lines.filter(|most| count > (*most).into()) {
        return must(format!("have at most {}", counted(most, "line")));
    }
    if let Some(format) = rules.format {
        format::check(format, text).or_else(|wanted| must(format!("be {wanted}")))?;
    }
    if let Some(pattern) = &rules.pattern {
        match format::whole_text(pattern) {
            Ok(whole) if whole.is_match(text) => {}
            Ok(_) => return must(format!("match the pattern {}", visible(pattern))),
            Err(_) => return must("match a pattern that is itself invalid: tell whoever asked"),
        }
    }
    Ok(value.clone())
}

/// The lines of a text that are not empty, without the spaces around them.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty())
}

fn secret(value: &Value) -> Checked {
    match value {
        Value::String(text) if text.is_empty() => Err(Rejection::Missing),
        Value::String(_) => Ok(value.clone()),
        _ => must("be text"),
    }
}

fn boolean(value: &Value) -> Checked {
    match value {
        Value::Bool(_) => Ok(value.clone()),
        Value::String(text) if text.is_empty() => Err(Rejection::Missing),
        _ => must("be yes or no"),
    }
}

fn choice(options: &[Pick], other: bool, value: &Value) -> Checked {
    match value {
        Value::String(text) if options.iter().any(|pick| pick.value == *text) => Ok(value.clone()),
        Value::String(text) if text.trim().is_empty() => Err(Rejection::Missing),
        Value::String(_) if other => Ok(value.clone()),
        _ => must(format!("be one of: {}", listed(options))),
    }
}

fn choices(rules: &Choices, value: &Value) -> Checked {
    let Value::Array(values) = value else {
        return must(format!("be some of: {}", listed(&rules.options)));
    };
    let place = |text: &str| rules.options.iter().position(|pick| pick.value == text);
    let mut chosen: Vec<&str> = Vec::new();
    for value in values {
        match value.as_str() {
            Some(text) if chosen.contains(&text) => return must("have each option only once"),
            Some(text) if place(text).is_some() => chosen.push(text),
            Some(text) if rules.other && !text.trim().is_empty() => chosen.push(text),
            _ => return must(format!("have only: {}", listed(&rules.options))),
        }
    }
    if chosen.iter().filter(|text| place(text).is_none()).count() > 1 {
        return must("have at most one answer of your own");
    }
    let count = chosen.len() as u64;
    if let Some(least) = rules.min.filter(|least| count < (*least).into()) {
        return must(format!("have at least {}", counted(least, "option")));
    }
    if let Some(most) = rules.max.filter(|most| count > (*most).into()) {
        return must(format!("have at most {}", counted(most, "option")));
    }
    chosen.sort_by_key(|text| place(text).unwrap_or(usize::MAX));
    Ok(json!(chosen))
}

fn number(rules: &Number, value: &Value) -> Checked {
    let given = match value {
        Value::Number(given) => given.as_f64().filter(|given| given.is_finite()),
        Value::String(text) if text.is_empty() => return Err(Rejection::Missing),
        _ => None,
    };
    let Some(given) = given else {
        return must("be a number");
    };
    bounds(given, rules.min, rules.max, rules.unit.as_deref())?;
    if let Some(step) = rules.step {
        let steps = (given - rules.min.unwrap_or(0.0)) / step;
        // Decimal fractions are not exact: to the last bit, 0.3 is not a multiple of 0.1.
        let near = (steps - steps.round()).abs() <= 1e-9 * steps.abs().max(1.0);
        if !near {
            return must(stepped(step, rules.min, rules.unit.as_deref()));
        }
    }
    Ok(plain(given))
}

/// A number in JSON, without a `.0` where it is whole: clients cannot tell the two apart.
pub(crate) fn plain(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() <= EXACT {
        json!(number as i64)
    } else {
        json!(number)
    }
}

/// The largest number up to which a double holds every whole number.
pub(crate) const EXACT: f64 = 9_007_199_254_740_991.0;

fn integer(rules: &Integer, value: &Value) -> Checked {
    let given = match value {
        Value::Number(given) => given.as_i64().or_else(|| {
            let given = given.as_f64()?;
            (given.fract() == 0.0 && given.abs() < i64::MAX as f64).then_some(given as i64)
        }),
        Value::String(text) if text.is_empty() => return Err(Rejection::Missing),
        _ => None,
    };
    let Some(given) = given else {
        return must("be a whole number");
    };
    bounds(given, rules.min, rules.max, rules.unit.as_deref())?;
    if let Some(step) = rules.step.filter(|step| *step > 0) {
        let from = i128::from(given) - i128::from(rules.min.unwrap_or(0));
        if from % i128::from(step) != 0 {
            return must(stepped(step, rules.min, rules.unit.as_deref()));
        }
    }
    Ok(json!(given))
}

fn whole(min: i64, max: i64) -> Integer {
    Integer {
        min: Some(min),
        max: Some(max),
        ..Integer::default()
    }
}

fn bounds<N: PartialOrd + fmt::Display>(
    given: N,
    min: Option<N>,
    max: Option<N>,
    unit: Option<&str>,
) -> Result<(), Rejection> {
    match (min, max) {
        (Some(min), _) if given < min => must(format!("be at least {}", amount(min, unit))),
        (_, Some(max)) if given > max => must(format!("be at most {}", amount(max, unit))),
        _ => Ok(()),
    }
}

fn stepped<N: fmt::Display>(step: N, min: Option<N>, unit: Option<&str>) -> String {
    let step = amount(step, unit);
    match min {
        Some(min) => format!("be {} or steps of {step} above it", amount(min, unit)),
        None => format!("be a multiple of {step}"),
    }
}

fn within<T: PartialOrd>(
    range: &DateRange,
    format: Format,
    read: fn(&str) -> Option<T>,
    value: &Value,
) -> Checked {
    let text = value.as_str().unwrap_or_default();
    if value.is_string() && text.is_empty() {
        return Err(Rejection::Missing);
    }
    format::check(format, text).or_else(|wanted| must(format!("be {wanted}")))?;
    let given = read(text);
    let bound = |bound: &Option<String>| bound.as_deref().and_then(read);
    match (bound(&range.min), bound(&range.max)) {
        (min @ Some(_), _) if given < min => must(format!(
            "be {} or later",
            range.min.as_deref().unwrap_or_default()
        )),
        (_, max @ Some(_)) if given > max => must(format!(
            "be {} or earlier",
            range.max.as_deref().unwrap_or_default()
        )),
        _ => Ok(value.clone()),
    }
}

fn file(rules: &File, value: &Value) -> Checked {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    let known = ["name", "size", "sha256", "path"];
    let (Some(name), Some(size), Some(sha256), Some(path)) = (
        text("name").filter(|name| is_file_name(name)),
        value.get("size").and_then(Value::as_u64),
        text("sha256").filter(|hash| hash.parse::<crate::Digest>().is_ok()),
        text("path").filter(|path| !path.trim().is_empty()),
    ) else {
        return must("be a file, with its name, size, sha256 and path");
    };
    if value
        .as_object()
        .is_none_or(|keys| keys.len() != known.len())
    {
        return must("be a file, with its name, size, sha256 and path and nothing else");
    }
    if let Some(most) = rules.max_bytes.filter(|most| size > *most) {
        return must(format!("have at most {}", counted(most, "byte")));
    }
    // A MIME type guides the page's picker; a name alone cannot prove one.
    let endings = rules.accept.iter().all(|accept| accept.starts_with('.'));
    let name_fits = |ending: &String| name.to_lowercase().ends_with(&ending.to_lowercase());
    if endings && !rules.accept.is_empty() && !rules.accept.iter().any(name_fits) {
        return must(format!("end in one of: {}", rules.accept.join(", ")));
    }
    Ok(json!({"name": name, "size": size, "sha256": sha256, "path": path}))
}

fn is_file_name(name: &str) -> bool {
    !name.trim().is_empty()
        && !matches!(name, "." | "..")
        && !name.contains(|char: char| matches!(char, '/' | '\\') || char.is_control())
}

fn link(value: &Value) -> Checked {
    match value {
        Value::Bool(true) => Ok(value.clone()),
        _ => Err(Rejection::Missing),
    }
}

/// "1 line", "2 lines".
pub(crate) fn counted(count: impl fmt::Display, what: &str) -> String {
    let count = count.to_string();
    let plural = if count == "1" { "" } else { "s" };
    format!("{count} {what}{plural}")
}

/// The options as people see them; the first few where they are many.
fn listed(options: &[Pick]) -> String {
    let mut shown: Vec<_> = options
        .iter()
        .take(10)
        .map(|pick| visible(pick.shown()))
        .collect();
    if options.len() > shown.len() {
        shown.push("…".into());
    }
    shown.join(", ")
}
