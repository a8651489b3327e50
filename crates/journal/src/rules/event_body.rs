//! The JSON bodies of the events. The rows beside them only point at them.

use super::chain::Link;
use crate::{Event, EventKind, GrantRecord, InClient, JournalError};
use holdpoint_ask::{Ask, AskId, CallId, Digest, FieldError, GrantId, Origin};
use jiff::Timestamp;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, value::RawValue};
use std::borrow::Cow;
use uuid::Uuid;

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Called<'a> {
    pub method: Cow<'a, str>,
    pub origin: Cow<'a, Origin>,
    pub flow_version: Cow<'a, str>,
    pub owner: Uuid,
    pub arguments: Cow<'a, Value>,
    /// It is a run of a script.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub run: bool,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Asked<'a> {
    pub key: Cow<'a, str>,
    pub digest: Digest,
    pub occurrence: u32,
    pub origin: Cow<'a, Origin>,
    pub deadline_at: Option<i64>,
    pub ask: Cow<'a, Ask>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "hex_key")]
    pub seal_to: Option<[u8; 32]>,
    /// It was put before the agent's client at once.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_client: bool,
    /// The client was only let send its person to where it is answered.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub client_opens: bool,
}

impl Asked<'_> {
    /// What the agent's client was let do with it.
    pub fn in_client(&self) -> InClient {
        match (self.in_client, self.client_opens) {
            (false, _) => InClient::NotShown,
            (true, true) => InClient::Opens,
            (true, false) => InClient::Decides,
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Refused<'a> {
    pub refusals: u32,
    pub channel: Cow<'a, str>,
    pub errors: Cow<'a, [FieldError]>,
    /// The ask was taken from the agent's client.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub takes_away: bool,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Extended<'a> {
    pub deadline_at: Option<i64>,
    pub by: Cow<'a, str>,
}

/// A step that was started, or that ended with a result.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Step<'a> {
    pub name: Cow<'a, str>,
    pub occurrence: u32,
    pub epoch: u64,
    /// What is done, or what came of it, in words for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "present")]
    pub result: Option<Cow<'a, Value>>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Finished<'a> {
    pub epoch: u64,
    pub result: Cow<'a, Value>,
}

/// As [`Finished`], with a result that is JSON already.
#[derive(Debug, Serialize)]
pub(crate) struct Ended<'a> {
    pub epoch: u64,
    pub result: &'a RawValue,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct TakenOver {
    pub epoch: u64,
    pub owner: Uuid,
    pub from: Uuid,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Granted<'a> {
    pub grant: GrantId,
    pub principal: Cow<'a, str>,
    pub purpose: Cow<'a, str>,
    pub digest: Digest,
    pub expires_at: i64,
}

impl<'a> From<&'a GrantRecord> for Granted<'a> {
    fn from(grant: &'a GrantRecord) -> Self {
        Self {
            grant: grant.id,
            principal: Cow::Borrowed(&grant.principal),
            purpose: Cow::Borrowed(&grant.purpose),
            digest: grant.digest,
            expires_at: grant.expires_at.as_millisecond(),
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Redeemed {
    pub grant: GrantId,
}

/// Writes a body as JSON.
pub(crate) fn to_json(body: &impl Serialize) -> Result<String, JournalError> {
    serde_json::to_string(body).map_err(no_json)
}

/// The error of a value that cannot be recorded.
pub(crate) fn no_json(error: serde_json::Error) -> JournalError {
    JournalError::write("a value cannot be written as JSON").with_source(error)
}

/// Reads the body of the event with this number.
pub(crate) fn parse<T: DeserializeOwned>(seq: u64, text: &str) -> Result<T, JournalError> {
    serde_json::from_str(text).map_err(|error| {
        JournalError::damaged(format!("event {seq} does not hold what it should"))
            .with_source(error)
    })
}

/// Reads a stored time.
pub(crate) fn time_from_millis(millis: i64) -> Result<Timestamp, JournalError> {
    Timestamp::from_millisecond(millis).map_err(|error| {
        JournalError::damaged(format!("{millis} ms is not a valid time")).with_source(error)
    })
}

/// Reads an event back from what is stored of it.
///
/// # Errors
/// When one of its parts does not hold what it should.
pub fn read_event(link: &Link<'_>, hash: Digest) -> Result<Event, JournalError> {
    let seq = link.seq;
    let damaged = |what: String| JournalError::damaged(format!("event {seq} has {what}"));
    let id = |bytes: &[u8]| {
        <[u8; 16]>::try_from(bytes).map_err(|_| damaged(format!("an id of {} bytes", bytes.len())))
    };
    let pruned_by = link.pruned_by();
    let body = match pruned_by {
        Some(_) => Value::Null,
        None => parse(seq, link.body)?,
    };
    Ok(Event {
        seq,
        at: time_from_millis(link.at)?,
        kind: EventKind::of_word(link.kind),
        call: link.call.map(id).transpose()?.map(CallId::from_bytes),
        ask: link.ask.map(id).transpose()?.map(AskId::from_bytes),
        pruned_by,
        body,
        hash,
    })
}

/// A public key, as hexadecimal digits.
mod hex_key {
    use holdpoint_ask::Digest;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(
        key: &Option<[u8; 32]>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        key.map(Digest::from_bytes).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<[u8; 32]>, D::Error> {
        let key = Option::<Digest>::deserialize(deserializer)?;
        Ok(key.map(|key| *key.as_bytes()))
    }
}

/// A result may be JSON's `null`, which is not the same as no result.
mod present {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use serde_json::Value;
    use std::borrow::Cow;

    pub fn serialize<S: Serializer>(
        value: &Option<Cow<'_, Value>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.serialize(serializer)
    }

    pub fn deserialize<'de, 'a, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Cow<'a, Value>>, D::Error> {
        Ok(Some(Cow::Owned(Value::deserialize(deserializer)?)))
    }
}
