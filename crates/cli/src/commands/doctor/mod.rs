//! `holdpoint doctor`: what is wrong, and how to fix it.
//!
//! | module | holds |
//! |---|---|
//! | `checks` | configuration, journal, git |
//! | `postgres` | the database that a journal is in |
//! | `disk`, `clock` | the space beside the journal; the machine's clock |
//! | `page` | the inbox page, here and as others reach it |
//! | `service` | a unit of systemd that keeps it there |
//! | `notifications` | how a person is notified |
//! | `scripts` | the folder of scripts |
//! | `clients` | the clients' own files |
//! | `conductor` | agent files whose tools are missing |
//! | `claude_hooks` | hooks that answer in the person's place |
//! | `client_settings` | settings that do so, or that keep our own hook from running |
//! | `prompts` | the hook by which clients' prompts come here |

mod checks;
mod claude_hooks;
mod client_settings;
mod clients;
mod clock;
mod conductor;
mod disk;
mod notifications;
mod page;
#[cfg(feature = "postgres")]
mod postgres;
mod prompts;
#[cfg(feature = "scripts")]
mod scripts;
#[cfg(not(feature = "scripts"))]
#[path = "without_scripts.rs"]
mod scripts;
mod service;

use crate::{
    commands::init::{client::Machine, prompts::found, registered},
    config::{Config, Environment, JournalArgs},
};
use anstream::println;
use anstyle::{AnsiColor, Style};
use clap::Args;
use serde::Serialize;
use std::{path::PathBuf, process::ExitCode};

/// The arguments of `holdpoint doctor`.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// The folder that the agent works in.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub workspace: PathBuf,

    /// Where the record is. It is only looked at.
    #[command(flatten)]
    pub journal: JournalArgs,

    /// Really send a notification, in every way that is set, and say what came of it.
    #[arg(long = "try")]
    pub tries: bool,

    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// What.
    pub name: String,
    /// How it is.
    pub state: State,
    /// In words.
    pub what: String,
    /// What to do about it. The JSON has always called it `mend`.
    #[serde(rename = "mend", skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
}

/// How something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Fine.
    Ok,
    /// Nothing is wrong, but something can be done.
    Hint,
    /// Wrong.
    Problem,
}

impl Check {
    fn new(name: &str, state: State, what: impl Into<String>) -> Self {
        Self {
            name: name.to_owned(),
            state,
            what: what.into(),
            fix: None,
        }
    }

    fn ok(name: &str, what: impl Into<String>) -> Self {
        Self::new(name, State::Ok, what)
    }

    fn hint(name: &str, what: impl Into<String>) -> Self {
        Self::new(name, State::Hint, what)
    }

    fn problem(name: &str, what: impl Into<String>) -> Self {
        Self::new(name, State::Problem, what)
    }

    fn fix(mut self, how: impl Into<String>) -> Self {
        self.fix = Some(how.into());
        self
    }
}

/// Checks everything and prints what it found.
///
/// # Errors
/// When it cannot be printed.
pub async fn run(args: DoctorArgs) -> anyhow::Result<ExitCode> {
    let environment = Environment::from_process();
    let flags = args.journal.flags();
    let config = Config::load_around_workspace(&environment, &args.workspace, &flags);
    let mut found = checks::config(&config, &environment, &args.workspace);
    if let Ok((config, _)) = &config {
        let unused = config.unused().into_iter();
        found.extend(unused.map(|warning| Check::hint("config", warning)));
        found.extend(checks::journal(config, &environment).await);
        if let Ok(url) = config.journal(&environment) {
            found.extend(disk::check(&url));
            found.extend(clock::check(&url).await);
        }
        found.extend(page::checks(config, &environment).await);
        found.extend(service::checks(&environment).await);
        found.extend(notifications::checks(&config.notify, &environment, args.tries).await);
        found.extend(scripts::checks(config));
    }
    found.push(checks::git(&args.workspace).await);
    let workspace = std::path::absolute(&args.workspace).unwrap_or(args.workspace);
    let registered = registered::all(&workspace);
    found.extend(clients::checks(&registered, &workspace, &environment));
    found.extend(conductor::checks(&registered, &workspace, &environment));
    found.extend(claude_hooks::checks(&workspace));
    let machine = Machine::current();
    let hooks = found::all(&workspace, &machine);
    found.extend(prompts::checks(&hooks, &workspace, &machine, &environment));
    let guarded = client_settings::Guarded::new(&registered, &hooks);
    found.extend(client_settings::checks(&guarded, &workspace, &machine));
    let well = found.iter().all(|check| check.state != State::Problem);
    if args.json {
        let report = serde_json::json!({ "ok": well, "checks": found });
        println!("{report:#}");
    } else {
        let names = found.iter().map(|check| check.name.len() + 1);
        let width = names.max().unwrap_or_default().max(USUAL_WIDTH);
        found.iter().for_each(|check| print(check, width));
    }
    Ok(if well {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// How wide the names are, where none is longer.
const USUAL_WIDTH: usize = 12;

fn print(check: &Check, width: usize) {
    let (style, word) = match check.state {
        State::Ok => (AnsiColor::Green.on_default(), "ok"),
        State::Hint => (AnsiColor::Cyan.on_default(), "hint"),
        State::Problem => (AnsiColor::Red.on_default().bold(), "problem"),
    };
    let bold = Style::new().bold();
    let fix = check.fix.as_deref().map(|how| format!(" → {how}"));
    println!(
        "{style}{word:<8}{style:#}{bold}{:<width$}{bold:#}{}{}",
        check.name,
        check.what,
        fix.unwrap_or_default()
    );
}
