//! Git is run through one door, and on a repository itself it is asked nothing but where something is.

use crate::sources::{packages, root, rust_files};
use std::fs;

/// What git may be asked with the repository's own config: these compare no files. `ls-files` reads the
/// index.
const ASKED: [&str; 5] = ["rev-parse", "symbolic-ref", "config", "var", "ls-files"];

/// The code of every file that ships, without its tests.
fn code() -> Vec<(String, String)> {
    let files = packages("crates").into_iter();
    let files = files.flat_map(|package| rust_files(&package.join("src")));
    let read = |file: std::path::PathBuf| {
        let text = fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]\nmod").next().unwrap_or_default();
        let code = code.split("#[cfg(all(test").next().unwrap_or_default();
        let name = file.strip_prefix(root()).unwrap().display().to_string();
        (name, code.to_owned())
    };
    files.map(read).collect()
}

#[test]
fn all_git_calls_go_through_one_door() {
    let door = "crates/workspace/src/git/";
    let mut beside = Vec::new();
    for (name, code) in code() {
        let is_test_room = name.starts_with("crates/testkit/");
        if code.contains("Command::new(\"git\")") && !is_test_room {
            beside.push(name.clone());
        }
        if code.contains("find_program(\"git\"") && !name.starts_with(door) {
            beside.push(name.clone());
        }
        // Only the commit that a person has approved changes a repository.
        if code.contains("Run::changing(") && name != format!("{door}commit.rs") {
            beside.push(name);
        }
    }
    assert!(beside.is_empty(), "{beside:?}");
}

#[test]
fn a_repository_itself_is_only_asked_where_something_is() {
    let mut asked = Vec::new();
    for (name, code) in code() {
        if !name.starts_with("crates/workspace/src/git/") {
            continue;
        }
        for call in code.split(".ask([").skip(1) {
            let command = call.split('"').nth(1).unwrap_or_default();
            asked.push(command.to_owned());
        }
        let plain = code.matches(".ask(").count();
        assert_eq!(plain, code.matches(".ask([").count(), "{name}");
    }
    assert!(asked.len() > 3);
    asked.retain(|command| !ASKED.contains(&command.as_str()));
    assert!(asked.is_empty(), "{asked:?}");
}
