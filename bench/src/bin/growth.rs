//! What a long record costs: each thing that a server or a person does, over an empty journal and over a full one.
//!
//! A filled ask has ten events: its call, itself, six notes, its decision and the call's result. The journal is
//! filled by commits of 500 asks, and removed at the end.

use bench::{
    figures::{Figure, Figures},
    journal_load::writes,
};
use clap::Parser;
use futures::future::BoxFuture;
use holdpoint::{
    AskId,
    journal::{
        AskQuery, CallQuery, EventKind, Journal as _, JournalEngine, JournalError, Search,
        SqliteJournal, Write,
    },
};
use jiff::{Timestamp, tz::TimeZone};
use serde_json::json;
use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

const AT_ONCE: usize = 500;
const NOTES: usize = 6;

#[derive(Debug, Parser)]
struct Options {
    /// How many decided asks the journal has
    #[arg(long, default_value_t = 1_000_000)]
    asks: usize,
    /// Where it is made
    #[arg(long)]
    folder: Option<PathBuf>,
    /// Where the figures are written
    #[arg(long)]
    json: Option<PathBuf>,
}

/// The middle time of each thing, in milliseconds.
type Times = Vec<(&'static str, f64)>;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let folder = match &options.folder {
        Some(folder) => tempfile::tempdir_in(folder)?,
        None => tempfile::tempdir()?,
    };
    let (small, large) = (
        folder.path().join("small.db"),
        folder.path().join("large.db"),
    );
    drop(SqliteJournal::open(&small)?);
    let started = Instant::now();
    fill(&large, options.asks).await?;
    let bytes = fs::metadata(&large)?.len() as f64 / options.asks as f64;
    println!(
        "filled with {} asks in {:.0} s, {bytes:.0} bytes per ask of ten events\n",
        options.asks,
        started.elapsed().as_secs_f64()
    );
    let started = Instant::now();
    newest(Arc::new(SqliteJournal::open(&large)?)).await?;
    let indexed = started.elapsed().as_secs_f64();
    println!("the first search, which makes the index, took {indexed:.0} s\n");
    // In turns, so that other work on the machine slows both; the second round counts.
    let mut both = (Times::new(), Times::new());
    for _ in 0..2 {
        both = (measure(&small).await?, measure(&large).await?);
    }
    let mut figures = vec![
        Figure::new("bytes per ask of ten events", bytes, "bytes"),
        Figure::new("the first search, full", indexed, "s"),
    ];
    for ((name, empty), (_, full)) in both.0.iter().zip(&both.1) {
        figures.extend(compared(name, *empty, *full));
    }
    Figures::new(figures).report(options.json.as_deref())?;
    Ok(())
}

/// One thing over an empty journal and over a full one.
fn compared(name: &str, empty: f64, full: f64) -> [Figure; 2] {
    let ratio = Figure::new(format!("{name}, full / empty"), full / empty, "x");
    let time = Figure::new(format!("{name}, full"), full, "ms");
    match name {
        "start-up" => [ratio, time.under(100.0)],
        "open an ask" | "settle an ask" | "page's first list" => [ratio.at_most(1.2), time],
        _ => [ratio, time],
    }
}

async fn fill(path: &Path, asks: usize) -> Result<(), Box<dyn Error>> {
    let journal = SqliteJournal::open(path)?;
    let mut numbers = (0..asks).peekable();
    while numbers.peek().is_some() {
        let mut batch = Vec::new();
        for number in numbers.by_ref().take(AT_ONCE) {
            let [open, settle, end] = writes(&journal, number);
            let ask = asked(&open);
            batch.extend(open);
            batch.extend((0..NOTES).map(|_| Write::Note {
                call: None,
                ask,
                kind: EventKind::Shown,
                body: json!({"channel": "inbox"}),
                at: Timestamp::now(),
            }));
            batch.extend(settle);
            batch.extend(end);
        }
        journal.commit(batch).await?;
    }
    Ok(())
}

fn asked(batch: &[Write]) -> Option<AskId> {
    batch.iter().find_map(|write| match write {
        Write::OpenAsk(new) => Some(new.id),
        _ => None,
    })
}

async fn measure(path: &Path) -> Result<Times, Box<dyn Error>> {
    let mut times = Times::new();
    let mut opened = Vec::new();
    let mut journal = None;
    for _ in 0..5 {
        drop(journal.take());
        let started = Instant::now();
        journal = Some(SqliteJournal::open(path)?);
        opened.push(started.elapsed());
    }
    times.push(("start-up", middle(opened)));
    let journal: Arc<dyn JournalEngine> = Arc::new(journal.ok_or("nothing was opened")?);

    let (mut opens, mut settles) = (Vec::new(), Vec::new());
    for number in 0..300 {
        let [open, settle, end] = writes(&*journal, number);
        let started = Instant::now();
        journal.commit(open).await?;
        opens.push(started.elapsed());
        let started = Instant::now();
        journal.commit(settle).await?;
        settles.push(started.elapsed());
        journal.commit(end).await?;
    }
    times.push(("open an ask", middle(opens)));
    times.push(("settle an ask", middle(settles)));
    // What the first list shows: a few that are open.
    let mut left = Vec::new();
    for number in 0..20 {
        let [open, settle, end] = writes(&*journal, number);
        journal.commit(open).await?;
        left.push((settle, end));
    }
    type Read = fn(Arc<dyn JournalEngine>) -> BoxFuture<'static, Result<(), JournalError>>;
    let reads: [(&str, usize, Read); 6] = [
        ("page's first list", 100, |journal| {
            Box::pin(first_list(journal))
        }),
        ("log", 20, |journal| Box::pin(newest(journal))),
        ("calls", 20, |journal| Box::pin(calls(journal))),
        ("search", 5, |journal| {
            Box::pin(search(journal, "artifacts"))
        }),
        ("stats", 3, |journal| Box::pin(stats(journal))),
        ("verify", 1, |journal| Box::pin(verify(journal))),
    ];
    for (name, rounds, read) in reads {
        let mut took = Vec::new();
        for _ in 0..rounds {
            let started = Instant::now();
            read(Arc::clone(&journal)).await?;
            took.push(started.elapsed());
        }
        times.push((name, middle(took)));
    }
    for (settle, end) in left {
        journal.commit(settle).await?;
        journal.commit(end).await?;
    }
    Ok(times)
}

/// What the page asks for first: the open asks, dangerous ones before the others, and how many there are.
async fn first_list(journal: Arc<dyn JournalEngine>) -> Result<(), JournalError> {
    for dangerous in [true, false] {
        let query = AskQuery {
            open: true,
            dangerous: Some(dangerous),
            limit: Some(50),
            ..AskQuery::default()
        };
        journal.asks(query).await?;
    }
    journal.open_asks().await?;
    journal.head().await?;
    Ok(())
}

async fn newest(journal: Arc<dyn JournalEngine>) -> Result<(), JournalError> {
    let query = Search {
        limit: Some(20),
        ..Search::default()
    };
    journal.search(query).await.map(drop)
}

async fn calls(journal: Arc<dyn JournalEngine>) -> Result<(), JournalError> {
    let query = CallQuery {
        method: "script".into(),
        limit: 20,
        ..CallQuery::default()
    };
    journal.calls(query).await.map(drop)
}

async fn search(journal: Arc<dyn JournalEngine>, word: &str) -> Result<(), JournalError> {
    let query = Search {
        words: vec![word.into()],
        limit: Some(20),
        ..Search::default()
    };
    journal.search(query).await.map(drop)
}

async fn stats(journal: Arc<dyn JournalEngine>) -> Result<(), JournalError> {
    let counted = journal.stats(Search::default(), TimeZone::UTC).await;
    counted.map(drop)
}

async fn verify(journal: Arc<dyn JournalEngine>) -> Result<(), JournalError> {
    let verified = journal.verify().await?;
    assert_eq!(verified.flaws, [], "the journal is sound");
    Ok(())
}

fn middle(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    let middle = times.get(times.len() / 2).copied().unwrap_or_default();
    middle.as_secs_f64() * 1e3
}
