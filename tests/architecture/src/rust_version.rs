//! The oldest Rust that is supported is one that is tried, and it is the same wherever it is named.

use crate::sources::{root, short, text_files};
use std::fs;

/// What stands between these two in a file of the workspace.
fn between(file: &str, begin: &str, end: &str) -> String {
    let text = fs::read_to_string(root().join(file)).unwrap();
    let found = text
        .split_once(begin)
        .and_then(|(_, rest)| rest.split_once(end));
    let (found, _) = found.unwrap_or_else(|| panic!("{file} has no {begin}"));
    found.to_owned()
}

#[test]
fn the_oldest_rust_is_the_one_that_is_tried() {
    let promised = between("Cargo.toml", "\nrust-version = \"", "\"");
    let job = between(".github/workflows/ci.yml", "\n  msrv:\n", "\n\n");
    let tried = job.split_once("RUSTUP_TOOLCHAIN: \"").unwrap().1;
    let tried = tried.split_once('"').unwrap().0;
    assert_eq!(tried, format!("{promised}.0"), "tried, and promised");
}

#[test]
fn every_text_names_the_same_rust() {
    let promised = between("Cargo.toml", "\nrust-version = \"", "\"");
    let (mut named, mut wrong) = (0, Vec::new());
    for file in text_files() {
        let name = short(&file);
        let is_history = name == "CHANGELOG.md";
        if is_history || !(name.ends_with(".md") || name.ends_with("src/lib.rs")) {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap_or_default();
        for version in text.split("Rust 1.").skip(1) {
            let minor: String = version.chars().take_while(char::is_ascii_digit).collect();
            named += 1;
            if format!("1.{minor}") != promised {
                wrong.push(format!("{name}: Rust 1.{minor}"));
            }
        }
    }
    assert!(named > 0, "no text says which Rust is needed");
    assert!(
        wrong.is_empty(),
        "Rust {promised} is promised, but\n{}",
        wrong.join("\n")
    );
}
