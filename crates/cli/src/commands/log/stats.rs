//! `holdpoint log stats`: counts and charts.

use super::{Record, entries::tool_name, filter::FilterArgs, output::Output};
use anstyle::{AnsiColor, Style};
use holdpoint::journal::{Stats, stats::Count};
use holdpoint_ask::describe::duration;
use std::{fmt::Write as _, process::ExitCode, time::Duration};

/// How many characters the longest bar has.
const LONGEST: u64 = 32;
/// How many names a chart shows; the others are summed up.
const MOST: usize = 10;
/// How many days are drawn, the latest ones.
const DAYS: usize = 28;

const BAR: Style = AnsiColor::Cyan.on_default();
const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// Counts and draws.
///
/// # Errors
/// When the record cannot be read.
pub async fn run(
    record: &Record,
    out: &mut Output,
    filter: &FilterArgs,
) -> anyhow::Result<ExitCode> {
    let counted = record
        .journal
        .stats(filter.search(record)?, record.zone.clone());
    let stats = record.with_notice(counted).await?;
    if out.json {
        out.value(&serde_json::to_value(&stats)?)?;
    } else {
        out.line(drawn(&stats, |moment| super::times::local(moment, &record.zone)).trim_end())?;
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
    if let Some(response) = stats.response {
        let _ = writeln!(
            page,
            "Answers took {} (p50), {} (p90); {}.",
            duration(Duration::from_millis(response.p50_ms)),
            duration(Duration::from_millis(response.p90_ms)),
            plural(response.answered, "answer")
        );
    }
    let _ = writeln!(
        page,
        "{} timed out. {} faster than a person can read.",
        stats.timed_out,
        plural(stats.fast, "answer")
    );
    bars(&mut page, "Outcome", &stats.by_outcome);
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
    let name = |count: &Count| {
        let (server, name) = (count.server.as_deref(), count.name.as_deref());
        tool_name(server, Some(name.unwrap_or("none"))).unwrap_or_default()
    };
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
            "  {:<width$}  {BAR}{bar}{BAR:#} {}",
            name(count),
            count.asks
        );
    }
    let others: u64 = counts[shown.len()..].iter().map(|count| count.asks).sum();
    if others > 0 {
        let more = counts.len() - shown.len();
        let _ = writeln!(page, "  {DIM}and {more} more with {others}{DIM:#}");
    }
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
