//! What was meant by a command that there is not: the words of other programs, and ours for them.

use crate::cli::Cli;
use clap::{
    Parser,
    builder::StyledStr,
    error::{ContextKind, ContextValue, ErrorKind},
};
use std::env;

/// Words that people try, and what does that here. What is only misspelt, clap finds by itself.
const WORDS: [(&[&str], &str); 25] = [
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
            "tail",
        ],
        "`holdpoint log` is the record: `holdpoint log WORD` searches it",
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
    Cli::try_parse().unwrap_or_else(|error| with_meaning(error).exit())
}

/// The error, with what was meant.
fn with_meaning(mut error: clap::Error) -> clap::Error {
    if error.kind() != ErrorKind::InvalidSubcommand {
        return error;
    }
    let Some(ContextValue::String(said)) = error.get(ContextKind::InvalidSubcommand) else {
        return error;
    };
    // A word behind `holdpoint journal` means something else.
    let is_first = env::args().nth(1).as_ref() == Some(said);
    if let Some(meant) = meaning(said).filter(|_| is_first) {
        error.remove(ContextKind::SuggestedSubcommand);
        let tip = ContextValue::StyledStrs(vec![StyledStr::from(meant)]);
        error.insert(ContextKind::Suggested, tip);
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
    use clap::CommandFactory;
    use std::collections::BTreeSet;

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
                assert!(known, "{named} is no command: {meant}");
            }
        }
    }
}
