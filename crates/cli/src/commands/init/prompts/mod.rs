//! `--prompts`: what a harness would ask its user comes to Holdpoint, by a hook that the harness calls.
//!
//! | module | holds |
//! |---|---|
//! | [`hooks`] | what is registered with each client |
//! | `place` | where |
//! | `edit`, `plugin` | the hooks in a client's JSON; opencode's plugin (`holdpoint.js` beside it) |
//! | `entry` | an entry that is there: is it ours, how much time does it have |
//! | [`found`] | every registration, and who runs it |
//!
//! VS Code, Copilot CLI and Cursor may also run what is registered for another client. So that nobody is
//! asked twice, nothing is registered where a client runs it already; and where a new registration makes
//! an old one the second, the old one goes after the new one is there.

mod edit;
mod entry;
pub mod found;
pub mod hooks;
mod place;
mod plugin;

pub use entry::Call;
pub use place::{CLIENTS, of as file};

use super::{Client, client::Machine, file::short, server::Removed, user_file::Scope};
use found::{Found, Runs};
use hooks::Registration;
use std::path::{Path, PathBuf};

/// What is to be done with one file.
pub struct Edit {
    /// The file.
    pub path: PathBuf,
    what: What,
}

enum What {
    Register(Registration),
    Remove(Client),
    WritePlugin,
    RemovePlugin,
}

/// What is to be done, and what a person is told of it.
#[derive(Default)]
pub struct Prompts {
    /// In this order: what is new comes before what goes.
    pub edits: Vec<Edit>,
    /// In sentences.
    pub told: Vec<String>,
}

impl Edit {
    /// The text after it.
    ///
    /// # Errors
    /// When it cannot be changed safely.
    pub fn apply(&self, text: &str) -> anyhow::Result<Removed> {
        match &self.what {
            What::Register(ours) => edit::register(text, ours).map(Removed::Rest),
            What::Remove(of) => edit::remove(text, *of),
            What::WritePlugin => plugin::register(text).map(Removed::Rest),
            What::RemovePlugin => Ok(plugin::remove(text)),
        }
    }
}

/// Plans the registration.
///
/// # Errors
/// When the client has no such hooks.
pub fn registration(
    client: Client,
    scope: Scope,
    folder: &Path,
    machine: &Machine,
) -> anyhow::Result<Prompts> {
    let path = place::of(client, scope, folder, machine)?;
    let title = client.title();
    let found = found::all(folder, machine);
    // What is in a folder helps in no other.
    let counts = |found: &&Found| scope == Scope::Project || found.scope == Scope::User;
    let elsewhere: Vec<_> = found
        .iter()
        .filter(|found| found.path != path)
        .filter(counts)
        .collect();
    let covers = |found: &&&Found| match found.run_by(client, machine) {
        // It runs the same command once, wherever it is; and a team's file is not the person's.
        _ if client == Client::Claude => false,
        runs => runs != Runs::No,
    };
    let mut prompts = Prompts::default();
    if let Some(by) = elsewhere.iter().find(covers) {
        prompts.told.push(covered(client, by, machine, folder));
        return Ok(prompts);
    }
    let what = match Registration::new(client, machine.os) {
        // Who is here for VS Code must not be asked twice in Copilot CLI.
        Some(ours)
            if elsewhere
                .iter()
                .any(|found| found.run_by(Client::Copilot, machine) == Runs::Yes) =>
        {
            What::Register(ours.beside_claude())
        }
        Some(ours) => What::Register(ours),
        None => What::WritePlugin,
    };
    prompts.told.push(format!(
        "What {title} would ask you, your rules decide, or you do in the inbox ({}).",
        short(&path, folder)
    ));
    prompts.edits.push(Edit { path, what });
    prompts.told.extend(next(client).map(str::to_owned));
    if client == Client::Claude {
        // What a person has for all folders is needed in the others.
        for other in elsewhere.iter().filter(|other| other.scope == scope) {
            prompts.make_room(other, folder, machine);
        }
    }
    Ok(prompts)
}

impl Prompts {
    /// Claude Code's hooks are new: another client that runs them too needs its own no longer.
    fn make_room(&mut self, other: &Found, folder: &Path, machine: &Machine) {
        let path = short(&other.path, folder);
        let claude = Found {
            client: Client::Claude,
            scope: other.scope,
            path: PathBuf::new(),
            calls: Vec::new(),
        };
        let runs = |client| claude.run_by(client, machine) == Runs::Yes;
        let (what, told) = match other.client {
            Client::Vscode if runs(Client::Vscode) && runs(Client::Copilot) => (
                What::Remove(Client::Vscode),
                format!(
                    "VS Code and Copilot CLI run it from there too, so theirs goes out of {path}."
                ),
            ),
            Client::Vscode if runs(Client::Copilot) => {
                let Some(ours) = Registration::new(Client::Vscode, machine.os) else {
                    return;
                };
                (
                    What::Register(ours.beside_claude()),
                    format!(
                        "Copilot CLI runs it from there too, so {path} has it for VS Code alone from now on."
                    ),
                )
            }
            Client::Cursor => {
                self.told.push(format!(
                    "{path} has it for Cursor, and is left as it is: Cursor runs Claude Code's hooks too where third-party configs are on in its settings, and would then ask twice. If they are, run `holdpoint init cursor --prompts --remove`."
                ));
                return;
            }
            _ => return,
        };
        self.told.push(told);
        self.edits.push(Edit {
            path: other.path.clone(),
            what,
        });
    }
}

/// That nothing is needed, and why.
fn covered(client: Client, by: &Found, machine: &Machine, folder: &Path) -> String {
    let (title, path) = (client.title(), short(&by.path, folder));
    let whose = by.client.title();
    match by.run_by(client, machine) {
        _ if by.client == place::owner(client) => format!(
            "{title}'s prompts come here already ({path}), so nothing more is registered for them."
        ),
        Runs::Perhaps => format!(
            "{title} runs {whose}'s hooks in {path} too, so nothing more is registered for its prompts. It does so where third-party configs are on (Settings → Rules, Skills, Subagents): look there."
        ),
        _ => format!(
            "{title} runs {whose}'s hooks in {path} too, so nothing more is registered for its prompts."
        ),
    }
}

/// What else there is to do or to know.
fn next(client: Client) -> Option<&'static str> {
    match client {
        Client::Codex => Some(
            "Codex runs no hook that you have not trusted: start `codex`, open `/hooks` and trust them.",
        ),
        Client::Vscode | Client::Copilot => Some(
            "VS Code and Copilot CLI share that file. Copilot's cloud agent reads it too once it is on the default branch, and can then use no tool, because Holdpoint is not there.",
        ),
        Client::Gemini => Some(
            "Gemini CLI still asks what it would ask by itself, after a yes: allow that in its own policy if once is enough.",
        ),
        _ => None,
    }
}

/// Plans the removal.
///
/// # Errors
/// When it is not known where a person's files are.
pub fn removal(
    client: Client,
    scope: Scope,
    folder: &Path,
    machine: &Machine,
) -> anyhow::Result<Prompts> {
    let path = place::of(client, scope, folder, machine)?;
    let what = match client {
        Client::Opencode => What::RemovePlugin,
        own => What::Remove(own),
    };
    let found = found::all(folder, machine);
    let is_there = |found: &&Found| found.path == path && found.client == place::owner(client);
    let mut prompts = Prompts::default();
    if let Some(gone) = found.iter().find(is_there) {
        let others = CLIENTS.into_iter().filter(|other| *other != client);
        let others = others.filter(|other| gone.run_by(*other, machine) != Runs::No);
        let others: Vec<_> = others.map(Client::title).collect();
        if !others.is_empty() {
            prompts.told.push(format!(
                "What {} ran from there is gone too: `holdpoint init CLIENT --prompts` registers a client of its own.",
                others.join(" and ")
            ));
        }
    }
    prompts.edits.push(Edit { path, what });
    Ok(prompts)
}

/// Whether what is registered in a file is what would be registered now.
pub fn is_up_to_date(found: &Found, text: &str, machine: &Machine) -> bool {
    let Some(ours) = Registration::new(found.client, machine.os) else {
        return plugin::register(text).is_ok_and(|now| now == text);
    };
    let beside = found.calls.iter().any(|(_, call)| call.is_beside_claude);
    let ours = if beside { ours.beside_claude() } else { ours };
    edit::register(text, &ours).is_ok_and(|now| now == text)
}
