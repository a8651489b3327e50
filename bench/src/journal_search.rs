//! Searches and counts as people do, for the programs that measure a journal.

use crate::{figures::Figure, journal_load::caller, statistics::ms};
use holdpoint::journal::{JournalError, Records, RunSearch, Search, Status};
use jiff::{Timestamp, tz::TimeZone};
use std::time::{Duration, Instant};

/// How often each search is made.
const TIMES: usize = 5;

fn words(line: &str) -> Search {
    Search {
        words: Search::split(line),
        limit: Some(50),
        ..Search::default()
    }
}

/// The first search fills the index.
///
/// # Errors
/// When the journal fails.
pub async fn fill_index(journal: &dyn Records) -> Result<Figure, JournalError> {
    let started = Instant::now();
    journal.search(words("artifacts")).await?;
    Ok(Figure::new("index, once", ms(started.elapsed()), "ms"))
}

/// Searches, counts and looks at one ask.
///
/// # Errors
/// When the journal fails.
pub async fn measure(journal: &dyn Records) -> Result<Vec<Figure>, JournalError> {
    let mut figures = Vec::new();
    let mut report = |what: &str, took: Duration, of: String| {
        figures.push(Figure::new(what, ms(took), "ms").note(of));
    };
    for (what, search) in searches(journal).await? {
        let mut longest = Duration::ZERO;
        let mut found = 0;
        for _ in 0..TIMES {
            let started = Instant::now();
            found = journal.search(search.clone()).await?.asks.len();
            longest = longest.max(started.elapsed());
        }
        let of = format!("longest of {TIMES}; {found} found");
        report(&format!("search, {what}"), longest, of);
    }
    for (what, seen_by, line) in [
        ("counts", None, ""),
        ("counts, one caller's", Some(caller(0)), ""),
        ("counts, rare word", None, "build-1234x"),
    ] {
        let search = Search {
            seen_by,
            ..words(line)
        };
        let started = Instant::now();
        let stats = journal.stats(search, TimeZone::UTC).await?;
        report(what, started.elapsed(), format!("{} asks", stats.asks));
    }
    let runs = RunSearch {
        words: Search::split("artifacts"),
        limit: Some(50),
        ..RunSearch::default()
    };
    let started = Instant::now();
    let found = journal.runs(runs).await?.runs.len();
    report("runs", started.elapsed(), format!("{found} found"));
    let last = journal.search(words("")).await?.asks.into_iter().next();
    if let Some(ask) = last {
        let started = Instant::now();
        journal.history(ask.id).await?;
        report("history of an ask", started.elapsed(), String::new());
    }
    Ok(figures)
}

async fn searches(journal: &dyn Records) -> Result<Vec<(&'static str, Search)>, JournalError> {
    // Some way back, to page on from there.
    let deep = Search {
        limit: Some(1),
        ..words("build-100x")
    };
    let deep = journal.search(deep).await?.asks.into_iter().next();
    Ok(vec![
        ("first page", words("")),
        ("common word", words("artifacts")),
        ("rare word", words("build-1234x")),
        ("part of a word", words("tifac 1234x")),
        ("several words", words("zurich backup 777x")),
        ("two letters", words("ü7")),
        ("path", words("target/release/lib-0042.so")),
        ("nothing there", words("zebra")),
        (
            "deep page",
            Search {
                before: deep.map(|ask| ask.id),
                ..words("artifacts")
            },
        ),
        (
            "one caller's",
            Search {
                seen_by: Some(caller(0)),
                ..words("artifacts")
            },
        ),
        (
            "slow declined",
            Search {
                status: vec![Status::Declined],
                slower_than: Some(Duration::from_millis(999_999)),
                ..words("")
            },
        ),
        (
            "open ones",
            Search {
                status: vec![Status::Pending],
                ..words("")
            },
        ),
        (
            "tool and time",
            Search {
                tool: Some("approval".into()),
                until: Some(Timestamp::now() - Duration::from_secs(3600)),
                ..words("")
            },
        ),
        (
            "no such server",
            Search {
                server: Some("studio".into()),
                ..words("")
            },
        ),
    ])
}
