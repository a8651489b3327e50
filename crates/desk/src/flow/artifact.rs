//! What a flow makes, to be looked at and kept: as it is emitted, and as a tool's result carries it.

use super::result::FlowResult;
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The key of the list of artifacts in a result's structured content.
const LIST: &str = "artifacts";

/// Something that a flow has made, to be looked at and kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Artifact {
    /// What it is called.
    pub title: String,
    /// How it is shown.
    #[serde(rename = "type", default)]
    pub kind: ArtifactKind,
    /// The language of code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Its MIME type, where that does not follow from the kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Its text; for an image, its bytes in base64.
    pub content: String,
}

/// How an artifact is shown. HTML is shown as its source.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ArtifactKind {
    /// As it is.
    #[default]
    Text,
    /// Rendered.
    Markdown,
    /// As code.
    Code,
    /// As JSON.
    Json,
    /// As its source.
    Html,
    /// As a picture.
    Image,
}

impl Artifact {
    /// Its MIME type.
    pub fn mime(&self) -> &str {
        self.mime_type.as_deref().unwrap_or(match self.kind {
            ArtifactKind::Text | ArtifactKind::Code => "text/plain",
            ArtifactKind::Markdown => "text/markdown",
            ArtifactKind::Json => "application/json",
            ArtifactKind::Html => "text/html",
            ArtifactKind::Image => "image/png",
        })
    }

    /// Adds artifacts to a tool's result: each as a block of its content, and all of them as a list of
    /// titles and kinds in its structured content.
    pub fn attach(artifacts: &[Self], result: &mut CallToolResult) {
        if artifacts.is_empty() {
            return;
        }
        let blocks = (1..)
            .zip(artifacts)
            .map(|(number, made)| made.block(number));
        result.content.extend(blocks);
        let list = artifacts
            .iter()
            .map(|made| json!({ "title": made.title, "type": made.kind }));
        let list = Value::Array(list.collect());
        result.structured_content.get_or_insert_with(|| json!({}))[LIST] = list;
    }

    fn block(&self, number: usize) -> ContentBlock {
        match self.kind {
            ArtifactKind::Image => ContentBlock::image(self.content.clone(), self.mime()),
            _ => {
                let uri = format!("holdpoint://artifacts/{number}");
                let text = ResourceContents::text(self.content.clone(), uri);
                ContentBlock::resource(text.with_mime_type(self.mime()))
            }
        }
    }

    /// Reads back what [`Self::attach`] added to a result.
    pub fn all_in(result: &CallToolResult) -> Vec<Self> {
        let list = result.structured_content.as_ref();
        let list = list.and_then(|body| body[LIST].as_array());
        let mut list = list.into_iter().flatten();
        let blocks = result.content.iter().filter_map(Self::from_block);
        blocks
            .map(|mut artifact| {
                let listed = list.next().unwrap_or(&Value::Null);
                if let Some(title) = listed["title"].as_str() {
                    artifact.title = title.to_owned();
                }
                if let Ok(kind) = ArtifactKind::deserialize(&listed["type"]) {
                    artifact.kind = kind;
                }
                artifact
            })
            .collect()
    }

    fn from_block(block: &ContentBlock) -> Option<Self> {
        let (title, content, mime) = match block {
            ContentBlock::Image(image) => (None, &image.data, Some(&image.mime_type)),
            ContentBlock::Resource(resource) => match &resource.resource {
                ResourceContents::TextResourceContents {
                    uri,
                    mime_type,
                    text,
                    ..
                } => (Some(uri), text, mime_type.as_ref()),
                ResourceContents::BlobResourceContents {
                    uri,
                    mime_type,
                    blob,
                    ..
                } => (Some(uri), blob, mime_type.as_ref()),
                _ => return None,
            },
            _ => return None,
        };
        let kind = match mime.map(String::as_str) {
            Some("text/markdown") => ArtifactKind::Markdown,
            Some("application/json") => ArtifactKind::Json,
            Some("text/html") => ArtifactKind::Html,
            Some(mime) if mime.starts_with("image/") => ArtifactKind::Image,
            Some("text/plain") | None => ArtifactKind::Text,
            Some(_) => ArtifactKind::Code,
        };
        Some(Self {
            title: title.map_or_else(|| "Artifact".to_owned(), Clone::clone),
            kind,
            language: None,
            mime_type: mime.cloned(),
            content: content.clone(),
        })
    }
}

impl FlowResult {
    /// What the flow made, where this is the result of a tool.
    pub fn artifacts(&self) -> Vec<Artifact> {
        match self {
            Self::Tool(result) => Artifact::all_in(result),
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn artifacts_are_read_back_from_a_result() {
        let artifact = |title: &str, kind| {
            let mut artifact = Artifact {
                title: title.into(),
                kind,
                language: None,
                mime_type: None,
                content: "AAEC".into(),
            };
            artifact.mime_type = Some(artifact.mime().to_owned());
            artifact
        };
        let made = [
            artifact("Notes", ArtifactKind::Markdown),
            artifact("A picture", ArtifactKind::Image),
            artifact("A page", ArtifactKind::Html),
            artifact("A program", ArtifactKind::Code),
            artifact("Data", ArtifactKind::Json),
            artifact("Text", ArtifactKind::Text),
        ];
        let mut result = CallToolResult::success(vec![ContentBlock::text("Done")]);
        result.structured_content = Some(json!({ "result": "Done" }));
        Artifact::attach(&made, &mut result);
        assert_eq!(Artifact::all_in(&result), made);
        assert_eq!(result.structured_content.unwrap()["result"], "Done");
    }

    #[test]
    fn a_result_without_a_list_is_read_by_its_types() {
        let result: CallToolResult = serde_json::from_value(json!({ "content": [
            { "type": "text", "text": "Done" },
            { "type": "resource", "resource": { "uri": "a", "mimeType": "text/markdown", "text": "# Hi" } },
            { "type": "image", "mimeType": "image/png", "data": "AAEC" },
        ] }))
        .unwrap();
        let read = Artifact::all_in(&result);
        let read: Vec<_> = read
            .iter()
            .map(|made| (made.title.as_str(), made.kind, made.content.as_str()))
            .collect();
        let wanted = [
            ("a", ArtifactKind::Markdown, "# Hi"),
            ("Artifact", ArtifactKind::Image, "AAEC"),
        ];
        assert_eq!(read, wanted);
        assert!(Artifact::all_in(&CallToolResult::success(Vec::new())).is_empty());
    }
}
