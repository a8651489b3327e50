//! Trying a flow without a client: a person who says what the test wants.

#[cfg(feature = "sqlite")]
mod script;

#[cfg(feature = "sqlite")]
pub use script::{Played, Says, Script};

use crate::Replier;
use holdpoint_ask::{ChannelKind, Gesture, Presence, Reply};
use jiff::Timestamp;
use serde_json::Value;

/// The presence of a person who has read an ask whose word is this one, and answers it deliberately.
pub fn at_leisure(word: &str) -> Presence {
    Presence::seen(Timestamp::UNIX_EPOCH, Gesture::Word(word.to_owned())).at_terminal()
}

/// A person who has read an ask that names no word of its own, and answers it deliberately.
pub fn person(channel: ChannelKind, name: Option<&str>) -> Replier {
    let name = name.map(str::to_owned);
    Replier::new(channel, name, at_leisure("confirm"))
}

/// An accepted form with this content.
pub fn accept(content: Value) -> Reply {
    let content = match content {
        Value::Object(content) => content,
        _ => Default::default(),
    };
    Reply::Accept { content }
}
