//! Where the hook is registered now, and which clients run it there.

use super::{entry::Call, place, plugin};
use crate::commands::init::{Client, client::Machine, file, user_file::Scope};
use jsonc_parser::ParseOptions;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A file in which the hook is registered.
#[derive(Debug)]
pub struct Found {
    /// For whom. What VS Code and Copilot CLI share is VS Code's.
    pub client: Client,
    /// Whose file it is.
    pub scope: Scope,
    /// The file.
    pub path: PathBuf,
    /// What is called, and on which event.
    pub calls: Vec<(String, Call)>,
}

/// Whether a client runs a hook that another's file has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runs {
    /// It does not.
    No,
    /// It does where a switch in its own settings is on, which no file tells.
    Perhaps,
    /// It does.
    Yes,
}

/// Every registration, the folder's before the person's.
pub fn all(folder: &Path, machine: &Machine) -> Vec<Found> {
    let owners = place::CLIENTS
        .into_iter()
        .filter(|client| place::owner(*client) == *client);
    let files = owners.flat_map(|client| {
        place::all(client, folder, machine)
            .into_iter()
            .map(move |at| (client, at))
    });
    let found = files.filter_map(|(client, (scope, path))| {
        let text = file::read(&path).ok()?;
        let calls = match client {
            Client::Opencode => plugin::calls(text.text()),
            _ => calls(text.text(), client),
        };
        let found = Found {
            client,
            scope,
            path,
            calls,
        };
        (!found.calls.is_empty()).then_some(found)
    });
    found.collect()
}

/// The calls for a client in a file of this text.
fn calls(text: &str, client: Client) -> Vec<(String, Call)> {
    let options = ParseOptions::default();
    let all = jsonc_parser::parse_to_serde_value::<Value>(text, &options).unwrap_or_default();
    let events = all["hooks"].as_object().into_iter().flatten();
    let items = events.flat_map(|(event, list)| {
        let items = list.as_array().into_iter().flatten();
        items.map(move |item| (event, item))
    });
    let entries = items.flat_map(|(event, item)| {
        let group = item["hooks"].as_array();
        let entries: Vec<_> = group.map_or_else(|| vec![item], |group| group.iter().collect());
        entries.into_iter().map(move |entry| (event, entry))
    });
    let calls = entries.filter_map(|(event, entry)| Some((event.clone(), Call::read(entry)?)));
    calls
        .filter(|(_, call)| place::words(client).contains(&call.client))
        .collect()
}

impl Found {
    /// Whether a client runs what is registered here.
    pub fn run_by(&self, client: Client, machine: &Machine) -> Runs {
        let yes = |is| if is { Runs::Yes } else { Runs::No };
        match (client, self.client) {
            (own, other) if own == other => Runs::Yes,
            (Client::Copilot, Client::Vscode) => {
                yes(!self.calls.iter().any(|(_, call)| call.is_beside_claude))
            }
            (Client::Copilot, Client::Claude) => yes(self.scope == Scope::Project),
            (Client::Vscode, Client::Claude) => yes(vscode_reads_claude(machine)),
            (Client::Cursor, Client::Claude) => Runs::Perhaps,
            _ => Runs::No,
        }
    }
}

/// VS Code runs Claude's hooks where this is on, which it is not by itself; only a person's own settings
/// can say so.
fn vscode_reads_claude(machine: &Machine) -> bool {
    let settings = vscode_settings(machine);
    settings.is_some_and(|(_, settings)| settings["chat.useClaudeHooks"] == true)
}

/// The person's own settings of VS Code.
pub fn vscode_settings(machine: &Machine) -> Option<(PathBuf, Value)> {
    let path = machine.app_data()?.join("Code/User/settings.json");
    let text = file::read(&path).ok()?;
    let options = ParseOptions::default();
    let value = jsonc_parser::parse_to_serde_value(text.text(), &options).ok()?;
    Some((path, value))
}
