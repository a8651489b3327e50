//! Writes one field as properties of a `requestedSchema`.

use super::{
    description::{self, described},
    raise::{Other, Shape},
};
use crate::{
    Field, Form, Kind,
    field::{Choice, Choices, DateRange, Format, Integer, Number, Pick, Rating, Text},
    profile::{ClientProfile, MultiSelect, Numbers, Revision, Titles},
    validate::plain,
    visible,
};
use serde_json::{Map, Value, json};
use std::collections::HashSet;

/// Writes the properties of a form, field by field.
pub(super) struct Writer {
    titles: Titles,
    multi_select: MultiSelect,
    numbers: Numbers,
    all_defaults: bool,
    taken: HashSet<String>,
    properties: Map<String, Value>,
    required: Vec<String>,
}

impl Writer {
    pub fn new(form: &Form, profile: &ClientProfile, revision: Revision) -> Self {
        let first = revision == Revision::V2025_06_18;
        Self {
            titles: if first {
                Titles::EnumNames
            } else {
                profile.titles
            },
            multi_select: if first {
                MultiSelect::Booleans
            } else {
                profile.multi_select
            },
            numbers: profile.numbers,
            all_defaults: !first,
            taken: form.fields.iter().map(|field| field.name.clone()).collect(),
            properties: Map::new(),
            required: Vec::new(),
        }
    }

    /// Adds the field's properties and says how its answer comes back.
    pub fn field(&mut self, field: &Field) -> Shape {
        match &field.kind {
            Kind::Text(rules) => self.text(field, rules),
            Kind::Toggle(rules) => {
                let default = rules.default.map(Value::Bool);
                self.put(
                    field,
                    property("boolean"),
                    description::help(field),
                    default,
                );
                Shape::Toggle
            }
            Kind::Confirm => {
                self.put(field, property("boolean"), description::help(field), None);
                Shape::AsIs
            }
            Kind::Choice(rules) => self.choice(field, rules),
            Kind::Choices(rules) => match self.multi_select {
                MultiSelect::Native => self.choices(field, rules),
                MultiSelect::Booleans => self.ticks(field, rules),
            },
            Kind::Number(rules) => self.number(field, rules),
            Kind::Integer(rules) => self.integer(field, rules),
            Kind::Rating(rules) => self.rating(field, rules),
            Kind::Date(range) => self.date(field, range, Format::Date),
            Kind::DateTime(range) => self.date(field, range, Format::DateTime),
            // `Form::lower` has refused these: there is nothing that could be sent.
            Kind::Secret | Kind::File(_) | Kind::Link(_) => Shape::AsIs,
        }
    }

    pub fn finish(self) -> Map<String, Value> {
        let mut schema = property("object");
        schema.insert("properties".into(), self.properties.into());
        if !self.required.is_empty() {
            schema.insert("required".into(), self.required.into());
        }
        schema
    }

    fn text(&mut self, field: &Field, rules: &Text) -> Shape {
        let mut text = property("string");
        set(&mut text, "minLength", rules.min_length);
        set(&mut text, "maxLength", rules.max_length);
        set(
            &mut text,
            "format",
            rules.format.map(|format| json!(format)),
        );
        let default = rules.default.clone().filter(|default| !default.is_empty());
        self.put(
            field,
            text,
            description::text(field, rules),
            default.map(Value::from),
        );
        Shape::AsIs
    }

    fn date(&mut self, field: &Field, range: &DateRange, format: Format) -> Shape {
        let mut text = property("string");
        set(&mut text, "format", Some(json!(format)));
        let default = range.default.clone().map(Value::from);
        self.put(field, text, description::date(field, range), default);
        Shape::AsIs
    }

    fn number(&mut self, field: &Field, rules: &Number) -> Shape {
        let bounds = (rules.min, rules.max, rules.step);
        let unit = rules.unit.as_deref();
        let words = description::numeric(field, "A number", bounds, unit, self.numbers);
        let numbers = [rules.min, rules.max, rules.default].map(|bound| bound.map(plain));
        self.amount(field, "number", numbers, words)
    }

    fn integer(&mut self, field: &Field, rules: &Integer) -> Shape {
        let bounds = (rules.min, rules.max, rules.step);
        let unit = rules.unit.as_deref();
        let words = description::numeric(field, "A whole number", bounds, unit, self.numbers);
        let numbers = [rules.min, rules.max, rules.default].map(|bound| bound.map(Value::from));
        self.amount(field, "integer", numbers, words)
    }

    fn amount(
        &mut self,
        field: &Field,
        kind: &str,
        [min, max, default]: [Option<Value>; 3],
        words: Vec<String>,
    ) -> Shape {
        match self.numbers {
            Numbers::Native => {
                let mut number = property(kind);
                set(&mut number, "minimum", min);
                set(&mut number, "maximum", max);
                self.put(field, number, words, default);
            }
            Numbers::Text => {
                let default = default.map(|default| Value::from(default.to_string()));
                self.put(field, property("string"), words, default);
            }
        }
        Shape::Number
    }

    fn rating(&mut self, field: &Field, rules: &Rating) -> Shape {
        match self.numbers {
            Numbers::Native => {
                let numbers = [Some(json!(1)), Some(json!(rules.max)), None];
                self.amount(field, "integer", numbers, description::rating(field, rules))
            }
            Numbers::Text => {
                let mut one = property("string");
                self.list(&mut one, description::stars(rules), self.titles);
                self.put(field, one, description::help(field), None);
                Shape::Number
            }
        }
    }

    fn choice(&mut self, field: &Field, rules: &Choice) -> Shape {
        let mut listed: Vec<_> = rules.options.iter().map(titled).collect();
        let other = rules.other.then(|| self.other_option(&rules.options));
        if let Some(other) = &other {
            listed.push((other.clone(), description::OTHER.to_owned()));
        }
        let mut one = property("string");
        let titles = if rules.enum_names {
            Titles::EnumNames
        } else {
            self.titles
        };
        self.list(&mut one, listed, titles);
        let default = rules.default.clone().map(Value::from);
        self.put(
            field,
            one,
            description::options(field, &rules.options),
            default,
        );
        match other {
            Some(option) => Shape::One(Some(Other {
                key: self.other_text(field, description::INSTEAD),
                option,
            })),
            None => Shape::One(None),
        }
    }

    fn choices(&mut self, field: &Field, rules: &Choices) -> Shape {
        let mut items = property("string");
        let listed: Vec<_> = rules.options.iter().map(titled).collect();
        if listed.iter().all(|(value, title)| value == title) {
            self.list(&mut items, listed, self.titles);
        } else {
            items = Map::from_iter([("anyOf".into(), constants(listed))]);
        }
        let mut many = property("array");
        // One of the fewest may be the person's own, and nobody has to choose in an optional field.
        let own = u32::from(rules.other);
        let least = rules.min.map(|min| min.saturating_sub(own));
        set(
            &mut many,
            "minItems",
            least.filter(|least| field.required && *least > 0),
        );
        set(&mut many, "maxItems", rules.max);
        many.insert("items".into(), items.into());
        let default = rules.default.clone().map(Value::from);
        let mut words = description::options(field, &rules.options);
        words.extend(description::count(rules));
        self.put(field, many, words, default);
        Shape::Many(self.own_text(field, rules))
    }

    fn ticks(&mut self, field: &Field, rules: &Choices) -> Shape {
        let mut ticks = Vec::new();
        for (index, pick) in rules.options.iter().enumerate() {
            let mut words = Vec::new();
            if index == 0 {
                words.extend(description::help(field));
                words.extend(description::count(rules));
            }
            words.extend(
                pick.description
                    .as_deref()
                    .map(|text| visible(text).into_owned()),
            );
            let mut tick = property("boolean");
            tick.insert(
                "title".into(),
                format!("{}: {}", visible(field.label()), pick.title()).into(),
            );
            described(&mut tick, words);
            if let Some(default) = rules.default.as_ref().filter(|_| !field.decides()) {
                tick.insert("default".into(), default.contains(&pick.value).into());
            }
            let key = self.key(&field.name, &part(pick, index));
            if field.required {
                self.required.push(key.clone());
            }
            self.properties.insert(key.clone(), tick.into());
            ticks.push((key, pick.value.clone()));
        }
        Shape::Ticks(ticks, self.own_text(field, rules))
    }

    fn own_text(&mut self, field: &Field, rules: &Choices) -> Option<String> {
        rules
            .other
            .then(|| self.other_text(field, description::BESIDES))
    }

    /// An optional line for an answer of the person's own; gives its key.
    fn other_text(&mut self, field: &Field, help: &str) -> String {
        let mut text = property("string");
        text.insert(
            "title".into(),
            format!("{}: other", visible(field.label())).into(),
        );
        described(&mut text, vec![help.to_owned()]);
        let key = self.key(&field.name, "other");
        self.properties.insert(key.clone(), text.into());
        key
    }

    /// Makes a value for "Other…" that no option has.
    fn other_option(&self, options: &[Pick]) -> String {
        let mut other = "other".to_owned();
        while options.iter().any(|pick| pick.value == other) {
            other.push('_');
        }
        other
    }

    /// Makes a key that nothing else has for a part of a field.
    fn key(&mut self, name: &str, part: &str) -> String {
        let mut key = format!("{name}_{part}");
        while !self.taken.insert(key.clone()) {
            key.push('_');
        }
        key
    }

    /// Options as this client takes them; their labels only where one says more than its value.
    fn list(
        &self,
        property: &mut Map<String, Value>,
        listed: Vec<(String, String)>,
        titles: Titles,
    ) {
        let plain = listed.iter().all(|(value, title)| value == title);
        if !plain && titles == Titles::OneOf {
            property.insert("oneOf".into(), constants(listed));
            return;
        }
        let (values, titles): (Vec<_>, Vec<_>) = listed.into_iter().unzip();
        property.insert("enum".into(), values.into());
        if !plain {
            property.insert("enumNames".into(), titles.into());
        }
    }

    /// The one place that writes a field's own property, and so the one that writes a default.
    fn put(
        &mut self,
        field: &Field,
        mut property: Map<String, Value>,
        words: Vec<String>,
        default: Option<Value>,
    ) {
        set(
            &mut property,
            "title",
            field
                .title
                .as_deref()
                .map(|title| visible(title).into_owned()),
        );
        described(&mut property, words);
        let carried = |default: &Value| self.all_defaults || default.is_boolean();
        let default = default.filter(|default| !field.decides() && carried(default));
        set(&mut property, "default", default);
        if field.required {
            self.required.push(field.name.clone());
        }
        self.properties.insert(field.name.clone(), property.into());
    }
}

fn property(kind: &str) -> Map<String, Value> {
    Map::from_iter([("type".to_owned(), kind.into())])
}

fn set(property: &mut Map<String, Value>, key: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        property.insert(key.to_owned(), value.into());
    }
}

fn titled(pick: &Pick) -> (String, String) {
    (pick.value.clone(), pick.title())
}

fn constants(listed: Vec<(String, String)>) -> Value {
    let constant = |(value, title)| json!({"const": value, "title": title});
    listed.into_iter().map(constant).collect()
}

/// A readable part of a key for an option: its value where that is a short word, else its place.
fn part(pick: &Pick, index: usize) -> String {
    let word = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-');
    if pick.value.len() <= 40 && pick.value.chars().all(word) {
        pick.value.clone()
    } else {
        (index + 1).to_string()
    }
}
