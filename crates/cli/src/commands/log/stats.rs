//! `holdpoint log stats`: counts and charts.

use super::{Record, entries::tool_name, filter::FilterArgs, output::Output, stats_table::table};
use crate::times::{self, millis};
use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use holdpoint::journal::{
    Stats,
    stats::{Count, Ended},
};
use serde_json::json;
use std::{fmt::Write as _, process::ExitCode};

/// How many characters the longest bar has.
const LONGEST: u64 = 32;
/// How many names a chart shows; the others are summed up.
const MOST: usize = 10;
/// How many days are drawn, the latest ones.
const DAYS: usize = 28;

/// The title of the chart of outcomes.
const OUTCOME: &str = "Outcome";

const BAR: Style = AnsiColor::Cyan.on_default();
const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// What asks are grouped by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum By {
    /// The tool that asked, with its server.
    Tool,
    /// The server that asked.
    Server,
    /// The agent's client, with its version.
    Client,
    /// The channel that the answer came through.
    Channel,
    /// How it ended.
    Outcome,
    /// The day on which it was asked.
    Day,
}

impl By {
    /// The groups, each with its name.
    fn groups(self, stats: &Stats) -> Vec<(String, u64, Ended)> {
        let counts = match self {
            Self::Tool => &stats.by_tool,
            Self::Server => &stats.by_server,
            Self::Client => &stats.by_client,
            Self::Channel => &stats.by_channel,
            Self::Outcome => &stats.by_outcome,
            Self::Day => {
                let days = stats.by_day.iter().filter(|day| day.asks > 0);
                let days = days.map(|day| (day.day.to_string(), day.asks, day.ended));
                return days.collect();
            }
        };
        let groups = counts.iter();
        groups
            .map(|count| (name(count), count.asks, count.ended))
            .collect()
    }

    /// The same as JSON.
    fn json(self, stats: &Stats) -> serde_json::Value {
        match self {
            Self::Tool => json!({ "byTool": stats.by_tool }),
            Self::Server => json!({ "byServer": stats.by_server }),
            Self::Client => json!({ "byClient": stats.by_client }),
            Self::Channel => json!({ "byChannel": stats.by_channel }),
            Self::Outcome => json!({ "byOutcome": stats.by_outcome }),
            Self::Day => json!({ "byDay": stats.by_day }),
        }
    }
}

/// Counts and draws; only what is grouped `by`, where that is said.
///
/// # Errors
/// When the record cannot be read.
pub async fn run(
    record: &Record,
    out: &mut Output,
    filter: &FilterArgs,
    by: Option<By>,
) -> anyhow::Result<ExitCode> {
    let counted = record
        .journal
        .stats(filter.search(record)?, record.zone.clone());
    let stats = record.with_notice(counted).await?;
    let local = |moment| times::local(moment, &record.zone);
    match by {
        Some(by) if out.json => out.value(&by.json(&stats))?,
        None if out.json => out.value(&serde_json::to_value(&stats)?)?,
        _ if stats.asks == 0 && !record.is_missing => {
            let empty = record.emptiness().await?;
            eprintln!("{}", empty.unwrap_or("Nothing was found."));
        }
        _ if stats.asks == 0 => {}
        Some(by) => out.line(table(&by.groups(&stats), stats.asks, &stats.ended))?,
        None => out.line(drawn(&stats, local).trim_end())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The counts as charts.
fn drawn(stats: &Stats, local: impl Fn(jiff::Timestamp) -> String) -> String {
    let (Some(first), Some(last)) = (stats.first, stats.last) else {
        return "No asks.".to_owned();
    };
    let mut page = format!(
        "{BOLD}{}{BOLD:#}, {} to {}\n",
        plural(stats.asks, "ask"),
        local(first),
        local(last)
    );
    let ended = &stats.ended;
    if let (Some(success), Some(timed_out)) = (ended.success_rate, ended.timed_out_rate) {
        let _ = writeln!(
            page,
            "Of {} that ended, {} were accepted and {} timed out.",
            ended.asks,
            percent(success),
            percent(timed_out)
        );
    }
    if let Some(response) = ended.response {
        let _ = writeln!(
            page,
            "Answers took {} (p50), {} (p90), {} on average; {}.",
            millis(response.p50_ms),
            millis(response.p90_ms),
            millis(response.mean_ms),
            plural(response.answered, "answer")
        );
    }
    let _ = writeln!(
        page,
        "{} faster than a person can read.",
        plural(stats.fast, "answer")
    );
    bars(&mut page, OUTCOME, &stats.by_outcome);
    bars(&mut page, "Tool", &stats.by_tool);
    bars(&mut page, "Channel", &stats.by_channel);
    let _ = writeln!(page, "\n{BOLD}Hour of the day{BOLD:#}");
    columns(&mut page, &stats.by_hour, "0     6     12    18   23");
    let days = &stats.by_day[stats.by_day.len().saturating_sub(DAYS)..];
    let _ = writeln!(page, "\n{BOLD}Day{BOLD:#}");
    let counts: Vec<_> = days.iter().map(|day| day.asks).collect();
    let ends = match days {
        [] => String::new(),
        [day] => day.day.to_string(),
        [first, .., last] => {
            let room = days.len().saturating_sub(10).max(11);
            format!("{:<room$}{}", first.day.to_string(), last.day)
        }
    };
    columns(&mut page, &counts, &ends);
    page
}

/// Draws one bar a line, with its count after it.
fn bars(page: &mut String, title: &str, counts: &[Count]) {
    if counts.is_empty() {
        return;
    }
    let _ = writeln!(page, "\n{BOLD}{title}{BOLD:#}");
    let most = counts
        .iter()
        .map(|count| count.asks)
        .max()
        .unwrap_or(1)
        .max(1);
    let shown = &counts[..counts.len().min(MOST)];
    let width = shown
        .iter()
        .map(|count| name(count).chars().count())
        .max()
        .unwrap_or(0);
    for count in shown {
        let bar = bar(count.asks, most);
        let _ = writeln!(
            page,
            "  {:<width$}  {BAR}{bar}{BAR:#} {}{DIM}{}{DIM:#}",
            name(count),
            count.asks,
            times(title, &count.ended)
        );
    }
    let others: u64 = counts[shown.len()..].iter().map(|count| count.asks).sum();
    if others > 0 {
        let more = counts.len() - shown.len();
        let _ = writeln!(page, "  {DIM}and {more} more with {others}{DIM:#}");
    }
}

/// How a group ended, and how long people took over it; of an outcome only the latter.
fn times(title: &str, ended: &Ended) -> String {
    let success = ended.success_rate.filter(|_| title != OUTCOME);
    let success = success.map(|rate| format!("{} accepted", percent(rate)));
    let response = ended.response.map(|response| {
        let (p50, p90) = (millis(response.p50_ms), millis(response.p90_ms));
        format!("{p50} (p50), {p90} (p90)")
    });
    let said: Vec<_> = success.into_iter().chain(response).collect();
    if said.is_empty() {
        return String::new();
    }
    format!("  {}", said.join(", "))
}

/// What a group is called.
fn name(count: &Count) -> String {
    let (server, name) = (count.server.as_deref(), count.name.as_deref());
    tool_name(server, Some(name.unwrap_or("none"))).unwrap_or_default()
}

/// A rate as people read it.
pub(super) fn percent(rate: f64) -> String {
    format!("{:.0} %", rate * 100.0)
}

/// A bar to an eighth of a character; whatever is there at all can be seen.
fn bar(value: u64, most: u64) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (value * LONGEST * 8).div_ceil(most);
    let mut bar = "█".repeat((eighths / 8) as usize);
    bar.push_str(PARTS[(eighths % 8) as usize]);
    bar
}

/// Draws a line of columns, one for each value, with the highest value after it.
fn columns(page: &mut String, values: &[u64], below: &str) {
    const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let most = values.iter().copied().max().unwrap_or(0).max(1);
    let height = |value: &u64| match value {
        0 => '·',
        value => HEIGHTS[((value * 8).div_ceil(most) as usize).clamp(1, 8) - 1],
    };
    let line: String = values.iter().map(height).collect();
    let _ = writeln!(page, "  {BAR}{line}{BAR:#}  {DIM}most: {most}{DIM:#}");
    let _ = writeln!(page, "  {DIM}{below}{DIM:#}");
}

fn plural(count: u64, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}
