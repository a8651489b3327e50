//! The index that searches use: a file of its own beside the journal (`PATH-index`), derived from
//! the events and never believed over them. What it finds is read from the journal and checked
//! again. It may be removed at any time; it is then made again.
//!
//! A search brings it up to date first, so that a commit costs nothing for it. It holds
//! decided asks and ended runs only: what it says of one never changes. There are few open ones, and
//! they are checked one by one.
//!
//! | module | does |
//! |---|---|
//! | `fill` | brings it up to date |
//! | `find` | finds asks by it |
//! | `candidates` | which of its asks a search has to look at |
//! | `ended_runs` | puts runs of scripts into it |
//! | `runs` | finds runs of scripts |

use super::file;
use holdpoint_workspace::private;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension as _, Result};
use std::{fs, io, path::Path};

mod candidates;
mod ended_runs;
mod fill;
mod find;
mod runs;

pub(super) use find::{search, stats};
pub(super) use runs::runs;

/// Raised by every change of the tables or of what is put into them: an index of another version
/// is made again.
const VERSION: i64 = 3;

const TABLES: &str = "
    CREATE TABLE filled (seq INTEGER NOT NULL, hash BLOB NOT NULL) STRICT;
    INSERT INTO filled VALUES (0, zeroblob(32));
    CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
    CREATE TABLE asks (
        opened INTEGER PRIMARY KEY,
        decided INTEGER NOT NULL,
        id BLOB NOT NULL,
        opened_at INTEGER NOT NULL,
        server INTEGER,
        principal INTEGER NOT NULL,
        workspace INTEGER,
        tool INTEGER,
        client INTEGER,
        status INTEGER NOT NULL,
        channel INTEGER,
        author INTEGER,
        duration INTEGER NOT NULL,
        fast INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX asks_seen ON asks (principal, workspace, server);
    CREATE TABLE runs (
        opened INTEGER PRIMARY KEY,
        finished INTEGER NOT NULL,
        id BLOB NOT NULL,
        opened_at INTEGER NOT NULL,
        server INTEGER,
        tool INTEGER,
        client INTEGER
    ) STRICT;
    CREATE TABLE terms (term TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
    CREATE VIRTUAL TABLE texts USING fts5(
        terms, content = '', detail = 'none', columnsize = 0, tokenize = 'ascii'
    );
";

const NO_TABLES: &str = "
    DROP TABLE IF EXISTS filled;
    DROP TABLE IF EXISTS names;
    DROP TABLE IF EXISTS asks;
    DROP TABLE IF EXISTS runs;
    DROP TABLE IF EXISTS terms;
    DROP TABLE IF EXISTS texts;
";

/// Opens the index of the journal at this path, made where there is none.
fn open(journal: &Path) -> Result<Connection> {
    let path = file::beside(journal, "index");
    match private::write_new(&path, &[]) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            return Err(rusqlite::Error::ToSqlConversionFailure(Box::new(error)));
        }
        _ => {}
    }
    let conn = file::connect(&path)?;
    // What a crash takes from it is filled in again.
    conn.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY;
         PRAGMA mmap_size = 1073741824; PRAGMA journal_size_limit = 67108864;",
    )?;
    if version(&conn)? != VERSION {
        conn.execute_batch("BEGIN IMMEDIATE")?;
        // Another process may have been faster.
        if version(&conn)? != VERSION {
            clear(&conn)?;
        }
        conn.execute_batch("COMMIT")?;
    }
    Ok(conn)
}

/// Makes it empty, within the transaction that is open.
fn clear(conn: &Connection) -> Result<()> {
    conn.execute_batch(NO_TABLES)?;
    conn.execute_batch(TABLES)?;
    conn.execute_batch(&format!("PRAGMA user_version = {VERSION}"))
}

fn version(conn: &Connection) -> Result<i64> {
    conn.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// Up to which event it is filled, and that event's hash.
fn filled(conn: &Connection) -> Result<(u64, [u8; 32])> {
    let found = conn
        .prepare_cached("SELECT seq, hash FROM filled")?
        .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    Ok(found.unwrap_or((0, [0; 32])))
}

/// Up to which event the index of the journal at this path is filled; none where there is no index that can
/// be read.
pub(super) fn filled_to(journal: &Path) -> Option<u64> {
    let path = file::beside(journal, "index");
    let conn = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).ok()?;
    filled(&conn).ok().map(|(seq, _)| seq)
}

/// Removes the index of the journal at this path.
pub(super) fn remove(journal: &Path) {
    let path = file::beside(journal, "index").into_os_string();
    for end in ["", "-wal", "-shm"] {
        let mut path = path.clone();
        path.push(end);
        // One that cannot be removed shows when it is opened again.
        let _ = fs::remove_file(path);
    }
}

/// Whether the file does not hold what it should; otherwise it cannot be reached.
fn is_damage(error: &rusqlite::Error) -> bool {
    use ErrorCode::{
        CannotOpen, DatabaseBusy, DatabaseLocked, DiskFull, OperationInterrupted, OutOfMemory,
        PermissionDenied, ReadOnly, SystemIoFailure,
    };
    match error.sqlite_error_code() {
        Some(
            CannotOpen | DatabaseBusy | DatabaseLocked | DiskFull | OperationInterrupted
            | OutOfMemory | PermissionDenied | ReadOnly | SystemIoFailure,
        ) => false,
        Some(_) => true,
        None => !matches!(error, rusqlite::Error::ToSqlConversionFailure(_)),
    }
}
