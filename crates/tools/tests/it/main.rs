//! The tools from outside: a client that speaks JSON, in both protocol eras.

mod arguments;
mod commit;
mod commit_not_as_shown;
mod commit_odd;
mod consent;
mod decisions;
mod elicit;
mod forms;
mod logs;
mod pending;
mod perform;
mod plan;
mod record;
mod repo;
mod review;
mod reviewed;
mod understanding;

use holdpoint_testkit::StandSetup;
use holdpoint_tools::{
    Commit, ElicitTools, NoPlanFolders, OrchestraConfig, OrchestraTools, RecordTools,
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
        let orchestra = OrchestraTools::new(config, Arc::new(NoPlanFolders));
        vec![
            Arc::new(ElicitTools::new()),
            Arc::new(orchestra),
            Arc::new(RecordTools::new()),
        ]
    })
}
