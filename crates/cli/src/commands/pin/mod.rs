//! `holdpoint pin`: the PIN that a yes to a dangerous ask needs.

use crate::{
    config::JournalArgs,
    shell::Shell,
    terminal::{
        person, print_error,
        prompt::{self, Stop},
        reply::{self, run_blocking},
    },
};
use anyhow::bail;
use clap::{Args, Subcommand};
use holdpoint_inbox::people::{People, PersonError};
use inquire::{Password, PasswordDisplayMode};
use std::process::ExitCode;

/// The arguments of `holdpoint pin`.
#[derive(Debug, Args)]
#[command(after_help = NOTE)]
pub struct PinArgs {
    /// What to do with it.
    #[command(subcommand)]
    pub command: PinCommand,

    /// The person whose PIN it is, whom the page knows by name (`holdpoint person`); without it, of whoever has
    /// none of their own.
    #[arg(long, value_name = "NAME", global = true)]
    pub person: Option<String>,

    /// Where the record is.
    #[command(flatten)]
    pub journal: JournalArgs,
}

/// What can be done with a PIN.
#[derive(Debug, Clone, Copy, Subcommand)]
pub enum PinCommand {
    /// Set it, or change it.
    Set,
    /// Clear it: a yes to a dangerous ask then needs no PIN.
    Clear,
}

const NOTE: &str = "\
The PIN is typed at your terminal, never given as an argument, a variable or standard input. While
one is set, dangerous asks are shown in the inbox only, and a yes to them needs it.
Exit codes: 0 done, 1 not done.";

/// Sets or clears it.
///
/// # Errors
/// When nobody is at a terminal here, the PIN is wrong, or the record cannot be kept.
pub async fn run(args: PinArgs) -> anyhow::Result<ExitCode> {
    let shell = Shell::open_own(args.journal).await?;
    shell.refuse_agents("pin", "A PIN is for people").await?;
    if !person::is_here() {
        bail!("a PIN must be typed at a terminal, and this command is not run at one");
    }
    let desk = shell.desk(Vec::new()).await?;
    let pin = match args.person {
        Some(name) => {
            let people = People::new(shell.journal.clone());
            let person = people.find(&name).await?;
            desk.pin_of(&person.ok_or(PersonError::Unknown(name))?.name)
        }
        None => desk.pin(),
    };
    let done = match (args.command, pin.is_set().await?) {
        (PinCommand::Clear, false) => bail!("no PIN is set"),
        (PinCommand::Clear, true) => match reply::pin("The PIN".into()).await {
            Ok(old) => {
                pin.clear(&old).await?;
                "The PIN is cleared: a yes to a dangerous ask needs none."
            }
            Err(stop) => return left(stop),
        },
        (PinCommand::Set, set) => {
            let old = if set {
                match reply::pin("The current PIN".into()).await {
                    Ok(old) => Some(old),
                    Err(stop) => return left(stop),
                }
            } else {
                None
            };
            match new().await {
                Ok(new) => pin.set(old.as_deref(), &new).await?,
                Err(stop) => return left(stop),
            }
            "The PIN is set: a yes to a dangerous ask needs it, on the page and in the terminal."
        }
    };
    eprintln!("{done}");
    Ok(ExitCode::SUCCESS)
}

/// A new one, typed twice.
async fn new() -> Result<String, Stop> {
    let typed = |title: &'static str, help: &'static str| {
        let asked = Password::new(title)
            .without_confirmation()
            .with_display_mode(PasswordDisplayMode::Masked)
            .with_help_message(help);
        prompt::show(|| asked.prompt())
    };
    run_blocking(move || {
        loop {
            let pin = typed(
                "The new PIN",
                "at least 4 characters; Enter to go on, Esc to leave",
            )?;
            if typed("Once more", "Enter to set it, Esc to leave")? == pin {
                return Ok(pin);
            }
            print_error("The two PINs are not the same.");
        }
    })
    .await
}

fn left(stop: Stop) -> anyhow::Result<ExitCode> {
    match stop {
        Stop::Fault(error) => Err(error.into()),
        _ => bail!("nothing was changed"),
    }
}
