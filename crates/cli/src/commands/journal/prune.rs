//! `holdpoint journal prune`: the text of what is old and over goes, once a person said so.

use super::{address, refuse_missing, size};
use crate::{
    commands::{ask, log::verify::describe_pruned},
    config::JournalArgs,
    shell::Shell,
    terminal::person,
    times,
};
use anyhow::{Context as _, bail};
use clap::Args;
use holdpoint::{
    Ask, Outcome,
    journal::{
        self, JournalEngine,
        prune::{prunable, prune},
        rules::Prunable,
        search::When,
        shown_address,
    },
};
use jiff::{Timestamp, tz::TimeZone};
use std::process::ExitCode;

/// The arguments of `holdpoint journal prune`.
#[derive(Debug, Args)]
#[command(after_help = NOTE)]
pub struct PruneArgs {
    /// What was over before this time goes: 90d, 2026-01-01, 2026-01-01T14:30.
    #[arg(long, value_name = "DATE")]
    pub before: When,

    /// Only say what would go.
    #[arg(long)]
    pub dry_run: bool,

    /// Where the record is.
    #[command(flatten)]
    pub journal: JournalArgs,
}

const NOTE: &str = "\
What was asked, answered and done goes, with the files that people gave; each event keeps its time, its
kind and its hash, so that `log verify` still walks the whole chain and says how many bodies were pruned.
What is needed stays: open asks with their calls, calls that run, grants that are good, what scripts
remember, attempts and PIN events, and any decision that is newer than one that stays.
You are asked first, in this terminal, with your PIN where one is set; that and what went is recorded.
A pruned journal can be used only by programs that know of pruning. There is no way back: keep a copy
(`holdpoint journal copy`) if you may need it.
Exit codes: 0 pruned, or there was nothing to prune, 1 not.";

/// Asks, and prunes.
///
/// # Errors
/// When nobody at a terminal says so, or the record cannot be read or written, or has a flaw.
pub async fn run(args: PruneArgs) -> anyhow::Result<ExitCode> {
    let (now, zone) = (Timestamp::now(), TimeZone::system());
    let before = args.before.start(now, &zone);
    let before = before.context("that time is out of range")?;
    let url = address(&args.journal)?;
    refuse_missing(&url)?;
    let day = times::local(before, &zone);
    if args.dry_run {
        let looked = journal::open_read_only(&url).await?;
        let found = prunable(looked.as_ref(), before, now).await?;
        println!("{}\n{}", shown_address(&url), describe(&found, &day));
        return Ok(ExitCode::SUCCESS);
    }
    let shell = Shell::open_own(args.journal).await?;
    let why = "What goes from the record is for a person to decide";
    shell.refuse_agents("journal prune", why).await?;
    if !person::is_here() {
        bail!("this is asked at a terminal, and this command is not run at one: see --dry-run");
    }
    let journal = shell.journal.as_ref();
    check(journal).await?;
    let found = prunable(journal, before, now).await?;
    if found.bodies == 0 {
        println!("{}", describe(&found, &day));
        return Ok(ExitCode::SUCCESS);
    }
    let question = question(journal, &shown_address(&url), &found, &day).await?;
    let decided = ask::at_terminal(&shell, question, "holdpoint journal prune").await?;
    let yes = matches!(&decided.outcome, Outcome::Accepted(answer) if answer.get("confirmed") == Some(&true.into()));
    if !yes {
        bail!("nothing was pruned");
    }
    let gone = prune(journal, found, before, &shell.user, |_| {}).await?;
    let smaller = journal.free_space().await?;
    let verified = check(journal).await?;
    println!("The bodies of {gone} events were pruned.");
    if !smaller {
        println!(
            "Other processes have the journal open, so its file keeps its size; what went was overwritten."
        );
    }
    println!(
        "{} events{}: the chain is whole.",
        verified.events,
        describe_pruned(verified.pruned)
    );
    if let Some(head) = verified.head {
        println!("head  {head}");
    }
    Ok(ExitCode::SUCCESS)
}

/// What is wrong must stay to be looked at.
async fn check(journal: &dyn JournalEngine) -> anyhow::Result<journal::Verified> {
    let found = journal.verify().await?;
    if !found.flaws.is_empty() || found.lost.is_some() {
        bail!("the record is not whole, so that nothing may go: see `holdpoint journal check`");
    }
    Ok(found)
}

/// What goes, and what stays although it is as old.
fn describe(found: &Prunable, day: &str) -> String {
    let kept = match found.kept {
        0 => String::new(),
        kept => format!(" {kept} calls and asks that are as old stay, since they are needed."),
    };
    if found.bodies == 0 {
        return format!("Nothing that was over before {day} is left to prune.{kept}");
    }
    format!(
        "{} calls and {} asks were over before {day}: the bodies of {} events, {}.{kept}",
        found.calls,
        found.asks,
        found.bodies,
        size(found.bytes)
    )
}

async fn question(
    journal: &dyn JournalEngine,
    url: &str,
    found: &Prunable,
    day: &str,
) -> anyhow::Result<Ask> {
    let condition = journal.condition().await?;
    let mut details = format!("{}\n\nFrom {url}\n", describe(found, day));
    if condition.lowest < condition.version {
        details.push_str(&format!(
            "\nPrograms that know less than version {} of its schema cannot use the journal afterwards, and this \
             is version {} now: update every server that shares it first.\n",
            condition.version, condition.lowest
        ));
    }
    Ok(Ask::confirm(format!("Prune what was over before {day}?"))
        .details(details)
        .dangerous()
        .with_word("prune")
        .consequence("What was asked, answered and done until then cannot be read any more.")
        .in_person())
}
