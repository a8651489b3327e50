//! PostgreSQL's errors in words for people.

use crate::JournalError;
use tokio_postgres::{Error, error::SqlState};

/// A read failed.
pub(super) fn read_error(error: Error) -> JournalError {
    JournalError::read(what(&error)).with_source(error)
}

/// A write failed, and nothing of it happened.
pub(super) fn write_error(error: Error) -> JournalError {
    JournalError::write(what(&error)).with_source(error)
}

/// What happened, and what to do.
pub(super) fn what(error: &Error) -> String {
    let Some(database) = error.as_db_error() else {
        return "the connection to PostgreSQL was lost; see that the server is up and can be reached"
            .to_owned();
    };
    match *database.code() {
        SqlState::QUERY_CANCELED => {
            "PostgreSQL stopped the statement, which took longer than its `statement_timeout`"
                .to_owned()
        }
        SqlState::LOCK_NOT_AVAILABLE => {
            "another server held the journal for longer than `lock_timeout`".to_owned()
        }
        SqlState::READ_ONLY_SQL_TRANSACTION => {
            "this PostgreSQL is a standby that can only be read; use the address of the primary"
                .to_owned()
        }
        SqlState::INSUFFICIENT_PRIVILEGE => format!(
            "the role lacks a right: {}; grant it, or use a role that owns the schema `holdpoint`",
            database.message()
        ),
        SqlState::DISK_FULL => "PostgreSQL's disk is full".to_owned(),
        _ => format!("PostgreSQL says: {}", database.message()),
    }
}
