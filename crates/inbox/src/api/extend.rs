//! Gives an open ask more time: as much as a person asks for, or a little while they are at it.

use super::error::{ApiError, Body};
use crate::gate::{Gate, Visitor};
use axum::{
    Extension as Visiting, Json,
    extract::{Path, State},
    http::StatusCode,
};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use serde_json::{Value, json};

/// The longest that an ask can be given at once: a day.
const LONGEST_MINUTES: i64 = 24 * 60;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Extension {
    minutes: Option<i64>,
    active: Option<bool>,
}

/// What is wanted: so many minutes more, or to go on while somebody types or scrolls.
enum More {
    Minutes(i64),
    WhileAtIt,
}

/// Gives an ask more time.
pub(crate) async fn extend(
    State(gate): State<Gate>,
    Visiting(visitor): Visiting<Visitor>,
    Path(id): Path<String>,
    Body(extension): Body<Extension>,
) -> Result<Json<Value>, ApiError> {
    let desk = gate.page.desk();
    let record = gate.page.record(&id).await?;
    let more = extension.read()?;
    let ended = || ApiError::new(StatusCode::CONFLICT, "ended", "This ask has ended already.");
    let Some(deadline) = record.deadline_at else {
        return match record.decision {
            Some(_) => Err(ended()),
            None => Ok(Json(json!({ "deadlineAt": null }))),
        };
    };
    let now = desk.now();
    if record.decision.is_some() || deadline <= now {
        return Err(ended());
    }
    let by = gate.page.name_of(&visitor);
    let by = by.as_deref().unwrap_or("the page");
    let later = match more {
        More::Minutes(minutes) => {
            let later = by_minutes(deadline, minutes, now);
            let given = later == deadline || desk.extend(record.id, Some(later), by).await?;
            given.then_some(later)
        }
        More::WhileAtIt => desk.keep_open(record.id, by).await?,
    };
    let later = later.ok_or_else(ended)?;
    Ok(Json(json!({ "deadlineAt": later })))
}

impl Extension {
    fn read(&self) -> Result<More, ApiError> {
        match (self.minutes, self.active) {
            (Some(minutes), None) if (1..=LONGEST_MINUTES).contains(&minutes) => {
                Ok(More::Minutes(minutes))
            }
            (None, Some(true)) => Ok(More::WhileAtIt),
            _ => Err(ApiError::bad_request(format!(
                "Give it between 1 and {LONGEST_MINUTES} `minutes` more, or say that somebody is `active`: true."
            ))),
        }
    }
}

/// Later by so many minutes. However often it is extended, it never waits longer than a day from now.
fn by_minutes(deadline: Timestamp, minutes: i64, now: Timestamp) -> Timestamp {
    let most = now + SignedDuration::from_mins(LONGEST_MINUTES);
    (deadline + SignedDuration::from_mins(minutes)).min(most.max(deadline))
}
