//! Limits of the server: connections, and the time of a statement.

use super::stand::{Stand, check_sound, decided_by, one, opened, settle};
use futures::future::join_all;
use holdpoint_ask::describe::error_chain;
use holdpoint_journal::{Journal, Settled, Written};
use std::{sync::Arc, time::Duration};
use test_postgres::Options;

#[tokio::test(flavor = "multi_thread")]
async fn without_a_free_connection_a_read_says_so_and_a_write_waits() {
    let limit = Options::new()
        .set("max_connections", "10")
        .set("superuser_reserved_connections", "3");
    let stand = Stand::with(limit).await;
    let journal = stand.behind_proxy().await;
    let (_, ask) = opened(&journal).await;
    // All that is left, and what the journal gives up when its connections are cut.
    let mut taken = Vec::new();
    stand.proxy.refuse();
    stand.proxy.cut();
    let more = async || {
        let (client, link) = tokio_postgres::connect(&stand.database.url(), tokio_postgres::NoTls)
            .await
            .ok()?;
        tokio::spawn(link);
        Some(client)
    };
    super::stand::eventually("all connections are taken", async || {
        match more().await {
            Some(client) => taken.push(client),
            None => return (taken.len() == 7).then_some(()),
        }
        None
    })
    .await;
    stand.proxy.heal();
    let refused = error_chain(&journal.ask(ask).await.unwrap_err());
    assert!(
        refused.contains("connection") || refused.contains("clients"),
        "{refused}"
    );
    let mut commit = tokio::spawn(journal.commit(vec![settle(ask, "ada")]));
    let soon = tokio::time::timeout(Duration::from_secs(1), &mut commit).await;
    assert!(soon.is_err(), "{soon:?}");
    taken.clear();
    let written = commit.await.unwrap().unwrap();
    assert_eq!(written, [Written::Settled(Settled::Won)]);
    assert_eq!(decided_by(&journal, ask).await.as_deref(), Some("ada"));
    check_sound(&journal).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn more_reads_than_connections_wait_for_their_turn() {
    let stand = Stand::new().await;
    let journal = stand.direct().await;
    let (_, ask) = opened(&journal).await;
    let reads = (0..200).map(|_| {
        let journal: Arc<_> = journal.clone();
        tokio::spawn(async move { journal.ask(ask).await.unwrap().unwrap().id })
    });
    for read in join_all(reads).await {
        assert_eq!(read.unwrap(), ask);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_that_takes_too_long_ends_a_read_and_no_commit() {
    let stand = Stand::new().await;
    let admin = stand.server.admin().await;
    let name = &stand.database.name;
    for limit in ["statement_timeout", "lock_timeout"] {
        let sql = format!("ALTER ROLE {name} SET {limit} = '200ms'");
        admin.batch_execute(&sql).await.unwrap();
    }
    let journal = stand.direct().await;
    let (_, ask) = opened(&journal).await;
    let blocker = stand.database.connect().await;
    let sql = "BEGIN; LOCK TABLE holdpoint.head, holdpoint.events IN ACCESS EXCLUSIVE MODE";
    blocker.batch_execute(sql).await.unwrap();
    let mut commit = tokio::spawn(journal.commit(vec![settle(ask, "ada")]));
    let refused = error_chain(&journal.ask(ask).await.unwrap_err());
    assert!(refused.contains("_timeout"), "{refused}");
    let soon = tokio::time::timeout(Duration::from_secs(1), &mut commit).await;
    assert!(soon.is_err(), "{soon:?}");
    blocker.batch_execute("ROLLBACK").await.unwrap();
    let written = commit.await.unwrap().unwrap();
    assert_eq!(written, [Written::Settled(Settled::Won)]);
    let again = one(&journal, settle(ask, "bob")).await;
    assert!(
        matches!(again, Written::Settled(Settled::Lost(_))),
        "{again:?}"
    );
    check_sound(&journal).await;
}
