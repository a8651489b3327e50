//! `holdpoint log odd`: what was tried and did not count, and answers given out of view.

use super::{Record, output::Output, show::event_json};
use crate::times;
use anstyle::Style;
use clap::Args;
use holdpoint::journal::{self, search::When};
use holdpoint_ask::short_ids;
use serde_json::{Value, json};
use std::process::ExitCode;

const DIM: Style = Style::new().dimmed();

/// The arguments of `holdpoint log odd`.
#[derive(Debug, Args)]
pub struct OddArgs {
    /// At this time or later: 2h, 3d, today, yesterday, 2026-11-01, 2026-11-01T14:30.
    #[arg(long, value_name = "TIME", default_value = "30d")]
    pub since: When,

    /// Before this time, or up to the end of this day.
    #[arg(long, value_name = "TIME")]
    pub until: Option<When>,

    /// How many to list, the newest first; 0 for all.
    #[arg(long, short = 'n', value_name = "NUMBER", default_value_t = 50)]
    pub limit: usize,

    /// How it is read and printed.
    #[command(flatten)]
    pub common: super::Common,
}

/// Lists them.
///
/// # Errors
/// When the record cannot be read, or nobody reads the list any more.
pub async fn run(record: &Record, out: &mut Output, args: &OddArgs) -> anyhow::Result<ExitCode> {
    let range = times::range(Some(args.since), args.until, record.now, &record.zone)?;
    let (since, until) = (range.0.unwrap_or(record.now), range.1);
    let limit = if args.limit == 0 {
        usize::MAX
    } else {
        args.limit
    };
    let most = until.map_or(limit, |_| usize::MAX);
    let mut odd = journal::odd_events(&*record.journal, None, Some(since), most).await?;
    odd.retain(|event| until.is_none_or(|until| event.at < until));
    odd.truncate(limit);
    if out.json {
        let events: Vec<Value> = odd.iter().map(event_json).collect();
        out.value(&json!({ "events": events }))?;
        return Ok(ExitCode::SUCCESS);
    }
    if odd.is_empty() {
        let since = times::local(since, &record.zone);
        let until = until.map(|until| format!(" until {}", times::local(until, &record.zone)));
        let until = until.unwrap_or_default();
        out.line(format_args!("Nothing odd since {since}{until}."))?;
    }
    let asks: Vec<_> = odd.iter().filter_map(|event| event.ask).collect();
    let mut short = short_ids(&asks).into_iter();
    for event in &odd {
        let at = times::local(event.at, &record.zone);
        let ask = event.ask.and_then(|_| short.next());
        let ask = ask.map(|ask| format!("  {DIM}ask {ask}{DIM:#}"));
        let what = event.describe_odd(&|time| times::local(time, &record.zone));
        out.line(format_args!(
            "{DIM}{at}{DIM:#}  {what}{}",
            ask.unwrap_or_default()
        ))?;
    }
    Ok(ExitCode::SUCCESS)
}
