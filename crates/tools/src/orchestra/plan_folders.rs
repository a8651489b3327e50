//! What the tools show and record of a plan that has a folder of its own. Whoever keeps such
//! folders implements it; these tools know nothing of them.

use futures::future::BoxFuture;
use holdpoint::{Decision, ToolContext, tool::ToolError};
use serde::Serialize;

/// Folders of plans, found by the name that an agent gives a plan.
pub trait PlanFolders: Send + Sync + 'static {
    /// The steps of a plan as Markdown, for the person who is to approve it; none where it has no
    /// folder. It is read in a step of the call, so that a later run shows the same.
    fn show_steps(
        &self,
        cx: ToolContext,
        plan: String,
    ) -> BoxFuture<'static, Result<Option<String>, ToolError>>;

    /// Writes a decision into the history of a plan.
    fn record_decision(
        &self,
        cx: ToolContext,
        plan: String,
        event: &'static str,
        decision: Decision,
    ) -> BoxFuture<'static, ()>;

    /// Records a commit decision: a commit that is there completes the step, an abort stops the
    /// plan. None where the plan has no folder.
    fn record_commit(
        &self,
        cx: ToolContext,
        commit: PhaseCommit,
    ) -> BoxFuture<'static, Option<PlanStep>>;
}

/// For servers where no plan has a folder.
#[derive(Debug, Clone, Copy)]
pub struct NoPlanFolders;

impl PlanFolders for NoPlanFolders {
    fn show_steps(
        &self,
        _: ToolContext,
        _: String,
    ) -> BoxFuture<'static, Result<Option<String>, ToolError>> {
        Box::pin(async { Ok(None) })
    }

    fn record_decision(
        &self,
        _: ToolContext,
        _: String,
        _: &'static str,
        _: Decision,
    ) -> BoxFuture<'static, ()> {
        Box::pin(async {})
    }

    fn record_commit(
        &self,
        _: ToolContext,
        _: PhaseCommit,
    ) -> BoxFuture<'static, Option<PlanStep>> {
        Box::pin(async { None })
    }
}

/// What was decided about the commit of a phase, and what git shows.
pub struct PhaseCommit {
    /// The plan's name.
    pub plan: String,
    /// The phase, which is the step of the same number.
    pub phase: u32,
    /// What the person decided.
    pub decision: Decision,
    /// The commit, where git shows one.
    pub sha: Option<String>,
    /// Whether the commit is there.
    pub is_there: bool,
}

/// What became of the step in the plan's folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlanStep {
    /// The plan's folder, from the workspace
    pub path: String,
    /// Its number.
    pub step: u32,
    /// Whether it is completed now.
    pub completed: bool,
    /// Why it is not completed
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}
