//! An edit of the database, wherever it is made, is found.

use crate::{
    fixture::{PostgresFixture, decided, grant, yes},
    tamper::fill,
};
use holdpoint_journal::{JournalError, Write};
use tokio_postgres::Client;

/// The tables of the record, with a column that distinguishes rows.
const TABLES: [(&str, &str); 6] = [
    ("events", "seq"),
    ("calls", "id"),
    ("asks", "id"),
    ("steps", "started"),
    ("grants", "id"),
    ("head", "id"),
];

/// What the row of the head says of the tables, not of the record.
const NOT_RECORD: [&str; 3] = ["id", "version", "lowest_writer"];

#[tokio::test]
async fn an_edit_of_any_column_is_found() {
    let fixture = PostgresFixture::new().await;
    fill(&fixture).await;
    let raw = fixture.database.connect().await;
    let mut tried = 0;
    for (table, name) in TABLES {
        for (column, kind) in columns(&raw, table).await {
            if table == "head" && NOT_RECORD.contains(&column.as_str()) {
                continue;
            }
            for row in rows(&raw, table, name).await {
                for value in others(&column, &kind) {
                    let edit = format!(
                        "UPDATE holdpoint.{table} SET {column} = {value}
                         WHERE {row} AND {column} IS DISTINCT FROM {value}"
                    );
                    tried += usize::from(check_found(&fixture, &raw, table, &edit).await);
                }
            }
        }
    }
    assert!(tried > 300, "only {tried} edits were possible");
    fixture.check_sound().await;
}

#[tokio::test]
async fn a_row_that_is_gone_or_new_is_found() {
    let fixture = PostgresFixture::new().await;
    fill(&fixture).await;
    let raw = fixture.database.connect().await;
    for (table, name) in TABLES {
        for row in rows(&raw, table, name).await {
            let delete = format!("DELETE FROM holdpoint.{table} WHERE {row}");
            assert!(
                check_found(&fixture, &raw, table, &delete).await,
                "{delete}"
            );
        }
        if table == "head" {
            continue;
        }
        let columns: Vec<_> = columns(&raw, table).await;
        let columns: Vec<_> = columns.iter().map(|(column, _)| column.as_str()).collect();
        let columns = columns.join(", ");
        let fresh = columns.replacen(
            name,
            if name == "id" {
                "gen_random_uuid()"
            } else {
                "99"
            },
            1,
        );
        let fresh = fresh.replacen("occurrence", "77", 1);
        let copy = format!(
            "INSERT INTO holdpoint.{table} ({columns}) SELECT {fresh} FROM holdpoint.{table} LIMIT 1"
        );
        assert!(check_found(&fixture, &raw, table, &copy).await, "{copy}");
    }
    fixture.check_sound().await;
}

/// Whoever takes the last events away has to change the head, too, and that shows by what people wrote down of it.
#[tokio::test]
async fn a_lost_end_is_found() {
    let fixture = PostgresFixture::new().await;
    fill(&fixture).await;
    let raw = fixture.database.connect().await;
    let last = fixture.journal.head().await.unwrap();
    raw.batch_execute(&format!("DELETE FROM holdpoint.events WHERE seq = {last}"))
        .await
        .unwrap();
    let verified = fixture.journal.verify().await.unwrap();
    let whats: Vec<_> = verified.flaws.iter().map(|flaw| &flaw.what).collect();
    assert!(
        whats.iter().any(|what| what.contains("holdpoint.head")),
        "{whats:?}"
    );
}

#[tokio::test]
async fn another_asks_yes_is_not_borrowed() {
    let fixture = PostgresFixture::new().await;
    fixture.settled(yes()).await;
    let (_, open) = fixture.opened().await;
    let raw = fixture.database.connect().await;
    raw.batch_execute(&format!(
        "UPDATE holdpoint.asks SET decided = (SELECT max(decided) FROM holdpoint.asks)
         WHERE id = '{open}'"
    ))
    .await
    .unwrap();
    let journal = &fixture.journal;
    let read = journal.ask(open).await.map(|_| ());
    let settled = journal.commit(vec![Write::Settle(decided(open, yes()))]);
    let issued = journal.commit(vec![Write::IssueGrant(grant(open))]);
    for done in [read, settled.await.map(|_| ()), issued.await.map(|_| ())] {
        assert!(
            matches!(done, Err(JournalError::Damaged { .. })),
            "{done:?}"
        );
    }
}

/// Makes an edit, checks that a verification finds it, and takes it back. An edit that the schema refuses is
/// none.
async fn check_found(fixture: &PostgresFixture, raw: &Client, table: &str, edit: &str) -> bool {
    let saved = format!("CREATE TEMP TABLE saved AS SELECT * FROM holdpoint.{table}");
    raw.batch_execute(&saved).await.unwrap();
    let edited = raw.execute(edit, &[]).await;
    if matches!(edited, Ok(1..)) {
        let verified = fixture.journal.verify().await.unwrap();
        assert_ne!(verified.flaws, [], "not found: {edit}");
    }
    raw.batch_execute(&format!(
        "BEGIN; DELETE FROM holdpoint.{table};
         INSERT INTO holdpoint.{table} SELECT * FROM saved; COMMIT; DROP TABLE saved;"
    ))
    .await
    .unwrap();
    matches!(edited, Ok(1..))
}

/// The columns of a table with their types.
async fn columns(raw: &Client, table: &str) -> Vec<(String, String)> {
    let sql = "SELECT column_name::text, data_type::text FROM information_schema.columns
        WHERE table_schema = 'holdpoint' AND table_name = $1 ORDER BY ordinal_position";
    let found = raw.query(sql, &[&table]).await.unwrap();
    found.iter().map(|row| (row.get(0), row.get(1))).collect()
}

/// A condition for each row of a table.
async fn rows(raw: &Client, table: &str, name: &str) -> Vec<String> {
    let sql = format!("SELECT '{name} = ' || quote_literal({name}::text) FROM holdpoint.{table}");
    let found = raw.query(&sql, &[]).await.unwrap();
    found.iter().map(|row| row.get(0)).collect()
}

/// Values that a column of this type does not have, as expressions.
fn others(column: &str, kind: &str) -> Vec<String> {
    let others: &[&str] = match kind {
        "bigint" => &["coalesce(X + 1, 1)", "coalesce(-X - 1, 0)"],
        "boolean" => &["NOT X"],
        "text" => &["coalesce(X || ' ', '')", "''"],
        "uuid" => &["md5(coalesce(X::text, ''))::uuid"],
        "bytea" => &[
            r"coalesce(sha256(X), sha256(''))",
            r"coalesce(X || '\x00', '\x00')",
        ],
        other => panic!("no edit for a column of type {other}"),
    };
    let others = others.iter().map(|value| value.replace('X', column));
    others.chain(["NULL".to_owned()]).collect()
}
