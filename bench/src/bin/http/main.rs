//! How fast a person's answer goes through over HTTP, in both eras: Holdpoint beside the same tool on plain rmcp,
//! on the TypeScript SDK and on FastMCP, all in one run; and sessions of the older era with an ask open in each.

mod report;

use bench::{
    figures::Figures,
    http_client::{Era, HttpServer},
    http_load,
    servers::{self, Over, Places, Server},
    statistics::share_of,
};
use clap::Parser;
use report::{Report, Sessions, Subject};
use std::{path::PathBuf, time::Duration};

/// Measures calls over HTTP.
#[derive(Parser)]
struct Args {
    /// How often each server is measured; the servers take turns.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Seconds for each era and window of each round.
    #[arg(long, default_value_t = 3.0)]
    seconds: f64,
    /// Sessions that are left with an open ask; 0 leaves them out.
    #[arg(long, default_value_t = 2_000)]
    sessions: usize,
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

/// One caller has at most 64 sessions: these have the sessions with open asks among them.
const CALLERS: usize = 40;

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let mut args = Args::parse();
    // Beside what is built, so on a disk: a journal in memory would prove nothing.
    let disk = tempfile::tempdir_in(servers::beside("")?)?;
    args.places.prepare(disk.path(), servers::AT_ONCE)?;
    let mut report = Report {
        subjects: Server::chosen(&args.only).map(Subject::new).collect(),
    };
    if let Err(error) = run(&args, &mut report).await {
        eprint!("{}", args.places.log());
        return Err(error);
    }
    Figures::new(report.figures()).report(args.json.as_deref())
}

async fn run(args: &Args, report: &mut Report) -> anyhow::Result<()> {
    let time = Duration::from_secs_f64(args.seconds);
    let tokens = args.places.tokens("load.db", 1).await?;
    let count = report.subjects.len();
    for round in 0..args.rounds {
        for turn in 0..count {
            // Each round begins with another server.
            let subject = &mut report.subjects[(round + turn) % count];
            eprintln!("round {} of {}: {}", round + 1, args.rounds, subject.name());
            let token = token(subject.server, &tokens);
            for era in Era::ALL {
                let server = start(args, subject.server, era, "load.db")?;
                http_load::load(&server, era, token, 64, WARM_UP).await?;
                for window in WINDOWS {
                    let load = http_load::load(&server, era, token, window, time).await?;
                    subject.loads.push((era, load));
                }
            }
        }
    }
    if args.sessions > 0 {
        let tokens = args.places.tokens("sessions.db", CALLERS + 1).await?;
        for subject in &mut report.subjects {
            eprintln!("{} sessions: {}", args.sessions, subject.name());
            let server = start(args, subject.server, Era::Older, "sessions.db")?;
            subject.sessions = Some(sessions(args, subject.server, &server, &tokens).await?);
        }
    }
    Ok(())
}

/// Sessions with open asks, and beside them 64 calls in flight and somebody who only wants to know the tools.
async fn sessions(
    args: &Args,
    kind: Server,
    server: &HttpServer,
    tokens: &[String],
) -> anyhow::Result<Sessions> {
    let time = Duration::from_secs_f64(args.seconds);
    let (own, others) = tokens.split_at(1);
    let own = token(kind, own);
    let others = match kind {
        Server::Holdpoint => others,
        _ => &[],
    };
    http_load::load(server, Era::Older, own, 64, WARM_UP).await?;
    let waiting = http_load::wait_in_sessions(server, others, args.sessions).await?;
    let (idle_bytes, open_bytes) = (waiting.idle_bytes, waiting.open_bytes);
    let lists_token = token(kind, others).or(own);
    let (load, lists) = tokio::try_join!(
        http_load::load(server, Era::Older, own, 64, time),
        http_load::lists(server, lists_token, time),
    )?;
    Ok(Sessions {
        count: waiting.answer().await?,
        idle_bytes,
        open_bytes,
        lists: lists.len(),
        list_p50: share_of(&lists, 0.5),
        list_p99: share_of(&lists, 0.99),
        load,
    })
}

fn start(args: &Args, server: Server, era: Era, journal: &str) -> anyhow::Result<HttpServer> {
    let mut command = args.places.command(server, Over::Http(era), journal)?;
    HttpServer::start(&mut command)
}

/// Only Holdpoint wants to know who calls.
fn token(server: Server, tokens: &[String]) -> Option<&str> {
    let known = server == Server::Holdpoint;
    tokens.first().filter(|_| known).map(String::as_str)
}
