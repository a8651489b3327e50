//! How fast the journal is on this machine's disk.
//!
//! ```sh
//! cargo run --release -p bench --bin journal -- [ASKS] [IN_FLIGHT] [EVENTS] [FOLDER]
//! ```
//!
//! Beside it the disk's own fsync is measured, and over a long chain the walk, searches and counts.

use holdpoint::journal::{JournalEngine, SqliteJournal};
use journal_load::{fsync, run};
use std::{sync::Arc, time::Instant};

#[path = "../journal_load.rs"]
mod journal_load;
#[path = "../journal_search.rs"]
mod journal_search;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let mut number = |default| {
        args.next()
            .map_or(Ok(default), |text| text.parse::<usize>())
    };
    let (asks, in_flight, events) = (number(50_000)?, number(64)?, number(1_000_000)?);
    let folder = match args.next() {
        Some(folder) => tempfile::tempdir_in(folder)?,
        None => tempfile::tempdir()?,
    };
    println!(
        "fsync       {:>10.3} ms",
        fsync(folder.path())?.as_secs_f64() * 1000.0
    );

    let path = folder.path().join("rate.db");
    let journal: Arc<dyn JournalEngine> = Arc::new(SqliteJournal::open(&path)?);
    let took = run(&journal, asks, in_flight).await?;
    let rate = asks as f64 / took.as_secs_f64();
    println!("asks        {rate:>10.0} /s ({asks} asks, {in_flight} in flight)");

    let have = journal.head().await? as usize;
    run(&journal, events.saturating_sub(have).div_ceil(4), 512).await?;
    let started = Instant::now();
    let verified = journal.verify().await?;
    assert_eq!(verified.flaws, []);
    let rate = verified.events as f64 / started.elapsed().as_secs_f64();
    println!("verify      {rate:>10.0} /s ({} events)", verified.events);
    journal_search::fill_index(&*journal).await?;
    journal_search::measure(&*journal).await?;
    drop(journal);
    let bytes = std::fs::metadata(&path)?.len();
    println!(
        "file        {:>10.0} bytes per event",
        bytes as f64 / verified.events as f64
    );
    Ok(())
}
