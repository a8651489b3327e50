//! What a run made, to be seen or saved.

use super::{
    error::ApiError,
    runs::{call_id, unknown_run},
};
use crate::{
    gate::Gate,
    scripts::{image_type, run_result},
};
use axum::{
    extract::{Path, Query, State},
    http::header,
    response::{IntoResponse, Response},
};
use holdpoint::{Artifact, ArtifactKind, FlowResult};
use serde::Deserialize;

#[derive(Deserialize)]
pub(crate) struct Saving {
    #[serde(default)]
    save: bool,
}

/// Something that a run made: a picture to show, or anything to save. Nothing else is given a type
/// that a browser would act on.
pub(crate) async fn one(
    State(gate): State<Gate>,
    Path((id, number)): Path<(String, u64)>,
    Query(Saving { save }): Query<Saving>,
) -> Result<Response, ApiError> {
    let page = &gate.page;
    let id = call_id(&id)?;
    let found = match page.runs().get(id) {
        Some(run) => run.log.emitted().artifact(number).cloned(),
        None => {
            let result = run_result::recorded(&page.recorded(id).await?);
            let made = result.as_ref().map(FlowResult::artifacts);
            made.into_iter()
                .flatten()
                .nth(usize::try_from(number).unwrap_or(usize::MAX))
        }
    };
    let artifact = found.ok_or_else(unknown_run)?;
    let (kind, bytes) = match (save, image_type::detect(&artifact)) {
        (false, Some(picture)) => picture,
        (false, None) => return Err(unknown_run()),
        (true, _) => ("application/octet-stream", saved(&artifact)),
    };
    let disposition = if save {
        format!("attachment; filename=\"{}\"", file_name(&artifact))
    } else {
        "inline".to_owned()
    };
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, disposition),
    ];
    Ok((headers, bytes).into_response())
}

fn saved(artifact: &Artifact) -> Vec<u8> {
    let image = artifact.kind == ArtifactKind::Image;
    let bytes = image
        .then(|| image_type::bytes(&artifact.content))
        .flatten();
    bytes.unwrap_or_else(|| artifact.content.clone().into_bytes())
}

/// A harmless name for a file: letters, digits, and an ending that fits.
fn file_name(artifact: &Artifact) -> String {
    let title = artifact.title.as_str();
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_') {
            c
        } else {
            '-'
        }
    };
    let name: String = title.chars().take(80).map(plain).collect();
    let name = name.trim_matches(['.', '-']);
    let name = if name.is_empty() { "artifact" } else { name };
    let ending = match artifact.kind {
        ArtifactKind::Markdown => ".md",
        ArtifactKind::Json => ".json",
        ArtifactKind::Text => ".txt",
        ArtifactKind::Code | ArtifactKind::Html => "",
        ArtifactKind::Image => match image_type::detect(artifact) {
            Some(("image/jpeg", _)) => ".jpg",
            Some(("image/gif", _)) => ".gif",
            Some(("image/webp", _)) => ".webp",
            Some(_) => ".png",
            None => ".txt",
        },
    };
    if name.ends_with(ending) {
        name.to_owned()
    } else {
        format!("{name}{ending}")
    }
}
