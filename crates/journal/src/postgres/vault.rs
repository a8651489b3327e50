//! Keys and private values, in tables of their own, sealed where a secret is given.

use super::{
    query::{self, select},
    sql_error::write_error,
};
use crate::{
    BoxFuture, JournalError, Vault,
    postgres::PostgresJournal,
    rules::{check_key_name, check_name},
    seal::Secret,
};
use deadpool_postgres::Client;
use holdpoint_ask::AskId;

impl Vault for PostgresJournal {
    fn key(&self, name: &str) -> BoxFuture<'_, Result<[u8; 32], JournalError>> {
        let (name, secret) = (name.to_owned(), self.secret.clone());
        self.read(move |client| {
            let (name, secret) = (name.clone(), secret.clone());
            async move { key(&client, &secret, &name).await }
        })
    }

    fn load(&self, name: &str) -> BoxFuture<'_, Result<Option<Vec<u8>>, JournalError>> {
        let (name, secret) = (name.to_owned(), self.secret.clone());
        self.read(move |client| {
            let (name, secret) = (name.clone(), secret.clone());
            async move { load(&client, &secret, &name).await }
        })
    }

    fn store(&self, name: &str, value: Option<Vec<u8>>) -> BoxFuture<'_, Result<(), JournalError>> {
        let (name, secret) = (name.to_owned(), self.secret.clone());
        self.read(move |client| {
            let (name, secret, value) = (name.clone(), secret.clone(), value.clone());
            async move { store(&client, &secret, &name, value.as_deref()).await }
        })
    }

    fn create(&self, name: &str, value: Vec<u8>) -> BoxFuture<'_, Result<bool, JournalError>> {
        let (name, secret) = (name.to_owned(), self.secret.clone());
        self.read(move |client| {
            let (name, secret, value) = (name.clone(), secret.clone(), value.clone());
            async move { create(&client, &secret, &name, &value).await }
        })
    }

    fn names(&self, below: &str) -> BoxFuture<'_, Result<Vec<String>, JournalError>> {
        let below = below.to_owned();
        self.read(move |client| {
            let below = below.clone();
            async move { names(&client, &below).await }
        })
    }

    fn parcel(&self, ask: AskId) -> BoxFuture<'_, Result<Option<Vec<u8>>, JournalError>> {
        self.read(move |client| async move { query::parcel(&client, ask).await })
    }
}

/// A key, made where there is none; of several servers that make it at once, one does.
async fn key(client: &Client, secret: &Secret, name: &str) -> Result<[u8; 32], JournalError> {
    check_key_name(name)?;
    let sealed_as = key_sealed_as(name);
    let sql = "SELECT value FROM holdpoint.vault_keys WHERE name = $1";
    let mut found = select(client, sql, &[&name]).await?;
    if found.is_empty() {
        let mut made = [0; 32];
        getrandom::fill(&mut made).map_err(|error| {
            JournalError::write("the system gives no random numbers").with_source(error)
        })?;
        let insert = "INSERT INTO holdpoint.vault_keys (name, value) VALUES ($1, $2)
                      ON CONFLICT (name) DO NOTHING";
        let sealed = secret.seal(&sealed_as, &made)?;
        let added = client.execute(insert, &[&name, &sealed]).await;
        added.map_err(write_error)?;
        found = select(client, sql, &[&name]).await?;
    }
    let damaged = || JournalError::damaged(format!("the key `{name}` does not have 32 bytes"));
    let stored = found.first().ok_or_else(damaged)?;
    let key = secret.open(&sealed_as, stored.get(0))?;
    key.try_into().map_err(|_| damaged())
}

/// A key and a value of one name cannot take each other's place.
fn key_sealed_as(name: &str) -> String {
    format!("key:{name}")
}

/// Sets a key in the place of one of this name.
pub(super) async fn put_key(
    client: &Client,
    secret: &Secret,
    name: &str,
    key: [u8; 32],
) -> Result<(), JournalError> {
    check_key_name(name)?;
    let sql = "INSERT INTO holdpoint.vault_keys (name, value) VALUES ($1, $2)
               ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    let sealed = secret.seal(&key_sealed_as(name), &key)?;
    let done = client.execute(sql, &[&name, &sealed]).await;
    done.map(|_| ()).map_err(write_error)
}

/// The names in one of the two tables.
pub(super) async fn all_names(client: &Client, table: &str) -> Result<Vec<String>, JournalError> {
    let sql = format!("SELECT name FROM holdpoint.{table} ORDER BY name");
    let found = select(client, &sql, &[]).await?;
    Ok(found.iter().map(|row| row.get(0)).collect())
}

async fn load(
    client: &Client,
    secret: &Secret,
    name: &str,
) -> Result<Option<Vec<u8>>, JournalError> {
    check_name(name)?;
    let sql = "SELECT value FROM holdpoint.vault WHERE name = $1";
    let found = select(client, sql, &[&name]).await?;
    let open = |row: &tokio_postgres::Row| secret.open(name, row.get(0));
    found.first().map(open).transpose()
}

async fn store(
    client: &Client,
    secret: &Secret,
    name: &str,
    value: Option<&[u8]>,
) -> Result<(), JournalError> {
    check_name(name)?;
    let done = match value {
        Some(value) => {
            let sql = "INSERT INTO holdpoint.vault (name, value) VALUES ($1, $2)
                       ON CONFLICT (name) DO UPDATE SET value = excluded.value";
            let sealed = secret.seal(name, value)?;
            client.execute(sql, &[&name, &sealed]).await
        }
        None => {
            let sql = "DELETE FROM holdpoint.vault WHERE name = $1";
            client.execute(sql, &[&name]).await
        }
    };
    done.map(|_| ()).map_err(write_error)
}

async fn create(
    client: &Client,
    secret: &Secret,
    name: &str,
    value: &[u8],
) -> Result<bool, JournalError> {
    check_name(name)?;
    let sql = "INSERT INTO holdpoint.vault (name, value) VALUES ($1, $2)
               ON CONFLICT (name) DO NOTHING";
    let sealed = secret.seal(name, value)?;
    let added = client.execute(sql, &[&name, &sealed]).await;
    added.map(|count| count == 1).map_err(write_error)
}

async fn names(client: &Client, below: &str) -> Result<Vec<String>, JournalError> {
    check_name(below)?;
    let sql = "SELECT name FROM holdpoint.vault
               WHERE starts_with(name, $1 || '/')
                   AND position('/' in substr(name, length($1) + 2)) = 0
               ORDER BY name";
    let found = select(client, sql, &[&below]).await?;
    Ok(found.iter().map(|row| row.get(0)).collect())
}
