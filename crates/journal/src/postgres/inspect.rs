//! What a person wants to know of the database before they trust it with a journal: for `holdpoint doctor`.

use super::{
    prepare::{Session, reach},
    schema::{self, Found},
    server, sql_error,
};
use crate::JournalError;
use jiff::{SignedDuration, Timestamp};

/// How a database is set up. Nothing is made or changed to learn it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Inspection {
    /// The address, without its password.
    pub place: String,
    /// The version of PostgreSQL.
    pub version: String,
    /// The connection is kept secret by TLS.
    pub is_encrypted: bool,
    /// It is known that the server is the one of the address: by its certificate.
    pub is_verified: bool,
    /// It is this machine that was connected to.
    pub is_local: bool,
    /// A pooler hands each transaction to another session.
    pub is_pooled: bool,
    /// It can only be read: a standby, or set to be so.
    pub is_read_only: bool,
    /// The tables.
    pub schema: Schema,
    /// The version of the tables that this program knows.
    pub known_version: u32,
    /// The rights that the role lacks, in words.
    pub missing_rights: Vec<String>,
    /// Whether what is acknowledged is on the disk (`fsync`, `full_page_writes`).
    pub fsync: bool,
    /// Whether a page that was half written when the power failed is whole again.
    pub full_page_writes: bool,
    /// What a commit waits for (`synchronous_commit`). Where it is off, a journal turns it on for itself.
    pub synchronous_commit: String,
    /// How far the database's clock is ahead of this machine's.
    pub clock_offset: SignedDuration,
    /// Searching by parts of words has its index: `pg_trgm` is installed in the database.
    pub has_trigrams: bool,
    /// `pg_trgm` could be installed.
    pub could_have_trigrams: bool,
    /// How many connections the server allows.
    pub max_connections: u32,
    /// How many are in use.
    pub used_connections: u32,
}

/// The tables of a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Schema {
    /// There are none yet.
    Missing,
    /// The schema `holdpoint` belongs to something else.
    Foreign,
    /// They are there.
    Made {
        /// Their version.
        version: u32,
        /// The lowest version that a program has to know to write.
        lowest_writer: u32,
    },
}

/// How many connections a server of Holdpoint's uses at most.
pub const CONNECTIONS_OF_A_SERVER: u32 = 10;

/// Looks at the database at this address.
///
/// # Errors
/// When it cannot be reached, or is nothing that could hold a journal.
pub async fn inspect(url: &str) -> Result<Inspection, JournalError> {
    let (address, session) = reach(url).await?;
    let client = &session.client;
    let refuse = |what: String| JournalError::open(&address.shown, what);
    let failed = |error: tokio_postgres::Error| {
        let what = sql_error::what(&error);
        JournalError::open(&address.shown, what).with_source(error)
    };
    let server = server::look(client).await.map_err(refuse)?;
    let other = Session::open(&address).await?;
    let is_pooled = server::is_pooled(client, &other.client).await;
    let is_pooled = is_pooled.map_err(refuse)?;
    let found = schema::look(client).await.map_err(failed)?;
    let missing_rights = match found {
        Found::Ours(_) => schema::missing_rights(client).await.map_err(failed)?,
        Found::Nothing { has_schema } => {
            rights_to_make(client, has_schema).await.map_err(failed)?
        }
        Found::Foreign => Vec::new(),
    };
    let before = Timestamp::now();
    let row = client.query_one(FACTS, &[]).await.map_err(failed)?;
    let after = Timestamp::now();
    let ours = before + after.duration_since(before) / 2;
    let theirs = Timestamp::from_microsecond(row.get(0)).unwrap_or(ours);
    let number = |column| u32::try_from(row.get::<_, i64>(column)).unwrap_or_default();
    Ok(Inspection {
        version: server.version,
        is_encrypted: row.get(1),
        is_verified: row.get::<_, bool>(1) && address.tls.mode.verifies(),
        is_local: address.is_local,
        is_pooled,
        is_read_only: server.is_read_only,
        schema: match found {
            Found::Nothing { .. } => Schema::Missing,
            Found::Foreign => Schema::Foreign,
            Found::Ours(state) => Schema::Made {
                version: state.version,
                lowest_writer: state.lowest_writer,
            },
        },
        known_version: schema::known(),
        missing_rights,
        fsync: server.fsync,
        full_page_writes: server.full_page_writes,
        synchronous_commit: server.synchronous_commit,
        clock_offset: theirs.duration_since(ours),
        has_trigrams: row.get(2),
        could_have_trigrams: row.get(3),
        max_connections: number(4),
        used_connections: number(5),
        place: address.shown,
    })
}

const FACTS: &str = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint, \
         coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false), \
         EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm'), \
         EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm'), \
         current_setting('max_connections')::bigint, \
         (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')";

/// What the role lacks to make the tables.
async fn rights_to_make(
    client: &tokio_postgres::Client,
    has_schema: bool,
) -> Result<Vec<String>, tokio_postgres::Error> {
    let (sql, lacks) = if has_schema {
        (
            "SELECT has_schema_privilege('holdpoint', 'CREATE') \
                 AND has_schema_privilege('holdpoint', 'USAGE')",
            "CREATE and USAGE on the schema `holdpoint`",
        )
    } else {
        (
            "SELECT has_database_privilege(current_database(), 'CREATE')",
            "CREATE on the database",
        )
    };
    let may = client.query_one(sql, &[]).await?.get::<_, bool>(0);
    Ok(if may {
        Vec::new()
    } else {
        vec![lacks.to_owned()]
    })
}
