//! Every source file is on a map, and the first map is short.

use crate::sources::{packages, root, rust_files};
use std::fs;

#[test]
fn every_source_file_has_its_row() {
    let mut missing = Vec::new();
    for package in packages("crates") {
        let room = package.file_name().unwrap().to_str().unwrap();
        let map = format!("docs/internals/{room}.md");
        let text = fs::read_to_string(root().join(&map)).unwrap_or_default();
        for file in rust_files(&package.join("src")) {
            let path = file.strip_prefix(&package).unwrap().display().to_string();
            let has_row = text
                .lines()
                .any(|line| line.starts_with('|') && line.contains(&format!("`{path}`")));
            if !has_row {
                missing.push(format!("{map}: {path}"));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn every_row_has_its_source_file() {
    let mut stale = Vec::new();
    for package in packages("crates") {
        let room = package.file_name().unwrap().to_str().unwrap();
        let map = format!("docs/internals/{room}.md");
        let text = fs::read_to_string(root().join(&map)).unwrap_or_default();
        for line in text.lines().filter(|line| line.starts_with("| `src/")) {
            let path = line.split('`').nth(1).unwrap();
            if !package.join(path).is_file() {
                stale.push(format!("{map}: {path}"));
            }
        }
    }
    assert!(stale.is_empty(), "{}", stale.join("\n"));
}

#[test]
fn the_first_map_is_short() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let lines = text.lines().count();
    assert!(lines <= 150, "ARCHITECTURE.md has {lines} lines");
}
