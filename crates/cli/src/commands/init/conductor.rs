//! The agent files for VS Code: the Conductor and its three subagents.

use super::file::{self, Change};
use sha2::{Digest, Sha256};
use std::path::Path;

/// Raised when the text of an agent file changes.
const VERSION: u32 = 1;

const AGENTS: [(&str, &str); 4] = [
    ("Conductor", include_str!("agents/Conductor.agent.md")),
    ("planning", include_str!("agents/planning.agent.md")),
    ("implement", include_str!("agents/implement.agent.md")),
    ("code-review", include_str!("agents/code-review.agent.md")),
];

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

/// The four files in `.github/agents`.
pub fn agents(folder: &Path) -> anyhow::Result<Vec<Agent>> {
    AGENTS
        .iter()
        .map(|(name, text)| agent(folder, name, text))
        .collect()
}

fn agent(folder: &Path, name: &str, text: &str) -> anyhow::Result<Agent> {
    let path = folder
        .join(".github/agents")
        .join(format!("{name}.agent.md"));
    let before = file::read(&path)?;
    let now = before.text().replace("\r\n", "\n");
    let ours = marked(text);
    Ok(if now == ours {
        Agent {
            change: before.left(),
            ownership: Ownership::Ours,
        }
    } else if now.is_empty() || is_unchanged(&now) {
        Agent {
            change: before.into(ours),
            ownership: Ownership::Ours,
        }
    } else {
        Agent {
            change: before.left(),
            ownership: Ownership::Theirs,
        }
    })
}

/// The text with the mark that tells later whether it was changed.
fn marked(text: &str) -> String {
    let digest = digest(text);
    format!(
        "{text}\n<!-- holdpoint agent file, version {VERSION}, {digest}: replaced by a newer one only while it is unchanged -->\n"
    )
}

/// Whether this is what some version of ours wrote: its mark is its last line and fits its text.
fn is_unchanged(file: &str) -> bool {
    let Some((text, mark)) = file.rsplit_once("\n<!-- holdpoint agent file, version ") else {
        return false;
    };
    let last = mark.find('\n').is_none_or(|end| end + 1 == mark.len());
    let named = mark
        .split_once(", ")
        .and_then(|(_, rest)| rest.split_once(": "));
    last && named.is_some_and(|(named, _)| named == digest(text))
}

fn digest(text: &str) -> String {
    let hash = Sha256::digest(text.as_bytes());
    let hex: String = hash
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("sha256 {hex}")
}
