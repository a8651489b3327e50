//! Taking out of the index what is pruned.

use tokio_postgres::{Client, Error};
use uuid::Uuid;

/// Takes out what the index has of these asks and calls, within the transaction that takes out their rows and
/// before those go. Whoever fills the index waits for it. That transaction has the lock of the head, so it does
/// not wait long itself: while trigrams are made for a long record, nothing can be pruned.
pub(in crate::postgres) async fn forget(
    client: &Client,
    asks: &[Uuid],
    calls: &[Uuid],
) -> Result<(), Error> {
    client
        .batch_execute(
            "SET LOCAL lock_timeout = '3s'; SELECT FROM holdpoint.index_state FOR UPDATE",
        )
        .await?;
    for (rows, ids) in [("asks", asks), ("calls", calls)] {
        for table in ["index_asks", "index_runs", "index_texts"] {
            let sql = format!(
                "DELETE FROM holdpoint.{table} i USING holdpoint.{rows} r
                 WHERE r.id = ANY($1) AND i.opened = r.opened"
            );
            client.execute(&sql, &[&ids]).await?;
        }
    }
    Ok(())
}
