//! One test binary for each crate, and no file of it that the compiler never sees.

use crate::sources::{packages, rust_files, short};
use std::{fs, path::Path};

/// Says whether the file that declares this one does so.
fn is_declared(tests: &Path, file: &Path) -> bool {
    let folder = file.parent().unwrap();
    let (parent, name) = if file.file_name().unwrap() == "mod.rs" {
        (folder.parent().unwrap(), folder.file_stem().unwrap())
    } else {
        (folder, file.file_stem().unwrap())
    };
    let declaration = format!("mod {};", name.to_str().unwrap());
    let declaring = if parent == tests {
        vec![parent.join("main.rs")]
    } else {
        vec![parent.join("mod.rs"), parent.with_extension("rs")]
    };
    declaring.iter().any(|file| {
        let text = fs::read_to_string(file).unwrap_or_default();
        text.lines().any(|line| line.ends_with(&declaration))
    })
}

#[test]
fn every_test_file_is_compiled() {
    let mut forgotten = Vec::new();
    for package in packages("crates") {
        let tests = package.join("tests/it");
        for file in rust_files(&tests) {
            if file != tests.join("main.rs") && !is_declared(&tests, &file) {
                forgotten.push(short(&file));
            }
        }
    }
    assert!(forgotten.is_empty(), "no `mod` for {forgotten:#?}");
}
