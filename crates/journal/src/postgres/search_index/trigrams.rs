//! The index of trigrams over the texts, where the extension `pg_trgm` is there or may be created.

use super::State;
use crate::{
    JournalError,
    postgres::{
        query::select,
        sql_error::{what, write_error},
    },
};
use deadpool_postgres::{Client, Transaction};
use std::sync::atomic::{AtomicBool, Ordering};

/// The name of the index.
pub(super) const INDEX: &str = "index_texts_trigrams";

/// What this process knows of the extension.
#[derive(Debug, Default)]
pub(super) struct Trigrams {
    /// It is not there and may not be created. Somebody else may create it later.
    is_refused: AtomicBool,
}

impl Trigrams {
    /// Whether it is worth a try.
    pub fn can_be_made(&self, state: &State) -> bool {
        !state.has_trigrams && (state.has_extension || !self.is_refused.load(Ordering::Relaxed))
    }

    /// Makes the index where there is none yet and there can be one.
    pub async fn make(&self, client: &mut Client) -> Result<(), JournalError> {
        let transaction = client.transaction().await.map_err(write_error)?;
        let state = State::lock(&transaction).await?;
        if !self.can_be_made(&state) {
            return Ok(());
        }
        if !state.has_extension
            && let Err(error) = transaction
                .batch_execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
                .await
        {
            self.is_refused.store(true, Ordering::Relaxed);
            tracing::info!(
                why = what(&error),
                "searches read every text: the extension pg_trgm is missing and this role cannot create \
                 it; they are faster once somebody has run `CREATE EXTENSION pg_trgm`"
            );
            return Ok(());
        }
        create(&transaction).await?;
        transaction.commit().await.map_err(write_error)
    }
}

/// Makes the index; only whoever fills in texts waits for it.
async fn create(transaction: &Transaction<'_>) -> Result<(), JournalError> {
    let sql = "SELECT quote_ident(n.nspname) FROM pg_extension e
        JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_trgm'";
    let found = select(transaction, sql, &[]).await?;
    let Some(schema) = found.first().map(|row| row.get::<_, String>(0)) else {
        return Ok(());
    };
    transaction
        .batch_execute(&format!(
            "SET LOCAL statement_timeout = 0;
             CREATE INDEX IF NOT EXISTS {INDEX}
                ON holdpoint.index_texts USING gin (text {schema}.gin_trgm_ops)"
        ))
        .await
        .map_err(write_error)
}
