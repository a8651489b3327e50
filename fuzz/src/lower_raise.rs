//! A form for a client, and a reply to it that may hold anything. What nobody touched, and what is no answer,
//! is never a person's decision.

use crate::{
    filled_in::{Shown, listed},
    text,
    untouched::{decides_nothing, of_one},
    written::{Sent, Written},
};
use holdpoint_ask::{Ask, Field, Kind};
use serde_json::{Map, Value, json};

type Properties<'a> = Vec<(&'a String, &'a Value)>;

pub fn check(data: &[u8]) {
    let Some(text) = text(data) else { return };
    let written = Written::read(text);
    let ask = &written.ask;
    if ask.check().is_err() {
        return;
    }
    decides_nothing(ask);
    let Ok(lowered) = ask.lower(&written.profile, written.revision, Some(&written.kept)) else {
        return;
    };
    let shown = Shown {
        ask,
        profile: &written.profile,
        revision: written.revision,
        lowered,
    };
    let content = sent(&shown, &written.reply);
    let raised = shown.lowered.raise(&content);
    if let Ok(valid) = ask.form.validate(&raised) {
        assert_eq!(ask.form.validate(&valid), Ok(valid.clone()), "read again");
    }
    let mut said_any_yes = false;
    for (field, properties) in shown.by_field() {
        let got = of_one(field, &raised);
        if field.decides() && untouched(&shown, &properties, &content) {
            let stray = content
                .get(&field.name)
                .is_some_and(|value| !value.is_null())
                && properties.iter().all(|(key, _)| **key != field.name);
            assert!(
                matches!(got, Err(_) | Ok(None)),
                "{} was not touched (stray: {stray}): {got:?} of {content:?} in {shown:?}",
                field.name
            );
        }
        if field.kind == Kind::Confirm && !properties.is_empty() {
            let said_yes = says_yes(ask, field, &properties, &content);
            said_any_yes |= said_yes;
            assert_eq!(
                got == Ok(Some(json!(true))),
                said_yes,
                "{}: {got:?} of {content:?} in {shown:?}",
                field.name
            );
        }
    }
    let typed = shown.lowered.raiser().typed_word(&content);
    assert!(typed.is_none() || said_any_yes, "{typed:?} in {content:?}");
}

/// The content that the lines of the reply are in this form.
fn sent(shown: &Shown<'_>, reply: &[(String, Sent)]) -> Map<String, Value> {
    let mut content = Map::new();
    for (key, sent) in reply {
        let place = key.strip_prefix('#').and_then(|place| place.parse().ok());
        let found = place.and_then(|place: usize| shown.properties().iter().nth(place));
        let key = found.map_or(key, |(key, _)| key);
        let property = shown.properties().get(key).unwrap_or(&Value::Null);
        let listed = || listed(property).into_iter().map(|(sent, _)| sent);
        let value = match sent {
            Sent::Value(value) => Some(value.clone()),
            Sent::Default => property.get("default").cloned(),
            Sent::First if property["type"] == "array" => {
                listed().next().map(|first| json!([first]))
            }
            Sent::First => listed().next(),
            Sent::All => Some(listed().collect()),
        };
        if let Some(value) = value {
            content.insert(key.clone(), value);
        }
    }
    content
}

/// Whether everything that came for a field is what clients send for one that nobody touched.
fn untouched(shown: &Shown<'_>, properties: &Properties<'_>, content: &Map<String, Value>) -> bool {
    properties.iter().all(|(key, property)| {
        let Some(value) = content.get(*key) else {
            return true;
        };
        let is_array = property["type"] == "array";
        let first = listed(property).into_iter().next().map(|(sent, _)| sent);
        let is_first = match first {
            Some(first) if is_array => shown.profile.preselects_many && *value == json!([first]),
            Some(first) => *value == first,
            None => false,
        };
        match value {
            Value::Null => true,
            Value::String(text) if text.is_empty() => true,
            // Nothing chosen is an answer where the client selects nothing by itself.
            Value::Array(chosen) if chosen.is_empty() => shown.profile.preselects_first,
            value => {
                property.get("default") == Some(value)
                    || (shown.profile.preselects_first && is_first)
            }
        }
    })
}

/// Whether a confirm got a yes in the one way in which it was asked for.
fn says_yes(
    ask: &Ask,
    field: &Field,
    properties: &Properties<'_>,
    content: &Map<String, Value>,
) -> bool {
    let (key, property) = properties[0];
    let Some(given) = content.get(key) else {
        return false;
    };
    let said_yes = match property["type"].as_str() {
        Some("boolean") => *given == json!(true),
        _ if !listed(property).is_empty() => *given == json!("Yes"),
        _ => given.as_str().is_some_and(|typed| ask.is_word(typed)),
    };
    // What comes under the field's own name, where it travels under another, spoils it.
    let stray = content.get(&field.name).filter(|_| *key != field.name);
    said_yes && stray.is_none_or(Value::is_null)
}
