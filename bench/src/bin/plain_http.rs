//! The tool on plain rmcp over HTTP, at its best: mounted in axum, the form and the tool's description built once,
//! answers as JSON where they can be, nothing kept. In the newer era it needs no state: the call says it all.

use axum::serve::ListenerExt;
use rmcp::{
    ErrorData, Peer, RoleServer, ServerHandler,
    handler::server::tool::schema_for_type,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ElicitRequest,
        ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema, Implementation,
        InputRequest, InputRequests, InputRequiredResult, ListToolsResult, PaginatedRequestParams,
        ProtocolVersion, ServerCapabilities, ServerConfig, Tool,
    },
    service::RequestContext,
    transport::{
        StreamableHttpServerConfig, StreamableHttpService,
        streamable_http_server::session::local::LocalSessionManager,
    },
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::net::TcpListener;

#[derive(Clone)]
struct Plain {
    tools: Arc<[Tool]>,
    form: Arc<ElicitationSchema>,
}

#[derive(Deserialize, JsonSchema)]
struct Input {
    /// What to ask
    message: String,
}

const KEY: &str = "value";

impl Plain {
    fn question(&self, message: String) -> ElicitRequestParams {
        ElicitRequestParams::FormElicitationParams {
            meta: None,
            message,
            requested_schema: (*self.form).clone(),
        }
    }

    async fn asked(
        &self,
        peer: &Peer<RoleServer>,
        message: String,
    ) -> Result<ElicitResult, ErrorData> {
        let replied = peer.create_elicitation(self.question(message)).await;
        replied.map_err(|error| ErrorData::internal_error(error.to_string(), None))
    }
}

impl ServerHandler for Plain {
    fn get_info(&self) -> ServerConfig {
        let mut info = ServerConfig::new(ServerCapabilities::builder().enable_tools().build());
        info.server_info = Implementation::new("plain", env!("CARGO_PKG_VERSION"));
        info
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.to_vec()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tools.iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let invalid = |error: serde_json::Error| ErrorData::invalid_params(error.to_string(), None);
        let arguments = Value::Object(call.arguments.unwrap_or_default());
        let Input { message } = serde_json::from_value(arguments).map_err(invalid)?;
        let newer = context
            .protocol_version()
            .is_some_and(|version| version >= ProtocolVersion::V_2026_07_28);
        let given = call.input_responses.and_then(|mut all| all.remove(KEY));
        let replied = match (newer, given) {
            (false, _) => self.asked(&context.peer, message).await?,
            (true, Some(given)) => serde_json::from_value(given).map_err(invalid)?,
            (true, None) => {
                let asked = ElicitRequest::new(self.question(message));
                let asked = InputRequest::Elicitation(asked);
                let asked = InputRequests::from([(KEY.to_owned(), asked)]);
                return Ok(InputRequiredResult::from_input_requests(asked).into());
            }
        };
        let value = match (&replied.action, &replied.content) {
            (ElicitationAction::Accept, Some(content)) => content.get(KEY),
            _ => None,
        };
        let text = match value {
            Some(_) => "Accepted.",
            None => "Not accepted.",
        };
        let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
        result.structured_content = Some(json!({ "status": replied.action, "value": value }));
        Ok(result.into())
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let form = ElicitationSchema::builder().required_string(KEY).build();
    let about = "Asks a person for a line of text";
    let plain = Plain {
        tools: [Tool::new("elicit_input", about, schema_for_type::<Input>())].into(),
        form: Arc::new(form.map_err(anyhow::Error::msg)?),
    };
    let mut sessions = LocalSessionManager::default();
    sessions.session_config.keep_alive = None;
    let service = StreamableHttpService::new(
        move || Ok(plain.clone()),
        Arc::new(sessions),
        StreamableHttpServerConfig::default().with_json_response(true),
    );
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}/mcp", listener.local_addr()?);
    let app = axum::Router::new().route_service("/mcp", service);
    let listener = listener.tap_io(|stream| {
        // Small writes after one another go out at once.
        let _ = stream.set_nodelay(true);
    });
    Ok(axum::serve(listener, app).await?)
}
