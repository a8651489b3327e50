//! `holdpoint`: people's decisions in the loop of AI agents, over MCP.

mod cli;
mod init;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
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
