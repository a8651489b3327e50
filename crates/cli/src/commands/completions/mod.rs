//! `holdpoint completions`: what a shell needs to complete our command line.

use crate::cli::Cli;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::{
    io::{self, ErrorKind, Write},
    process::ExitCode,
};

/// The arguments of `holdpoint completions`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CompletionsArgs {
    /// The shell.
    pub shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  source <(holdpoint completions bash)                                   in ~/.bashrc
  holdpoint completions zsh > ~/.zfunc/_holdpoint                        a folder of your fpath
  holdpoint completions fish > ~/.config/fish/completions/holdpoint.fish
  holdpoint completions powershell | Out-String | Invoke-Expression      in $PROFILE";

/// Prints it.
///
/// # Errors
/// When it cannot be printed.
pub fn run(args: &CompletionsArgs) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "holdpoint", &mut script);
    match io::stdout().write_all(&script) {
        // The reader closed the pipe.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
        written => written?,
    }
    Ok(ExitCode::SUCCESS)
}
