//! The tables, and how an older file is brought up to date.

use rusqlite::{Connection, Result};

/// `HLDP`: says that a SQLite file is a journal.
pub(super) const APPLICATION: i32 = 0x484c_4450;

/// The schema version that this code writes: the number of steps.
pub(super) const VERSION: u32 = STEPS.len() as u32;

/// Each step takes a file from the version of its index to the next. A step that was released is
/// never changed; new steps are added behind it.
const STEPS: [&str; 5] = [FIRST, SECOND, THIRD, FOURTH, FIFTH];

/// The events that are about who may answer, as the fifth step's index has them.
pub(super) const GUARD_EVENTS: &str = "(kind = 'pin_set' OR kind = 'pin_cleared' \
     OR kind = 'pin_tried' OR kind = 'wrong_pin' OR kind = 'pin_given' \
     OR kind = 'agent_answered')";

const FIFTH: &str = "
    DROP INDEX guard_events;
    CREATE INDEX guard_events ON events (seq)
        WHERE (kind = 'pin_set' OR kind = 'pin_cleared'
            OR kind = 'pin_tried' OR kind = 'wrong_pin' OR kind = 'pin_given'
            OR kind = 'agent_answered');
";

/// A call of an older program has no binding, and is not found by it.
const FOURTH: &str = "
    ALTER TABLE calls ADD COLUMN binding BLOB;
    CREATE INDEX unfinished_calls ON calls (binding, owner, id)
        WHERE finished IS NULL AND binding IS NOT NULL;
";

/// `OR` and not `IN`: for a list, SQLite would build a table with every event that is added.
const THIRD: &str = "
    DROP INDEX guard_events;
    CREATE INDEX guard_events ON events (seq)
        WHERE (kind = 'pin_set' OR kind = 'pin_cleared'
            OR kind = 'wrong_pin' OR kind = 'pin_given' OR kind = 'agent_answered');
";

const SECOND: &str = "
    ALTER TABLE asks ADD COLUMN dangerous INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE asks ADD COLUMN gone INTEGER NOT NULL DEFAULT 0;
    UPDATE asks SET dangerous = coalesce(
        (SELECT json_extract(e.body, '$.ask.dangerous') FROM events e WHERE e.seq = asks.opened), 0);
    UPDATE asks SET gone = 1 WHERE id IN (SELECT ask FROM events WHERE kind = 'agent_gone');
    DROP INDEX open_asks;
    CREATE INDEX open_asks ON asks (dangerous, id) WHERE decided IS NULL;
    CREATE TABLE parcels (
        ask BLOB PRIMARY KEY REFERENCES asks (id),
        sealed BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX guard_events ON events (seq)
        WHERE kind IN ('pin_set', 'pin_cleared', 'wrong_pin', 'pin_given', 'agent_answered');
";

const FIRST: &str = "
    CREATE TABLE events (
        seq INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        kind TEXT NOT NULL,
        call BLOB,
        ask BLOB,
        body TEXT NOT NULL,
        hash BLOB NOT NULL
    ) STRICT;
    CREATE TABLE calls (
        id BLOB PRIMARY KEY,
        opened INTEGER NOT NULL,
        owner BLOB NOT NULL,
        epoch INTEGER NOT NULL,
        finished INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE asks (
        id BLOB PRIMARY KEY,
        call BLOB REFERENCES calls (id),
        principal TEXT NOT NULL,
        secret INTEGER NOT NULL,
        opened INTEGER NOT NULL,
        deadline_at INTEGER,
        refusals INTEGER NOT NULL,
        refused INTEGER,
        decided INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX asks_of_call ON asks (call) WHERE call IS NOT NULL;
    CREATE INDEX open_asks ON asks (id) WHERE decided IS NULL;
    CREATE TABLE steps (
        call BLOB NOT NULL REFERENCES calls (id),
        name TEXT NOT NULL,
        occurrence INTEGER NOT NULL,
        epoch INTEGER NOT NULL,
        started INTEGER NOT NULL,
        finished INTEGER,
        PRIMARY KEY (call, name, occurrence)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE grants (
        id BLOB PRIMARY KEY,
        ask BLOB NOT NULL REFERENCES asks (id),
        principal TEXT NOT NULL,
        purpose TEXT NOT NULL,
        digest BLOB NOT NULL,
        issued_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        redeemed_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE owners (
        id BLOB PRIMARY KEY,
        lease_until INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
";

/// What no program needs and no version says: where it is missing it is added when a file is opened, and a
/// program that does not know it can use the file.
const EXTRA: &str = "CREATE INDEX IF NOT EXISTS steps_by_name ON steps (name, finished);";

/// What a file says it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Identity {
    /// It is empty.
    Empty,
    /// It is a journal of this version.
    Journal(u32),
    /// It belongs to something else.
    Foreign,
}

/// Reads what a file says it is.
pub(super) fn identify(conn: &Connection) -> Result<Identity> {
    let number = |sql: &str| conn.query_row(sql, [], |row| row.get::<_, i64>(0));
    if number("PRAGMA application_id")? == i64::from(APPLICATION) {
        let version = number("PRAGMA user_version")?;
        return Ok(Identity::Journal(
            u32::try_from(version).unwrap_or(u32::MAX),
        ));
    }
    match number("SELECT count(*) FROM sqlite_schema")? {
        0 => Ok(Identity::Empty),
        _ => Ok(Identity::Foreign),
    }
}

/// Brings a file from this version to [`VERSION`], within the transaction that is open.
pub(super) fn migrate(conn: &Connection, from: u32) -> Result<()> {
    for step in STEPS.iter().skip(from as usize) {
        conn.execute_batch(step)?;
    }
    conn.execute_batch(&format!(
        "PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"
    ))?;
    add_extra(conn)
}

/// Adds what a file of [`VERSION`] lacks if an older program made it.
pub(super) fn add_extra(conn: &Connection) -> Result<()> {
    conn.execute_batch(EXTRA)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_the_first_version_is_brought_up_to_date() {
        let conn = Connection::open_in_memory().unwrap();
        conn.execute_batch(FIRST).unwrap();
        conn.execute_batch(
            r#"
            INSERT INTO events VALUES
                (1, 0, 'asked', NULL, x'01', '{"ask":{"message":"Look?"}}', x'00'),
                (2, 0, 'asked', NULL, x'02', '{"ask":{"message":"Go?","dangerous":true}}', x'00'),
                (3, 0, 'agent_gone', NULL, x'02', '{}', x'00');
            INSERT INTO asks (id, principal, secret, opened, refusals) VALUES
                (x'01', 'ada', 0, 1, 0), (x'02', 'ada', 0, 2, 0);
            "#,
        )
        .unwrap();
        migrate(&conn, 1).unwrap();
        assert_eq!(identify(&conn).unwrap(), Identity::Journal(VERSION));
        let mut select = conn
            .prepare("SELECT dangerous, gone FROM asks ORDER BY id")
            .unwrap();
        let rows = select
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
            .unwrap();
        let rows: Vec<(bool, bool)> = rows.map(Result::unwrap).collect();
        assert_eq!(rows, [(false, false), (true, true)]);
    }

    #[test]
    fn guard_events_have_an_index_of_their_own() {
        let conn = Connection::open_in_memory().unwrap();
        migrate(&conn, 0).unwrap();
        let sql = format!(
            "EXPLAIN QUERY PLAN SELECT body FROM events WHERE {GUARD_EVENTS} ORDER BY seq DESC"
        );
        let plan: String = conn.query_row(&sql, [], |row| row.get(3)).unwrap();
        assert!(plan.contains("INDEX guard_events"), "{plan}");
    }

    #[test]
    fn steps_are_found_by_name_without_reading_all() {
        use super::super::query::{LATEST_STEP, LATEST_STEPS};
        let conn = Connection::open_in_memory().unwrap();
        migrate(&conn, 0).unwrap();
        for (sql, wanted) in [
            (LATEST_STEP, "steps_by_name (name=?)"),
            (LATEST_STEPS, "steps_by_name (name>? AND name<?)"),
        ] {
            let mut explain = conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
            let lines = explain.raw_query().mapped(|row| row.get(3));
            let plan: Vec<String> = lines.map(Result::unwrap).collect();
            assert!(plan[0].contains(wanted), "{plan:?}");
            assert!(!plan.iter().any(|line| line.contains("SCAN")), "{plan:?}");
        }
    }
}
