//! The server is lost, and a standby takes its place.

use super::{
    load::Load,
    stand::{Stand, check_sound, decided_by, eventually, opened, settle},
};
use holdpoint_journal::{Journal, Settled, Written};
use std::time::Duration;
use test_postgres::{CommitPoint, Server};

/// A primary that waits for its standby at each commit.
async fn with_standby() -> (Stand, Server) {
    let stand = Stand::new().await;
    let standby = stand.server.standby();
    stand.server.wait_for_standby_at_commit().await;
    (stand, standby)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_promoted_standby_has_all_that_was_acknowledged() {
    let (stand, standby) = with_standby().await;
    let journals = [stand.behind_proxy().await, stand.behind_proxy().await];
    let load = Load::begin(&journals, 4);
    load.decides(60).await;
    stand.server.kill();
    // Clients find it before it may be written to.
    stand.proxy.lead_to(standby.address());
    standby.promote().await;
    load.decides(60).await;
    load.end().await.check(&journals[0]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_in_doubt_is_looked_up_at_the_promoted_standby() {
    for point in [CommitPoint::Unsent, CommitPoint::Unanswered] {
        let (stand, standby) = with_standby().await;
        let journal = stand.behind_proxy().await;
        let (_, ask) = opened(&journal).await;
        let mut stop = stand.proxy.stop_at_commit(point);
        let commit = tokio::spawn(journal.commit(vec![settle(ask, "ada")]));
        stop.reached().await;
        stand.server.kill();
        stand.proxy.lead_to(standby.address());
        standby.promote().await;
        let written = commit.await.unwrap().unwrap();
        assert_eq!(written, [Written::Settled(Settled::Won)], "{point:?}");
        assert_eq!(decided_by(&journal, ask).await.as_deref(), Some("ada"));
        check_sound(&journal).await;
    }
}

/// The primary has it on its disk and the standby has not: it would be lost with the primary.
#[tokio::test(flavor = "multi_thread")]
async fn what_the_standby_does_not_have_is_not_acknowledged() {
    let (stand, standby) = with_standby().await;
    let journal = stand.direct().await;
    let (_, ask) = opened(&journal).await;
    standby.pause();
    let mut commit = tokio::spawn(journal.commit(vec![settle(ask, "ada")]));
    let admin = stand.server.admin().await;
    let waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND datname = $1";
    let name = &stand.database.name;
    let backend = eventually("the commit waits for the standby", async || {
        let found = admin.query_opt(waiting, &[name]).await.unwrap();
        found.map(|row| row.get::<_, i32>(0))
    });
    let backend = backend.await;
    // Its answer is lost, and what it wrote can be seen.
    let end = "SELECT pg_terminate_backend($1)";
    admin.execute(end, &[&backend]).await.unwrap();
    let soon = tokio::time::timeout(Duration::from_secs(2), &mut commit).await;
    assert!(soon.is_err(), "acknowledged: {soon:?}");
    standby.resume();
    let written = commit.await.unwrap().unwrap();
    assert_eq!(written, [Written::Settled(Settled::Won)]);
    stand.server.kill();
    standby.promote().await;
    let journal = stand.journal_at(standby.address()).await;
    assert_eq!(decided_by(&journal, ask).await.as_deref(), Some("ada"));
    check_sound(&journal).await;
}
