//! Names and messages that a newcomer can read.

use crate::{
    sources::{packages, root, rust_files, short, text_files},
    tokens::{each_group, is_punct, is_word, strings, tokens},
};
use std::{fs, path::PathBuf};

/// Names that say nothing, or that only its author understood.
const NO_NAMES: [&str; 8] = [
    "utils", "helpers", "common", "told", "look", "few", "tend", "lately",
];

fn rust_files_of_the_workspace() -> Vec<PathBuf> {
    let folders = ["crates", "examples", "tests"];
    let packages = folders.into_iter().flat_map(packages);
    packages
        .chain([root().join("bench")])
        .flat_map(|package| rust_files(&package))
        .collect()
}

#[test]
fn a_files_name_says_what_it_holds() {
    let mut files = rust_files_of_the_workspace();
    files.retain(|file| NO_NAMES.contains(&file.file_stem().unwrap().to_str().unwrap()));
    let files: Vec<_> = files.iter().map(|file| short(file)).collect();
    assert!(files.is_empty(), "{files:#?}");
}

#[test]
fn closures_name_what_they_are_given() {
    let mut found = Vec::new();
    for file in rust_files_of_the_workspace() {
        each_group(&tokens(&file), &mut |tokens| {
            let named_it = tokens.windows(3).any(|next| {
                let ends = ['|', ',', ':'].iter().any(|end| is_punct(&next[2], *end));
                is_punct(&next[0], '|') && is_word(&next[1], "it") && ends
            });
            if named_it {
                found.push(short(&file));
            }
        });
    }
    found.dedup();
    assert!(found.is_empty(), "`|it|` in {found:#?}");
}

/// Says whether a message has translated English in it, such as "that is no time".
fn is_translated(message: &str) -> bool {
    let words: Vec<_> = message.split_whitespace().collect();
    words.windows(4).any(|words| {
        let there = words[0].to_lowercase().ends_with("there");
        words[1] == "is" && words[2] == "no" && !there && !["longer", "more"].contains(&words[3])
    }) || words.len() > 1
        && words.iter().any(|word| {
            let word = word.trim_matches(|letter: char| !letter.is_alphabetic());
            ["mend", "mended", "mends"].contains(&word)
        })
}

#[test]
fn messages_are_plain_english() {
    assert!(is_translated("5 that is no time"));
    assert!(!is_translated(
        "but there is no file, and it is no longer open"
    ));
    let mut found = Vec::new();
    for package in packages("crates") {
        for file in rust_files(&package.join("src")) {
            let translated = strings(&file)
                .into_iter()
                .filter(|text| is_translated(text));
            found.extend(translated.map(|text| format!("{}: {text}", short(&file))));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn nothing_refers_to_what_is_not_in_the_repository() {
    let outside = ["..", "shared"].join("/");
    let mut found = Vec::new();
    for file in text_files() {
        let text = fs::read_to_string(&file).unwrap_or_default();
        if text.contains(&outside) {
            found.push(short(&file));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}
