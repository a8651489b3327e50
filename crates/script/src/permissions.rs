//! What a script says that it may do: `export const permissions`.

use holdpoint_ask::visible;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a file declares for its effects.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Permissions {
    /// The programs that it runs.
    pub run: Vec<String>,
    /// The paths that it reads, from the workspace.
    pub read: Vec<String>,
    /// The paths that it writes, from the workspace.
    pub write: Vec<String>,
    /// The hosts that it calls.
    pub net: Vec<String>,
}

/// The most characters of an entry: a person reads all of it before they allow it.
const LONGEST: usize = 200;

const KEYS: [&str; 4] = ["run", "read", "write", "net"];

/// How permissions are written.
const EXAMPLE: &str =
    "write permissions = { run: ['git'], read: ['.'], write: ['out'], net: ['127.0.0.1'] }";

/// Why what a module exports as `permissions` cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PermissionsError {
    #[error("permissions must be an object: {EXAMPLE}")]
    NotAnObject,
    #[error("permissions.{key} is unknown; there are {}: {EXAMPLE}", KEYS.join(", "))]
    Unknown { key: String },
    #[error("permissions.{0} must be a list of texts")]
    NotAList(String),
    #[error("permissions.{key}[{index}] must be a text that is not empty")]
    NotAText { key: String, index: usize },
    #[error(
        "permissions.{key}[{index}] is longer than the {LONGEST} characters that are shown to the person who allows it: write a shorter one"
    )]
    TooLong { key: String, index: usize },
}

impl Permissions {
    /// Whether nothing is declared.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Parses what a module exports.
    pub(crate) fn parse(value: &Value) -> Result<Self, PermissionsError> {
        let Value::Object(declared) = value else {
            return Err(PermissionsError::NotAnObject);
        };
        let mut permissions = Self::default();
        for (key, value) in declared {
            let list = match key.as_str() {
                "run" => &mut permissions.run,
                "read" => &mut permissions.read,
                "write" => &mut permissions.write,
                "net" => &mut permissions.net,
                _ => return Err(PermissionsError::Unknown { key: key.clone() }),
            };
            *list = names(key, value)?;
        }
        Ok(permissions)
    }
}

fn names(key: &str, value: &Value) -> Result<Vec<String>, PermissionsError> {
    let key = key.to_owned();
    let Some(items) = value.as_array() else {
        return Err(PermissionsError::NotAList(key));
    };
    let mut names = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        match item.as_str() {
            Some(name) if visible(name).chars().count() > LONGEST => {
                return Err(PermissionsError::TooLong { key, index });
            }
            Some(name) if !name.trim().is_empty() => names.push(name.to_owned()),
            _ => return Err(PermissionsError::NotAText { key, index }),
        }
    }
    Ok(names)
}
