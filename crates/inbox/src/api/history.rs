//! Lists ended asks, newest first, with search.

use super::error::ApiError;
use crate::{etag, gate::Gate, rows::EndedRow};
use axum::{
    Json,
    extract::{Query, State},
    http::HeaderMap,
    response::{IntoResponse, Response},
};
use holdpoint::journal::{Search, Status};
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
pub(crate) struct Listing {
    q: Option<String>,
    limit: Option<usize>,
    before: Option<String>,
}

#[derive(Serialize)]
struct History {
    asks: Vec<EndedRow>,
    next: Option<String>,
}

/// A page of ended asks.
pub(crate) async fn list(
    State(gate): State<Gate>,
    Query(listing): Query<Listing>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let before = match listing.before.filter(|before| !before.is_empty()) {
        Some(id) => Some(gate.page.record(&id).await?.id),
        None => None,
    };
    let ended = |status: &Status| *status != Status::Pending;
    let search = Search {
        words: Search::split(&listing.q.unwrap_or_default()),
        status: Status::ALL.into_iter().filter(ended).collect(),
        before,
        limit: Some(listing.limit.unwrap_or(50).clamp(1, 200)),
        ..Search::default()
    };
    let found = gate.page.desk().journal().search(search).await?;
    let last = found.asks.last().filter(|_| found.more);
    let history = History {
        next: last.map(|ask| ask.id.to_string()),
        asks: found.asks.iter().filter_map(EndedRow::new).collect(),
    };
    let bytes = serde_json::to_vec(&history).unwrap_or_default();
    Ok(etag::unless_known(&headers, etag::of(&bytes), || {
        Json(history).into_response()
    }))
}
