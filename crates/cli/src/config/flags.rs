//! What the command line says of the configuration.

use super::{
    key::Key,
    keys::{self, KEYS},
};
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use holdpoint::journal::address_has_password;

/// The flags of `holdpoint serve` that set a key, made from the table of keys.
#[derive(Debug, Clone, Default)]
pub struct Flags(Vec<(&'static Key, &'static str, String)>);

impl Flags {
    /// These keys, by name, with these values.
    pub fn new<'a>(said: impl IntoIterator<Item = (&'a str, String)>) -> Self {
        let flag = |(name, value): (&str, _)| {
            let key = keys::find(name)?;
            let value = match name {
                "journal" => journal_address(value),
                _ => value,
            };
            Some((key, key.flag?.name, value))
        };
        Self(said.into_iter().filter_map(flag).collect())
    }

    /// The folder of scripts that the command line names.
    pub fn scripts(&self) -> Option<&str> {
        let mut said = self.iter();
        said.find_map(|(key, _, value)| (key.name == "scripts.dir").then_some(value))
    }

    /// That an address with a password is on the command line, if one is.
    pub(super) fn password_shown(&self) -> Option<String> {
        let mut said = self.iter();
        said.any(|(key, _, value)| key.name == "journal" && address_has_password(value))
            .then(|| {
                "the address of the journal on the command line holds a password, which everybody on \
                 this machine can see there: put it into a file that you name with `password_file=` \
                 in the address, or into ~/.pgpass"
                    .to_owned()
            })
    }

    /// The keys that are set, with the flag and its value.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&'static Key, &'static str, &str)> {
        self.0
            .iter()
            .map(|(key, flag, value)| (*key, *flag, &**value))
    }
}

impl FromArgMatches for Flags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let said = KEYS.iter().filter_map(|key| {
            let value = matches.get_one::<String>(key.flag?.name)?;
            Some((key.name, value.clone()))
        });
        Ok(Self::new(said))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Flags {
    fn augment_args(command: Command) -> Command {
        let args = KEYS.iter().filter_map(|key| {
            let flag = key.flag?;
            let arg = Arg::new(flag.name).long(flag.name).help(help(key));
            Some(arg.value_name(flag.value_name))
        });
        command.args(args)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// Where the record is, for a command that sets nothing else.
#[derive(Debug, Clone, Default, Args)]
pub struct JournalArgs {
    #[arg(long, value_name = "URL", help = keys::find("journal").map(help), global = true)]
    journal: Option<String>,
}

impl JournalArgs {
    /// The record at this address.
    pub fn at(url: &str) -> Self {
        let journal = Some(url.to_owned());
        Self { journal }
    }

    /// Whether none was named.
    pub fn is_usual(&self) -> bool {
        self.journal.is_none()
    }

    /// What was said here, or else there.
    pub fn or(self, other: Self) -> Self {
        Self {
            journal: self.journal.or(other.journal),
        }
    }

    /// The same as flags.
    pub fn flags(self) -> Flags {
        Flags::new(self.journal.map(|url| ("journal", url)))
    }
}

/// The address of a journal; a bare path is one of SQLite's.
fn journal_address(text: String) -> String {
    let scheme = text.split_once(':').map(|(scheme, _)| scheme);
    // A scheme of one letter is a drive.
    let is_scheme = |scheme: &str| scheme.len() > 1 && !scheme.contains(['/', '\\', '.']);
    let is_path = text.contains(['/', '\\', '.']);
    if scheme.is_some_and(is_scheme) || !is_path {
        return text;
    }
    format!("sqlite:{text}")
}

/// The help of a flag, without its last full stop, as clap writes it.
fn help(key: &Key) -> &'static str {
    key.help.trim_end_matches('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_path_is_a_path() {
        for (text, wanted) in [
            ("./x.db", "sqlite:./x.db"),
            ("/tmp/x.db", "sqlite:/tmp/x.db"),
            ("x.db", "sqlite:x.db"),
            ("logs/2026:11", "sqlite:logs/2026:11"),
            ("C:\\work\\x.db", "sqlite:C:\\work\\x.db"),
            ("sqlite:x.db", "sqlite:x.db"),
            ("memory:", "memory:"),
            ("postgres://db/holdpoint", "postgres://db/holdpoint"),
            ("mysql://db/holdpoint", "mysql://db/holdpoint"),
            ("memory", "memory"),
            ("", ""),
        ] {
            assert_eq!(journal_address(text.to_owned()), wanted, "{text}");
        }
    }
}
