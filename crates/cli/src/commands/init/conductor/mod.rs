//! The agent files of a Conductor and its three subagents: one text, as each client reads it.
//!
//! | module | holds |
//! |---|---|
//! | `role` | the four agents, `--model-for` |
//! | `dialect` | each client's files: where they are, what is around the text |
//! | `mark` | whether a person changed a file |
//! | `needs` | whether the registered server has the tools that they call |

mod dialect;
mod mark;
mod needs;
mod role;

pub use dialect::Dialect;
pub use needs::{check_tools, missing};
pub use role::ModelFor;

use super::{
    client::{Client, Machine},
    file::{self, Change},
    server::Removed,
    user_file::Scope,
};
use anyhow::{bail, ensure};
use role::Role;
use std::path::{Path, PathBuf};

/// An agent file, and whose it is.
pub struct Agent {
    /// What is to be done to it.
    pub change: Change,
    /// Whose it is.
    pub ownership: Ownership,
}

/// Whose a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ownership {
    /// There is none, or it is as some version of ours wrote it.
    Ours,
    /// A person wrote it, or changed ours.
    Theirs,
}

/// The four files, written.
///
/// # Errors
/// When `--conductor` does not know this client's agents, or they cannot be what is asked for.
pub fn agents(
    client: Client,
    scope: Scope,
    folder: &Path,
    machine: &Machine,
    models: &[ModelFor],
) -> anyhow::Result<Vec<Agent>> {
    let Some(dialect) = Dialect::for_client(client) else {
        let title = client.title();
        bail!(
            "--conductor knows the agent files of VS Code, Claude Code and Codex, not those of {title}. Run `holdpoint init vscode --conductor`, or leave the flag out; nothing was written."
        );
    };
    for (place, ModelFor { role, model }) in models.iter().enumerate() {
        let word = role.word();
        let again = models[..place].iter().any(|other| other.role == *role);
        ensure!(
            !again,
            "--model-for names {word} twice; nothing was written."
        );
        if let (Some(why), Some(_)) = (dialect.no_model(*role), model) {
            bail!("--model-for {word} cannot be written. {why}; nothing was written.");
        }
    }
    let agent = |role| {
        let path = dialect.path(role, scope, folder, machine)?;
        let said = models.iter().find(|said| said.role == role);
        written(dialect, role, &path, said)
    };
    Role::ALL.into_iter().map(agent).collect()
}

fn written(
    dialect: Dialect,
    role: Role,
    path: &Path,
    said: Option<&ModelFor>,
) -> anyhow::Result<Agent> {
    let comments = dialect.comments(role);
    let before = file::read(path)?;
    let now = before.text().replace("\r\n", "\n");
    // A link may lead out of the project, to a file that is not there or empty.
    if path.is_symlink() || !now.is_empty() && !comments.is_unchanged(&now) {
        return Ok(Agent {
            change: before.left(),
            ownership: Ownership::Theirs,
        });
    }
    // A model that was said before stays until another is said.
    let model = match said {
        Some(said) => said.model.clone(),
        None => dialect
            .model_in(role, &now)
            .filter(|model| role::is_model(model)),
    };
    let ours = comments.marked(&dialect.write(role, model.as_deref()));
    let change = if now == ours {
        before.left()
    } else {
        before.into(ours)
    };
    Ok(Agent {
        change,
        ownership: Ownership::Ours,
    })
}

/// The files that some version of ours wrote, taken out where nobody changed them.
///
/// # Errors
/// When one cannot be read.
pub fn removal(
    client: Client,
    scope: Scope,
    folder: &Path,
    machine: &Machine,
) -> anyhow::Result<Vec<Agent>> {
    let Some(dialect) = Dialect::for_client(client) else {
        return Ok(Vec::new());
    };
    let mut agents = Vec::new();
    for role in Role::ALL {
        let before = file::read(&dialect.path(role, scope, folder, machine)?)?;
        let now = before.text().replace("\r\n", "\n");
        // What a link leads to is a person's.
        if dialect.comments(role).is_unchanged(&now) && !before.is_link() {
            agents.push(Agent {
                change: before.removed(Removed::Everything),
                ownership: Ownership::Ours,
            });
        } else if mark::is_marked(&now) {
            agents.push(Agent {
                change: before.left(),
                ownership: Ownership::Theirs,
            });
        }
    }
    Ok(agents)
}

/// The Conductor's file, where there is one that calls Holdpoint's gates.
pub fn found(client: Client, scope: Scope, folder: &Path, machine: &Machine) -> Option<PathBuf> {
    let dialect = Dialect::for_client(client)?;
    let path = dialect.path(Role::Conductor, scope, folder, machine).ok()?;
    let file = file::read(&path).ok()?;
    file.text()
        .contains("request_plan_approval")
        .then_some(path)
}
