//! What one ask costs the journal in a file: bytes on disk, bytes and pages in the log, and the time of the thread
//! that writes.
//!
//! An ask is three durable commits: its call and itself, its decision, the call's result. The log is emptied before
//! each slice and read after it, so that all that was written is in it.

use bench::{
    figures::{Figure, Figures},
    journal_load::{run, run_timed},
    process,
    sqlite_log::Log,
};
use clap::Parser;
use holdpoint::journal::{JournalEngine, SqliteJournal};
use rusqlite::Connection;
use std::{
    collections::BTreeMap,
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
    time::Duration,
};

/// How many asks are put between two looks at the log: less than would make SQLite start it anew.
const SLICE: usize = 128;

#[derive(Debug, Parser)]
struct Options {
    /// How many asks for each number in flight
    #[arg(long, default_value_t = 20_000)]
    asks: usize,
    /// Where the journals are made
    #[arg(long)]
    folder: Option<PathBuf>,
    /// Where the figures are written
    #[arg(long)]
    json: Option<PathBuf>,
    /// Count the instructions of the thread that writes, with callgrind
    #[arg(long)]
    instructions: bool,
    /// Only put so many asks, so many at a time: what is run within callgrind
    #[arg(long, num_args = 2, hide = true)]
    only_load: Option<Vec<usize>>,
}

/// Half of what was written to the log before pages had 2 KB and checkpoints a thread, by how many were in flight.
fn half_of_before(in_flight: usize) -> f64 {
    if in_flight == 1 { 28_140.0 } else { 2_125.0 }
}

/// What one ask costs with so many in flight.
#[derive(Debug, Default)]
struct Cost {
    disk: f64,
    log: f64,
    pages: f64,
    commits: f64,
    thread: Duration,
    p50: Duration,
    p99: Duration,
    most: Duration,
    /// How many pages each table and index writes to the log.
    of_tables: BTreeMap<String, f64>,
    /// How many bytes of the file each of them has.
    disk_of_tables: BTreeMap<String, f64>,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let folder = match &options.folder {
        Some(folder) => tempfile::tempdir_in(folder)?,
        None => tempfile::tempdir()?,
    };
    if let Some(load) = &options.only_load {
        let journal = SqliteJournal::open(folder.path().join("journal.db"))?;
        let journal: Arc<dyn JournalEngine> = Arc::new(journal);
        run(&journal, load[0], load[1]).await?;
        return Ok(());
    }
    println!(
        "fsync {:.3} ms",
        process::sync(folder.path())?.as_secs_f64() * 1e3
    );
    let mut figures = Vec::new();
    for in_flight in [1, 64] {
        let path = folder.path().join(format!("{in_flight}.db"));
        let cost = measure(&path, options.asks, in_flight).await?;
        print(&cost, in_flight);
        let name = |what: &str| format!("{in_flight} in flight: {what}");
        figures.extend([
            Figure::new(name("bytes per ask on disk"), cost.disk, "bytes"),
            Figure::new(name("bytes per ask in the log"), cost.log, "bytes")
                .at_most(half_of_before(in_flight)),
            Figure::new(name("pages per commit"), cost.pages / cost.commits, "pages"),
            Figure::new(
                name("time of the writing thread per ask"),
                micros(cost.thread),
                "µs",
            ),
        ]);
        if in_flight > 1 {
            let ratio = cost.p99.as_secs_f64() / cost.p50.as_secs_f64();
            figures.push(Figure::new(name("p99 / p50 of a commit"), ratio, "x").under(3.0));
        }
        if options.instructions {
            let count = instructions(folder.path(), in_flight)?;
            println!("  instructions {count:>12.0} per ask");
            figures.push(Figure::new(
                name("instructions of the writing thread per ask"),
                count,
                "",
            ));
        }
    }
    Figures::new(figures).report(options.json.as_deref())?;
    Ok(())
}

async fn measure(path: &Path, asks: usize, in_flight: usize) -> Result<Cost, Box<dyn Error>> {
    let journal: Arc<dyn JournalEngine> = Arc::new(SqliteJournal::open(path)?);
    let beside = Connection::open(path)?;
    let empty_log = || beside.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    // What the first page of each table costs is not what an ask costs.
    run(&journal, SLICE, in_flight).await?;
    empty_log()?;
    let before = size(&beside)?;
    let mut cost = Cost::default();
    let mut pages = BTreeMap::<u32, usize>::new();
    let slices = asks.div_ceil(10 * SLICE).max(1);
    for _ in 0..slices {
        run(&journal, SLICE, in_flight).await?;
        let log = Log::read(path)?;
        cost.log += log.bytes as f64;
        cost.pages += log.frames() as f64;
        cost.commits += log.commits as f64;
        for (page, times) in log.pages {
            *pages.entry(page).or_default() += times;
        }
        empty_log()?;
    }
    let counted = (slices * SLICE) as f64;
    cost.log /= counted;
    cost.pages /= counted;
    cost.commits /= counted;
    let mut names = beside.prepare("SELECT pageno, name FROM dbstat")?;
    let names = names.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let names: BTreeMap<u32, String> = names.collect::<Result<_, _>>()?;
    for (page, times) in pages {
        let name = names.get(&page).map_or("?", String::as_str);
        *cost.of_tables.entry(name.to_owned()).or_default() += times as f64 / counted;
    }

    // The log has grown to its length before the time counts.
    run(&journal, asks / 4, in_flight).await?;
    let busy = thread_time("journal-writer")?;
    let mut times = run_timed(&journal, asks, in_flight).await?;
    cost.thread = (thread_time("journal-writer")? - busy) / asks as u32;
    times.sort_unstable();
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize];
    (cost.p50, cost.p99, cost.most) = (at(0.5), at(0.99), at(1.0));

    let all = (asks + asks / 4 + slices * SLICE) as f64;
    cost.disk = (size(&beside)? - before) as f64 / all;
    let mut sizes = beside.prepare("SELECT name, sum(pgsize) FROM dbstat GROUP BY name")?;
    let sizes = sizes.query_map([], |row| {
        Ok((row.get(0)?, row.get::<_, i64>(1)? as f64 / all))
    })?;
    cost.disk_of_tables = sizes.collect::<Result<_, _>>()?;
    Ok(cost)
}

/// How many bytes the file has once its log is copied.
fn size(conn: &Connection) -> rusqlite::Result<i64> {
    let sql = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
    conn.query_row(sql, [], |row| row.get(0))
}

fn print(cost: &Cost, in_flight: usize) {
    println!("\n{in_flight} in flight");
    println!("  on disk      {:>12.0} bytes per ask", cost.disk);
    println!("  in the log   {:>12.0} bytes per ask", cost.log);
    println!(
        "  pages        {:>12.2} per commit ({:.2} pages and {:.2} commits per ask)",
        cost.pages / cost.commits,
        cost.pages,
        cost.commits
    );
    println!("  the thread   {:>12.1} µs per ask", micros(cost.thread));
    println!(
        "  a commit     {:>12.0} µs p50, {:.0} p99, {:.0} at most (p99 / p50 {:.2})",
        micros(cost.p50),
        micros(cost.p99),
        micros(cost.most),
        cost.p99.as_secs_f64() / cost.p50.as_secs_f64()
    );
    println!("  per ask                     pages in the log   bytes on disk");
    for (name, bytes) in &cost.disk_of_tables {
        let pages = cost.of_tables.get(name).copied().unwrap_or_default();
        if pages > 0.0 || *bytes >= 1.0 {
            println!("    {name:<32} {pages:>8.2} {bytes:>15.0}");
        }
    }
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// For how long the threads of this name have run so far.
fn thread_time(name: &str) -> Result<Duration, Box<dyn Error>> {
    let mut nanos = 0;
    for task in fs::read_dir("/proc/self/task")? {
        let task = task?.path();
        if fs::read_to_string(task.join("comm"))?.trim_end() == name {
            let stat = fs::read_to_string(task.join("schedstat"))?;
            nanos += stat.split(' ').next().unwrap_or_default().parse::<u64>()?;
        }
    }
    Ok(Duration::from_nanos(nanos))
}

/// The instructions per ask of the thread that writes: of 600 asks, less those of 200.
fn instructions(folder: &Path, in_flight: usize) -> Result<f64, Box<dyn Error>> {
    let count = |asks: usize| -> Result<f64, Box<dyn Error>> {
        let out = tempfile::tempdir_in(folder)?;
        let file = out.path().join("out");
        let done = Command::new("valgrind")
            .args(["--tool=callgrind", "--separate-threads=yes"])
            .arg(format!("--callgrind-out-file={}", file.display()))
            .arg(std::env::current_exe()?)
            .args(["--only-load", &asks.to_string(), &in_flight.to_string()])
            .stderr(Stdio::null())
            .status()?;
        if !done.success() {
            return Err("callgrind failed".into());
        }
        let mut most = 0.0_f64;
        for one in fs::read_dir(out.path())? {
            let text = fs::read_to_string(one?.path())?;
            // Only the thread that writes computes the frames of the log.
            if text.contains("walWriteOneFrame") || text.contains("sqlite3WalFrames") {
                let totals = text.lines().rev().find_map(|line| {
                    let rest = line
                        .strip_prefix("totals: ")
                        .or(line.strip_prefix("summary: "))?;
                    rest.trim().parse::<f64>().ok()
                });
                most = most.max(totals.unwrap_or_default());
            }
        }
        Ok(most)
    };
    Ok((count(600)? - count(200)?) / 400.0)
}
