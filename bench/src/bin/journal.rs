//! How fast the journal is on this machine's disk.
//!
//! ```sh
//! cargo run --release -p bench --bin journal -- [ASKS] [IN_FLIGHT] [EVENTS] [FOLDER]
//! ```
//!
//! Each ask is three durable commits, one after the other: its call and itself, its decision, the
//! call's result. Beside it the disk's own fsync is measured, and over a long chain
//! the walk, searches and counts.

use holdpoint::{
    Ask, AskId, CallId, ChannelKind, Decision, Origin, Outcome,
    journal::{
        Journal, JournalEngine, JournalError, NewAsk, NewCall, Records, Search, SqliteJournal,
        Status, Write,
    },
};
use jiff::{Timestamp, tz::TimeZone};
use serde_json::json;
use std::{
    fs::File,
    io::{self, Write as _},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

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

/// The middle time of an fsync after a small write.
fn fsync(folder: &Path) -> io::Result<Duration> {
    let mut file = File::create(folder.join("fsync"))?;
    let mut times = Vec::new();
    for _ in 0..200 {
        file.write_all(&[0; 4096])?;
        let started = Instant::now();
        file.sync_data()?;
        times.push(started.elapsed());
    }
    times.sort();
    Ok(times[times.len() / 2])
}

const TOOLS: [&str; 3] = [
    "elicit_confirm",
    "request_plan_approval",
    "request_phase_commit_approval",
];

async fn run(
    journal: &Arc<dyn JournalEngine>,
    asks: usize,
    in_flight: usize,
) -> Result<Duration, Box<dyn std::error::Error>> {
    let started = Instant::now();
    let next = Arc::new(AtomicUsize::new(0));
    let workers: Vec<_> = (0..in_flight)
        .map(|_| {
            let (journal, next) = (Arc::clone(journal), Arc::clone(&next));
            tokio::spawn(async move {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= asks {
                        break;
                    }
                    one(&*journal, number).await?;
                }
                Ok::<_, JournalError>(())
            })
        })
        .collect();
    for worker in workers {
        worker.await??;
    }
    Ok(started.elapsed())
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

/// One of ten who ask in turn.
fn caller(number: usize) -> Origin {
    Origin {
        principal: "local".into(),
        workspace: Some(format!("/home/ada/projects/demo-{}", number % 10)),
        ..Origin::default()
    }
}

async fn one(journal: &dyn Journal, number: usize) -> Result<(), JournalError> {
    let (call, ask, now) = (CallId::new(), AskId::new(), Timestamp::now());
    let origin = Origin {
        client: Some("vscode 1.110.0".into()),
        tool: Some(TOOLS[number % TOOLS.len()].into()),
        ..caller(number)
    };
    let question = Ask::confirm(format!(
        "Delete **5 artifacts** of the build-{number}x in Zürich?"
    ))
    .details(format!(
        "- `target/release/lib-{:04}.so`\n- `target/b`\n- `target/c`\n- `target/d`\n- `target/e`",
        number % 5000
    ));
    let open = vec![
        Write::OpenCall(Arc::new(NewCall {
            id: call,
            origin: origin.clone(),
            method: "tools/call".into(),
            arguments: json!({"message": "Delete 5 artifacts?", "paths": ["a", "b", "c"]}),
            flow_version: "1".into(),
            owner: journal.owner(),
            opened_at: now,
            run: false,
        })),
        Write::OpenAsk(Arc::new(NewAsk {
            id: ask,
            call: Some(call),
            key: "001".into(),
            deadline_at: Some(now + Duration::from_secs(300)),
            ..NewAsk::new(question, origin, now)
        })),
    ];
    journal.commit(open).await?;
    let answer = json!({"confirmed": true});
    let outcome = match number % 10 {
        0 => Outcome::Declined {
            reason: Some("not before the backup".into()),
        },
        _ => Outcome::Accepted(answer.as_object().cloned().unwrap_or_default()),
    };
    let mut decision = Decision::new(ask, outcome, now);
    decision.channel = Some(ChannelKind::Client);
    decision.answered_by = Some("vscode 1.110.0".into());
    decision.duration_ms = 1 + number as u64;
    journal.commit(vec![Write::Settle(decision)]).await?;
    journal
        .commit(vec![Write::FinishCall {
            call,
            epoch: 1,
            result: Arc::new(json!({"content": [{"type": "text", "text": "Deleted."}], "structuredContent": {"status": "accepted"}})),
            at: now,
        }])
        .await?;
    Ok(())
}
