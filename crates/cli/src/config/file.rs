//! Reading a file of settings.

use super::{
    error::{ConfigError, Place, Source},
    key::{Key, SECTIONS, nearest},
    raw::Raw,
};
use std::{
    fs, io,
    path::{Path, PathBuf},
};
use toml_edit::{Document, Item, TableLike};

/// No file of settings is larger.
const LARGEST: u64 = 256 * 1024;

/// What is set somewhere.
#[derive(Debug)]
pub struct Entry {
    pub what: What,
    pub value: Raw,
    pub place: Place,
}

/// What an entry is about.
#[derive(Debug, PartialEq, Eq)]
pub enum What {
    /// One key.
    Key(Key),
    /// The profile of a client.
    Client(String),
}

/// The text of a file; none where there is no such file.
pub fn read(path: &Path) -> Result<Option<String>, ConfigError> {
    let failed = |source| ConfigError::Read {
        path: path.to_owned(),
        source,
    };
    let is = match fs::metadata(path) {
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            ) =>
        {
            return Ok(None);
        }
        found => found.map_err(failed)?,
    };
    // A pipe would be waited for, and a device read for ever.
    if !is.is_file() || is.len() > LARGEST {
        return Err(failed(io::Error::other(format!(
            "it is no ordinary file of at most {} KiB",
            LARGEST / 1024
        ))));
    }
    fs::read_to_string(path).map(Some).map_err(failed)
}

/// The entries of a file, in its order.
pub fn parse(
    text: &str,
    path: &Path,
    source: impl Fn(PathBuf) -> Source,
) -> Result<Vec<Entry>, ConfigError> {
    let document = Document::parse(text).map_err(|error| ConfigError::Toml {
        path: path.to_owned(),
        what: error.to_string().trim_end().to_owned(),
    })?;
    let file = File {
        text,
        source: source(path.to_owned()),
    };
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
                    value: Raw::of_toml(item),
                    place,
                });
            } else {
                entries.push(self.entry(&format!("{section}.{name}"), item, place)?);
            }
        }
        Ok(())
    }

    fn entry(&self, name: &str, item: &Item, place: Place) -> Result<Entry, ConfigError> {
        let Some(key) = Key::named(name) else {
            let sections = SECTIONS.map(|section| format!("[{section}]"));
            let known = Key::ALL.map(|key| key.name().to_owned());
            return Err(ConfigError::Unknown {
                nearest: nearest(name, known.into_iter().chain(sections)),
                place,
                key: name.to_owned(),
            });
        };
        Ok(Entry {
            what: What::Key(key),
            value: Raw::of_toml(item),
            place,
        })
    }

    fn place(&self, keys: &dyn TableLike, name: &str) -> Place {
        let key = keys.get_key_value(name);
        let span = key.and_then(|(key, item)| key.span().or_else(|| item.span()));
        Place {
            source: self.source.clone(),
            line: span.map(|span| self.text[..span.start].matches('\n').count() + 1),
        }
    }
}
