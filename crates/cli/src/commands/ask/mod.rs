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
    commands::{
        exit_code::{FAILED, NOBODY_ASKED, USAGE},
        serve::shutdown,
    },
    find_by_id,
    server_name::SERVER_NAME,
    shell::Shell,
    tracing_setup,
};
use futures::{FutureExt as _, future::BoxFuture};
use holdpoint::{Answer, Ask, AskError, Channel, Decided, Desk, Origin, StandaloneAsk};
use holdpoint_ask::{describe::error_chain, short_id};
use std::{env, fmt::Display, process::ExitCode, sync::Arc};
use wait::AtTerminal;

/// Asks, and waits for the answer. What fails has an exit code of its own: that of a no is a person's word.
///
/// # Errors
/// None: each has its exit code.
pub async fn run(args: AskArgs) -> anyhow::Result<ExitCode> {
    let mut question = match question::build(&args) {
        Ok(question) => question,
        Err(why) => return Ok(misused(&why)),
    };
    if let Err(flaw) = question.check() {
        return Ok(misused(&flaw));
    }
    let prepared = match Prepared::new(&args).await {
        Ok(prepared) => prepared,
        Err(error) => return Ok(failed(&error, NOBODY_ASKED)),
    };
    if prepared.shell.inside_agent().is_some() {
        // What an agent asks has the usual word: one of its own could be what people type anyway.
        question.word = None;
    }
    let form = question.form.clone();
    Ok(match Box::pin(prepared.ask(&args, question)).await {
        Ok(decided) => output::print(&args, &form, &decided).unwrap_or_else(|error| {
            eprintln!("holdpoint: the answer was not printed: {error:#}");
            ExitCode::from(FAILED)
        }),
        Err(error) => match error.downcast_ref::<AskError>() {
            Some(AskError::Flawed(flaw)) => misused(flaw),
            Some(AskError::NotAsked(why)) => {
                failed(&anyhow::anyhow!(error_chain(why)), NOBODY_ASKED)
            }
            Some(AskError::TooMany { .. }) => failed(&error, NOBODY_ASKED),
            _ => failed(&error, FAILED),
        },
    })
}

/// All that is needed before anybody is asked.
struct Prepared {
    shell: Shell,
    desk: Desk,
    /// A person is at this terminal.
    here: bool,
    /// The process is told to stop.
    stop: BoxFuture<'static, ()>,
}

impl Prepared {
    async fn new(args: &AskArgs) -> anyhow::Result<Self> {
        tracing_setup::start_quietly()?;
        let shell = Shell::open(args.shared.journal.clone()).await?;
        let here = shell.is_person_here();
        Ok(Self {
            desk: shell.desk(channels(&shell, here)).await?,
            here,
            shell,
            // From before it is asked: a Ctrl-C at any time takes it back.
            stop: shutdown::requested()?.boxed(),
        })
    }

    async fn ask(self, args: &AskArgs, question: Ask) -> anyhow::Result<Decided<Answer>> {
        let (shell, desk) = (&self.shell, &self.desk);
        let asker = origin(shell, args.shared.asked_as.as_deref(), "holdpoint ask");
        let mut opened = desk.ask(asker, question).await?;
        let decided = if self.here {
            Box::pin(wait::wait(shell, desk, &mut opened, self.stop)).await?
        } else {
            wait(desk, &mut opened, self.stop).await?
        };
        opened.recorded().await;
        Ok(decided)
    }
}

/// Says what failed, and whether anybody was asked.
fn failed(error: &anyhow::Error, code: u8) -> ExitCode {
    match code {
        NOBODY_ASKED => eprintln!("holdpoint: nobody was asked: {error:#}"),
        _ => eprintln!("holdpoint: {error:#}"),
    }
    ExitCode::from(code)
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
        let id = find_by_id::shown(desk.journal().as_ref(), opened.id()).await;
        let id = id.unwrap_or_else(|_| short_id(&opened.id()));
        eprintln!("Waiting in the inbox: `holdpoint inbox`, or holdpoint answer {id}");
    }
    tokio::select! {
        biased;
        decided = opened.decided() => return Ok(decided?),
        () = stop => {}
    }
    opened.withdraw().await;
    Ok(opened.decided().await?)
}
