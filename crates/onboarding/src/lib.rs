//! Taking over a repository's instruction file, with a person's approval at every step that counts.
//!
//! | module | holds |
//! |---|---|
//! | `text` | what is in the file, what is wrong with it, its canonical form; no I/O |
//! | `state` | where the take-over stands, by the journal |
//! | `folder` | reports, backups, traces and the lock |
//! | `instruction_file` | the file itself: read, replaced, created, removed |
//! | `proposal`, `first_draft` | the migrated or new file, its diff and its risk |
//! | `traced_ask`, `trace`, `explain` | asking with a trace; explanations |
//! | `output` | what every action gives back |
//! | `change` | recording a state, and refusing to |
//! | `read_only_actions`, `approve`, `migrate`, `rollback`, `skip` | the actions |
// Standard output belongs to the protocol, and a library has no terminal of its own.
#![cfg_attr(
    not(test),
    deny(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)
)]

mod approve;
mod change;
mod explain;
mod first_draft;
mod folder;
mod instruction_file;
mod migrate;
mod output;
mod proposal;
mod read_only_actions;
mod rollback;
mod skip;
mod state;
mod text;
mod trace;
mod traced_ask;

use folder::Folder;
use holdpoint::{
    ToolCall, ToolContext, ToolSource,
    tool::{ToolHints, ToolInfo, TypedTool},
};
use output::ActionResult;
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::PathBuf;

/// The tool that takes over a repository's instruction file.
pub struct OnboardingTools {
    tool: TypedTool<Flow>,
    workspace: PathBuf,
}

/// What a call of it has at hand.
#[derive(Clone)]
pub(crate) struct Flow {
    pub cx: ToolContext,
    pub workspace: PathBuf,
}

impl OnboardingTools {
    /// The tool over this folder, where the call's own record names no other.
    pub fn new(workspace: PathBuf) -> Self {
        Self {
            tool: tool(),
            workspace,
        }
    }
}

impl ToolSource for OnboardingTools {
    fn tools(&self) -> Vec<rmcp::model::Tool> {
        vec![self.tool.definition().clone()]
    }

    fn has_tool(&self, name: &str) -> bool {
        name == NAME
    }

    fn call(&self, cx: ToolContext, name: &str, arguments: Option<JsonObject>) -> Option<ToolCall> {
        let flow = Flow {
            cx,
            workspace: self.workspace.clone(),
        };
        (name == NAME).then(|| self.tool.call(flow, arguments))
    }

    fn instructions(&self) -> Option<&str> {
        Some(INSTRUCTIONS)
    }
}

const NAME: &str = "onboarding";

const INSTRUCTIONS: &str = "\
To tidy or create an instruction file call `onboarding`; never edit it yourself.";

/// The files that can be taken over.
pub(crate) const FILES: [&str; 3] = [".github/copilot-instructions.md", "AGENTS.md", "CLAUDE.md"];

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    /// approve, migrate, rollback and skip ask the person; the others look
    action: Action,
    /// Default: the first
    #[serde(default)]
    file: Option<File>,
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

fn tool() -> TypedTool<Flow> {
    let about = ToolInfo {
        name: NAME,
        title: "Take over an instruction file",
        description: "Tidies a repository's instruction file (duplicates, contradictions, unclear rules), or creates it, once the person has approved exactly that. In order: analyze, propose, approve, migrate; rollback within 7 days; skip leaves the file alone.",
        hints: ToolHints::Changes,
    };
    TypedTool::new(about, run)
}

async fn run(flow: Flow, arguments: Arguments) -> ActionResult {
    let file = arguments.file.unwrap_or(File::Copilot).name();
    let folder = Folder::open(&flow, file)?;
    let seconds = arguments.timeout_seconds;
    match arguments.action {
        Action::Analyze => read_only_actions::analyze(&flow, &folder).await,
        Action::Status => read_only_actions::status(&flow, &folder).await,
        Action::Propose => read_only_actions::propose(&flow, &folder).await,
        Action::Preview => read_only_actions::preview(&flow, &folder).await,
        Action::Approve => approve::run(&flow, &folder, seconds).await,
        Action::Migrate => migrate::run(&flow, &folder, seconds).await,
        Action::Rollback => Box::pin(rollback::run(&flow, &folder, seconds)).await,
        Action::Skip => skip::run(&flow, &folder, seconds).await,
    }
}
