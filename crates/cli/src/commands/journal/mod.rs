//! `holdpoint journal`: whether the record still holds all that it held.

use super::log::{missing_file, verify::describe_loss};
use crate::{
    config::{Config, Environment, JournalArgs},
    shell::Shell,
    terminal::{
        person,
        prompt::{self, Stop},
        reply::run_blocking,
    },
};
use anyhow::bail;
use clap::{Args, Subcommand};
use holdpoint::journal::{self, EventKind, Verified, Write, rules::Head};
use inquire::Text;
use jiff::Timestamp;
use serde_json::json;
use std::{path::Path, process::ExitCode};

/// What a person types to accept a loss.
const WORD: &str = "accept";

/// The arguments of `holdpoint journal`.
#[derive(Debug, Args)]
pub struct JournalCommandArgs {
    /// What to do with it.
    #[command(subcommand)]
    pub command: JournalCommand,
}

/// What can be done with a journal.
#[derive(Debug, Subcommand)]
pub enum JournalCommand {
    /// Check that it holds all that it held: a mark beside it says how far it came.
    #[command(after_help = NOTE)]
    Check {
        /// Accept that its end is missing, after you restored a copy. Only at your own terminal.
        #[arg(long)]
        accept: bool,
        /// Where the record is.
        #[command(flatten)]
        journal: JournalArgs,
    },
}

const NOTE: &str = "\
A journal whose log was lost, or that was replaced by an older copy, is whole in itself; the mark tells.
Holdpoint goes on serving it. Put the newest copy back; where there is none, accept the loss: that is
recorded as an event, and the mark starts anew.
Exit codes: 0 nothing is missing, or it was accepted, 1 something is missing or wrong.";

/// Checks it.
///
/// # Errors
/// When the journal cannot be read, or nobody may accept the loss here.
pub async fn run(args: JournalCommandArgs) -> anyhow::Result<ExitCode> {
    let JournalCommand::Check { accept, journal } = args.command;
    let environment = Environment::from_process();
    let config = Config::load(&environment, Path::new("."), &journal.clone().flags())?;
    let url = config.journal(&environment)?;
    if let Some(path) = missing_file(&url) {
        bail!("there is no journal at {path}");
    }
    let found = journal::open_read_only(&url).await?.verify().await?;
    let url = journal::shown_address(&url);
    if let Some(flaw) = found.flaws.first() {
        bail!(
            "{url}, event {}: {}. Keep this file, and compare it with a backup",
            flaw.seq,
            flaw.what
        );
    }
    let Some(mark) = found.lost else {
        println!("{url}, {} events: nothing is missing", found.events);
        return Ok(ExitCode::SUCCESS);
    };
    println!("{url}, {} events: {}", found.events, describe_loss(mark));
    if !accept {
        println!(
            "Put the newest copy back; where there is none, run `holdpoint journal check --accept`."
        );
        return Ok(ExitCode::FAILURE);
    }
    accept_loss(&Shell::open(journal).await?, &found, mark).await
}

async fn accept_loss(shell: &Shell, found: &Verified, mark: Head) -> anyhow::Result<ExitCode> {
    let why = "What is missing is for a person to accept";
    shell.refuse_agents("journal check --accept", why).await?;
    if !person::is_here() {
        bail!("a loss is accepted at a terminal, and this command is not run at one");
    }
    let typed = run_blocking(|| {
        let title = format!("Type `{WORD}` to go on with what is there");
        let asked = Text::new(&title).with_help_message("Esc to leave");
        prompt::show(|| asked.prompt())
    });
    match typed.await {
        Ok(word) if word.trim() == WORD => {}
        Err(Stop::Fault(error)) => return Err(error.into()),
        _ => bail!("nothing was accepted"),
    }
    let note = Write::Note {
        call: None,
        ask: None,
        kind: EventKind::LossAccepted,
        body: json!({
            "by": shell.user,
            "mark": { "seq": mark.seq, "hash": mark.hash },
            "held": { "seq": found.events, "hash": found.head },
        }),
        at: Timestamp::now(),
    };
    shell.journal.commit(vec![note]).await?;
    println!("Accepted, and recorded: the mark starts anew.");
    Ok(ExitCode::SUCCESS)
}
