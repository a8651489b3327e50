//! Several replicas on one database: races, and one that is cut off for longer than its lease.

use super::stand::{
    PATIENCE, Stand, check_sound, decided_by, eventually, is_started, one, opened, settle,
    start_step, take_over,
};
use futures::future::join_all;
use holdpoint_journal::{Journal, Settled, StepStart, TakeOver, Write, Written};
use jiff::Timestamp;
use std::{sync::Arc, time::Duration};

#[tokio::test(flavor = "multi_thread")]
async fn of_eight_replicas_exactly_one_settles_each_ask() {
    let stand = Stand::new().await;
    let first = stand.direct().await;
    let mut asks = Vec::new();
    for _ in 0..50 {
        asks.push(opened(&first).await.1);
    }
    let replicas = join_all((0..8).map(|_| stand.direct())).await;
    let settling = replicas.iter().map(|replica| {
        let (replica, asks) = (replica.clone(), asks.clone());
        tokio::spawn(async move {
            let me = replica.owner().to_string();
            let settle = |ask| one(&replica, settle(ask, &me));
            join_all(asks.into_iter().map(settle)).await
        })
    });
    let said = join_all(settling).await;
    for (index, ask) in asks.iter().enumerate() {
        let winner = decided_by(&first, *ask).await.unwrap();
        for (replica, said) in replicas.iter().zip(&said) {
            let is_winner = replica.owner().to_string() == winner;
            match &said.as_ref().unwrap()[index] {
                Written::Settled(Settled::Won) => assert!(is_winner, "{ask} was won twice"),
                Written::Settled(Settled::Lost(first)) => {
                    assert!(!is_winner);
                    assert_eq!(first.answered_by.as_ref(), Some(&winner));
                }
                other => panic!("{other:?}"),
            }
        }
    }
    check_sound(&first).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replica_cut_off_for_longer_than_its_lease_runs_and_settles_nothing_more() {
    let stand = Stand::new().await;
    let (cut_off, other) = (stand.behind_proxy().await, stand.direct().await);
    let (call, ask) = opened(&cut_off).await;
    let held = Written::TakeOver(TakeOver::Held);
    assert_eq!(take_over(&other, call, Timestamp::now()).await, held);
    stand.proxy.hold();
    // What it does in the meantime comes too late.
    let step = tokio::spawn(cut_off.commit(vec![start_step(call, 1)]));
    eventually("the lease runs out", async || {
        let taken = take_over(&other, call, Timestamp::now()).await;
        (taken == Written::TakeOver(TakeOver::Taken { epoch: 2 })).then_some(())
    })
    .await;
    assert!(is_started(&one(&other, start_step(call, 2)).await));
    let won = Written::Settled(Settled::Won);
    assert_eq!(one(&other, settle(ask, "bob")).await, won);
    stand.proxy.heal();
    // It failed, since it waited for too long, or it was refused.
    if let Ok(late) = step.await.unwrap() {
        assert_eq!(late, [Written::Step(StepStart::Lost)]);
    }
    let late = one(&cut_off, start_step(call, 1)).await;
    assert_eq!(late, Written::Step(StepStart::Lost));
    let late = one(&cut_off, settle(ask, "ada")).await;
    assert!(
        matches!(late, Written::Settled(Settled::Lost(_))),
        "{late:?}"
    );
    let result = Write::FinishCall {
        call,
        epoch: 1,
        result: Arc::new("mine"),
        at: Timestamp::now(),
    };
    assert_eq!(one(&cut_off, result).await, Written::Applied(false));
    assert_eq!(decided_by(&other, ask).await.as_deref(), Some("bob"));
    check_sound(&other).await;
}

/// One that hangs in the middle of a transaction holds the head of the chain.
#[tokio::test(flavor = "multi_thread")]
async fn a_replica_cut_off_within_a_transaction_holds_the_others_up_for_seconds_only() {
    let stand = Stand::new().await;
    let (cut_off, other) = (stand.behind_proxy().await, stand.direct().await);
    let (_, ask) = opened(&cut_off).await;
    let mut stop = stand
        .proxy
        .stop_at_commit(test_postgres::CommitPoint::Unsent);
    let commit = tokio::spawn(cut_off.commit(vec![settle(ask, "ada")]));
    stop.reached().await;
    stand.proxy.hold();
    let settled = one(&other, settle(ask, "bob"));
    let settled = tokio::time::timeout(Duration::from_secs(15), settled).await;
    assert_eq!(settled.unwrap(), Written::Settled(Settled::Won));
    stand.proxy.heal();
    stop.pass();
    let written = tokio::time::timeout(PATIENCE, commit).await.unwrap();
    let written = written.unwrap().unwrap().remove(0);
    assert!(
        matches!(written, Written::Settled(Settled::Lost(_))),
        "{written:?}"
    );
    check_sound(&other).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_is_a_minute_off_takes_nothing_over() {
    let stand = Stand::new().await;
    let (owner, other) = (stand.direct().await, stand.direct().await);
    let (call, _) = opened(&owner).await;
    for skew in [-90, 90] {
        let at = Timestamp::now() + jiff::SignedDuration::from_secs(skew);
        let held = Written::TakeOver(TakeOver::Held);
        assert_eq!(take_over(&other, call, at).await, held, "{skew} s");
    }
    drop(owner);
    let taken = take_over(&other, call, Timestamp::now()).await;
    assert_eq!(taken, Written::TakeOver(TakeOver::Taken { epoch: 2 }));
    check_sound(&other).await;
}
