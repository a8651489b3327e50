//! Reads open asks.

use super::error::{ApiError, ask_id};
use crate::{
    gate::{Gate, Visitor},
    server::Page,
    view::{AskView, AsksView},
};
use axum::{
    Extension as Visiting, Json,
    extract::{Path, Query, State},
};
use holdpoint::{
    AskId,
    journal::{AskQuery, AskRecord, JournalError, Search},
};
use serde::Deserialize;
use std::fmt;

/// How many asks are read at once while looking for a text.
const CHUNK: usize = 500;

#[derive(Deserialize)]
pub(crate) struct Listing {
    limit: Option<usize>,
    after: Option<String>,
    q: Option<String>,
}

/// A page of open asks.
pub(crate) async fn list(
    State(gate): State<Gate>,
    Visiting(visitor): Visiting<Visitor>,
    Query(listing): Query<Listing>,
) -> Result<Json<AsksView>, ApiError> {
    let page = &gate.page;
    let after = listing.after.filter(|after| !after.is_empty());
    let after = match after.as_deref().map(Cursor::parse) {
        Some(None) => {
            return Err(ApiError::bad_request(
                "`after` must be the `next` of an earlier answer.",
            ));
        }
        Some(cursor) => cursor,
        None => None,
    };
    let limit = listing.limit.unwrap_or(50).clamp(1, 200);
    let wanted = Search {
        words: Search::split(&listing.q.unwrap_or_default()),
        ..Search::default()
    };
    let (found, next) = page.open_asks(after, limit, &wanted).await?;
    Ok(Json(AsksView {
        asks: page.views(&found, &visitor).await?,
        next: next.map(|cursor| cursor.to_string()),
        open: page.desk().journal().open_asks().await?,
        me: page.name_of(&visitor),
        pin_set: page.pin_set(&visitor).await?,
        now: page.desk().now(),
    }))
}

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

    /// Gives open asks after this place, dangerous ones first, and where the next ones begin.
    async fn open_asks(
        &self,
        after: Option<Cursor>,
        limit: usize,
        wanted: &Search,
    ) -> Result<(Vec<AskRecord>, Option<Cursor>), JournalError> {
        let mut found: Vec<AskRecord> = Vec::new();
        let mut place = after.unwrap_or(Cursor {
            dangerous: true,
            before: None,
        });
        loop {
            // One more than wanted tells whether there is a next page.
            let missing = limit + 1 - found.len();
            let chunk = if wanted.words.is_empty() {
                missing
            } else {
                CHUNK
            };
            let query = AskQuery {
                open: true,
                dangerous: Some(place.dangerous),
                before: place.before,
                limit: Some(chunk),
                ..AskQuery::default()
            };
            let asks = self.desk().journal().asks(query).await?;
            let more = asks.len() == chunk;
            place.before = asks.last().map(|ask| ask.id).or(place.before);
            found.extend(asks.into_iter().filter(|ask| wanted.fits(ask)));
            if found.len() > limit {
                found.truncate(limit);
                let next = found.last().map(Cursor::at);
                return Ok((found, next));
            }
            match (more, place.dangerous) {
                (true, _) => {}
                (false, true) => {
                    place = Cursor {
                        dangerous: false,
                        before: None,
                    }
                }
                (false, false) => return Ok((found, None)),
            }
        }
    }
}

/// A place in the list of open asks.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Cursor {
    dangerous: bool,
    before: Option<AskId>,
}

impl Cursor {
    fn at(record: &AskRecord) -> Self {
        Self {
            dangerous: record.ask.dangerous,
            before: Some(record.id),
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let (dangerous, id) = text.split_once('-')?;
        Some(Self {
            dangerous: match dangerous {
                "d" => true,
                "o" => false,
                _ => return None,
            },
            before: Some(id.parse().ok()?),
        })
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.dangerous { "d-" } else { "o-" })?;
        self.before.map_or(Ok(()), |id| id.fmt(f))
    }
}
