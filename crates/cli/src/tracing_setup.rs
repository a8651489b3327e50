//! The log. It goes to standard error, always: standard output belongs to MCP.

use anyhow::Context;
use clap::ValueEnum;
use std::{env, io};
use tracing_subscriber::EnvFilter;

/// How the log is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// Lines for people.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

/// How much is written where nothing says so.
const USUAL: &str = "warn,holdpoint=info";

/// Starts the log, at the level that `HOLDPOINT_LOG` or else `RUST_LOG` sets.
///
/// # Errors
/// When the variable is not a valid filter.
pub fn start(format: LogFormat) -> anyhow::Result<()> {
    start_at(USUAL, format)
}

/// Starts the log of a command that a person runs: only what is wrong, unless a variable says more.
///
/// # Errors
/// When the variable is not a valid filter.
pub fn start_quietly() -> anyhow::Result<()> {
    start_at("warn", LogFormat::Text)
}

fn start_at(usual: &str, format: LogFormat) -> anyhow::Result<()> {
    let filter = ["HOLDPOINT_LOG", "RUST_LOG"]
        .into_iter()
        .find_map(|name| Some((name, env::var(name).ok().filter(|text| !text.is_empty())?)));
    let filter = match filter {
        None => EnvFilter::new(usual),
        Some((name, text)) => EnvFilter::try_new(&text).with_context(|| {
            format!("the variable {name} is not a valid log filter, such as `debug`")
        })?,
    };
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(false);
    match format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().init(),
    }
    Ok(())
}
