//! `holdpoint log tail`: the latest, and what comes.

use super::{Common, Record, list, output::Output, runs, show::event_json};
use crate::commands::serve::shutdown;
use clap::Args;
use holdpoint::journal::{Event, EventKind, RunSearch, Search};
use holdpoint_ask::{short_id, short_ids};
use std::{process::ExitCode, time::Duration};

/// How often it is looked for what came.
const POLL: Duration = Duration::from_millis(300);
/// A record that is being made is empty at first: so often that is no error.
const BEING_MADE: u32 = 20;
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
    let mut unreadable = 0;
    loop {
        if record.is_missing
            && let Some(come) = come(&record, &mut unreadable).await?
        {
            record = come;
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

/// The record, where it has come by now; none where there is no file, or one that is just being made.
async fn come(record: &Record, unreadable: &mut u32) -> anyhow::Result<Option<Record>> {
    match record.come().await {
        Err(_) if *unreadable < BEING_MADE => {
            *unreadable += 1;
            Ok(None)
        }
        come => come,
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[tokio::test]
    async fn a_record_that_is_being_made_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("journal.db");
        let address = format!("sqlite:{}", file.display());
        let record = Record::at(address.clone()).await.unwrap();
        let mut unreadable = 0;
        assert!(record.is_missing);
        assert!(come(&record, &mut unreadable).await.unwrap().is_none());
        // Made, and nothing written yet.
        fs::write(&file, "").unwrap();
        for _ in 0..BEING_MADE {
            assert!(come(&record, &mut unreadable).await.unwrap().is_none());
        }
        // For ever is a fault.
        assert!(come(&record, &mut unreadable).await.is_err());
        fs::remove_file(&file).unwrap();
        drop(holdpoint::journal::open(&address).await.unwrap());
        let come = come(&record, &mut unreadable).await.unwrap().unwrap();
        assert!(!come.is_missing);
    }
}
