//! Two builds at one database: an older one knows fewer steps.

use super::*;
use crate::{EventKind, Journal, PostgresJournal, Write};
use futures::future::join_all;
use jiff::Timestamp;
use serde_json::json;
use test_postgres::{Database, Server};

/// What a later release could add: an older program leaves it empty.
const ADDED: Step = Step {
    sql: "CREATE TABLE holdpoint.later (id bigint PRIMARY KEY); \
          ALTER TABLE holdpoint.events ADD COLUMN later text; \
          ALTER TABLE holdpoint.asks ADD COLUMN later text NOT NULL DEFAULT 'none'",
    lowest_writer: 1,
};

/// What a later release could change, so that an older program must not write any more.
const CHANGED: Step = Step {
    sql: "ALTER TABLE holdpoint.calls ADD COLUMN later text",
    lowest_writer: 3,
};

const NEWER: [Step; 2] = [STEPS[0], ADDED];
const NEWEST: [Step; 3] = [STEPS[0], ADDED, CHANGED];

async fn prepare_as(database: &Database, steps: &[Step]) -> Result<(), JournalError> {
    let mut client = database.connect().await;
    prepare_with(&mut client, "the test's database", steps).await
}

async fn state(database: &Database) -> State {
    match look(&database.connect().await).await.unwrap() {
        Found::Ours(state) => state,
        other => panic!("{other:?}"),
    }
}

fn note() -> Write {
    Write::Note {
        call: None,
        ask: None,
        kind: EventKind::PinSet,
        body: json!({}),
        at: Timestamp::now(),
    }
}

#[tokio::test]
async fn an_older_program_goes_on_beside_a_newer_one_until_a_step_forbids_it() {
    let database = Server::shared().database().await;
    let old = PostgresJournal::open(&database.url()).await.unwrap();
    old.commit(vec![note()]).await.unwrap();
    let first = State {
        version: 1,
        lowest_writer: 1,
    };
    assert_eq!(state(&database).await, first);

    // A newer replica starts beside it. What is open goes on, and what is started anew does, too.
    prepare_as(&database, &NEWER).await.unwrap();
    let second = State {
        version: 2,
        lowest_writer: 1,
    };
    assert_eq!(state(&database).await, second);
    old.commit(vec![note()]).await.unwrap();
    let again = PostgresJournal::open(&database.url()).await.unwrap();
    again.commit(vec![note()]).await.unwrap();
    assert_eq!(again.events(0, 10).await.unwrap().len(), 3);
    // The older one has taken nothing back, and the newer one finds its own.
    assert_eq!(state(&database).await, second);
    prepare_as(&database, &NEWER).await.unwrap();

    // A release that an older program cannot write beside.
    prepare_as(&database, &NEWEST).await.unwrap();
    for journal in [&old, &again] {
        let error = journal.commit(vec![note()]).await.unwrap_err().to_string();
        assert!(error.contains("version 3 or newer may write"), "{error}");
        assert!(error.contains("update it"), "{error}");
    }
    assert_eq!(old.events(0, 10).await.unwrap().len(), 3);
    let refused = PostgresJournal::open(&database.url()).await.unwrap_err();
    let refused = refused.to_string();
    assert!(refused.contains("this one knows 1: update it"), "{refused}");
    assert!(!refused.contains(&database.password), "{refused}");
    prepare_as(&database, &NEWER).await.unwrap_err();
    prepare_as(&database, &NEWEST).await.unwrap();
    // To look at it is still fine.
    let seen = PostgresJournal::open_read_only(&database.url()).await;
    assert_eq!(seen.unwrap().head().await.unwrap(), 3);
}

#[tokio::test]
async fn replicas_that_start_at_the_same_time_make_the_tables_once() {
    let database = Server::shared().database().await;
    let starts = (0..8).map(|number| {
        let steps: &[Step] = [&STEPS[..], &NEWER[..], &NEWEST[..]][number % 3];
        prepare_as(&database, steps)
    });
    let started = join_all(starts).await;
    let newest = State {
        version: 3,
        lowest_writer: 3,
    };
    assert_eq!(state(&database).await, newest);
    for (number, started) in started.into_iter().enumerate() {
        match started {
            Ok(()) => {}
            // It came after one whose step forbids it.
            Err(error) => {
                assert_ne!(number % 3, 2, "{error}");
                assert!(error.to_string().contains("update it"), "{error}");
            }
        }
    }
}

#[tokio::test]
async fn a_step_that_fails_leaves_nothing_behind() {
    let database = Server::shared().database().await;
    let broken = Step {
        sql: "CREATE TABLE holdpoint.half (id bigint); SELECT 1 / 0",
        lowest_writer: 1,
    };
    let error = prepare_as(&database, &[STEPS[0], broken]).await;
    let error = error.unwrap_err().to_string();
    assert!(error.contains("cannot be made"), "{error}");
    let client = database.connect().await;
    let nothing = Found::Nothing { has_schema: false };
    assert_eq!(look(&client).await.unwrap(), nothing);
    // Nor of a later step, where the first is made.
    prepare_as(&database, &STEPS).await.unwrap();
    prepare_as(&database, &[STEPS[0], broken])
        .await
        .unwrap_err();
    assert_eq!(state(&database).await.version, 1);
    let half = "SELECT FROM pg_class WHERE relname = 'half'";
    assert!(client.query_opt(half, &[]).await.unwrap().is_none());
}

#[tokio::test]
async fn a_schema_that_an_administrator_made_is_used_without_a_right_to_make_one() {
    let server = Server::shared();
    let database = server.database().await;
    let admin = server.admin().await;
    let name = &database.name;
    let run = |sql: String| {
        let admin = &admin;
        async move { admin.batch_execute(&sql).await.unwrap() }
    };
    run(format!("ALTER DATABASE {name} OWNER TO postgres")).await;
    run(format!("REVOKE CREATE ON DATABASE {name} FROM {name}")).await;
    let error = prepare_as(&database, &STEPS).await.unwrap_err().to_string();
    assert!(error.contains("the role lacks a right"), "{error}");
    let client = database.connect().await;
    let nothing = Found::Nothing { has_schema: false };
    assert_eq!(look(&client).await.unwrap(), nothing);

    run(format!("GRANT CREATE ON DATABASE {name} TO {name}")).await;
    client
        .batch_execute("CREATE SCHEMA holdpoint")
        .await
        .unwrap();
    run(format!("REVOKE CREATE ON DATABASE {name} FROM {name}")).await;
    prepare_as(&database, &STEPS).await.unwrap();
    assert_eq!(state(&database).await.version, 1);
    assert_eq!(missing_rights(&client).await.unwrap(), [""; 0]);
}
