//! What the compiler is told to refuse is told to it everywhere.

use crate::sources::root;
use std::fs;

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The rooms in which nothing may be printed: under stdio, standard output belongs to the protocol.
const SILENT: [&str; 11] = [
    "ask",
    "policy",
    "harness",
    "workspace",
    "journal",
    "desk",
    "tools",
    "plans",
    "onboarding",
    "script",
    "inbox",
];

#[test]
fn the_rooms_that_must_not_print_are_held_to_it() {
    for room in SILENT {
        let text = read(&format!("crates/{room}/src/lib.rs"));
        for lint in ["print_stdout", "print_stderr", "unwrap_used"] {
            let denied = text.contains(&format!("clippy::{lint}"));
            assert!(denied, "crates/{room}/src/lib.rs does not deny {lint}");
        }
    }
}

/// The script room has two files with unsafe code, and so a list of its own.
#[test]
fn the_script_room_has_the_lints_of_all_others() {
    let lints = |file: &str, table: &str| {
        let text = read(file);
        let lints = text.split_once(table).map(|(_, rest)| rest.to_owned());
        let lints = lints.unwrap_or_else(|| panic!("{file} has no {table}"));
        let lines = lints.lines().take_while(|line| !line.starts_with('['));
        let lines = lines.filter(|line| line.contains(" = "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let all = lints("Cargo.toml", "\n[workspace.lints.clippy]\n");
    let script = lints("crates/script/Cargo.toml", "\n[lints.clippy]\n");
    assert!(all.len() > 10);
    assert_eq!(script, all);
}
