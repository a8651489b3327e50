//! An ask with what happened around it.

use super::{
    query::{self, select, select_events},
    select_rows::{GRANT_COLUMNS, grant, uuid},
};
use crate::{AskHistory, JournalError};
use deadpool_postgres::Client;
use holdpoint_ask::AskId;

pub(super) async fn history(
    client: &mut Client,
    id: AskId,
) -> Result<Option<AskHistory>, JournalError> {
    let snapshot = query::snapshot(client).await?;
    let Some(ask) = query::ask(&snapshot, id).await? else {
        return Ok(None);
    };
    let (key, call) = (
        uuid(id.as_bytes()),
        ask.call.map(|call| uuid(call.as_bytes())),
    );
    let events = select_events(&snapshot, EVENTS, &[&key, &call]).await?;
    let grants = format!(
        "SELECT {GRANT_COLUMNS} FROM holdpoint.grants g WHERE g.ask = $1 ORDER BY g.issued_at, g.id"
    );
    let grants = select(&snapshot, &grants, &[&key]).await?;
    Ok(Some(AskHistory {
        events,
        grants: grants.iter().map(grant).collect::<Result<_, _>>()?,
        ask,
    }))
}

/// What is noted of the ask lies between its opening and its decision; the rest is where the rows of it, of its
/// call and of the steps point to.
const EVENTS: &str = "
    WHERE e.seq IN (
        SELECT unnest(ARRAY[a.opened, a.decided]) FROM holdpoint.asks a WHERE a.id = $1
        UNION
        SELECT n.seq FROM holdpoint.asks a JOIN holdpoint.events n
            ON n.seq BETWEEN a.opened AND coalesce(a.decided, 9223372036854775807)
        WHERE a.id = $1 AND n.ask = $1 AND n.kind NOT IN ('asked', 'decided')
        UNION
        SELECT n.seq FROM holdpoint.asks a JOIN holdpoint.events n
            ON n.seq BETWEEN a.opened AND coalesce(a.decided, 9223372036854775807)
        WHERE a.id = $1 AND n.call = $2 AND n.ask IS NULL
            AND n.kind NOT IN ('called', 'step_started', 'step_finished', 'finished')
        UNION
        SELECT unnest(ARRAY[c.opened, c.finished]) FROM holdpoint.calls c WHERE c.id = $2
        UNION
        SELECT unnest(ARRAY[s.started, s.finished]) FROM holdpoint.steps s WHERE s.call = $2
    ) AND (e.ask = $1 OR (e.call = $2 AND e.ask IS NULL))
    ORDER BY e.seq";
