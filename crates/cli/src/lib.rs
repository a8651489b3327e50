//! What the binary `holdpoint` is made of.
//!
//! | module | holds |
//! |---|---|
//! | [`built_without`] | what a build without a feature says where it is needed |
//! | [`cli`] | the command line |
//! | [`commands`] | the commands, one folder each |
//! | [`config`] | what is set, by whom, and what each may change |
//! | [`find_by_id`] | what an id, or a part of one, means |
//! | [`known_workspaces`] | the workspaces that a person can choose from |
//! | [`prompts`] | the prompts of harnesses as asks |
//! | [`notify`] | telling a person that an ask waits |
//! | [`near_words`] | what was meant by a command that there is not |
//! | [`own_command`] | how a person starts this program again |
//! | [`observed_channel`] | a channel of which somebody hears what it shows |
//! | [`page_reach`] | whether the page answers where others know it |
//! | [`script_page`] | scripts on the inbox page |
//! | [`server_name`] | what the server is called |
//! | [`service_units`] | units of systemd that start it |
//! | [`shell`] | the desk of a command in a shell |
//! | [`terminal`] | asks in the terminal |
//! | [`times`] | times as people write and read them |
//! | [`tool_set`] | the sets of tools that a server can have |
//! | [`tracing_setup`] | the log, on standard error |

pub mod built_without;
pub mod cli;
pub mod commands;
pub mod config;
pub mod find_by_id;
pub mod known_workspaces;
pub mod near_words;
pub mod notify;
pub mod observed_channel;
pub mod own_command;
pub mod page_reach;
pub mod prompts;
#[cfg(test)]
mod reference;
#[cfg(feature = "scripts")]
pub mod script_page;
pub mod server_name;
pub mod service_units;
pub mod shell;
pub mod terminal;
pub mod times;
pub mod tool_set;
pub mod tracing_setup;

use cli::Command;
use commands::{
    answer, ask, completions, demo, doctor, exit_code, hook, inbox, init, journal, log, man,
    person, pin, rules, serve, token, uninstall,
};
use config::ConfigError;
use std::process::ExitCode;
use tokio::runtime::Builder as Runtime;

/// Runs the command that the command line names.
pub fn main() -> ExitCode {
    holdpoint_inbox::file_limit::raise();
    let done = match near_words::parse().command {
        // Before everything else: a harness waits for it at each of its tool calls.
        Command::Hook(args) => return hook::run(&args),
        Command::Rules(args) => on_runtime(rules::run(args)),
        Command::Init(args) => on_runtime(init::run(args)),
        Command::Serve(args) => on(runtime_for(&args), async {
            serve::run(args).await?;
            Ok(ExitCode::SUCCESS)
        }),
        Command::Demo(args) => on_runtime(demo::run(args)),
        Command::Log(args) => on_runtime(log::run(*args)),
        Command::Journal(args) => on_runtime(journal::run(args)),
        Command::Inbox(args) => on_runtime(inbox::run(args)),
        Command::Answer(args) => on_runtime(answer::run(args)),
        Command::Ask(args) => on_runtime(ask::run(args)),
        #[cfg(feature = "scripts")]
        Command::Run(args) => on_runtime(commands::run::run(args)),
        #[cfg(not(feature = "scripts"))]
        Command::Run(_) => Err(built_without::error("scripts", "scripts")),
        Command::Pin(args) => on_runtime(pin::run(args)),
        Command::Person(args) => on_runtime(person::run(args)),
        Command::Token(args) => on_runtime(token::run(args)),
        Command::Doctor(args) => on_runtime(doctor::run(args)),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
        Command::Uninstall(args) => on_runtime(uninstall::run(args)),
    };
    done.unwrap_or_else(|error| {
        eprintln!("holdpoint: {error:#}");
        match error.downcast_ref::<ConfigError>() {
            Some(wrong) if wrong.is_of_flag() => ExitCode::from(exit_code::USAGE),
            _ => ExitCode::FAILURE,
        }
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
