//! Keys and private values, in a table of their own.

use super::{
    query::{self, select},
    sql_error::write_error,
};
use crate::{BoxFuture, JournalError, Vault, postgres::PostgresJournal, rules::check_name};
use deadpool_postgres::Client;
use futures::FutureExt as _;
use holdpoint_ask::AskId;
use std::path::PathBuf;

impl Vault for PostgresJournal {
    fn key(&self, name: &str) -> BoxFuture<'_, Result<[u8; 32], JournalError>> {
        let name = name.to_owned();
        self.read(move |client| {
            let name = name.clone();
            async move { key(&client, &name).await }
        })
    }

    fn load(&self, name: &str) -> BoxFuture<'_, Result<Option<Vec<u8>>, JournalError>> {
        let name = name.to_owned();
        self.read(move |client| {
            let name = name.clone();
            async move {
                check_name(&name)?;
                load(&client, &format!("kept/{name}")).await
            }
        })
    }

    fn store(&self, name: &str, value: Option<Vec<u8>>) -> BoxFuture<'_, Result<(), JournalError>> {
        let name = name.to_owned();
        self.read(move |client| {
            let (name, value) = (name.clone(), value.clone());
            async move {
                check_name(&name)?;
                store(&client, &format!("kept/{name}"), value.as_deref()).await
            }
        })
    }

    fn folder(&self, name: &str) -> BoxFuture<'_, Result<Option<PathBuf>, JournalError>> {
        let checked = check_name(name).map(|()| None);
        futures::future::ready(checked).boxed()
    }

    fn parcel(&self, ask: AskId) -> BoxFuture<'_, Result<Option<Vec<u8>>, JournalError>> {
        self.read(move |client| async move { query::parcel(&client, ask).await })
    }
}

/// A key, made where there is none; of several servers that make it at once, one does.
async fn key(client: &Client, name: &str) -> Result<[u8; 32], JournalError> {
    check_name(name)?;
    let name = format!("key/{name}");
    let key = match load(client, &name).await? {
        Some(key) => key,
        None => {
            let mut made = [0; 32];
            getrandom::fill(&mut made).map_err(|error| {
                JournalError::write("the system gives no random numbers").with_source(error)
            })?;
            client
                .execute(
                    "INSERT INTO holdpoint.vault (name, value) VALUES ($1, $2)
                     ON CONFLICT (name) DO NOTHING",
                    &[&name, &made.as_slice()],
                )
                .await
                .map_err(write_error)?;
            load(client, &name).await?.unwrap_or_default()
        }
    };
    key.try_into()
        .map_err(|_| JournalError::damaged(format!("the key `{name}` does not have 32 bytes")))
}

async fn load(client: &Client, name: &str) -> Result<Option<Vec<u8>>, JournalError> {
    let sql = "SELECT value FROM holdpoint.vault WHERE name = $1";
    let found = select(client, sql, &[&name]).await?;
    Ok(found.first().map(|row| row.get(0)))
}

async fn store(client: &Client, name: &str, value: Option<&[u8]>) -> Result<(), JournalError> {
    let done = match value {
        Some(value) => {
            let sql = "INSERT INTO holdpoint.vault (name, value) VALUES ($1, $2)
                       ON CONFLICT (name) DO UPDATE SET value = excluded.value";
            client.execute(sql, &[&name, &value]).await
        }
        None => {
            let sql = "DELETE FROM holdpoint.vault WHERE name = $1";
            client.execute(sql, &[&name]).await
        }
    };
    done.map(|_| ()).map_err(write_error)
}
