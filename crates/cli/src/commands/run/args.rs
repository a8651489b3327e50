//! The command line of `holdpoint run`.

use crate::config::JournalArgs;
use clap::Args;
use std::{ffi::OsString, path::PathBuf};

/// What `holdpoint run` is told.
#[derive(Debug, Args)]
#[command(disable_help_flag = true, after_help = EXAMPLES)]
pub struct RunArgs {
    /// What it is told beside the script's own arguments.
    #[command(flatten)]
    pub own: Own,

    /// The script.
    #[arg(value_name = "FILE.js")]
    pub file: Option<PathBuf>,

    /// The method, where the script has several, and its arguments.
    #[arg(
        value_name = "METHOD] [--ARG VALUE",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub rest: Vec<OsString>,
}

/// What `holdpoint run` is told beside the script's own arguments.
#[derive(Debug, Clone, Default, Args)]
pub struct Own {
    /// Answers given beforehand: a JSON object of ask ids and answers. Nothing that is dangerous is
    /// answered so.
    #[arg(long, value_name = "FILE")]
    pub answers: Option<PathBuf>,

    /// List what the method would ask; nobody is asked and nothing is done.
    #[arg(long)]
    pub asks: bool,

    /// Print all that is known of the run, as JSON.
    #[arg(long)]
    pub json: bool,

    /// Go on with a run that was interrupted; without an id, list those.
    #[arg(long, value_name = "CALL", num_args = 0..=1, default_missing_value = "")]
    pub resume: Option<String>,

    /// An argument of the method whose name is an option of this command.
    #[arg(long = "arg", value_name = "NAME=VALUE")]
    pub arg: Vec<String>,

    /// The folder in which the script reads, writes and runs programs; the current one unless said.
    #[arg(long, value_name = "DIR")]
    pub workspace: Option<PathBuf>,

    /// Print a declaration of what scripts yield, for editors: keep it as holdpoint.d.ts.
    #[arg(long)]
    pub types: bool,

    /// Where the record is.
    #[command(flatten)]
    pub journal: JournalArgs,

    /// Print help; behind a file and a method, that method's.
    #[arg(short, long)]
    pub help: bool,
}

impl Own {
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

It asks in this terminal, if a person is at one, and in the inbox always. The result goes to standard
output and everything else to standard error; standard input is never read. Ctrl-C takes back what
is asked. The guide is docs/scripts.md.

Exit codes: 0 done, 1 declined, 2 wrong usage, 3 cancelled, 4 timed out, 5 nobody can be reached,
6 failed, invalid or withdrawn.";
