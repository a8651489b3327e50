//! What variables and flags say.

use super::{
    Flags,
    environment::Environment,
    error::{ConfigError, Place, Source},
    file::{Entry, What},
    key::{Key, PREFIX, nearest},
    raw::Raw,
};

/// Variables of Holdpoint's that are no key.
const OTHERS: [&str; 1] = ["HOLDPOINT_LOG"];

/// The entries among the variables. An empty one says nothing.
pub fn entries(environment: &Environment) -> Result<Vec<Entry>, ConfigError> {
    let mut entries = Vec::new();
    for (name, value) in environment.variables() {
        let Some(name) = name.to_str().filter(|name| name.starts_with(PREFIX)) else {
            continue;
        };
        if OTHERS.contains(&name) || value.is_empty() {
            continue;
        }
        let place = Place {
            source: Source::Variable(name.to_owned()),
            line: None,
        };
        if name.starts_with("HOLDPOINT_CLIENTS") {
            let key = "[clients.NAME]".to_owned();
            return Err(ConfigError::OnlyInFile { place, key });
        }
        let Some(key) = Key::ALL.into_iter().find(|key| key.variable() == name) else {
            // The prefix, which all have, would make them all alike.
            let bare = |name: &str| name.trim_start_matches(PREFIX).to_owned();
            let known = Key::ALL.map(Key::variable).into_iter();
            let known = known.chain(OTHERS.map(str::to_owned));
            let nearest = nearest(&bare(name), known.map(|name| bare(&name)));
            return Err(ConfigError::Unknown {
                nearest: format!("{PREFIX}{nearest}"),
                key: name.to_owned(),
                place,
            });
        };
        let Some(value) = value.to_str() else {
            return Err(ConfigError::Value {
                place,
                key: key.name().to_owned(),
                expected: "UTF-8".to_owned(),
            });
        };
        entries.push(Entry {
            what: What::Key(key),
            value: Raw::Text(value.to_owned()),
            place,
        });
    }
    Ok(entries)
}

/// The entries among the flags.
pub fn flags(flags: &Flags) -> Vec<Entry> {
    let said = [
        (Key::Tools, "--tools", &flags.tools),
        (Key::Journal, "--journal", &flags.journal),
        (Key::Inbox, "--inbox", &flags.inbox),
        (Key::InboxCert, "--inbox-cert", &flags.inbox_cert),
        (Key::InboxKey, "--inbox-key", &flags.inbox_key),
        (Key::ScriptsDir, "--scripts", &flags.scripts),
    ];
    said.into_iter()
        .filter_map(|(key, flag, value)| {
            Some(Entry {
                what: What::Key(key),
                value: Raw::Text(value.clone()?),
                place: Place {
                    source: Source::Flag(flag),
                    line: None,
                },
            })
        })
        .collect()
}
