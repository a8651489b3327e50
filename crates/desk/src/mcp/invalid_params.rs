//! Requests of MCP whose parameters do not fit. rmcp takes each for a request of a method that it does not
//! know, and so for one of the author's own.
#![allow(deprecated)] // Older clients still subscribe and set levels.

use holdpoint_ask::{describe::one_line, visible};
use rmcp::{
    ErrorData, RoleServer,
    model::{
        CallToolRequestParams, CompleteRequestParams, CustomRequest, GetPromptRequestParams,
        LoggingLevel, PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams,
        SetLevelRequestParams, SubscribeRequestParams, UnsubscribeRequestParams,
    },
    service::RequestContext,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The methods that the newer era has no more: there they are unknown, whatever comes with them.
const REMOVED: [&str; 3] = [
    "logging/setLevel",
    "resources/subscribe",
    "resources/unsubscribe",
];

/// What is wrong with the parameters of this request; none where its method is not one of MCP's.
pub(crate) fn invalid_params(
    request: &CustomRequest,
    context: &RequestContext<RoleServer>,
) -> Option<ErrorData> {
    let modern = context.protocol_version() >= Some(ProtocolVersion::V_2026_07_28);
    let fault = match request.method.as_str() {
        removed if modern && REMOVED.contains(&removed) => return None,
        "logging/setLevel" => fault::<SetLevelRequestParams>,
        "completion/complete" => fault::<CompleteRequestParams>,
        "tools/call" => fault::<CallToolRequestParams>,
        "prompts/get" => fault::<GetPromptRequestParams>,
        "resources/read" => fault::<ReadResourceRequestParams>,
        "resources/subscribe" => fault::<SubscribeRequestParams>,
        "resources/unsubscribe" => fault::<UnsubscribeRequestParams>,
        "tools/list" | "prompts/list" | "resources/list" | "resources/templates/list" => {
            fault::<PaginatedRequestParams>
        }
        _ => return None,
    };
    let params = request.params.clone().unwrap_or_else(|| json!({}));
    Some(refusal(&request.method, &fault(params)?))
}

/// Refuses a request whose own metadata names a level for its log lines that is none. Clients of the
/// newer era say the level so, older ones by a request.
pub(crate) fn check_log_level(context: &RequestContext<RoleServer>) -> Result<(), ErrorData> {
    const KEY: &str = "io.modelcontextprotocol/logLevel";
    let level = context.meta.get(KEY).cloned();
    match level.and_then(fault::<LoggingLevel>) {
        Some(fault) => Err(refusal(KEY, &fault)),
        None => Ok(()),
    }
}

fn fault<T: DeserializeOwned>(value: Value) -> Option<String> {
    let read = serde_json::from_value::<T>(value);
    read.err().map(|error| error.to_string())
}

/// Names what was sent only as far as a line can show it.
fn refusal(of: &str, fault: &str) -> ErrorData {
    const MOST: usize = 300;
    let fault: String = visible(&one_line(fault)).chars().take(MOST).collect();
    ErrorData::invalid_params(format!("{of}: {fault}"), None)
}
