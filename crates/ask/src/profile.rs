//! Client profiles: what MCP clients really do with a form.

use crate::limits::MAX_MESSAGE;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::{fmt, time::Duration};
use unicode_width::UnicodeWidthStr;

/// What a client really renders, and how its calls end: chosen by the name that it gives itself.
///
/// It narrows what a client declared and never widens it: a client that declared no forms gets
/// none, whatever its profile says. The profiles of known clients are data
/// ([`known_clients`](crate::known_clients())); the configuration changes single keys.
///
/// ```
/// use holdpoint_ask::ClientProfile;
/// use holdpoint_ask::profile::Numbers;
///
/// let codex = ClientProfile::for_client("codex-mcp-client");
/// assert_eq!(codex.numbers, Numbers::Text);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct ClientProfile {
    /// Shows forms to a person, where it declares them.
    pub form: bool,
    /// Opens addresses for a person, where it declares that.
    pub url: bool,
    /// It selects the first option, or yes, for the person: an untouched form must not be an answer.
    pub preselects_first: bool,
    /// It selects options of a choice of many too.
    pub preselects_many: bool,
    /// How the labels of options travel.
    pub titles: Titles,
    /// How a choice of many travels.
    pub multi_select: MultiSelect,
    /// How numbers travel.
    pub numbers: Numbers,
    /// An optional text can be left empty. Where it cannot, it is left out of a form that decides if it
    /// can be asked for separately, and otherwise a dash leaves it empty.
    pub optional_text: bool,
    /// It shows fields in the alphabetical order of their names.
    pub sorts_fields: bool,
    /// It renders Markdown; otherwise it is sent plain text.
    pub markdown: bool,
    /// The most characters of a message that it shows whole; no known limit where there is none.
    pub max_message: Option<usize>,
    /// The most lines of a message that it shows.
    pub max_lines: Option<usize>,
    /// The most columns of a line that it shows; it cuts longer ones.
    pub max_columns: Option<usize>,
    /// It may accept a form without fields in the person's name.
    pub accepts_empty_forms: bool,
    /// A hook in its settings may answer forms: what is dangerous is not asked there.
    pub answers_by_hook: bool,
    /// It reads a request to open an address only with an `elicitationId`, in every era.
    pub wants_elicitation_id: bool,
    /// It gives up on a call after this long, or after this long without progress where that
    /// resets its clock. In configuration, `aborts_after_seconds`.
    #[serde(rename = "aborts_after_seconds", with = "seconds")]
    pub aborts_after: Option<Duration>,
    /// Progress on a call starts its clock again.
    pub progress_resets_clock: bool,
    /// It moves a call to the background after this long without a form of its own, and what the
    /// call ends with then counts for less. In configuration, `background_after_seconds`.
    #[serde(rename = "background_after_seconds", with = "seconds")]
    pub background_after: Option<Duration>,
    /// By any of these it is known that nobody is at it: it is shown nothing then.
    pub unattended: Vec<UnattendedSign>,
}

/// How the labels of options travel, in versions that have all of these ways.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Titles {
    /// As `oneOf` with `const` and `title`.
    #[default]
    OneOf,
    /// As `enum` with `enumNames`.
    EnumNames,
    /// As the values themselves, for a client that shows those first.
    Values,
}

/// How a choice of many travels, in versions that have both ways.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum MultiSelect {
    /// As an array.
    #[default]
    Native,
    /// As a yes or no for each option.
    Booleans,
}

/// How numbers travel.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Numbers {
    /// As numbers.
    #[default]
    Native,
    /// As text that is checked on our side; a rating as a choice.
    Text,
}

/// What tells that nobody is at a client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
#[non_exhaustive]
pub enum UnattendedSign {
    /// A variable of the environment in which it started the server.
    Variable {
        /// The variable's name.
        variable: String,
        /// How its value begins.
        starts_with: String,
    },
    /// Something in the `_meta` of its requests.
    Meta {
        /// Where, as a JSON pointer.
        meta: String,
        /// What is there.
        is: String,
    },
    /// A variable that it sets only while a person is at it.
    Without {
        /// The variable's name.
        without: String,
        /// One that it always sets: where this one is missing too, nothing is known.
        beside: String,
    },
}

/// What is known of a client when it makes a request.
#[derive(Clone, Copy)]
pub struct ClientSigns<'a> {
    /// A variable of the environment in which it started the server.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    /// The `_meta` of its request.
    pub meta: &'a Value,
}

impl fmt::Debug for ClientSigns<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A request's `_meta` may hold a key of the client's.
        f.debug_struct("ClientSigns").finish_non_exhaustive()
    }
}

impl UnattendedSign {
    fn is_seen(&self, signs: ClientSigns<'_>) -> bool {
        match self {
            Self::Variable {
                variable,
                starts_with,
            } => (signs.variable)(variable).is_some_and(|value| value.starts_with(starts_with)),
            Self::Meta { meta, is } => {
                signs.meta.pointer(meta).and_then(Value::as_str) == Some(is.as_str())
            }
            Self::Without { without, beside } => {
                (signs.variable)(beside).is_some() && (signs.variable)(without).is_none()
            }
        }
    }
}

impl Default for ClientProfile {
    /// An unknown client: it gets what it declared, and may preselect what it likes.
    fn default() -> Self {
        Self {
            form: true,
            url: true,
            preselects_first: true,
            preselects_many: true,
            titles: Titles::OneOf,
            multi_select: MultiSelect::Native,
            numbers: Numbers::Native,
            optional_text: true,
            sorts_fields: false,
            markdown: true,
            max_message: None,
            max_lines: None,
            max_columns: None,
            accepts_empty_forms: false,
            answers_by_hook: false,
            wants_elicitation_id: false,
            aborts_after: None,
            progress_resets_clock: false,
            background_after: None,
            unattended: Vec::new(),
        }
    }
}

impl ClientProfile {
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

    /// Whether it shows this text whole.
    pub fn fits(&self, message: &str) -> bool {
        let within = |most: Option<usize>, count: usize| most.is_none_or(|most| count <= most);
        let mut lines = message.lines();
        message.len() <= MAX_MESSAGE
            && within(self.max_message, message.chars().count())
            && within(self.max_lines, message.lines().count())
            && lines.all(|line| within(self.max_columns, line.replace('\t', TAB).width()))
    }

    /// Whether nobody can be at the client that makes this request.
    pub fn is_unattended(&self, signs: ClientSigns<'_>) -> bool {
        self.unattended.iter().any(|sign| sign.is_seen(signs))
    }
}

/// As wide as a tab can be.
const TAB: &str = "        ";

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
    fn a_configuration_changes_single_keys() {
        let codex = ClientProfile::for_client("codex-mcp-client");
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
    fn what_fits_has_few_enough_lines_and_none_too_wide() {
        let claude = ClientProfile {
            max_lines: Some(4),
            max_columns: Some(10),
            ..ClientProfile::default()
        };
        let check = |message: &str, fits: bool| assert_eq!(claude.fits(message), fits, "{message}");
        check("one\ntwo\nthree\nfour", true);
        check("one\ntwo\nthree\nfour\nfive", false);
        check("one\n\n\n\nfive", false);
        check("exactly 10", true);
        check("no more: 11", false);
        check("a\tb", true);
        check("a\tb\tc", false);
        check("寬寬寬寬寬", true);
        check("寬寬寬寬寬寬", false);
        let any = ClientProfile::default();
        assert!(any.fits(&"long ".repeat(10_000)));
    }

    #[test]
    fn nobody_is_at_a_client_that_shows_a_sign_of_it() {
        let check = |name: &str, set: &[(&str, &str)], meta: Value, unattended: bool| {
            let signs = ClientSigns {
                variable: &|name| {
                    let found = set.iter().find(|(set, _)| *set == name);
                    found.map(|(_, value)| (*value).to_owned())
                },
                meta: &meta,
            };
            let profile = ClientProfile::for_client(name);
            assert_eq!(
                profile.is_unattended(signs),
                unattended,
                "{name} {set:?} {meta}"
            );
        };
        let turn = |trigger: &str| json!({"x-codex-turn-metadata": {"turn_trigger": trigger}});
        let entry = "CLAUDE_CODE_ENTRYPOINT";
        check("claude-code", &[(entry, "sdk-cli")], json!({}), true);
        check("claude-code", &[(entry, "cli")], json!({}), false);
        check("claude-code", &[], json!({}), false);
        check(
            "codex-mcp-client",
            &[(entry, "sdk-cli")],
            turn("user"),
            false,
        );
        check("codex-mcp-client", &[], turn("exec"), true);
        let (version, loader) = ("COPILOT_CLI_BINARY_VERSION", "COPILOT_LOADER_PID");
        check("copilot-cli", &[(version, "1.0.102")], json!({}), true);
        check(
            "copilot-cli",
            &[(version, "1.0.102"), (loader, "7")],
            json!({}),
            false,
        );
        check("copilot-cli", &[], json!({}), false);
        check("somebody", &[(entry, "sdk-cli")], turn("exec"), false);
    }
}
