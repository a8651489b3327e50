//! What SQLite's errors mean for a journal, in words for a person.

use crate::JournalError;
use rusqlite::{Error, ErrorCode};

/// A write that failed.
pub(super) fn write_error(error: Error) -> JournalError {
    let what = match error.sqlite_error_code() {
        Some(ErrorCode::ConstraintViolation) => {
            "it names something that exists already, or something that does not exist"
        }
        _ => explain(&error),
    };
    JournalError::write(what).with_source(error)
}

/// A read that failed.
pub(super) fn read_error(error: Error) -> JournalError {
    let found = match error {
        Error::FromSqlConversionFailure(..)
        | Error::InvalidColumnType(..)
        | Error::IntegralValueOutOfRange(..) => {
            JournalError::damaged("a column does not hold what it should")
        }
        _ => JournalError::read(explain(&error)),
    };
    found.with_source(error)
}

/// A journal at this place that cannot be opened.
pub(super) fn open_error(place: impl ToString, error: Error) -> JournalError {
    JournalError::open(place, explain(&error)).with_source(error)
}

/// Says what went wrong, and what to do about it.
fn explain(error: &Error) -> &'static str {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => "the disk is full: make room, then try again",
        Some(ErrorCode::ReadOnly) => "the file is read-only: make it writable for this user",
        Some(ErrorCode::CannotOpen) => "check that the folder exists and is writable",
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "another process keeps it busy: find out which one hangs"
        }
        Some(ErrorCode::DatabaseCorrupt) => "the file is damaged: restore a copy of it",
        Some(ErrorCode::SystemIoFailure) => {
            "the disk, or a limit on its use, stopped it: see the system's log"
        }
        _ => "SQLite failed",
    }
}
