//! Lists ended asks, newest first, with search.

use super::error::ApiError;
use crate::{
    gate::{Gate, Visitor},
    view::AskView,
};
use axum::{
    Extension, Json,
    extract::{Query, State},
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
pub(crate) struct History {
    asks: Vec<AskView>,
    next: Option<String>,
}

/// A page of ended asks.
pub(crate) async fn list(
    State(gate): State<Gate>,
    Extension(visitor): Extension<Visitor>,
    Query(listing): Query<Listing>,
) -> Result<Json<History>, ApiError> {
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
    Ok(Json(History {
        next: last.map(|ask| ask.id.to_string()),
        asks: gate.page.views(&found.asks, &visitor).await?,
    }))
}
