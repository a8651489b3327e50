//! PostgreSQL's errors in words for people.

use super::tls;
use crate::JournalError;
use std::{error::Error as _, io};
use tokio_postgres::{
    Error,
    error::{DbError, SqlState},
};
use tokio_rustls::rustls;

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
    let source = error.source();
    if let Some(database) = error.as_db_error() {
        return refused(database);
    }
    if let Some(io) = source.and_then(|source| source.downcast_ref::<io::Error>()) {
        return unreached(io);
    }
    // What is left has no type of its own.
    let why = source.map(ToString::to_string).unwrap_or_default();
    match &*why {
        "password missing" => "PostgreSQL asks for a password, and there is none: put it into a file \
                               and name that with `password_file=` in the address, or into ~/.pgpass"
            .to_owned(),
        "server does not support TLS" => {
            "the server offers no TLS, which is needed for a host that is not this machine: turn it \
             on there (`ssl = on`), or say `sslmode=disable` where nobody else is on the network"
                .to_owned()
        }
        "" => LOST.to_owned(),
        why => format!("PostgreSQL cannot be used: {error}: {why}"),
    }
}

const LOST: &str =
    "the connection to PostgreSQL was lost; see that the server is up and can be reached";

const POOLER: &str = "a pooler in front of PostgreSQL hands each transaction to another connection, \
                      and Holdpoint needs one that stays its own: use PostgreSQL's own address, or \
                      a pooler that pools sessions";

/// That a pooler is in the way.
pub(super) fn pooler() -> String {
    POOLER.to_owned()
}

/// That only reading is possible there.
pub(super) fn standby() -> String {
    "this PostgreSQL is a standby, or set to be read only, and the journal has to be written: use the \
     address of the primary, or name all hosts, separated by commas"
        .to_owned()
}

/// Whether a server was reached, and none that can be written.
pub(super) fn is_standby(error: &JournalError) -> bool {
    let below = error.source().and_then(|error| error.source());
    let io = below.and_then(|below| below.downcast_ref::<io::Error>());
    io.is_some_and(|io| unreached(io) == standby())
}

/// The network, or TLS.
fn unreached(error: &io::Error) -> String {
    let below = error.get_ref();
    if let Some(error) = below.and_then(|below| below.downcast_ref::<rustls::Error>()) {
        return tls::describe(error);
    }
    let text = error.to_string();
    match error.kind() {
        io::ErrorKind::ConnectionRefused => {
            "no server listens there; see that PostgreSQL is up, and the host and the port".to_owned()
        }
        io::ErrorKind::TimedOut => {
            "the host does not answer; see that it is up, and that no firewall is in the way"
                .to_owned()
        }
        io::ErrorKind::NotFound => {
            "there is no socket of a PostgreSQL there; see that it is up, and the folder and the port"
                .to_owned()
        }
        io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable => {
            "no network leads to the host".to_owned()
        }
        io::ErrorKind::PermissionDenied if text == "database does not allow writes" => standby(),
        io::ErrorKind::PermissionDenied if text == "database is not read only" => {
            "the address wants a standby (`target_session_attrs=read-only`), and this is none"
                .to_owned()
        }
        _ if text.contains("lookup address") => "the name of the host is not known".to_owned(),
        _ => LOST.to_owned(),
    }
}

/// What the server said.
fn refused(error: &DbError) -> String {
    let said = error.message();
    let fixed = match *error.code() {
        SqlState::INVALID_PASSWORD => "the password is wrong, or the role does not exist",
        SqlState::TOO_MANY_CONNECTIONS => {
            "PostgreSQL has no connection left (`max_connections`); give it more, or stop what holds \
             them"
        }
        SqlState::CANNOT_CONNECT_NOW => {
            "PostgreSQL is starting, stopping or recovering; try again in a moment"
        }
        SqlState::QUERY_CANCELED => {
            "PostgreSQL stopped the statement, which took longer than its `statement_timeout`"
        }
        SqlState::LOCK_NOT_AVAILABLE => {
            "another server held the journal for longer than `lock_timeout`"
        }
        SqlState::READ_ONLY_SQL_TRANSACTION => return standby(),
        SqlState::INVALID_SQL_STATEMENT_NAME | SqlState::DUPLICATE_PSTATEMENT => POOLER,
        SqlState::DISK_FULL => "PostgreSQL's disk is full",
        SqlState::INVALID_AUTHORIZATION_SPECIFICATION => {
            return format!("PostgreSQL lets nobody in like this: {said}");
        }
        SqlState::INVALID_CATALOG_NAME => {
            return format!("{said}: create it (`createdb NAME`), or name another in the address");
        }
        SqlState::INSUFFICIENT_PRIVILEGE => {
            return format!(
                "the role lacks a right: {said}; grant it, or use a role that owns the schema \
                 `holdpoint`"
            );
        }
        _ => return format!("PostgreSQL says: {said}"),
    };
    fixed.to_owned()
}
