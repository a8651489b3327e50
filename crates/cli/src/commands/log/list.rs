//! `holdpoint log`: asks and runs of scripts, the newest first.

use super::{
    ListArgs, Record,
    entries::{self, Executed},
    output::Output,
    runs,
    show::{self, Shown},
    times,
};
use crate::terminal::{abilities::Abilities, markdown};
use anstyle::{AnsiColor, Style};
use anyhow::Context;
use holdpoint::journal::{AskHistory, CallHistory, RunSearch, Search};
use holdpoint_ask::{describe, field::Tone};
use jiff::Timestamp;
use serde_json::json;
use std::{process::ExitCode, time::Duration};

const DIM: Style = Style::new().dimmed();
const BOLD: Style = Style::new().bold();

/// An ask or a run in the list.
enum Listed {
    Ask(Box<AskHistory>),
    Run(Box<CallHistory>),
}

impl Listed {
    fn id(&self) -> String {
        match self {
            Self::Ask(history) => history.ask.id.to_string(),
            Self::Run(run) => run.call.id.to_string(),
        }
    }

    /// Newer ones are greater. A run stands below the asks of the moment in which it began.
    fn place(&self) -> (i64, bool, String) {
        let (at, is_ask) = match self {
            Self::Ask(history) => (history.ask.opened_at, true),
            Self::Run(run) => (run.call.opened_at, false),
        };
        (at.as_millisecond(), is_ask, self.id())
    }
}

/// Lists them.
///
/// # Errors
/// When the record cannot be read, or nobody reads the list any more.
pub async fn run(record: &Record, out: &mut Output, args: &ListArgs) -> anyhow::Result<ExitCode> {
    let limit = (args.limit > 0).then_some(args.limit);
    let (asks, runs) = searches(record, args, limit).await?;
    let mut listed = Vec::new();
    let found = record.with_notice(record.journal.search(asks)).await?;
    let mut more = found.more;
    for ask in found.asks {
        // What is still open has no history to look up.
        let history = match ask.decision {
            Some(_) => record.journal.history(ask.id).await?,
            None => None,
        };
        let history = history.unwrap_or_else(|| AskHistory::new(ask, Vec::new(), Vec::new()));
        listed.push(Listed::Ask(Box::new(history)));
    }
    if let Some(runs) = runs {
        let found = record.with_notice(record.journal.runs(runs)).await?;
        more |= found.more;
        let runs = found.runs.into_iter().map(Box::new);
        listed.extend(runs.map(Listed::Run));
    }
    listed.sort_by_cached_key(|item| std::cmp::Reverse(item.place()));
    if let Some(limit) = limit.filter(|limit| listed.len() > *limit) {
        listed.truncate(limit);
        more = true;
    }
    print_all(record, out, &listed, more)
}

/// What to search for: asks, and runs unless something is asked for that only asks have.
async fn searches(
    record: &Record,
    args: &ListArgs,
    limit: Option<usize>,
) -> anyhow::Result<(Search, Option<RunSearch>)> {
    let mut asks = Search {
        limit,
        ..args.filter.search(record)?
    };
    let mut runs = RunSearch {
        words: asks.words.clone(),
        server: asks.server.clone(),
        tool: asks.tool.clone(),
        client: asks.client.clone(),
        since: asks.since,
        until: asks.until,
        limit,
        ..RunSearch::default()
    };
    let earlier = |until: Option<Timestamp>, at| Some(until.map_or(at, |until| until.min(at)));
    match &args.before {
        None => {}
        Some(id) => match show::find(record, id).await? {
            Shown::Ask(id) => {
                let ask = record.journal.ask(id).await?;
                let at = ask.context("the ask is gone from the record")?.opened_at;
                asks.before = Some(id);
                runs.until = earlier(runs.until, at + Duration::from_millis(1));
            }
            Shown::Run(run) => {
                asks.until = earlier(asks.until, run.call.opened_at);
                runs.before = Some(run.call.id);
            }
        },
    }
    let only_asks = !asks.status.is_empty() || asks.channel.is_some() || asks.slower_than.is_some();
    Ok((asks, (!only_asks).then_some(runs)))
}

fn print_all(
    record: &Record,
    out: &mut Output,
    listed: &[Listed],
    more: bool,
) -> anyhow::Result<ExitCode> {
    let ids: Vec<_> = listed.iter().map(Listed::id).collect();
    let next = ids.last().filter(|_| more);
    if out.json {
        let (mut asks, mut runs) = (Vec::new(), Vec::new());
        for item in listed {
            match item {
                Listed::Ask(history) => asks.push(entries::json(history)),
                Listed::Run(run) => runs.push(runs::json(run)),
            }
        }
        out.value(&json!({ "asks": asks, "runs": runs, "next": next }))?;
        return Ok(ExitCode::SUCCESS);
    }
    if listed.is_empty() {
        eprintln!("Nothing was found.");
    }
    // The id of a run begins like those of its asks.
    let is_run = |item: &Listed| matches!(item, Listed::Run(_));
    let length = enough(&ids).max(if listed.iter().any(is_run) { 23 } else { 0 });
    for (item, id) in listed.iter().zip(&ids) {
        match item {
            Listed::Ask(history) => print(record, out, history, &id[..length])?,
            Listed::Run(run) => runs::print(record, out, run, &id[..length])?,
        }
    }
    if let Some(next) = next {
        let next = &next[..length];
        eprintln!("There is more: --before {next}, or --limit 0 for all.");
    }
    Ok(ExitCode::SUCCESS)
}

/// How much of these ids tells them apart: as much as names a millisecond, or more.
fn enough(ids: &[String]) -> usize {
    let lengths = [13, 18, 23, 36];
    let distinct = |length: &usize| {
        let mut short: Vec<_> = ids.iter().map(|id| &id[..*length]).collect();
        short.sort_unstable();
        short.windows(2).all(|pair| pair[0] != pair[1])
    };
    lengths.into_iter().find(distinct).unwrap_or(36)
}

/// Markdown without its marks.
fn plain(markdown: &str) -> String {
    markdown::document(markdown, usize::MAX, Abilities::PLAIN).text()
}

fn print(record: &Record, out: &mut Output, history: &AskHistory, id: &str) -> anyhow::Result<()> {
    let ask = &history.ask;
    let mut before = format!("{BOLD}{id}{BOLD:#}");
    let blank = " ".repeat(id.len());
    let mut entry = |kind: &str, style: Style, at, text: String| {
        let at = times::local(at, &record.zone);
        let head = std::mem::replace(&mut before, blank.clone());
        out.line(format_args!(
            "{head}  {style}{kind:<8}{style:#}  {DIM}{at}{DIM:#}  {text}"
        ))
    };
    let from = entries::from(&ask.origin);
    let room = show::WIDEST.saturating_sub(from.chars().count()).max(30);
    let danger = if ask.ask.dangerous { "⚠ " } else { "" };
    let text = format!(
        "{danger}{from}{}",
        entries::line(&plain(&ask.ask.message), room)
    );
    entry("asked", Style::new(), ask.opened_at, text)?;
    if let Some(decision) = &ask.decision {
        // Red is for harm, and a no harms nothing.
        let style = match describe::verdict(&ask.ask.form, decision).1 {
            Some(Tone::Go) => AnsiColor::Green.on_default(),
            Some(Tone::Hold | Tone::Stop) => Style::new(),
            _ => AnsiColor::Yellow.on_default(),
        };
        let how = describe::decision_on(&ask.ask.form, decision);
        entry("decided", style, decision.at, how)?;
    }
    let executed = entries::executed(history);
    if let Some(first) = executed.first() {
        let actions: Vec<_> = executed.iter().map(Executed::describe).collect();
        entry(
            "executed",
            AnsiColor::Cyan.on_default(),
            first.at,
            actions.join(", "),
        )?;
    }
    Ok(())
}
