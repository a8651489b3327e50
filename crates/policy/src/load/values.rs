//! Values of a file, with the lines that they are on.

use crate::{RulesError, Verdict};
use holdpoint_ask::nearest::did_you_mean;
use std::{ops::Range, sync::Arc};
use toml::{
    Spanned,
    de::{DeArray, DeTable, DeValue},
};

/// A value and where it stands.
pub(super) type Value<'a> = Spanned<DeValue<'a>>;

/// A file of rules.
pub(super) struct File<'a> {
    pub shown: Arc<str>,
    /// Where each line begins.
    lines: Vec<usize>,
    text: &'a str,
}

impl<'a> File<'a> {
    pub fn new(text: &'a str, shown: &str) -> Self {
        let starts = text.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            shown: Arc::from(shown),
            lines: std::iter::once(0).chain(starts).collect(),
            text,
        }
    }

    /// The line of a place, from 1.
    pub fn line(&self, at: usize) -> usize {
        self.lines.partition_point(|start| *start <= at).max(1)
    }

    pub fn error(&self, at: usize, what: impl Into<String>) -> RulesError {
        RulesError {
            file: self.shown.to_string(),
            line: self.line(at),
            what: what.into(),
        }
    }

    /// As it is written.
    pub fn written(&self, span: Range<usize>) -> &'a str {
        self.text.get(span).unwrap_or_default()
    }

    pub fn text<'v>(&self, value: &'v Value<'_>, what: &str) -> Result<&'v str, RulesError> {
        let error = || self.error(value.span().start, format!("{what} is a text in quotes"));
        value.get_ref().as_str().ok_or_else(error)
    }

    pub fn flag(&self, value: &Value<'_>, what: &str) -> Result<bool, RulesError> {
        let error = || self.error(value.span().start, format!("{what} is true or false"));
        value.get_ref().as_bool().ok_or_else(error)
    }

    pub fn array<'v>(
        &self,
        value: &'v Value<'a>,
        what: &str,
        example: &str,
    ) -> Result<&'v DeArray<'a>, RulesError> {
        let error = || self.error(value.span().start, format!("this is {what}: {example}"));
        value.get_ref().as_array().ok_or_else(error)
    }

    pub fn table<'v>(
        &self,
        value: &'v Value<'a>,
        what: &str,
    ) -> Result<&'v DeTable<'a>, RulesError> {
        let error = || self.error(value.span().start, format!("{what} is a table"));
        value.get_ref().as_table().ok_or_else(error)
    }

    pub fn verdict(&self, value: &Value<'_>, key: &str) -> Result<Verdict, RulesError> {
        match self.text(value, &format!("`{key}`"))? {
            "allow" => Ok(Verdict::Allow),
            "ask" => Ok(Verdict::Ask),
            "deny" => Ok(Verdict::Deny),
            other => {
                let known = did_you_mean(other, ["allow", "ask", "deny"]);
                Err(self.error(
                    value.span().start,
                    format!("`{key}` cannot be `{other}`: {known}"),
                ))
            }
        }
    }
}

/// A value as JSON.
pub(super) fn json(value: &DeValue<'_>) -> Option<serde_json::Value> {
    Some(match value {
        DeValue::String(text) => text.as_ref().into(),
        DeValue::Boolean(flag) => (*flag).into(),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .ok()?
            .into(),
        DeValue::Float(number) => number.as_str().parse::<f64>().ok()?.into(),
        DeValue::Array(items) => {
            let items = items.iter().map(|item| json(item.get_ref()));
            serde_json::Value::Array(items.collect::<Option<_>>()?)
        }
        DeValue::Table(table) => {
            let entries = table
                .iter()
                .map(|(key, value)| Some((key.get_ref().to_string(), json(value.get_ref())?)));
            serde_json::Value::Object(entries.collect::<Option<_>>()?)
        }
        DeValue::Datetime(_) => return None,
    })
}
