//! How fast a person's answer goes through over stdio: Holdpoint beside the same tool on plain rmcp, on the
//! TypeScript SDK and on FastMCP, all in one run.

mod report;

use bench::{
    client::Client,
    figures::Figures,
    measure, process,
    servers::{self, Over, Places, Server},
};
use clap::Parser;
use report::{Report, Subject};
use std::{path::PathBuf, time::Duration};

/// Measures calls over stdio.
#[derive(Parser)]
struct Args {
    /// How often each server is measured; the servers take turns.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Seconds for each window of each round.
    #[arg(long, default_value_t = 3.0)]
    seconds: f64,
    /// How often each server is started for its start-up time.
    #[arg(long, default_value_t = 15)]
    starts: usize,
    /// Asks that are left open for the memory; 0 leaves it out.
    #[arg(long, default_value_t = 20_000)]
    parked: usize,
    /// Only these servers: holdpoint, rmcp, typescript, fastmcp.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    #[command(flatten)]
    places: Places,
    /// Keep the figures in this file.
    #[arg(long)]
    json: Option<PathBuf>,
}

const WINDOWS: [usize; 2] = [1, 64];
const WARM_UP: Duration = Duration::from_secs(1);

fn main() -> anyhow::Result<()> {
    let mut args = Args::parse();
    // Beside what is built, so on a disk: a journal in memory would prove nothing.
    let disk = tempfile::tempdir_in(servers::beside("")?)?;
    args.places.prepare(disk.path(), servers::AT_ONCE)?;
    let mut report = Report {
        subjects: Server::chosen(&args.only).map(Subject::new).collect(),
        ..Report::default()
    };
    if let Err(error) = run(&args, &mut report) {
        eprint!("{}", args.places.log());
        return Err(error);
    }
    Figures::new(report.figures()).report(args.json.as_deref())
}

fn run(args: &Args, report: &mut Report) -> anyhow::Result<()> {
    let places = &args.places;
    let time = Duration::from_secs_f64(args.seconds);
    let count = report.subjects.len();
    for round in 0..args.rounds {
        for turn in 0..count {
            // Each round begins with another server.
            let subject = &mut report.subjects[(round + turn) % count];
            eprintln!("round {} of {}: {}", round + 1, args.rounds, subject.name());
            let mut command = places.command(subject.server, Over::Stdio, "load.db")?;
            let (mut client, _) = Client::start(&mut command)?;
            measure::load(&mut client, 64, WARM_UP)?;
            for window in WINDOWS {
                let load = measure::load(&mut client, window, time)?;
                if window == 1 && subject.server == Server::Holdpoint {
                    // A call waits for two writes, one after the other.
                    let bytes = (load.disk_bytes / 2.0) as usize;
                    report.sync_bytes.push(bytes as f64);
                    report.syncs.push(process::sync_of(&places.scratch, bytes)?);
                }
                subject.loads.push(load);
            }
            client.stop()?;
        }
    }
    eprintln!("starts");
    for start in 0..args.starts {
        for subject in &mut report.subjects {
            let mut command = places.command(subject.server, Over::Stdio, "load.db")?;
            subject.starts.push(measure::start(&mut command)?);
            if subject.server == Server::Holdpoint {
                let journal = format!("new-{start}.db");
                let mut command = places.command(subject.server, Over::Stdio, &journal)?;
                subject.first_starts.push(measure::start(&mut command)?);
            }
        }
    }
    if args.parked > 0 {
        for subject in &mut report.subjects {
            eprintln!("{} open asks: {}", args.parked, subject.name());
            let mut command = places.command(subject.server, Over::Stdio, "parked.db")?;
            subject.parked = Some(measure::parked(&mut command, "elicit_input", args.parked)?);
        }
    }
    Ok(())
}
