//! `holdpoint person`: people whom the page knows by name.

use crate::{commands::serve::page, config::JournalArgs, shell::Shell, times};
use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use holdpoint_inbox::{
    Keys, page_host,
    people::{People, Person, PersonError},
};
use std::process::ExitCode;

/// The arguments of `holdpoint person`.
#[derive(Debug, Args)]
#[command(after_help = NOTE)]
pub struct PersonArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: PersonCommand,

    /// Where the record is.
    #[command(flatten)]
    pub journal: JournalArgs,
}

/// What can be done with people.
#[derive(Debug, Subcommand)]
pub enum PersonCommand {
    /// Add somebody, and print the page's address with a key that is theirs.
    Add {
        /// Their name, as it is recorded with what they answer: small letters, digits and . _ - @
        name: String,
    },
    /// Print the page's address with another key of theirs, for another browser.
    Key {
        /// Their name.
        name: String,
    },
    /// List the people.
    List,
    /// Remove somebody. Their keys and browsers are good for nothing from now on, at every page.
    Remove {
        /// Their name.
        name: String,
    },
}

const NOTE: &str = "\
Each key opens the page once, within a day, for the person to whom you give it; what they answer in that
browser is recorded under their name. `holdpoint pin set --person NAME` sets their PIN.
Examples:
  holdpoint person add ann
  holdpoint person key ann
Exit codes: 0 done, 1 not done.";

/// Does it.
///
/// # Errors
/// When an agent runs this, the name does not fit, or the people cannot be read.
pub async fn run(args: PersonArgs) -> anyhow::Result<ExitCode> {
    let shell = Shell::open_own(args.journal).await?;
    if !matches!(args.command, PersonCommand::List) {
        let why = "Who may answer is said by people";
        shell.refuse_agents("person", why).await?;
    }
    if shell.config.journal.as_deref() == Some("memory:") {
        bail!("a journal in memory is gone with this command: name another with --journal");
    }
    let people = People::new(shell.journal.clone());
    match args.command {
        PersonCommand::Add { name } => {
            // Whether the page has an address is known before anybody is added.
            let address = address(&shell).await?;
            let person = people.add(&name).await?;
            show(&shell, &address, &person).await?;
        }
        PersonCommand::Key { name } => {
            let person = people.find(&name).await?;
            let person = person.ok_or(PersonError::Unknown(name))?;
            show(&shell, &address(&shell).await?, &person).await?;
        }
        PersonCommand::List => list(&people).await?,
        PersonCommand::Remove { name } => {
            if !people.remove(&name).await? {
                return Err(PersonError::Unknown(name).into());
            }
            eprintln!("`{name}` is removed: none of their keys and browsers is good any more.");
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Where the page is, or will be.
async fn address(shell: &Shell) -> anyhow::Result<String> {
    if let Some(public) = &shell.config.inbox_url {
        return Ok(public.to_string());
    }
    if let Some(address) = page_host::find(shell.journal.as_ref()).await? {
        return Ok(address);
    }
    let wanted = page::described(&shell.config)?
        .context("the inbox is off in your configuration, so there is no page: set `inbox`")?;
    eprintln!("Nobody serves the page now: `holdpoint serve` or `holdpoint inbox --web` will.");
    Ok(page::channel(&wanted).address())
}

/// Prints the address with a key, once: nobody can print the same again.
async fn show(shell: &Shell, address: &str, person: &Person) -> anyhow::Result<()> {
    let keys = Keys::open(shell.journal.as_ref()).await?.of(person);
    println!("{address}/#key={}", keys.opening_key()?);
    eprintln!(
        "This opens the page once, within a day, as `{}`: give it to them and to nobody else.",
        person.name
    );
    Ok(())
}

async fn list(people: &People) -> anyhow::Result<()> {
    let people = people.list().await?;
    if people.is_empty() {
        eprintln!("There is nobody: the page records its answers as its own user's.");
    }
    for person in people {
        let added = times::here(person.created_at);
        println!("{}  added {added}", person.name);
    }
    Ok(())
}
