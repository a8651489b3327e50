//! How fast the journal is on this machine's disk: durable asks, and over a long chain the walk, searches and
//! counts.

use bench::{
    figures::{Figure, Figures},
    journal_load::run,
    journal_search, process, servers,
    statistics::ms,
};
use clap::Parser;
use holdpoint::journal::{JournalEngine, SqliteJournal};
use std::{path::PathBuf, sync::Arc, time::Instant};

/// Measures the journal alone.
#[derive(Parser)]
struct Args {
    /// How many asks are opened and settled.
    #[arg(long, default_value_t = 50_000)]
    asks: usize,
    /// How many of them at a time.
    #[arg(long, default_value_t = 64)]
    in_flight: usize,
    /// The length of the chain that is walked and searched.
    #[arg(long, default_value_t = 1_000_000)]
    events: usize,
    /// Where the journal lies.
    #[arg(long)]
    folder: Option<PathBuf>,
    /// Keep the figures in this file.
    #[arg(long)]
    json: Option<PathBuf>,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let folder = match &args.folder {
        Some(folder) => tempfile::tempdir_in(folder)?,
        None => tempfile::tempdir_in(servers::beside("")?)?,
    };
    let sync = ms(process::sync(folder.path())?);
    let mut figures = vec![Figure::new("a durable write", sync, "ms")];

    let path = folder.path().join("rate.db");
    let journal: Arc<dyn JournalEngine> = Arc::new(SqliteJournal::open(&path)?);
    let took = run(&journal, args.asks, args.in_flight).await?;
    let name = format!("asks, {} in flight", args.in_flight);
    let rate = args.asks as f64 / took.as_secs_f64();
    figures.push(Figure::new(name, rate, "asks/s").note("three durable commits each"));

    let have = journal.head().await? as usize;
    run(&journal, args.events.saturating_sub(have).div_ceil(4), 512).await?;
    let started = Instant::now();
    let verified = journal.verify().await?;
    anyhow::ensure!(verified.flaws.is_empty(), "{:?}", verified.flaws);
    let rate = verified.events as f64 / started.elapsed().as_secs_f64();
    let name = format!("verifying {} events", verified.events);
    figures.push(Figure::new(name, rate, "events/s"));
    figures.push(journal_search::fill_index(&*journal).await?);
    for figure in journal_search::measure(&*journal).await? {
        figures.push(figure.under(200.0));
    }
    drop(journal);
    let bytes = std::fs::metadata(&path)?.len() as f64 / verified.events as f64;
    figures.push(Figure::new("the file, for each event", bytes, "bytes"));
    Figures::new(figures).report(args.json.as_deref())
}
