//! Client profiles: what MCP clients really do with a form.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::{fmt, str::FromStr, time::Duration};

/// What a client really renders, and how its calls end: chosen by the name that it gives itself.
///
/// It narrows what a client declared and never widens it: a client that declared no forms gets
/// none, whatever its profile says.
///
/// ```
/// use holdpoint_ask::ClientProfile;
/// use holdpoint_ask::profile::Numbers;
///
/// let codex = ClientProfile::for_client("codex-mcp-client", Some("0.50.0"));
/// assert_eq!(codex.numbers, Numbers::Text);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ClientProfile {
    /// Shows forms to a person, where it declares them.
    pub form: bool,
    /// Opens addresses for a person, where it declares that.
    pub url: bool,
    /// Which fields it shows.
    pub shows: Shows,
    /// How the labels of options travel.
    pub titles: Titles,
    /// How a choice of many travels.
    pub multi_select: MultiSelect,
    /// How numbers travel.
    pub numbers: Numbers,
    /// The most characters of a message that it shows whole; no known limit where there is none.
    pub max_message: Option<usize>,
    /// It gives up on a call after this long, or after this long without progress where that
    /// resets its clock. In configuration, `aborts_after_seconds`.
    #[serde(rename = "aborts_after_seconds", with = "seconds")]
    pub aborts_after: Option<Duration>,
    /// Progress on a call starts its clock again.
    pub progress_resets_clock: bool,
    /// Its cancel button says `decline`: a no from it may be no more than a closed window.
    pub cancel_says_decline: bool,
    /// It may decline or cancel without having shown anything.
    pub may_answer_unseen: bool,
    /// It may accept a form without fields in the person's name.
    pub accepts_empty_forms: bool,
}

/// Which fields a client shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shows {
    /// All that its protocol version has.
    #[default]
    All,
    /// Forms of booleans and nothing else.
    Booleans,
}

/// How the labels of options travel, in versions that have both ways.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Titles {
    /// As `oneOf` with `const` and `title`.
    #[default]
    OneOf,
    /// As `enum` with `enumNames`.
    EnumNames,
}

/// How a choice of many travels, in versions that have both ways.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MultiSelect {
    /// As an array.
    #[default]
    Native,
    /// As one boolean for each option.
    Booleans,
}

/// How numbers travel.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Numbers {
    /// As numbers.
    #[default]
    Native,
    /// As text that is checked on our side; a rating as a choice.
    Text,
}

impl Default for ClientProfile {
    /// An unknown client: it gets what it declared.
    fn default() -> Self {
        Self {
            form: true,
            url: true,
            shows: Shows::All,
            titles: Titles::OneOf,
            multi_select: MultiSelect::Native,
            numbers: Numbers::Native,
            max_message: None,
            aborts_after: None,
            progress_resets_clock: false,
            cancel_says_decline: false,
            may_answer_unseen: false,
            accepts_empty_forms: false,
        }
    }
}

impl ClientProfile {
    /// The profile of the client that calls itself so; what it declared, where nobody knows it.
    ///
    /// The version is there for the day on which a client changes its ways; none needs it yet.
    pub fn for_client(name: &str, _version: Option<&str>) -> Self {
        let known = Self::default();
        match name.trim().to_lowercase().as_str() {
            name if name.starts_with("visual studio code") => Self {
                cancel_says_decline: true,
                ..known
            },
            "claude-code" => Self {
                aborts_after: Some(Duration::from_secs(300)),
                progress_resets_clock: true,
                may_answer_unseen: true,
                ..known
            },
            name if name.starts_with("codex") => Self {
                multi_select: MultiSelect::Booleans,
                numbers: Numbers::Text,
                may_answer_unseen: true,
                accepts_empty_forms: true,
                ..known
            },
            name if name.starts_with("cursor") => Self {
                url: false,
                ..known
            },
            "opencode" => Self {
                url: false,
                shows: Shows::Booleans,
                ..known
            },
            "claude-ai" => Self {
                form: false,
                url: false,
                may_answer_unseen: true,
                ..known
            },
            _ => known,
        }
    }

    /// A client on the TypeScript SDK's own settings: it gives up after a minute without progress.
    ///
    /// Such clients name themselves as they like, so [`ClientProfile::for_client`] cannot know them.
    pub fn typescript_sdk() -> Self {
        Self {
            aborts_after: Some(Duration::from_secs(60)),
            ..Self::default()
        }
    }

    /// This profile with some keys changed, as a section of the configuration does it.
    ///
    /// # Errors
    /// When a key is unknown or its value does not fit; the message names it.
    pub fn with(&self, changes: &Map<String, Value>) -> Result<Self, serde_json::Error> {
        let mut profile = serde_json::to_value(self)?;
        if let Value::Object(keys) = &mut profile {
            keys.extend(changes.clone());
        }
        serde_json::from_value(profile)
    }

    /// Whether it shows this much text whole.
    pub fn fits(&self, message: &str) -> bool {
        self.max_message
            .is_none_or(|most| message.chars().count() <= most)
    }
}

/// A version of MCP, as far as asking people goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(non_camel_case_types)]
pub enum Revision {
    /// The first with elicitation: flat forms, `enumNames`, defaults for booleans only.
    V2025_06_18,
    /// Titled options, choices of many, defaults of all types, URL mode.
    V2025_11_25,
    /// The same forms, asked inside `input_required` results.
    V2026_07_28,
}

impl Revision {
    /// All of them, oldest first.
    pub const ALL: [Self; 3] = [Self::V2025_06_18, Self::V2025_11_25, Self::V2026_07_28];

    /// Its name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A protocol version in which nobody can be asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the protocol version {version:?} has no elicitation; it came with 2025-06-18")]
pub struct NoElicitation {
    /// What the client negotiated.
    pub version: String,
}

impl FromStr for Revision {
    type Err = NoElicitation;

    /// The newest version that is not later than this date.
    fn from_str(version: &str) -> Result<Self, NoElicitation> {
        let none = || NoElicitation {
            version: version.chars().take(32).collect(),
        };
        let date: jiff::civil::Date = version.parse().map_err(|_| none())?;
        let date = date.to_string();
        Self::ALL
            .into_iter()
            .rev()
            .find(|revision| revision.as_str() <= date.as_str())
            .ok_or_else(none)
    }
}

mod seconds {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::time::Duration;

    pub fn serialize<S: Serializer>(time: &Option<Duration>, to: S) -> Result<S::Ok, S::Error> {
        time.map(|time| time.as_secs()).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Duration>, D::Error> {
        Ok(Option::<u64>::deserialize(from)?.map(Duration::from_secs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn clients_by_name() {
        let check = |name: &str, change: fn(&mut ClientProfile)| {
            let mut profile = ClientProfile::default();
            change(&mut profile);
            assert_eq!(ClientProfile::for_client(name, None), profile, "{name}");
        };
        check("nobody knows me", |_| {});
        check("Visual Studio Code - Insiders", |profile| {
            profile.cancel_says_decline = true
        });
        check("cursor-vscode", |profile| profile.url = false);
        check("opencode", |profile| {
            profile.url = false;
            profile.shows = Shows::Booleans;
        });
        check("codex-mcp-client", |profile| {
            profile.multi_select = MultiSelect::Booleans;
            profile.numbers = Numbers::Text;
            profile.may_answer_unseen = true;
            profile.accepts_empty_forms = true;
        });
    }

    #[test]
    fn a_configuration_changes_single_keys() {
        let codex = ClientProfile::for_client("codex-mcp-client", None);
        let changes = json!({"numbers": "native", "aborts_after_seconds": 90});
        let changed = codex.with(changes.as_object().unwrap()).unwrap();
        assert_eq!(changed.numbers, Numbers::Native);
        assert_eq!(changed.multi_select, MultiSelect::Booleans);
        assert_eq!(changed.aborts_after, Some(Duration::from_secs(90)));
        let wrong = json!({"colour": "red"});
        let error = codex.with(wrong.as_object().unwrap()).unwrap_err();
        assert!(error.to_string().contains("colour"), "{error}");
    }

    #[test]
    fn versions_by_date() {
        let check = |version: &str, revision: Option<Revision>| {
            assert_eq!(version.parse().ok(), revision, "{version}");
        };
        check("2024-11-05", None);
        check("2025-03-26", None);
        check("2025-06-18", Some(Revision::V2025_06_18));
        check("2025-09-01", Some(Revision::V2025_06_18));
        check("2025-11-25", Some(Revision::V2025_11_25));
        check("2026-07-28", Some(Revision::V2026_07_28));
        check("2027-01-01", Some(Revision::V2026_07_28));
        check("DRAFT-2026-v1", None);
        check("", None);
    }
}
