//! The tables, and how an older file is brought up to date.

use super::sql_error::write_error;
use crate::JournalError;
use rusqlite::{Connection, Result};

/// `HLDP`: says that a SQLite file is a journal.
pub(super) const APPLICATION: i32 = 0x484c_4450;

/// The schema version that this code writes: the number of steps.
pub(super) const VERSION: u32 = STEPS.len() as u32;

/// The version whose tables this code needs to read a file; what later steps add it can do without.
pub(super) const READABLE: u32 = lowest(&STEPS);

/// What a program must know to use a file in which bodies were pruned: one that does not takes it for damage.
pub(super) const KNOWS_PRUNING: u32 = 6;

/// Each step takes a file from the version of its index to the next. A step that was released is
/// never changed; new steps are added behind it.
///
/// `PRAGMA user_version` says the lowest version that a program must know to use the file, since that is what
/// programs up to version 5 compare with their own; the version that the file has is in `schema_version`. A step
/// that a program which does not know it can do without ([`Step::Additive`]) leaves the lowest as it is: it only
/// adds tables, columns that may be absent, or indexes.
const STEPS: [Step; 6] = [
    Step::Breaking(FIRST),
    Step::Breaking(SECOND),
    Step::Breaking(THIRD),
    Step::Breaking(FOURTH),
    Step::Breaking(FIFTH),
    Step::Additive(SIXTH),
];

/// A step, and whether programs that do not know it may go on using the file.
#[derive(Debug, Clone, Copy)]
enum Step {
    Additive(&'static str),
    Breaking(&'static str),
}

impl Step {
    fn sql(self) -> &'static str {
        match self {
            Self::Additive(sql) | Self::Breaking(sql) => sql,
        }
    }
}

/// The lowest version that a program must know once these steps are done.
const fn lowest(steps: &[Step]) -> u32 {
    let mut done = steps.len();
    while done > 0 && matches!(steps[done - 1], Step::Additive(_)) {
        done -= 1;
    }
    done as u32
}

/// The index leads to what was pruned.
const SIXTH: &str = "
    CREATE TABLE schema_version (version INTEGER NOT NULL) STRICT;
    INSERT INTO schema_version VALUES (6);
    CREATE INDEX pruned_events ON events (seq) WHERE kind = 'pruned';
";

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
///
/// The conditions are `<>` and not `NOT IN`, see the third step. What is noted, granted or run is little beside the
/// asks, so that a commit pays little for it.
const EXTRA: &str = r#"
    CREATE INDEX IF NOT EXISTS steps_by_name ON steps (name, finished);
    CREATE INDEX IF NOT EXISTS grants_of_ask ON grants (ask);
    CREATE INDEX IF NOT EXISTS unused_grants ON grants (purpose, issued_at, id) WHERE redeemed_at IS NULL;
    CREATE INDEX IF NOT EXISTS listed_calls ON events (call)
        WHERE kind = 'called' AND (substr(body, 1, 22) <> '{"method":"tools/call"' OR instr(body, '"run":true') > 0);
    CREATE INDEX IF NOT EXISTS notes_of_ask ON events (ask)
        WHERE ask IS NOT NULL AND kind <> 'asked' AND kind <> 'decided';
    CREATE INDEX IF NOT EXISTS notes_of_call ON events (call)
        WHERE call IS NOT NULL AND ask IS NULL AND kind <> 'called' AND kind <> 'finished'
            AND kind <> 'step_started' AND kind <> 'step_finished';
"#;

/// What a file says it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Identity {
    /// It is empty.
    Empty,
    /// It is a journal.
    Journal(Versions),
    /// It belongs to something else.
    Foreign,
}

/// The versions that a journal says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Versions {
    /// The steps that were done; more than [`VERSION`] where a newer program did some.
    pub version: u32,
    /// What a program must know to use it.
    pub lowest: u32,
}

/// Reads what a file says it is.
pub(super) fn identify(conn: &Connection) -> Result<Identity> {
    let number = |sql: &str| {
        conn.query_row(sql, [], |row| row.get::<_, i64>(0))
            .map(|number| u32::try_from(number).unwrap_or(u32::MAX))
    };
    if number("PRAGMA application_id")? == APPLICATION as u32 {
        let lowest = number("PRAGMA user_version")?;
        let said = "SELECT count(*) FROM sqlite_schema WHERE name = 'schema_version'";
        let version = match number(said)? {
            0 => lowest,
            _ => number("SELECT max(version) FROM schema_version")?.max(lowest),
        };
        return Ok(Identity::Journal(Versions { version, lowest }));
    }
    match number("SELECT count(*) FROM sqlite_schema")? {
        0 => Ok(Identity::Empty),
        _ => Ok(Identity::Foreign),
    }
}

/// Brings a file to [`VERSION`], within the transaction that is open. One of a newer version stays as it is.
pub(super) fn migrate(conn: &Connection, from: Versions) -> Result<()> {
    migrate_by(&STEPS, conn, from)?;
    add_extra(conn)
}

fn migrate_by(steps: &[Step], conn: &Connection, from: Versions) -> Result<()> {
    let missing = steps.iter().skip(from.version as usize);
    if missing.len() == 0 {
        return Ok(());
    }
    for step in missing {
        conn.execute_batch(step.sql())?;
    }
    conn.execute("UPDATE schema_version SET version = ?", [steps.len()])?;
    require(conn, lowest(steps).max(from.lowest))?;
    conn.execute_batch(&format!("PRAGMA application_id = {APPLICATION};"))
}

/// Refuses to go on with a file that a newer program changed meanwhile so that it asks for more than is known
/// here.
pub(super) fn check_known(conn: &Connection) -> std::result::Result<(), JournalError> {
    let lowest: u32 = conn
        .query_row("PRAGMA user_version", [], |row| row.get(0))
        .map_err(write_error)?;
    if lowest <= VERSION {
        return Ok(());
    }
    Err(JournalError::write(format!(
        "a newer Holdpoint changed it so that schema version {lowest} must be known, and this one knows \
         versions up to {VERSION}: update this one, and start it again"
    )))
}

/// Locks out programs that know less than this version, within the transaction that is open.
pub(super) fn require(conn: &Connection, lowest: u32) -> Result<()> {
    let now: u32 = conn.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if now < lowest {
        conn.execute_batch(&format!("PRAGMA user_version = {lowest};"))?;
    }
    Ok(())
}

/// Adds what a file of the same version lacks if an older program made it.
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
        let first = Versions {
            version: 1,
            lowest: 1,
        };
        migrate(&conn, first).unwrap();
        let now = Versions {
            version: VERSION,
            lowest: READABLE,
        };
        assert_eq!(identify(&conn).unwrap(), Identity::Journal(now));
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
        migrate(&conn, Versions::default()).unwrap();
        let sql = format!(
            "EXPLAIN QUERY PLAN SELECT body FROM events WHERE {GUARD_EVENTS} ORDER BY seq DESC"
        );
        let plan: String = conn.query_row(&sql, [], |row| row.get(3)).unwrap();
        assert!(plan.contains("INDEX guard_events"), "{plan}");
    }

    /// What a program that has these steps does when it opens a file: its versions, or none where it is
    /// refused.
    fn opened_by(steps: &[Step], conn: &Connection) -> Option<(u32, u32)> {
        let found = match identify(conn).unwrap() {
            Identity::Journal(found) => found,
            _ => Versions::default(),
        };
        if found.lowest as usize > steps.len() {
            return None;
        }
        migrate_by(steps, conn, found).unwrap();
        let Identity::Journal(now) = identify(conn).unwrap() else {
            panic!("it is a journal now");
        };
        Some((now.version, now.lowest))
    }

    #[test]
    fn a_step_that_only_adds_locks_no_older_program_out() {
        let steps = |more: &[Step]| [&STEPS[..], more].concat();
        let adds = steps(&[Step::Additive("ALTER TABLE asks ADD COLUMN later TEXT")]);
        let breaks = [&adds[..], &[Step::Breaking("DROP TABLE owners")]].concat();
        let conn = Connection::open_in_memory().unwrap();
        // An older one made the file, a newer one added to it, and both go on.
        assert_eq!(opened_by(&STEPS, &conn), Some((6, 5)));
        assert_eq!(opened_by(&adds, &conn), Some((7, 5)));
        assert_eq!(
            opened_by(&STEPS, &conn),
            Some((7, 5)),
            "it takes nothing back"
        );
        assert_eq!(
            opened_by(&adds, &conn),
            Some((7, 5)),
            "and nothing is done twice"
        );
        // One that cannot do without its step locks both out.
        assert_eq!(opened_by(&breaks, &conn), Some((8, 8)));
        assert_eq!(opened_by(&STEPS, &conn), None);
        assert_eq!(opened_by(&adds, &conn), None);
        assert_eq!(opened_by(&breaks, &conn), Some((8, 8)));
    }

    #[test]
    fn what_was_required_once_stays_required() {
        let conn = Connection::open_in_memory().unwrap();
        assert_eq!(opened_by(&STEPS, &conn), Some((6, 5)));
        require(&conn, KNOWS_PRUNING).unwrap();
        require(&conn, 3).unwrap();
        let adds = [&STEPS[..], &[Step::Additive("CREATE TABLE later (x)")]].concat();
        assert_eq!(opened_by(&adds, &conn), Some((7, 6)));
        // Programs up to version 5 look at this number, and only at it.
        let number: u32 = conn
            .query_row("PRAGMA user_version", [], |row| row.get(0))
            .unwrap();
        assert_eq!(number, 6);
    }
}
