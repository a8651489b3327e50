//! What waits costs: one and ten idle servers over one journal, how soon the page has another process's ask, and idle
//! HTTP sessions.

use bench::{
    at_rest,
    figures::{Figure, Figures},
    idle_sessions,
    page_server::{Page, Server, hear, new_ask},
    servers::{self, Over, Places, Server as Kind},
};
use clap::Parser;
use holdpoint::journal;
use mimalloc::MiMalloc;
use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// As the program that is measured has it: sessions are measured in this process.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

const JOURNAL: &str = "journal.db";

/// How many servers one machine may have.
const MANY: usize = 10;

/// Measures idle servers and sessions.
#[derive(Parser)]
struct Args {
    #[command(flatten)]
    places: Places,
    /// For how long idle servers are watched, in seconds.
    #[arg(long, default_value_t = 20)]
    seconds: u64,
    /// How often another process asks.
    #[arg(long, default_value_t = 20)]
    asks: usize,
    /// How many HTTP sessions are idle; 0 measures none.
    #[arg(long, default_value_t = 2_000)]
    sessions: usize,
    /// Writes the figures here, as JSON.
    #[arg(long)]
    json: Option<PathBuf>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let mut args = Args::parse();
    let mut figures = Vec::new();
    if args.sessions > 0 {
        idle_sessions::measure(args.sessions, &mut figures).await?;
    }
    // Beside what is built, so on a disk.
    let folder = tempfile::tempdir_in(servers::beside("")?)?;
    args.places.prepare(folder.path(), "")?;
    let path = folder.path().join(JOURNAL);
    let start = || {
        let mut command = args.places.command(Kind::Holdpoint, Over::Stdio, JOURNAL)?;
        Server::start(&mut command)
    };
    let mut servers = vec![start()?];
    watch(&servers, args.seconds, &mut figures)?;
    while servers.len() < MANY {
        servers.push(start()?);
    }
    watch(&servers, args.seconds, &mut figures)?;
    asks(&path, args.asks, &mut figures).await?;
    Figures::new(figures).report(args.json.as_deref())
}

/// What these servers keep and do while nothing happens.
fn watch(servers: &[Server], seconds: u64, figures: &mut Vec<Figure>) -> anyhow::Result<()> {
    std::thread::sleep(at_rest::REST);
    let woken = || -> anyhow::Result<Vec<_>> {
        let woken = servers
            .iter()
            .map(|server| at_rest::times_woken(server.pid()));
        woken.collect()
    };
    let before = woken()?;
    std::thread::sleep(Duration::from_secs(seconds));
    let after = woken()?;
    let rates = before.iter().zip(&after).map(|(before, after)| {
        // A thread that was started meanwhile was woken from then on; one that ended counts no more.
        let since = |(thread, count): (_, &u64)| count - before.get(thread).unwrap_or(&0);
        after.iter().map(since).sum::<u64>() as f64 / seconds as f64
    });
    let most_woken = rates.fold(0.0, f64::max);
    let mut kept = Vec::new();
    for server in servers {
        kept.push(at_rest::memory(server.pid())?);
    }
    let most = |of: fn(&at_rest::Memory) -> u64| {
        kept.iter().map(of).max().unwrap_or_default() as f64 / 1e6
    };
    let which = match servers.len() {
        1 => "one idle server".to_owned(),
        many => format!("{many} idle servers, the most of one"),
    };
    figures.push(
        Figure::new(
            format!("{which}: resident (RSS)"),
            most(|kept| kept.resident),
            "MB",
        )
        .at_most(15.0),
    );
    let share = most(|kept| kept.proportional);
    figures.push(Figure::new(
        format!("{which}: its share (PSS)"),
        share,
        "MB",
    ));
    let own = most(|kept| kept.anonymous);
    figures.push(Figure::new(
        format!("{which}: its own (anonymous)"),
        own,
        "MB",
    ));
    figures.push(Figure::new(format!("{which}: wake-ups"), most_woken, "per second").at_most(1.0));
    Ok(())
}

/// How soon asks of this process, which serves nothing, are on the page of the idle servers.
async fn asks(path: &Path, count: usize, figures: &mut Vec<Figure>) -> anyhow::Result<()> {
    let journal = journal::open(&format!("sqlite:{}", path.display())).await?;
    let mut events = Page::open(path)?.listen()?;
    let mut taken = Vec::new();
    for _ in 0..count {
        // So long that the servers rest again.
        std::thread::sleep(Duration::from_secs(1));
        let began = Instant::now();
        journal.commit(vec![new_ask(false)]).await?;
        hear(&mut events)?;
        taken.push(began.elapsed().as_secs_f64() * 1000.0);
    }
    taken.sort_by(f64::total_cmp);
    if let (Some(middle), Some(last)) = (taken.get(count / 2), taken.last()) {
        let what = "another process's ask on the page";
        figures.push(Figure::new(format!("{what}, in the middle"), *middle, "ms"));
        figures.push(Figure::new(format!("{what}, at most"), *last, "ms").at_most(500.0));
    }
    Ok(())
}
