//! Reading an object that a script yields: every field must be known and fit.

use crate::yields::YieldError;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The fields of something that was yielded.
pub(crate) struct Fields {
    /// What it is, for messages.
    of: String,
    fields: Map<String, Value>,
    known: Vec<&'static str>,
}

impl Fields {
    pub fn new(of: impl Into<String>, fields: Map<String, Value>) -> Self {
        Self {
            of: of.into(),
            fields,
            known: Vec::new(),
        }
    }

    /// A field that may be left out; `null` and `undefined` are the same as that.
    pub fn optional<T: DeserializeOwned>(
        &mut self,
        name: &'static str,
    ) -> Result<Option<T>, YieldError> {
        self.known.push(name);
        match self.fields.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => serde_json::from_value(value)
                .map(Some)
                .map_err(|error| self.wrong(name, &error.to_string())),
        }
    }

    pub fn required<T: DeserializeOwned>(&mut self, name: &'static str) -> Result<T, YieldError> {
        let value = self.optional(name)?;
        value.ok_or_else(|| YieldError(format!("{} needs `{name}`", self.of)))
    }

    /// A boolean that is false where it is left out.
    pub fn flag(&mut self, name: &'static str) -> Result<bool, YieldError> {
        Ok(self.optional(name)?.unwrap_or(false))
    }

    /// What is wrong with a field.
    pub fn wrong(&self, name: &str, what: &str) -> YieldError {
        YieldError(format!("{}: `{name}`: {what}", self.of))
    }

    /// Nothing that nobody knows may be left.
    pub fn end(self) -> Result<(), YieldError> {
        let Some(name) = self.fields.keys().next() else {
            return Ok(());
        };
        let known = self.known.iter().copied();
        let shown: String = holdpoint_ask::visible(name).chars().take(100).collect();
        Err(YieldError(format!(
            "{} does not know `{shown}`{}",
            self.of,
            meant(name, known)
        )))
    }
}

/// What was probably meant; all that there is where nothing is near.
pub(crate) fn meant<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<_> = known.into_iter().collect();
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => format!("; there are {}", known.join(", ")),
    }
}

fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |name: &str| name.replace(['_', '-'], "").to_lowercase();
    let wanted = plain(name);
    known
        .into_iter()
        .map(|known| (likeness(&wanted, &plain(known)), known))
        .filter(|(likeness, _)| *likeness > 0.7)
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .map(|(_, known)| known)
}

/// Two letters that were swapped make little of a difference.
fn likeness(one: &str, other: &str) -> f64 {
    let swapped = strsim::damerau_levenshtein(one, other) == 1;
    let swapped = if swapped { 0.75 } else { 0.0 };
    strsim::jaro_winkler(one, other).max(swapped)
}
