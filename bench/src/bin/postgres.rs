//! What several servers on one PostgreSQL cost, beside SQLite on the same disk and PostgreSQL's own `pgbench`.
//!
//! ```sh
//! cargo run --release -p bench --bin postgres -- [ASKS] [ROUNDS]
//! ```
//!
//! The server is one of the program's own on loopback, with `fsync` on. The journals take turns in each round.

use holdpoint::{
    AskId, ChannelKind, Decision, Origin, Outcome,
    journal::{JournalEngine, NewAsk, PostgresJournal, SqliteJournal, Write},
};
use jiff::Timestamp;
use journal_load::{fsync, run};
use std::{
    error::Error,
    process::Command,
    sync::Arc,
    time::{Duration, Instant},
};
use test_postgres::{Options, Server};

#[path = "../journal_load.rs"]
mod journal_load;

const IN_FLIGHT: usize = 64;

/// How many answers are given to see how soon they are heard.
const ANSWERS: usize = 1_000;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let mut number = |default| {
        args.next()
            .map_or(Ok(default), |text| text.parse::<usize>())
    };
    let (asks, rounds) = (number(20_000)?, number(3)?);
    let folder = tempfile::tempdir()?;
    println!(
        "fsync                 {:>8.3} ms",
        fsync(folder.path())?.as_secs_f64() * 1000.0
    );
    let server = Server::with(Options::new().durable());
    let mut rates: [Vec<f64>; 4] = Default::default();
    for round in 0..rounds {
        let database = server.database().await;
        let path = folder.path().join(format!("{round}.db"));
        let sqlite: Arc<dyn JournalEngine> = Arc::new(SqliteJournal::open(path)?);
        rates[0].push(rate(&[sqlite], asks).await?);
        let one: Arc<dyn JournalEngine> = Arc::new(PostgresJournal::open(&database.url()).await?);
        rates[1].push(rate(std::slice::from_ref(&one), asks).await?);
        let two: Arc<dyn JournalEngine> = Arc::new(PostgresJournal::open(&database.url()).await?);
        rates[2].push(rate(&[one.clone(), two], asks).await?);
        let verified = one.verify().await?;
        assert_eq!(verified.flaws, []);
        rates[3].push(pgbench(&server)?);
    }
    let [sqlite, one, two, pgbench] = rates.map(middle);
    println!("SQLite                {sqlite:>8.0} asks/s ({IN_FLIGHT} in flight)");
    println!(
        "PostgreSQL, 1 server  {one:>8.0} asks/s ({:.2} of SQLite)",
        one / sqlite
    );
    println!(
        "PostgreSQL, 2 servers {two:>8.0} asks/s ({:.2} of one; {IN_FLIGHT} in flight at each)",
        two / one
    );
    println!(
        "pgbench               {pgbench:>8.0} transactions/s (simple-update, {IN_FLIGHT} clients)"
    );

    let database = server.database().await;
    let waiting: Arc<dyn JournalEngine> = Arc::new(PostgresJournal::open(&database.url()).await?);
    let answering: Arc<dyn JournalEngine> = Arc::new(PostgresJournal::open(&database.url()).await?);
    heard("idle", &waiting, &answering).await?;
    let busy = answering.clone();
    let load = tokio::spawn(async move {
        let _ = run(&busy, usize::MAX, 16).await;
    });
    heard("16 in flight", &waiting, &answering).await?;
    load.abort();
    Ok(())
}

/// Asks per second, so many in flight at each of these servers.
async fn rate(journals: &[Arc<dyn JournalEngine>], asks: usize) -> Result<f64, Box<dyn Error>> {
    let started = Instant::now();
    let each = asks / journals.len();
    let runs = journals.iter().map(|journal| run(journal, each, IN_FLIGHT));
    futures::future::try_join_all(runs).await?;
    Ok((each * journals.len()) as f64 / started.elapsed().as_secs_f64())
}

fn middle(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// What the server does by its own measure.
fn pgbench(server: &Server) -> Result<f64, Box<dyn Error>> {
    let run = |args: &[&str]| -> Result<String, Box<dyn Error>> {
        let out = Command::new("pgbench")
            .args(args)
            .args(["-d", &server.admin_url()])
            .output()?;
        if !out.status.success() {
            return Err(String::from_utf8_lossy(&out.stderr).into());
        }
        Ok(String::from_utf8(out.stdout)?)
    };
    run(&["-i", "-q", "-s", "10"])?;
    let clients = IN_FLIGHT.to_string();
    let said = run(&[
        "-n",
        "-b",
        "simple-update",
        "-c",
        &clients,
        "-j",
        "2",
        "-T",
        "5",
    ])?;
    let tps = said.lines().find_map(|line| line.strip_prefix("tps = "));
    let tps = tps.and_then(|rest| rest.split_whitespace().next());
    Ok(tps.ok_or("pgbench printed no rate")?.parse()?)
}

/// How soon an answer that is given at one server is read at another.
async fn heard(
    when: &str,
    waiting: &Arc<dyn JournalEngine>,
    answering: &Arc<dyn JournalEngine>,
) -> Result<(), Box<dyn Error>> {
    let mut times = Vec::with_capacity(ANSWERS);
    for _ in 0..ANSWERS {
        let new = NewAsk::new(
            holdpoint::Ask::confirm("Go?"),
            Origin::default(),
            Timestamp::now(),
        );
        let ask = new.id;
        waiting.commit(vec![Write::OpenAsk(Arc::new(new))]).await?;
        let hears = tokio::spawn(hear(waiting.clone(), ask));
        let yes = serde_json::json!({ "confirmed": true });
        let yes = Outcome::Accepted(yes.as_object().cloned().unwrap_or_default());
        let mut decision = Decision::new(ask, yes, Timestamp::now());
        decision.channel = Some(ChannelKind::Inbox);
        answering.commit(vec![Write::Settle(decision)]).await?;
        let given = Instant::now();
        let at = hears.await??;
        times.push(at.saturating_duration_since(given));
    }
    times.sort();
    let millis = |time: Duration| time.as_secs_f64() * 1000.0;
    println!(
        "heard elsewhere       {:>8.2} ms (p50), {:.2} ms (p99), {:.2} ms (longest of {ANSWERS}), {when}",
        millis(times[ANSWERS / 2]),
        millis(times[ANSWERS * 99 / 100]),
        millis(times[ANSWERS - 1]),
    );
    Ok(())
}

/// When this server knows that the ask is decided.
async fn hear(
    journal: Arc<dyn JournalEngine>,
    ask: AskId,
) -> Result<Instant, holdpoint::journal::JournalError> {
    let mut commits = journal.foreign_commits();
    loop {
        let record = journal.ask(ask).await?;
        if record.is_some_and(|record| record.decision.is_some()) {
            return Ok(Instant::now());
        }
        let _ = commits.changed().await;
    }
}
