//! Counts asks, for the page that draws them.

use super::{error::ApiError, verdicts::Verdicts};
use crate::gate::Gate;
use axum::{
    Json,
    extract::{Query, State},
};
use holdpoint::{
    describe,
    journal::{Search, Stats},
};
use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use serde::{Deserialize, Serialize};

/// The longest time that can be asked for by days: a century.
const MOST_DAYS: i64 = 36_500;

#[derive(Deserialize)]
pub(crate) struct Wanted {
    days: Option<i64>,
    q: Option<String>,
}

#[derive(Serialize)]
pub(crate) struct Counted {
    #[serde(flatten)]
    stats: Stats,
    #[serde(flatten)]
    verdicts: Verdicts,
}

/// How many asks there were in the last days, by what, and how fast they were answered. Hours and
/// days are those of this machine, where the person sits.
pub(crate) async fn count(
    State(gate): State<Gate>,
    Query(wanted): Query<Wanted>,
) -> Result<Json<Counted>, ApiError> {
    let since = match wanted.days {
        None => None,
        Some(days @ 1..=MOST_DAYS) => {
            Some(Timestamp::now() - SignedDuration::from_hours(24 * days))
        }
        Some(_) => {
            let message = format!("`days` is a number from 1 to {MOST_DAYS}.");
            return Err(ApiError::bad_request(message));
        }
    };
    let search = Search {
        words: Search::split(&wanted.q.unwrap_or_default()),
        since,
        ..Search::default()
    };
    let verdicts = gate.page.verdicts(&search).await?;
    let journal = gate.page.desk().journal();
    let mut stats = journal.stats(search, TimeZone::system()).await?;
    let named = [
        &mut stats.by_tool,
        &mut stats.by_server,
        &mut stats.by_client,
    ];
    for count in named.into_iter().flatten() {
        for name in [&mut count.server, &mut count.name].into_iter().flatten() {
            *name = describe::one_line(name);
        }
    }
    Ok(Json(Counted { stats, verdicts }))
}
