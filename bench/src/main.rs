//! Runs the parts of the benchmark one after the other, and makes one table of their figures.

use anyhow::{Context, bail};
use bench::{
    figures::{Figure, Figures, table},
    parts::{self, PARTS, Part},
    process, servers,
    statistics::ms,
};
use clap::Parser;
use serde::{Deserialize, Serialize};
use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

/// Measures Holdpoint, and says which figures are as wanted.
#[derive(Parser)]
#[command(after_help = after_help())]
struct Args {
    /// Only these parts.
    parts: Vec<String>,
    /// Another build of `holdpoint` than the one beside this program, to compare two.
    #[arg(long, value_name = "PROGRAM")]
    holdpoint: Option<PathBuf>,
    /// Smaller loads: to see that all works, not for figures that count.
    #[arg(long)]
    quick: bool,
    /// Keep the result in this file.
    #[arg(long)]
    json: Option<PathBuf>,
    /// Print the table of a result that was kept, and measure nothing.
    #[arg(long, value_name = "FILE")]
    show: Option<PathBuf>,
}

/// A whole run, as it is kept.
#[derive(Serialize, Deserialize)]
struct Run {
    date: String,
    machine: String,
    disk: String,
    /// The disk's own time to make a small write durable.
    sync_ms: f64,
    quick: bool,
    parts: Vec<Measured>,
}

/// What came of one part.
#[derive(Serialize, Deserialize)]
struct Measured {
    name: String,
    seconds: f64,
    /// Why it has no figures.
    failed: Option<String>,
    figures: Vec<Figure>,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    if let Some(file) = &args.show {
        let run: Run = serde_json::from_str(&fs::read_to_string(file)?)
            .with_context(|| format!("{} was not kept by bench/run", file.display()))?;
        print!("{}", shown(&run));
        return Ok(());
    }
    let chosen = choose(&args.parts)?;
    // Beside what is built, so on a disk.
    let folder = tempfile::tempdir_in(servers::beside("")?)?;
    let mut run = Run {
        date: jiff::Zoned::now().date().to_string(),
        machine: process::machine(),
        disk: process::file_system(folder.path())?,
        sync_ms: ms(process::sync(folder.path())?),
        quick: args.quick,
        parts: Vec::new(),
    };
    for part in chosen {
        run.parts.push(measure(part, &args, folder.path())?);
        // After each: a run of an hour that is stopped leaves what it has.
        if let Some(file) = &args.json {
            fs::write(file, serde_json::to_string_pretty(&run)? + "\n")?;
        }
    }
    print!("\n{}", shown(&run));
    if let Some(file) = &args.json {
        eprintln!("kept as {}", file.display());
    }
    if run.parts.iter().any(|part| part.failed.is_some()) {
        bail!("not every part could be measured");
    }
    Ok(())
}

/// The parts of these names; all that were built where none is named.
fn choose(names: &[String]) -> anyhow::Result<Vec<&'static Part>> {
    if names.is_empty() {
        let there = |part: &&Part| servers::beside(part.name).is_ok_and(|path| path.is_file());
        return Ok(PARTS.iter().filter(there).collect());
    }
    let find = |name: &String| {
        let known = || PARTS.iter().map(|part| part.name).collect::<Vec<_>>();
        parts::find(name).with_context(|| format!("no part `{name}`: {}", known().join(", ")))
    };
    names.iter().map(find).collect()
}

fn measure(part: &Part, args: &Args, folder: &Path) -> anyhow::Result<Measured> {
    eprintln!("\n== {}: {} ==", part.name, part.about);
    let file = folder.join(format!("{}.json", part.name));
    let began = Instant::now();
    let program = servers::beside(part.name)?;
    let mut command = Command::new(&program);
    command.arg("--json").arg(&file);
    if part.of_binary {
        let holdpoint = match &args.holdpoint {
            Some(holdpoint) => holdpoint.clone(),
            None => servers::beside("holdpoint")?,
        };
        command.arg("--holdpoint").arg(holdpoint);
    }
    let ended = command
        .args(if args.quick { part.quick } else { &[] })
        .status()
        .with_context(|| format!("cannot start {}", program.display()))?;
    let kept = fs::read_to_string(&file);
    let (figures, failed) = match kept {
        Ok(text) if ended.success() => {
            let kept: Figures = serde_json::from_str(&text)
                .with_context(|| format!("`{}` keeps its figures otherwise", part.name))?;
            (kept.figures, None)
        }
        Ok(_) | Err(_) => (
            Vec::new(),
            Some(format!("{} ended with {ended}", part.name)),
        ),
    };
    Ok(Measured {
        name: part.name.to_owned(),
        seconds: began.elapsed().as_secs_f64(),
        failed,
        figures,
    })
}

fn shown(run: &Run) -> String {
    let figures = || {
        let of = |part: &'_ Measured| part.name.clone();
        run.parts
            .iter()
            .flat_map(move |part| part.figures.iter().map(move |figure| (of(part), figure)))
    };
    let mut text = format!(
        "{}, {}, {}: {:.2} ms to make a write durable{}\n\n",
        run.date,
        run.machine,
        run.disk,
        run.sync_ms,
        if run.quick { "; a quick run" } else { "" },
    );
    let named: Vec<_> = figures().collect();
    text += &table(named.iter().map(|(part, figure)| (part.as_str(), *figure)));
    let missed = |met: Option<bool>| {
        let wanted = named.iter().filter(|(_, figure)| figure.wanted.is_some());
        let those = wanted.filter(|(_, figure)| figure.met == met);
        let names = those.map(|(part, figure)| format!("{part}: {}", figure.name));
        names.collect::<Vec<_>>()
    };
    let met = missed(Some(true)).len();
    text += &match missed(Some(false)).as_slice() {
        [] => format!("\nMissed: none. Met: {met}.\n"),
        names => format!(
            "\nMissed, {} of {}: {}.\n",
            names.len(),
            names.len() + met,
            names.join("; ")
        ),
    };
    let unknown = missed(None);
    if !unknown.is_empty() {
        let _ = writeln!(text, "Not measured: {}.", unknown.join("; "));
    }
    for part in &run.parts {
        if let Some(why) = &part.failed {
            let _ = writeln!(text, "Failed: {why}.");
        }
    }
    text
}

fn after_help() -> String {
    let mut text = "Parts:\n".to_owned();
    for part in PARTS {
        let _ = writeln!(text, "  {:<12}{}", part.name, part.about);
    }
    text
}
