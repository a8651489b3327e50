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
///
/// ```
/// use holdpoint::{ChannelKind, Replier, testing::at_leisure};
///
/// let ann = Replier::new(ChannelKind::Terminal, Some("ann".into()), at_leisure("users"));
/// assert!(ann.presence.terminal);
/// ```
pub fn at_leisure(word: &str) -> Presence {
    Presence::seen(Timestamp::UNIX_EPOCH, Gesture::Word(word.to_owned())).at_terminal()
}

/// A person who has read an ask that names no word of its own, and answers it deliberately.
///
/// ```
/// use holdpoint::{ChannelKind, testing::person};
///
/// assert_eq!(person(ChannelKind::Inbox, Some("ann")).name.as_deref(), Some("ann"));
/// ```
pub fn person(channel: ChannelKind, name: Option<&str>) -> Replier {
    let name = name.map(str::to_owned);
    Replier::new(channel, name, at_leisure("confirm"))
}

/// An accepted form with this content.
///
/// ```
/// use holdpoint::{Reply, testing::accept};
/// use serde_json::json;
///
/// assert!(matches!(accept(json!({ "confirmed": true })), Reply::Accept { .. }));
/// ```
pub fn accept(content: Value) -> Reply {
    let content = match content {
        Value::Object(content) => content,
        _ => Default::default(),
    };
    Reply::Accept { content }
}
