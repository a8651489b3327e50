//! Musical keys. The titles are what people see; agents and files have the names.

use holdpoint::{Options, variants};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The key of a clip.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[allow(missing_docs)] // They would be said of the options, too.
pub enum Key {
    #[default]
    #[schemars(title = "C major")]
    C,
    #[schemars(title = "A minor")]
    Am,
    #[schemars(title = "F major")]
    F,
    #[schemars(title = "G major")]
    G,
}

impl Key {
    /// The names of all keys.
    pub fn names() -> Vec<String> {
        let picks = variants::<Self>().into_picks().unwrap_or_default();
        picks.into_iter().map(|pick| pick.value).collect()
    }
}
