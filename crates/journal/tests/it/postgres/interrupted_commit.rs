//! Commits whose answer never comes: what happened is looked up, never guessed.

use super::{
    load::Load,
    stand::{Stand, check_sound, decided_by, is_started, opened, settle, start_step},
};
use holdpoint_journal::{Journal, Settled, Written};
use std::time::Duration;
use test_postgres::CommitPoint::{self, Unanswered, Unsent};

/// What comes between a COMMIT and its answer.
#[derive(Debug, Clone, Copy)]
enum Fault {
    /// The connection is cut.
    Cut,
    /// The server is killed and started again.
    Kill,
    /// The server is stopped in order and started again.
    Restart,
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_comes_between_a_commit_and_its_answer_it_is_done_once() {
    for fault in [Fault::Cut, Fault::Kill, Fault::Restart] {
        for point in [Unsent, Unanswered] {
            check(fault, point).await;
        }
    }
}

async fn check(fault: Fault, point: CommitPoint) {
    let case = format!("{fault:?} {point:?}");
    let stand = Stand::new().await;
    let (journal, other) = (stand.behind_proxy().await, stand.direct().await);
    let (call, ask) = opened(&journal).await;
    for write in [settle(ask, "ada"), start_step(call, 1)] {
        let mut stop = stand.proxy.stop_at_commit(point);
        let commit = tokio::spawn(journal.commit(vec![write]));
        stop.reached().await;
        match fault {
            Fault::Cut => {}
            Fault::Kill => {
                stand.server.kill();
                stand.server.launch();
            }
            Fault::Restart => stand.server.restart(),
        }
        stop.cut();
        let written = commit.await.unwrap().unwrap().remove(0);
        let is_first = is_started(&written) || written == Written::Settled(Settled::Won);
        assert!(is_first, "{case}: {written:?}");
    }
    assert_eq!(
        decided_by(&other, ask).await.as_deref(),
        Some("ada"),
        "{case}"
    );
    check_sound(&other).await;
}

/// The one that was in doubt, and another that came between the fault and the look-up.
#[tokio::test(flavor = "multi_thread")]
async fn a_commit_in_doubt_is_found_below_what_others_have_written_since() {
    for (point, winner) in [(Unsent, "bob"), (Unanswered, "ada")] {
        let stand = Stand::new().await;
        let (journal, other) = (stand.behind_proxy().await, stand.direct().await);
        let (_, ask) = opened(&journal).await;
        let mut stop = stand.proxy.stop_at_commit(point);
        let commit = tokio::spawn(journal.commit(vec![settle(ask, "ada")]));
        stop.reached().await;
        stand.proxy.refuse();
        stop.cut();
        other.commit(vec![settle(ask, "bob")]).await.unwrap();
        for _ in 0..5 {
            opened(&other).await;
        }
        stand.proxy.heal();
        let written = commit.await.unwrap().unwrap().remove(0);
        let won = written == Written::Settled(Settled::Won);
        assert_eq!(won, winner == "ada", "{point:?}: {written:?}");
        assert_eq!(decided_by(&other, ask).await.as_deref(), Some(winner));
        check_sound(&other).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_killed_in_the_middle_of_commits_loses_nothing() {
    let stand = Stand::new().await;
    let journals = [stand.direct().await, stand.behind_proxy().await];
    let load = Load::begin(&journals, 4);
    for _ in 0..4 {
        load.decides(30).await;
        stand.server.kill();
        stand.server.launch();
    }
    load.decides(30).await;
    load.end().await.check(&journals[0]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_cut_again_and_again_lose_nothing() {
    let stand = Stand::new().await;
    let journals = [stand.behind_proxy().await, stand.behind_proxy().await];
    let load = Load::begin(&journals, 4);
    for round in 0..18 {
        load.decides(5).await;
        match round % 3 {
            0 => stand.proxy.cut(),
            1 => {
                let point = if round % 2 == 0 { Unsent } else { Unanswered };
                let mut stop = stand.proxy.stop_at_commit(point);
                stop.reached().await;
                stop.cut();
            }
            _ => stand.proxy.delay(Duration::from_millis(round % 7)),
        }
    }
    stand.proxy.heal();
    load.end().await.check(&journals[0]).await;
}
