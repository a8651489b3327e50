//! What is done before a journal is opened: whether the server will do, and its tables.

use super::{
    connect::{Address, Link},
    schema::{self, Found},
    server::{self, Server},
    sql_error,
};
use crate::JournalError;
use tokio_postgres::Client;

/// The address of a journal that can be written: its server will do, its tables are there and up to date.
///
/// # Errors
/// One sentence on what is wrong; nothing was made or changed then.
pub(super) async fn for_writing(url: &str) -> Result<Address, JournalError> {
    let address = Address::parse(url)?;
    let mut session = Session::open(&address).await?;
    let refuse = |what: String| JournalError::open(&address.shown, what);
    let server = server::look(&session.client).await.map_err(refuse)?;
    if server.is_read_only {
        return Err(refuse(sql_error::standby()));
    }
    let other = Session::open(&address).await?;
    let checked = server::check_sessions(&session.client, &other.client).await;
    checked.map_err(refuse)?;
    schema::prepare(&mut session.client, &address.shown).await?;
    let missing = schema::missing_rights(&session.client).await;
    let missing = missing.map_err(|error| refuse(sql_error::what(&error)))?;
    if !missing.is_empty() {
        return Err(refuse(format!(
            "the role lacks rights in the schema `holdpoint`: {}; grant them, or use a role that owns it",
            missing.join(", ")
        )));
    }
    warn_of_loss(&address, &server);
    Ok(address)
}

/// The address of a journal that is only read, which may be a standby's. Nothing is made.
///
/// # Errors
/// One sentence on what is wrong, or that there is no journal.
pub(super) async fn for_reading(url: &str) -> Result<Address, JournalError> {
    let (address, session) = reach(url).await?;
    let refuse = |what: String| JournalError::open(&address.shown, what);
    server::look(&session.client).await.map_err(refuse)?;
    let found = schema::look(&session.client).await;
    match found.map_err(|error| refuse(sql_error::what(&error)))? {
        Found::Ours(state) if state.version >= schema::known() => Ok(address),
        Found::Ours(state) => Err(refuse(format!(
            "its schema has version {}, and this Holdpoint reads version {}: start a server of this \
             Holdpoint once, which brings it up to date",
            state.version,
            schema::known()
        ))),
        Found::Nothing { .. } => Err(refuse(
            "there is no journal in this database yet; a server that is started with this address \
             makes it"
                .to_owned(),
        )),
        Found::Foreign => Err(refuse(schema::foreign())),
    }
}

/// A server to read from: the primary where one is reached, else what there is.
pub(super) async fn reach(url: &str) -> Result<(Address, Session), JournalError> {
    let address = Address::parse(url)?;
    match Session::open(&address).await {
        Ok(session) => Ok((address, session)),
        // Of several hosts only what the last one said is known.
        Err(error) if sql_error::is_standby(&error) || address.config.get_hosts().len() > 1 => {
            let address = address.or_standby();
            let session = Session::open(&address).await?;
            Ok((address, session))
        }
        Err(error) => Err(error),
    }
}

/// A connection of a few questions, which ends when it is dropped.
#[derive(Debug)]
pub(super) struct Session {
    pub client: Client,
}

impl Session {
    pub async fn open(address: &Address) -> Result<Self, JournalError> {
        let (client, link) = address.reach().await?;
        tokio::spawn(follow(link));
        Ok(Self { client })
    }
}

/// Whoever waits for an answer learns what went wrong.
async fn follow(link: Link) {
    if let Err(error) = link.await {
        tracing::debug!("a connection to PostgreSQL ended: {error}");
    }
}

/// The committer waits for the disk whatever the server's `synchronous_commit` is; this it cannot make good.
fn warn_of_loss(address: &Address, server: &Server) {
    for (is_on, name) in [
        (server.fsync, "fsync"),
        (server.full_page_writes, "full_page_writes"),
    ] {
        if !is_on {
            tracing::warn!(
                journal = address.shown,
                "PostgreSQL has `{name} = off`: decisions that were given can be lost, or the whole \
                 record, when its machine crashes; turn it on"
            );
        }
    }
}
