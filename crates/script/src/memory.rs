//! What a script wants of its memory, as it is yielded or awaited.

use crate::{YieldError, fields::Fields};
use serde_json::{Map, Value};

/// How much can be kept under one key.
const LONGEST_KEY: usize = 200;
const LARGEST: usize = 64 << 10;

/// What a script wants of its memory.
#[derive(Debug, Clone, PartialEq)]
pub enum Memory {
    /// The value of a key; `null` where there is none.
    Get(String),
    /// Whether a key has a value.
    Has(String),
    /// All keys that have one.
    Keys,
    /// Keeps a value.
    Set {
        /// Its key.
        key: String,
        /// The value.
        value: Value,
    },
    /// Removes the value of a key; says whether there was one.
    Delete(String),
    /// Removes all of them.
    Clear,
}

impl Memory {
    /// The key that it is about, where it is about one.
    pub(crate) fn key(&self) -> Option<&str> {
        match self {
            Self::Get(key) | Self::Has(key) | Self::Delete(key) | Self::Set { key, .. } => {
                Some(key)
            }
            Self::Keys | Self::Clear => None,
        }
    }

    pub(crate) fn read(fields: Map<String, Value>) -> Result<Self, YieldError> {
        let mut fields = Fields::new("the yield 'memory'", fields);
        let verb: String = fields.required("memory")?;
        let this = match verb.as_str() {
            "get" => Self::Get(key(&mut fields)?),
            "has" => Self::Has(key(&mut fields)?),
            "keys" => Self::Keys,
            "set" => {
                let text: String = fields.required("json")?;
                if text.len() > LARGEST {
                    return Err(fields.wrong("json", "a value in memory has at most 64 KB as JSON"));
                }
                let value = serde_json::from_str(&text)
                    .map_err(|error| fields.wrong("json", &error.to_string()))?;
                let key = key(&mut fields)?;
                Self::Set { key, value }
            }
            "delete" => Self::Delete(key(&mut fields)?),
            "clear" => Self::Clear,
            _ => return Err(fields.wrong("memory", "use get, set, has, delete, keys or clear")),
        };
        fields.end()?;
        Ok(this)
    }
}

fn key(fields: &mut Fields) -> Result<String, YieldError> {
    let key: String = fields.required("key")?;
    if key.is_empty() || key.len() > LONGEST_KEY {
        return Err(fields.wrong("key", &format!("it must have 1 to {LONGEST_KEY} bytes")));
    }
    // It is in the name of a step, which people read.
    if key != holdpoint_ask::visible(&key) {
        return Err(fields.wrong("key", "it must have visible characters only"));
    }
    Ok(key)
}
