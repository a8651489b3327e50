//! The cases: what is in the files, and that there are enough of them.

use std::{collections::HashSet, fs, path::PathBuf};
use toml_edit::{DocumentMut, Table};

/// The fewest cases that the corpus has.
const FEWEST: usize = 300;

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
pub fn cases(file: &str) -> Vec<Case> {
    let path = folder().join(format!("{file}.toml"));
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

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("cases")
}

#[test]
fn there_are_enough_cases_each_with_a_name_of_its_own() {
    let mut count = 0;
    for file in fs::read_dir(folder()).unwrap() {
        let path = file.unwrap().path();
        let file = path.file_stem().unwrap().to_str().unwrap();
        let mut names = HashSet::new();
        for case in cases(file) {
            assert!(
                names.insert(case.name.clone()),
                "{file}: {} twice",
                case.name
            );
        }
        count += names.len();
    }
    assert!(count >= FEWEST, "there are {count} cases");
}
