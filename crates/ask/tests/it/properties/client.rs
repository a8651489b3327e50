//! A client that fills in a form as it finds it on the wire.
//!
//! It knows the schema's order and types, not how keys are made: the properties of a field follow
//! each other, and the fields come in the form's order.

use holdpoint_ask::{Answer, Field, Form, Kind};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// What clients do that is not quite what the schema says.
#[derive(Debug, Clone)]
pub struct Habits {
    /// What it sends for a field that nobody touched, if anything.
    untouched: Option<Value>,
    /// Numbers as text.
    numbers_as_text: bool,
    /// Settings as text.
    toggles_as_text: bool,
}

impl Habits {
    /// A client that sends what the schema says.
    pub fn good() -> Self {
        Self {
            untouched: None,
            numbers_as_text: false,
            toggles_as_text: false,
        }
    }

    pub fn any() -> impl Strategy<Value = Self> {
        let untouched = prop::sample::select(vec![None, Some(json!("")), Some(Value::Null)]);
        (untouched, any::<bool>(), any::<bool>()).prop_map(
            |(untouched, numbers_as_text, toggles_as_text)| Self {
                untouched,
                numbers_as_text,
                toggles_as_text,
            },
        )
    }
}

type Properties<'a> = Vec<(&'a String, &'a Value)>;

/// The properties that each field became.
pub fn by_field<'a>(
    form: &'a Form,
    schema: &'a Map<String, Value>,
) -> Vec<(&'a Field, Properties<'a>)> {
    let mut rest = schema["properties"].as_object().unwrap().iter();
    let fields = form.fields.iter().map(|field| {
        let (options, other) = match &field.kind {
            Kind::Choice(rules) => (1, rules.other),
            Kind::Choices(rules) => (rules.options.len(), rules.other),
            _ => (1, false),
        };
        let first = rest.next().expect("a property for each field");
        let ticked = matches!(field.kind, Kind::Choices(_)) && first.1["type"] == "boolean";
        let more = if ticked { options - 1 } else { 0 } + usize::from(other);
        let mut own = vec![first];
        own.extend(rest.by_ref().take(more));
        (field, own)
    });
    let fields: Vec<_> = fields.collect();
    assert!(rest.next().is_none(), "a property of no field");
    fields
}

/// The first key of a field.
pub fn first_key(form: &Form, schema: &Map<String, Value>, name: &str) -> String {
    let fields = by_field(form, schema);
    let field = fields.iter().find(|(field, _)| field.name == name);
    field.unwrap().1[0].0.clone()
}

/// Whether the schema lets this content be sent: a good client would not send anything else.
pub fn admits(schema: &Map<String, Value>, content: &Map<String, Value>) -> bool {
    let required = schema.get("required").and_then(Value::as_array);
    let there = |name: &Value| name.as_str().is_some_and(|name| content.contains_key(name));
    let fits = |(key, value): (&String, &Value)| {
        let property = &schema["properties"][key];
        let (size, least, most) = match value {
            Value::String(text) => (text.chars().count() as f64, "minLength", "maxLength"),
            Value::Array(values) => (values.len() as f64, "minItems", "maxItems"),
            Value::Number(number) => (number.as_f64().unwrap(), "minimum", "maximum"),
            _ => return true,
        };
        let bound = |key: &str| property.get(key).and_then(Value::as_f64);
        bound(least).is_none_or(|least| size >= least)
            && bound(most).is_none_or(|most| size <= most)
    };
    required.into_iter().flatten().all(there) && content.iter().all(fits)
}

/// The content that says this answer in this schema.
pub fn fill_in(
    form: &Form,
    schema: &Map<String, Value>,
    answer: &Answer,
    habits: &Habits,
) -> Map<String, Value> {
    let mut content = Map::new();
    for (field, properties) in by_field(form, schema) {
        let Some(value) = answer.get(&field.name) else {
            for (key, _) in properties {
                content.extend(habits.untouched.clone().map(|value| (key.clone(), value)));
            }
            continue;
        };
        match &field.kind {
            Kind::Choice(_) => choose(&properties, value, &mut content),
            Kind::Choices(rules) => {
                let options: Vec<_> = rules.options.iter().map(|pick| &pick.value).collect();
                choose_many(&properties, &options, value, &mut content);
            }
            kind => {
                let (key, property) = properties[0];
                let text = property["type"] == "string"
                    || match kind {
                        Kind::Toggle(_) => habits.toggles_as_text,
                        Kind::Number(_) | Kind::Integer(_) | Kind::Rating(_) => {
                            habits.numbers_as_text
                        }
                        _ => false,
                    };
                let value = match value {
                    Value::String(_) => value.clone(),
                    value if text => json!(value.to_string()),
                    value => value.clone(),
                };
                content.insert(key.clone(), value);
            }
        }
    }
    content
}

fn choose(properties: &Properties, value: &Value, content: &mut Map<String, Value>) {
    let (key, property) = properties[0];
    let listed = values(property);
    match properties.get(1) {
        // The last option is the one that stands for the person's own words.
        Some((own, _)) if !listed[..listed.len() - 1].contains(value) => {
            content.insert(key.clone(), listed[listed.len() - 1].clone());
            content.insert((*own).clone(), value.clone());
        }
        _ => {
            assert!(
                listed.contains(value),
                "{value} cannot be chosen in {property}"
            );
            content.insert(key.clone(), value.clone());
        }
    }
}

fn choose_many(
    properties: &Properties,
    options: &[&String],
    value: &Value,
    content: &mut Map<String, Value>,
) {
    let listed = |value: &&Value| options.iter().any(|option| *value == *option);
    let (picked, own): (Vec<&Value>, Vec<&Value>) =
        value.as_array().unwrap().iter().partition(listed);
    let line = match properties[0].1["type"].as_str() {
        Some("array") => {
            content.insert(properties[0].0.clone(), json!(picked));
            1
        }
        _ => {
            for (option, (key, _)) in options.iter().zip(properties) {
                let ticked = picked.iter().any(|one| *one == *option);
                content.insert((*key).clone(), json!(ticked));
            }
            options.len()
        }
    };
    for own in own {
        content.insert(properties[line].0.clone(), own.clone());
    }
}

/// The values that a property lists.
fn values(property: &Value) -> Vec<Value> {
    match property.get("oneOf") {
        Some(constants) => {
            let constants = constants.as_array().unwrap().iter();
            constants
                .map(|constant| constant["const"].clone())
                .collect()
        }
        None => property["enum"].as_array().unwrap().clone(),
    }
}
