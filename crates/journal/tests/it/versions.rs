//! Programs of two versions over one journal: what a newer one only added locks no older one out.

use crate::fixture::{FileFixture, ask_of, decided, yes};
use holdpoint_ask::{Ask, AskId, CallId};
use holdpoint_journal::{
    EventKind, Journal, JournalError, Records, Search, SqliteJournal, Upkeep, Write, copy,
    rules::{Head, Link},
};
use rusqlite::Connection;

/// What a newer program might do: a column, a table, an index and a kind of event that nobody here knows.
fn add_as_a_newer_one_would(raw: &Connection, call: CallId, ask: AskId) {
    raw.execute_batch(
        "BEGIN IMMEDIATE;
         ALTER TABLE asks ADD COLUMN delegate TEXT;
         CREATE TABLE delegates (id BLOB PRIMARY KEY, name TEXT NOT NULL) STRICT;
         CREATE INDEX asks_by_delegate ON asks (delegate) WHERE delegate IS NOT NULL;
         UPDATE schema_version SET version = version + 1;",
    )
    .unwrap();
    let head = raw
        .query_row(
            "SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1",
            [],
            |row| {
                Ok(Head {
                    seq: row.get(0)?,
                    hash: holdpoint_ask::Digest::from_bytes(row.get(1)?),
                })
            },
        )
        .unwrap();
    let link = Link {
        seq: head.seq + 1,
        at: 1_785_000_007_000,
        kind: "delegated",
        call: Some(call.as_bytes()),
        ask: Some(ask.as_bytes()),
        body: r#"{"to":"grace"}"#,
    };
    let hash = head.hash_with(&link);
    raw.execute(
        "INSERT INTO events (seq, at, kind, call, ask, body, hash) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            link.seq,
            link.at,
            link.kind,
            link.call,
            link.ask,
            link.body,
            hash.as_bytes(),
        ),
    )
    .unwrap();
    raw.execute_batch("UPDATE asks SET delegate = 'grace'; COMMIT")
        .unwrap();
}

#[tokio::test]
async fn what_a_newer_program_adds_locks_nobody_out() {
    let fixture = FileFixture::new();
    let (call, ask) = fixture.opened().await;
    let raw = fixture.raw();
    add_as_a_newer_one_would(&raw, call, ask);
    let kinds = async |journal: &dyn Journal| {
        let events = journal.events(0, 100).await.unwrap();
        events.iter().map(|event| event.kind).collect::<Vec<_>>()
    };
    let wanted = [
        EventKind::Called,
        EventKind::Asked,
        EventKind::Other("delegated"),
    ];
    // Whoever has it open goes on, and so does whoever opens it now.
    let opened = SqliteJournal::open(fixture.path()).unwrap();
    let looked = SqliteJournal::open_read_only(fixture.path()).unwrap();
    assert_eq!(kinds(&*fixture.journal).await, wanted);
    assert_eq!(kinds(&opened).await, wanted);
    assert_eq!(kinds(&looked).await, wanted);
    assert_eq!(wanted[2].as_str(), "delegated");
    fixture.commit([Write::Settle(decided(ask, yes()))]).await;
    let more = ask_of(None, Ask::confirm("Go?"));
    opened.commit(vec![Write::OpenAsk(more)]).await.unwrap();
    fixture.check_sound().await;
    assert_eq!(looked.verify().await.unwrap().flaws, []);
    let history = looked.history(ask).await.unwrap().unwrap();
    assert!(history.events.iter().any(|event| event.kind == wanted[2]));
    assert_eq!(
        looked.search(Search::default()).await.unwrap().asks.len(),
        2
    );
    // Nothing that it added was taken back.
    let kept: (u32, u32, u32, String) = raw
        .query_row(
            "SELECT (SELECT version FROM schema_version), (SELECT user_version FROM pragma_user_version),
                    (SELECT count(*) FROM sqlite_schema WHERE name = 'delegates'),
                    (SELECT delegate FROM asks WHERE decided IS NOT NULL)",
            [],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
        )
        .unwrap();
    assert_eq!(kept, (7, 5, 1, "grace".to_owned()));
    let condition = looked.condition().await.unwrap();
    assert_eq!((condition.version, condition.lowest), (7, 5));
    // It is copied as it stands, with what nobody here knows.
    let other = SqliteJournal::in_memory().unwrap();
    copy(&looked, &other, |_| {}).await.unwrap();
    assert_eq!(
        other.stored_events(0, 100).await.unwrap(),
        looked.stored_events(0, 100).await.unwrap()
    );
    // An edit of it is found like any other.
    raw.execute("UPDATE events SET kind = 'delegate' WHERE seq = 3", [])
        .unwrap();
    assert_eq!(looked.verify().await.unwrap().flaws[0].seq, 3);
}

#[tokio::test]
async fn a_program_that_knows_too_little_writes_no_more() {
    let fixture = FileFixture::new();
    fixture.opened().await;
    let raw = fixture.raw();
    // What a newer program leaves that did a step which others cannot do without.
    raw.execute_batch(
        "BEGIN IMMEDIATE; PRAGMA user_version = 7; UPDATE schema_version SET version = 7; COMMIT",
    )
    .unwrap();
    let open = Write::OpenAsk(ask_of(None, Ask::confirm("Go?")));
    let error = fixture
        .journal
        .commit(vec![open.clone()])
        .await
        .unwrap_err();
    assert!(matches!(error, JournalError::Write { .. }), "{error:?}");
    assert!(error.to_string().contains("update this one"), "{error}");
    assert_eq!(fixture.journal.head().await.unwrap(), 2);
    let error = SqliteJournal::open(fixture.path()).unwrap_err();
    assert!(
        matches!(
            error,
            JournalError::Newer {
                found: 7,
                known: 6,
                ..
            }
        ),
        "{error:?}"
    );
    // Put back, it goes on.
    raw.execute_batch("PRAGMA user_version = 5").unwrap();
    fixture.journal.commit(vec![open]).await.unwrap();
}

/// A file of the version before, as a program of that version left it, and goes on with it.
#[tokio::test]
async fn an_older_file_gets_what_was_added_and_stays_open_to_older_programs() {
    let fixture = FileFixture::new();
    fixture.opened().await;
    let raw = fixture.raw();
    raw.execute_batch("DROP TABLE schema_version; DROP INDEX pruned_events")
        .unwrap();
    let number = |sql: &str| -> u32 { raw.query_row(sql, [], |row| row.get(0)).unwrap() };
    let looked = SqliteJournal::open_read_only(fixture.path()).unwrap();
    let condition = looked.condition().await.unwrap();
    assert_eq!((condition.version, condition.lowest), (5, 5));
    let tables =
        "SELECT count(*) FROM sqlite_schema WHERE name IN ('schema_version', 'pruned_events')";
    assert_eq!(number(tables), 0, "looking adds nothing");
    let opened = SqliteJournal::open(fixture.path()).unwrap();
    assert_eq!(number(tables), 2);
    let condition = opened.condition().await.unwrap();
    assert_eq!((condition.version, condition.lowest), (6, 5));
    assert_eq!(
        number("PRAGMA user_version"),
        5,
        "all that older ones look at"
    );
    assert_eq!(opened.verify().await.unwrap().flaws, []);
}
