//! The tool on plain rmcp, at its best: the fast pipes, the router and the form built once, nothing
//! kept.

use rmcp::{
    ErrorData, Peer, RoleServer, ServerHandler, ServiceExt,
    handler::server::{router::tool::ToolRouter, wrapper::Parameters},
    model::{
        CallToolResult, ContentBlock, ElicitRequestParams, ElicitationAction, ElicitationSchema,
        Implementation, ServerCapabilities, ServerConfig,
    },
    tool, tool_handler, tool_router,
    transport::stdio_pipes,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

#[derive(Clone)]
struct Plain {
    router: ToolRouter<Self>,
    form: ElicitationSchema,
}

#[derive(Deserialize, JsonSchema)]
struct Input {
    /// What to ask
    message: String,
}

#[tool_router]
impl Plain {
    /// Asks a person for a line of text
    #[tool]
    async fn elicit_input(
        &self,
        peer: Peer<RoleServer>,
        Parameters(Input { message }): Parameters<Input>,
    ) -> Result<CallToolResult, ErrorData> {
        let asked = ElicitRequestParams::FormElicitationParams {
            meta: None,
            message,
            requested_schema: self.form.clone(),
        };
        let replied = peer
            .create_elicitation(asked)
            .await
            .map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        let value = match (&replied.action, &replied.content) {
            (ElicitationAction::Accept, Some(content)) => content.get("value"),
            _ => None,
        };
        let text = match value {
            Some(_) => "Accepted.",
            None => "Not accepted.",
        };
        let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
        result.structured_content = Some(json!({ "status": replied.action, "value": value }));
        Ok(result)
    }
}

#[tool_handler(router = self.router)]
impl ServerHandler for Plain {
    fn get_info(&self) -> ServerConfig {
        let mut info = ServerConfig::new(ServerCapabilities::builder().enable_tools().build());
        info.server_info = Implementation::new("plain", env!("CARGO_PKG_VERSION"));
        info
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let form = ElicitationSchema::builder()
        .required_string("value")
        .build()
        .map_err(anyhow::Error::msg)?;
    let server = Plain {
        router: Plain::tool_router(),
        form,
    };
    server.serve(stdio_pipes()).await?.waiting().await?;
    Ok(())
}
