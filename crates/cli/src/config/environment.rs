//! Where files are, by the XDG rules, and the variables of the process.

use std::{
    collections::BTreeMap,
    env,
    ffi::OsString,
    path::{Path, PathBuf},
};

/// What the process was started with, passed in so that tests can say it.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    variables: BTreeMap<OsString, OsString>,
    home: Option<PathBuf>,
}

impl Environment {
    /// That of this process.
    pub fn from_process() -> Self {
        Self {
            variables: env::vars_os().collect(),
            home: env::home_dir(),
        }
    }

    /// A made-up one.
    pub fn new<'a>(home: &Path, variables: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let pair = |(name, value): (&str, &str)| (name.into(), value.into());
        Self {
            variables: variables.into_iter().map(pair).collect(),
            home: Some(home.to_owned()),
        }
    }

    /// The user's own file.
    pub fn config_file(&self) -> Option<PathBuf> {
        Some(
            self.folder("XDG_CONFIG_HOME", ".config")?
                .join("config.toml"),
        )
    }

    /// Where the record is, unless something else is said.
    pub fn journal_file(&self) -> Option<PathBuf> {
        Some(
            self.folder("XDG_STATE_HOME", ".local/state")?
                .join("journal.db"),
        )
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
