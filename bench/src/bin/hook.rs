//! What a harness waits for at each tool call: a rule's decision, from the start of the process to its end, beside
//! the start of Node and of Python; and the rules alone, many of them.

use anyhow::{Context, ensure};
use bench::{
    figures::{Figure, Figures},
    servers::{self, Places},
    statistics::{median, ms},
};
use clap::Parser;
use holdpoint_policy::{Holder, NoLinks, Rules, ToolUse};
use serde_json::{Value, json};
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

/// Measures the hook.
#[derive(Parser)]
struct Args {
    #[command(flatten)]
    places: Places,
    /// How often each program is started.
    #[arg(long, default_value_t = 200)]
    starts: usize,
    /// How many rules there are at most.
    #[arg(long, default_value_t = 10_000)]
    rules: usize,
    /// Writes the figures here, as JSON.
    #[arg(long)]
    json: Option<PathBuf>,
}

fn main() -> anyhow::Result<()> {
    let mut args = Args::parse();
    let folder = tempfile::tempdir_in(servers::beside("")?)?;
    args.places.prepare(folder.path(), "")?;
    let mut figures = Vec::new();
    starts(&args, folder.path(), &mut figures)?;
    decisions(args.rules, &mut figures)?;
    Figures::new(figures).report(args.json.as_deref())
}

/// Starts each program in turn, so that what else the machine does falls on all of them.
fn starts(args: &Args, home: &Path, figures: &mut Vec<Figure>) -> anyhow::Result<()> {
    let few = "allow = [\"Bash(git status *)\", \"Bash(ls *)\"]\ndeny = [\"Bash(rm *)\"]\n";
    let programs: [(&str, Option<String>, &[&str]); 4] = [
        ("hook, a few rules", Some(few.to_owned()), &["hook"]),
        ("hook, many rules", Some(rules(args.rules)), &["hook"]),
        ("node -e 0", None, &["node", "-e", "0"]),
        ("python -c pass", None, &["python3", "-c", "pass"]),
    ];
    let payload = payload(home);
    let mut times = vec![Vec::new(); programs.len()];
    for _ in 0..args.starts {
        for ((_, rules, line), times) in programs.iter().zip(&mut times) {
            let mut command = match rules {
                Some(rules) => {
                    let folder = home.join(".config/holdpoint");
                    fs::create_dir_all(&folder)?;
                    fs::write(folder.join("rules.toml"), rules)?;
                    hook(args, home)?
                }
                None => {
                    let mut command = Command::new(line[0]);
                    command.args(&line[1..]);
                    command
                }
            };
            let began = Instant::now();
            let mut child = command
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .with_context(|| format!("{line:?} cannot be started"))?;
            // The others do not read it.
            let _ = child.stdin.take().context("no input")?.write_all(&payload);
            let ended = child.wait_with_output()?;
            times.push(ms(began.elapsed()));
            if rules.is_some() {
                let said: Value = serde_json::from_slice(&ended.stdout).unwrap_or_default();
                let decision = &said["hookSpecificOutput"]["decision"]["behavior"];
                ensure!(*decision == "allow", "the hook said {said}");
            }
        }
    }
    let middles: Vec<_> = times.into_iter().map(median).collect();
    for ((name, rules, _), middle) in programs.iter().zip(&middles) {
        let figure = Figure::new(format!("{name}, start to exit"), *middle, "ms");
        figures.push(match rules {
            Some(_) => figure.at_most(10.0),
            None => figure,
        });
    }
    for (beside, name) in [(2, "node"), (3, "python")] {
        let ratio = middles[0]
            .zip(middles[beside])
            .map(|(hook, other)| hook / other);
        figures.push(Figure::new(format!("hook / {name}"), ratio, ""));
    }
    Ok(())
}

fn hook(args: &Args, home: &Path) -> anyhow::Result<Command> {
    let mut command = Command::new(match &args.places.holdpoint {
        Some(program) => program.clone(),
        None => servers::beside("holdpoint")?,
    });
    command
        .args(["hook", "claude", "--within", "5"])
        .env("HOME", home)
        .env("XDG_CONFIG_HOME", home.join(".config"))
        .env("XDG_STATE_HOME", home.join(".local/state"))
        .env("HOLDPOINT_TEST_ACCOUNT", home);
    Ok(command)
}

fn payload(folder: &Path) -> Vec<u8> {
    let payload = json!({
        "session_id": "s", "prompt_id": "p", "transcript_path": "/t", "cwd": folder,
        "hook_event_name": "PermissionRequest", "permission_mode": "default",
        "tool_name": "Bash", "tool_input": { "command": "git status --short && ls -l src" },
    });
    payload.to_string().into_bytes()
}

/// So many rules, a few of which matter.
fn rules(count: usize) -> String {
    let mut text = String::from("allow = [\n  \"Bash(git status *)\",\n  \"Bash(ls *)\",\n");
    for number in 0..count / 2 {
        text.push_str(&format!("  \"Bash(tool-{number} run *)\",\n"));
    }
    text.push_str("]\ndeny = [\n");
    for number in 0..count / 4 {
        text.push_str(&format!("  \"Edit(/secret-{number}/**)\",\n"));
    }
    text.push_str("]\nask = [\n");
    for number in 0..count / 4 {
        text.push_str(&format!("  \"mcp__server-{number}__delete_*\",\n"));
    }
    text.push_str("]\n");
    text
}

fn decisions(count: usize, figures: &mut Vec<Figure>) -> anyhow::Result<()> {
    let text = rules(count);
    let began = Instant::now();
    let rules = Rules::own(&text, "rules.toml")?;
    let loading = ms(began.elapsed());
    figures.push(Figure::new(format!("reading {count} rules"), loading, "ms"));
    let commands = [
        "git status --short && ls -l src",
        "tool-77 run it",
        "rm -rf target",
    ];
    for command in commands {
        let tool_use = ToolUse::bash(command, "/work/app");
        let holder = Holder::default();
        let now = jiff::Timestamp::now();
        let once = || {
            let began = Instant::now();
            std::hint::black_box(rules.decide(&tool_use, &NoLinks, &[], &holder, now));
            began.elapsed().as_secs_f64() * 1e6
        };
        let middle = median((0..1_000).map(|_| once()));
        let name = format!("a decision among {count} rules: {command}");
        figures.push(Figure::new(name, middle, "µs").at_most(50.0));
    }
    Ok(())
}
