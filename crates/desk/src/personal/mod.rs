//! What a person has set for every program that asks them.

mod error;
pub mod rules;
#[cfg(test)]
mod tests;

pub use error::PersonalError;
pub use rules::InboxPlace;

use crate::Settings;
use holdpoint_journal::shown_address;
use holdpoint_workspace::Environment;
use rules::{
    FAST_REPLY_MS, INBOX_EXPECTED, JOURNAL_EXPECTED, dangerous_loosens, fast_reply_loosens,
    journal_loosens,
};
use std::{
    fmt,
    path::{Path, PathBuf},
    time::Duration,
};
use toml::{Table, Value};

/// What a person has set for every program that asks them: where their journal is, whether there is an
/// inbox, what is trusted.
///
/// It is found as the binary `holdpoint` finds it. The person's own file
/// (`.config/holdpoint/config.toml` in the home that the system has for the account) may say anything. A
/// file that `XDG_CONFIG_HOME` or `HOME` names in its place, and the variables `HOLDPOINT_JOURNAL`,
/// `HOLDPOINT_INBOX`, `HOLDPOINT_TRUST_DANGEROUS` and `HOLDPOINT_FAST_REPLY_MS`, come with whoever
/// started the process: they may tighten what it says, and what would loosen it is an error. What lies in
/// a workspace is not read.
///
/// Other keys are the binary's own and are not looked at here. An unknown one in `[trust]` is refused all the
/// same, and one that is misspelt by a letter: a program that cannot keep to what a person set must not go
/// on as if it did.
///
/// ```
/// use holdpoint::{Environment, Personal};
/// use std::path::Path;
///
/// # let home = Path::new("/nowhere");
/// let personal = Personal::find_in(&Environment::new(home, []))?;
/// assert_eq!(personal.journal, "sqlite:/nowhere/.local/state/holdpoint/journal.db");
/// assert!(!personal.dangerous_by_inbox_only);
/// # Ok::<_, holdpoint::PersonalError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Personal {
    /// The address of the person's journal, whole: with its password, if it has one.
    pub journal: String,
    /// Where their inbox page listens, or that there is no inbox.
    pub inbox: InboxPlace,
    /// Dangerous asks go to the inbox only.
    pub dangerous_by_inbox_only: bool,
    /// An answer that comes faster was not a person's.
    pub fast_reply: Duration,
    /// The journal of their account, with which their PIN is kept; none where the system does not know the
    /// account.
    pub account_journal: Option<PathBuf>,
}

impl fmt::Debug for Personal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Personal")
            .field("journal", &shown_address(&self.journal))
            .field("inbox", &self.inbox)
            .field("dangerous_by_inbox_only", &self.dangerous_by_inbox_only)
            .field("fast_reply", &self.fast_reply)
            .field("account_journal", &self.account_journal)
            .finish()
    }
}

impl Personal {
    /// Finds what the person has set whose process this is.
    ///
    /// # Errors
    /// When any of it is wrong or may not be said where it is said, or no journal can be named.
    pub fn find() -> Result<Self, PersonalError> {
        Self::find_in(&Environment::from_process())
    }

    /// As [`Self::find`], in this environment.
    ///
    /// # Errors
    /// As there.
    pub fn find_in(environment: &Environment) -> Result<Self, PersonalError> {
        let mut layers = Layers::default();
        if let Some(own) = environment.own_config_file() {
            layers.add_file(Layer::Own, &own)?;
        }
        if let Some(pointed) = environment.pointed_config_file() {
            layers.add_file(Layer::Pointed, &pointed)?;
        }
        layers.add_variables(environment)?;
        let said = layers.said;
        Ok(Self {
            journal: rules::journal_address(said.journal.as_deref(), environment)?,
            inbox: said.inbox,
            dangerous_by_inbox_only: said.dangerous_by_inbox_only,
            fast_reply: said.fast_reply,
            account_journal: environment.account_journal_file(),
        })
    }

    /// The same settings, and never looser than the person's own.
    pub(crate) fn tighten(&self, settings: Settings) -> Settings {
        Settings {
            fast_reply: settings.fast_reply.max(self.fast_reply),
            dangerous_by_inbox_only: settings.dangerous_by_inbox_only
                || self.dangerous_by_inbox_only,
            ..settings
        }
    }
}

/// The values of the keys.
#[derive(Debug, Clone)]
struct Said {
    journal: Option<String>,
    inbox: InboxPlace,
    dangerous_by_inbox_only: bool,
    fast_reply: Duration,
}

impl Default for Said {
    fn default() -> Self {
        let desk = Settings::default();
        Self {
            journal: None,
            inbox: InboxPlace::Usual,
            dangerous_by_inbox_only: desk.dangerous_by_inbox_only,
            fast_reply: desk.fast_reply,
        }
    }
}

/// Who says something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layer {
    /// The person's own file.
    Own,
    /// A file that variables name in its place.
    Pointed,
    /// A variable.
    Variable,
}

/// One key: how a value of it is read, and when that loosens what the person's own file says.
struct Key {
    name: &'static str,
    variable: &'static str,
    expected: &'static str,
    set: fn(&mut Said, &Written<'_>, Layer) -> Option<()>,
    loosens: fn(&Said, &Said) -> Option<String>,
}

const KEYS: [Key; 4] = [
    Key {
        name: "journal",
        variable: "HOLDPOINT_JOURNAL",
        expected: JOURNAL_EXPECTED,
        set: |said, value, layer| {
            let fits =
                |url: &&str| layer == Layer::Variable || rules::means_the_same_everywhere(url);
            said.journal = Some(value.text().filter(fits)?.to_owned());
            Some(())
        },
        loosens: |new, own| journal_loosens(new.journal.as_deref(), own.journal.as_deref()),
    },
    Key {
        name: "inbox",
        variable: "HOLDPOINT_INBOX",
        expected: INBOX_EXPECTED,
        set: |said, value, _| {
            said.inbox = InboxPlace::parse(value.text()?)?;
            Some(())
        },
        loosens: |new, own| new.inbox.loosens(own.inbox),
    },
    Key {
        name: "trust.dangerous",
        variable: "HOLDPOINT_TRUST_DANGEROUS",
        expected: "`client` or `inbox`",
        set: |said, value, _| {
            said.dangerous_by_inbox_only = match value.text()? {
                "client" => false,
                "inbox" => true,
                _ => return None,
            };
            Some(())
        },
        loosens: |new, own| {
            dangerous_loosens(new.dangerous_by_inbox_only, own.dangerous_by_inbox_only)
        },
    },
    Key {
        name: "fast_reply_ms",
        variable: "HOLDPOINT_FAST_REPLY_MS",
        expected: "a number of milliseconds from 0 to 60000",
        set: |said, value, _| {
            let time = value.number().filter(|time| FAST_REPLY_MS.contains(time))?;
            said.fast_reply = Duration::from_millis(time);
            Some(())
        },
        loosens: |new, own| fast_reply_loosens(new.fast_reply, own.fast_reply),
    },
];

/// The section whose keys must all be known.
const TRUST: &str = "trust";

/// The sources so far, the later over the earlier.
#[derive(Default)]
struct Layers {
    said: Said,
    /// What the person's own file says, or the defaults; tightened by the one that variables name.
    own: Said,
}

impl Layers {
    fn add_file(&mut self, layer: Layer, path: &Path) -> Result<(), PersonalError> {
        let text = rules::read_settings_file(path).map_err(|source| PersonalError::Read {
            path: path.to_owned(),
            source,
        })?;
        let Some(text) = text else { return Ok(()) };
        let table: Table = text
            .parse()
            .map_err(|error: toml::de::Error| PersonalError::Toml {
                path: path.to_owned(),
                what: rules::without_addresses(&error.to_string()),
            })?;
        let place = path.display().to_string();
        check_spelling(&table, &place)?;
        check_trust(&table, &place)?;
        for key in &KEYS {
            for value in values_of(&table, key.name) {
                self.add(layer, key, &Written::Typed(value), &place)?;
            }
        }
        self.own = self.said.clone();
        Ok(())
    }

    /// An empty variable says nothing.
    fn add_variables(&mut self, environment: &Environment) -> Result<(), PersonalError> {
        for key in &KEYS {
            if let Some(value) = environment.variable(key.variable) {
                let place = format!("the variable {}", key.variable);
                let written = value.to_str().map(Written::Text);
                let written = written.unwrap_or(Written::NotText);
                self.add(Layer::Variable, key, &written, &place)?;
            }
        }
        Ok(())
    }

    fn add(
        &mut self,
        layer: Layer,
        key: &Key,
        value: &Written<'_>,
        place: &str,
    ) -> Result<(), PersonalError> {
        let mut said = self.said.clone();
        (key.set)(&mut said, value, layer).ok_or_else(|| PersonalError::Value {
            place: place.to_owned(),
            key: key.name,
            expected: key.expected,
        })?;
        if layer != Layer::Own
            && let Some(why) = (key.loosens)(&said, &self.own)
        {
            return Err(PersonalError::Loosens {
                place: place.to_owned(),
                key: key.name,
                why,
            });
        }
        self.said = said;
        Ok(())
    }
}

/// Refuses what was probably meant to be one of the keys, and would be passed over otherwise.
fn check_spelling(table: &Table, place: &str) -> Result<(), PersonalError> {
    let known = KEYS.iter().map(|key| key.name).chain([TRUST]);
    for key in table.keys() {
        if let Some(meant) = known.clone().find(|known| is_one_slip(key, known)) {
            return Err(PersonalError::Unknown {
                place: place.to_owned(),
                key: key.clone(),
                meant,
            });
        }
    }
    Ok(())
}

/// Refuses what says something of trust that is not known, or has another shape.
fn check_trust(table: &Table, place: &str) -> Result<(), PersonalError> {
    let section = match table.get(TRUST) {
        None => return Ok(()),
        Some(Value::Table(section)) => section,
        Some(_) => {
            return Err(PersonalError::Value {
                place: place.to_owned(),
                key: TRUST,
                expected: "a section, `[trust]`",
            });
        }
    };
    match section.keys().find(|name| *name != "dangerous") {
        Some(name) => Err(PersonalError::Unknown {
            place: place.to_owned(),
            key: format!("{TRUST}.{name}"),
            meant: "trust.dangerous",
        }),
        None => Ok(()),
    }
}

/// Whether one letter too many, too few or wrong, or two that changed places, tell these apart.
fn is_one_slip(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let begin = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[begin..], &other[begin..]);
    let ends = one.iter().rev().zip(other.iter().rev());
    let end = ends.take_while(|(a, b)| a == b).count();
    match (&one[..one.len() - end], &other[..other.len() - end]) {
        ([], []) => false,
        ([a, b], [c, d]) => (a, b) == (d, c),
        (one, other) => one.len() <= 1 && other.len() <= 1,
    }
}

/// The values that a file has for this key: in its section, or under its whole name in quotes.
fn values_of<'a>(table: &'a Table, name: &str) -> impl Iterator<Item = &'a Value> {
    let section = name.split_once('.').and_then(|(section, name)| {
        let section = table.get(section)?.as_table()?;
        section.get(name)
    });
    section.into_iter().chain(table.get(name))
}

/// A value as it was written. What a variable says is text, whatever it stands for.
enum Written<'a> {
    Typed(&'a Value),
    Text(&'a str),
    NotText,
}

impl Written<'_> {
    fn text(&self) -> Option<&str> {
        match self {
            Self::Typed(value) => value.as_str(),
            Self::Text(text) => Some(text),
            Self::NotText => None,
        }
    }

    fn number(&self) -> Option<u64> {
        match self {
            Self::Typed(value) => u64::try_from(value.as_integer()?).ok(),
            Self::Text(text) => text.trim().parse().ok(),
            Self::NotText => None,
        }
    }
}
