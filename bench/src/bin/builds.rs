//! What building costs: the time from an empty target folder, the crates, and how large the program is, on the disk and
//! in memory.

use anyhow::{Context, ensure};
use bench::{
    at_rest,
    figures::{Figure, Figures},
    page_server::Server,
};
use clap::Parser;
use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

/// Measures builds, each from an empty folder.
#[derive(Parser)]
struct Args {
    /// Only the builds that have this word in their name: `look`, `debug`, `release` or `packages`.
    #[arg(long, default_value = "")]
    only: String,
    /// Writes the figures here, as JSON.
    #[arg(long)]
    json: Option<PathBuf>,
}

/// A build and what is wanted of it.
struct Build {
    name: &'static str,
    /// By cargo with this profile; else by `tools/package`, with a profile and flags of its own.
    profile: Option<&'static str>,
    features: &'static [&'static str],
    /// Most seconds.
    seconds: Option<f64>,
    /// Most megabytes of the program.
    megabytes: Option<f64>,
    /// Most megabytes that an idle server keeps.
    idle: Option<f64>,
}

const LEAN: &[&str] = &["--no-default-features"];

const BUILDS: [Build; 4] = [
    Build {
        name: "first look (`cargo demo`)",
        profile: Some("demo"),
        features: LEAN,
        seconds: Some(120.0),
        megabytes: None,
        idle: None,
    },
    Build {
        name: "debug",
        profile: Some("dev"),
        features: &[],
        seconds: None,
        megabytes: None,
        idle: None,
    },
    Build {
        name: "release (`cargo install`)",
        profile: Some("release"),
        features: &[],
        seconds: Some(480.0),
        megabytes: Some(25.0),
        idle: Some(15.0),
    },
    Build {
        name: "packages (`tools/package`)",
        profile: None,
        features: &[],
        seconds: Some(480.0),
        megabytes: Some(25.0),
        idle: Some(15.0),
    },
];

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    // What is not on this disk yet is fetched before the clock starts.
    cargo(&["fetch", "--quiet", "--locked"], None)?;
    let mut figures = Vec::new();
    for build in BUILDS
        .iter()
        .filter(|build| build.name.contains(&args.only))
    {
        measure(build, &mut figures)?;
    }
    ensure!(
        !figures.is_empty(),
        "no build has `{}` in its name",
        args.only
    );
    Figures::new(figures).report(args.json.as_deref())
}

fn measure(build: &Build, figures: &mut Vec<Figure>) -> anyhow::Result<()> {
    let target = tempfile::tempdir_in(std::env::current_dir()?.join("target"))?;
    let began = Instant::now();
    let program = match build.profile {
        Some(profile) => by_cargo(profile, build.features, target.path())?,
        None => by_packaging(target.path())?,
    };
    let took = Figure::new(
        format!("{}: build", build.name),
        began.elapsed().as_secs_f64(),
        "s",
    );
    figures.push(match build.seconds {
        Some(most) => took.under(most),
        None => took,
    });
    let crates = crates(build)? as f64;
    figures.push(Figure::new(
        format!("{}: crates", build.name),
        crates,
        "crates",
    ));
    let bytes = fs::metadata(&program)?.len() as f64;
    let size = Figure::new(format!("{}: program", build.name), bytes / 1e6, "MB");
    figures.push(match build.megabytes {
        Some(most) => size.under(most),
        None => size,
    });
    let kept = idle(&program)?;
    let resident = kept.resident as f64 / 1e6;
    let idle = Figure::new(format!("{}: idle server (RSS)", build.name), resident, "MB");
    let own = format!("of it its own {:.1} MB", kept.anonymous as f64 / 1e6);
    figures.push(match build.idle {
        Some(most) => idle.under(most).note(own),
        None => idle.note(own),
    });
    Ok(())
}

/// What an idle server of this program keeps in memory. It is one as people get it, so what the machine's user has set
/// counts.
fn idle(program: &Path) -> anyhow::Result<at_rest::Memory> {
    let folder = tempfile::tempdir()?;
    let mut command = Command::new(program);
    let journal = format!("sqlite:{}", folder.path().join("journal.db").display());
    command
        .args(["serve", "--journal", &journal, "--workspace"])
        .arg(folder.path())
        .stderr(Stdio::null());
    let server = Server::start(&mut command)?;
    std::thread::sleep(at_rest::REST);
    at_rest::memory(server.pid())
}

fn by_cargo(profile: &str, features: &[&str], target: &Path) -> anyhow::Result<PathBuf> {
    let mut line = vec!["build", "--quiet", "--locked", "-p", "holdpoint-cli"];
    line.extend(["--profile", profile]);
    line.extend(features);
    cargo(&line, Some(target))?;
    let folder = match profile {
        "dev" => "debug",
        other => other,
    };
    Ok(target.join(folder).join("holdpoint"))
}

fn by_packaging(target: &Path) -> anyhow::Result<PathBuf> {
    let packages = target.join("packages");
    let mut command = Command::new("tools/package");
    let done = command
        .arg("--out")
        .arg(&packages)
        .env("CARGO_TARGET_DIR", target)
        .status()
        .context("tools/package cannot be run")?;
    ensure!(done.success(), "tools/package failed");
    Ok(packages.join("work/holdpoint"))
}

/// How many packages of others are built, for the program or to build it.
fn crates(build: &Build) -> anyhow::Result<usize> {
    let mut command = Command::new("cargo");
    let listed = command
        .args(["tree", "--locked", "-p", "holdpoint-cli"])
        .args(["-e", "normal,build", "--prefix", "none", "--no-dedupe"])
        .args(build.features)
        .output()
        .context("cargo cannot be run")?;
    ensure!(listed.status.success(), "cargo tree failed");
    let lines = String::from_utf8_lossy(&listed.stdout);
    let others = lines
        .lines()
        .filter(|line| !line.contains('/') && !line.trim().is_empty());
    Ok(others.collect::<HashSet<_>>().len())
}

fn cargo(line: &[&str], target: Option<&Path>) -> anyhow::Result<()> {
    let mut command = Command::new("cargo");
    command.args(line).stdin(Stdio::null());
    if let Some(target) = target {
        command.env("CARGO_TARGET_DIR", target);
    }
    let done = command.status().context("cargo cannot be run")?;
    ensure!(done.success(), "`cargo {}` failed", line.join(" "));
    Ok(())
}
