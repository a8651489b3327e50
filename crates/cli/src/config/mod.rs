//! What is set, by whom, and what each may change.
//!
//! In this order, the later over the earlier: the defaults; the user's own file
//! (`$XDG_CONFIG_HOME/holdpoint/config.toml`); the workspace's `.holdpoint/config.toml`;
//! `HOLDPOINT_…` variables; flags.
//!
//! Only the user's own file is trusted. A workspace's file comes with the repository, and a
//! client's configuration, which holds our flags and variables, often does too. So:
//!
//! | key | in the workspace's file | as a variable or flag |
//! |---|---|---|
//! | `tools` | only those that the user's file leaves; the others are left out, with a warning | the same |
//! | `plans_dir` | yes | yes |
//! | `timeout_seconds` | yes, but not 0 | yes, but not 0 |
//! | `hold_seconds` | yes | yes |
//! | `keep_alive_seconds` | no | yes |
//! | `inbox_timeout_seconds` | no | yes, but not 0 |
//! | `fast_reply_ms` | no | no lower |
//! | `max_open_asks` | no | no higher |
//! | `trust.dangerous` | no | `inbox` always, `client` unless the file says `inbox` |
//! | `commit` | no | `verify` always, `perform` only where the file says so already |
//! | `inbox` | no | `off` always; an address of this machine unless the file says `off`; one that others reach only where the file is silent |
//! | `journal`, `inbox_cert`, `inbox_key`, `notify.*`, `scripts.dir` | no | only where the user's file is silent: decisions are believed from the journal, and the others send text out or run code |
//! | `[clients.NAME]` | no | no |
//!
//! "No lower" and "no higher" are from what the user's file says, or the default where it is
//! silent. What is not allowed is an error, never ignored: nobody should believe that they
//! tightened or loosened something when they did not.

mod env;
mod environment;
mod error;
mod file;
mod key;
mod layers;
mod raw;
#[cfg(test)]
mod tests;

pub use environment::Environment;
pub use error::{ConfigError, Place, Source};
pub use key::Key;
pub(crate) use raw::toml_as_json;

use crate::notify::Quiet;
use file::Entry;
use holdpoint::{ClientProfile, Settings};
use holdpoint_flows::{Commit, ToolSet};
use layers::{Layer, Layers};
use std::{
    collections::BTreeMap,
    fmt,
    net::SocketAddr,
    path::{Path, PathBuf},
    time::Duration,
};

/// The workspace's file, below the workspace.
pub const WORKSPACE_FILE: &str = ".holdpoint/config.toml";

/// All that is set.
#[derive(Debug, Clone)]
pub struct Config {
    /// The tool sets that agents get.
    pub tools: Vec<ToolSet>,
    /// Where the record is; the user's state folder where nothing is said.
    pub journal: Option<String>,
    /// Where the page listens.
    pub inbox: Inbox,
    /// The page's certificate, in PEM.
    pub inbox_cert: Option<PathBuf>,
    /// The certificate's private key, in PEM.
    pub inbox_key: Option<PathBuf>,
    /// How long an ask waits; none for no deadline.
    pub timeout: Option<Duration>,
    /// How long a call is held open while only the inbox shows its asks.
    pub hold: Duration,
    /// How often a waiting client gets a sign of life.
    pub keep_alive: Duration,
    /// Whether commits are checked only, or made.
    pub commit: Commit,
    /// Where plans are, below the workspace.
    pub plans_dir: String,
    /// A client's reply that comes faster was not a person's.
    pub fast_reply: Duration,
    /// How many asks one client may have open.
    pub max_open_asks: usize,
    /// How long an ask waits that only the inbox shows; none for no deadline.
    pub inbox_timeout: Option<Duration>,
    /// Dangerous asks go to the inbox only.
    pub dangerous_by_inbox_only: bool,
    /// How people are told of a new ask.
    pub notify: Notify,
    /// Where scripts are.
    pub scripts_dir: Option<PathBuf>,
    /// What clients render, where it is not what is known of them.
    pub clients: BTreeMap<String, ClientProfile>,
    /// What was left out, and why; for the log.
    pub warnings: Vec<String>,
}

/// Where the page listens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Inbox {
    /// Nothing is said.
    #[default]
    Usual,
    /// There is none.
    Off,
    /// At this address.
    At(SocketAddr),
}

/// How people are told of a new ask.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notify {
    /// A program and its arguments.
    pub command: Option<Vec<String>>,
    /// An address that is called.
    pub url: Option<url::Url>,
    /// What those calls are signed with.
    pub secret: Option<Secret>,
    /// Whether the desktop shows a notification.
    pub desktop: Option<bool>,
    /// When nobody is to be disturbed.
    pub quiet: Option<Quiet>,
}

/// Text that no log shows.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// What the command line says of the configuration.
#[derive(Debug, Clone, Default)]
pub struct Flags {
    /// `--tools`.
    pub tools: Option<String>,
    /// `--journal`.
    pub journal: Option<String>,
    /// `--inbox`.
    pub inbox: Option<String>,
    /// `--inbox-cert`.
    pub inbox_cert: Option<String>,
    /// `--inbox-key`.
    pub inbox_key: Option<String>,
    /// `--scripts`.
    pub scripts: Option<String>,
}

impl Default for Config {
    fn default() -> Self {
        let desk = Settings::default();
        Self {
            tools: ToolSet::ALL.to_vec(),
            journal: None,
            inbox: Inbox::Usual,
            inbox_cert: None,
            inbox_key: None,
            timeout: desk.timeout,
            hold: desk.hold,
            keep_alive: desk.keep_alive,
            commit: Commit::Verify,
            plans_dir: "plans".to_owned(),
            fast_reply: desk.fast_reply,
            max_open_asks: desk.max_open_asks,
            inbox_timeout: desk.inbox_timeout,
            dangerous_by_inbox_only: desk.dangerous_by_inbox_only,
            notify: Notify::default(),
            scripts_dir: None,
            clients: BTreeMap::new(),
            warnings: Vec::new(),
        }
    }
}

impl Config {
    /// Reads everything that says something.
    ///
    /// # Errors
    /// When any of it is wrong, or says what it may not say.
    pub fn load(
        environment: &Environment,
        workspace: &Path,
        flags: &Flags,
    ) -> Result<Self, ConfigError> {
        let user = match environment.config_file() {
            Some(path) => entries(&path, Source::User)?,
            None => Vec::new(),
        };
        let workspace = entries(&workspace.join(WORKSPACE_FILE), Source::Workspace)?;
        let mut layers = Layers::default();
        layers.add(Layer::User, user)?;
        layers.add(Layer::Workspace, workspace)?;
        layers.add(Layer::Launch, env::entries(environment)?)?;
        layers.add(Layer::Launch, env::flags(flags))?;
        Ok(layers.done())
    }

    /// What of it the desk needs to know.
    pub fn settings(&self) -> Settings {
        Settings {
            timeout: self.timeout,
            inbox_timeout: self.inbox_timeout,
            hold: self.hold,
            keep_alive: self.keep_alive,
            fast_reply: self.fast_reply,
            max_open_asks: self.max_open_asks,
            dangerous_by_inbox_only: self.dangerous_by_inbox_only,
            ..Settings::default()
        }
    }

    /// What is set and does nothing, in words for the log.
    pub fn unused(&self) -> Vec<String> {
        let mut unused = Vec::new();
        if self.dangerous_by_inbox_only && self.inbox == Inbox::Off {
            unused.push(
                "`trust.dangerous` is `inbox`, and the inbox is off: dangerous asks end \
                 `unreachable`"
                    .to_owned(),
            );
        }
        unused
    }

    /// The address of the journal.
    ///
    /// # Errors
    /// When nothing is said and the user has no folder for it.
    pub fn journal(&self, environment: &Environment) -> anyhow::Result<String> {
        if let Some(journal) = &self.journal {
            return Ok(journal.clone());
        }
        let file = environment.journal_file();
        let file = file.as_deref().and_then(Path::to_str);
        let file = file.ok_or_else(|| {
            anyhow::anyhow!("there is no home folder for the journal: say --journal sqlite:PATH")
        })?;
        Ok(format!("sqlite:{file}"))
    }
}

fn entries(path: &Path, source: fn(PathBuf) -> Source) -> Result<Vec<Entry>, ConfigError> {
    match file::read(path)? {
        Some(text) => file::parse(&text, path, source),
        None => Ok(Vec::new()),
    }
}
