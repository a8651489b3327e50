//! What a configuration key is: the columns of the table in [`keys`](super::keys).

use super::{Config, value::Written};
use std::{fmt, time::Duration};

/// One key of the configuration. All that is known of it is here: parsing, the trust rules,
/// `--help`, the variables and the reference page are made from it.
#[derive(Debug)]
pub struct Key {
    /// Its name in a file, with its section before a dot.
    pub name: &'static str,
    /// Its flag of `holdpoint serve`.
    pub flag: Option<Flag>,
    /// What its value is.
    pub kind: Kind,
    /// What holds where nothing sets it.
    pub default: Default,
    /// Who may set it, beside the user's own file, which may set everything.
    pub rule: Rule,
    /// What it does, in whole sentences.
    pub help: &'static str,
}

/// A flag on the command line.
#[derive(Debug, Clone, Copy)]
pub struct Flag {
    /// Its name, without the dashes.
    pub name: &'static str,
    /// What `--help` shows in place of its value.
    pub value_name: &'static str,
}

/// What a value is, and how it gets into the configuration.
#[derive(Debug)]
pub enum Kind {
    /// A whole number within bounds.
    Number {
        /// What is counted.
        unit: &'static str,
        /// The bounds, both included.
        range: (u64, u64),
        /// Sets it.
        set: fn(&mut Config, u64),
    },
    /// How long an ask waits, in seconds. No deadline, by 0, is for the user alone to say.
    Deadline(fn(&mut Config, Option<Duration>)),
    /// One of two words; the flag says whether it is the second.
    Word(&'static str, &'static str, fn(&mut Config, bool)),
    /// Tools. Others than the user's own file can take some away, and add none.
    Tools,
    /// Anything else.
    Other {
        /// What fits, after "must be".
        expected: &'static str,
        /// Sets it; `None` when the value does not fit.
        set: fn(&mut Config, &Written, Layer) -> Option<()>,
    },
}

/// Where an entry comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layer {
    /// The user's own file: it may say anything.
    User,
    /// A file that a variable names in place of the user's own: it may tighten.
    Pointed,
    /// The workspace's file: only the keys that the table allows it.
    Workspace,
    /// Variables and flags: they may tighten.
    Launch,
}

/// What holds where nothing sets a key.
#[derive(Debug, Clone, Copy)]
pub enum Default {
    /// This value, as a file would say it.
    Value(&'static str),
    /// Something that no value says, in words.
    Words(&'static str),
}

/// Who may set a key, beside the user's own file.
#[derive(Debug)]
pub enum Rule {
    /// The workspace's file, a variable, a flag.
    Workspace,
    /// A variable or a flag, not the workspace's file.
    Launch,
    /// A variable or a flag, unless that trusts more than the user's own file does, or the default
    /// where that is silent.
    Tightens {
        /// What is allowed, in words.
        allowed: &'static str,
        /// In which way the first configuration trusts more than the second, the user's own.
        loosens: fn(&Config, &Config) -> Option<String>,
    },
}

impl Key {
    /// Its name as a variable.
    pub fn variable(&self) -> String {
        format!("{PREFIX}{}", self.name.replace('.', "_").to_uppercase())
    }

    /// Whether a workspace's file may have it.
    pub fn in_workspace(&self) -> bool {
        matches!(self.rule, Rule::Workspace)
    }

    /// What a variable or a flag may say, in words.
    pub fn allowed(&self) -> &'static str {
        match (&self.kind, &self.rule) {
            (Kind::Tools, _) => "only what your own file leaves in",
            (Kind::Deadline(_), _) => "yes, but not 0",
            (_, Rule::Tightens { allowed, .. }) => allowed,
            _ => "yes",
        }
    }
}

/// How every variable of Holdpoint's begins.
pub const PREFIX: &str = "HOLDPOINT_";

impl Kind {
    /// The shortest deadline and the longest, in seconds.
    pub const DEADLINE: (u64, u64) = (5, 86_400);

    /// What fits, when this layer says it.
    pub fn expected(&self, layer: Layer) -> String {
        match (self, layer) {
            (Self::Deadline(_), Layer::User) => format!("{self}, or 0 for no deadline"),
            (Self::Deadline(_), _) => {
                format!("{self}; 0, for no deadline, is for your own file only")
            }
            _ => self.to_string(),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number { unit, range, .. } => {
                write!(f, "a number{unit} from {} to {}", range.0, range.1)
            }
            Self::Deadline(_) => {
                let (least, most) = Self::DEADLINE;
                write!(f, "a number of seconds from {least} to {most}")
            }
            Self::Word(first, second, _) => write!(f, "`{first}` or `{second}`"),
            Self::Tools => f.write_str("a list of tools"),
            Self::Other { expected, .. } => f.write_str(expected),
        }
    }
}
