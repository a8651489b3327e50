//! `holdpoint demo`: a newcomer's first ask.
//!
//! A real plan approval over real MCP, in one process: an MCP client stands for the agent, the
//! server is the one that `holdpoint serve` runs, and between them is a pipe. Only the journal is a
//! temporary one, with an inbox page of its own, where the answer may be given as well.
//!
//! | module | holds |
//! |---|---|
//! | `agent` | the client: it calls the tool, and shows the form |
//! | `given_beforehand` | the answer of `--answer`, as a channel |
//! | `print` | what is printed |

mod agent;
mod given_beforehand;
mod print;

use crate::{
    commands::{
        exit_code::{INTERRUPTED, UNREACHABLE},
        serve::{build, page as page_of},
    },
    config::Config,
    own_command::own_command,
    terminal::{self, person},
};
use agent::Agent;
use anyhow::Context;
use clap::{Args, ValueEnum};
use given_beforehand::GivenBeforehand;
use holdpoint::{Channel, ClientProfile};
use holdpoint_inbox::{
    Keys,
    page_host::{self, PageConfig},
};
use rmcp::ServiceExt;
use serde_json::json;
use std::{net::SocketAddr, process::ExitCode, sync::Arc};
use tokio_util::sync::CancellationToken;

/// The arguments of `holdpoint demo`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct DemoArgs {
    /// Give this answer instead of asking: for machines without a person.
    #[arg(long, value_enum, value_name = "DECISION")]
    pub answer: Option<Decision>,
}

/// What can be decided about a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum Decision {
    /// Start.
    Approve,
    /// Revise it first.
    RequestChanges,
    /// Stop here.
    Cancel,
}

impl Decision {
    fn as_str(self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::RequestChanges => "request_changes",
            Self::Cancel => "cancel",
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  holdpoint demo
  holdpoint demo --answer approve

Your own record is not touched: the journal is a temporary one. It is gone at the end, unless a person
decided: then it says where the journal is.
Exit codes: 0 shown, whatever the decision; 5 no terminal, and no --answer; 130 stopped with Ctrl-C.";

/// Shows it, until its end or Ctrl-C.
///
/// # Errors
/// When the demonstration itself fails.
pub async fn run(args: DemoArgs) -> anyhow::Result<ExitCode> {
    if args.answer.is_none() && !person::is_here() {
        eprintln!(
            "holdpoint: there is no terminal here, so nobody can be asked. Run this in a \
             terminal, or give the answer: holdpoint demo --answer approve"
        );
        return Ok(ExitCode::from(UNREACHABLE));
    }
    // At a prompt Ctrl-C is a key, elsewhere a signal.
    let left = CancellationToken::new();
    tokio::select! {
        biased;
        () = left.cancelled() => {}
        Ok(()) = tokio::signal::ctrl_c() => terminal::release(),
        shown = Box::pin(show(args, left.clone())) => {
            shown?;
            return Ok(ExitCode::SUCCESS);
        }
    }
    print::stopped();
    Ok(ExitCode::from(INTERRUPTED))
}

/// Shows it; `left` is told when the person presses Ctrl-C at the form, and then this goes no further.
async fn show(args: DemoArgs, left: CancellationToken) -> anyhow::Result<()> {
    let folder = tempfile::Builder::new().prefix("holdpoint-demo-").tempdir();
    let folder = folder.context("cannot make a temporary folder")?;
    let url = format!("sqlite:{}", folder.path().join("journal.db").display());
    // In a demonstration nobody is hurried.
    let mut config = Config {
        timeout: None,
        ..Config::default()
    };
    // Its client is ours, and selects nothing by itself.
    let mut profile = ClientProfile::default();
    profile.preselects_first = false;
    config.clients.insert(agent::CLIENT.to_owned(), profile);
    let wanted = PageConfig::at(SocketAddr::from(([127, 0, 0, 1], 0)));
    let inbox = args.answer.is_none().then(|| page_of::channel(&wanted));
    // The demonstration is played in a journal of its own, and no PIN is asked for in it.
    let pin = holdpoint::PinPlace::Journal;
    let given = args
        .answer
        .map(|answer| -> Arc<dyn Channel> { Arc::new(GivenBeforehand(answer)) });
    let (folder_of, inbox_of) = (folder.path(), inbox.as_ref());
    let built = build::server(&config, folder_of, &url, pin, inbox_of, given, None).await?;
    let (server, desk) = (built.server, built.desk);
    // As long as a no needs to be a person's.
    let reading = desk.settings().reading_time(true);
    let stop = CancellationToken::new();
    let address = match inbox {
        None => None,
        Some(inbox) => {
            let keys = Keys::open(desk.journal().as_ref()).await?;
            page_host::host(desk, inbox.clone(), wanted, stop.clone()).await?;
            Some(format!("{}/#key={}", inbox.address(), keys.opening_key()?))
        }
    };
    let arguments = json!({
        "planName": "rate-limiting",
        "planSummary": "Give the public API a rate limit: 100 requests a minute for each key, \
                        counted in memory, with `429` and `Retry-After` beyond that.",
        "phaseCount": 3,
        "openQuestions": ["What should count as one client? API key / IP address"],
    });
    print::asks(agent::TOOL, &arguments);

    let (near, far) = tokio::io::duplex(64 * 1024);
    let (read, write) = tokio::io::split(near);
    let serving = tokio::spawn(async move {
        let running = server.serve(holdpoint::over(read, write)).await?;
        running.waiting().await.map_err(anyhow::Error::from)
    });
    let agent = Agent::new(args.answer.is_none(), address, reading, left)
        .serve(far)
        .await?;
    let result = agent::call(&agent, arguments).await?;
    agent.cancel().await?;
    serving.await??;
    stop.cancel();

    print::result(&result);
    print::recorded(holdpoint::journal::open(&url).await?.as_ref()).await?;
    let kept = args.answer.is_none().then(|| folder.keep());
    print::next(&own_command(), kept.as_deref());
    Ok(())
}
