//! The command line.

use crate::init::InitArgs;
use clap::{Parser, Subcommand};

/// People's decisions in the loop of AI agents: an agent asks over MCP, a person decides, and the
/// decision is on the record before anything happens.
#[derive(Debug, Parser)]
#[command(name = "holdpoint", version, propagate_version = false)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What `holdpoint` can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Register the server with a client: VS Code, Claude Code, Cursor, Codex.
    Init(InitArgs),
}
