//! A server of flows that are written in the test.

use futures::future::BoxFuture;
use holdpoint::ToolContext;
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock,
        GetPromptRequestParams, GetPromptResponse, GetPromptResult, Implementation, JsonObject,
        PromptMessage, Role, ServerCapabilities, ServerConfig,
    },
    service::RequestContext,
};
use serde_json::Value;
use std::{collections::HashMap, sync::Arc};

type Flow =
    Arc<dyn Fn(ToolContext, Value) -> BoxFuture<'static, Result<String, ErrorData>> + Send + Sync>;

/// A server whose tools (and prompts of the same names) are the test's flows.
#[derive(Clone, Default)]
pub struct Flows(HashMap<&'static str, Flow>);

impl Flows {
    /// Adds a flow.
    pub fn with<F, R>(mut self, name: &'static str, flow: F) -> Self
    where
        F: Fn(ToolContext, Value) -> R + Send + Sync + 'static,
        R: Future<Output = Result<String, ErrorData>> + Send + 'static,
    {
        self.0
            .insert(name, Arc::new(move |cx, args| Box::pin(flow(cx, args))));
        self
    }

    async fn run(
        &self,
        name: &str,
        arguments: Option<JsonObject>,
        context: &RequestContext<RoleServer>,
    ) -> Result<String, ErrorData> {
        let cx = context
            .extensions
            .get::<ToolContext>()
            .cloned()
            .expect("served by Holdpoint");
        self.0[name](cx, Value::Object(arguments.unwrap_or_default())).await
    }
}

impl ServerHandler for Flows {
    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let text = self.run(&request.name, request.arguments, &context).await?;
        Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let text = self.run(&request.name, request.arguments, &context).await?;
        Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]).into())
    }

    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(
            ServerCapabilities::builder()
                .enable_tools()
                .enable_prompts()
                .build(),
        )
        .with_server_info(Implementation::new("flows", "1.0.0"))
    }
}
