//! A client that fills in a form as it finds it on the wire, as a person does: by what it shows.
//!
//! It knows the schema's order, types and labels, not how keys and values are made: the properties of a
//! field follow each other, and the fields come in the form's order.

use holdpoint_ask::{Answer, Ask, ClientProfile, Field, Kind, Lowered, Revision, field::Pick};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

type Content = Map<String, Value>;
type Properties<'a> = Vec<(&'a String, &'a Value)>;

/// An ask as a client got it.
#[derive(Debug)]
pub struct Shown<'a> {
    pub ask: &'a Ask,
    pub profile: &'a ClientProfile,
    pub revision: Revision,
    pub lowered: Lowered,
}

/// What clients do that is not quite what the schema says.
#[derive(Debug, Clone)]
pub struct Habits {
    /// What it sends for a field that nobody touched, if anything.
    untouched: Option<Value>,
    /// It sends what it selected in fields that decide and that nobody touched, where it is known to.
    selects: bool,
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
            selects: false,
            numbers_as_text: false,
            toggles_as_text: false,
        }
    }

    pub fn any() -> impl Strategy<Value = Self> {
        let untouched = prop::sample::select(vec![None, Some(json!("")), Some(Value::Null)]);
        (untouched, any::<[bool; 3]>()).prop_map(|(untouched, habits)| {
            let [selects, numbers_as_text, toggles_as_text] = habits;
            Self {
                untouched,
                selects,
                numbers_as_text,
                toggles_as_text,
            }
        })
    }
}

impl Shown<'_> {
    pub fn properties(&self) -> &Content {
        self.lowered.schema()["properties"].as_object().unwrap()
    }

    /// The properties that each field became; none for one that was left out.
    pub fn by_field(&self) -> Vec<(&Field, Properties<'_>)> {
        let mut rest = self.properties().iter();
        let left_out = self.lowered.raiser().left_out();
        let fields = self.ask.form.fields.iter().map(|field| {
            if left_out.contains(&field.name) {
                return (field, Vec::new());
            }
            let (options, other) = match &field.kind {
                Kind::Choice(rules) => (1, rules.other),
                Kind::Choices(rules) => (rules.options.len(), rules.other),
                _ => (1, false),
            };
            let first = rest.next().expect("a property for each field");
            let ticked = matches!(field.kind, Kind::Choices(_)) && first.1["type"] != "array";
            let own_line = other && self.profile.optional_text;
            let more = if ticked { options - 1 } else { 0 } + usize::from(own_line);
            let mut own = vec![first];
            own.extend(rest.by_ref().take(more));
            (field, own)
        });
        let fields: Vec<_> = fields.collect();
        assert!(rest.next().is_none(), "a property of no field");
        fields
    }

    /// The first key of a field; none where it was left out.
    pub fn first_key(&self, name: &str) -> Option<String> {
        let fields = self.by_field();
        let field = fields.iter().find(|(field, _)| field.name == name);
        let first = field.unwrap().1.first();
        first.map(|(key, _)| (*key).clone())
    }

    /// As much of the answer as can be said here; none where one of its values cannot.
    pub fn sayable(&self, answer: &Answer) -> Option<Answer> {
        let mut sayable = answer.clone();
        for (field, properties) in self.by_field() {
            if properties.is_empty() {
                sayable.shift_remove(&field.name);
                continue;
            }
            let Some(value) = answer.get(&field.name) else {
                continue;
            };
            let own_words = match &field.kind {
                Kind::Choice(rules) => !is_listed(&rules.options, value),
                Kind::Choices(rules) => {
                    let chosen = value.as_array().unwrap();
                    // Nothing is what an untouched form says too.
                    if chosen.is_empty() && self.profile.preselects_first && field.decides() {
                        return None;
                    }
                    !chosen.iter().all(|value| is_listed(&rules.options, value))
                }
                _ => false,
            };
            if own_words && !self.profile.optional_text {
                return None;
            }
        }
        Some(sayable)
    }

    /// Whether the schema lets this content be sent: a good client would not send anything else.
    pub fn admits(&self, content: &Content) -> bool {
        let required = self.lowered.schema().get("required");
        let there = |name: &Value| name.as_str().is_some_and(|name| content.contains_key(name));
        let fits = |(key, value): (&String, &Value)| {
            let Some(property) = self.properties().get(key) else {
                return false;
            };
            let listed = |value: &Value| {
                let listed = listed(property);
                listed.is_empty() || listed.iter().any(|(sent, _)| sent == value)
            };
            let (size, least, most) = match value {
                Value::String(text) => (text.chars().count() as f64, "minLength", "maxLength"),
                Value::Array(values) => (values.len() as f64, "minItems", "maxItems"),
                Value::Number(number) => (number.as_f64().unwrap(), "minimum", "maximum"),
                _ => return property["type"] == "boolean",
            };
            let bound = |key: &str| property.get(key).and_then(Value::as_f64);
            bound(least).is_none_or(|least| size >= least)
                && bound(most).is_none_or(|most| size <= most)
                && match value {
                    Value::Array(values) => values.iter().all(listed),
                    value => listed(value),
                }
        };
        let mut required = required.and_then(Value::as_array).into_iter().flatten();
        required.all(there) && content.iter().all(fits)
    }

    /// The content that says this answer.
    pub fn fill_in(&self, answer: &Answer, habits: &Habits) -> Content {
        let mut content = Content::new();
        for (field, properties) in self.by_field() {
            let Some(value) = answer.get(&field.name) else {
                for (key, property) in properties {
                    let preselected = self.profile.preselects_first && habits.selects;
                    let selected = selected(property, self.profile.preselects_many)
                        .filter(|_| field.decides());
                    let sent = selected.filter(|_| preselected);
                    let sent = sent.or_else(|| habits.untouched.clone());
                    let sent = sent.or_else(|| self.is_required(key).then(|| json!("-")));
                    content.extend(sent.map(|value| (key.clone(), value)));
                }
                continue;
            };
            match &field.kind {
                _ if properties.is_empty() => panic!("{} is not shown", field.name),
                Kind::Choice(rules) => choose(&properties, &rules.options, value, &mut content),
                Kind::Choices(rules) => {
                    choose_many(&properties, &rules.options, value, &mut content);
                }
                kind => {
                    let (key, property) = properties[0];
                    let sent = self.typed(kind, property, value, habits);
                    content.insert(key.clone(), sent);
                }
            }
        }
        content
    }

    fn is_required(&self, key: &str) -> bool {
        let required = self.lowered.schema().get("required");
        required.is_some_and(|required| required.as_array().unwrap().contains(&json!(key)))
    }

    fn typed(&self, kind: &Kind, property: &Value, value: &Value, habits: &Habits) -> Value {
        let is_text = property["type"] == "string"
            || match kind {
                Kind::Toggle(_) => habits.toggles_as_text,
                Kind::Number(_) | Kind::Integer(_) | Kind::Rating(_) => habits.numbers_as_text,
                _ => false,
            };
        match (kind, value) {
            (Kind::Confirm, Value::Bool(yes)) if is_text && !listed(property).is_empty() => {
                tick(property, *yes)
            }
            (Kind::Confirm, Value::Bool(true)) if is_text => json!(self.ask.word()),
            (Kind::Confirm, Value::Bool(false)) if is_text => json!("no"),
            (_, Value::String(_)) => value.clone(),
            (_, value) if is_text => json!(value.to_string()),
            (_, value) => value.clone(),
        }
    }

    /// What a client sends that selects the first of everything, true where nothing else is set, and
    /// accepts; perhaps with the first option of each array.
    pub fn untouched(&self, arrays: bool, texts: bool) -> Content {
        let mut content = Content::new();
        for (key, property) in self.properties() {
            let text = texts.then(|| match property["type"].as_str() {
                Some("array") => json!([]),
                _ => json!(""),
            });
            content.extend(
                selected(property, arrays)
                    .or(text)
                    .map(|value| (key.clone(), value)),
            );
        }
        content
    }
}

/// What a client selects by itself.
fn selected(property: &Value, arrays: bool) -> Option<Value> {
    let first = listed(property).into_iter().next().map(|(sent, _)| sent);
    property
        .get("default")
        .cloned()
        .or_else(|| match property["type"].as_str() {
            Some("boolean") => Some(json!(true)),
            Some("array") => first.filter(|_| arrays).map(|first| json!([first])),
            Some("integer" | "number") => property.get("minimum").cloned(),
            _ => first,
        })
}

fn choose(properties: &Properties, options: &[Pick], value: &Value, content: &mut Content) {
    let (key, property) = properties[0];
    if is_listed(options, value) {
        content.insert(key.clone(), sent(property, options, value));
        return;
    }
    // The last option is the one that stands for the person's own words.
    let (last, _) = listed(property).pop().unwrap();
    content.insert(key.clone(), last);
    content.insert(properties[1].0.clone(), value.clone());
}

fn choose_many(properties: &Properties, options: &[Pick], value: &Value, content: &mut Content) {
    let (picked, own): (Vec<&Value>, Vec<&Value>) = value
        .as_array()
        .unwrap()
        .iter()
        .partition(|value| is_listed(options, value));
    let (key, property) = properties[0];
    let line = if property["type"] == "array" {
        let picked = picked.iter().map(|value| sent(property, options, value));
        content.insert(key.clone(), picked.collect());
        1
    } else {
        for (option, (key, property)) in options.iter().zip(properties) {
            let ticked = picked.iter().any(|one| **one == option.value);
            content.insert((*key).clone(), tick(property, ticked));
        }
        options.len()
    };
    for own in own {
        content.insert(properties[line].0.clone(), own.clone());
    }
}

fn is_listed(options: &[Pick], value: &Value) -> bool {
    options.iter().any(|option| *value == option.value)
}

/// A yes or no, in words where those are offered.
fn tick(property: &Value, yes: bool) -> Value {
    match property["type"].as_str() {
        Some("boolean") => json!(yes),
        _ => json!(if yes { "Yes" } else { "No" }),
    }
}

/// What is sent when a person picks the option of this value by its label.
fn sent(property: &Value, options: &[Pick], value: &Value) -> Value {
    let option = options.iter().find(|option| *value == option.value);
    let title = option.unwrap().title();
    let mut alike = listed(property).into_iter().filter(|(_, of)| *of == title);
    let found = alike.next().expect("an option of this label").0;
    assert!(alike.next().is_none(), "two are shown as {title}");
    found
}

/// What a property lists, each with its label; nothing where it lists none.
pub fn listed(property: &Value) -> Vec<(Value, Value)> {
    let items = property.get("items").unwrap_or(property);
    let list = |key: &str| items.get(key).and_then(Value::as_array);
    if let Some(constants) = list("oneOf").or_else(|| list("anyOf")) {
        let constants = constants.iter();
        return constants
            .map(|one| (one["const"].clone(), one["title"].clone()))
            .collect();
    }
    let values = list("enum").cloned().unwrap_or_default();
    let titles = list("enumNames").cloned().unwrap_or_else(|| values.clone());
    values.into_iter().zip(titles).collect()
}
