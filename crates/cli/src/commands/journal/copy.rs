//! `holdpoint journal copy`: the record, into another journal.

use super::{address, refuse_missing};
use crate::{
    config::{Environment, JournalArgs},
    shell::Shell,
    terminal::detect_agent,
};
use anyhow::{Context as _, bail};
use clap::Args;
use holdpoint::journal;
use std::{
    io::{self, IsTerminal as _},
    process::ExitCode,
};

/// The arguments of `holdpoint journal copy`.
#[derive(Debug, Args)]
#[command(after_help = NOTE)]
pub struct CopyArgs {
    /// The journal that is copied: its address, such as sqlite:PATH.
    pub from: String,

    /// The journal that it is copied into; made where it is missing.
    pub to: String,
}

const NOTE: &str = "\
Events are copied byte for byte, so that both journals have one head; keys, tokens, the PIN and files that
people gave go with them. Both are verified. The journal that is copied may be in use, and what happens
meanwhile is copied the next time; the one that is copied into may not. An interrupted copy goes on.
Examples:
  holdpoint journal copy sqlite:journal.db postgres://holdpoint@db/holdpoint
Exit codes: 0 copied, 1 not, or not all of it.";

/// Copies it.
///
/// # Errors
/// When either journal cannot be used, one has a flaw, or they are not of one record.
pub async fn run(args: CopyArgs) -> anyhow::Result<ExitCode> {
    let environment = Environment::from_process();
    let (from, to) = (
        address(&JournalArgs::at(&args.from))?,
        address(&JournalArgs::at(&args.to))?,
    );
    if [&from, &to]
        .into_iter()
        .any(|url| url.starts_with("memory:"))
    {
        bail!("a journal in memory ends with its process: name one that stays");
    }
    refuse_missing(&from)?;
    refuse_agents(&environment, &from).await?;
    let source = journal::open_read_only(&from).await?;
    let target = journal::open(&to).await?;
    let shown = io::stderr().is_terminal();
    let copied = journal::copy(source.as_ref(), target.as_ref(), |events| {
        if shown {
            eprint!("\r{events} events");
        }
    });
    let copied = copied.await;
    if shown {
        eprintln!();
    }
    let copied = copied.with_context(|| {
        let [from, to] = [&from, &to].map(|url| journal::shown_address(url));
        format!("{from} was not copied into {to}")
    })?;
    println!(
        "{} events were copied, {} were there before; {} keys and private values.",
        copied.events, copied.found, copied.private
    );
    if copied.pruned > 0 {
        println!("{} of the events were pruned before.", copied.pruned);
    }
    if let Some(head) = copied.head {
        println!("Both journals are whole, and have the head {head}.");
    }
    Ok(ExitCode::SUCCESS)
}

/// Keys go along: an agent hands nobody's on. A script of a person's own may, without a terminal.
async fn refuse_agents(environment: &Environment, from: &str) -> anyhow::Result<()> {
    let Some(agent) = detect_agent::find(environment) else {
        return Ok(());
    };
    let shell = Shell::open_own(JournalArgs::at(from)).await?;
    shell.record_attempt(None, "journal copy", &agent).await?;
    bail!(
        "this command seems to be run by an agent: {agent}. A copy holds the journal's keys, and people copy \
         it; the attempt is recorded. Use a terminal of your own"
    );
}
