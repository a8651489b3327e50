//! What a tool that is a script costs: processor time beside the built-in `elicit_input`, in turns on
//! one server; memory of scripts that wait for an answer; how long a folder of files takes to load.

use anyhow::ensure;
use bench::{
    client::Client,
    figures::{Figure, Figures},
    measure,
    servers::{self, Over, Places, Server},
    statistics::{median, ms},
};
use clap::Parser;
use holdpoint_script::Loaded;
use mimalloc::MiMalloc;
use std::{
    fs,
    path::PathBuf,
    process::Command,
    time::{Duration, Instant},
};

/// As in the binary, where the files are loaded otherwise.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Measures tools that are scripts.
#[derive(Parser)]
struct Args {
    #[command(flatten)]
    places: Places,
    /// How often each tool is measured; they take turns.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Seconds for each tool and window of each round.
    #[arg(long, default_value_t = 3.0)]
    seconds: f64,
    /// Scripts that are left waiting for the memory.
    #[arg(long, default_value_t = 1_000)]
    parked: usize,
    /// Files that are loaded.
    #[arg(long, default_value_t = 100)]
    files: usize,
    /// A script that the files are copies of.
    #[arg(long, default_value = "examples/scripts/kitchen-sink.js")]
    file: PathBuf,
    /// Keep the figures in this file.
    #[arg(long)]
    json: Option<PathBuf>,
}

const BUILT_IN: &str = "elicit_input";
const SCRIPT: &str = "one_ask";
const SOURCE: &str = "\
export default class One {
  /** @param {string} message - the question */
  *ask({ message }) {
    return yield { ask: 'text', message };
  }
}
";
const WINDOWS: [usize; 2] = [1, 64];
const WARM_UP: Duration = Duration::from_secs(1);

fn main() -> anyhow::Result<()> {
    let mut args = Args::parse();
    // Beside what is built, so on a disk: a journal in memory would prove nothing.
    let disk = tempfile::tempdir_in(servers::beside("")?)?;
    args.places.prepare(disk.path(), servers::AT_ONCE)?;
    let scripts = disk.path().join("scripts");
    fs::create_dir(&scripts)?;
    fs::write(scripts.join("one.js"), SOURCE)?;
    let mut figures = calls(&args)?;
    figures.push(memory(&args, SCRIPT)?.under(300.0));
    figures.push(memory(&args, BUILT_IN)?);
    figures.push(load(&args)?.under(300.0));
    Figures::new(figures).report(args.json.as_deref())
}

/// Both tools on one server, in turns.
fn calls(args: &Args) -> anyhow::Result<Vec<Figure>> {
    let time = Duration::from_secs_f64(args.seconds);
    let (mut client, _) = Client::start(&mut server(args, "load.db")?)?;
    for tool in [BUILT_IN, SCRIPT] {
        client.tool = tool;
        measure::load(&mut client, 64, WARM_UP)?;
    }
    let mut figures = Vec::new();
    for window in WINDOWS {
        let mut rounds = Vec::new();
        for round in 0..args.rounds {
            eprintln!("window {window}, round {} of {}", round + 1, args.rounds);
            let mut cpu = [0.0; 2];
            // Each round begins with the other one.
            for turn in 0..2 {
                let at = (round + turn) % 2;
                client.tool = [BUILT_IN, SCRIPT][at];
                cpu[at] = measure::load(&mut client, window, time)?.cpu_us;
            }
            rounds.push(cpu);
        }
        let middle = |of: fn(&[f64; 2]) -> f64| median(rounds.iter().map(of));
        let note = format!(
            "{:.0} and {:.0} µs a call",
            middle(|[_, script]| *script).unwrap_or_default(),
            middle(|[built_in, _]| *built_in).unwrap_or_default(),
        );
        let name = format!("{window} in flight, processor time / elicit_input");
        let ratio = middle(|[built_in, script]| script / built_in);
        figures.push(Figure::new(name, ratio, "x").at_most(1.3).note(note));
    }
    client.stop()?;
    Ok(figures)
}

fn memory(args: &Args, tool: &'static str) -> anyhow::Result<Figure> {
    let mut server = server(args, &format!("{tool}.db"))?;
    let parked = measure::parked(&mut server, tool, args.parked)?;
    let name = format!("memory of one at an ask, {tool}");
    let note = format!("{} of them", args.parked);
    Ok(Figure::new(name, parked.bytes / 1e3, "KB").note(note))
}

/// A folder of so many different files.
fn load(args: &Args) -> anyhow::Result<Figure> {
    let folder = args.places.scratch.join("many");
    fs::create_dir(&folder)?;
    let source = fs::read_to_string(&args.file)?;
    for at in 0..args.files {
        let path = folder.join(format!("script-{at:03}.js"));
        fs::write(path, format!("{source}\n// {at}\n"))?;
    }
    let mut times = Vec::new();
    for _ in 0..args.rounds {
        let began = Instant::now();
        let loaded = Loaded::read(&folder, &Loaded::default());
        times.push(ms(began.elapsed()));
        ensure!(loaded.programs().count() == args.files, "{loaded:?}");
    }
    let name = format!("a folder of {} files is loaded", args.files);
    let note = format!("{} bytes each", source.len());
    Ok(Figure::new(name, median(times), "ms").note(note))
}

fn server(args: &Args, journal: &str) -> anyhow::Result<Command> {
    let places = &args.places;
    let mut command = places.command(Server::Holdpoint, Over::Stdio, journal)?;
    command.arg("--scripts").arg(places.scratch.join("scripts"));
    Ok(command)
}
