//! Taking over a repository's instruction file, with a person's approval at every step that counts.
//!
//! | module | holds |
//! |---|---|
//! | `text` | what is in the file, what is wrong with it, its canonical form; no I/O |
//! | `state` | where the take-over stands, by the journal |
//! | `folder`, `disk` | reports, backups, traces and the lock; files that are whole or not there |
//! | `proposal` | the migrated file, its diff and its risk |
//! | `asked`, `narrate` | asking with a trace; explanations |
//! | `change` | recording a state, and refusing to |
//! | `look`, `approve`, `migrate`, `rollback`, `skip` | the actions |

mod approve;
mod asked;
mod change;
pub(crate) mod disk;
mod folder;
mod look;
mod migrate;
mod narrate;
mod proposal;
mod rollback;
mod skip;
mod state;
mod text;

use crate::{
    schema::Own,
    tool::{About, Ended, Entry, Flow, Hints},
};
use folder::Folder;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

const NAME: &str = "onboarding";

/// When to use which.
pub(crate) const INSTRUCTIONS: &str = "\
To tidy up a repository's instruction file (.github/copilot-instructions.md, AGENTS.md, CLAUDE.md) call `onboarding`: `analyze`, `propose`, `approve`, `migrate`, in this order. approve, migrate, rollback and skip ask the person; never edit the file yourself instead.";

/// The files that can be taken over.
pub(crate) const FILES: [&str; 3] = [".github/copilot-instructions.md", "AGENTS.md", "CLAUDE.md"];

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    /// What to do: analyze, propose, preview and status only look; approve, migrate, rollback and skip ask the person
    action: Action,
    /// Which file; .github/copilot-instructions.md where it is left out
    #[serde(default)]
    file: Option<File>,
    /// How many seconds a question waits, 180 to 86400; the user's own setting where it is left out
    #[serde(default)]
    timeout_seconds: Option<u64>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Action {
    Analyze,
    Status,
    Propose,
    Approve,
    Migrate,
    Rollback,
    Skip,
    Preview,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
enum File {
    #[serde(rename = ".github/copilot-instructions.md")]
    Copilot,
    #[serde(rename = "AGENTS.md")]
    Agents,
    #[serde(rename = "CLAUDE.md")]
    Claude,
}

impl File {
    fn name(self) -> &'static str {
        match self {
            Self::Copilot => FILES[0],
            Self::Agents => FILES[1],
            Self::Claude => FILES[2],
        }
    }
}

/// The tools, in the order in which they are listed.
pub(crate) fn tools() -> Vec<Entry> {
    let own = json!({
        "state": {
            "type": "string",
            "enum": ["not_started", "analyzed", "proposed", "approved", "completed", "rejected", "skipped"],
            "description": "Where the take-over stands, by the record",
        },
        "file": { "type": "string" },
        "message": { "type": "string", "description": "What happened" },
        "comment": { "type": "string", "description": "What the person wrote" },
        "suggestion": { "type": "string", "description": "What the person can do" },
        "pattern": { "type": "string", "enum": ["clean", "structured", "unstructured", "messy"] },
        "problems": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "kind": { "type": "string", "enum": ["contradiction", "duplication", "unclear"] },
                    "lines": { "type": "array", "items": { "type": "integer" } },
                    "texts": { "type": "array", "items": { "type": "string" } },
                    "why": { "type": "string" },
                },
                "required": ["kind", "lines", "texts", "why"],
            },
        },
        "problemCount": { "type": "integer" },
        "proposal": { "type": "object", "description": "Title, summary, steps, risk, and the digests of source and result" },
        "removed": { "type": "array", "description": "Lines that the result has only once" },
        "result": { "type": "string", "description": "The whole migrated file" },
        "diff": { "type": "string" },
        "explanation": { "type": "object", "description": "In words; `by` says whose. It decides nothing" },
        "backup": { "type": "string", "description": "Where the file was backed up" },
        "rollbackUntil": { "type": "string" },
        "report": { "type": "string", "description": "What is odd about onboarding.json, which is only a report" },
    });
    let about = About {
        name: NAME,
        title: "Take over an instruction file",
        description: "Analyses a repository's instruction file (duplicates, contradictions, unclear rules), proposes a canonical form, and migrates it once the person has approved exactly that. Actions in order: analyze, propose, approve, migrate; rollback within 7 days; skip leaves the file alone; status and preview look. Only what the person approved is ever written.",
        hints: Hints::Changes,
    };
    vec![Entry::new(about, Own::Asks(own), run)]
}

async fn run(flow: Flow, arguments: Arguments) -> Ended {
    let file = arguments.file.unwrap_or(File::Copilot).name();
    let folder = Folder::of(&flow, file)?;
    let seconds = arguments.timeout_seconds;
    match arguments.action {
        Action::Analyze => look::analyze(&flow, &folder).await,
        Action::Status => look::status(&flow, &folder).await,
        Action::Propose => look::propose(&flow, &folder).await,
        Action::Preview => look::preview(&flow, &folder).await,
        Action::Approve => approve::run(&flow, &folder, seconds).await,
        Action::Migrate => migrate::run(&flow, &folder, seconds).await,
        Action::Rollback => rollback::run(&flow, &folder, seconds).await,
        Action::Skip => skip::run(&flow, &folder, seconds).await,
    }
}
