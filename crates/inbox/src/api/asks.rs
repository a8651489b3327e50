//! Reads one ask.

use super::{
    error::{ApiError, ask_id},
    own_asks::{self, Waiting},
};
use crate::{
    gate::{Gate, Visitor},
    server::Page,
    tokens::May,
};
use axum::{
    Extension as Visiting, Json,
    extract::{Path, Query, State, rejection::QueryRejection},
    response::{IntoResponse, Response},
};
use holdpoint::journal::AskRecord;

/// One ask: as it is shown to whoever may answer it, or what became of it to the program that asked.
pub(crate) async fn one(
    State(gate): State<Gate>,
    Visiting(visitor): Visiting<Visitor>,
    Path(id): Path<String>,
    waiting: Result<Query<Waiting>, QueryRejection>,
) -> Result<Response, ApiError> {
    let record = gate.page.record(&id).await?;
    if let Visitor::Program(token) = &visitor {
        if token.asked(&record) {
            let told = own_asks::read(&gate, token, record, waiting).await?;
            return Ok(told.into_response());
        }
        if !token.may.contains(&May::Answer) {
            return Err(ApiError::unknown_ask());
        }
    }
    let view = gate.page.view(&record, &visitor).await?;
    Ok(Json(view).into_response())
}

impl Page {
    /// The ask of this id.
    pub(crate) async fn record(&self, id: &str) -> Result<AskRecord, ApiError> {
        let record = self.desk().journal().ask(ask_id(id)?).await?;
        record.ok_or_else(ApiError::unknown_ask)
    }
}
