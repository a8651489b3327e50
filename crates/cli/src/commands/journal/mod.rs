//! `holdpoint journal`: the record as a whole.
//!
//! | module | holds |
//! |---|---|
//! | [`check`] | whether it is whole, and holds all that it held |
//! | [`copy`] | copying it into another journal |
//! | [`prune`] | removing what is old and over |

pub mod check;
pub mod copy;
pub mod prune;

use crate::{
    commands::exit_code::USAGE,
    config::{Environment, JournalArgs},
    shell::own_config,
};
use anyhow::bail;
use clap::{Args, Subcommand};
use std::process::ExitCode;

/// The arguments of `holdpoint journal`.
#[derive(Debug, Args)]
pub struct JournalCommandArgs {
    /// What to do with it.
    #[command(subcommand)]
    pub command: JournalCommand,

    /// Where the record is.
    #[command(flatten)]
    pub journal: JournalArgs,
}

/// What can be done with a journal.
#[derive(Debug, Subcommand)]
pub enum JournalCommand {
    /// Check that it is whole, and holds all that it held: a mark beside it says how far it came.
    Check(check::CheckArgs),
    /// Copy it into another journal, which may be kept by another database. A copy that was interrupted
    /// goes on.
    Copy(copy::CopyArgs),
    /// Remove the text of what is old and over. Its hashes stay, so that the record still verifies. Only at
    /// your own terminal.
    Prune(prune::PruneArgs),
}

/// Does it.
///
/// # Errors
/// When a journal cannot be read or written, or nobody may do it here.
pub async fn run(args: JournalCommandArgs) -> anyhow::Result<ExitCode> {
    match args.command {
        JournalCommand::Copy(_) if !args.journal.is_usual() => {
            eprintln!(
                "holdpoint: both journals are named behind `copy`: holdpoint journal copy FROM TO"
            );
            Ok(ExitCode::from(USAGE))
        }
        JournalCommand::Check(args) => check::run(args).await,
        JournalCommand::Copy(args) => copy::run(args).await,
        JournalCommand::Prune(args) => prune::run(args).await,
    }
}

/// The address of the journal that is meant.
fn address(args: &JournalArgs) -> anyhow::Result<String> {
    let environment = Environment::from_process();
    let config = own_config(&environment, &args.clone().flags())?;
    Ok(config.journal(&environment)?)
}

/// Refuses an address at which there is no file.
fn refuse_missing(url: &str) -> anyhow::Result<()> {
    if let Some(path) = super::log::missing_file(url) {
        bail!("there is no journal at {path}");
    }
    Ok(())
}

/// How many bytes, as people write it.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}
