//! `holdpoint log`: the record, for people.
//!
//! | module | holds |
//! |---|---|
//! | [`filter`] | which asks are meant |
//! | [`times`] | times as people write and read them |
//! | [`entries`] | one ask as entries: asked, decided, executed |
//! | [`runs`] | runs of scripts: what they did, and how they ended |
//! | [`list`], [`odd`], [`show`], [`stats`], [`export`], [`verify`] | the commands |
//! | `stats_table` | the counts of one group as a table |
//! | [`output`] | what is written to standard output |

pub mod entries;
pub mod export;
pub mod filter;
pub mod list;
pub mod odd;
pub mod output;
pub mod runs;
pub mod show;
pub mod stats;
mod stats_table;
pub mod times;
pub mod verify;

use crate::{
    config::{Environment, JournalArgs},
    shell::own_config,
};
use clap::{Args, Subcommand};
use filter::FilterArgs;
use holdpoint::journal::{self, JournalEngine};
use jiff::{Timestamp, tz::TimeZone};
use output::Output;
use std::{
    io::{self, IsTerminal as _},
    path::Path,
    process::ExitCode,
    sync::Arc,
    time::Duration,
};

/// The arguments of `holdpoint log`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, after_help = EXAMPLES)]
pub struct LogArgs {
    /// What to do, other than to list.
    #[command(subcommand)]
    pub command: Option<LogCommand>,

    /// What to list.
    #[command(flatten)]
    pub list: ListArgs,
}

/// What is listed, and how.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Which asks and runs to list.
    #[command(flatten)]
    pub filter: FilterArgs,

    /// How many to list, the newest first; 0 for all.
    #[arg(long, short = 'n', value_name = "NUMBER", default_value_t = 20)]
    pub limit: usize,

    /// Continue after this one: the id that `next` in the JSON, or the last line of a list, names.
    #[arg(long, value_name = "ID")]
    pub before: Option<String>,

    /// How it is read and printed.
    #[command(flatten)]
    pub common: Common,
}

/// The arguments that all of its commands share.
#[derive(Debug, Clone, Args)]
pub struct Common {
    /// Where the record is.
    #[command(flatten)]
    pub journal: JournalArgs,

    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// What else it can do.
#[derive(Debug, Subcommand)]
pub enum LogCommand {
    /// Search for asks and runs with these words: the same as to list with words.
    Search(ListArgs),
    /// Show one ask in full: what was shown, who answered, what ran after it. Or one run of a script:
    /// what it was given, asked and did.
    Show {
        /// The id of the ask or run, or its first digits if no other has the same.
        id: String,
        /// How it is read and printed.
        #[command(flatten)]
        common: Common,
    },
    /// Count asks by outcome, tool, channel, hour and day; success and time-out rates, response times,
    /// fast answers.
    Stats {
        /// Which asks to count.
        #[command(flatten)]
        filter: FilterArgs,
        /// Only this group, as a table with the rates and response times of each.
        #[arg(long, value_name = "GROUP")]
        by: Option<stats::By>,
        /// How it is read and printed.
        #[command(flatten)]
        common: Common,
    },
    /// List what looks odd: replies that did not count, agents' attempts, wrong PINs, extended
    /// deadlines, calls that changed hands, answers given without the question in view.
    Odd(odd::OddArgs),
    /// Export every event as a line of JSON: asked, decided and executed are separate events.
    Export(export::ExportArgs),
    /// Check the hash chain and the rows, and print the head for you to keep elsewhere.
    Verify(verify::VerifyArgs),
}

const EXAMPLES: &str = "\
Examples:
  holdpoint log                                      the last asks and runs of scripts
  holdpoint log 'git commit'                         what ran it, or asked about it
  holdpoint log deploy \"to production\" --since 2d    with these words, of the last two days
  holdpoint log --outcome declined,timed_out --tool commit
  holdpoint log show 019a8f3e                        one ask in full
  holdpoint log stats --since 2026-11-01             counts
  holdpoint log stats --by tool --until yesterday    rates and response times of each tool
  holdpoint log odd                                  what looks odd
  holdpoint log verify                               has anybody changed the record?
  holdpoint log -- stats                             the word `stats`, not the command

Words are searched for in what was shown, where it came from and what was answered, and in what runs of
scripts were given and did; also within other words. Case and accents do not matter.

Exit codes: 0 done (also when nothing is found), 1 the record is flawed or cannot be read, or there
is no such ask, 2 wrong usage.";

/// Reads the record and prints what is wanted of it.
///
/// # Errors
/// When the journal cannot be read, or an argument is wrong.
pub async fn run(args: LogArgs) -> anyhow::Result<ExitCode> {
    let common = match &args.command {
        None => &args.list.common,
        Some(LogCommand::Search(args)) => &args.common,
        Some(LogCommand::Show { common, .. } | LogCommand::Stats { common, .. }) => common,
        Some(LogCommand::Odd(args)) => &args.common,
        Some(LogCommand::Export(args)) => &args.common,
        Some(LogCommand::Verify(args)) => &args.common,
    };
    let record = Record::open(common).await?;
    if record.is_missing && matches!(args.command, Some(LogCommand::Verify(_))) {
        // Nothing is not whole: whoever verifies wants to know that a record is there.
        return Ok(ExitCode::FAILURE);
    }
    let mut out = Output::new(common.json);
    let done = match &args.command {
        None => list::run(&record, &mut out, &args.list).await,
        Some(LogCommand::Search(args)) => list::run(&record, &mut out, args).await,
        Some(LogCommand::Show { id, .. }) => show::run(&record, &mut out, id).await,
        Some(LogCommand::Stats { filter, by, .. }) => {
            stats::run(&record, &mut out, filter, *by).await
        }
        Some(LogCommand::Odd(args)) => odd::run(&record, &mut out, args).await,
        Some(LogCommand::Export(args)) => export::run(&record, &mut out, args).await,
        Some(LogCommand::Verify(args)) => verify::run(&record, &mut out, args).await,
    };
    let lists = matches!(
        args.command,
        None | Some(LogCommand::Search(_) | LogCommand::Stats { .. })
    );
    if lists
        && !common.json
        && let Some(gone) = record.pruned().await?
    {
        eprintln!("Not all of it is there: {gone}.");
    }
    match done {
        // The reader closed the pipe.
        Err(error) if output::is_closed(&error) => Ok(ExitCode::SUCCESS),
        done => done,
    }
}

/// The file that this address names, if it is not there.
pub fn missing_file(url: &str) -> Option<&str> {
    let path = url.strip_prefix("sqlite:")?;
    (!path.is_empty() && !Path::new(path).exists()).then_some(path)
}

/// The record, seen from here and now.
pub struct Record {
    /// The journal.
    pub journal: Arc<dyn JournalEngine>,
    /// Its address, as it may be shown.
    pub url: String,
    /// There is no file at the address; the journal is empty.
    pub is_missing: bool,
    /// The time zone of the person.
    pub zone: TimeZone,
    /// Now.
    pub now: Timestamp,
}

impl Record {
    async fn open(common: &Common) -> anyhow::Result<Self> {
        let environment = Environment::from_process();
        let flags = common.journal.clone().flags();
        let config = own_config(&environment, &flags)?;
        let url = config.journal(&environment)?;
        let missing = missing_file(&url);
        if let Some(path) = missing {
            eprintln!("There is no record yet: nothing was asked at {path}.");
        }
        Ok(Self {
            is_missing: missing.is_some(),
            journal: match missing {
                Some(_) => journal::open("memory:").await?,
                None => journal::open_read_only(&url).await?,
            },
            url: journal::shown_address(&url).into_owned(),
            zone: TimeZone::system(),
            now: Timestamp::now(),
        })
    }

    /// What was pruned last, in words.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub async fn pruned(&self) -> anyhow::Result<Option<String>> {
        let last = self.journal.last_pruned().await?;
        let local = |at| times::local(at, &self.zone);
        Ok(last.and_then(|event| event.describe(&local)))
    }

    /// Waits, and says so to a person when it takes long.
    pub async fn with_notice<T>(&self, read: impl Future<Output = T>) -> T {
        let mut read = std::pin::pin!(read);
        if io::stderr().is_terminal() {
            tokio::select! {
                biased;
                done = &mut read => return done,
                () = tokio::time::sleep(Duration::from_secs(1)) => {
                    eprintln!("The record is being read; the first search of a long one takes a while …");
                }
            }
        }
        read.await
    }
}
