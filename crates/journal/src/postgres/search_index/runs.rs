//! Finds runs of scripts: those that have ended by the index, the few others one by one.

use super::{SearchIndex, candidates::Candidates, ended_runs::MAY_BE_RUN, names, wanted::Wanted};
use crate::{
    FoundRuns, JournalError, RunSearch,
    postgres::{
        query::{call_histories, select},
        select_rows::{column, uuid},
    },
    run_search::RunMatcher,
    search::{millis_from, occurs, text::fold},
};
use deadpool_postgres::{Client, GenericClient};
use std::collections::HashMap;
use tokio_postgres::types::Type;
use uuid::Uuid;

pub(in crate::postgres) async fn runs(
    client: &mut Client,
    index: &SearchIndex,
    search: &RunSearch,
) -> Result<FoundRuns, JournalError> {
    let matcher = RunMatcher::new(search);
    let (snapshot, filled) = index.snapshot(client).await?;
    let wanted = match filled {
        Some(_) => Some(wanted(&snapshot, search, &matcher).await?),
        None => None,
    };
    let wanted = wanted.filter(|wanted| wanted.can_fit);
    let before = search.before.map_or(Uuid::max(), |id| uuid(id.as_bytes()));
    let others = not_indexed(&snapshot, filled.unwrap_or_default(), before).await?;
    let key = (before, Type::UUID);
    let mut candidates = Candidates::new(&snapshot, wanted.as_ref(), others, key, search.limit);
    let mut found = FoundRuns::default();
    loop {
        let ids = candidates.next().await?;
        if ids.is_empty() {
            return Ok(found);
        }
        for run in call_histories(&snapshot, &ids).await? {
            if matcher.fits(&run) && !found.push(run, search.limit) {
                return Ok(found);
            }
        }
    }
}

/// What a search asks of the index.
async fn wanted(
    client: &impl GenericClient,
    search: &RunSearch,
    matcher: &RunMatcher<'_>,
) -> Result<Wanted, JournalError> {
    let mut wanted = Wanted::new("index_runs", "id");
    if let Some(since) = search.since {
        wanted.add("a.opened_at >= ?", millis_from(since));
    }
    if let Some(until) = search.until {
        wanted.add("a.opened_at < ?", millis_from(until));
    }
    let parts = [
        ("server", &search.server),
        ("tool", &search.tool),
        ("client", &search.client),
    ];
    let names = if parts.iter().any(|(_, part)| part.is_some()) {
        names::all(client).await?
    } else {
        HashMap::new()
    };
    for (column, part) in parts {
        if let Some(part) = part.as_deref().map(fold) {
            let fitting = names
                .iter()
                .filter(|(_, name)| occurs(Some(&part), Some(name)));
            wanted.numbered(column, fitting.map(|(number, _)| *number).collect());
        }
    }
    wanted.words(&matcher.words);
    Ok(wanted)
}

/// The runs that have not ended, or that ended behind what the index holds; the first first.
async fn not_indexed(
    client: &impl GenericClient,
    filled: u64,
    before: Uuid,
) -> Result<Vec<Uuid>, JournalError> {
    // With a binding: an index leads there, and runs have one.
    let sql = format!(
        "SELECT c.id FROM holdpoint.calls c JOIN holdpoint.events o ON o.seq = c.opened
         WHERE c.finished IS NULL AND c.binding IS NOT NULL AND c.id < $1 AND {MAY_BE_RUN}
         UNION
         SELECT c.id FROM holdpoint.events f
         JOIN holdpoint.calls c ON c.id = f.call AND c.finished = f.seq
         JOIN holdpoint.events o ON o.seq = c.opened
         WHERE f.seq > $2 AND f.kind = 'finished' AND c.id < $1 AND {MAY_BE_RUN}
         ORDER BY 1"
    );
    let found = select(client, &sql, &[&before, &column(filled)]).await?;
    Ok(found.iter().map(|row| row.get(0)).collect())
}
