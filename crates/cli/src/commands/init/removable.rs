//! What `init --remove` would take out of a client's files.

use super::{
    Client, InitArgs,
    client::Machine,
    conductor::Ownership,
    file::{Change, short},
    plan,
    user_file::Scope,
};
use clap::{Args, Command, FromArgMatches, ValueEnum};
use std::path::Path;

/// What Holdpoint put into the files of one client.
#[derive(Debug)]
pub struct Removable {
    /// The client.
    pub client: Client,
    /// Whose files.
    pub scope: Scope,
    /// The files that would be changed or removed, as a person in the folder writes them.
    pub files: Vec<String>,
    /// Agent files that a person changed: they would stay.
    pub kept: Vec<String>,
    /// Why it cannot be taken out as it is.
    pub fault: Option<String>,
}

/// All of it, for every client: the folder's and the person's.
pub fn all(folder: &Path, machine: &Machine) -> Vec<Removable> {
    let scopes = [Scope::Project, Scope::User];
    let clients = Client::value_variants().iter();
    let places = clients.flat_map(|client| scopes.map(|scope| (*client, scope)));
    // What is in the home anyway has one place.
    let places = places.filter(|(client, scope)| !client.is_in_home() || *scope == Scope::User);
    places
        .filter_map(|(client, scope)| one(client, scope, folder, machine))
        .collect()
}

fn one(client: Client, scope: Scope, folder: &Path, machine: &Machine) -> Option<Removable> {
    // Some clients have no file of a person's.
    let path = client.file(scope, folder, machine).ok()?;
    let mut found = Removable {
        client,
        scope,
        files: Vec::new(),
        kept: Vec::new(),
        fault: None,
    };
    match plan::plan(&removal(client, scope)?, folder, machine) {
        Ok(plan) => {
            let shown = |change: &Change| short(&change.path, folder);
            let changed = plan.files().filter(|change| change.is_needed());
            found.files.extend(changed.map(shown));
            for agent in &plan.agents {
                match agent.ownership {
                    Ownership::Ours => found.files.push(shown(&agent.change)),
                    Ownership::Theirs => found.kept.push(shown(&agent.change)),
                }
            }
        }
        Err(error) => {
            // A file that nobody can read may not even name us.
            let text = std::fs::read(&path).unwrap_or_default();
            if !String::from_utf8_lossy(&text).contains("holdpoint") {
                return None;
            }
            found.files.push(short(&path, folder));
            found.fault = Some(format!("{error:#}"));
        }
    }
    (!found.files.is_empty() || !found.kept.is_empty()).then_some(found)
}

/// The arguments of `init CLIENT --remove`.
fn removal(client: Client, scope: Scope) -> Option<InitArgs> {
    let command = InitArgs::augment_args(Command::new("init"));
    let word = client.word();
    let user = (scope == Scope::User && !client.is_in_home()).then_some("--user");
    let words = ["init", &word, "--remove"].into_iter().chain(user);
    InitArgs::from_arg_matches(&command.try_get_matches_from(words).ok()?).ok()
}
