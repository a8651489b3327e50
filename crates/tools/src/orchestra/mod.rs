//! Plans and phases of a Conductor agent: approval, commits, failed reviews, the files that stay.

mod commit_evidence;
mod commit_flow;
mod commit_preview;
mod completion;
mod decisions;
mod phase_commit;
mod plan_approval;
mod plan_completion;
mod plan_file;
mod plan_folders;
mod plan_name;
mod questions;
mod review;
mod undecided;

pub use plan_folders::{NoPlanFolders, PhaseCommit, PlanFolders, PlanStep};

use holdpoint::{
    Answer, Decision, Field, Kind, ToolCall, ToolContext, ToolSource,
    field::Text,
    tool::{ToolError, TypedTool, TypedTools},
};
use holdpoint_ask::visible::is_visible;
use holdpoint_workspace::{
    Workspace,
    git::{Git, GitError},
};
use rmcp::model::JsonObject;
use serde::de::DeserializeOwned;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// The tools of a Conductor agent that works in phases.
pub struct OrchestraTools {
    tools: TypedTools<Flow>,
    config: Arc<OrchestraConfig>,
    plans: Arc<dyn PlanFolders>,
}

/// How these tools are set up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrchestraConfig {
    /// The folder that the agent works in, where the call's own record names none.
    pub workspace: PathBuf,
    /// Where plan files are kept, inside the workspace.
    pub plans_dir: String,
    /// What becomes of a commit that a person has approved.
    pub commit: Commit,
    /// The git filters that are run when a commit is shown or checked, such as `lfs`. Only the person's
    /// own settings file may name them.
    pub git_filters: Vec<String>,
}

/// What becomes of a commit that a person has approved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Commit {
    /// The person commits; git is asked whether it happened.
    #[default]
    Verify,
    /// Holdpoint commits what was shown.
    Perform,
}

/// What a call of one of these tools has at hand.
#[derive(Clone)]
pub(crate) struct Flow {
    pub cx: ToolContext,
    pub config: Arc<OrchestraConfig>,
    plans: Arc<dyn PlanFolders>,
}

impl Flow {
    /// The folder that was recorded when the call was opened; the server's own where there is none.
    pub(crate) fn workspace(&self) -> Result<Workspace, ToolError> {
        Workspace::open_recorded(self.cx.workspace(), &self.config.workspace)
            .map_err(|error| ToolError::File(error.to_string()))
    }

    /// The repository that this folder is in, with the filters that the person allows.
    pub(crate) async fn git(&self, folder: &Path) -> Result<Option<Git>, GitError> {
        let git = Git::find(folder).await?;
        Ok(git.map(|git| git.allow_filters(&self.config.git_filters)))
    }
}

type Tool = TypedTool<Flow>;

const INSTRUCTIONS: &str = "\
Work in phases: after planning call `request_plan_approval`, with the plan as planFile. After each reviewed phase call `request_phase_commit_approval`. Before that call `record_phase_completion`. When a review failed call `request_review_decision`. At the end, or after an abort, call `record_plan_completion`. Give the same planName in every call about a plan.";

impl OrchestraTools {
    /// These tools, which also record what is decided in the plans' folders.
    pub fn new(config: OrchestraConfig, plans: Arc<dyn PlanFolders>) -> Self {
        Self {
            tools: TypedTools::new([
                plan_approval::tool(),
                phase_commit::tool(config.commit),
                review::tool(),
                completion::tool(),
                plan_completion::tool(),
            ]),
            config: Arc::new(config),
            plans,
        }
    }
}

impl ToolSource for OrchestraTools {
    fn tools(&self) -> Vec<rmcp::model::Tool> {
        self.tools.list()
    }

    fn tool(&self, name: &str) -> Option<rmcp::model::Tool> {
        self.tools.listed(name)
    }

    fn has_tool(&self, name: &str) -> bool {
        self.tools.get(name).is_some()
    }

    fn call(&self, cx: ToolContext, name: &str, arguments: Option<JsonObject>) -> Option<ToolCall> {
        let flow = Flow {
            cx,
            config: self.config.clone(),
            plans: self.plans.clone(),
        };
        Some(self.tools.get(name)?.call(flow, arguments))
    }

    fn instructions(&self) -> Option<&str> {
        Some(INSTRUCTIONS)
    }
}

impl Flow {
    /// Writes a decision into the history of the plan, where it has a folder.
    async fn record(&self, plan: Option<&str>, event: &'static str, decision: &Decision) {
        if let Some(plan) = plan {
            let (cx, plan) = (self.cx.clone(), plan.to_owned());
            let recorded = self
                .plans
                .record_decision(cx, plan, event, decision.clone());
            recorded.await;
        }
    }
}

/// A field for what a person has to say, up to 1000 characters. It decides nothing, so it starts empty.
fn words(name: &str, title: &str, help: &str) -> Field {
    let text = Text {
        min_length: Some(0),
        max_length: Some(1000),
        multiline: true,
        default: Some(String::new()),
        ..Text::default()
    };
    let field = Field::new(name, Kind::Text(text));
    field.title(title).help(help).separate()
}

/// What a person chose, as one of the decisions that there are.
fn chosen<D: DeserializeOwned>(answer: &Answer) -> Option<D> {
    let chosen = answer.get("decision")?.clone();
    serde_json::from_value(chosen).ok()
}

/// What a person wrote into a field, where they wrote something that can be read.
fn text(answer: &Answer, field: &str) -> Option<String> {
    let text = answer.get(field)?.as_str()?;
    let blank = |char: char| char.is_whitespace() || !is_visible(char.encode_utf8(&mut [0; 4]));
    (!text.chars().all(blank)).then(|| text.to_owned())
}

/// Nobody can decide about what is not said.
fn not_empty(name: &str, text: &str) -> Result<(), ToolError> {
    match text.trim() {
        "" => Err(ToolError::argument(
            name,
            "expected some text, and it is empty",
        )),
        _ => Ok(()),
    }
}
