//! What can go wrong. A "no" is an outcome, not an error: these are faults.

use holdpoint_ask::{AskError as Flawed, AskId, TypedError};
use holdpoint_journal::JournalError;
use std::{error::Error, time::Duration};

/// Why an ask could not be put to anybody, or its answer not be taken. Nothing was approved.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum AskError {
    /// A Rust type cannot be asked for.
    #[error("this cannot be asked")]
    Type(#[from] TypedError),
    /// The ask itself is wrong.
    #[error("this cannot be asked")]
    Flawed(#[from] Flawed),
    /// The ask could not be put on record, and so it was shown to nobody.
    #[error("the record could not be kept, so nobody was asked")]
    NotAsked(#[source] JournalError),
    /// The record could not be written or read after that: what a person may have answered is not on it.
    #[error(
        "the record could not be kept: somebody may have been asked, and an answer that is not on record does not count"
    )]
    Journal(#[from] JournalError),
    /// Too many asks are open.
    #[error(
        "{limit} questions of this client are open already: wait for answers before asking more"
    )]
    TooMany {
        /// How many may be.
        limit: usize,
    },
    /// Something else was asked under the same key.
    #[error("something else was asked under this key: use another key for another question")]
    KeyUsed,
    /// Another process runs this call now.
    #[error("another process has taken this call over")]
    LostCall,
    /// The accepted answer does not fit the type that was asked for.
    #[error("the answer does not fit the type that was asked for: {0}")]
    Mismatch(String),
    /// A secret was given and the process that asked is not the one that has it: ask again.
    #[error("a secret was given and cannot be handed over to the flow that asked: ask again")]
    SecretElsewhere,
    /// This program was built without the feature `secrets`.
    #[error(
        "this server cannot ask for secrets: it was built without the feature `secrets` of holdpoint"
    )]
    NoSecrets,
    /// The PIN cannot be checked.
    #[error("the PIN cannot be checked")]
    Pin(#[from] PinError),
    /// There is no such ask.
    #[error("there is no ask {0}")]
    Unknown(AskId),
}

/// Why an effect did not run, or what it ended with is not known.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// It was started before and a crash left it unfinished: it may or may not have happened.
    #[error(
        "the step \"{name}\" was started before and was interrupted: it may or may not have happened"
    )]
    Interrupted {
        /// The step.
        name: String,
    },
    /// It ran, and failed: see [`ToolContext::try_step`](crate::ToolContext::try_step).
    #[error("the step \"{name}\" failed: {what}")]
    Failed {
        /// The step.
        name: String,
        /// Why, in the words of its own error.
        what: String,
    },
    /// Another process runs this call now.
    #[error("another process has taken this call over")]
    LostCall,
    /// The record could not be kept; the effect did not run.
    #[error("the record could not be kept")]
    Journal(#[from] JournalError),
    /// The recorded result does not fit the type that the flow wants now.
    #[error("the recorded result of the step \"{name}\" does not fit: {what}")]
    Mismatch {
        /// The step.
        name: String,
        /// What is wrong.
        what: String,
    },
}

/// Why a PIN was not set, cleared or taken.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum PinError {
    /// One is set, and changing it needs it.
    #[error("a PIN is set: give it first")]
    Needed,
    /// It is the wrong one.
    #[error("that is not the PIN{}", wait_text(*.retry_after))]
    Wrong {
        /// How long the next try has to wait.
        retry_after: Duration,
    },
    /// It is too short.
    #[error("a PIN has at least {SHORTEST_PIN} characters")]
    TooShort,
    /// This program was built without the feature `pin`.
    #[error(
        "this program cannot check a PIN: it was built without the feature `pin` of holdpoint; answer on the page of `holdpoint inbox --web`"
    )]
    NotBuilt,
    /// None is set.
    #[error("no PIN is set")]
    NotSet,
    /// One was set, and its hash or its event is gone, so nobody can prove to know it.
    #[error(
        "a PIN was set, and the journal that says so, or what it is checked with beside that journal, is missing or was changed: restore both from a copy; until then nothing dangerous can be approved"
    )]
    Missing,
    /// Named persons have PINs, and the answer comes from nobody in particular who has one.
    #[error(
        "people who are known by name have PINs here: answer on the page with a key of your own (`holdpoint person key NAME` shows one), or set a PIN with `holdpoint pin set`"
    )]
    Nameless,
    /// The record could not be read or written.
    #[error("the record could not be kept")]
    Journal(#[from] JournalError),
}

/// The fewest characters of a PIN: a shorter one is guessed too soon.
pub(crate) const SHORTEST_PIN: usize = 4;

fn wait_text(wait: Duration) -> String {
    match wait.as_secs() {
        0 => ": try again".into(),
        seconds => format!(": wait {seconds} s, then try again"),
    }
}

/// Why the client gave nothing.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The client did not declare that it can do this.
    #[error("the client has no {0}")]
    Unsupported(&'static str),
    /// The client is gone.
    #[error("the client is gone")]
    Gone,
    /// The client did not answer in time.
    #[error("the client did not answer in time")]
    TimedOut,
    /// The client refused, or failed.
    #[error("the client answered with an error: {0}")]
    Refused(String),
    /// The client's answer is none that MCP knows.
    #[error("the client's answer cannot be read: {0}")]
    Garbled(String),
}

/// A server without a name of its own, which cannot be served: see
/// [`Holdpoint::new`](crate::Holdpoint::new).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "this server is named \"{found}\", which says nothing of whose it is: every program over the same \
     journal would share its answers. Set one: in `get_info`, behind `ServerConfig::new(…)`, \
     .with_server_info(Implementation::new(\"my-server\", env!(\"CARGO_PKG_VERSION\"))), \
     or #[tool_handler(name = \"my-server\")]"
)]
#[non_exhaustive]
pub struct UnnamedServer {
    /// The name that it gave.
    pub found: String,
}

/// Why a server was not served to its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// It has no name of its own.
    #[error(transparent)]
    Unnamed(#[from] UnnamedServer),
    /// The client does not speak MCP.
    #[error("the client does not speak MCP")]
    Handshake(#[source] Box<dyn Error + Send + Sync>),
    /// Its task failed.
    #[error("the server's task failed")]
    Ended(#[source] Box<dyn Error + Send + Sync>),
}
