//! `holdpoint log tail`: the latest, and what comes.

use super::{Common, Record, list, output::Output, runs, show::event_json};
use crate::commands::serve::shutdown;
use clap::Args;
use holdpoint::journal::{Event, EventKind, RunSearch, Search};
use holdpoint_ask::{short_id, short_ids};
use std::{process::ExitCode, time::Duration};

/// How often it is looked for what came.
const POLL: Duration = Duration::from_millis(300);
/// How many events are read at once.
const CHUNK: usize = 1000;

/// The arguments of `holdpoint log tail`.
#[derive(Debug, Args)]
pub struct TailArgs {
    /// How many asks and runs to print.
    #[arg(long, short = 'n', value_name = "NUMBER", default_value_t = 10)]
    pub limit: usize,

    /// Stay, and print what is asked, decided and run, until Ctrl-C; with --json every event, as `export` does.
    #[arg(long, short)]
    pub follow: bool,

    /// How it is read and printed.
    #[command(flatten)]
    pub common: Common,
}

/// Prints them, the newest last.
///
/// # Errors
/// When the record cannot be read, or nobody reads the lines any more.
pub async fn run(record: Record, out: &mut Output, args: &TailArgs) -> anyhow::Result<ExitCode> {
    let stop = shutdown::requested()?;
    // From here on: what happens while the latest are read is printed behind them.
    let head = record.journal.head().await?;
    let limit = Some(args.limit);
    let asks = Search {
        limit,
        ..Search::default()
    };
    let latest = RunSearch {
        limit,
        ..RunSearch::default()
    };
    let (mut listed, more) = list::find(&record, asks, Some(latest), limit).await?;
    if !args.follow {
        if out.json {
            return list::print_all(&record, out, &listed, more);
        }
        if listed.is_empty() && args.limit > 0 {
            list::say_why(&record, &[]).await?;
        }
    }
    if !out.json {
        listed.reverse();
        let ids: Vec<_> = listed.iter().map(list::Listed::id).collect();
        list::print_lines(&record, out, listed.iter().zip(&short_ids(&ids)))?;
    }
    if args.follow {
        tokio::select! {
            done = follow(record, out, head) => done?,
            () = stop => {}
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints what comes behind this event, for ever.
async fn follow(mut record: Record, out: &mut Output, mut seen: u64) -> anyhow::Result<()> {
    loop {
        if record.is_missing {
            record = record.again().await?;
        }
        let events = record.journal.events(seen, CHUNK).await?;
        for event in &events {
            seen = event.seq;
            if out.json {
                out.line(event_json(event))?;
            } else {
                print(&record, out, event).await?;
            }
        }
        if events.is_empty() {
            tokio::time::sleep(POLL).await;
        }
    }
}

/// Prints what an event says, where the list has a line for it.
async fn print(record: &Record, out: &mut Output, event: &Event) -> anyhow::Result<()> {
    let journal = &record.journal;
    let decided = event.kind == EventKind::Decided;
    match (event.kind, event.ask, event.call) {
        (EventKind::Asked | EventKind::Decided, Some(id), _) => {
            let history = journal.history(id).await?;
            let entries = history.iter().flat_map(list::entries_of);
            let mut entries = entries.filter(|entry| (entry.kind == list::DECIDED) == decided);
            if let Some(entry) = entries.next() {
                entry.print(record, out, &short_id(&id))?;
            }
        }
        (EventKind::Finished, _, Some(id)) => {
            let run = journal.call(id).await?;
            if let Some(run) = run.filter(|run| run.call.run) {
                runs::print(record, out, &run, &short_id(&id))?;
            }
        }
        _ => {}
    }
    Ok(())
}
