//! Finding calls by their method, tool and server.

use super::{
    query::select_calls,
    select_rows::{column, uuid},
    transaction::label,
};
use crate::{CallQuery, CallRecord, JournalError};
use deadpool_postgres::GenericClient;

pub(super) async fn calls(
    client: &impl GenericClient,
    query: &CallQuery,
) -> Result<Vec<CallRecord>, JournalError> {
    let mut before = query.before.map(|id| uuid(id.as_bytes()));
    let tools: Vec<_> = query.tools.iter().map(|tool| label(tool)).collect();
    let server = query.server.as_deref().map(label);
    let mut found = Vec::new();
    loop {
        let page = select_calls(
            client,
            "WHERE ($1::uuid IS NULL OR c.id < $1) AND (c.method = $2 OR c.tool = ANY($3))
                AND ($4::text IS NULL OR c.server = $4)
             ORDER BY c.id DESC LIMIT $5",
            &[
                &before,
                &label(&query.method),
                &tools,
                &server,
                &column(query.limit),
            ],
        )
        .await?;
        let is_last = page.len() < query.limit;
        before = page.last().map(|call| uuid(call.id.as_bytes()));
        // By what each says itself: the columns are copies, in which one character stands for two.
        let wanted = page.into_iter().filter(|call| query.wants(call));
        found.extend(wanted.map(listed));
        if is_last || found.len() >= query.limit {
            found.truncate(query.limit);
            return Ok(found);
        }
    }
}

/// A list does not say when each ended; its history does.
fn listed(call: CallRecord) -> CallRecord {
    CallRecord {
        ended_at: None,
        ..call
    }
}
