//! The index of a search in PostgreSQL: it is made, used and left alone as it should be.

use crate::fixture::{PostgresFixture, ask_of, at, decided, yes};
use futures::future::join_all;
use holdpoint_ask::{Ask, AskId};
use holdpoint_journal::{
    PostgresJournal, Records as _, Search, Write, jiff::tz::TimeZone, prune, prune::prunable,
};
use test_postgres::Server;
use tokio_postgres::Client;

fn word(word: &str) -> Search {
    Search {
        words: vec![word.into()],
        ..Search::default()
    }
}

/// Opens and settles so many asks.
async fn ask(fixture: &PostgresFixture, count: usize, message: &str) -> Vec<AskId> {
    let mut ids = Vec::new();
    for _ in 0..count {
        let ask = ask_of(None, Ask::confirm(message));
        ids.push(ask.id);
        let settle = Write::Settle(decided(ask.id, yes()));
        fixture.commit([Write::OpenAsk(ask), settle]).await;
    }
    ids
}

async fn number(raw: &Client, sql: &str) -> i64 {
    raw.query_one(sql, &[]).await.unwrap().get(0)
}

async fn has_trigrams(raw: &Client) -> bool {
    let sql = "SELECT to_regclass('holdpoint.index_texts_trigrams') IS NOT NULL";
    raw.query_one(sql, &[]).await.unwrap().get(0)
}

#[tokio::test]
async fn trigrams_are_used_where_they_may_be_and_once_they_are_there() {
    let fixture = PostgresFixture::new().await;
    let raw = fixture.database.connect().await;
    ask(&fixture, 3, "Ship the zebra?").await;
    let name = &fixture.database.name;
    let admin = Server::shared().admin().await;
    let refuse = format!("REVOKE CREATE ON DATABASE {name} FROM {name}");
    admin.batch_execute(&refuse).await.unwrap();
    for _ in 0..2 {
        let found = fixture.journal.search(word("EBR")).await.unwrap();
        assert_eq!(found.asks.len(), 3);
        assert!(!has_trigrams(&raw).await);
    }
    // Another server may still make them: the extension was not created by this one.
    let allow = format!("GRANT CREATE ON DATABASE {name} TO {name}");
    admin.batch_execute(&allow).await.unwrap();
    raw.batch_execute("CREATE EXTENSION pg_trgm").await.unwrap();
    let found = fixture.journal.search(word("EBR")).await.unwrap();
    assert_eq!(found.asks.len(), 3);
    assert!(has_trigrams(&raw).await);
}

#[tokio::test]
async fn whoever_only_looks_finds_the_same_and_fills_nothing() {
    let fixture = PostgresFixture::new().await;
    let raw = fixture.database.connect().await;
    let ids = ask(&fixture, 3, "Ship the zebra?").await;
    let look = PostgresJournal::open_read_only(&fixture.database.url())
        .await
        .unwrap();
    for filled in [0, 6] {
        let found = look.search(word("zebra")).await.unwrap().asks;
        let found: Vec<_> = found.iter().rev().map(|ask| ask.id).collect();
        assert_eq!(found, ids);
        let stats = look.stats(word("zebra"), TimeZone::UTC).await.unwrap();
        assert_eq!(stats.asks, 3);
        let sql = "SELECT filled FROM holdpoint.index_state";
        assert_eq!(number(&raw, sql).await, filled);
        fixture.journal.search(word("zebra")).await.unwrap();
    }
}

#[tokio::test]
async fn an_index_of_another_version_is_made_again_or_left_alone() {
    let fixture = PostgresFixture::new().await;
    let raw = fixture.database.connect().await;
    ask(&fixture, 3, "Ship the zebra?").await;
    let check = async || {
        for _ in 0..2 {
            let found = fixture.journal.search(word("zebra")).await.unwrap();
            assert_eq!(found.asks.len(), 3);
            let stats = fixture.journal.stats(Search::default(), TimeZone::UTC);
            assert_eq!(stats.await.unwrap().asks, 3);
        }
    };
    check().await;
    // An older program put something else into it.
    raw.batch_execute(
        "UPDATE holdpoint.index_state SET version = 0; UPDATE holdpoint.index_texts SET text = '';
         DELETE FROM holdpoint.index_asks WHERE opened = 1",
    )
    .await
    .unwrap();
    check().await;
    // A newer one did: nothing of it is believed, and nothing of it is changed.
    raw.batch_execute(
        "UPDATE holdpoint.index_state SET version = 99; UPDATE holdpoint.index_texts SET text = ''",
    )
    .await
    .unwrap();
    check().await;
    let sql = "SELECT count(*) FROM holdpoint.index_texts WHERE text = ''";
    assert_eq!(number(&raw, sql).await, 3);
    let sql = "SELECT version::bigint FROM holdpoint.index_state";
    assert_eq!(number(&raw, sql).await, 99);
}

#[tokio::test]
async fn many_search_at_once_while_others_write() {
    let fixture = PostgresFixture::new().await;
    let other = fixture.other_process.clone().unwrap();
    for round in 1..=5 {
        let message = format!("Ship zebra {round}?");
        ask(&fixture, 20, &message).await;
        let searches = (0..8).map(|place| {
            let journal = if place % 2 == 0 {
                &fixture.journal
            } else {
                &other
            };
            journal.search(word("zebra"))
        });
        for found in join_all(searches).await {
            assert_eq!(found.unwrap().asks.len(), 20 * round);
        }
    }
}

#[tokio::test]
async fn what_is_pruned_is_not_in_the_index_either() {
    let fixture = PostgresFixture::new().await;
    let raw = fixture.database.connect().await;
    ask(&fixture, 3, "Ship the zebra?").await;
    let journal = &*fixture.journal;
    assert_eq!(journal.search(word("zebra")).await.unwrap().asks.len(), 3);
    let before = at(86_400);
    let found = prunable(journal, before, at(10 * 86_400)).await.unwrap();
    prune(journal, found, before, "ada", |_| {}).await.unwrap();
    for table in ["index_asks", "index_texts"] {
        let sql = format!("SELECT count(*) FROM holdpoint.{table}");
        assert_eq!(number(&raw, &sql).await, 0, "{table}");
    }
    let stats = journal.stats(Search::default(), TimeZone::UTC);
    assert_eq!(stats.await.unwrap().asks, 0);
    fixture.check_sound().await;
}
