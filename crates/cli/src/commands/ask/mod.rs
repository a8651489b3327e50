//! `holdpoint ask`: asking from a shell script.
//!
//! | module | holds |
//! |---|---|
//! | [`args`] | the command line |
//! | [`question`] | the ask that it means |
//! | `wait` | asking in this terminal |
//! | [`output`] | what is printed: the value, and the exit code |

pub mod args;
pub mod output;
pub mod question;
mod wait;

pub use args::AskArgs;

use crate::{
    commands::{exit_code::USAGE, serve::shutdown},
    server_name::SERVER_NAME,
    shell::Shell,
    tracing_setup,
};
use holdpoint::{Answer, Ask, AskError, Channel, Decided, Desk, Origin, StandaloneAsk};
use std::{env, fmt::Display, process::ExitCode, sync::Arc};
use wait::AtTerminal;

/// Asks, and waits for the answer.
///
/// # Errors
/// When the record cannot be kept; then nothing was approved.
pub async fn run(args: AskArgs) -> anyhow::Result<ExitCode> {
    let mut question = match question::build(&args) {
        Ok(question) => question,
        Err(why) => return Ok(misused(&why)),
    };
    if let Err(flaw) = question.check() {
        return Ok(misused(&flaw));
    }
    tracing_setup::start_quietly()?;
    let shell = Shell::open(args.shared.journal.clone()).await?;
    if shell.inside_agent().is_some() {
        // What an agent asks has the usual word: one of its own could be what people type anyway.
        question.word = None;
    }
    let here = shell.is_person_here();
    let desk = shell.desk(channels(&shell, here)).await?;
    // From before it is asked: a Ctrl-C at any time takes it back.
    let stop = shutdown::requested()?;
    let form = question.form.clone();
    let asker = origin(&shell, args.shared.asked_as.as_deref(), "holdpoint ask");
    let mut opened = match desk.ask(asker, question).await {
        Ok(opened) => opened,
        Err(AskError::Flawed(flaw)) => return Ok(misused(&flaw)),
        Err(error) => return Err(error.into()),
    };
    let decided = if here {
        Box::pin(wait::wait(&shell, &desk, &mut opened, stop)).await?
    } else {
        wait(&desk, &mut opened, stop).await?
    };
    opened.recorded().await;
    output::print(&args, &form, &decided)
}

/// Asks the person at this terminal in the name of a command of ours, and waits. What they decide is recorded
/// like any other decision.
///
/// # Errors
/// When the record cannot be kept, or the terminal fails; then nothing was approved.
pub async fn at_terminal(
    shell: &Shell,
    question: Ask,
    command: &str,
) -> anyhow::Result<Decided<Answer>> {
    let desk = shell.desk(vec![Arc::new(AtTerminal)]).await?;
    let stop = shutdown::requested()?;
    let mut opened = desk.ask(origin(shell, None, command), question).await?;
    let decided = Box::pin(wait::wait(shell, &desk, &mut opened, stop)).await?;
    opened.recorded().await;
    Ok(decided)
}

fn misused(why: &dyn Display) -> ExitCode {
    eprintln!("holdpoint: {why}");
    ExitCode::from(USAGE)
}

/// Where the ask is shown: in the inbox, unless that is off, and in this terminal.
fn channels(shell: &Shell, here: bool) -> Vec<Arc<dyn Channel>> {
    let mut channels: Vec<Arc<dyn Channel>> = Vec::new();
    channels.extend(shell.inbox(here));
    if here {
        channels.push(Arc::new(AtTerminal));
    }
    channels
}

/// Who asks: an agent that has this shell does not ask as the person whose shell it is. A name that the script gives
/// itself stands beside that, and behind an agent's mark, which a list may cut otherwise.
fn origin(shell: &Shell, name: Option<&str>, tool: &str) -> Origin {
    let folder = env::current_dir().ok();
    let user = &shell.user;
    let (principal, client) = match &shell.agent {
        Some(agent) => {
            let mut client = format!("{user}'s shell, run by an agent: {agent}");
            if let Some(name) = name {
                client += &format!(", as {name}");
            }
            (format!("agent:{user}"), client)
        }
        None => {
            let client = match name {
                Some(name) => format!("{name}, in {user}'s shell"),
                None => format!("{user}'s shell"),
            };
            (format!("{}{user}", Origin::SHELL), client)
        }
    };
    Origin {
        principal,
        server: Some(SERVER_NAME.into()),
        client: Some(client.clone()),
        client_name: Some(client),
        tool: Some(tool.into()),
        workspace: folder.map(|folder| folder.to_string_lossy().into_owned()),
    }
}

/// Waits for an answer from the inbox; withdraws the ask when the process is to stop.
async fn wait(
    desk: &Desk,
    opened: &mut StandaloneAsk,
    stop: impl Future<Output = ()>,
) -> anyhow::Result<Decided<Answer>> {
    if desk
        .journal()
        .ask(opened.id())
        .await?
        .is_some_and(|record| record.decision.is_none())
    {
        eprintln!(
            "Waiting in the inbox: `holdpoint inbox`, or holdpoint answer {}",
            opened.id()
        );
    }
    tokio::select! {
        biased;
        decided = opened.decided() => return Ok(decided?),
        () = stop => {}
    }
    opened.withdraw().await;
    Ok(opened.decided().await?)
}
