//! Reading an object that a script yields: every field must be known and fit.

use crate::yield_error::YieldError;
use holdpoint_ask::nearest::did_you_mean;
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

    /// Refuses what is left: no field is ignored.
    pub fn end(self) -> Result<(), YieldError> {
        let Some(name) = self.fields.keys().next() else {
            return Ok(());
        };
        let known = self.known.iter().copied();
        let shown: String = holdpoint_ask::visible(name).chars().take(100).collect();
        Err(YieldError(format!(
            "{} has no field `{shown}`; {}",
            self.of,
            did_you_mean(name, known)
        )))
    }
}
