//! What was meant by a command that there is not: the words of other programs, and ours for them.

use crate::cli::Cli;
use clap::{
    CommandFactory, Parser,
    builder::StyledStr,
    error::{ContextKind, ContextValue, ErrorKind},
};
use holdpoint_ask::nearest::nearest;
use std::{env, ffi::OsString};

/// Words that people try, and what does that here. What is only misspelt, clap finds by itself.
const WORDS: [(&[&str], &str); 26] = [
    (
        &[
            "approve", "accept", "yes", "no", "ok", "reject", "deny", "decline", "reply", "respond",
        ],
        "`holdpoint inbox` shows what waits, and takes your answer; `holdpoint answer ID` answers one",
    ),
    (
        &["list", "ls", "open", "pending", "asks", "queue", "waiting"],
        "`holdpoint inbox` lists what waits for you, `holdpoint log` what was asked and decided",
    ),
    (
        &[
            "history",
            "record",
            "records",
            "search",
            "find",
            "decisions",
            "audit",
            "events",
            "logs",
        ],
        "`holdpoint log` is the record: `holdpoint log WORD` searches it",
    ),
    (
        &["tail", "follow", "watch"],
        "`holdpoint log tail` shows the latest, and what comes",
    ),
    (&["show"], "`holdpoint log show ID` shows one ask in full"),
    (&["stats", "statistics"], "`holdpoint log stats`"),
    (&["export"], "`holdpoint log export`"),
    (&["verify"], "`holdpoint log verify`"),
    (
        &[
            "start", "mcp", "server", "stdio", "http", "daemon", "listen",
        ],
        "`holdpoint serve` is the MCP server; clients start it by themselves, once `holdpoint init CLIENT` has registered it",
    ),
    (
        &[
            "setup",
            "install",
            "register",
            "add",
            "connect",
            "configure",
            "client",
            "clients",
        ],
        "`holdpoint init CLIENT` registers it with a client; `holdpoint init --help` lists them",
    ),
    (
        &["remove", "unregister", "disable", "purge"],
        "`holdpoint init CLIENT --remove` takes it out of a client; `holdpoint uninstall --print` lists all that is there",
    ),
    (
        &["config", "settings", "set"],
        "settings are in a file: `holdpoint doctor` says which, and `holdpoint serve --help` what can be set",
    ),
    (
        &["status", "check", "health", "diagnose", "debug"],
        "`holdpoint doctor` checks your setup",
    ),
    (
        &["web", "page", "ui", "gui", "dashboard", "browser"],
        "`holdpoint inbox --web` opens the page",
    ),
    (
        &["phone", "mobile", "qr"],
        "`holdpoint inbox --phone` shows the page's address for a phone",
    ),
    (
        &["update", "upgrade", "self-update"],
        "update it with what installed it; `holdpoint --version` says which one this is",
    ),
    (
        &["permissions", "permission", "allow", "policy", "scopes"],
        "`holdpoint rules` says what agents may do without asking",
    ),
    (
        &["hooks", "prompts"],
        "`holdpoint init CLIENT --prompts` registers the hook",
    ),
    (
        &["exec", "script", "scripts"],
        "`holdpoint run FILE` runs a script",
    ),
    (
        &["key", "keys", "login", "auth"],
        "`holdpoint inbox --web` shows the page's key to a person, `holdpoint token` makes those of programs",
    ),
    (&["password"], "`holdpoint pin set`"),
    (
        &["user", "users", "people", "persons", "team"],
        "`holdpoint person` adds and lists people",
    ),
    (
        &["confirm", "choose", "prompt", "question", "elicit"],
        "`holdpoint ask` asks a person, as in `holdpoint ask confirm 'Go on?'`",
    ),
    (
        &["backup", "copy", "prune", "migrate"],
        "`holdpoint journal` copies, checks and prunes the record",
    ),
    (
        &["example", "examples", "tour", "try", "quickstart", "test"],
        "`holdpoint demo` shows how it works",
    ),
    (
        &["manual", "docs", "usage"],
        "`holdpoint help`, or `holdpoint man`",
    ),
];

/// Reads the command line; ends the process where it cannot be read.
pub fn parse() -> Cli {
    let words = journal_behind_command(env::args_os().collect());
    Cli::try_parse_from(&words).unwrap_or_else(|error| with_meaning(error, &words).exit())
}

/// The same words, with a `--journal` that stands before the command behind it, where commands know it.
fn journal_behind_command(mut words: Vec<OsString>) -> Vec<OsString> {
    let first = words.get(1).and_then(|word| word.to_str());
    let taken = match first {
        Some("--journal") => 2,
        Some(word) if word.starts_with("--journal=") => 1,
        _ => return words,
    };
    if let Some(flag_and_command) = words.get_mut(1..taken + 2) {
        flag_and_command.rotate_right(1);
    }
    words
}

/// The error, with what was meant.
fn with_meaning(mut error: clap::Error, words: &[OsString]) -> clap::Error {
    if error.kind() != ErrorKind::InvalidSubcommand {
        return error;
    }
    let Some(ContextValue::String(said)) = error.get(ContextKind::InvalidSubcommand) else {
        return error;
    };
    // A word behind `holdpoint journal` means something else.
    if words.get(1).and_then(|word| word.to_str()) != Some(said) {
        return error;
    }
    let said = said.clone();
    if let Some(meant) = meaning(&said) {
        error.remove(ContextKind::SuggestedSubcommand);
        let tip = ContextValue::StyledStrs(vec![StyledStr::from(meant)]);
        error.insert(ContextKind::Suggested, tip);
    } else if error.get(ContextKind::SuggestedSubcommand).is_none() {
        // A short word with two letters swapped is unlike every command, to clap.
        let cli = Cli::command();
        let commands = cli.get_subcommands().map(clap::Command::get_name);
        if let Some(near) = nearest(&said, commands) {
            let near = ContextValue::Strings(vec![near.to_owned()]);
            error.insert(ContextKind::SuggestedSubcommand, near);
        }
    }
    error
}

fn meaning(said: &str) -> Option<&'static str> {
    let said = said.to_lowercase();
    let mut words = WORDS.iter();
    let found = words.find(|(words, _)| words.contains(&&*said));
    found.map(|(_, meant)| *meant)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_journal_is_named_before_a_command_too() {
        let check = |before: &str, after: &str| {
            let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
            assert_eq!(journal_behind_command(words(before)), words(after));
        };
        check("hp --journal x.db log list", "hp log --journal x.db list");
        check("hp --journal=x.db log", "hp log --journal=x.db");
        for same in [
            "hp log --journal x.db",
            "hp --journal x.db",
            "hp --journal",
            "hp",
            "hp --journal=",
        ] {
            check(same, same);
        }
    }

    #[test]
    fn each_word_means_one_thing_and_is_no_command() {
        let cli = Cli::command();
        let commands: BTreeSet<_> = cli.get_subcommands().map(clap::Command::get_name).collect();
        let mut seen = BTreeSet::new();
        for (words, meant) in WORDS {
            for word in words {
                assert!(seen.insert(word), "{word} is there twice");
                assert!(!commands.contains(word), "{word} is a command");
            }
            for named in meant.split("`holdpoint ").skip(1) {
                let named = named.split([' ', '`']).next().unwrap_or_default();
                let known = commands.contains(named) || named == "help" || named.starts_with('-');
                assert!(known, "`{named}` is not a command: {meant}");
            }
        }
    }
}
