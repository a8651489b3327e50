//! Which channel a person is reached through, and the names of authors' own channels.

use crate::visible;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{fmt, str, str::FromStr};

/// The words that no author's channel may have: the kinds of Holdpoint's own, and words that stand beside
/// them in the record and in results.
const RESERVED: [&str; 9] = [
    "client", "url", "inbox", "terminal", "cli", "preset", "token", "hook", "pending",
];

/// A way in which a person can be reached.
///
/// It is written as one word: `client`, `inbox`, or the name of an author's own channel.
///
/// ```
/// use holdpoint_ask::ChannelKind;
///
/// let telegram = ChannelKind::author("telegram")?;
/// assert_eq!(telegram.as_str(), "telegram");
/// assert_eq!("telegram".parse(), Ok(telegram));
/// assert_eq!("inbox".parse(), Ok(ChannelKind::Inbox));
/// # Ok::<_, holdpoint_ask::ChannelNameError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ChannelKind {
    /// The MCP client's own form.
    Client,
    /// A page that the MCP client was asked to open.
    Url,
    /// The inbox page.
    Inbox,
    /// A prompt in a terminal.
    Terminal,
    /// One command from a shell.
    Cli,
    /// An answer given beforehand.
    Preset,
    /// A program that holds a token.
    Token,
    /// A channel of an author's own.
    Author(ChannelName),
}

impl ChannelKind {
    /// Those of Holdpoint's own.
    pub const OWN: [Self; 7] = [
        Self::Client,
        Self::Url,
        Self::Inbox,
        Self::Terminal,
        Self::Cli,
        Self::Preset,
        Self::Token,
    ];

    /// A channel of an author's own, by its name.
    ///
    /// ```
    /// use holdpoint_ask::ChannelKind;
    ///
    /// assert!(ChannelKind::author("matrix-room-7").is_ok());
    /// assert!(ChannelKind::author("inbox").is_err());
    /// ```
    ///
    /// # Errors
    /// When it cannot be the name of one; see [`ChannelName::new`].
    pub fn author(name: &str) -> Result<Self, ChannelNameError> {
        ChannelName::new(name).map(Self::Author)
    }

    /// The word for it in results and in the record.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Client => "client",
            Self::Url => "url",
            Self::Inbox => "inbox",
            Self::Terminal => "terminal",
            Self::Cli => "cli",
            Self::Preset => "preset",
            Self::Token => "token",
            Self::Author(name) => name.as_str(),
        }
    }
}

impl fmt::Display for ChannelKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for ChannelKind {
    type Err = ChannelNameError;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        match Self::OWN.into_iter().find(|kind| kind.as_str() == word) {
            Some(own) => Ok(own),
            None => Self::author(word),
        }
    }
}

impl Serialize for ChannelKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for ChannelKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        word.parse().map_err(de::Error::custom)
    }
}

/// The name of an author's own channel: at most 24 lower-case letters, digits and hyphens, beginning with a
/// letter.
///
/// It is short and kept in place, so that a kind of channel can be copied.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChannelName {
    /// What is left of it is zero.
    bytes: [u8; Self::MAX],
}

impl ChannelName {
    /// The most bytes that one has.
    pub const MAX: usize = 24;

    /// Checks a name.
    ///
    /// ```
    /// use holdpoint_ask::ChannelName;
    ///
    /// assert_eq!(ChannelName::new("telegram")?.as_str(), "telegram");
    /// assert_eq!(
    ///     ChannelName::new("7th").unwrap_err().to_string(),
    ///     "\"7th\" cannot name a channel: it must begin with a letter",
    /// );
    /// # Ok::<_, holdpoint_ask::ChannelNameError>(())
    /// ```
    ///
    /// # Errors
    /// When it is empty or too long, holds anything but lower-case letters, digits and hyphens, does not
    /// begin with a letter, or is a word of Holdpoint's own.
    pub fn new(name: &str) -> Result<Self, ChannelNameError> {
        let fits = |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
        let why = match name.as_bytes() {
            [] => "it must have a letter at least",
            long if long.len() > Self::MAX => "it must have at most 24 characters",
            any if !any.iter().all(fits) => {
                "it must have only lower-case letters (a to z), digits and hyphens"
            }
            [first, ..] if !first.is_ascii_lowercase() => "it must begin with a letter",
            _ if RESERVED.contains(&name) => "that is a word of Holdpoint's own, choose another",
            fitting => {
                let mut bytes = [0; Self::MAX];
                bytes[..fitting.len()].copy_from_slice(fitting);
                return Ok(Self { bytes });
            }
        };
        let name = visible(name).chars().take(2 * Self::MAX).collect();
        Err(ChannelNameError { name, why })
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        let end = self.bytes.iter().position(|byte| *byte == 0);
        let name = &self.bytes[..end.unwrap_or(Self::MAX)];
        str::from_utf8(name).expect("only ASCII was put in")
    }
}

impl fmt::Display for ChannelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for ChannelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ChannelName").field(&self.as_str()).finish()
    }
}

/// Why something cannot be the name of an author's channel, and what can.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} cannot name a channel: {why}")]
pub struct ChannelNameError {
    /// As much of it as is needed to know it again.
    name: String,
    why: &'static str,
}

#[cfg(test)]
mod tests;
