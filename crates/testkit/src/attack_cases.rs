//! The cases of `tests/attacks`: what an attacker tries, as data.

use std::{fs, path::PathBuf};
use toml_edit::{DocumentMut, Table};

/// One case of a file.
pub struct Case {
    /// What the attacker tries.
    pub name: String,
    table: Table,
}

impl Case {
    /// A text of the case.
    pub fn text(&self, key: &str) -> Option<&str> {
        let value = self.table.get(key)?;
        let text = value.as_str();
        Some(text.unwrap_or_else(|| panic!("{}: {key} is not a text", self.name)))
    }

    /// Texts of the case; none where it says nothing of them.
    pub fn texts(&self, key: &str) -> Vec<&str> {
        let list = self.table.get(key).and_then(|value| value.as_array());
        let texts = list.into_iter().flatten().map(|text| text.as_str());
        texts
            .map(|text| text.unwrap_or_else(|| panic!("{}: {key} has no texts", self.name)))
            .collect()
    }

    /// A number of the case.
    pub fn number(&self, key: &str) -> Option<i64> {
        self.table.get(key)?.as_integer()
    }

    /// Whether the case says so.
    pub fn is(&self, key: &str) -> bool {
        self.table
            .get(key)
            .is_some_and(|value| value.as_bool() == Some(true))
    }
}

/// The cases of a file.
pub fn attack_cases(file: &str) -> Vec<Case> {
    let path = attack_folder().join(format!("{file}.toml"));
    let text = fs::read_to_string(&path).unwrap();
    let document: DocumentMut = text
        .parse()
        .unwrap_or_else(|error| panic!("{file}: {error}"));
    let tables = document["case"].as_array_of_tables().unwrap();
    tables
        .iter()
        .map(|table| Case {
            name: table["name"].as_str().unwrap().to_owned(),
            table: table.clone(),
        })
        .collect()
}

/// Where they are.
pub fn attack_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/attacks/cases")
}
