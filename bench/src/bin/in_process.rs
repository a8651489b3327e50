//! How many asks a desk settles in one process, without an MCP client.
//!
//! Each is a [`Desk::ask`] for a confirm, awaited to its decision; a channel says yes to it at once. So an
//! ask is two commits one after the other, before it is shown and before its decision is seen, and a third
//! that nobody waits for. Beside them the disk's own time for a durable write is measured, and what an ask
//! takes of the processors, which other work on the machine changes least.

use bench::{
    figures::{Figure, Figures},
    process, servers,
    statistics::{median, ms},
};
use clap::Parser;
use futures::{
    FutureExt,
    future::{BoxFuture, try_join_all},
};
use holdpoint::{
    Ask, Channel, ChannelKind, ChannelReply, Delivery, DeliveryError, Desk, Origin, Outcome,
    Showing, journal, testing::at_leisure,
};
use serde_json::json;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

/// Measures asks in one process.
#[derive(Parser)]
struct Args {
    /// How often each is measured; they take turns.
    #[arg(long, default_value_t = 7)]
    rounds: usize,
    /// Seconds for each.
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
    /// Keep the figures in this file.
    #[arg(long)]
    json: Option<PathBuf>,
}

const CASES: [(&str, usize); 4] = [("memory", 1), ("memory", 64), ("sqlite", 1), ("sqlite", 64)];
const WARM_UP: Duration = Duration::from_secs(1);

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let time = Duration::from_secs_f64(args.seconds);
    let mut rates = CASES.map(|_| Vec::new());
    let mut cpus = CASES.map(|_| Vec::new());
    let mut syncs = Vec::new();
    for round in 0..args.rounds {
        // Beside what is built, so on a disk.
        let disk = tempfile::tempdir_in(servers::beside("")?)?;
        syncs.push(ms(process::sync(disk.path())?));
        for turn in 0..CASES.len() {
            // Each round begins with another one.
            let case = (round + turn) % CASES.len();
            let (rate, cpu) = measure(CASES[case], disk.path(), time).await?;
            rates[case].push(rate);
            cpus[case].push(cpu);
        }
    }
    let mut figures = vec![Figure::new("a durable write", median(syncs), "ms")];
    for (case, (journal, in_flight)) in CASES.into_iter().enumerate() {
        rates[case].sort_by(f64::total_cmp);
        let note = format!(
            "{:.0} to {:.0}; CPU {:.1} µs an ask",
            rates[case].first().copied().unwrap_or_default(),
            rates[case].last().copied().unwrap_or_default(),
            median(cpus[case].iter().copied()).unwrap_or_default(),
        );
        let rate = median(rates[case].iter().copied());
        let name = format!("{journal}, {in_flight} in flight");
        figures.push(Figure::new(name, rate, "asks/s").note(note));
    }
    Figures::new(figures).report(args.json.as_deref())
}

/// Asks per second, and microseconds of processor time for each, over a journal of its own.
async fn measure(
    (kind, in_flight): (&str, usize),
    disk: &Path,
    time: Duration,
) -> anyhow::Result<(f64, f64)> {
    let address = match kind {
        "memory" => "memory:".to_owned(),
        _ => format!("sqlite:{}", disk.join(format!("{in_flight}.db")).display()),
    };
    let desk = Desk::builder(journal::open(&address).await?).channel(Arc::new(SaysYes));
    let desk = desk.build().await?;
    ask_for(&desk, 64, WARM_UP).await?;
    let (began, cpu) = (Instant::now(), process::cpu(std::process::id())?);
    let asks = ask_for(&desk, in_flight, time).await? as f64;
    let took = began.elapsed().as_secs_f64();
    let cpu = process::cpu(std::process::id())? - cpu;
    Ok((asks / took, cpu.as_secs_f64() * 1e6 / asks))
}

/// So many at a time ask one question after the other, for this long. How many were settled.
async fn ask_for(desk: &Desk, in_flight: usize, time: Duration) -> anyhow::Result<usize> {
    let began = Instant::now();
    let askers = (0..in_flight).map(|_| {
        let desk = desk.clone();
        let asker = async move {
            let mut asks = 0;
            while began.elapsed() < time {
                let ask = Ask::confirm("Delete 5 artifacts?");
                let mut ask = desk.ask(Origin::default(), ask).await?;
                let outcome = ask.decided().await?.outcome;
                anyhow::ensure!(matches!(outcome, Outcome::Accepted(_)), "{outcome:?}");
                asks += 1;
            }
            Ok(asks)
        };
        tokio::spawn(asker).map(|ended| ended?)
    });
    Ok(try_join_all(askers).await?.into_iter().sum())
}

/// A person who says yes to everything at once.
#[derive(Debug)]
struct SaysYes;

impl Channel for SaysYes {
    fn kind(&self) -> ChannelKind {
        ChannelKind::Inbox
    }

    fn deliver(&self, showing: Showing) -> BoxFuture<'static, Result<Delivery, DeliveryError>> {
        let yes = ChannelReply::accept(json!({ "confirmed": true })).by("bench");
        let yes = yes.with_presence(at_leisure(showing.ask().word()));
        std::future::ready(Ok(Delivery::Replied(yes))).boxed()
    }
}
