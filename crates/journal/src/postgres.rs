//! The journal in PostgreSQL: for several servers, on several machines, that share one record.
//!
//! Each server commits on one connection, whatever has queued in one transaction, reads on a pool of others,
//! and has one more on which it listens for other servers' commits and says that it lives. The row
//! `holdpoint.head` is the last event: a transaction takes its lock first, so all servers' transactions are
//! one after the other, and what the rules read in one holds until it commits.

use connect::Address;
use readers::Readers;
use uuid::Uuid;

mod connect;
mod connection_config;
mod connection_url;
mod inspect;
mod password;
mod prepare;
mod readers;
mod schema;
mod select_rows;
mod server;
mod sql_error;
mod tls;

pub use inspect::{CONNECTIONS_OF_A_SERVER, Inspection, Schema, inspect};

/// A journal in PostgreSQL.
#[derive(Debug)]
pub struct PostgresJournal {
    owner: Uuid,
    address: Address,
    readers: Readers,
}
