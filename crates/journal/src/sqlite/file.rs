//! Opening the file: a check that leaves no trace, then the tables.

use super::{
    open_files::FileId,
    schema::{self, Identity, VERSION, Versions},
    sql_error::open_error,
};
use crate::JournalError;
use holdpoint_workspace::private;
use rusqlite::{Connection, ErrorCode, OpenFlags, config::DbConfig};
use std::{
    fmt::Write as _,
    io,
    path::{Path, PathBuf},
    time::Duration,
};

/// How often to retry while other processes write: for some 20 seconds.
const MAX_RETRIES: i32 = 20_000;

/// The size of a page of a new file. A commit writes whole pages to the log, of which it changed little: with half the
/// size it writes half as much. Older files keep theirs.
const PAGE_SIZE: u32 = 2048;

/// Opens the file for writing, and makes or migrates its tables. The path that it returns is the same
/// for every process, whatever links led to the file; with it comes which file it was before it was
/// opened.
pub(super) fn open(path: &Path) -> Result<(Connection, PathBuf, FileId), JournalError> {
    check(path)?;
    let path = resolve(path)?;
    let prepare = || Ok((prepare_folder(&path)?, FileId::at(&path)?));
    let (lock, seen) = prepare().map_err(|error| io_error(&path, error))?;
    let conn = create(&path)?;
    drop(lock);
    Ok((conn, path, seen))
}

/// Opens a further connection to a file.
pub(super) fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut conn = Connection::open_with_flags(path, flags)?;
    conn.busy_handler(Some(retry))?;
    configure(&conn)?;
    Ok(conn)
}

/// Sets what every connection has, in a file or in memory.
pub(super) fn configure(conn: &Connection) -> rusqlite::Result<()> {
    conn.set_prepared_statement_cache_capacity(64);
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    Ok(())
}

/// Waits a moment for another process's transaction to end. SQLite's own retries grow to a tenth
/// of a second apart, and then hardly ever meet the gap between two commits of a busy process.
pub(super) fn retry(tries: i32) -> bool {
    std::thread::sleep(Duration::from_micros(if tries < 100 { 200 } else { 1000 }));
    tries < MAX_RETRIES
}

pub(super) use crate::sidecar_files::beside;

/// An error of the disk while the journal is opened.
pub(super) fn io_error(path: &Path, error: io::Error) -> JournalError {
    refuse(path, "check that its folder exists and is writable").with_source(error)
}

pub(super) fn refuse(path: &Path, what: &str) -> JournalError {
    JournalError::open(path.display(), what)
}

/// Refuses a file that is not a journal of ours before anything is touched. SQLite reads the file as
/// if it could never change: no lock, no `-wal`, no `-shm`. (Not the standard library: closing a
/// file drops every lock that this process has on it, those of other connections too.)
pub(super) fn check(path: &Path) -> Result<(), JournalError> {
    if !path.exists() {
        return Ok(());
    }
    if path.is_dir() {
        return Err(refuse(path, "it is a folder. Name a file in it"));
    }
    let uri = format!("file:{}?mode=ro&immutable=1", escape(path));
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let found = Connection::open_with_flags(uri, flags).and_then(|conn| schema::identify(&conn));
    match found {
        Ok(identity) => accept(path, identity).map(|_| ()),
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) => {
            Err(refuse(path, "it is not a SQLite file. Name another file"))
        }
        // Another process may be writing it just now: opening it decides, under SQLite's locks.
        Err(_) => Ok(()),
    }
}

/// Accepts a file that may be used, and gives its versions; 0 for an empty one. One that a newer program
/// wrote may be used as long as it asks for no more than is known here.
pub(super) fn accept(path: &Path, identity: Identity) -> Result<Versions, JournalError> {
    match identity {
        Identity::Empty => Ok(Versions::default()),
        Identity::Journal(versions) if versions.lowest <= VERSION => Ok(versions),
        Identity::Journal(versions) => Err(JournalError::Newer {
            place: path.display().to_string(),
            found: versions.lowest,
            known: VERSION,
        }),
        Identity::Foreign => Err(refuse(
            path,
            "it is the database of another application, and was not changed. Name another file",
        )),
    }
}

/// Resolves the links in a path. The folder is made where it is missing.
fn resolve(path: &Path) -> Result<PathBuf, JournalError> {
    let failed = |error| io_error(path, error);
    if path.exists() {
        return path.canonicalize().map_err(failed);
    }
    let absolute = std::path::absolute(path).map_err(failed)?;
    let (Some(parent), Some(name)) = (absolute.parent(), absolute.file_name()) else {
        return Err(refuse(path, "the path does not name a file. Name one"));
    };
    private::create_folder(parent)
        .and_then(|()| parent.canonicalize())
        .map(|parent| parent.join(name))
        .map_err(failed)
}

/// Makes the empty file, and keeps other processes from opening it meanwhile:
/// SQLite does not wait its turn when it turns a file to WAL.
fn prepare_folder(path: &Path) -> io::Result<std::fs::File> {
    let folder = beside(path, "owners");
    private::create_folder(&folder)?;
    let lock = private::open(&folder.join("opening"))?;
    lock.lock()?;
    match private::write_new(path, &[]) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(lock),
    }
}

fn create(path: &Path) -> Result<Connection, JournalError> {
    let failed = |error| open_error(path.display(), error);
    let conn = connect(path).map_err(failed)?;
    // Until the file is known to be ours, closing it leaves its log as it is.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
        .map_err(failed)?;
    // SQLite would open a read-only file too, and fail only when somebody has been asked.
    if conn.is_readonly("main").map_err(failed)? {
        return Err(refuse(
            path,
            "the file is read-only: make it writable for this user",
        ));
    }
    let found = schema::identify(&conn).map_err(failed)?;
    if found == Identity::Empty {
        conn.execute_batch(&format!("PRAGMA page_size = {PAGE_SIZE}"))
            .map_err(failed)?;
    }
    let found = accept(path, found)?;
    let mode: String = conn
        .query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))
        .map_err(failed)?;
    if mode != "wal" {
        let what = format!("this file system cannot hold a shared journal (journal mode {mode})");
        return Err(refuse(path, &what));
    }
    set_up(&conn).map_err(failed)?;
    if found.version < VERSION {
        conn.execute_batch("BEGIN IMMEDIATE").map_err(failed)?;
        let found = accept(path, schema::identify(&conn).map_err(failed)?)?;
        schema::migrate(&conn, found).map_err(failed)?;
        conn.execute_batch("COMMIT").map_err(failed)?;
    }
    schema::add_extra(&conn).map_err(failed)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)
        .map_err(failed)?;
    Ok(conn)
}

fn set_up(conn: &Connection) -> rusqlite::Result<()> {
    conn.execute_batch(
        "PRAGMA synchronous = FULL;
         PRAGMA foreign_keys = ON;
         PRAGMA temp_store = MEMORY;
         PRAGMA journal_size_limit = 67108864;",
    )
}

/// Writes a path as part of a URI.
pub(super) fn escape(path: &Path) -> String {
    let mut uri = String::new();
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                uri.push(char::from(*byte));
            }
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}
