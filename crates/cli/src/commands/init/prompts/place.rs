//! Where the hook of each client is, and the files in which others may have put it.

use crate::commands::init::{Client, claude_settings, client::Machine, user_file::Scope};
use anyhow::bail;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The clients whose prompts can come to Holdpoint.
pub const CLIENTS: [Client; 7] = [
    Client::Claude,
    Client::Codex,
    Client::Vscode,
    Client::Copilot,
    Client::Cursor,
    Client::Gemini,
    Client::Opencode,
];

/// Those whose hooks are in the file of another.
pub fn owner(client: Client) -> Client {
    match client {
        Client::Copilot => Client::Vscode,
        own => own,
    }
}

/// The words by which a file's owner is called.
pub fn words(client: Client) -> &'static [Client] {
    match client {
        Client::Claude => &[Client::Claude],
        Client::Codex => &[Client::Codex],
        Client::Vscode | Client::Copilot => &[Client::Vscode, Client::Copilot],
        Client::Cursor => &[Client::Cursor],
        Client::Gemini => &[Client::Gemini],
        _ => &[],
    }
}

const FILE: &str = "holdpoint.json";
const PLUGIN: &str = "holdpoint.js";

/// The file in which the hook of a client is registered.
///
/// # Errors
/// When the client has no such hooks, or it is not known where a person's are.
pub fn of(
    client: Client,
    scope: Scope,
    folder: &Path,
    machine: &Machine,
) -> anyhow::Result<PathBuf> {
    let below = |name: &str| match scope {
        Scope::Project => Ok(folder.join(name)),
        Scope::User => machine.below_home(name),
    };
    Ok(match client {
        Client::Claude => claude_settings::path(scope, folder, machine)?,
        Client::Codex => match scope {
            Scope::Project => folder.join(".codex").join("hooks.json"),
            Scope::User => machine.codex_folder()?.join("hooks.json"),
        },
        Client::Vscode | Client::Copilot => copilot_folder(scope, folder, machine)?.join(FILE),
        Client::Cursor => below(".cursor")?.join("hooks.json"),
        Client::Gemini => below(".gemini")?.join("settings.json"),
        Client::Opencode => match scope {
            Scope::Project => folder.join(".opencode").join("plugin").join(PLUGIN),
            Scope::User => {
                let own = machine.folder("XDG_CONFIG_HOME").map(Ok);
                let own = own.unwrap_or_else(|| machine.below_home(".config"))?;
                own.join("opencode").join("plugin").join(PLUGIN)
            }
        },
        _ => {
            let known: Vec<_> = CLIENTS.iter().map(|known| known.word()).collect();
            bail!(
                "--prompts knows the hooks of {}, and {} has none that could bring its prompts here. Leave the flag out; nothing was written.",
                known.join(", "),
                client.title()
            )
        }
    })
}

/// Where Copilot CLI and VS Code look for hooks.
fn copilot_folder(scope: Scope, folder: &Path, machine: &Machine) -> anyhow::Result<PathBuf> {
    Ok(match scope {
        Scope::Project => folder.join(".github").join("hooks"),
        Scope::User => machine.below_home(".copilot")?.join("hooks"),
    })
}

/// Every file in which a hook of this client can be.
pub fn all(client: Client, folder: &Path, machine: &Machine) -> Vec<(Scope, PathBuf)> {
    let mut found = Vec::new();
    for scope in [Scope::Project, Scope::User] {
        let Ok(own) = of(client, scope, folder, machine) else {
            continue;
        };
        match client {
            Client::Vscode | Client::Copilot => {
                let listed = own.parent().and_then(|folder| fs::read_dir(folder).ok());
                let listed = listed.into_iter().flatten().flatten();
                let mut files: Vec<_> = listed
                    .map(|entry| entry.path())
                    .filter(|path| path.extension().is_some_and(|end| end == "json"))
                    .collect();
                files.sort();
                found.extend(files.into_iter().map(|path| (scope, path)));
            }
            Client::Claude if scope == Scope::Project => {
                let local = own.with_file_name("settings.local.json");
                found.extend([(scope, own), (scope, local)]);
            }
            _ => found.push((scope, own)),
        }
    }
    found
}
