//! Where a person's files are, by the XDG rules, and the variables of the process.

use crate::account;
use std::{
    collections::BTreeMap,
    env,
    ffi::OsString,
    path::{Path, PathBuf},
};

/// What the process was started with, passed in so that tests can say it.
///
/// ```
/// use holdpoint_workspace::Environment;
/// use std::path::Path;
///
/// let ada = Environment::new(Path::new("/home/ada"), [("XDG_STATE_HOME", "/state")]);
/// assert_eq!(ada.state_folder().as_deref(), Some(Path::new("/state/holdpoint")));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Environment {
    variables: BTreeMap<OsString, OsString>,
    home: Option<PathBuf>,
    /// The home of the account, which no variable changes.
    account: Option<PathBuf>,
}

/// Stands for the home of the account in a build for tests, and is unknown in any other.
#[cfg(feature = "testing")]
pub const TEST_ACCOUNT: &str = "HOLDPOINT_TEST_ACCOUNT";

impl Environment {
    /// That of this process.
    pub fn from_process() -> Self {
        Self {
            variables: env::vars_os().collect(),
            home: env::home_dir(),
            account: account_home(),
        }
    }

    /// A made-up one.
    pub fn new<'a>(home: &Path, variables: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let pair = |(name, value): (&str, &str)| (name.into(), value.into());
        Self {
            variables: variables.into_iter().map(pair).collect(),
            home: Some(home.to_owned()),
            account: Some(home.to_owned()),
        }
    }

    /// The same, with another home of the account.
    pub fn with_account(mut self, home: &Path) -> Self {
        self.account = Some(home.to_owned());
        self
    }

    /// The file of the account: the user's own, whatever the variables say. None where the system
    /// does not know the account.
    pub fn account_config_file(&self) -> Option<PathBuf> {
        let home = self.account.as_ref()?;
        Some(home.join(".config/holdpoint/config.toml"))
    }

    /// The journal of the account, where the user's PIN is, whatever the variables say.
    pub fn account_journal_file(&self) -> Option<PathBuf> {
        let home = self.account.as_ref()?;
        Some(home.join(".local/state/holdpoint/journal.db"))
    }

    /// The user's own file, which alone is trusted: that of the account, or the one that the variables
    /// name where the system does not know the account.
    pub fn own_config_file(&self) -> Option<PathBuf> {
        self.account_config_file().or_else(|| self.config_file())
    }

    /// The file that variables name in place of the user's own, where it is another one.
    pub fn pointed_config_file(&self) -> Option<PathBuf> {
        let (named, own) = (self.config_file()?, self.own_config_file()?);
        (!is_same_file(&named, &own)).then_some(named)
    }

    /// The user's own file, as the variables name it.
    pub fn config_file(&self) -> Option<PathBuf> {
        Some(
            self.folder("XDG_CONFIG_HOME", ".config")?
                .join("config.toml"),
        )
    }

    /// Where Holdpoint keeps what it writes for this user: `$XDG_STATE_HOME/holdpoint`, by default
    /// `~/.local/state/holdpoint`.
    pub fn state_folder(&self) -> Option<PathBuf> {
        self.folder("XDG_STATE_HOME", ".local/state")
    }

    /// Where the record is, unless something else is said.
    pub fn journal_file(&self) -> Option<PathBuf> {
        Some(self.state_folder()?.join("journal.db"))
    }

    /// The home that the variables name, or the account's.
    pub fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// A variable, if it says something.
    pub fn variable(&self, name: &str) -> Option<&OsString> {
        let value = self.variables.get(&OsString::from(name));
        value.filter(|value| !value.is_empty())
    }

    /// That of a server to which a client hands on these variables, and of ours no more than HOME and
    /// PATH.
    pub fn bare(&self, passed: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        let own = ["HOME", "PATH"].map(OsString::from).into_iter();
        let own = own.filter_map(|name| Some((name.clone(), self.variables.get(&name)?.clone())));
        Self {
            variables: own.chain(passed).collect(),
            home: self.home.clone(),
            account: self.account.clone(),
        }
    }

    /// The folders of the search path.
    pub fn search_path(&self) -> Vec<PathBuf> {
        let path = self.variables.get(&OsString::from("PATH"));
        path.map(|path| env::split_paths(path).collect())
            .unwrap_or_default()
    }

    /// All variables, by name.
    pub fn variables(&self) -> impl Iterator<Item = (&OsString, &OsString)> {
        self.variables.iter()
    }

    /// Holdpoint's own folder; XDG says that a relative path in the variable does not count.
    fn folder(&self, variable: &str, below_home: &str) -> Option<PathBuf> {
        let named = self.variables.get(&OsString::from(variable));
        let folder = match named.map(PathBuf::from).filter(|path| path.is_absolute()) {
            Some(folder) => folder,
            None => self.home.as_ref()?.join(below_home),
        };
        Some(folder.join("holdpoint"))
    }
}

fn account_home() -> Option<PathBuf> {
    #[cfg(feature = "testing")]
    if let Some(home) = env::var_os(TEST_ACCOUNT) {
        return Some(home.into());
    }
    account::home()
}

/// Whether two paths lead to one file. Where one leads nowhere, they do not.
fn is_same_file(a: &Path, b: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    a == b || real(a).is_some_and(|real_a| real(b) == Some(real_a))
}
