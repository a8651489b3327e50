//! Takes files that a person gives, under a harmless name, and checks them in answers.

use super::error::ApiError;
use crate::{gate::Gate, server::Page};
use axum::{
    Json,
    body::Body,
    extract::{Path, Query, State},
    http::StatusCode,
};
use futures::StreamExt;
use holdpoint::{Answer, FieldError, Kind, PickedFile, journal::AskRecord};
use holdpoint_workspace::safe_file_name;
use serde::Deserialize;
use tokio::sync::Semaphore;

/// The most bytes of a file whose field does not say.
const LARGEST: u64 = 10 * 1024 * 1024;
/// How many files one ask may be given, tries included.
const MOST: usize = 50;
/// How many files may arrive at once: each is in memory until it is whole.
const AT_ONCE: usize = 8;

static ARRIVING: Semaphore = Semaphore::const_new(AT_ONCE);

#[derive(Deserialize)]
pub(crate) struct FileName {
    #[serde(default)]
    name: String,
}

/// Stores a file for a field of an open ask.
pub(crate) async fn upload(
    State(gate): State<Gate>,
    Path((id, field)): Path<(String, String)>,
    Query(named): Query<FileName>,
    body: Body,
) -> Result<Json<PickedFile>, ApiError> {
    let record = gate.page.record(&id).await?;
    if record.decision.is_some() {
        let message = "This ask has ended already.";
        return Err(ApiError::new(StatusCode::CONFLICT, "ended", message));
    }
    let kind = record.ask.form.get(&field).map(|field| &field.kind);
    let Some(Kind::File(rules)) = kind else {
        let message = "This ask has no such field for a file.";
        return Err(ApiError::new(
            StatusCode::NOT_FOUND,
            "unknown_field",
            message,
        ));
    };
    let desk = gate.page.desk();
    if desk.count_files(record.id).await? >= MOST {
        let message = "This ask has too many files already.";
        return Err(ApiError::new(StatusCode::CONFLICT, "too_many", message));
    }
    let largest = rules.max_bytes.unwrap_or(LARGEST).min(LARGEST);
    let _arriving = ARRIVING.acquire().await;
    let bytes = arrive(body, largest).await?;
    let name = safe_file_name(&named.name);
    let kept = desk.keep_file(record.id, &name, bytes).await;
    let kept = kept.map_err(|error| {
        tracing::error!(
            error = &error as &dyn std::error::Error,
            "a file that a person gave could not be stored"
        );
        let message = "The file could not be stored. See the log.";
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "not_kept", message)
    })?;
    Ok(Json(kept))
}

async fn arrive(body: Body, largest: u64) -> Result<Vec<u8>, ApiError> {
    let mut bytes = Vec::new();
    let mut body = body.into_data_stream();
    while let Some(chunk) = body.next().await {
        let chunk = chunk
            .map_err(|_| ApiError::bad_request("The file did not arrive completely. Try again."))?;
        if (bytes.len() + chunk.len()) as u64 > largest {
            let message = format!("The file is too large: at most {largest} bytes.");
            return Err(ApiError::too_large(message));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

impl Page {
    /// What is wrong with the files in an answer: each must be one that was given to this ask on a page,
    /// unchanged.
    pub(crate) async fn check_files(
        &self,
        record: &AskRecord,
        content: &Answer,
    ) -> Result<Vec<FieldError>, ApiError> {
        let mut errors = Vec::new();
        for field in &record.ask.form.fields {
            let value = content.get(&field.name).filter(|value| !value.is_null());
            let (Kind::File(_), Some(value)) = (&field.kind, value) else {
                continue;
            };
            let is_kept = match serde_json::from_value(value.clone()) {
                Ok(file) => self.desk().is_kept(record.id, &file).await?,
                Err(_) => false,
            };
            if !is_kept {
                errors.push(FieldError::new(
                    field.name.clone(),
                    "This is not a file that was given here. Choose the file again.",
                ));
            }
        }
        Ok(errors)
    }
}
