//! `holdpoint log export`: every event as a line of JSON.

use super::{Common, Record, output::Output, show::event_json};
use crate::times;
use clap::Args;
use holdpoint::journal::search::When;
use std::process::ExitCode;

/// How many events are read at once.
const CHUNK: usize = 1000;

/// The arguments of `holdpoint log export`.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// Only events after this sequence number, to continue an earlier export.
    #[arg(long, value_name = "SEQ", default_value_t = 0)]
    pub after: u64,

    /// Only events at this time or later: 2h, yesterday, 2026-11-01.
    #[arg(long, value_name = "TIME")]
    pub since: Option<When>,

    /// Only events before this time, or up to the end of this day.
    #[arg(long, value_name = "TIME")]
    pub until: Option<When>,

    /// How it is read and printed; lines of JSON in any case.
    #[command(flatten)]
    pub common: Common,
}

/// Writes them, oldest first.
///
/// # Errors
/// When the record cannot be read, or nobody reads the lines any more.
pub async fn run(record: &Record, out: &mut Output, args: &ExportArgs) -> anyhow::Result<ExitCode> {
    let (since, until) = times::range(args.since, args.until, record.now, &record.zone)?;
    let mut after = args.after;
    loop {
        let events = record.journal.events(after, CHUNK).await?;
        let Some(last) = events.last() else {
            return Ok(ExitCode::SUCCESS);
        };
        after = last.seq;
        for event in &events {
            // Clocks may go back: every event is checked.
            if since.is_none_or(|since| event.at >= since)
                && until.is_none_or(|until| event.at < until)
            {
                out.line(event_json(event))?;
            }
        }
    }
}
