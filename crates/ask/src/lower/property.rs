//! Writes one field as properties of a `requestedSchema`.

use super::{
    Context,
    description::{self, described},
    options::{NO, Options, UNDECIDED, YES},
    raise::{Shape, Wire},
};
use crate::{
    Field, Form, Kind,
    describe::one_line,
    field::{DateRange, Format, Integer, Number, Rating, Text},
    profile::{ClientProfile, MultiSelect, Numbers, Titles},
    revision::Revision,
    validate::plain,
    visible,
    visible::is_visible,
};
use serde_json::{Map, Value, json};
use std::collections::HashSet;

/// Writes the properties of a form, field by field.
pub(super) struct Writer<'a> {
    pub(super) titles: Titles,
    multi_select: MultiSelect,
    numbers: Numbers,
    /// The client selects the first option, or yes, by itself.
    pub(super) preselects: bool,
    /// It does so in a choice of many too.
    pub(super) preselects_many: bool,
    /// The client sorts names: those of parts carry their place.
    pub(super) sorted: bool,
    /// Names of fields carry theirs too.
    numbered: bool,
    /// A line for the person's own words can be left empty.
    pub(super) own_words: bool,
    /// This version has defaults of all types, and `oneOf`.
    pub(super) newer: bool,
    context: Context<'a>,
    taken: HashSet<String>,
    pub(super) properties: Map<String, Value>,
    pub(super) required: Vec<String>,
    count: usize,
    /// The name of the field at hand in the client's form.
    name: String,
    /// Nobody is to be stopped by the field at hand: a dash leaves it empty.
    dash: bool,
}

impl<'a> Writer<'a> {
    pub fn new(
        form: &Form,
        profile: &ClientProfile,
        revision: Revision,
        context: Context<'a>,
    ) -> Self {
        let first = revision == Revision::V2025_06_18;
        Self {
            titles: profile.titles,
            multi_select: if first {
                MultiSelect::Booleans
            } else {
                profile.multi_select
            },
            numbers: profile.numbers,
            preselects: profile.preselects_first,
            preselects_many: profile.preselects_first && profile.preselects_many,
            sorted: profile.sorts_fields,
            numbered: profile.sorts_fields && form.fields.len() > 1,
            own_words: profile.optional_text,
            newer: !first,
            context,
            taken: form.fields.iter().map(|field| field.name.clone()).collect(),
            properties: Map::new(),
            required: Vec::new(),
            count: 0,
            name: String::new(),
            dash: false,
        }
    }

    /// Adds the field's properties and says how its answer comes back. With `dash`, the client cannot
    /// leave it empty although it may be.
    pub fn field(&mut self, field: &Field, dash: bool) -> Wire {
        self.count += 1;
        self.dash = dash;
        self.name = if self.numbered {
            self.unused(format!("{:02}_{}", self.count, field.name))
        } else {
            field.name.clone()
        };
        Wire {
            shape: self.shape(field),
            key: self.name.clone(),
            name: field.name.clone(),
            dash,
        }
    }

    fn shape(&mut self, field: &Field) -> Shape {
        match &field.kind {
            Kind::Text(rules) => self.text(field, rules),
            Kind::Toggle(rules) => {
                // A client that selects yes by itself keeps to a default where there is one.
                let default = rules.default.or(self.preselects.then_some(false));
                let default = default.map(Value::Bool);
                let words = description::help(field);
                self.put(field, property("boolean"), words, default);
                Shape::Toggle
            }
            Kind::Confirm => self.confirm(field),
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

    /// A yes or no. Where the client would select one, neither is selected by what stands first; and a
    /// yes to what is dangerous is typed there.
    fn confirm(&mut self, field: &Field) -> Shape {
        let mut words = self.danger_of(field);
        if !self.preselects {
            words.extend(description::help(field));
            self.put(field, property("boolean"), words, None);
            return Shape::AsIs;
        }
        let mut answer = property("string");
        let shape = match self.context.danger {
            Some((_, word)) => {
                words.push(format!("Type {word} for a yes, or no for a no."));
                Shape::Word(word.to_owned())
            }
            None => {
                self.list(Options::from([UNDECIDED, YES, NO]), &mut answer);
                Shape::YesNo
            }
        };
        words.extend(description::help(field));
        self.put(field, answer, words, None);
        shape
    }

    fn text(&mut self, field: &Field, rules: &Text) -> Shape {
        let mut text = property("string");
        // What a dash has to pass is not said to the client; it is checked here all the same.
        let told = !self.dash;
        set(&mut text, "minLength", rules.min_length.filter(|_| told));
        set(&mut text, "maxLength", rules.max_length);
        let format = rules.format.filter(|_| told);
        set(&mut text, "format", format.map(|format| json!(format)));
        // An empty one says that the field may stay empty: not where it may not, nor where a dash is typed.
        let may_be_empty = !field.required && !self.dash;
        let default = rules.default.clone();
        let default = default.filter(|default| may_be_empty || !default.is_empty());
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
        set(&mut text, "format", (!self.dash).then(|| json!(format)));
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
                let default = self.filled_in(field, default);
                let default = default.map(|default| Value::from(default.to_string()));
                self.put_as(field, property("string"), words, default);
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
                let mut stars = description::stars(rules);
                if self.preselects {
                    stars.insert(0, (UNDECIDED.to_owned(), UNDECIDED.to_owned()));
                }
                self.list(Options::from(stars), &mut one);
                self.put_as(field, one, description::help(field), None);
                Shape::Number
            }
        }
    }

    /// Makes a key that nothing else has for a part of the field at hand.
    pub(super) fn key(&mut self, part: &str) -> String {
        self.unused(format!("{}_{part}", self.name))
    }

    fn unused(&mut self, mut key: String) -> String {
        while !self.taken.insert(key.clone()) {
            key.push('_');
        }
        key
    }

    /// Writes options with their labels, in the way that the client and the version have.
    pub(super) fn list(&self, options: Options, property: &mut Map<String, Value>) {
        let titles = if self.newer {
            self.titles
        } else {
            Titles::EnumNames
        };
        options.write(property, titles);
    }

    /// What is said of the danger beside a field that decides: before all else, since long help would
    /// push it out of sight.
    pub(super) fn danger_of(&self, field: &Field) -> Vec<String> {
        let danger = self.context.danger.filter(|_| field.decides());
        let said = danger.map(|(danger, _)| format!("Dangerous: {}", visible(danger)));
        said.into_iter().collect()
    }

    /// What the field is filled with at first, in its own shape: what was valid before, or its default.
    /// A field that decides is never filled in, and nothing is filled in that nobody would see.
    pub(super) fn filled_in(&self, field: &Field, default: Option<Value>) -> Option<Value> {
        let kept = self.context.kept.and_then(|kept| kept.get(&field.name));
        let kept = kept.filter(|kept| all_visible(kept));
        kept.cloned().or(default).filter(|_| !field.decides())
    }

    /// Writes what a property is filled with, where the version has such a default. The one place that
    /// writes one, and it writes none for a field that decides.
    pub(super) fn fill(
        &self,
        field: &Field,
        property: &mut Map<String, Value>,
        default: Option<Value>,
    ) {
        let carried = |default: &Value| self.newer || default.is_boolean();
        let default = default.filter(|default| !field.decides() && carried(default));
        set(property, "default", default);
    }

    /// As [`Self::put_as`], with a default in the field's own shape, which is what the client takes too.
    fn put(
        &mut self,
        field: &Field,
        property: Map<String, Value>,
        words: Vec<String>,
        default: Option<Value>,
    ) {
        let default = self.filled_in(field, default);
        self.put_as(field, property, words, default);
    }

    /// Adds the field's own property, with a default as the client takes it.
    pub(super) fn put_as(
        &mut self,
        field: &Field,
        mut property: Map<String, Value>,
        mut words: Vec<String>,
        default: Option<Value>,
    ) {
        let question = self.context.question.as_deref();
        let question = question.filter(|_| field.kind == Kind::Confirm);
        // A numbered name is not for people.
        let label = self.numbered.then(|| field.label());
        let title = field.title.as_deref().or(question).or(label);
        set(&mut property, "title", title.map(one_line));
        if self.dash {
            words.push(description::DASH.to_owned());
        }
        described(&mut property, words);
        self.fill(field, &mut property, default);
        if field.required || self.dash {
            self.required.push(self.name.clone());
        }
        self.properties.insert(self.name.clone(), property.into());
    }
}

pub(super) fn property(kind: &str) -> Map<String, Value> {
    Map::from_iter([("type".to_owned(), kind.into())])
}

pub(super) fn set(property: &mut Map<String, Value>, key: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        property.insert(key.to_owned(), value.into());
    }
}

fn all_visible(value: &Value) -> bool {
    match value {
        Value::String(text) => is_visible(text),
        Value::Array(values) => values.iter().all(all_visible),
        _ => true,
    }
}
