//! Taking out what was pruned, before the rest of the transaction is written.

use super::{
    fetch::name_digest,
    search_index::forget,
    select_rows::{column, uuid},
    transaction::{Extra, Transaction},
};
use crate::rules::pruned_body;
use tokio_postgres::{Client, Error, types::ToSql};
use uuid::Uuid;

/// Takes out rows and bodies, within the transaction that is open.
pub(super) async fn remove(client: &Client, transaction: &Transaction) -> Result<(), Error> {
    let mut of_asks: Vec<Uuid> = Vec::new();
    for extra in &transaction.extras {
        match extra {
            Extra::DropGrants(ask) => of_asks.push(uuid(ask.as_bytes())),
            Extra::DropBodies(seqs, by) => {
                let seqs: Vec<i64> = seqs.iter().map(|seq| column(*seq)).collect();
                let sql = "UPDATE holdpoint.events SET body = $2 WHERE seq = ANY($1)";
                client.execute(sql, &[&seqs, &pruned_body(*by)]).await?;
            }
            _ => {}
        }
    }
    let asks: Vec<Uuid> = transaction
        .asks
        .removed()
        .map(|id| uuid(id.as_bytes()))
        .collect();
    let calls: Vec<Uuid> = transaction
        .calls
        .removed()
        .map(|id| uuid(id.as_bytes()))
        .collect();
    forget(client, &asks, &calls).await?;
    let by_id: [(&str, &Vec<Uuid>); 3] = [
        ("DELETE FROM holdpoint.grants WHERE ask = ANY($1)", &of_asks),
        ("DELETE FROM holdpoint.asks WHERE id = ANY($1)", &asks),
        ("DELETE FROM holdpoint.calls WHERE id = ANY($1)", &calls),
    ];
    for (sql, ids) in by_id {
        if !ids.is_empty() {
            client.execute(sql, &[ids as &(dyn ToSql + Sync)]).await?;
        }
    }
    for (call, name, occurrence) in transaction.steps.removed() {
        let sql = "DELETE FROM holdpoint.steps
                   WHERE call = $1 AND name_digest = $2 AND occurrence = $3";
        let key: [&(dyn ToSql + Sync); 3] = [
            &uuid(call.as_bytes()),
            &name_digest(name),
            &i64::from(*occurrence),
        ];
        client.execute(sql, &key).await?;
    }
    Ok(())
}
