//! `holdpoint pin`: the PIN that a yes to a dangerous ask needs.

use crate::{
    config::JournalArgs,
    shell::Shell,
    terminal::{
        person,
        prompt::Stop,
        reply::{self, off_the_runtime},
    },
};
use anyhow::bail;
use clap::{Args, Subcommand};
use holdpoint::journal::{EventKind, Write};
use inquire::{Password, PasswordDisplayMode};
use jiff::Timestamp;
use serde_json::json;
use std::process::ExitCode;

/// What `holdpoint pin` is told.
#[derive(Debug, Args)]
#[command(after_help = NOTE)]
pub struct PinArgs {
    /// What to do with it.
    #[command(subcommand)]
    pub command: PinCommand,

    /// Where the record is.
    #[command(flatten)]
    pub journal: JournalArgs,
}

/// What can be done with a PIN.
#[derive(Debug, Clone, Copy, Subcommand)]
pub enum PinCommand {
    /// Set it, or change it.
    Set,
    /// Clear it: a yes to a dangerous ask needs none then.
    Clear,
}

const NOTE: &str = "\
It is typed at your terminal: never an argument, a variable or standard input. While one is set,
dangerous asks are shown in the inbox only, and a yes to them needs it.
Exit codes: 0 done, 1 not done.";

/// Sets or clears it.
///
/// # Errors
/// When nobody is at a terminal here, the PIN is wrong, or the record cannot be kept.
pub async fn run(args: PinArgs) -> anyhow::Result<ExitCode> {
    let shell = Shell::open(args.journal).await?;
    if let Some(agent) = &shell.inside_agent {
        let note = Write::Note {
            call: None,
            ask: None,
            kind: EventKind::AgentAnswered,
            body: json!({ "command": "pin", "by": shell.user, "agent": agent }),
            at: Timestamp::now(),
        };
        shell.journal.commit(vec![note]).await?;
        bail!(
            "this command seems to be run by an agent: {agent}. The attempt is recorded. Use a \
             terminal of your own"
        );
    }
    if !person::is_here() {
        bail!("a PIN is typed at a terminal, and there is none here");
    }
    let desk = shell.desk(Vec::new()).await?;
    let pin = desk.pin();
    let done = match (args.command, pin.is_set().await?) {
        (PinCommand::Clear, false) => bail!("no PIN is set"),
        (PinCommand::Clear, true) => match reply::pin("The PIN".into()).await {
            Ok(old) => {
                pin.clear(&old).await?;
                "The PIN is cleared: a yes to a dangerous ask needs none."
            }
            Err(stop) => return left(stop),
        },
        (PinCommand::Set, set) => {
            let old = if set {
                match reply::pin("The PIN until now".into()).await {
                    Ok(old) => Some(old),
                    Err(stop) => return left(stop),
                }
            } else {
                None
            };
            match new().await {
                Ok(new) => pin.set(old.as_deref(), &new).await?,
                Err(stop) => return left(stop),
            }
            "The PIN is set: a yes to a dangerous ask needs it, on the page and in the terminal."
        }
    };
    eprintln!("{done}");
    Ok(ExitCode::SUCCESS)
}

/// A new one, typed twice.
async fn new() -> Result<String, Stop> {
    let typed = off_the_runtime(|| {
        Password::new("The new PIN")
            .with_display_mode(PasswordDisplayMode::Masked)
            .with_custom_confirmation_message("Once more")
            .with_custom_confirmation_error_message("These two are not the same.")
            .with_help_message("at least 4 characters; Enter to go on, Esc to leave")
            .prompt()
    });
    Ok(typed.await?)
}

fn left(stop: Stop) -> anyhow::Result<ExitCode> {
    match stop {
        Stop::Fault(error) => Err(error.into()),
        _ => bail!("nothing was changed"),
    }
}
