//! `holdpoint log`: asks and runs of scripts, the newest first.

use super::{
    ListArgs, LogCommand, Record,
    entries::{self, Executed},
    output::Output,
    runs, show,
};
use crate::{
    find_by_id::Found,
    terminal::{abilities::Abilities, markdown},
    times,
};
use anstyle::{AnsiColor, Style};
use anyhow::Context;
use holdpoint::journal::{AskHistory, CallHistory, RunSearch, Search};
use holdpoint_ask::{describe, field::Tone, nearest::is_slip, short_ids};
use jiff::Timestamp;
use serde_json::json;
use std::{process::ExitCode, time::Duration};

/// How many are listed where nothing is said of it.
pub const USUAL: usize = 20;

/// The kind of entry that says how an ask ended.
pub(super) const DECIDED: &str = "decided";

const DIM: Style = Style::new().dimmed();
const BOLD: Style = Style::new().bold();

/// An ask or a run in the list.
pub(super) enum Listed {
    Ask(Box<AskHistory>),
    Run(Box<CallHistory>),
}

impl Listed {
    pub(super) fn id(&self) -> String {
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
    let (listed, more) = find(record, asks, runs, limit).await?;
    if listed.is_empty() && !out.json {
        say_why(record, &args.filter.words).await?;
    }
    print_all(record, out, &listed, more)
}

/// Says why there is nothing to list.
pub(super) async fn say_why(record: &Record, words: &[String]) -> anyhow::Result<()> {
    if record.is_missing {
        // It was said when the record was opened.
        return Ok(());
    }
    if let Some(empty) = record.emptiness().await? {
        eprintln!("{empty}");
        return Ok(());
    }
    let meant = words.first().and_then(|word| {
        let mut names = LogCommand::NAMES.into_iter();
        names.find(|name| is_slip(word, name))
    });
    match meant {
        Some(command) => {
            eprintln!("Nothing was found. Did you mean `holdpoint log {command}`?");
        }
        None => eprintln!("Nothing was found."),
    }
    Ok(())
}

/// What these searches find, the newest first, and whether there is more.
pub(super) async fn find(
    record: &Record,
    asks: Search,
    runs: Option<RunSearch>,
    limit: Option<usize>,
) -> anyhow::Result<(Vec<Listed>, bool)> {
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
    Ok((listed, more))
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
            Found::Ask(id) => {
                let ask = record.journal.ask(id).await?;
                let at = ask.context("the ask is gone from the record")?.opened_at;
                asks.before = Some(id);
                runs.until = earlier(runs.until, at + Duration::from_millis(1));
            }
            Found::Run(run) => {
                asks.until = earlier(asks.until, run.call.opened_at);
                runs.before = Some(run.call.id);
            }
        },
    }
    let only_asks = !asks.status.is_empty() || asks.channel.is_some() || asks.slower_than.is_some();
    Ok((asks, (!only_asks).then_some(runs)))
}

pub(super) fn print_all(
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
    let short = short_ids(&ids);
    print_lines(record, out, listed.iter().zip(&short))?;
    if let Some(next) = short.last().filter(|_| more) {
        eprintln!("There is more: --before {next}, or --limit 0 for all.");
    }
    Ok(ExitCode::SUCCESS)
}

/// The lines of each, under its short id.
pub(super) fn print_lines<'a>(
    record: &Record,
    out: &mut Output,
    listed: impl Iterator<Item = (&'a Listed, &'a String)>,
) -> anyhow::Result<()> {
    for (item, id) in listed {
        match item {
            Listed::Ask(history) => print(record, out, history, id)?,
            Listed::Run(run) => runs::print(record, out, run, id)?,
        }
    }
    Ok(())
}

/// Markdown without its marks.
fn plain(markdown: &str) -> String {
    markdown::document(markdown, usize::MAX, Abilities::PLAIN).text()
}

/// Something that happened to an ask, as a line of the list.
pub(super) struct Entry {
    /// What: asked, decided, executed.
    pub kind: &'static str,
    style: Style,
    at: Timestamp,
    text: String,
}

impl Entry {
    /// Prints it, behind the id or as much space.
    pub(super) fn print(&self, record: &Record, out: &mut Output, id: &str) -> anyhow::Result<()> {
        let Self {
            kind, style, text, ..
        } = self;
        let at = times::local(self.at, &record.zone);
        out.line(format_args!(
            "{BOLD}{id}{BOLD:#}  {style}{kind:<8}{style:#}  {DIM}{at}{DIM:#}  {text}"
        ))
    }
}

fn print(record: &Record, out: &mut Output, history: &AskHistory, id: &str) -> anyhow::Result<()> {
    let blank = " ".repeat(id.len());
    for (place, entry) in entries_of(history).iter().enumerate() {
        entry.print(record, out, if place == 0 { id } else { &blank })?;
    }
    Ok(())
}

/// What happened to this ask, in order.
pub(super) fn entries_of(history: &AskHistory) -> Vec<Entry> {
    let ask = &history.ask;
    let from = entries::from(&ask.origin);
    let room = show::WIDEST.saturating_sub(from.chars().count()).max(30);
    let danger = if ask.ask.dangerous { "⚠ " } else { "" };
    let mut all = vec![Entry {
        kind: "asked",
        style: Style::new(),
        at: ask.opened_at,
        text: format!(
            "{danger}{from}{}",
            entries::line(&plain(&ask.ask.message), room)
        ),
    }];
    if let Some(decision) = &ask.decision {
        // Red is for harm, and a no harms nothing.
        let style = match describe::verdict(&ask.ask.form, decision).1 {
            Some(Tone::Go) => AnsiColor::Green.on_default(),
            Some(Tone::Hold | Tone::Stop) => Style::new(),
            _ => AnsiColor::Yellow.on_default(),
        };
        all.push(Entry {
            kind: DECIDED,
            style,
            at: decision.at,
            text: describe::decision_on(&ask.ask.form, decision),
        });
    }
    let executed = entries::executed(history);
    if let Some(first) = executed.first() {
        let actions: Vec<_> = executed.iter().map(Executed::describe).collect();
        all.push(Entry {
            kind: "executed",
            style: AnsiColor::Cyan.on_default(),
            at: first.at,
            text: actions.join(", "),
        });
    }
    all
}
