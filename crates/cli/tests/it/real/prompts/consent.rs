//! Whatever breaks on the way, nothing runs without a yes.

use super::{
    catalog::{self, Prompting},
    desk::Desk,
    every_client::DONE,
    leftovers::kill_hooks,
};
use std::{fs, os::unix::fs::PermissionsExt};

type Breaks = fn(&Desk);

/// What is broken before the client starts.
const BROKEN: [(&str, Breaks); 5] = [
    ("the rules", |desk| desk.rules("allow = [\"Bash\n")),
    ("the configuration", |desk| {
        desk.station.home.config("inbox = ")
    }),
    ("the record", |desk| {
        let journal = desk.station.home.journal();
        fs::remove_file(&journal).unwrap();
        fs::create_dir(journal).unwrap();
    }),
    ("the disk is full", |desk| {
        shim(desk, "trap '' XFSZ; ulimit -f 0;");
    }),
    ("the program is not there", |desk| {
        fs::remove_file(desk.station.bin().join("holdpoint")).unwrap();
    }),
];

/// `holdpoint` after this line of shell.
fn shim(desk: &Desk, line: &str) {
    let path = desk.station.bin().join("holdpoint");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(
        &path,
        text.replacen("#!/bin/sh\n", &format!("#!/bin/sh\n{line}\n"), 1),
    )
    .unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn what_is_broken_lets_nothing_run(of: &'static Prompting) {
    for (what, breaks) in BROKEN {
        let desk = Desk::new(of);
        breaks(&desk);
        let told = desk.starts().told(&desk);
        assert!(!desk.is_made(), "{what}: {told}");
        assert!(!told.contains(DONE), "{what}: {told}");
    }
}

/// Somebody kills the hook while it waits.
fn a_killed_hook_lets_nothing_run(of: &'static Prompting) {
    for with_shell in [false, true] {
        let desk = Desk::new(of);
        let run = desk.starts();
        desk.asked();
        kill_hooks(&desk.station.home, with_shell);
        let told = run.told(&desk);
        let goes_on = with_shell && !of.closed_when_killed;
        assert_eq!(
            desk.is_made(),
            goes_on,
            "with its shell: {with_shell}: {told}"
        );
        desk.verifies();
    }
}

macro_rules! consent {
    ($($name:ident: $client:expr;)*) => {$(
        mod $name {
            use super::*;

            #[test]
            fn what_is_broken_lets_nothing_run() {
                super::what_is_broken_lets_nothing_run(&$client);
            }

            #[test]
            fn a_killed_hook_lets_nothing_run() {
                super::a_killed_hook_lets_nothing_run(&$client);
            }
        }
    )*};
}

consent! {
    claude_code: catalog::CLAUDE;
    claude_code_by_rule: catalog::CLAUDE_BY_RULE;
    codex: catalog::CODEX_EXEC;
    gemini: catalog::GEMINI_CLI;
    copilot: catalog::COPILOT_CLI;
    opencode: catalog::OPENCODE_RUN;
}
