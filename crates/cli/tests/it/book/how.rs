//! How each command of the book is run, where typing it is not all; and which are not run, and why.

use crate::support::person::{CTRL_C, ENTER};
use docs::chapters;

/// What a person does at a command: what they wait for, and the keys that they then press.
pub type Keys = &'static [(&'static str, &'static str)];

/// A command, by its beginning, and how it is run.
pub struct How {
    /// How it begins.
    begins: &'static str,
    /// What is pressed.
    pub keys: Keys,
    /// Whether it ends as asked for by the keys, whatever its exit code says.
    pub any_code: bool,
    /// Whether its standard input is empty, as that of a client that has gone.
    pub no_input: bool,
}

const fn keys(begins: &'static str, keys: Keys) -> How {
    How {
        begins,
        keys,
        any_code: false,
        no_input: false,
    }
}

const fn until(begins: &'static str, seen: Keys) -> How {
    How {
        any_code: true,
        ..keys(begins, seen)
    }
}

/// `rules explain` says with its exit code what would happen.
const fn asked(begins: &'static str) -> How {
    until(begins, &[("You would be asked", "")])
}

const fn without_input(begins: &'static str) -> How {
    How {
        no_input: true,
        ..keys(begins, &[])
    }
}

/// What stands below every prompt.
const LEAVE: &str = "Esc to leave";

/// The one they are in.
const WHICH_FOLDER: Keys = &[("Which folder", ENTER)];

/// The first that fits counts.
const HOW: &[How] = &[
    asked("holdpoint rules explain Bash 'git push"),
    keys("holdpoint inbox | cat", &[]),
    until("holdpoint inbox --web", &[("#key=", CTRL_C)]),
    keys("holdpoint inbox", &[("quit", "q")]),
    keys("holdpoint init claude-desktop", WHICH_FOLDER),
    keys("holdpoint init windsurf", WHICH_FOLDER),
    keys(
        "holdpoint run hello.js",
        &[("your name?", ""), (LEAVE, "Ada\r")],
    ),
    keys(
        "holdpoint run hello.photon.ts",
        &[("your name?", ""), (LEAVE, "Ada\r")],
    ),
    without_input("holdpoint serve"),
    keys(
        "holdpoint ask confirm 'Drop the table?'",
        &[(LEAVE, "users\r")],
    ),
    keys(
        "holdpoint ask confirm 'Delete old copies?'",
        &[(LEAVE, "yes\r")],
    ),
    keys("holdpoint ask confirm 'Deploy", &[(LEAVE, "confirm\r")]),
    keys("branch=$(holdpoint ask choose", &[(LEAVE, "\u{1b}[B\r")]),
    keys("holdpoint ask form", &[(LEAVE, "Ada\r")]),
    keys(
        "holdpoint pin set",
        &[("The new PIN", "2468\r"), ("Once more", "2468\r")],
    ),
];

/// What no test types, by how it begins, and why. What of it is `holdpoint` is checked against the command line.
const NOT_RUN: &[(&str, &str)] = &[
    ("cargo ", "builds for minutes, and this test is built by it"),
    ("dev/test", "runs this test"),
    ("bench/run", "measures for forty minutes"),
    (
        "tools/package",
        "builds a release; the tests of `tests/packages` run it on the binary that there is",
    ),
    ("git tag", "of a release, which a person makes"),
    ("git push origin v", "the same"),
    ("gh ", "the same"),
    ("sha256sum ", "the same"),
    ("npm ", "the same"),
    ("twine ", "the same"),
    ("mcp-publisher ", "the same"),
    (
        "mcpdo ",
        "the inspector is driven by the tests `clients::`, with servers of their own",
    ),
    (
        "cd publisher",
        "the crate that the reader makes in this guide",
    ),
    (
        "pkill ",
        "ends programs by name; the tests `resume` kill by id",
    ),
    (
        "cat questions",
        "of the server that the reader makes in this guide; examples/chat-channel is tested",
    ),
    ("for question in", "the same"),
    ("rm questions", "the same"),
    ("cat published.txt", "the same"),
    (
        "mkdir notes",
        "the same; crates/desk/examples/notes.rs is tested",
    ),
    ("examples/team/run", "the tests `team::script` run it"),
    (
        "mkdir -m 700 secrets",
        "for the containers of the team's guide, which nobody could try",
    ),
    ("openssl rand -hex 16 > secrets", "the same"),
    ("openssl rand -hex 32 > secrets", "the same"),
    ("cat fullchain.pem", "the same"),
    ("chmod 400 secrets", "the same"),
    ("sudo chown", "the same"),
    ("docker ", "the same"),
    (
        "claude -p",
        "needs Claude Code; `dev/test --clients` drives it",
    ),
    (
        "HOLDPOINT_SECRET_FILE=/etc/holdpoint/secret holdpoint serve",
        "needs a PostgreSQL; the tests `database` and `team` do it",
    ),
    (
        "holdpoint serve --inbox 0.0.0.0",
        "listens beyond this machine",
    ),
    (
        "holdpoint run release.js",
        "asks a good deal; the tests `scripts::release` answer it",
    ),
    (
        "holdpoint rules revoke",
        "needs a permission that was given; the tests `hook` give and revoke one",
    ),
];

/// How a command is run; as it stands where nothing is said.
pub fn of(command: &str) -> Option<&'static How> {
    HOW.iter().find(|how| command.starts_with(how.begins))
}

/// Why a command is not run.
pub fn why_not_run(command: &str) -> Option<&'static str> {
    let found = NOT_RUN
        .iter()
        .find(|(begins, _)| command.starts_with(begins));
    found.map(|(_, why)| *why)
}

/// The programs that a test may run. Anything else is in one of the lists, or is a mistake.
const PROGRAMS: [&str; 7] = [
    "holdpoint",
    "curl",
    "jq",
    "git",
    "cat",
    "./deploy",
    "openssl",
];

#[test]
fn every_command_is_known() {
    let mut unknown = Vec::new();
    let mut seen = Vec::new();
    for page in chapters() {
        for command in super::typed(&page).flat_map(|(_, commands)| commands) {
            let is_known = docs::words(&command.text).iter().all(|words| {
                let program = words.iter().find(|word| !word.contains('='));
                let program = program.map(String::as_str);
                program.is_none_or(|program| PROGRAMS.contains(&program) || program == "umask")
            });
            if !is_known && why_not_run(&command.text).is_none() {
                unknown.push(format!("{}:{}: {}", page.name, command.line, command.text));
            }
            seen.push(command.text);
        }
    }
    assert!(
        unknown.is_empty(),
        "say in tests/it/book/how.rs how these are run, or why not:\n{}",
        unknown.join("\n")
    );
    let is_used = |begins: &str| seen.iter().any(|command| command.starts_with(begins));
    let stale = NOT_RUN.iter().map(|(begins, _)| *begins);
    let stale = stale.chain(HOW.iter().map(|how| how.begins));
    let stale: Vec<_> = stale.filter(|begins| !is_used(begins)).collect();
    assert!(stale.is_empty(), "no page has these any more: {stale:?}");
}
