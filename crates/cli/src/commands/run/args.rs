//! The command line of `holdpoint run`.

use crate::config::JournalArgs;
use clap::Args;
use std::{ffi::OsString, path::PathBuf};

/// The arguments of `holdpoint run`.
#[derive(Debug, Args)]
#[command(disable_help_flag = true, after_help = EXAMPLES)]
pub struct RunArgs {
    /// The options, beside the script's own arguments.
    #[command(flatten)]
    pub own: RunOptions,

    /// The script.
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,

    /// The method, where the script has several, and its arguments.
    #[arg(
        value_name = "METHOD] [--ARG VALUE",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub rest: Vec<OsString>,
}

/// The options of `holdpoint run`, beside the script's own arguments.
#[derive(Debug, Clone, Default, Args)]
pub struct RunOptions {
    /// A file of answers given beforehand: a JSON object of ask ids and answers. A dangerous ask is
    /// never answered this way.
    #[arg(long, value_name = "FILE")]
    pub answers: Option<PathBuf>,

    /// List what the method would ask; nobody is asked and nothing is done.
    #[arg(long)]
    pub asks: bool,

    /// Print all that is known of the run, as JSON.
    #[arg(long)]
    pub json: bool,

    /// Continue a run that was interrupted, by its id or a part of it. Without an id, list such runs.
    #[arg(long, value_name = "CALL", num_args = 0..=1, default_missing_value = "")]
    pub resume: Option<String>,

    /// Set an argument of the method whose name is also an option of this command.
    #[arg(long = "arg", value_name = "NAME=VALUE")]
    pub arg: Vec<String>,

    /// The folder in which the script reads, writes and runs programs. The current one by default.
    #[arg(long, value_name = "DIR")]
    pub workspace: Option<PathBuf>,

    /// Print the TypeScript declarations of what scripts yield. Save them as holdpoint.d.ts for your
    /// editor.
    #[arg(long)]
    pub types: bool,

    /// Where the record is.
    #[command(flatten)]
    pub journal: JournalArgs,

    /// Print help. After a file and a method, print that method's.
    #[arg(short, long)]
    pub help: bool,
}

impl RunOptions {
    /// With what was said behind the method.
    pub fn and(self, later: Self) -> Self {
        Self {
            answers: later.answers.or(self.answers),
            asks: self.asks || later.asks,
            json: self.json || later.json,
            resume: later.resume.or(self.resume),
            arg: [self.arg, later.arg].concat(),
            workspace: later.workspace.or(self.workspace),
            types: self.types || later.types,
            journal: later.journal.or(self.journal),
            help: self.help || later.help,
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  holdpoint run release.js                       its methods
  holdpoint run release.js tag --push            prompts, and does it
  holdpoint run release.js tag --asks            what it would ask
  holdpoint run survey.js ask --answers mine.json --json
  holdpoint run --resume                         what was interrupted

It asks in this terminal if a person is at one, and always in the inbox. The result goes to standard
output and everything else to standard error; standard input is never read. Ctrl-C withdraws what
is asked. The guide is docs/scripts.md.

Exit codes: 0 done, 1 declined, 2 wrong usage, 3 cancelled, 4 timed out, 5 nobody can be reached,
6 failed, invalid or withdrawn, 7 nobody was asked and nothing was run: the record cannot be kept, or what is set
is wrong.";
