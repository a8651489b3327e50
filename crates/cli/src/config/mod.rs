//! What is set, by whom, and what each may change.
//!
//! In this order, the later over the earlier: the defaults; the user's own file, in the home that the
//! system has for the account (`.config/holdpoint/config.toml`); the file that variables name
//! (`$XDG_CONFIG_HOME/holdpoint/config.toml`), where it is another one; the workspace's
//! `.holdpoint/config.toml`; `HOLDPOINT_…` variables; flags.
//!
//! Only the user's own file is trusted. Variables come with a client's configuration, so a file that
//! they name in its place counts, and can only tighten it. A workspace's file comes with the repository, and a
//! client's configuration, which holds our flags and variables, often does too. What
//! each key is, and who may set it, is one table: [`keys::KEYS`]. Parsing, these rules, the flags of
//! `serve` with their help, the variables and `docs/reference/config.md` come from it.
//!
//! What is not allowed is an error, never ignored: nobody should believe that they tightened or
//! loosened something when they did not.

mod error;
mod flags;
mod issuer;
pub mod key;
pub mod keys;
mod load;
mod sources;
#[cfg(test)]
mod tests;
mod value;

pub use error::{ConfigError, Place, Source};
pub use flags::{Flags, JournalArgs};
pub use holdpoint::personal::{InboxPlace as Inbox, rules::parse_address};
pub use holdpoint_workspace::Environment;
pub use issuer::Issuer;
pub(crate) use value::toml_as_json;

use crate::notify::Quiet;
use crate::tool_set::ToolSelection;
use holdpoint::{ClientProfile, PersonalError, Settings, personal::rules};
use holdpoint_inbox::public_address::PublicAddress;
use holdpoint_tools::Commit;
use key::Layer;
use load::Layers;
use std::{
    collections::BTreeMap,
    fmt,
    net::IpAddr,
    path::{Path, PathBuf},
    time::Duration,
};

/// The workspace's file, below the workspace.
pub const WORKSPACE_FILE: &str = ".holdpoint/config.toml";

/// All that is set.
#[derive(Debug, Clone)]
pub struct Config {
    /// The tool sets that agents get.
    pub tools: ToolSelection,
    /// Where the record is; the user's state folder where nothing is said.
    pub journal: Option<String>,
    /// Where the page listens.
    pub inbox: Inbox,
    /// The page's certificate, in PEM.
    pub inbox_cert: Option<PathBuf>,
    /// The certificate's private key, in PEM.
    pub inbox_key: Option<PathBuf>,
    /// Callers over HTTP show the server's key.
    pub http_key: bool,
    /// The addresses of a proxy, from which alone connections are taken; none for no proxy.
    pub behind_proxy: Vec<IpAddr>,
    /// The one address under which people know the page, behind a proxy.
    pub inbox_url: Option<PublicAddress>,
    /// Whose access tokens callers over HTTP may show.
    pub issuer: Option<Issuer>,
    /// What those must be meant for.
    pub audience: Option<String>,
    /// How long an ask waits; none for no deadline.
    pub timeout: Option<Duration>,
    /// How long a call is held open while only the inbox shows its asks.
    pub hold: Duration,
    /// How often a waiting client gets a sign of life.
    pub keep_alive: Duration,
    /// Whether commits are checked only, or made.
    pub commit: Commit,
    /// The git filters that may be run when a commit is shown or checked.
    pub git_filters: Vec<String>,
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
    /// How people are notified of a new ask.
    pub notify: Notify,
    /// Where scripts are.
    pub scripts_dir: Option<PathBuf>,
    /// What clients render, where it is not what is known of them.
    pub clients: BTreeMap<String, ClientProfile>,
    /// What was left out and why, or should be said otherwise; for the log.
    pub warnings: Vec<String>,
}

/// How people are notified of a new ask.
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

impl Default for Config {
    fn default() -> Self {
        let desk = Settings::default();
        Self {
            tools: ToolSelection::all(),
            journal: None,
            inbox: Inbox::Usual,
            inbox_cert: None,
            inbox_key: None,
            http_key: true,
            behind_proxy: Vec::new(),
            inbox_url: None,
            issuer: None,
            audience: None,
            timeout: desk.timeout,
            hold: desk.hold,
            keep_alive: desk.keep_alive,
            commit: Commit::Verify,
            git_filters: Vec::new(),
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
        match Self::load_around_workspace(environment, workspace, flags)? {
            (config, None) => Ok(config),
            (_, Some(fault)) => Err(fault),
        }
    }

    /// Reads everything, for a command that neither asks nor offers tools: of a workspace's file with a
    /// mistake nothing counts, and what is wrong with it is given too.
    ///
    /// What such a file may set (which tools agents get, where plans are, how long an ask and a call wait)
    /// means something only where agents are served and people are asked. There, [`Self::load`] is used:
    /// without the file, an agent could have tools that it takes away.
    ///
    /// # Errors
    /// When anything else is wrong, or says what it may not say.
    pub fn load_around_workspace(
        environment: &Environment,
        workspace: &Path,
        flags: &Flags,
    ) -> Result<(Self, Option<ConfigError>), ConfigError> {
        let own = environment.own_config_file();
        let workspace = workspace.join(WORKSPACE_FILE);
        let workspace = std::path::absolute(&workspace).unwrap_or(workspace);
        let mut layers = Layers::default();
        if let Some(own) = &own {
            layers.add(Layer::User, sources::read_file(own, Source::User)?)?;
        }
        if let (Some(pointed), Some(own)) = (environment.pointed_config_file(), own) {
            let source = |path| Source::Pointed(path, own);
            layers.add(Layer::Pointed, sources::read_file(&pointed, source)?)?;
        }
        // Not a part of it either: what it takes away and what it gives may stand on different lines.
        let before = layers.clone();
        let read = sources::read_file(&workspace, Source::Workspace);
        let read = read.and_then(|entries| layers.add(Layer::Workspace, entries));
        let fault = read.err();
        if fault.is_some() {
            layers = before;
        }
        layers.add(Layer::Launch, sources::read_variables(environment)?)?;
        layers.add(Layer::Launch, sources::read_flags(flags))?;
        let mut config = layers.finish();
        config.warnings.extend(flags.password_shown());
        Ok((config, fault))
    }

    /// What of it the desk needs to know.
    pub fn settings(&self) -> Settings {
        Settings::default()
            .timeout(self.timeout)
            .inbox_timeout(self.inbox_timeout)
            .hold(self.hold)
            .keep_alive(self.keep_alive)
            .fast_reply(self.fast_reply)
            .max_open_asks(self.max_open_asks)
            .dangerous_by_inbox_only(self.dangerous_by_inbox_only)
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

    /// The address of the journal. A relative path, which only a flag or a variable may have, is one below
    /// the current folder.
    ///
    /// # Errors
    /// When nothing is said and the user has no folder for it.
    pub fn journal(&self, environment: &Environment) -> Result<String, PersonalError> {
        rules::journal_address(self.journal.as_deref(), environment)
    }
}
