//! What building costs: the time from an empty target folder, the crates, and how large the program is.

use anyhow::{Context, ensure};
use bench::figures::{Figure, Figures};
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
    /// Only the build of a first look, `cargo demo`.
    #[arg(long)]
    lean_only: bool,
    /// Writes the figures here, as JSON.
    #[arg(long)]
    json: Option<PathBuf>,
}

/// A build and what is wanted of it.
struct Build {
    name: &'static str,
    profile: &'static str,
    features: &'static [&'static str],
    /// Most seconds.
    seconds: Option<f64>,
    /// Most megabytes of the program.
    megabytes: Option<f64>,
}

const LEAN: &[&str] = &["--no-default-features"];

const BUILDS: [Build; 3] = [
    Build {
        name: "first look (`cargo demo`)",
        profile: "demo",
        features: LEAN,
        seconds: Some(120.0),
        megabytes: None,
    },
    Build {
        name: "debug",
        profile: "dev",
        features: &[],
        seconds: None,
        megabytes: None,
    },
    Build {
        name: "release",
        profile: "release",
        features: &[],
        seconds: Some(480.0),
        megabytes: Some(25.0),
    },
];

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let many = if args.lean_only { 1 } else { BUILDS.len() };
    // What is not on this disk yet is fetched before the clock starts.
    cargo(&["fetch", "--quiet", "--locked"], None)?;
    let mut figures = Vec::new();
    for build in &BUILDS[..many] {
        measure(build, &mut figures)?;
    }
    Figures::new(figures).report(args.json.as_deref())
}

fn measure(build: &Build, figures: &mut Vec<Figure>) -> anyhow::Result<()> {
    let target = tempfile::tempdir_in(std::env::current_dir()?.join("target"))?;
    let mut line = vec!["build", "--quiet", "--locked", "-p", "holdpoint-cli"];
    line.extend(["--profile", build.profile]);
    line.extend(build.features);
    let began = Instant::now();
    cargo(&line, Some(target.path()))?;
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
    let folder = match build.profile {
        "dev" => "debug",
        other => other,
    };
    let program = target.path().join(folder).join("holdpoint");
    let bytes = fs::metadata(&program)?.len() as f64;
    let size = Figure::new(format!("{}: program", build.name), bytes / 1e6, "MB");
    figures.push(match build.megabytes {
        Some(most) => size.under(most),
        None => size,
    });
    Ok(())
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
