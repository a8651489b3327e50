//! `holdpoint init`: registers the server in a client's own configuration.

use clap::Args;

/// What `holdpoint init` is told.
#[derive(Debug, Args)]
pub struct InitArgs {}

/// Registers the server.
pub fn run(_args: InitArgs) -> anyhow::Result<()> {
    anyhow::bail!("no client is known yet")
}
