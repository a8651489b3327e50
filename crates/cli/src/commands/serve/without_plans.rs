//! No folders of plans: this build was made without them (the feature `plans`).

use futures::future::{self, BoxFuture, FutureExt};
use holdpoint::{Decision, ToolContext, ToolSource, tool::ToolError};
use holdpoint_tools::{PhaseCommit, PlanFolders, PlanStep};
use std::{path::Path, sync::Arc};

/// A folder of plans, of which nothing is known.
#[derive(Clone, Copy)]
pub struct PlanFolder;

impl PlanFolder {
    /// This folder of this workspace.
    pub fn new(_: &Path, _: &str) -> Self {
        Self
    }

    /// None.
    pub fn tools(self) -> Option<Arc<dyn ToolSource>> {
        None
    }

    /// No name is that of a plan.
    pub fn names(self) -> Arc<dyn PlanFolders> {
        Arc::new(self)
    }
}

impl PlanFolders for PlanFolder {
    fn show_steps(
        &self,
        _: ToolContext,
        _: String,
    ) -> BoxFuture<'static, Result<Option<String>, ToolError>> {
        future::ready(Ok(None)).boxed()
    }

    fn record_decision(
        &self,
        _: ToolContext,
        _: String,
        _: &'static str,
        _: Decision,
    ) -> BoxFuture<'static, ()> {
        future::ready(()).boxed()
    }

    fn record_commit(
        &self,
        _: ToolContext,
        _: PhaseCommit,
    ) -> BoxFuture<'static, Option<PlanStep>> {
        future::ready(None).boxed()
    }
}
