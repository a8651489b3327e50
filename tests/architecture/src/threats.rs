//! The threat model names tests, and those exist.

use crate::sources::{packages, root, rust_files};
use std::fs;

/// The table of threats, row by row, cell by cell.
fn rows() -> Vec<Vec<String>> {
    let text = fs::read_to_string(root().join("SECURITY.md")).unwrap();
    let table = text.split("| who | tries |").nth(1).unwrap();
    let rows = table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect();
    rows.map(cells).collect()
}

/// The code in a cell.
fn code(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

#[test]
fn what_stops_a_threat_is_held_by_tests_that_exist() {
    let folders = ["crates", "tests", "examples"].into_iter();
    let files = folders
        .flat_map(packages)
        .flat_map(|package| rust_files(&package));
    let sources: String = files
        .map(|file| fs::read_to_string(file).unwrap())
        .collect();
    let (mut held, mut missing) = (0, Vec::new());
    for row in rows() {
        let [_, who, tries, stops, tests, not, _] = row.as_slice() else {
            panic!("a row of five cells: {row:?}");
        };
        assert!(!tries.is_empty(), "{who}: what is tried?");
        assert!(!stops.is_empty() || !not.is_empty(), "{tries}: what then?");
        assert_eq!(
            stops.is_empty(),
            tests.is_empty(),
            "{tries}: {stops} {tests}"
        );
        for test in code(tests) {
            held += 1;
            if !sources.contains(&format!("fn {test}(")) {
                missing.push(test.to_owned());
            }
        }
    }
    assert!(held > 30, "the table was not read: {held} tests");
    assert!(missing.is_empty(), "no such tests: {missing:#?}");
}

#[test]
fn everybody_is_in_the_table() {
    let rows = rows();
    for who in [
        "An agent with tools",
        "An agent with your shell",
        "Another program of yours",
        "Another user of the machine",
        "A web page",
        "A member of the team",
        "Somebody on the network",
    ] {
        let named = format!("**{who}**");
        assert!(rows.iter().any(|row| row[1] == named), "{who}");
    }
}
