//! What each source says: a file, the variables, the flags.

use super::{
    Environment,
    error::{ConfigError, Place, Source},
    flags::Flags,
    key::{Key, PREFIX},
    keys::{self, KEYS, SECTIONS, nearest},
    value::Written,
};
use holdpoint::personal::rules::{read_settings_file, without_addresses};
use holdpoint_ask::describe::one_line;
use std::{
    ops::Range,
    path::{Path, PathBuf},
};
use toml_edit::{Document, Item, TableLike};

/// Variables of Holdpoint's that set no key.
const OTHER_VARIABLES: &[&str] = &[
    // For the build script, in whose environment a packager tries what was built.
    "HOLDPOINT_BUILD_COMMIT",
    "HOLDPOINT_LOG",
    "HOLDPOINT_SECRET_FILE",
    #[cfg(feature = "testing")]
    holdpoint_workspace::TEST_ACCOUNT,
];

/// What one source says of one thing.
#[derive(Debug)]
pub struct Entry {
    pub what: What,
    pub value: Written,
    pub place: Place,
}

/// What an entry is about.
#[derive(Debug)]
pub enum What {
    /// One key.
    Key(&'static Key),
    /// The profile of a client.
    Client(String),
}

/// The entries of a file, in its order; none where there is no such file.
pub fn read_file(
    path: &Path,
    source: impl FnOnce(PathBuf) -> Source,
) -> Result<Vec<Entry>, ConfigError> {
    let text = read_settings_file(path).map_err(|source| ConfigError::Read {
        path: path.to_owned(),
        source,
    })?;
    match text {
        Some(text) => parse(&text, path, source),
        None => Ok(Vec::new()),
    }
}

/// The entries among the variables. An empty one says nothing.
pub fn read_variables(environment: &Environment) -> Result<Vec<Entry>, ConfigError> {
    let mut entries = Vec::new();
    for (name, value) in environment.variables() {
        let Some(name) = name.to_str().filter(|name| name.starts_with(PREFIX)) else {
            continue;
        };
        if OTHER_VARIABLES.contains(&name) || value.is_empty() {
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
        let Some(key) = KEYS.iter().find(|key| key.variable() == name) else {
            // The prefix, which all have, would make them all alike.
            let bare = |name: &str| name.trim_start_matches(PREFIX).to_owned();
            let known = KEYS.iter().map(Key::variable);
            let known = known.chain(OTHER_VARIABLES.iter().map(ToString::to_string));
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
                key: key.name.to_owned(),
                expected: "UTF-8".to_owned(),
            });
        };
        entries.push(Entry {
            what: What::Key(key),
            value: Written::Text(value.to_owned()),
            place,
        });
    }
    Ok(entries)
}

/// The entries among the flags.
pub fn read_flags(flags: &Flags) -> Vec<Entry> {
    let entry = |(key, flag, value): (&'static Key, &'static str, &str)| Entry {
        what: What::Key(key),
        value: Written::Text(value.to_owned()),
        place: Place {
            source: Source::Flag(flag),
            line: None,
        },
    };
    flags.iter().map(entry).collect()
}

fn parse(
    text: &str,
    path: &Path,
    source: impl FnOnce(PathBuf) -> Source,
) -> Result<Vec<Entry>, ConfigError> {
    let file = File {
        text,
        source: source(path.to_owned()),
    };
    let document = Document::parse(text).map_err(|error| ConfigError::Toml {
        place: file.place_of(error.span()),
        what: without_addresses(&one_line(&error.message().replace('\n', ", "))),
    })?;
    let mut entries = Vec::new();
    for (name, item) in document.iter() {
        let place = file.place(document.as_table(), name);
        match (SECTIONS.contains(&name), item.as_table_like()) {
            (true, Some(section)) => file.section(name, section, &mut entries)?,
            (true, None) => {
                return Err(ConfigError::Value {
                    place,
                    key: name.to_owned(),
                    expected: format!("a section, `[{name}]`"),
                });
            }
            (false, _) => entries.push(file.entry(name, item, place)?),
        }
    }
    Ok(entries)
}

struct File<'a> {
    text: &'a str,
    source: Source,
}

impl File<'_> {
    fn section(
        &self,
        section: &str,
        keys: &dyn TableLike,
        entries: &mut Vec<Entry>,
    ) -> Result<(), ConfigError> {
        for (name, item) in keys.iter() {
            let place = self.place(keys, name);
            if section == "clients" {
                entries.push(Entry {
                    what: What::Client(name.to_owned()),
                    value: Written::from_toml(item),
                    place,
                });
            } else {
                entries.push(self.entry(&format!("{section}.{name}"), item, place)?);
            }
        }
        Ok(())
    }

    fn entry(&self, name: &str, item: &Item, place: Place) -> Result<Entry, ConfigError> {
        let Some(key) = keys::find(name) else {
            let sections = SECTIONS.map(|section| format!("[{section}]"));
            let known = KEYS.iter().map(|key| key.name.to_owned());
            return Err(ConfigError::Unknown {
                nearest: nearest(name, known.chain(sections)),
                place,
                key: name.to_owned(),
            });
        };
        Ok(Entry {
            what: What::Key(key),
            value: Written::from_toml(item),
            place,
        })
    }

    fn place(&self, keys: &dyn TableLike, name: &str) -> Place {
        let key = keys.get_key_value(name);
        self.place_of(key.and_then(|(key, item)| key.span().or_else(|| item.span())))
    }

    fn place_of(&self, span: Option<Range<usize>>) -> Place {
        let before = span.and_then(|span| self.text.get(..span.start));
        Place {
            source: self.source.clone(),
            line: before.map(|before| before.matches('\n').count() + 1),
        }
    }
}
