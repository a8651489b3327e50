//! What several servers on one PostgreSQL cost, beside SQLite on the same disk and PostgreSQL's own `pgbench`.
//!
//! The server is one of the program's own on loopback, with `fsync` on. The journals take turns in each round.

use anyhow::Context;
use bench::{
    figures::{Figure, Figures},
    journal_load::run,
    process, servers,
    statistics::{median, ms, share_of},
};
use clap::Parser;
use holdpoint::{
    AskId, ChannelKind, Decision, Origin, Outcome,
    journal::{JournalEngine, NewAsk, PostgresJournal, SqliteJournal, Write},
};
use jiff::Timestamp;
use std::{path::PathBuf, process::Command, sync::Arc, time::Instant};
use test_postgres::{Options, Server};

/// Measures several servers on one PostgreSQL.
#[derive(Parser)]
struct Args {
    /// How many asks are opened and settled in each turn.
    #[arg(long, default_value_t = 20_000)]
    asks: usize,
    /// How often each is measured; they take turns.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Keep the figures in this file.
    #[arg(long)]
    json: Option<PathBuf>,
}

const IN_FLIGHT: usize = 64;

/// How many answers are given to see how soon they are heard.
const ANSWERS: usize = 1_000;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let asks = args.asks;
    // Beside what is built, so on a disk.
    let folder = tempfile::tempdir_in(servers::beside("")?)?;
    let sync = ms(process::sync(folder.path())?);
    let server = Server::with(Options::new().durable());
    let mut rates: [Vec<f64>; 4] = Default::default();
    for round in 0..args.rounds {
        let database = server.database().await;
        let path = folder.path().join(format!("{round}.db"));
        let sqlite: Arc<dyn JournalEngine> = Arc::new(SqliteJournal::open(path)?);
        rates[0].push(rate(&[sqlite], asks).await?);
        let one: Arc<dyn JournalEngine> = Arc::new(PostgresJournal::open(&database.url()).await?);
        rates[1].push(rate(std::slice::from_ref(&one), asks).await?);
        let two: Arc<dyn JournalEngine> = Arc::new(PostgresJournal::open(&database.url()).await?);
        rates[2].push(rate(&[one.clone(), two], asks).await?);
        let verified = one.verify().await?;
        anyhow::ensure!(verified.flaws.is_empty(), "{:?}", verified.flaws);
        rates[3].push(pgbench(&server)?);
    }
    let ratio = |own: usize, other: usize| {
        let rounds = rates[own].iter().zip(&rates[other]);
        median(rounds.map(|(own, other)| own / other))
    };
    let rate_of = |name: &str, at: usize| {
        let rate = median(rates[at].iter().copied());
        Figure::new(format!("{name}, {IN_FLIGHT} in flight"), rate, "asks/s")
    };
    let mut figures = vec![
        Figure::new("a durable write", sync, "ms"),
        rate_of("SQLite", 0),
        rate_of("one server", 1),
        rate_of("two servers, at each", 2),
        Figure::new(
            format!("pgbench, {IN_FLIGHT} clients"),
            median(rates[3].iter().copied()),
            "transactions/s",
        )
        .note("simple-update"),
        Figure::new("one server / SQLite", ratio(1, 0), "x").at_least(0.5),
        Figure::new("two servers / one", ratio(2, 1), "x").at_least(1.0),
    ];

    let database = server.database().await;
    let waiting: Arc<dyn JournalEngine> = Arc::new(PostgresJournal::open(&database.url()).await?);
    let answering: Arc<dyn JournalEngine> = Arc::new(PostgresJournal::open(&database.url()).await?);
    figures.push(heard("idle", &waiting, &answering).await?);
    let busy = answering.clone();
    let load = tokio::spawn(async move {
        let _ = run(&busy, usize::MAX, 16).await;
    });
    figures.push(heard("16 in flight", &waiting, &answering).await?);
    load.abort();
    Figures::new(figures).report(args.json.as_deref())
}

/// Asks per second, so many in flight at each of these servers.
async fn rate(journals: &[Arc<dyn JournalEngine>], asks: usize) -> anyhow::Result<f64> {
    let started = Instant::now();
    let each = asks / journals.len();
    let runs = journals.iter().map(|journal| run(journal, each, IN_FLIGHT));
    futures::future::try_join_all(runs).await?;
    Ok((each * journals.len()) as f64 / started.elapsed().as_secs_f64())
}

/// What the server does by its own measure.
fn pgbench(server: &Server) -> anyhow::Result<f64> {
    let run = |args: &[&str]| -> anyhow::Result<String> {
        let out = Command::new("pgbench")
            .args(args)
            .args(["-d", &server.admin_url()])
            .output()?;
        let said = String::from_utf8_lossy(&out.stderr);
        anyhow::ensure!(out.status.success(), "{said}");
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
    Ok(tps.context("pgbench printed no rate")?.parse()?)
}

/// How soon an answer that is given at one server is read at another.
async fn heard(
    when: &str,
    waiting: &Arc<dyn JournalEngine>,
    answering: &Arc<dyn JournalEngine>,
) -> anyhow::Result<Figure> {
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
    let share = |share| share_of(&times, share).map(ms);
    let note = format!(
        "p99 of {ANSWERS}; p50 {:.2}, longest {:.2}",
        share(0.5).unwrap_or_default(),
        share(1.0).unwrap_or_default(),
    );
    let name = format!("an answer is heard at another server, {when}");
    Ok(Figure::new(name, share(0.99), "ms").under(100.0).note(note))
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
