//! Stores files that a person gives: beside the journal, for this user only, under a harmless name.

use super::error::ApiError;
use crate::{gate::Gate, server::Page};
use axum::{
    Json,
    body::Body,
    extract::{Path, Query, State},
    http::StatusCode,
};
use futures::StreamExt;
use holdpoint::{Answer, AskId, DigestWriter, FieldError, Kind, journal::AskRecord};
use holdpoint_workspace::{Access, Folder, safe_file_name};
use serde::{Deserialize, Serialize};
use std::{
    io::{self, Write as _},
    path::{Path as FilePath, PathBuf},
};

/// The most bytes of a file whose field does not say.
const LARGEST: u64 = 10 * 1024 * 1024;
/// How many files one ask may be given, tries included.
const MOST: usize = 50;

#[derive(Deserialize)]
pub(crate) struct FileName {
    #[serde(default)]
    name: String,
}

/// The value of a file field.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct StoredFile {
    name: String,
    size: u64,
    sha256: String,
    path: PathBuf,
}

/// Stores a file for a field of an open ask.
pub(crate) async fn upload(
    State(gate): State<Gate>,
    Path((id, field)): Path<(String, String)>,
    Query(named): Query<FileName>,
    body: Body,
) -> Result<Json<StoredFile>, ApiError> {
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
    let largest = rules.max_bytes.unwrap_or(LARGEST).min(LARGEST);
    let folder = gate.page.ask_folder(record.id);
    let name = safe_file_name(&named.name);
    store(folder, name, body, largest).await.map(Json)
}

async fn store(
    folder: PathBuf,
    name: String,
    body: Body,
    largest: u64,
) -> Result<StoredFile, ApiError> {
    let place = folder.clone();
    let (count, mut draft) = blocking(move || {
        let folder = Folder::create(&place, Access::Private)?;
        let count = std::fs::read_dir(&place)?.count();
        Ok((count, folder.draft(Access::Private)?))
    })
    .await?;
    if count >= MOST {
        let message = "This ask has too many files already.";
        return Err(ApiError::new(StatusCode::CONFLICT, "too_many", message));
    }
    let (mut size, mut hash) = (0, DigestWriter::default());
    let mut body = body.into_data_stream();
    while let Some(chunk) = body.next().await {
        let chunk = chunk
            .map_err(|_| ApiError::bad_request("The file did not arrive completely. Try again."))?;
        size += chunk.len() as u64;
        if size > largest {
            let message = format!("The file is too large: at most {largest} bytes.");
            return Err(ApiError::too_large(message));
        }
        hash.write_all(&chunk).map_err(not_stored)?;
        draft = blocking(move || draft.write(&chunk).map(|()| draft)).await?;
    }
    let number = getrandom::u32().map_err(|error| not_stored(error.into()))?;
    let file = format!("{number:08x}-{name}");
    let path = folder.join(&file);
    let is_new = blocking(move || draft.create(&file)).await?;
    if !is_new {
        return Err(not_stored(io::ErrorKind::AlreadyExists.into()));
    }
    Ok(StoredFile {
        name,
        size,
        sha256: hash.finish().to_string(),
        path,
    })
}

/// Runs disk work off the async threads.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, ApiError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|stopped| Err(io::Error::other(stopped)))
        .map_err(not_stored)
}

impl Page {
    /// Where the files for this ask are.
    fn ask_folder(&self, ask: AskId) -> PathBuf {
        self.files.folder.join(ask.to_string())
    }

    /// What is wrong with the files in an answer: each must be one that was given to this ask here,
    /// unchanged.
    pub(crate) async fn check_files(
        &self,
        record: &AskRecord,
        content: &Answer,
    ) -> Vec<FieldError> {
        let folder = self.ask_folder(record.id);
        let mut errors = Vec::new();
        for field in &record.ask.form.fields {
            let value = content.get(&field.name).filter(|value| !value.is_null());
            let (Kind::File(_), Some(value)) = (&field.kind, value) else {
                continue;
            };
            let (folder, given) = (folder.clone(), serde_json::from_value(value.clone()));
            let same = match given {
                Ok(given) => tokio::task::spawn_blocking(move || is_stored(&folder, &given))
                    .await
                    .unwrap_or(false),
                Err(_) => false,
            };
            if !same {
                errors.push(FieldError::new(
                    field.name.clone(),
                    "This is not a file that was given here. Choose the file again.",
                ));
            }
        }
        errors
    }
}

fn is_stored(folder: &FilePath, given: &StoredFile) -> bool {
    let is_ours = given.path.parent() == Some(folder)
        && std::fs::symlink_metadata(&given.path).is_ok_and(|meta| meta.is_file());
    let hash = || -> io::Result<(u64, String)> {
        let (mut file, mut hash) = (std::fs::File::open(&given.path)?, DigestWriter::default());
        let size = io::copy(&mut file, &mut hash)?;
        Ok((size, hash.finish().to_string()))
    };
    is_ours && hash().is_ok_and(|(size, sha256)| size == given.size && sha256 == given.sha256)
}

fn not_stored(error: io::Error) -> ApiError {
    tracing::error!(%error, "a file that a person gave could not be stored");
    let message = "The file could not be stored. See the log.";
    ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "not_kept", message)
}
