//! Reads one ask.

use super::error::{ApiError, ask_id};
use crate::{
    gate::{Gate, Visitor},
    server::Page,
    view::AskView,
};
use axum::{
    Extension as Visiting, Json,
    extract::{Path, State},
};
use holdpoint::journal::AskRecord;

/// One ask.
pub(crate) async fn one(
    State(gate): State<Gate>,
    Visiting(visitor): Visiting<Visitor>,
    Path(id): Path<String>,
) -> Result<Json<AskView>, ApiError> {
    let record = gate.page.record(&id).await?;
    Ok(Json(gate.page.view(&record, &visitor).await?))
}

impl Page {
    /// The ask of this id.
    pub(crate) async fn record(&self, id: &str) -> Result<AskRecord, ApiError> {
        let record = self.desk().journal().ask(ask_id(id)?).await?;
        record.ok_or_else(ApiError::unknown_ask)
    }
}
