//! Options as a client takes them, and the words that stand for yes, no and neither.

use super::{Map, Value, description};
use crate::{field::Pick, profile::Titles};
use serde_json::json;

/// Stands first where a client selects the first option for the person.
pub(super) const UNDECIDED: &str = "Not decided yet";
pub(super) const YES: &str = "Yes";
pub(super) const NO: &str = "No";

/// Options on their way to a client: what travels for each, and what it stands for.
#[derive(Default)]
pub(super) struct Options(Vec<Listed>);

struct Listed {
    /// What the client sends back.
    sent: String,
    title: String,
    /// The value in the form's own shape; none where it is no answer, or the person's own words.
    value: Option<String>,
}

impl Options {
    /// These options, with what stands for an answer of the person's own and for none.
    pub fn new(picks: &[Pick], titles: Titles, undecided: bool, other: bool) -> Self {
        let mut options = Self::default();
        if undecided {
            options.add(UNDECIDED, UNDECIDED, picks);
        }
        for pick in picks {
            let (title, value) = (pick.title(), pick.value.clone());
            let sent = match titles {
                Titles::Values if is_unique(picks, &title) => title.clone(),
                Titles::Values => format!("{title} ({value})"),
                _ => value.clone(),
            };
            options.0.push(Listed {
                sent,
                title,
                value: Some(value),
            });
        }
        if other {
            let sent = match titles {
                Titles::Values => description::OTHER,
                _ => "other",
            };
            options.add(sent, description::OTHER, picks);
        }
        options
    }

    /// Adds what is not an option of the form, under a name and a label that none of those has: a
    /// client may send the one for the other.
    fn add(&mut self, sent: &str, title: &str, picks: &[Pick]) {
        let is = |pick: &Pick, text: &str| pick.value == text || pick.title() == text;
        let unused = |text: &str| {
            let mut text = text.to_owned();
            while picks.iter().any(|pick| is(pick, &text)) {
                text.push('_');
            }
            text
        };
        self.0.push(Listed {
            sent: unused(sent),
            title: unused(title),
            value: None,
        });
    }

    /// What the client sends for this value.
    pub fn sent(&self, value: &str) -> Option<&str> {
        let found = self
            .0
            .iter()
            .find(|one| one.value.as_deref() == Some(value));
        found.map(|one| one.sent.as_str())
    }

    /// What the client sends for the first one.
    pub fn first(&self) -> Option<&str> {
        self.0.first().map(|one| one.sent.as_str())
    }

    /// What the client sends for the last one.
    pub fn last(&self) -> Option<&str> {
        self.0.last().map(|one| one.sent.as_str())
    }

    /// What is sent and what it stands for, where the two differ.
    pub fn renamed(&self) -> Vec<(String, String)> {
        let renamed = self.0.iter().filter_map(|one| {
            let value = one.value.as_ref().filter(|value| **value != one.sent)?;
            Some((one.sent.clone(), value.clone()))
        });
        renamed.collect()
    }

    /// Writes them; their labels only where one says more than what is sent.
    pub fn write(self, property: &mut Map<String, Value>, titles: Titles) {
        let plain = self.0.iter().all(|one| one.sent == one.title);
        if !plain && titles != Titles::EnumNames {
            property.insert("oneOf".into(), self.constants());
            return;
        }
        let listed = self.0.into_iter().map(|one| (one.sent, one.title));
        let (values, titles): (Vec<_>, Vec<_>) = listed.unzip();
        property.insert("enum".into(), values.into());
        if !plain {
            property.insert("enumNames".into(), titles.into());
        }
    }

    /// Writes them as the items of an array.
    pub fn write_items(self, items: &mut Map<String, Value>) {
        if self.0.iter().all(|one| one.sent == one.title) {
            self.write(items, Titles::OneOf);
        } else {
            *items = Map::from_iter([("anyOf".into(), self.constants())]);
        }
    }

    fn constants(self) -> Value {
        let constant = |one: Listed| json!({"const": one.sent, "title": one.title});
        self.0.into_iter().map(constant).collect()
    }
}

/// Options whose labels are what stands for them.
impl<const N: usize> From<[&str; N]> for Options {
    fn from(words: [&str; N]) -> Self {
        let listed = words.map(|word| Listed {
            sent: word.to_owned(),
            title: word.to_owned(),
            value: Some(word.to_owned()),
        });
        Self(listed.into())
    }
}

/// The steps of a rating.
impl From<Vec<(String, String)>> for Options {
    fn from(listed: Vec<(String, String)>) -> Self {
        let listed = listed.into_iter().map(|(value, title)| Listed {
            sent: value.clone(),
            title,
            value: Some(value),
        });
        Self(listed.collect())
    }
}

fn is_unique(picks: &[Pick], title: &str) -> bool {
    picks.iter().filter(|pick| pick.title() == title).count() == 1
}
