//! What people gave to be remembered: listed, searched, revoked.

use super::error::ApiError;
use crate::{gate::Gate, remembered_view::RememberedView};
use axum::{
    Json,
    extract::{Path, Query, State},
    http::StatusCode,
};
use holdpoint::{GrantError, GrantId, describe};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Deserialize)]
pub(crate) struct Wanted {
    search: Option<String>,
}

#[derive(Serialize)]
pub(crate) struct Listed {
    /// Those with these words, newest first.
    remembered: Vec<RememberedView>,
    /// How many stand in all.
    count: usize,
}

/// What stands now, with all these words in it.
pub(crate) async fn list(
    State(gate): State<Gate>,
    Query(wanted): Query<Wanted>,
) -> Result<Json<Listed>, ApiError> {
    let given = gate.page.desk().remembered().await?;
    let views = given.iter().filter_map(RememberedView::new);
    let mut views: Vec<_> = views.collect();
    let count = views.len();
    let words = wanted.search.unwrap_or_default().to_lowercase();
    let words: Vec<_> = words.split_whitespace().collect();
    views.retain(|view| view.has(&words));
    Ok(Json(Listed {
        remembered: views,
        count,
    }))
}

/// Revokes one. That tightens, so it needs no PIN.
pub(crate) async fn revoke(
    State(gate): State<Gate>,
    Path(id): Path<String>,
) -> Result<Json<Value>, ApiError> {
    let id: GrantId = id.parse().map_err(|_| unknown())?;
    match gate.page.desk().revoke_remembered(id).await {
        Ok(()) => Ok(Json(json!({ "revoked": id }))),
        Err(GrantError::Journal(error)) => Err(error.into()),
        Err(GrantError::Unknown) => Err(unknown()),
        Err(GrantError::Used | GrantError::Expired) => Err(ApiError::new(
            StatusCode::CONFLICT,
            "ended",
            "This permission has ended already.",
        )),
        Err(other) => Err(ApiError::new(
            StatusCode::CONFLICT,
            "refused",
            describe::sentence(&other.to_string()),
        )),
    }
}

fn unknown() -> ApiError {
    ApiError::new(
        StatusCode::NOT_FOUND,
        "unknown_permission",
        "There is no such permission in this journal.",
    )
}
