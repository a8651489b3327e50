//! What may be said of each thing that a person sets for every program that asks them, and by whom.
//!
//! The binary has them in its table of all keys, and this crate in [`super::Personal`]: the rules are here
//! once.

use super::error::PersonalError;
use holdpoint_workspace::{Environment, ReadError, read_text_file};
use std::{io, net::SocketAddr, ops::RangeInclusive, path::Path, time::Duration};

/// The largest file of settings that is read.
const LARGEST: u64 = 256 * 1024;

/// What fits `journal` in a file, after "must be".
pub const JOURNAL_EXPECTED: &str = "`sqlite:` with an absolute path, `postgres://` with a host and a \
                                    database, or `memory:`";
/// What fits `inbox`.
pub const INBOX_EXPECTED: &str = "`off` or an address with its port, such as 127.0.0.1:4653";
/// The bounds of `fast_reply_ms`.
pub const FAST_REPLY_MS: RangeInclusive<u64> = 0..=60_000;

/// Where the page listens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum InboxPlace {
    /// Nothing is said.
    #[default]
    Usual,
    /// There is no inbox.
    Off,
    /// At this address.
    At(SocketAddr),
}

impl InboxPlace {
    /// Reads `off` or an address with its port.
    pub fn parse(text: &str) -> Option<Self> {
        match text.trim() {
            "off" => Some(Self::Off),
            address => parse_address(address).map(Self::At),
        }
    }

    /// In which way this trusts more than what the person's own file says.
    pub fn loosens(self, own: Self) -> Option<String> {
        let reached = matches!(self, Self::At(at) if !at.ip().is_loopback());
        if own == Self::Off && self != Self::Off {
            Some("your own file turns it off".to_owned())
        } else if reached && own != Self::Usual && own != self {
            Some("your own file sets another one".to_owned())
        } else {
            None
        }
    }
}

/// An address with its port; `localhost` is 127.0.0.1.
pub fn parse_address(text: &str) -> Option<SocketAddr> {
    match text.strip_prefix("localhost:") {
        Some(port) => format!("127.0.0.1:{port}").parse().ok(),
        None => text.parse().ok(),
    }
}

/// In which way this journal trusts more than the person's own file, which says which record is believed.
pub fn journal_loosens(new: Option<&str>, own: Option<&str>) -> Option<String> {
    let other = own.is_some() && own != new;
    other.then(|| "your own file sets another one".to_owned())
}

/// In which way this place of dangerous asks trusts more than the person's own file.
pub fn dangerous_loosens(inbox_only: bool, own: bool) -> Option<String> {
    (own && !inbox_only).then(|| {
        "your own file keeps dangerous asks to the inbox, because a client may answer them for you"
            .to_owned()
    })
}

/// In which way this `fast_reply_ms` trusts more than the person's own file, or the default.
pub fn fast_reply_loosens(new: Duration, own: Duration) -> Option<String> {
    (new < own).then(|| format!("it may not go below {} ms", own.as_millis()))
}

/// Whether this names the same journal in every folder, as a file has to.
pub fn means_the_same_everywhere(journal: &str) -> bool {
    match journal.split_once(':') {
        Some(("sqlite", path)) => Path::new(path).is_absolute(),
        Some(("memory", "")) => true,
        Some(("postgres" | "postgresql", rest)) => names_host_and_database(rest),
        _ => false,
    }
}

/// What an address leaves out would be taken from the variables of whoever starts the process, and be
/// another record.
fn names_host_and_database(rest: &str) -> bool {
    let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
    let place = place.trim_start_matches('/');
    let place = place.rsplit_once('@').map_or(place, |(_, place)| place);
    let (hosts, database) = place.split_once('/').unwrap_or((place, ""));
    let says = |name: &str| {
        query.split('&').any(|one| {
            let value = one.strip_prefix(name).and_then(|one| one.strip_prefix('='));
            value.is_some_and(|value| !value.is_empty())
        })
    };
    let is_named = |host: &str| !host.is_empty() && !host.starts_with(':');
    let has_host = says("host") || says("hostaddr") || hosts.split(',').all(is_named);
    rest.starts_with("//") && has_host && (says("dbname") || !database.is_empty())
}

/// What a parser of TOML says, without the line that it repeats where that may hold a password.
pub fn without_addresses(said: &str) -> String {
    let shown = said.trim_end().lines().map(|line| {
        if line.contains("://") {
            "  | (a line with an address is not shown)"
        } else {
            line
        }
    });
    shown.collect::<Vec<_>>().join("\n")
}

/// The whole address of the journal that is named, or of the person's own. A relative path, which only a
/// flag or a variable may have, is one below the current folder, as in a shell.
///
/// # Errors
/// When nothing is named and this user has no home, or there is no current folder.
pub fn journal_address(
    named: Option<&str>,
    environment: &Environment,
) -> Result<String, PersonalError> {
    let Some(named) = named else {
        let file = environment.journal_file();
        let file = file.as_deref().and_then(Path::to_str);
        let file = file.ok_or(PersonalError::NoHome)?;
        return Ok(format!("sqlite:{file}"));
    };
    match named.strip_prefix("sqlite:") {
        Some(path) if !path.is_empty() && Path::new(path).is_relative() => {
            let whole = std::path::absolute(path).map_err(PersonalError::CurrentFolder)?;
            Ok(format!("sqlite:{}", whole.display()))
        }
        _ => Ok(named.to_owned()),
    }
}

/// Reads a file of settings; none where there is no such file.
///
/// # Errors
/// When it is there and cannot be read.
pub fn read_settings_file(path: &Path) -> Result<Option<String>, ReadError> {
    use io::ErrorKind::{NotADirectory, NotFound};
    match read_text_file(path, LARGEST) {
        Ok(text) => Ok(Some(text)),
        Err(ReadError::Io(error)) if matches!(error.kind(), NotFound | NotADirectory) => Ok(None),
        Err(error) => Err(error),
    }
}
