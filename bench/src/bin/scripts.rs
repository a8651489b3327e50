//! What a tool that is a script costs: processor time beside the built-in `elicit_input`, in turns on
//! one server; memory of scripts that wait for an answer; how long a folder of files takes to load.
//!
//! `bench/scripts` builds and runs it.

#[path = "../client.rs"]
mod client;
#[path = "../measure.rs"]
#[allow(dead_code)]
mod measure;
#[path = "../process.rs"]
#[allow(dead_code)]
mod process;

use anyhow::ensure;
use clap::Parser;
use client::Client;
use holdpoint_script::Loaded;
use mimalloc::MiMalloc;
use serde_json::{Value, json};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// As in the binary, where the files are loaded otherwise.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Measures tools that are scripts.
#[derive(Parser)]
struct Args {
    /// The binary to measure.
    #[arg(long)]
    holdpoint: PathBuf,
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
    /// Keep the result in this file.
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
    let args = Args::parse();
    // Beside what is built, so on a disk: a journal in memory would prove nothing.
    let disk = tempfile::tempdir_in(std::env::current_exe()?.with_file_name(""))?;
    let mut found = json!({
        "machine": process::machine(),
        "date": jiff::Zoned::now().date().to_string(),
        "syncMs": process::sync(disk.path())?.as_secs_f64() * 1e3,
        "calls": calls(&args, disk.path())?,
    });
    let memory = |tool: &'static str| {
        let journal = format!("{tool}.db");
        measure::parked(
            &mut server(&args, disk.path(), &journal)?,
            tool,
            args.parked,
        )
    };
    found["parked"] = json!({
        "asks": args.parked,
        "scriptBytesEach": memory(SCRIPT)?,
        "builtInBytesEach": memory(BUILT_IN)?,
    });
    found["load"] = load(&args, disk.path())?;
    print(&found);
    if let Some(path) = &args.json {
        fs::write(path, serde_json::to_string_pretty(&found)?)?;
        eprintln!("kept as {}", path.display());
    }
    Ok(())
}

/// Both tools on one server, in turns.
fn calls(args: &Args, disk: &Path) -> anyhow::Result<Value> {
    let time = Duration::from_secs_f64(args.seconds);
    let (mut client, _) = Client::start(&mut server(args, disk, "load.db")?)?;
    for tool in [BUILT_IN, SCRIPT] {
        client.tool = tool;
        measure::load(&mut client, 64, WARM_UP)?;
    }
    let mut all = Vec::new();
    for window in WINDOWS {
        let (mut built_in, mut script, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for round in 0..args.rounds {
            eprintln!("window {window}, round {} of {}", round + 1, args.rounds);
            let mut cpu = [0.0; 2];
            // Each round begins with the other one.
            for turn in 0..2 {
                let at = (round + turn) % 2;
                client.tool = [BUILT_IN, SCRIPT][at];
                cpu[at] = measure::load(&mut client, window, time)?.cpu_us;
            }
            built_in.push(cpu[0]);
            script.push(cpu[1]);
            ratios.push(cpu[1] / cpu[0]);
        }
        all.push(json!({
            "window": window,
            "builtInCpuUs": middle(built_in),
            "scriptCpuUs": middle(script),
            "ratio": middle(ratios),
        }));
    }
    client.stop()?;
    Ok(all.into())
}

/// A folder of so many different files.
fn load(args: &Args, disk: &Path) -> anyhow::Result<Value> {
    let folder = disk.join("many");
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
        times.push(began.elapsed().as_secs_f64() * 1e3);
        ensure!(loaded.programs().count() == args.files, "{loaded:?}");
    }
    Ok(json!({ "files": args.files, "bytesEach": source.len(), "ms": middle(times) }))
}

fn server(args: &Args, disk: &Path, journal: &str) -> anyhow::Result<Command> {
    let scripts = disk.join("scripts");
    let config = disk.join(".config/holdpoint");
    for folder in [&scripts, &config] {
        fs::create_dir_all(folder)?;
    }
    fs::write(scripts.join("one.js"), SOURCE)?;
    // Only a user's own file can raise it.
    fs::write(config.join("config.toml"), "max_open_asks = 1000000\n")?;
    let mut command = Command::new(&args.holdpoint);
    command
        .args(["serve", "--journal"])
        .arg(format!("sqlite:{}", disk.join(journal).display()))
        .arg("--workspace")
        .arg(disk)
        .arg("--scripts")
        .arg(scripts)
        .env("HOLDPOINT_TEST_ACCOUNT", disk)
        .env("XDG_CONFIG_HOME", disk.join(".config"))
        .env("XDG_STATE_HOME", disk)
        .stderr(Stdio::null());
    Ok(command)
}

fn middle(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}

fn print(found: &Value) {
    let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
    println!("{}", found["machine"].as_str().unwrap_or_default());
    println!("\n| in flight | elicit_input, CPU µs/call | script, CPU µs/call | ratio | wanted |");
    println!("|---|---|---|---|---|");
    for row in found["calls"].as_array().into_iter().flatten() {
        println!(
            "| {} | {:.0} | {:.0} | {:.2} | at most 1.5 |",
            row["window"],
            number(&row["builtInCpuUs"]),
            number(&row["scriptCpuUs"]),
            number(&row["ratio"]),
        );
    }
    let parked = &found["parked"];
    println!(
        "\n{} scripts at an ask: {:.1} KB each (elicit_input {:.1}; wanted under 300)",
        parked["asks"],
        number(&parked["scriptBytesEach"]) / 1e3,
        number(&parked["builtInBytesEach"]) / 1e3,
    );
    let load = &found["load"];
    println!(
        "{} files of {} bytes loaded in {:.0} ms (wanted under 300)",
        load["files"],
        load["bytesEach"],
        number(&load["ms"]),
    );
}
