//! Puts runs of scripts that have ended into the index, by what they did.

use crate::{
    CallHistory, JournalError,
    postgres::{
        query::{self, select},
        select_rows::{column, uuid},
    },
    run_search::text_of,
};
use deadpool_postgres::GenericClient;
use std::collections::HashMap;
use uuid::Uuid;

/// A body that has this may be a run's; the record says whether it is.
pub(super) const MAY_BE_RUN: &str = r#"position('"run":true' in o.body) > 0"#;

/// A run that has ended, and the event that opened it.
pub(super) struct Ended {
    opened: i64,
    run: CallHistory,
}

impl Ended {
    /// Where it came from: the server, the tool and the client.
    pub fn names(&self) -> [Option<&str>; 3] {
        let origin = &self.run.call.origin;
        [
            origin.server.as_deref(),
            origin.tool.as_deref(),
            origin.client.as_deref(),
        ]
    }

    /// What it is found by.
    pub fn text(&self) -> (i64, String) {
        (self.opened, text_of(&self.run))
    }
}

/// The runs that ended by the events behind `from`, up to `to`.
pub(super) async fn ended(
    client: &impl GenericClient,
    from: u64,
    to: u64,
) -> Result<Vec<Ended>, JournalError> {
    let sql = format!(
        "SELECT c.id, c.opened FROM holdpoint.events f
         JOIN holdpoint.calls c ON c.id = f.call AND c.finished = f.seq
         JOIN holdpoint.events o ON o.seq = c.opened
         WHERE f.seq > $1 AND f.seq <= $2 AND f.kind = 'finished' AND {MAY_BE_RUN}"
    );
    let found = select(client, &sql, &[&column(from), &column(to)]).await?;
    let opened: HashMap<Uuid, i64> = found.iter().map(|row| (row.get(0), row.get(1))).collect();
    let ids: Vec<Uuid> = opened.keys().copied().collect();
    let histories = query::call_histories(client, &ids).await?;
    let ended = histories.into_iter().filter(|run| run.call.run);
    let with_place = |run: CallHistory| {
        let opened = *opened.get(&uuid(run.call.id.as_bytes()))?;
        Some(Ended { opened, run })
    };
    Ok(ended.filter_map(with_place).collect())
}

/// Adds them to the index, within the transaction that is open.
pub(super) async fn insert(
    client: &impl GenericClient,
    ended: &[Ended],
    number: &(impl Fn(Option<&str>) -> Option<i32> + Sync),
) -> Result<(), JournalError> {
    let ids: Vec<Uuid> = ended
        .iter()
        .map(|run| uuid(run.run.call.id.as_bytes()))
        .collect();
    let opened: Vec<i64> = ended.iter().map(|run| run.opened).collect();
    let opened_at: Vec<i64> = ended
        .iter()
        .map(|run| run.run.call.opened_at.as_millisecond())
        .collect();
    let names: [Vec<Option<i32>>; 3] = std::array::from_fn(|place| {
        let numbers = ended.iter().map(|run| number(run.names()[place]));
        numbers.collect()
    });
    let [servers, tools, clients] = &names;
    select(
        client,
        "INSERT INTO holdpoint.index_runs (id, opened, opened_at, server, tool, client)
         SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::integer[],
            $5::integer[], $6::integer[])",
        &[&ids, &opened, &opened_at, servers, tools, clients],
    )
    .await?;
    Ok(())
}
