//! `holdpoint journal check`: whether the record is whole, and holds all that it held.

use super::{address, refuse_missing, size};
use crate::{
    commands::log::{
        output::Output,
        verify::{add_json, describe_loss, describe_pruned},
    },
    config::JournalArgs,
    shell::Shell,
    terminal::{
        person,
        prompt::{self, Stop},
        reply::run_blocking,
    },
};
use anyhow::bail;
use clap::Args;
use holdpoint::journal::{self, Condition, EventKind, Verified, Write, rules::Head};
use inquire::Text;
use jiff::Timestamp;
use serde_json::{Value, json};
use std::process::ExitCode;

/// What a person types to accept a loss.
const WORD: &str = "accept";

/// The arguments of `holdpoint journal check`.
#[derive(Debug, Args)]
#[command(after_help = NOTE)]
pub struct CheckArgs {
    /// Accept that its end is missing, after you restored a copy. Only at your own terminal.
    #[arg(long)]
    pub accept: bool,

    /// Print JSON.
    #[arg(long, conflicts_with = "accept")]
    pub json: bool,

    /// Where the record is.
    #[command(flatten)]
    pub journal: JournalArgs,
}

const NOTE: &str = "\
A journal whose log was lost, or that was replaced by an older copy, is whole in itself; the mark tells.
Holdpoint goes on serving it. Put the newest copy back; where there is none, accept the loss: that is
recorded as an event, and the mark starts anew.
Exit codes: 0 nothing is missing, or it was accepted, 1 something is missing or wrong.";

/// What there is to say of a journal.
struct Checked {
    url: String,
    condition: Condition,
    found: Verified,
    open_asks: u64,
}

/// Checks it.
///
/// # Errors
/// When the journal cannot be read, or nobody may accept the loss here.
pub async fn run(args: CheckArgs) -> anyhow::Result<ExitCode> {
    let url = address(&args.journal)?;
    refuse_missing(&url)?;
    let journal = journal::open_read_only(&url).await?;
    let checked = Checked {
        url: journal::shown_address(&url).into_owned(),
        condition: journal.condition().await?,
        found: journal.verify().await?,
        open_asks: journal.open_asks().await?,
    };
    let mut out = Output::new(args.json);
    if args.json {
        out.value(&checked.json())?;
    } else {
        checked.print(&mut out)?;
    }
    match checked.found.lost {
        Some(mark) if checked.found.flaws.is_empty() && args.accept => {
            drop(out);
            accept_loss(&Shell::open_own(args.journal).await?, &checked.found, mark).await
        }
        None if checked.found.flaws.is_empty() => Ok(ExitCode::SUCCESS),
        _ => Ok(ExitCode::FAILURE),
    }
}

impl Checked {
    fn json(&self) -> Value {
        let (condition, found) = (&self.condition, &self.found);
        let mut value = json!({
            "ok": found.flaws.is_empty() && found.lost.is_none(),
            "journal": self.url, "engine": condition.engine,
            "version": condition.version, "lowestVersion": condition.lowest,
            "bytes": condition.bytes, "indexedUpTo": condition.indexed, "openAsks": self.open_asks,
        });
        add_json(found, &mut value);
        value
    }

    fn print(&self, out: &mut Output) -> anyhow::Result<()> {
        let (condition, found) = (&self.condition, &self.found);
        let bytes = condition.bytes.map(size);
        let bytes = bytes.map(|size| format!(", {size}")).unwrap_or_default();
        out.line(&self.url)?;
        out.line(format_args!("engine  {}{bytes}", condition.engine))?;
        out.line(format_args!(
            "schema  version {}; a program must know version {} or newer to use it",
            condition.version, condition.lowest
        ))?;
        let pruned = describe_pruned(found.pruned);
        out.line(format_args!("events  {}{pruned}", found.events))?;
        out.line(format_args!("asks    {} open", self.open_asks))?;
        if let Some(indexed) = condition.indexed {
            out.line(format_args!("index   up to event {indexed}"))?;
        }
        if let Some(head) = found.head {
            out.line(format_args!("head    {head}"))?;
        }
        for flaw in &found.flaws {
            out.line(format_args!("event {}: {}", flaw.seq, flaw.what))?;
        }
        if let Some(mark) = found.lost {
            out.line(describe_loss(mark))?;
        }
        out.line(match (found.flaws.is_empty(), found.lost) {
            (true, None) => "The chain is whole, and nothing is missing.",
            (true, Some(_)) => {
                "Put the newest copy back; where there is none, run `holdpoint journal check --accept`."
            }
            (false, _) => "The record was changed: keep it, and compare it with a backup.",
        })
    }
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
