//! Reading open asks.

use super::error::{ApiError, ask_id};
use crate::{
    gate::Gate,
    view::{AskView, AsksView},
};
use axum::{
    Json,
    extract::{Path, Query, State},
};
use holdpoint::journal::AskQuery;
use jiff::Timestamp;
use serde::Deserialize;

#[derive(Deserialize)]
pub(crate) struct Listing {
    limit: Option<usize>,
}

/// A page of open asks.
pub(crate) async fn list(
    State(gate): State<Gate>,
    Query(listing): Query<Listing>,
) -> Result<Json<AsksView>, ApiError> {
    let journal = gate.page.desk().journal();
    let query = AskQuery {
        open: true,
        limit: Some(listing.limit.unwrap_or(50).clamp(1, 200)),
        ..AskQuery::default()
    };
    let found = journal.asks(query).await?;
    Ok(Json(AsksView {
        asks: found
            .iter()
            .map(|ask| AskView::of(ask, None, false))
            .collect(),
        next: None,
        open: journal.open_asks().await?,
        me: gate.page.inbox().user().map(str::to_owned),
        pin_set: false,
        now: Timestamp::now(),
    }))
}

/// One ask.
pub(crate) async fn one(
    State(gate): State<Gate>,
    Path(id): Path<String>,
) -> Result<Json<AskView>, ApiError> {
    let record = gate.page.desk().journal().ask(ask_id(&id)?).await?;
    let record = record.ok_or_else(ApiError::unknown_ask)?;
    Ok(Json(AskView::of(&record, None, false)))
}
