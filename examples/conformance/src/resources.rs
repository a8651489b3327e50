//! Resources: one of text, one of bytes, one to watch, one template.

use rmcp::{ErrorData, model::*};
use serde_json::json;

use crate::tools::RED_PIXEL_PNG;

const TEXT: &str = "test://static-text";
const BINARY: &str = "test://static-binary";
const WATCHED: &str = "test://watched-resource";

pub fn list() -> Vec<Resource> {
    vec![
        Resource::new(TEXT, "static-text")
            .with_description("A text that never changes")
            .with_mime_type("text/plain"),
        Resource::new(BINARY, "static-binary")
            .with_description("A picture that never changes")
            .with_mime_type("image/png"),
        Resource::new(WATCHED, "watched-resource")
            .with_description("A text to subscribe to")
            .with_mime_type("text/plain"),
    ]
}

pub fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new("test://template/{id}/data", "template-data")
            .with_description("Data for an id")
            .with_mime_type("application/json"),
    ]
}

pub fn read(uri: &str) -> Result<ReadResourceResponse, ErrorData> {
    let contents = match uri {
        TEXT => ResourceContents::text("This is the content of the static text resource.", uri)
            .with_mime_type("text/plain"),
        BINARY => ResourceContents::blob(RED_PIXEL_PNG, uri).with_mime_type("image/png"),
        WATCHED => {
            ResourceContents::text("Watched resource content.", uri).with_mime_type("text/plain")
        }
        _ => template(uri).ok_or_else(|| {
            ErrorData::resource_not_found("Resource not found", Some(json!({ "uri": uri })))
        })?,
    };
    Ok(ReadResourceResult::new(vec![contents]).into())
}

fn template(uri: &str) -> Option<ResourceContents> {
    let id = uri
        .strip_prefix("test://template/")?
        .strip_suffix("/data")?;
    let data = json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") });
    Some(ResourceContents::text(data.to_string(), uri).with_mime_type("application/json"))
}
