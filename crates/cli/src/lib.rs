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
//! | [`record`] | `holdpoint log`: the record, for people |
//! | [`terminal`] | asks in the terminal |
//! | [`log`] | the log, on standard error |

pub mod cli;
pub mod config;
pub mod demo;
pub mod doctor;
pub mod init;
pub mod log;
pub mod record;
pub mod serve;
pub mod terminal;

use clap::Parser;
use cli::{Cli, Command};
use std::process::ExitCode;

/// Runs the command that the command line names.
pub fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Init(args) => init::run(args).map(|()| ExitCode::SUCCESS),
        Command::Serve(args) => on_runtime(async {
            serve::run(args).await?;
            Ok(ExitCode::SUCCESS)
        }),
        Command::Demo(args) => on_runtime(demo::run(args)),
        Command::Log(args) => on_runtime(record::run(*args)),
        Command::Doctor(args) => on_runtime(doctor::run(args)),
    };
    done.unwrap_or_else(|error| {
        eprintln!("holdpoint: {error:#}");
        ExitCode::FAILURE
    })
}

fn on_runtime(command: impl Future<Output = anyhow::Result<ExitCode>>) -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let done = runtime.block_on(command);
    // A read of standard input may never end; what must be kept is in the journal already.
    runtime.shutdown_background();
    done
}
