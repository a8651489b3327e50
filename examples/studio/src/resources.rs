//! Resources: each clip is one. Who subscribed to it hears when it changes, in both eras.

use crate::clips::{ClipError, Clips};
use holdpoint::ToolContext;
use rmcp::{
    ErrorData,
    model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate},
};
use serde_json::json;

/// The addresses of all clips.
pub const TEMPLATE: &str = "studio://clips/{name}";
const JSON: &str = "application/json";

/// The address of a clip.
pub fn uri(name: impl AsRef<str>) -> String {
    TEMPLATE.replace("{name}", name.as_ref())
}

/// All clips.
pub fn list(clips: &Clips) -> Result<Vec<Resource>, ClipError> {
    let resource = |name: String| Resource::new(uri(&name), name).with_mime_type(JSON);
    Ok(clips.names()?.into_iter().map(resource).collect())
}

/// The clip of each name.
pub fn templates() -> Vec<ResourceTemplate> {
    let template = ResourceTemplate::new(TEMPLATE, "clip")
        .with_title("A clip")
        .with_description("Its tempo, its key, and its rating once it has one")
        .with_mime_type(JSON);
    vec![template]
}

/// One clip.
pub fn read(clips: &Clips, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let name = uri.strip_prefix(TEMPLATE.trim_end_matches("{name}"));
    let clip = clips.get(name.unwrap_or_default()).map_err(|error| {
        let data = Some(json!({ "uri": uri }));
        match error {
            ClipError::Io(_) => ErrorData::internal_error(error.to_string(), data),
            _ => ErrorData::resource_not_found("There is no such clip.", data),
        }
    })?;
    let text = format!("{:#}", json!(clip));
    let contents = ResourceContents::text(text, uri).with_mime_type(JSON);
    Ok(ReadResourceResult::new(vec![contents]))
}

/// Notifies clients that clips of these names have come or gone.
pub async fn came_or_went(cx: &ToolContext, names: impl IntoIterator<Item = impl AsRef<str>>) {
    for name in names {
        cx.resource_updated(uri(name)).await;
    }
    cx.resource_list_changed().await;
}
