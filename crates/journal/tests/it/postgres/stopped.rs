//! A replica that is stopped for longer than its lease, and then goes on.

use super::stand::{
    Stand, check_sound, eventually, is_started, one, opened, settle, start_step, take_over,
};
use crate::child_process::{ChildProcess, report, wait};
use holdpoint_ask::{AskId, CallId};
use holdpoint_journal::{PostgresJournal, Settled, StepStart, TakeOver, Written};
use std::{path::Path, process::Command};

/// What the replica does: it owns a call, and goes on with it when it is told to.
pub async fn own_a_call(url: &str) {
    let journal = PostgresJournal::open(url).await.unwrap();
    let (call, ask) = opened(&journal).await;
    report(&format!("{call} {ask}"));
    wait();
    match one(&journal, start_step(call, 1)).await {
        Written::Step(StepStart::Lost) => report("may not run it"),
        other => report(&format!("{other:?}")),
    }
    match one(&journal, settle(ask, "ada")).await {
        Written::Settled(Settled::Lost(first)) => report(&first.answered_by.unwrap()),
        other => report(&format!("{other:?}")),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replica_stopped_for_longer_than_its_lease_runs_and_settles_nothing_more() {
    let stand = Stand::new().await;
    let other = stand.direct().await;
    let url = stand.database.url();
    let mut stopped = ChildProcess::start("own in PostgreSQL", Path::new(&url));
    let ids = stopped.next_report().unwrap();
    let (call, ask) = ids.split_once(' ').unwrap();
    let (call, ask): (CallId, AskId) = (call.parse().unwrap(), ask.parse().unwrap());
    signal("-STOP", stopped.id());
    eventually("the lease runs out", async || {
        let taken = take_over(&other, call, jiff::Timestamp::now()).await;
        (taken == Written::TakeOver(TakeOver::Taken { epoch: 2 })).then_some(())
    })
    .await;
    assert!(is_started(&one(&other, start_step(call, 2)).await));
    let won = Written::Settled(Settled::Won);
    assert_eq!(one(&other, settle(ask, "bob")).await, won);
    signal("-CONT", stopped.id());
    stopped.go_on();
    stopped.expect("may not run it");
    stopped.expect("bob");
    check_sound(&other).await;
}

fn signal(signal: &str, process: u32) {
    let sent = Command::new("kill")
        .args([signal, &process.to_string()])
        .status();
    assert!(sent.unwrap().success());
}
