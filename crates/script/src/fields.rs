//! Reading an object that a script yields: every field that is known must fit. One that is not is an error
//! where ignoring it could do harm, and a warning where it is only about how something looks.

use crate::yield_error::{YieldError, short};
use holdpoint_ask::nearest::{did_you_mean, is_slip};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// What makes an ask stricter, and what the person is to read. A field that was probably meant to be one of
/// these is not ignored: a misspelt one would loosen it, or leave the person without it.
const BINDING: [&str; 22] = [
    "message",
    "details",
    "dangerous",
    "word",
    "consequence",
    "required",
    "timeout",
    "pattern",
    "minLength",
    "maxLength",
    "min",
    "max",
    "step",
    "options",
    "multi",
    "multiple",
    "accept",
    "format",
    "schema",
    "url",
    "includeTime",
    "disabled",
];

/// Those that every ask has, with other words that people have for them.
const CONSENT: [(&str, &str); 8] = [
    ("dangerous", "dangerous"),
    ("danger", "dangerous"),
    ("destructive", "dangerous"),
    ("irreversible", "dangerous"),
    ("word", "word"),
    ("consequence", "consequence"),
    ("required", "required"),
    ("timeout", "timeout"),
];

/// The fields of something that was yielded.
pub(crate) struct Fields {
    /// What it is, for messages.
    of: String,
    fields: Map<String, Value>,
    known: Vec<&'static str>,
    /// What was ignored, in words.
    warnings: Vec<String>,
}

impl Fields {
    pub fn new(of: impl Into<String>, fields: Map<String, Value>) -> Self {
        Self {
            of: of.into(),
            fields,
            known: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// A field about how something looks: one that does not fit is ignored, with a warning.
    pub fn shown<T: DeserializeOwned>(&mut self, name: &'static str) -> Option<T> {
        match self.optional(name) {
            Ok(value) => value,
            Err(YieldError(what)) => {
                self.warnings.push(format!("{what}; it is ignored"));
                None
            }
        }
    }

    /// Fields that mean nothing here, and are no mistake.
    pub fn ignore(&mut self, names: &[&str]) {
        for name in names {
            self.take(name);
        }
    }

    /// A field that nobody is told of.
    pub fn take(&mut self, name: &str) -> Option<Value> {
        self.fields.remove(name)
    }

    /// All that was not read.
    pub fn rest(&mut self) -> Map<String, Value> {
        std::mem::take(&mut self.fields)
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

    /// Refuses what is left: no field is ignored.
    pub fn end(self) -> Result<(), YieldError> {
        let Some(name) = self.fields.keys().next() else {
            return Ok(());
        };
        let known = self.known.iter().copied();
        let meant = did_you_mean(name, known);
        Err(self.unknown(name, &meant))
    }

    /// Ignores what is left, with a warning for each.
    pub fn end_shown(mut self, warnings: &mut Vec<String>) {
        for name in self.fields.keys() {
            let name = short(name);
            self.warnings
                .push(format!("{} has no field `{name}`; it is ignored", self.of));
        }
        warnings.append(&mut self.warnings);
    }

    /// As [`Self::end_shown`], for something that decides: what was probably meant to make it stricter is
    /// refused. So is text of more than a word where much depends on the answer (`grave`): without it the
    /// person would decide on something else than the script's author meant.
    pub fn end_asked(self, grave: bool, warnings: &mut Vec<String>) -> Result<(), YieldError> {
        for (name, value) in &self.fields {
            if let Some(meant) = self.binding(name) {
                return Err(self.unknown(name, &format!("did you mean `{meant}`?")));
            }
            if grave && holds_words(value) {
                let known = self.known.join(", ");
                let what = format!("nobody would see what it says. Its fields are: {known}");
                return Err(self.unknown(name, &what));
            }
        }
        self.end_shown(warnings);
        Ok(())
    }

    /// The field of this ask, or of every ask, that this one was probably meant to be.
    fn binding(&self, name: &str) -> Option<&'static str> {
        let plain = name.replace(['_', '-'], "").to_lowercase();
        let words = CONSENT.iter();
        let consent = words
            .map(|(word, meant)| (*word, *meant))
            .find(|(word, _)| {
                let contained = word.len() >= 6 && plain.contains(word);
                contained || is_slip(&plain, word)
            });
        if let Some((_, meant)) = consent {
            return Some(meant);
        }
        let own = self.known.iter().filter(|known| BINDING.contains(known));
        own.copied()
            .find(|known| is_slip(&plain, &known.to_lowercase()))
    }

    fn unknown(&self, name: &str, meant: &str) -> YieldError {
        YieldError(format!(
            "{} has no field `{}`; {meant}",
            self.of,
            short(name)
        ))
    }
}

/// A single word (`icon: 'trash'`) is about looks; several say something.
fn holds_words(value: &Value) -> bool {
    match value {
        Value::String(text) => text.split_whitespace().nth(1).is_some(),
        Value::Array(values) => values.iter().any(holds_words),
        Value::Object(fields) => fields.values().any(holds_words),
        _ => false,
    }
}
