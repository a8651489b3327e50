//! The server as the configuration wants it.

use crate::{
    config::Config,
    notify::{Notified, Notifier},
};
use anyhow::Context;
use holdpoint::{Desk, Holdpoint, journal};
use holdpoint_flows::{FlowConfig, FlowServer};
use holdpoint_inbox::Inbox;
use std::{path::Path, sync::Arc};

/// The tools over a desk over this journal, and that desk. Its asks also wait in this inbox.
///
/// # Errors
/// When the journal or the workspace cannot be used.
pub async fn server(
    config: &Config,
    workspace: &Path,
    journal: &str,
    inbox: Option<&Inbox>,
) -> anyhow::Result<(Holdpoint<FlowServer>, Desk)> {
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
    if let Some(inbox) = inbox {
        let (page, told) = (inbox.clone(), inbox.clone());
        let notifier = Notifier::new(config.notify.clone());
        let channel = Notified::new(inbox.clone(), notifier, move |ask| told.page_of(ask));
        desk = desk
            .channel(Arc::new(channel))
            .page(move |ask| page.page_of(ask));
    }
    let desk = desk.build().await?;
    tracing::info!(journal, workspace = %workspace.display(), "ready");
    let server = Holdpoint::new(desk.clone(), flows).workspace(workspace.to_string_lossy());
    Ok((server, desk))
}
