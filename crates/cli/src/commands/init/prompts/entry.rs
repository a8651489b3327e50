//! An entry in a client's hooks: whether it calls Holdpoint, for whom, and with how much time.

use super::hooks::NOT_IN_COPILOT;
use crate::commands::init::{Client, program::NAME};
use clap::ValueEnum;
use serde_json::Value;
use std::path::Path;

/// Where the command is, by the client that reads it.
pub const COMMANDS: [&str; 7] = [
    "command",
    "bash",
    "powershell",
    "linux",
    "osx",
    "windows",
    "exec",
];

/// What we write into an entry; anything else in it is the person's. `args` and `async` are here because
/// with them it would not do what it says.
pub const OURS: [&str; 16] = [
    "type",
    "name",
    "command",
    "commandWindows",
    "args",
    "exec",
    "bash",
    "powershell",
    "linux",
    "osx",
    "windows",
    "timeout",
    "timeoutSec",
    "onFailure",
    "failClosed",
    "async",
];

/// A call of `holdpoint hook`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The program.
    pub program: String,
    /// For which client.
    pub client: Client,
    /// How long it may take, in seconds, where that is said.
    pub within: Option<u64>,
    /// How long the client waits for it, in seconds, where that is said.
    pub timeout: Option<u64>,
    /// When it cannot be started or dies, the client lets nothing run.
    pub is_closed: bool,
    /// It is for VS Code alone: Copilot CLI does nothing with it.
    pub is_beside_claude: bool,
}

impl Call {
    /// The call that an entry makes; none where it is not ours.
    pub fn read(entry: &Value) -> Option<Self> {
        let words = COMMANDS
            .iter()
            .filter_map(|key| entry[key].as_str())
            .find_map(|line| {
                let words = match entry["args"].as_array() {
                    None => split(line),
                    Some(args) => {
                        let args = args.iter().filter_map(Value::as_str);
                        std::iter::once(line)
                            .chain(args)
                            .map(str::to_owned)
                            .collect()
                    }
                };
                is_hook(&words).then_some(words)
            })?;
        let client = Client::from_str(words.get(2)?, true).ok()?;
        let within = words.iter().position(|word| word == "--within");
        let within = within.and_then(|at| words.get(at + 1)?.parse().ok());
        let timeout = entry["timeoutSec"].as_u64().or(entry["timeout"].as_u64());
        let exits = |key: &str| {
            entry[key]
                .as_str()
                .is_some_and(|line| line.contains("exit 2"))
        };
        let switched = entry["onFailure"] == "block" || entry["failClosed"] == true;
        Some(Self {
            program: words.first()?.clone(),
            client,
            within,
            timeout: match client {
                Client::Gemini => timeout.map(|milliseconds| milliseconds / 1_000),
                _ => timeout,
            },
            is_closed: switched || ["command", "bash", "linux"].into_iter().any(exits),
            is_beside_claude: entry["bash"]
                .as_str()
                .is_some_and(|line| line.starts_with(NOT_IN_COPILOT)),
        })
    }
}

fn is_hook(words: &[String]) -> bool {
    let [program, hook, ..] = words else {
        return false;
    };
    let named = Path::new(program)
        .file_stem()
        .is_some_and(|stem| stem == NAME);
    named && hook == "hook"
}

/// The words of a command, as far as ours have any: blanks between them, quotes around a path.
fn split(line: &str) -> Vec<String> {
    let line = line.trim_start().trim_start_matches("& ");
    let line = line.strip_prefix(NOT_IN_COPILOT).unwrap_or(line);
    let quoted = line.strip_prefix(['"', '\'']).and_then(|rest| {
        let end = rest.find(line.chars().next()?)?;
        Some((rest[..end].to_owned(), &rest[end + 1..]))
    });
    let (first, rest) = match quoted {
        Some((program, rest)) => (Some(program), rest),
        None => (None, line),
    };
    let rest = rest.split_whitespace().map(str::to_owned);
    first.into_iter().chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::init::prompts::hooks::{Registration, TIMEOUT, WITHIN};
    use serde_json::json;

    #[test]
    fn what_is_registered_is_known_again() {
        for client in Client::value_variants() {
            let Some(ours) = Registration::new(*client, "linux") else {
                continue;
            };
            let first = &ours.events[0];
            let call = Call::read(&ours.entry(first)).unwrap();
            let shared = [Client::Vscode, Client::Copilot];
            let is_own = call.client == *client || shared.contains(client);
            assert!(is_own && call.program == NAME, "{client:?}: {call:?}");
            assert_eq!(call.within, Some(WITHIN.into()), "{client:?}");
            assert_eq!(call.timeout, Some(TIMEOUT.into()), "{client:?}");
            assert!(call.is_closed && !call.is_beside_claude, "{client:?}");
            if client == &Client::Vscode {
                let beside = ours.beside_claude().entry(first);
                let beside = Call::read(&beside).unwrap();
                let wanted = Call {
                    is_beside_claude: true,
                    ..call
                };
                assert_eq!(beside, wanted);
            }
        }
    }

    #[test]
    fn another_program_is_not_ours() {
        let check = |entry: Value, wanted: Option<&str>| {
            let call = Call::read(&entry);
            assert_eq!(call.map(|call| call.program).as_deref(), wanted, "{entry}");
        };
        check(json!({ "command": "./check.sh hook claude" }), None);
        check(json!({ "command": "holdpoint log" }), None);
        check(json!({ "command": "holdpoint hook somebody" }), None);
        check(json!({ "url": "http://localhost" }), None);
        check(json!("holdpoint hook claude"), None);
        let path = "/opt/my tools/holdpoint";
        let quoted = format!("\"{path}\" hook claude");
        check(json!({ "command": quoted }), Some(path));
        let args = json!({ "command": path, "args": ["hook", "claude"] });
        check(args, Some(path));
    }
}
