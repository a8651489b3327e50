//! How fast the journal is on this machine's disk.
//!
//! ```sh
//! cargo run --release -p bench --bin journal -- [ASKS] [IN_FLIGHT] [EVENTS] [FOLDER]
//! ```
//!
//! Beside it the disk's own fsync is measured, and over a long chain the walk, searches and counts.

use holdpoint::journal::{JournalEngine, Records, Search, SqliteJournal, Status};
use jiff::{Timestamp, tz::TimeZone};
use journal_load::{caller, fsync, run};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

#[path = "../journal_load.rs"]
mod journal_load;

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
    search(&*journal).await?;
    drop(journal);
    let bytes = std::fs::metadata(&path)?.len();
    println!(
        "file        {:>10.0} bytes per event",
        bytes as f64 / verified.events as f64
    );
    Ok(())
}

/// Searches and counts as people do. The first search fills the index.
async fn search(journal: &dyn Records) -> Result<(), Box<dyn std::error::Error>> {
    let words = |line: &str| Search {
        words: Search::split(line),
        limit: Some(50),
        ..Search::default()
    };
    for (what, search) in [
        ("index, once", words("artifacts")),
        ("search, common word", words("artifacts")),
        ("search, rare word", words("build-1234x")),
        ("search, part of a word", words("tifac 1234x")),
        ("search, two letters", words("ü7")),
        ("search, path", words("target/release/lib-0042.so")),
        ("search, nothing there", words("zebra")),
        (
            "search, one caller's",
            Search {
                seen_by: Some(caller(0)),
                ..words("artifacts")
            },
        ),
        (
            "search, slow declined",
            Search {
                status: vec![Status::Declined],
                slower_than: Some(Duration::from_millis(999_999)),
                ..words("")
            },
        ),
        (
            "search, tool and time",
            Search {
                tool: Some("approval".into()),
                until: Some(Timestamp::now() - Duration::from_secs(3600)),
                ..words("")
            },
        ),
    ] {
        let mut times = Vec::new();
        let mut found = 0;
        for _ in 0..if what.starts_with("index") { 1 } else { 5 } {
            let started = Instant::now();
            found = journal.search(search.clone()).await?.asks.len();
            times.push(started.elapsed());
        }
        let longest = times.into_iter().max().unwrap_or_default().as_secs_f64() * 1000.0;
        println!("{what:<24} {longest:>8.1} ms (longest of 5; {found} found)");
    }
    for (what, seen_by) in [("counts", None), ("counts, one caller's", Some(caller(0)))] {
        let search = Search {
            seen_by,
            ..Search::default()
        };
        let started = Instant::now();
        let stats = journal.stats(search, TimeZone::UTC).await?;
        let took = started.elapsed().as_secs_f64() * 1000.0;
        println!("{what:<24} {took:>8.1} ms ({} asks)", stats.asks);
    }
    Ok(())
}
