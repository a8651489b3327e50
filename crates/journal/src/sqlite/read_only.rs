//! A journal that is only looked at: nothing is made, migrated or changed, and a copy that cannot be
//! written can be read.
//!
//! | what is there | how it is read |
//! |---|---|
//! | a log with its index | through SQLite's locks, as one of several processes |
//! | no log, or an empty one | as a file that does not change; where it did, it is read again |
//! | a log without its index, as a copy has it | from a private copy, into which SQLite brings the log |
//! | an older schema | from a private copy, which is migrated |

use super::{
    file::{self, accept, beside, escape, refuse},
    schema::{self, Identity, READABLE},
    sql_error::open_error,
};
use crate::JournalError;
use futures::future::{BoxFuture, FutureExt};
use rusqlite::{Connection, OpenFlags, config::DbConfig};
use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::SystemTime,
};
use tempfile::TempDir;
use tokio::sync::oneshot;

/// How often a file that changed while it was read is read again.
const TRIES: usize = 5;

/// A journal that is only looked at.
#[derive(Debug, Clone)]
pub(super) struct ReadOnly {
    /// What the person named.
    path: PathBuf,
    /// What is read: the same, or the copy.
    file: PathBuf,
    /// Removed when nobody reads any more.
    _copy: Option<Arc<TempDir>>,
}

impl ReadOnly {
    /// Looks at the file, and copies it where it cannot be read as it is.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        if !path.exists() {
            return Err(refuse(path, "there is no such file. Check the path"));
        }
        file::check(path)?;
        let path = path
            .canonicalize()
            .map_err(|error| unreadable(path, error))?;
        let mut found = Self {
            file: path.clone(),
            path,
            _copy: None,
        };
        if log_size(&found.file).is_some_and(|size| size > 0) && !index_of_log(&found.file).exists()
        {
            found.copy(|from, to| {
                fs::copy(from, to)?;
                fs::copy(beside(from, "wal"), beside(to, "wal")).map(drop)
            })?;
        }
        let (conn, _) = found.connect()?;
        let failed = |error| open_error(found.path.display(), error);
        match schema::identify(&conn).map_err(failed)? {
            Identity::Empty => Err(refuse(&found.path, "it is empty. Check the path")),
            identity if accept(&found.path, identity)?.version >= READABLE => Ok(found),
            _ => {
                let mut older = found.clone();
                older.copy(|_, to| {
                    let to = to.to_string_lossy();
                    let copied = conn.execute("VACUUM INTO ?", [to]);
                    copied.map(drop).map_err(io::Error::other)
                })?;
                older.migrate().map_err(failed)?;
                Ok(older)
            }
        }
    }

    /// The journal's own file, whatever is read in its place.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether searches may have their index beside the file: where Holdpoint serves it, and not
    /// beside a copy.
    pub fn has_index(&self) -> bool {
        let writable =
            |path: &Path| fs::metadata(path).is_ok_and(|about| !about.permissions().readonly());
        let folder = self.path.parent().unwrap_or(&self.path);
        beside(&self.path, "owners").is_dir() && writable(&self.path) && writable(folder)
    }

    /// Reads on a thread and a connection of its own.
    pub fn read<T: Send + 'static>(
        &self,
        read: impl Fn(&Connection) -> Result<T, JournalError> + Send + 'static,
    ) -> BoxFuture<'static, Result<T, JournalError>> {
        let (answer, answered) = oneshot::channel();
        let journal = self.clone();
        let spawned = thread::Builder::new()
            .name("journal-reader".into())
            .spawn(move || {
                let _ = answer.send(journal.read_unchanged(&read));
            });
        if let Err(error) = spawned {
            let error = JournalError::read("a thread cannot be started").with_source(error);
            return futures::future::ready(Err(error)).boxed();
        }
        answered
            .map(|answer| answer.unwrap_or(Err(JournalError::Closed)))
            .boxed()
    }

    fn read_unchanged<T>(
        &self,
        read: &impl Fn(&Connection) -> Result<T, JournalError>,
    ) -> Result<T, JournalError> {
        for _ in 0..TRIES {
            let (conn, before) = self.connect()?;
            let result = read(&conn);
            if before.is_none_or(|before| Unlogged::of(&self.file) == Some(before)) {
                return result;
            }
        }
        Err(JournalError::read(
            "it was changed again and again while it was read: try again",
        ))
    }

    /// A connection that changes nothing; and, where it takes no locks, what must not change meanwhile.
    fn connect(&self) -> Result<(Connection, Option<Unlogged>), JournalError> {
        let unlogged = Unlogged::of(&self.file);
        let mode = match unlogged {
            Some(_) => "mode=ro&immutable=1",
            None => "mode=ro",
        };
        let uri = format!("file:{}?{mode}", escape(&self.file));
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
            | OpenFlags::SQLITE_OPEN_URI
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let open = || {
            let mut conn = Connection::open_with_flags(uri, flags)?;
            conn.busy_handler(Some(file::retry))?;
            file::configure(&conn)?;
            conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
            conn.execute_batch("PRAGMA temp_store = MEMORY")?;
            Ok(conn)
        };
        let conn = open().map_err(|error| open_error(self.path.display(), error))?;
        Ok((conn, unlogged))
    }

    /// Reads from a copy from now on, which only this user can read.
    fn copy(
        &mut self,
        copy: impl FnOnce(&Path, &Path) -> io::Result<()>,
    ) -> Result<(), JournalError> {
        let made = || {
            let folder = tempfile::Builder::new().prefix("holdpoint-").tempdir()?;
            let to = folder.path().join("journal.db");
            copy(&self.file, &to)?;
            // SQLite brings the log into the file.
            let open = || {
                let conn = file::connect(&to)?;
                conn.query_row("PRAGMA journal_mode = DELETE", [], |_| Ok(()))
            };
            open().map_err(io::Error::other)?;
            Ok((folder, to))
        };
        let (folder, to) = made().map_err(|error| unreadable(&self.path, error))?;
        (self.file, self._copy) = (to, Some(Arc::new(folder)));
        Ok(())
    }

    /// Brings the copy up to date.
    fn migrate(&self) -> rusqlite::Result<()> {
        let conn = file::connect(&self.file)?;
        conn.execute_batch("BEGIN IMMEDIATE")?;
        if let Identity::Journal(versions) = schema::identify(&conn)? {
            schema::migrate(&conn, versions)?;
        }
        conn.execute_batch("COMMIT")
    }
}

/// A file that nobody has open: everything is in it, and nothing changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Unlogged {
    size: u64,
    changed: Option<SystemTime>,
}

impl Unlogged {
    fn of(path: &Path) -> Option<Self> {
        // A process that has the journal open has its log, and the index of that.
        if log_size(path).is_some_and(|size| size > 0 || index_of_log(path).exists()) {
            return None;
        }
        let about = fs::metadata(path).ok()?;
        Some(Self {
            size: about.len(),
            changed: about.modified().ok(),
        })
    }
}

fn log_size(path: &Path) -> Option<u64> {
    fs::metadata(beside(path, "wal"))
        .ok()
        .map(|about| about.len())
}

fn index_of_log(path: &Path) -> PathBuf {
    beside(path, "shm")
}

fn unreadable(path: &Path, error: io::Error) -> JournalError {
    refuse(path, "it cannot be read. Check its permissions").with_source(error)
}
