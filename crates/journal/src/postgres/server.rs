//! What answers at the address: whether it is PostgreSQL, a version that will do, and set up to keep what it
//! acknowledges.

use super::sql_error::{self, what};
use tokio_postgres::{Client, Error, SimpleQueryMessage, SimpleQueryRow, error::SqlState};

/// The oldest version that will do, as `server_version_num` has it.
const OLDEST: u32 = 140_000;

/// What speaks PostgreSQL's protocol, or comes from its source, and is something else: a word of its
/// `version()`, and its name.
const OTHERS: [(&str, &str); 14] = [
    ("CockroachDB", "CockroachDB"),
    ("-YB-", "YugabyteDB"),
    ("Redshift", "Amazon Redshift"),
    ("Greenplum", "Greenplum"),
    ("Materialize", "Materialize"),
    ("RisingWave", "RisingWave"),
    ("QuestDB", "QuestDB"),
    ("CrateDB", "CrateDB"),
    ("openGauss", "openGauss"),
    ("GaussDB", "GaussDB"),
    ("PGAdapter", "Spanner"),
    ("immudb", "immudb"),
    ("DuckDB", "DuckDB"),
    ("YDB", "YDB"),
];

/// What is known of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Server {
    /// Its version, as people write it.
    pub version: String,
    /// It can only be read: a standby, or set to be so.
    pub is_read_only: bool,
    /// Whether what it acknowledges is on its disk.
    pub fsync: bool,
    /// Whether a page that was half written when the power failed is whole again.
    pub full_page_writes: bool,
    /// What a commit waits for.
    pub synchronous_commit: String,
}

/// Looks at the server. The simple protocol is used, which poolers and imitations know too.
///
/// # Errors
/// When it is none that will do, in words.
pub(super) async fn look(client: &Client) -> Result<Server, String> {
    let version = row(client, "SELECT version()").await?;
    let version = text(&version, 0);
    let number = row(client, "SHOW server_version_num").await;
    let number = number.ok().and_then(|row| text(&row, 0).parse().ok());
    let encoding = row(client, "SHOW server_encoding").await;
    let version = check_version(&version, number)?;
    let encoding = text(&encoding?, 0);
    if encoding != "UTF8" {
        return Err(format!(
            "the database has the encoding {encoding}, and texts of all languages have to fit: create \
             one with `ENCODING 'UTF8'`"
        ));
    }
    let settings = row(
        client,
        "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on', \
             current_setting('fsync'), current_setting('full_page_writes'), \
             current_setting('synchronous_commit')",
    )
    .await?;
    Ok(Server {
        version,
        is_read_only: text(&settings, 0) == "t",
        fsync: text(&settings, 1) == "on",
        full_page_writes: text(&settings, 2) == "on",
        synchronous_commit: text(&settings, 3),
    })
}

/// Looks whether the server does what the journal relies on, and whether each of these two connections
/// keeps a session of its own.
///
/// # Errors
/// When it does not, in words.
pub(super) async fn check_sessions(one: &Client, other: &Client) -> Result<(), String> {
    if is_pooled(one, other).await? {
        return Err(sql_error::pooler());
    }
    let locked = rows(
        one,
        "BEGIN; \
         SELECT pg_advisory_xact_lock_shared(hashtextextended('holdpoint probe', 0)); \
         SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid(); \
         ROLLBACK",
    )
    .await;
    let listening = async {
        rows(one, "LISTEN holdpoint_probe").await?;
        let heard = rows(one, "SELECT count(*) FROM pg_listening_channels()").await?;
        rows(one, "UNLISTEN holdpoint_probe").await?;
        Ok::<_, Error>(heard)
    };
    let listening = listening.await;
    for (found, needed) in [(locked, "advisory locks"), (listening, "LISTEN")] {
        let does = match found {
            Ok(rows) => rows.last().is_some_and(|row| text(row, 0) != "0"),
            Err(error) if error.as_db_error().is_some() => false,
            Err(error) => return Err(what(&error)),
        };
        if !does {
            return Err(format!(
                "this server speaks PostgreSQL's protocol and does not do what PostgreSQL does \
                 ({needed}); use PostgreSQL {} or newer",
                OLDEST / 10_000
            ));
        }
    }
    Ok(())
}

/// Whether two connections that are both open are served by one session, or one of them by two.
pub(super) async fn is_pooled(one: &Client, other: &Client) -> Result<bool, String> {
    const WHO: &str = "SELECT pg_backend_pid()";
    let mut seen = Vec::new();
    for client in [one, other, one] {
        match rows(client, WHO).await {
            Ok(rows) => seen.push(rows.first().map(|row| text(row, 0))),
            Err(error) if error.code() == Some(&SqlState::UNDEFINED_FUNCTION) => return Ok(false),
            Err(error) => return Err(what(&error)),
        }
    }
    Ok(seen[0] == seen[1] || seen[0] != seen[2])
}

/// The version as people write it.
fn check_version(said: &str, number: Option<u32>) -> Result<String, String> {
    let other = OTHERS.iter().find(|(word, _)| said.contains(word));
    if let Some((_, name)) = other {
        return Err(format!(
            "this is {name}, which speaks PostgreSQL's protocol and is not PostgreSQL; use PostgreSQL \
             {} or newer",
            OLDEST / 10_000
        ));
    }
    let version = said.strip_prefix("PostgreSQL ");
    let version = version.and_then(|version| version.split(' ').next());
    match (version, number) {
        (Some(version), Some(number)) if number >= OLDEST => Ok(version.to_owned()),
        (Some(version), Some(_)) => Err(format!(
            "this is PostgreSQL {version}, and {} or newer is needed",
            OLDEST / 10_000
        )),
        _ => Err(format!(
            "what answers there does not call itself PostgreSQL; use PostgreSQL {} or newer",
            OLDEST / 10_000
        )),
    }
}

async fn rows(client: &Client, sql: &str) -> Result<Vec<SimpleQueryRow>, Error> {
    let messages = client.simple_query(sql).await?.into_iter();
    let rows = messages.filter_map(|message| match message {
        SimpleQueryMessage::Row(row) => Some(row),
        _ => None,
    });
    Ok(rows.collect())
}

async fn row(client: &Client, sql: &str) -> Result<SimpleQueryRow, String> {
    let rows = rows(client, sql).await.map_err(|error| what(&error))?;
    let row = rows.into_iter().next();
    row.ok_or_else(|| "what answers there does not do what PostgreSQL does".to_owned())
}

fn text(row: &SimpleQueryRow, column: usize) -> String {
    let value = row.try_get(column).ok().flatten();
    value.unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_looks_like_postgresql_is_refused_by_name() {
        let check = |said: &str, number: u32, wanted: &str| {
            let error = check_version(said, Some(number)).unwrap_err();
            assert!(error.contains(wanted), "{said}: {error}");
            assert!(error.contains("14 or newer"), "{said}: {error}");
        };
        check(
            "CockroachDB CCL v23.1.11 (x86_64-pc-linux-gnu)",
            130_000,
            "CockroachDB",
        );
        check(
            "PostgreSQL 11.2-YB-2.18.0.0-b0 on x86_64",
            110_002,
            "YugabyteDB",
        );
        check(
            "PostgreSQL 15.2-YB-2.25.0.0-b0 on x86_64",
            150_002,
            "YugabyteDB",
        );
        let redshift = "PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by GCC, Redshift 1.0.54052";
        check(redshift, 80_002, "Redshift");
        check(
            "PostgreSQL 14.4 (Greenplum Database 7.0.0)",
            140_004,
            "Greenplum",
        );
        check(
            "PostgreSQL 13.14.0-RisingWave-2.0.1 (abc)",
            130_014,
            "RisingWave",
        );
        let quest = "PostgreSQL 12.3, compiled by Visual C++ build 1914, 64-bit, QuestDB";
        check(quest, 120_003, "QuestDB");
        check(
            "PostgreSQL 13.14 (Debian 13.14-1.pgdg120+1)",
            130_014,
            "13.14",
        );
        check("CoolDB 3", 160_000, "does not call itself");
        let error = check_version("PostgreSQL 16.1", None).unwrap_err();
        assert!(error.contains("does not call itself"), "{error}");
    }

    #[test]
    fn postgresql_and_what_is_built_of_it_will_do() {
        for (said, number, wanted) in [
            ("PostgreSQL 14.0 on x86_64-pc-linux-gnu", 140_000, "14.0"),
            (
                "PostgreSQL 17.2 (Ubuntu 17.2-1.pgdg24.04+1)",
                170_002,
                "17.2",
            ),
            ("PostgreSQL 18beta1 on aarch64", 180_000, "18beta1"),
            (
                "PostgreSQL 15.4 (EnterpriseDB Advanced Server 15.4.0)",
                150_004,
                "15.4",
            ),
        ] {
            assert_eq!(check_version(said, Some(number)).as_deref(), Ok(wanted));
        }
    }
}
