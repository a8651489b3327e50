//! `holdpoint log`: the record, for people.
//!
//! | module | holds |
//! |---|---|
//! | [`filter`] | which asks are meant |
//! | [`entries`] | one ask as entries: asked, decided, executed |
//! | [`runs`] | runs of scripts: what they did, and how they ended |
//! | [`list`], [`tail`], [`odd`], [`show`], [`stats`], [`export`], [`verify`] | the commands |
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
pub mod tail;
pub mod verify;

use crate::{
    commands::exit_code::USAGE,
    config::{Environment, JournalArgs},
    shell::own_config,
    times,
};
use clap::{Args, Subcommand};
use filter::FilterArgs;
use holdpoint::journal::{self, AskQuery, JournalEngine, RunSearch};
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
#[command(after_help = EXAMPLES)]
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
    #[arg(long, short = 'n', value_name = "NUMBER", default_value_t = list::USUAL)]
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
    #[arg(long, global = true)]
    pub json: bool,
}

/// What else it can do.
#[derive(Debug, Subcommand)]
pub enum LogCommand {
    /// Search for asks and runs with these words: the same as to list with words.
    Search(ListArgs),
    /// List asks and runs, the newest first: the same as without a command.
    #[command(visible_alias = "ls")]
    List(ListArgs),
    /// Print the latest, the newest last; with --follow also what comes.
    Tail(tail::TailArgs),
    /// Show one ask in full: what was shown, who answered, what ran after it. Or one run of a script:
    /// what it was given, asked and did.
    Show {
        /// The id of the ask or run, or a part of it of at least four digits that no other has.
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
  holdpoint log show 7c1e9a41                        one ask in full
  holdpoint log tail --follow                        the latest, and what comes
  holdpoint log stats --since 2026-11-01             counts
  holdpoint log stats --by tool --until yesterday    rates and response times of each tool
  holdpoint log odd                                  what looks odd
  holdpoint log verify                               has anybody changed the record?
  holdpoint log search list                          the word `list`, not the command
  holdpoint log -- list                              the same

Words are searched for in what was shown, where it came from and what was answered, and in what runs of
scripts were given and did; also within other words. Case and accents do not matter.

Exit codes: 0 done (also when nothing is found), 1 the record is flawed or cannot be read, or there
is no such ask, 2 wrong usage.";

/// Reads the record and prints what is wanted of it.
///
/// # Errors
/// When the journal cannot be read, or an argument is wrong.
pub async fn run(args: LogArgs) -> anyhow::Result<ExitCode> {
    if let (Some(command), Some(said)) = (&args.command, args.list.said()) {
        let command = command.name();
        eprintln!("holdpoint: {said} belongs behind `{command}`: holdpoint log {command} {said} …");
        return Ok(ExitCode::from(USAGE));
    }
    let common = match &args.command {
        None => &args.list.common,
        Some(LogCommand::Search(args) | LogCommand::List(args)) => &args.common,
        Some(LogCommand::Tail(args)) => &args.common,
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
        Some(LogCommand::Search(args) | LogCommand::List(args)) => {
            list::run(&record, &mut out, args).await
        }
        Some(LogCommand::Tail(args)) => {
            return closed_is_fine(tail::run(record, &mut out, args).await);
        }
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
        None | Some(LogCommand::Search(_) | LogCommand::List(_) | LogCommand::Stats { .. })
    );
    if lists
        && !common.json
        && let Some(gone) = record.pruned().await?
    {
        eprintln!("Not all of it is there: {gone}.");
    }
    closed_is_fine(done)
}

/// That the reader closed the pipe is no fault.
fn closed_is_fine(done: anyhow::Result<ExitCode>) -> anyhow::Result<ExitCode> {
    match done {
        Err(error) if output::is_closed(&error) => Ok(ExitCode::SUCCESS),
        done => done,
    }
}

impl LogCommand {
    /// The word for it.
    fn name(&self) -> &'static str {
        match self {
            Self::Search(_) => "search",
            Self::List(_) => "list",
            Self::Tail(_) => "tail",
            Self::Show { .. } => "show",
            Self::Stats { .. } => "stats",
            Self::Odd(_) => "odd",
            Self::Export(_) => "export",
            Self::Verify(_) => "verify",
        }
    }

    /// The words for all of them, as they may be misspelt.
    const NAMES: [&str; 8] = [
        "search", "list", "tail", "show", "stats", "odd", "export", "verify",
    ];
}

impl ListArgs {
    /// What was said of what to list, if anything was, but for what all commands take.
    fn said(&self) -> Option<&'static str> {
        let other = [
            (self.limit != list::USUAL, "--limit"),
            (self.before.is_some(), "--before"),
        ];
        let other = other.into_iter().find(|(is_said, _)| *is_said);
        self.filter.said().or(other.map(|(_, name)| name))
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
    address: String,
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
        if let Some(path) = missing_file(&url) {
            eprintln!("There is no record yet: nothing was asked at {path}.");
        }
        Self::at(url).await
    }

    async fn at(address: String) -> anyhow::Result<Self> {
        let is_missing = missing_file(&address).is_some();
        Ok(Self {
            is_missing,
            journal: if is_missing {
                journal::open("memory:").await?
            } else {
                journal::open_read_only(&address).await?
            },
            url: journal::shown_address(&address).into_owned(),
            address,
            zone: TimeZone::system(),
            now: Timestamp::now(),
        })
    }

    /// The same, where its file has come by now.
    async fn come(&self) -> anyhow::Result<Option<Self>> {
        match missing_file(&self.address) {
            Some(_) => Ok(None),
            None => Self::at(self.address.clone()).await.map(Some),
        }
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

    /// Why nothing is found, where nothing could be: nothing is on record. None where something is, or where that
    /// was said already.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub async fn emptiness(&self) -> anyhow::Result<Option<&'static str>> {
        let (asks, runs) = (
            AskQuery {
                limit: Some(1),
                ..AskQuery::default()
            },
            RunSearch {
                limit: Some(1),
                ..RunSearch::default()
            },
        );
        let is_empty = !self.is_missing
            && self.journal.asks(asks).await?.is_empty()
            && self.journal.runs(runs).await?.runs.is_empty();
        Ok(is_empty.then_some("The record is empty: nothing was asked yet."))
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
