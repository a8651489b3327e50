//! Writes choices of one and of many as properties of a `requestedSchema`.

use super::{
    description::{self, described},
    options::{NO, Options, YES},
    property::{Writer, property, set},
    raise::{Many, One, Other, Shape, Ticks},
};
use crate::{
    Field,
    describe::one_line,
    field::{Choice, Choices, Pick},
    profile::Titles,
    visible,
};
use serde_json::{Value, json};

impl Writer<'_> {
    pub(super) fn choice(&mut self, field: &Field, rules: &Choice) -> Shape {
        let titles = if rules.enum_names {
            Titles::EnumNames
        } else {
            self.titles
        };
        let filled = self.filled_in(field, rules.default.clone().map(Value::from));
        let filled = filled.as_ref().and_then(Value::as_str);
        let mut picks = rules.options.clone();
        if self.preselects && !self.newer {
            // The version has no default for it: what the client selects is what stands first.
            let listed = |value: &&str| picks.iter().any(|pick| pick.value == **value);
            let first = filled.filter(listed).or(rules.default.as_deref());
            picks.sort_by_key(|pick| first != Some(&pick.value));
        }
        let undecided = self.preselects && field.decides();
        let other = rules.other && self.own_words;
        let options = Options::new(&picks, titles, undecided, other);
        let undecided = options.first().filter(|_| undecided).map(str::to_owned);
        let option = options.last().filter(|_| other).map(str::to_owned);
        let sent = filled
            .and_then(|value| options.sent(value))
            .map(str::to_owned);
        let own = filled.filter(|_| sent.is_none() && other);
        let default = sent.or_else(|| option.clone().filter(|_| own.is_some()));
        let renamed = options.renamed();
        let mut one = property("string");
        if rules.enum_names {
            options.write(&mut one, titles);
        } else {
            self.list(options, &mut one);
        }
        let mut words = self.danger_of(field);
        words.extend(description::options(field, &rules.options));
        words.extend(self.elsewhere(rules.other));
        self.put_as(field, one, words, default.map(Value::from));
        let other = option.map(|option| Other {
            key: self.other_text(field, description::INSTEAD, own),
            option,
        });
        Shape::One(One {
            renamed,
            undecided,
            other,
        })
    }

    /// A choice of many as an array. Where the client would select something, that is no answer.
    pub(super) fn choices(&mut self, field: &Field, rules: &Choices) -> Shape {
        let undecided = self.preselects_many && field.decides();
        let options = Options::new(&rules.options, self.titles, undecided, false);
        let undecided = options.first().filter(|_| undecided).map(str::to_owned);
        let renamed = options.renamed();
        let filled = self.filled_in(field, rules.default.clone().map(Value::from));
        let default = filled.as_ref().and_then(|filled| {
            let chosen = filled.as_array()?.iter();
            let sent = chosen.filter_map(|value| options.sent(value.as_str()?));
            Some(sent.map(Value::from).collect())
        });
        let mut items = property("string");
        options.write_items(&mut items);
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
        let mut words = self.danger_of(field);
        words.extend(description::options(field, &rules.options));
        words.extend(description::count(rules));
        words.extend(self.elsewhere(rules.other));
        self.put_as(field, many, words, default);
        Shape::Many(Many {
            renamed,
            undecided,
            empty_is_untouched: self.preselects && field.decides(),
            other: self.own_text(field, rules, filled.as_ref()),
        })
    }

    /// A yes or no for each option. Where the client would select one, that is no.
    pub(super) fn ticks(&mut self, field: &Field, rules: &Choices) -> Shape {
        let words = self.preselects && field.decides();
        let filled = self.filled_in(field, rules.default.clone().map(Value::from));
        let chosen = filled.as_ref().and_then(Value::as_array);
        let digits = rules.options.len().to_string().len().max(2);
        let mut keys = Vec::new();
        for (index, pick) in rules.options.iter().enumerate() {
            let mut help = Vec::new();
            if index == 0 {
                help.extend(self.danger_of(field));
                help.extend(description::help(field));
                help.extend(description::count(rules));
                help.extend(self.elsewhere(rules.other));
            }
            let explained = pick.description.as_deref();
            help.extend(explained.map(|text| visible(text).into_owned()));
            let mut tick = property(if words { "string" } else { "boolean" });
            if words {
                self.list(Options::from([NO, YES]), &mut tick);
            }
            let title = format!("{}: {}", field.label(), pick.title());
            tick.insert("title".into(), one_line(&title).into());
            described(&mut tick, help);
            let ticked = chosen.map(|chosen| chosen.contains(&json!(pick.value)));
            self.fill(field, &mut tick, ticked.map(Value::from));
            let part = part(pick, index);
            let key = self.key(&if self.sorted {
                format!("{:0digits$}_{part}", index + 1)
            } else {
                part
            });
            if field.required {
                self.required.push(key.clone());
            }
            self.properties.insert(key.clone(), tick.into());
            keys.push((key, pick.value.clone()));
        }
        let other = self.own_text(field, rules, filled.as_ref());
        Shape::Ticks(Ticks { keys, words, other })
    }

    /// Says where to give an answer of one's own, where there is no line for it here.
    fn elsewhere(&self, other: bool) -> Option<String> {
        (other && !self.own_words).then(|| description::ELSEWHERE.to_owned())
    }

    fn own_text(
        &mut self,
        field: &Field,
        rules: &Choices,
        filled: Option<&Value>,
    ) -> Option<String> {
        let listed = |value: &&str| rules.options.iter().any(|pick| pick.value == **value);
        let chosen = filled.and_then(Value::as_array).into_iter().flatten();
        let own = chosen
            .filter_map(Value::as_str)
            .find(|value| !listed(value));
        (rules.other && self.own_words).then(|| self.other_text(field, description::BESIDES, own))
    }

    /// An optional line for an answer of the person's own; gives its key.
    fn other_text(&mut self, field: &Field, help: &str, own: Option<&str>) -> String {
        let mut text = property("string");
        let title = one_line(&format!("{}: other", field.label()));
        text.insert("title".into(), title.into());
        described(&mut text, vec![help.to_owned()]);
        self.fill(field, &mut text, own.map(Value::from));
        let key = self.key("other");
        self.properties.insert(key.clone(), text.into());
        key
    }
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
