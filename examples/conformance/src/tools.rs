//! Tools that ask nobody: content of each kind, errors, progress, logging, schemas, headers.

// Logging is deprecated in 2026-07-28; legacy clients still use it.
#![allow(deprecated)]

use std::time::Duration;

use rmcp::{
    ErrorData, Peer, RoleServer, handler::server::wrapper::Parameters, model::*, tool, tool_router,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tokio::time::sleep;

use crate::server::{Change, Fixtures};

/// One red pixel.
pub const RED_PIXEL_PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

/// A header and no samples.
const EMPTY_WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

const BETWEEN_NOTIFICATIONS: Duration = Duration::from_millis(50);

#[derive(Deserialize, JsonSchema)]
struct RegionArguments {
    /// Where the data lives; also sent as a header
    #[schemars(extend("x-mcp-header" = "Region"))]
    region: String,
}

#[tool_router(router = plain_tools, vis = "pub(crate)")]
impl Fixtures {
    #[tool(name = "test_simple_text", description = "Returns a text")]
    async fn simple_text(&self) -> String {
        "This is a simple text response for testing.".into()
    }

    #[tool(name = "test_image_content", description = "Returns a picture")]
    async fn image_content(&self) -> ContentBlock {
        ContentBlock::image(RED_PIXEL_PNG, "image/png")
    }

    #[tool(name = "test_audio_content", description = "Returns a sound")]
    async fn audio_content(&self) -> ContentBlock {
        ContentBlock::audio(EMPTY_WAV, "audio/wav")
    }

    #[tool(
        name = "test_embedded_resource",
        description = "Returns an embedded resource"
    )]
    async fn embedded_resource(&self) -> ContentBlock {
        ContentBlock::resource(
            ResourceContents::text(
                "This is an embedded resource content.",
                "test://embedded-resource",
            )
            .with_mime_type("text/plain"),
        )
    }

    #[tool(
        name = "test_multiple_content_types",
        description = "Returns a text, a picture and a resource"
    )]
    async fn multiple_content_types(&self) -> CallToolResult {
        let data = json!({ "test": "data", "value": 123 });
        CallToolResult::success(vec![
            ContentBlock::text("Multiple content types test:"),
            ContentBlock::image(RED_PIXEL_PNG, "image/png"),
            ContentBlock::resource(
                ResourceContents::text(data.to_string(), "test://mixed-content-resource")
                    .with_mime_type("application/json"),
            ),
        ])
    }

    #[tool(name = "test_error_handling", description = "Always fails")]
    async fn error_handling(&self) -> Result<String, String> {
        Err("This tool intentionally returns an error for testing".into())
    }

    #[tool(
        name = "test_tool_with_progress",
        description = "Reports progress if the caller wants it"
    )]
    async fn with_progress(
        &self,
        peer: Peer<RoleServer>,
        meta: RequestMetaObject,
    ) -> Result<String, ErrorData> {
        for percent in [0.0, 50.0, 100.0] {
            if let Some(token) = meta.get_progress_token() {
                peer.notify_progress(
                    ProgressNotificationParam::new(token, percent).with_total(100.0),
                )
                .await
                .map_err(gone)?;
            }
            sleep(BETWEEN_NOTIFICATIONS).await;
        }
        Ok("Tool with progress executed successfully".into())
    }

    #[tool(
        name = "test_tool_with_logging",
        description = "Logs three messages while it runs"
    )]
    async fn with_logging(&self, peer: Peer<RoleServer>) -> Result<String, ErrorData> {
        for message in [
            "Tool execution started",
            "Tool processing data",
            "Tool execution completed",
        ] {
            log(&peer, message).await?;
            sleep(BETWEEN_NOTIFICATIONS).await;
        }
        Ok("Tool with logging executed successfully".into())
    }

    /// From 2026-07-28 a request says for itself whether it wants log messages.
    #[tool(
        name = "test_logging_tool",
        description = "Logs a message if this request asked for a log level"
    )]
    async fn logging_on_request(
        &self,
        peer: Peer<RoleServer>,
        meta: RequestMetaObject,
    ) -> Result<String, ErrorData> {
        if meta.log_level().is_some() {
            log(&peer, "Logging tool executed").await?;
        }
        Ok("Logging tool executed successfully".into())
    }

    #[tool(
        name = "test_reconnection",
        description = "Takes a moment, so that a stream can be resumed"
    )]
    async fn reconnection(&self) -> String {
        sleep(BETWEEN_NOTIFICATIONS).await;
        "Reconnection test completed successfully".into()
    }

    #[tool(
        name = "test_custom_header",
        description = "Takes an argument that is mirrored in a header"
    )]
    async fn custom_header(
        &self,
        Parameters(RegionArguments { region }): Parameters<RegionArguments>,
    ) -> String {
        format!("Region: {region}")
    }

    #[tool(
        name = "json_schema_2020_12_tool",
        description = "Tool with JSON Schema 2020-12 features",
        input_schema = contact_schema()
    )]
    async fn json_schema(&self, arguments: JsonObject) -> String {
        serde_json::Value::Object(arguments).to_string()
    }

    #[tool(
        name = "test_trigger_tool_change",
        description = "Tells subscribers that the list of tools changed"
    )]
    async fn trigger_tool_change(&self) -> String {
        self.announce(Change::Tools);
        "Tool list change announced".into()
    }

    #[tool(
        name = "test_trigger_prompt_change",
        description = "Tells subscribers that the list of prompts changed"
    )]
    async fn trigger_prompt_change(&self) -> String {
        self.announce(Change::Prompts);
        "Prompt list change announced".into()
    }
}

async fn log(peer: &Peer<RoleServer>, message: &str) -> Result<(), ErrorData> {
    peer.notify_logging_message(LoggingMessageNotificationParam::new(
        LoggingLevel::Info,
        json!(message),
    ))
    .await
    .map_err(gone)
}

fn gone(error: rmcp::ServiceError) -> ErrorData {
    ErrorData::internal_error(format!("the client cannot be reached: {error}"), None)
}

/// A schema with the keywords that must reach the client unchanged.
fn contact_schema() -> std::sync::Arc<JsonObject> {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": { "street": { "type": "string" }, "city": { "type": "string" } }
            }
        },
        "properties": {
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": { "type": "string" },
            "email": { "type": "string" }
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": {
            "properties": { "contactMethod": { "const": "phone" } },
            "required": ["contactMethod"]
        },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false
    });
    rmcp::model::object(schema).into()
}
