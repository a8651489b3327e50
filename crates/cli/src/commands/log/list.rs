//! `holdpoint log`: asks, the newest first.

use super::{
    LogArgs, Record,
    entries::{self, Executed},
    output::Output,
    show, times,
};
use crate::terminal::markdown;
use anstyle::{AnsiColor, Style};
use holdpoint::{
    Outcome,
    journal::{AskHistory, Found, Search},
};
use holdpoint_ask::describe;
use serde_json::json;
use std::process::ExitCode;

const DIM: Style = Style::new().dimmed();
const BOLD: Style = Style::new().bold();

/// Lists them.
///
/// # Errors
/// When the record cannot be read, or nobody reads the list any more.
pub async fn run(record: &Record, out: &mut Output, args: &LogArgs) -> anyhow::Result<ExitCode> {
    let before = match &args.before {
        Some(id) => Some(show::find(record, id).await?),
        None => None,
    };
    let search = Search {
        before,
        limit: (args.limit > 0).then_some(args.limit),
        ..args.filter.search(record)?
    };
    let Found { asks, more, .. } = record.with_notice(record.journal.search(search)).await?;
    let mut found = Vec::new();
    for ask in asks {
        // What is still open has no history to look up.
        found.push(
            match ask.decision {
                Some(_) => record.journal.history(ask.id).await?,
                None => None,
            }
            .unwrap_or_else(|| AskHistory::new(ask, Vec::new(), Vec::new())),
        );
    }
    let ids: Vec<_> = found
        .iter()
        .map(|history| history.ask.id.to_string())
        .collect();
    let next = ids.last().filter(|_| more);
    if out.json {
        let asks: Vec<_> = found.iter().map(entries::json).collect();
        out.value(&json!({ "asks": asks, "next": next }))?;
        return Ok(ExitCode::SUCCESS);
    }
    if found.is_empty() {
        eprintln!("Nothing was found.");
    }
    let length = enough(&ids);
    for (history, id) in found.iter().zip(&ids) {
        print(record, out, history, &id[..length])?;
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
    let rendered = markdown::render(markdown, usize::MAX);
    anstream::adapter::strip_str(&rendered).to_string()
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
    let origin = &ask.origin;
    let tool = entries::tool_name(origin.server.as_deref(), origin.tool.as_deref());
    let client = origin.client.as_deref();
    let client = client.map(|name| format!("for {}", entries::line(&describe::one_line(name), 40)));
    let from: Vec<_> = [tool, client].into_iter().flatten().collect();
    let from = if from.is_empty() {
        String::new()
    } else {
        format!("{}: ", from.join(", "))
    };
    let room = show::WIDEST.saturating_sub(from.chars().count()).max(30);
    let danger = if ask.ask.dangerous { "⚠ " } else { "" };
    let text = format!(
        "{danger}{from}{}",
        entries::line(&plain(&ask.ask.message), room)
    );
    entry("asked", Style::new(), ask.opened_at, text)?;
    if let Some(decision) = &ask.decision {
        let style = match decision.outcome {
            Outcome::Accepted(_) => AnsiColor::Green.on_default(),
            Outcome::Declined { .. } => AnsiColor::Red.on_default(),
            _ => AnsiColor::Yellow.on_default(),
        };
        entry("decided", style, decision.at, describe::decision(decision))?;
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
