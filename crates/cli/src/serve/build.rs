//! The server as the configuration wants it.

use crate::config::Config;
use anyhow::Context;
use holdpoint::{Desk, Holdpoint, journal};
use holdpoint_flows::{FlowConfig, FlowServer};
use std::path::Path;

/// The tools over a desk over this journal.
///
/// # Errors
/// When the journal or the workspace cannot be used.
pub async fn server(
    config: &Config,
    workspace: &Path,
    journal: &str,
) -> anyhow::Result<Holdpoint<FlowServer>> {
    let workspace = workspace
        .canonicalize()
        .with_context(|| format!("cannot use the workspace {}", workspace.display()))?;
    let flows = FlowServer::new(FlowConfig {
        tools: config.tools.clone(),
        workspace: workspace.clone(),
        plans_dir: config.plans_dir.clone(),
        commit: config.commit,
    })?;
    let mut desk = Desk::builder(journal::open(journal).await?).settings(config.settings());
    for (client, profile) in &config.clients {
        desk = desk.profile(client, profile.clone());
    }
    let desk = desk.build().await?;
    tracing::info!(journal, workspace = %workspace.display(), "ready");
    Ok(Holdpoint::new(desk, flows).workspace(workspace.to_string_lossy()))
}
