//! What the binary `holdpoint` is made of.
//!
//! | module | holds |
//! |---|---|
//! | [`cli`] | the command line |
//! | [`config`] | what is set, by whom, and what each may change |
//! | [`serve`] | `holdpoint serve`: the MCP server, over stdio and HTTP |
//! | [`demo`] | `holdpoint demo`: a newcomer's first ask |
//! | [`doctor`] | `holdpoint doctor`: what is wrong, and how to mend it |
//! | [`init`] | `holdpoint init`: registers the server with a client |

pub mod cli;
pub mod config;
pub mod init;

use clap::Parser;
use std::process::ExitCode;

/// Runs the command that the command line names.
pub fn main() -> ExitCode {
    let done = match cli::Cli::parse().command {
        cli::Command::Init(args) => init::run(args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("holdpoint: {error:#}");
            ExitCode::FAILURE
        }
    }
}
