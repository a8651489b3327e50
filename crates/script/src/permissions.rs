//! What a script says that it may do: `export const permissions`.

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

const KEYS: [&str; 4] = ["run", "read", "write", "net"];

impl Permissions {
    /// Whether nothing is declared.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Reads what a module exports.
    ///
    /// # Errors
    /// In words, when it is anything else than lists of names.
    pub(crate) fn read(value: &Value) -> Result<Self, String> {
        let shape =
            "write permissions = { run: ['git'], read: ['.'], write: ['out'], net: ['127.0.0.1'] }";
        let Value::Object(declared) = value else {
            return Err(format!("permissions must be an object: {shape}"));
        };
        let mut permissions = Self::default();
        for (key, value) in declared {
            let list = match key.as_str() {
                "run" => &mut permissions.run,
                "read" => &mut permissions.read,
                "write" => &mut permissions.write,
                "net" => &mut permissions.net,
                _ => {
                    let known = KEYS.join(", ");
                    return Err(format!(
                        "permissions.{key} is unknown; there are {known}: {shape}"
                    ));
                }
            };
            *list = names(key, value)?;
        }
        Ok(permissions)
    }
}

fn names(key: &str, value: &Value) -> Result<Vec<String>, String> {
    let items = value.as_array();
    let items = items.ok_or_else(|| format!("permissions.{key} must be a list of texts"))?;
    let name = |(index, item): (usize, &Value)| {
        let name = item.as_str().filter(|name| !name.trim().is_empty());
        name.map(str::to_owned)
            .ok_or_else(|| format!("permissions.{key}[{index}] must be a text that is not empty"))
    };
    items.iter().enumerate().map(name).collect()
}
