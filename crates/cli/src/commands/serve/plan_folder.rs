//! The folder of plans: its tools, and its plans by name for the tools that ask about one.

use futures::future::BoxFuture;
use holdpoint::{Decision, ToolContext, ToolSource, tool::ToolError};
use holdpoint_plans::{PlanTools, PlansConfig};
use holdpoint_tools::{PhaseCommit, PlanFolders, PlanStep};
use std::{path::Path, sync::Arc};

/// The folder of plans.
pub struct PlanFolder(Arc<PlanTools>);

impl PlanFolder {
    /// This folder of this workspace.
    pub fn new(workspace: &Path, plans_dir: &str) -> Self {
        Self(Arc::new(PlanTools::new(PlansConfig {
            workspace: workspace.to_owned(),
            plans_dir: plans_dir.to_owned(),
        })))
    }

    /// Its tools.
    pub fn tools(&self) -> Option<Arc<dyn ToolSource>> {
        Some(self.0.clone())
    }

    /// Its plans by their names.
    pub fn names(&self) -> Arc<dyn PlanFolders> {
        Arc::new(Names(self.0.clone()))
    }
}

/// The folders of plans, for the tools that ask about a plan by its name.
struct Names(Arc<PlanTools>);

impl PlanFolders for Names {
    fn show_steps(
        &self,
        cx: ToolContext,
        plan: String,
    ) -> BoxFuture<'static, Result<Option<String>, ToolError>> {
        let plans = self.0.clone();
        Box::pin(async move { plans.show_steps(cx, &plan).await })
    }

    fn record_decision(
        &self,
        cx: ToolContext,
        plan: String,
        event: &'static str,
        decision: Decision,
    ) -> BoxFuture<'static, ()> {
        let plans = self.0.clone();
        Box::pin(async move { plans.record_decision(cx, &plan, event, &decision).await })
    }

    fn record_commit(
        &self,
        cx: ToolContext,
        commit: PhaseCommit,
    ) -> BoxFuture<'static, Option<PlanStep>> {
        let plans = self.0.clone();
        Box::pin(async move {
            let PhaseCommit {
                plan,
                phase,
                decision,
                sha,
                is_there,
            } = commit;
            let recorded =
                plans.record_commit(cx, &plan, phase, &decision, sha.as_deref(), is_there);
            let mark = recorded.await?;
            Some(PlanStep {
                path: mark.path,
                step: mark.step,
                completed: mark.completed,
                reason: mark.reason,
            })
        })
    }
}
