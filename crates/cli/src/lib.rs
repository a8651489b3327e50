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
//! | [`inbox`] | `holdpoint inbox`: what is open, in the terminal or on the page |
//! | [`answer`] | `holdpoint answer`: one answer from a shell |
//! | [`ask`] | `holdpoint ask`: asking from a shell script |
//! | [`run`] | `holdpoint run`: a script in the terminal |
//! | [`pin`] | `holdpoint pin`: the PIN of dangerous asks |
//! | [`playground`] | scripts on the inbox page |
//! | [`notify`] | telling a person that an ask waits |
//! | [`terminal`] | asks in the terminal |
//! | [`shell`] | the desk of a command in a shell |
//! | [`log`] | the log, on standard error |

pub mod answer;
pub mod ask;
pub mod cli;
pub mod config;
pub mod demo;
pub mod doctor;
pub mod inbox;
pub mod init;
pub mod log;
pub mod notify;
pub mod pin;
pub mod playground;
pub mod record;
pub mod run;
pub mod serve;
pub mod shell;
pub mod terminal;

use clap::Parser;
use cli::{Cli, Command};
use std::process::ExitCode;
use tokio::runtime::Builder as Runtime;

/// Runs the command that the command line names.
pub fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Init(args) => init::run(args).map(|()| ExitCode::SUCCESS),
        Command::Serve(args) => on(runtime_for(&args), async {
            serve::run(args).await?;
            Ok(ExitCode::SUCCESS)
        }),
        Command::Demo(args) => on_runtime(demo::run(args)),
        Command::Log(args) => on_runtime(record::run(*args)),
        Command::Inbox(args) => on_runtime(inbox::run(args)),
        Command::Answer(args) => on_runtime(answer::run(args)),
        Command::Ask(args) => on_runtime(ask::run(args)),
        Command::Run(args) => on_runtime(run::run(args)),
        Command::Pin(args) => on_runtime(pin::run(args)),
        Command::Doctor(args) => on_runtime(doctor::run(args)),
    };
    done.unwrap_or_else(|error| {
        eprintln!("holdpoint: {error:#}");
        ExitCode::FAILURE
    })
}

/// One client is served on one thread: a call goes through many short tasks, and handing them to
/// another thread costs more than they do. The journal has threads of its own.
fn runtime_for(args: &serve::ServeArgs) -> Runtime {
    match args.http {
        None => Runtime::new_current_thread(),
        Some(_) => Runtime::new_multi_thread(),
    }
}

fn on_runtime(command: impl Future<Output = anyhow::Result<ExitCode>>) -> anyhow::Result<ExitCode> {
    on(Runtime::new_multi_thread(), command)
}

fn on(
    mut runtime: Runtime,
    command: impl Future<Output = anyhow::Result<ExitCode>>,
) -> anyhow::Result<ExitCode> {
    let runtime = runtime.enable_all().build()?;
    let done = runtime.block_on(command);
    // A read of standard input may never end; what must be kept is in the journal already.
    runtime.shutdown_background();
    done
}
