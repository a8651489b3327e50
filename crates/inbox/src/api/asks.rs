//! Reads one ask, and gives it more time.

use super::error::{ApiError, Body, ask_id};
use crate::{
    gate::{Gate, Visitor},
    server::Page,
    view::AskView,
};
use axum::{
    Extension as Visiting, Json,
    extract::{Path, State},
    http::StatusCode,
};
use holdpoint::journal::AskRecord;
use jiff::SignedDuration;
use serde::Deserialize;
use serde_json::{Value, json};

/// The longest that an ask can be given at once: a day.
const LONGEST_MINUTES: i64 = 24 * 60;

/// One ask.
pub(crate) async fn one(
    State(gate): State<Gate>,
    Visiting(visitor): Visiting<Visitor>,
    Path(id): Path<String>,
) -> Result<Json<AskView>, ApiError> {
    let record = gate.page.record(&id).await?;
    Ok(Json(gate.page.view(&record, &visitor).await?))
}

#[derive(Deserialize)]
pub(crate) struct Extension {
    minutes: i64,
}

/// Gives an ask more time, from now or from its deadline, whichever is later.
pub(crate) async fn extend(
    State(gate): State<Gate>,
    Visiting(visitor): Visiting<Visitor>,
    Path(id): Path<String>,
    Body(extension): Body<Extension>,
) -> Result<Json<Value>, ApiError> {
    let record = gate.page.record(&id).await?;
    if !(1..=LONGEST_MINUTES).contains(&extension.minutes) {
        let message = format!("Give it between 1 and {LONGEST_MINUTES} minutes more.");
        return Err(ApiError::bad_request(message));
    }
    let ended = || ApiError::new(StatusCode::CONFLICT, "ended", "This ask has ended already.");
    let Some(deadline) = record.deadline_at else {
        return match record.decision {
            Some(_) => Err(ended()),
            None => Ok(Json(json!({ "deadlineAt": null }))),
        };
    };
    let now = gate.page.desk().now();
    if record.decision.is_some() || deadline <= now {
        return Err(ended());
    }
    // However often it is extended, it never waits longer than this from now.
    let most = now + SignedDuration::from_mins(LONGEST_MINUTES);
    let deadline =
        (deadline + SignedDuration::from_mins(extension.minutes)).min(most.max(deadline));
    let by = gate.page.name_of(&visitor);
    let by = by.as_deref().unwrap_or("the page");
    if gate
        .page
        .desk()
        .extend(record.id, Some(deadline), by)
        .await?
    {
        Ok(Json(json!({ "deadlineAt": deadline })))
    } else {
        Err(ended())
    }
}

impl Page {
    /// The ask of this id.
    pub(crate) async fn record(&self, id: &str) -> Result<AskRecord, ApiError> {
        let record = self.desk().journal().ask(ask_id(id)?).await?;
        record.ok_or_else(ApiError::unknown_ask)
    }
}
