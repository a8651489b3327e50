//! What the rules leave to a person, and what a harness says to be over: both need the record.

use crate::{
    commands::serve::shutdown,
    config::JournalArgs,
    prompts::{
        ask::{Asked, Running},
        settle::{settle, still_open},
        withdraw,
    },
    shell::Shell,
    tracing_setup,
};
use anyhow::Context;
use holdpoint::Withdrawal;
use holdpoint_harness::{Decision, Harness, Incoming, Over};
use holdpoint_policy::Rules;
use std::time::{Duration, Instant};
use tokio::{
    runtime::Builder,
    time::{sleep_until, timeout_at},
};

/// Decides with the record at hand, before this moment.
///
/// # Errors
/// When the record cannot be read or kept; then nothing was approved.
pub fn decide(incoming: &Incoming, rules: &Rules, until: Instant) -> anyhow::Result<Decision> {
    on_runtime(with_record(incoming, rules, until))
}

/// Takes back what the harness says to be over, before this moment.
///
/// # Errors
/// When the record cannot be read or kept by then.
pub fn withdraw(incoming: &Incoming, over: &Over, until: Instant) -> anyhow::Result<()> {
    on_runtime(async {
        let withdrawn = async {
            let shell = Shell::open(JournalArgs::default()).await?;
            let desk = shell.desk(Vec::new()).await?;
            withdraw::withdraw(&desk, incoming, over).await.map(drop)
        };
        let withdrawn = timeout_at(until.into(), withdrawn).await;
        withdrawn.context("the record does not answer")?
    })
}

fn on_runtime<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    tracing_setup::start_quietly()?;
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let done = runtime.block_on(work);
    // A notification may still be under way.
    runtime.shutdown_background();
    done
}

async fn with_record(
    incoming: &Incoming,
    rules: &Rules,
    until: Instant,
) -> anyhow::Result<Decision> {
    let shell = Shell::open(JournalArgs::default()).await?;
    let desk = shell.desk(shell.inbox(false).into_iter().collect()).await?;
    let defers = can_defer(incoming);
    let until = if defers {
        until.min(Instant::now() + shell.config.hold)
    } else {
        until
    };
    let stop = shutdown::requested()?;
    let mut stopped = false;
    let over = async {
        tokio::select! {
            () = sleep_until(until.into()) => {}
            () = harness_gone() => {}
            () = stop => stopped = true,
        }
    };
    let running = Running::default();
    let settled = Box::pin(settle(&desk, incoming, rules, &running, over)).await?;
    let ask = match settled {
        Asked::Decided(decision) => return Ok(decision),
        Asked::Open(ask) => ask,
    };
    if stopped && is_dialog_answered(incoming) {
        desk.take_back(ask, Withdrawal::AnsweredInHarness).await?;
    }
    let reason = still_open(ask);
    Ok(if defers {
        Decision::Defer { reason }
    } else {
        Decision::Deny { reason }
    })
}

/// Claude Code stops the hook beside its own dialog when that was answered with a no.
fn is_dialog_answered(incoming: &Incoming) -> bool {
    incoming.harness == Harness::Claude && incoming.event == "PermissionRequest"
}

/// Waits until the harness is gone without having stopped us: a yes would reach nobody, and be used up.
async fn harness_gone() {
    #[cfg(unix)]
    {
        let parent = std::os::unix::process::parent_id();
        while std::os::unix::process::parent_id() == parent && !nobody_reads() {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }
    #[cfg(not(unix))]
    std::future::pending::<()>().await;
}

/// Whether nobody will read what we say. Our parent may be a shell, which outlives the harness.
#[cfg(unix)]
fn nobody_reads() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let out = std::io::stdout();
    let mut watched = [PollFd::new(&out, PollFlags::empty())];
    let looked = poll(&mut watched, Some(&Timespec::default()));
    let closed = PollFlags::ERR | PollFlags::HUP;
    looked.is_ok() && watched[0].revents().intersects(closed)
}

/// A headless run of Claude Code can end here and be resumed, and then it asks again.
fn can_defer(incoming: &Incoming) -> bool {
    incoming.harness == Harness::Claude && incoming.unattended && incoming.event == "PreToolUse"
}
