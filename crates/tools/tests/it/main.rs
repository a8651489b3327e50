//! The tools from outside: a client that speaks JSON, in both protocol eras.

mod arguments;
mod commit;
mod commit_not_as_shown;
mod commit_odd;
mod consent;
mod elicit;
mod logs;
mod pending;
mod perform;
mod plan;
mod record;
mod repo;
mod review;

use futures::future::BoxFuture;
use holdpoint::{Decision, ToolContext, tool::ToolError};
use holdpoint_testkit::StandSetup;
use holdpoint_tools::{
    Commit, ElicitTools, OrchestraConfig, OrchestraTools, PhaseCommit, PlanFolders, PlanStep,
};
use std::sync::Arc;

/// These tools, where the person commits.
fn setup() -> StandSetup {
    setup_with(Commit::Verify)
}

/// These tools, with this to become of a commit.
fn setup_with(commit: Commit) -> StandSetup {
    StandSetup::new(move |workspace| {
        let config = OrchestraConfig {
            workspace,
            plans_dir: "plans".into(),
            commit,
            git_filters: Vec::new(),
        };
        let orchestra = OrchestraTools::new(config, Arc::new(NoFolders));
        vec![Arc::new(ElicitTools::new()), Arc::new(orchestra)]
    })
}

/// No plan has a folder.
struct NoFolders;

impl PlanFolders for NoFolders {
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
