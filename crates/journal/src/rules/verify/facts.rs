//! The parts of a body that are compared with a row; the rest is skipped unread.

use crate::CallBinding;
use holdpoint_ask::{Digest, Origin};
use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use std::borrow::Cow;
use uuid::Uuid;

#[derive(Deserialize)]
pub(super) struct CalledFacts<'a> {
    pub owner: Uuid,
    pub origin: Origin,
    #[serde(borrow)]
    pub method: Cow<'a, str>,
    pub arguments: Value,
}

impl CalledFacts<'_> {
    /// Whether a row may say this of what binds the call. A program that was older than servers'
    /// names said nothing.
    pub fn allows(&self, binding: Option<CallBinding>) -> bool {
        match binding {
            Some(said) => said == CallBinding::new(&self.origin, &self.method, &self.arguments),
            None => self.origin.server.is_none(),
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AskedFacts<'a> {
    pub digest: Digest,
    #[serde(borrow)]
    pub origin: OriginFacts<'a>,
    pub deadline_at: Option<i64>,
    #[serde(borrow)]
    pub ask: &'a RawValue,
}

#[derive(Deserialize)]
pub(super) struct OriginFacts<'a> {
    #[serde(borrow)]
    pub principal: Cow<'a, str>,
}

#[derive(Deserialize)]
pub(super) struct RefusedFacts {
    pub refusals: u32,
}

impl AskedFacts<'_> {
    /// Whether the form has a secret. A quote within a text is escaped, so that only a field of
    /// that kind reads like this.
    pub fn has_secret(&self) -> bool {
        self.ask.get().contains(r#""kind":"secret""#)
    }

    /// Whether it is dangerous. No other object of an ask has a key of that name.
    pub fn is_dangerous(&self) -> bool {
        self.ask.get().contains(r#""dangerous":true"#)
    }
}

/// The digest of an ask that is stored as JSON.
pub(super) fn digest_of(ask: &str) -> Option<Digest> {
    let ask: Value = serde_json::from_str(ask).ok()?;
    Digest::hash_json(&ask).ok()
}
