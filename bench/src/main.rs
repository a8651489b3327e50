//! How fast a person's answer goes through: Holdpoint beside the same tool on plain rmcp, on the
//! TypeScript SDK and on FastMCP, all in one run.
//!
//! - [`servers`]: the servers that are compared
//! - [`client`]: the client's side of MCP, over stdio
//! - [`measure`]: rates, latencies, processor time, start-up, memory
//! - [`report`]: the table, the ratios, the JSON
//! - [`process`]: what the kernel knows

mod client;
mod measure;
mod process;
mod report;
mod servers;

use crate::{
    client::Client,
    report::{Report, Subject},
    servers::{Places, Server},
};
use clap::Parser;
use std::{path::PathBuf, time::Duration};

/// Measures how fast a person's answer goes through.
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
    /// The folder `bench`.
    #[arg(long, default_value = "bench")]
    bench: PathBuf,
    /// What `bench/setup` has installed.
    #[arg(long, default_value = ".tools/bench")]
    tools: PathBuf,
    /// Another build of `holdpoint`, to compare two.
    #[arg(long)]
    holdpoint: Option<PathBuf>,
    /// Keep the result in this file.
    #[arg(long)]
    json: Option<PathBuf>,
}

const WINDOWS: [usize; 2] = [1, 64];
const WARM_UP: Duration = Duration::from_secs(1);

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    // Beside what is built, so on a disk: a journal in memory would prove nothing.
    let disk = tempfile::tempdir_in(std::env::current_exe()?.with_file_name(""))?;
    let places = Places {
        bench: args.bench.clone(),
        tools: args.tools.clone(),
        holdpoint: args.holdpoint.clone(),
        scratch: disk.path().to_owned(),
    };
    places.prepare()?;
    let mut report = Report::new(disk.path())?;
    report.subjects = Server::ALL
        .into_iter()
        .filter(|server| {
            args.only.is_empty() || args.only.iter().any(|name| server.name().contains(name))
        })
        .map(Subject::new)
        .collect();
    if let Err(error) = run(&args, &places, &mut report) {
        eprint!("{}", places.log());
        return Err(error);
    }
    print!("{report}");
    if let Some(path) = &args.json {
        std::fs::write(path, serde_json::to_string_pretty(&report.json())?)?;
        eprintln!("kept as {}", path.display());
    }
    Ok(())
}

fn run(args: &Args, places: &Places, report: &mut Report) -> anyhow::Result<()> {
    let time = Duration::from_secs_f64(args.seconds);
    let count = report.subjects.len();
    for round in 0..args.rounds {
        report.syncs.push(process::sync(&places.scratch)?);
        for turn in 0..count {
            // Each round begins with another server.
            let subject = &mut report.subjects[(round + turn) % count];
            eprintln!("round {} of {}: {}", round + 1, args.rounds, subject.name());
            let mut command = places.command(subject.server, "load.db")?;
            let (mut client, _) = Client::start(&mut command)?;
            measure::load(&mut client, 64, WARM_UP)?;
            for window in WINDOWS {
                let load = measure::load(&mut client, window, time)?;
                subject.loads.push(load);
            }
            client.stop()?;
        }
    }
    eprintln!("starts");
    for start in 0..args.starts {
        for subject in &mut report.subjects {
            let mut command = places.command(subject.server, "load.db")?;
            subject.starts.push(measure::start(&mut command)?);
            if subject.server == Server::Holdpoint {
                let mut command = places.command(subject.server, &format!("new-{start}.db"))?;
                subject.first_starts.push(measure::start(&mut command)?);
            }
        }
    }
    if args.parked > 0 {
        for subject in &mut report.subjects {
            eprintln!("{} open asks: {}", args.parked, subject.name());
            let mut command = places.command(subject.server, "parked.db")?;
            subject.parked = Some(measure::parked(&mut command, "elicit_input", args.parked)?);
        }
    }
    Ok(())
}
