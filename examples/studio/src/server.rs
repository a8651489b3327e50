//! The handler: what the studio offers, and where it is. Holdpoint serves it, keeps its subscriptions and its
//! clients' log levels, and asks.
#![allow(deprecated)] // Logging is leaving the protocol, and clients still have it.

use crate::{clips::Clips, completions, prompts, resources, tools};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    handler::server::router::{prompt::PromptRouter, tool::ToolRouter},
    model::{
        CompleteRequestParams, CompleteResult, Implementation, ListResourceTemplatesResult,
        ListResourcesResult, PaginatedRequestParams, ReadResourceRequestParams,
        ReadResourceResponse, ServerCapabilities, ServerConfig,
    },
    prompt_handler,
    service::RequestContext,
    tool_handler,
};

/// The studio.
#[derive(Clone)]
pub struct Studio {
    pub(crate) clips: Clips,
    tools: ToolRouter<Self>,
    prompts: PromptRouter<Self>,
}

impl Studio {
    /// A studio over these clips.
    pub fn new(clips: Clips) -> Self {
        Self {
            clips,
            tools: tools::router(),
            prompts: prompts::router(),
        }
    }
}

type Cx = RequestContext<RoleServer>;

#[tool_handler(router = self.tools)]
#[prompt_handler(router = self.prompts)]
impl ServerHandler for Studio {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_prompts()
            .enable_completions()
            .enable_logging()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_resources_list_changed()
            .build();
        let about = Implementation::new("holdpoint-studio", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(capabilities).with_server_info(about)
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: Cx,
    ) -> Result<CompleteResult, ErrorData> {
        completions::complete(&self.clips, &request).map(CompleteResult::new)
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Cx,
    ) -> Result<ListResourcesResult, ErrorData> {
        let list = resources::list(&self.clips);
        let list = list.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        Ok(ListResourcesResult::with_all_items(list))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Cx,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let templates = resources::templates();
        Ok(ListResourceTemplatesResult::with_all_items(templates))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: Cx,
    ) -> Result<ReadResourceResponse, ErrorData> {
        resources::read(&self.clips, &request.uri).map(Into::into)
    }
}
