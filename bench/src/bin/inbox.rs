//! How the inbox page does with many open asks: the first page of the list, how soon a new ask is
//! there, what the server uses while nothing happens.
//!
//! It starts `holdpoint serve` over a journal of its own and looks at its page as a browser does.

use anyhow::ensure;
use bench::{
    figures::{Figure, Figures},
    page_server::{Page, Server, hear, new_ask},
    process,
    servers::{self, Over, Places, Server as Kind},
    statistics::ms,
};
use clap::Parser;
use holdpoint::journal;
use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

/// Measures the inbox page.
#[derive(Parser)]
struct Args {
    #[command(flatten)]
    places: Places,
    /// How many asks are open.
    #[arg(long, default_value_t = 10_000)]
    open: usize,
    /// How often each time is taken.
    #[arg(long, default_value_t = 50)]
    times: usize,
    /// For how long an idle server is watched, in seconds.
    #[arg(long, default_value_t = 10)]
    idle: u64,
    /// Keep the figures in this file.
    #[arg(long)]
    json: Option<PathBuf>,
}

const JOURNAL: &str = "journal.db";

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut args = Args::parse();
    // Beside what is built, so on a disk.
    let folder = tempfile::tempdir_in(servers::beside("")?)?;
    args.places.prepare(folder.path(), "")?;
    let journal = journal::open(&args.places.journal(JOURNAL)).await?;
    let mut rest = args.open;
    while rest > 0 {
        let batch: Vec<_> = (0..rest.min(500)).map(|at| new_ask(at % 20 == 0)).collect();
        rest -= batch.len();
        journal.commit(batch).await?;
    }
    let mut command = args.places.command(Kind::Holdpoint, Over::Stdio, JOURNAL)?;
    let mut server = Server::start(&mut command)?;
    let page = Page::open(&args.places.scratch.join(JOURNAL))?;
    let mut figures = Vec::new();

    let list = || {
        let listed = page.get("/api/asks?limit=50")?;
        ensure!(
            listed["asks"]
                .as_array()
                .is_some_and(|asks| asks.len() == 50.min(args.open))
        );
        Ok(())
    };
    let name = format!("first page of the list, {} asks open", args.open);
    figures.push(longest(&name, times(args.times, list)?).under(1_000.0));

    let mut events = page.listen()?;
    let mut taken = Vec::new();
    for _ in 0..args.times {
        let began = Instant::now();
        journal.commit(vec![new_ask(false)]).await?;
        hear(&mut events)?;
        taken.push(began.elapsed());
    }
    let name = "an ask of another process, to the page's event";
    figures.push(longest(name, taken).under(500.0));

    let mut taken = Vec::new();
    for number in 0..args.times {
        let began = Instant::now();
        server.call(number)?;
        hear(&mut events)?;
        taken.push(began.elapsed());
    }
    let name = "an ask of the same process, to the page's event";
    figures.push(longest(name, taken).under(300.0));

    let (pid, before) = (server.pid(), process::cpu(server.pid())?);
    std::thread::sleep(Duration::from_secs(args.idle));
    let used = process::cpu(pid)? - before;
    let share = 100.0 * used.as_secs_f64() / args.idle as f64;
    figures.push(Figure::new("idle, a tab open", share, "% of one processor"));
    Figures::new(figures).report(args.json.as_deref())
}

fn times(count: usize, once: impl Fn() -> anyhow::Result<()>) -> anyhow::Result<Vec<Duration>> {
    let timed = |_| {
        let began = Instant::now();
        once().map(|()| began.elapsed())
    };
    (0..count).map(timed).collect()
}

/// The most that it took, with the middle beside it.
fn longest(what: &str, mut taken: Vec<Duration>) -> Figure {
    taken.sort();
    let (middle, most) = (ms(taken[taken.len() / 2]), ms(taken[taken.len() - 1]));
    Figure::new(what, most, "ms").note(format!(
        "at most, of {}; {middle:.1} in the middle",
        taken.len()
    ))
}
