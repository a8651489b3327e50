//! An edit of the file, wherever it is made, is found.

use crate::fixture::{FileFixture, ask_of, at, decided, grant, yes};
use holdpoint_ask::{Ask, AskId, ChannelKind, Outcome};
use holdpoint_journal::{JournalError, Redeemed, Write, Written, testing::Fixture};
use rusqlite::Connection;
use serde_json::json;

/// The tables of the record, with a column that distinguishes rows. `owners` is not among them.
const TABLES: [(&str, &str); 5] = [
    ("events", "seq"),
    ("calls", "id"),
    ("asks", "id"),
    ("steps", "started"),
    ("grants", "id"),
];

#[tokio::test]
async fn an_edit_of_any_column_is_found() {
    let fixture = FileFixture::new();
    fill(&fixture).await;
    let raw = tampering(&fixture);
    let mut tried = 0;
    for (table, name) in TABLES {
        for column in columns(&raw, table) {
            for row in rows(&raw, table, name) {
                for value in others(&column) {
                    let edit = format!(
                        "UPDATE {table} SET {column} = {value}
                         WHERE {row} AND {column} IS NOT {value}"
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
    let fixture = FileFixture::new();
    fill(&fixture).await;
    let raw = tampering(&fixture);
    let last: u64 = raw
        .query_row("SELECT max(seq) FROM events", [], |row| row.get(0))
        .unwrap();
    for (table, name) in TABLES {
        for row in rows(&raw, table, name) {
            // A note at the very end is held by nothing but the head, which people keep elsewhere.
            if row != format!("seq = {last}") {
                check_found(
                    &fixture,
                    &raw,
                    table,
                    &format!("DELETE FROM {table} WHERE {row}"),
                )
                .await;
            }
        }
        let columns = columns(&raw, table).join(", ");
        let fresh = columns.replacen(name, if name == "id" { "randomblob(16)" } else { "99" }, 1);
        let fresh = fresh.replacen("occurrence", "77", 1);
        let copy = format!("INSERT INTO {table} ({columns}) SELECT {fresh} FROM {table} LIMIT 1");
        assert!(check_found(&fixture, &raw, table, &copy).await, "{copy}");
    }
    fixture.check_sound().await;
}

#[tokio::test]
async fn a_flaw_names_its_event() {
    let fixture = FileFixture::new();
    let ask = fixture.settled(Outcome::Declined { reason: None }).await;
    let raw = tampering(&fixture);
    let forged = "UPDATE events SET body = replace(body, 'declined', 'accepted') WHERE seq = 3";
    raw.execute(forged, []).unwrap();
    let verified = fixture.journal.verify().await.unwrap();
    let places: Vec<_> = verified.flaws.iter().map(|flaw| flaw.seq).collect();
    assert_eq!(places, [3], "{:?}", verified.flaws);
    assert_eq!(verified.events, 3);

    raw.execute("DELETE FROM asks", []).unwrap();
    let verified = fixture.journal.verify().await.unwrap();
    let texts: Vec<_> = verified
        .flaws
        .iter()
        .map(|flaw| flaw.what.as_str())
        .collect();
    assert!(
        texts.iter().any(|text| text.contains(&ask.to_string())),
        "{texts:?}"
    );
}

#[tokio::test]
async fn another_asks_yes_is_not_borrowed() {
    let fixture = FileFixture::new();
    fixture.settled(yes()).await;
    let (_, open) = fixture.opened().await;
    let raw = tampering(&fixture);
    let borrowed = "UPDATE asks SET decided = (SELECT max(decided) FROM asks) WHERE id = ?";
    raw.execute(borrowed, [open.as_bytes()]).unwrap();
    let read = fixture.journal.ask(open).await;
    assert!(
        matches!(read, Err(JournalError::Damaged { .. })),
        "{read:?}"
    );
    let settle = fixture
        .journal
        .commit(vec![Write::Settle(decided(open, yes()))])
        .await;
    assert!(
        matches!(settle, Err(JournalError::Damaged { .. })),
        "{settle:?}"
    );
    let issue = fixture
        .journal
        .commit(vec![Write::IssueGrant(grant(open))])
        .await;
    assert!(
        matches!(issue, Err(JournalError::Damaged { .. })),
        "{issue:?}"
    );
}

#[tokio::test]
async fn the_count_of_flaws_is_bounded() {
    let fixture = FileFixture::new();
    for _ in 0..60 {
        fixture.opened().await;
    }
    tampering(&fixture)
        .execute("UPDATE events SET at = at + 1", [])
        .unwrap();
    assert_eq!(fixture.journal.verify().await.unwrap().flaws.len(), 100);
}

/// Makes an edit, checks that a verification finds it, and takes it back. An edit that the schema
/// refuses is none.
async fn check_found(fixture: &FileFixture, raw: &Connection, table: &str, edit: &str) -> bool {
    raw.execute_batch(&format!("CREATE TEMP TABLE saved AS SELECT * FROM {table}"))
        .unwrap();
    let edited = raw.execute(edit, []);
    if matches!(edited, Ok(1..)) {
        let verified = fixture.journal.verify().await.unwrap();
        assert_ne!(verified.flaws, [], "not found: {edit}");
    }
    raw.execute_batch(&format!(
        "BEGIN; DELETE FROM {table}; INSERT INTO {table} SELECT * FROM saved; COMMIT;
         DROP TABLE saved;"
    ))
    .unwrap();
    matches!(edited, Ok(1..))
}

fn tampering(fixture: &FileFixture) -> Connection {
    let raw = fixture.raw();
    raw.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF")
        .unwrap();
    raw
}

fn columns(raw: &Connection, table: &str) -> Vec<String> {
    let mut select = raw
        .prepare("SELECT name FROM pragma_table_info(?)")
        .unwrap();
    let names = select.query_map([table], |row| row.get(0)).unwrap();
    names.map(Result::unwrap).collect()
}

/// A condition for each row of a table.
fn rows(raw: &Connection, table: &str, name: &str) -> Vec<String> {
    let sql = format!("SELECT '{name} = ' || quote({name}) FROM {table}");
    let mut select = raw.prepare(&sql).unwrap();
    let conditions = select.query_map([], |row| row.get(0)).unwrap();
    conditions.map(Result::unwrap).collect()
}

/// Values that a column does not have, as expressions; NULL where one does not apply.
fn others(column: &str) -> Vec<String> {
    [
        "CASE typeof(X) WHEN 'integer' THEN X + 1 END",
        "CASE typeof(X) WHEN 'integer' THEN -X - 1 END",
        "CASE typeof(X) WHEN 'text' THEN X || ' ' END",
        "CASE typeof(X) WHEN 'blob' THEN substr(X || x'00', 2) END",
        "CASE typeof(X) WHEN 'blob' THEN x'' END",
        "CASE typeof(X) WHEN 'null' THEN 1 END",
        "CASE typeof(X) WHEN 'null' THEN x'' END",
        "CASE typeof(X) WHEN 'null' THEN zeroblob(16) END",
    ]
    .map(|value| value.replace('X', column))
    .into()
}

/// One of everything that can be recorded.
pub async fn fill(fixture: &Fixture) {
    let (call, ask) = fixture.opened().await;
    let shell = ask_of(None, Ask::confirm("From a shell?"));
    let start = |name: &str| Write::StartStep {
        call,
        epoch: 1,
        name: name.into(),
        occurrence: 0,
        label: None,
        at: at(2),
    };
    let other = fixture.settled(yes()).await;
    let (used, unused) = (grant(ask), grant(other));
    let written = fixture
        .commit([
            Write::OpenAsk(shell.clone()),
            Write::Refuse {
                ask,
                refusals: 0,
                takes_away: false,
                channel: ChannelKind::Client,
                errors: Vec::new(),
                at: at(1),
            },
            Write::Extend {
                ask,
                deadline_at: None,
                by: "ada".into(),
                at: at(1),
            },
            Write::Settle(decided(ask, yes())),
            start("build"),
            Write::FinishStep {
                call,
                epoch: 1,
                name: "build".into(),
                occurrence: 0,
                result: json!(5),
                label: None,
                at: at(3),
            },
            start("push"),
            Write::IssueGrant(used.clone()),
            Write::IssueGrant(unused),
            Write::RedeemGrant {
                required: false,
                grant: used.id,
                digest: used.digest,
                purpose: used.purpose,
                principal: used.principal,
                at: at(8),
            },
            Write::TakeOver {
                call,
                epoch: 1,
                owner: fixture.journal.owner(),
                at: at(9),
            },
            Write::FinishCall {
                call,
                epoch: 2,
                result: std::sync::Arc::new(json!(null)),
                at: at(10),
            },
        ])
        .await;
    assert!(written.contains(&Written::Redeemed(Redeemed::Good)));
    assert!(!written.contains(&Written::Applied(false)), "{written:?}");
    fixture.opened().await;
    fixture
        .one(Write::Note {
            call: None,
            ask: Some(AskId::new()),
            kind: holdpoint_journal::EventKind::TooFast,
            body: json!({}),
            at: at(11),
        })
        .await;
    fixture.check_sound().await;
}
