//! Ended asks, newest first, with search.

use super::error::{ApiError, ask_id};
use crate::{gate::Gate, view::AskView};
use axum::{
    Json,
    extract::{Query, State},
};
use holdpoint::journal::{AskQuery, AskRecord};
use serde::{Deserialize, Serialize};

/// How many asks are read at once, and at most for one page, while looking for a text.
const CHUNK: usize = 500;
const MOST: usize = 20_000;

#[derive(Deserialize)]
pub(crate) struct Listing {
    q: Option<String>,
    limit: Option<usize>,
    before: Option<String>,
}

#[derive(Serialize)]
pub(crate) struct History {
    asks: Vec<AskView>,
    next: Option<String>,
}

/// A page of ended asks.
pub(crate) async fn list(
    State(gate): State<Gate>,
    Query(listing): Query<Listing>,
) -> Result<Json<History>, ApiError> {
    let limit = listing.limit.unwrap_or(50).clamp(1, 200);
    let before = listing.before.filter(|before| !before.is_empty());
    let mut before = before.as_deref().map(ask_id).transpose()?;
    let wanted = listing.q.unwrap_or_default().trim().to_lowercase();
    let mut found: Vec<AskRecord> = Vec::new();
    for _ in 0..MOST / CHUNK {
        let query = AskQuery {
            before,
            limit: Some(CHUNK),
            ..AskQuery::default()
        };
        let asks = gate.page.desk().journal().asks(query).await?;
        let more = asks.len() == CHUNK;
        before = asks.last().map(|ask| ask.id);
        let ended = |ask: &AskRecord| ask.decision.is_some() && speaks_of(ask, &wanted);
        found.extend(asks.into_iter().filter(ended));
        if found.len() >= limit {
            found.truncate(limit);
            before = found.last().map(|ask| ask.id);
            break;
        }
        if !more {
            before = None;
            break;
        }
    }
    Ok(Json(History {
        asks: gate.page.views(&found).await?,
        next: before.map(|id| id.to_string()),
    }))
}

/// Whether the ask or its decision has these words.
fn speaks_of(record: &AskRecord, wanted: &str) -> bool {
    super::asks::speaks_of(record, wanted)
        || record.decision.as_ref().is_some_and(|decision| {
            let told = crate::words::told(decision).to_lowercase();
            let reason = crate::words::reason(&decision.outcome).unwrap_or_default();
            told.contains(wanted) || reason.to_lowercase().contains(wanted)
        })
}
