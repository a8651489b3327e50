//! The tools as an rmcp server.
#![allow(deprecated)] // Older clients still have a log, and set its level once.

use crate::{
    arguments::Arguments,
    config::{ConfigError, FlowConfig, ToolSet},
    elicit,
    onboarding::{
        self,
        disk::{Disk, Files},
    },
    orchestra,
    plans::{self, Prompts, Resources, Viewer},
    tool::{Ended, Entry, Flow},
};
use futures::future::BoxFuture;
use holdpoint::{Caller, ToolContext};
use holdpoint_ask::nearest::nearest;
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult,
        GetPromptRequestParams, GetPromptResponse, Icon, Implementation, ListPromptsResult,
        ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
        ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig,
        SetLevelRequestParams, SubscribeRequestParams, SubscriptionFilter, Tool,
        UnsubscribeRequestParams,
    },
    service::{RequestContext, SubscriptionContext},
};
use std::sync::Arc;

/// The tools that agents call. Wrap it in `holdpoint::Holdpoint` and serve that.
#[derive(Clone)]
pub struct FlowServer {
    config: Arc<FlowConfig>,
    tools: Arc<[Entry]>,
    info: Arc<ServerConfig>,
    disk: Arc<dyn Disk>,
    /// With the plans, which also have prompts, resources and completions.
    resources: Option<Arc<Resources>>,
}

const ICON: &str = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E%3Ccircle cx='12' cy='12' r='11' fill='%231f6feb'/%3E%3Cpath d='M8 6v12M16 6v12' stroke='white' stroke-width='3.5' stroke-linecap='round'/%3E%3C/svg%3E";

impl FlowServer {
    /// A server of these tools.
    ///
    /// # Errors
    /// When the workspace cannot be read, or the plans would lie outside it.
    pub fn new(config: FlowConfig) -> Result<Self, ConfigError> {
        let config = config.checked()?;
        let mut tools = Vec::new();
        let mut instructions = vec![WHEN.to_owned()];
        for set in ToolSet::available().filter(|set| config.tools.contains(set)) {
            let (added, words) = match set {
                ToolSet::Elicit => (elicit::tools(), elicit::INSTRUCTIONS),
                ToolSet::Orchestra => (orchestra::tools(config.commit), orchestra::INSTRUCTIONS),
                ToolSet::Plans => (plans::tools(), plans::INSTRUCTIONS),
                ToolSet::Onboarding => (onboarding::tools(), onboarding::INSTRUCTIONS),
            };
            tools.extend(added);
            instructions.push(words.to_owned());
        }
        let resources = config.tools.contains(&ToolSet::Plans).then(Arc::default);
        Ok(Self {
            info: Arc::new(info(instructions.join("\n\n"), resources.is_some())),
            resources,
            config: Arc::new(config),
            tools: tools.into(),
            disk: Arc::new(Files),
        })
    }

    /// The same server, writing through another disk: for tests that pull the plug.
    #[doc(hidden)]
    pub fn on_disk(mut self, disk: Arc<dyn Disk>) -> Self {
        self.disk = disk;
        self
    }

    fn flow(&self, context: &RequestContext<RoleServer>) -> Result<Flow, ErrorData> {
        let cx = context.extensions.get::<ToolContext>().cloned();
        Ok(Flow {
            cx: cx.ok_or_else(|| ErrorData::internal_error(UNWRAPPED, None))?,
            config: self.config.clone(),
            disk: self.disk.clone(),
        })
    }

    /// The resources, and who looks at them now.
    fn looked_at(&self) -> Result<(&Resources, Caller, Viewer), ErrorData> {
        let resources = self.resources.as_deref().ok_or_else(no_plans)?;
        let caller = Caller::current();
        let caller = caller.ok_or_else(|| ErrorData::internal_error(UNWRAPPED, None))?;
        let viewer = Viewer::of_caller(&caller, &self.config);
        Ok((resources, caller, viewer))
    }

    fn entry(&self, name: &str) -> Option<&Entry> {
        self.tools.iter().find(|entry| entry.tool.name == name)
    }

    fn start(
        &self,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<BoxFuture<'static, Ended>, ErrorData> {
        let entry = self.entry(&request.name);
        let entry = entry.ok_or_else(|| self.unknown(&request.name))?;
        let flow = self.flow(context)?;
        Ok(entry.run(flow, Arguments::new(request.arguments)))
    }

    fn unknown(&self, name: &str) -> ErrorData {
        let known = self.tools.iter().map(|entry| entry.tool.name.as_ref());
        let meant = match nearest(name, known) {
            Some(near) => format!("; did you mean {near}?"),
            None => ".".to_owned(),
        };
        let name: String = holdpoint_ask::visible(name).chars().take(100).collect();
        ErrorData::invalid_params(format!("There is no tool {name:?}{meant}"), None)
    }
}

const UNWRAPPED: &str = "These tools ask people: serve them through holdpoint::Holdpoint.";

fn no_plans() -> ErrorData {
    ErrorData::invalid_params(
        "This server has no plans: start it with the tool set `plans`.",
        None,
    )
}

const WHEN: &str = "Holdpoint puts questions to the person you work for and brings back what they decided. Ask before anything that cannot be taken back, and where a choice is the person's. `proceed: true` is the only yes; every other result is none, whatever else it says. Do as `nextStep` says.";

fn info(instructions: String, plans: bool) -> ServerConfig {
    let mut server = Implementation::new("holdpoint", env!("CARGO_PKG_VERSION"));
    server.title = Some("Holdpoint".into());
    server.description = Some("People's decisions in the loop of AI agents".into());
    server.icons = Some(vec![
        Icon::new(ICON)
            .with_mime_type("image/svg+xml")
            .with_sizes(vec!["any".into()]),
    ]);
    let capabilities = ServerCapabilities::builder()
        .enable_tools()
        .enable_logging();
    let capabilities = if !plans {
        capabilities.build()
    } else {
        capabilities
            .enable_prompts()
            .enable_completions()
            .enable_resources()
            .enable_resources_subscribe()
            .build()
    };
    ServerConfig::new(capabilities)
        .with_server_info(server)
        .with_instructions(instructions)
}

impl ServerHandler for FlowServer {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::clone(&self.info)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self.tools.iter().map(|entry| entry.tool.clone());
        Ok(ListToolsResult::with_all_items(tools.collect()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.entry(name).map(|entry| entry.tool.clone())
    }

    // Not `async`: what waits for a person keeps the flow, and nothing of the request.
    fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<CallToolResponse, ErrorData>> + Send {
        let running = self.start(request, &context);
        async { Ok(running?.await.or_else(|fault| fault.told())?.into()) }
    }

    async fn set_level(
        &self,
        _: SetLevelRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        // The desk keeps it, for each connection.
        Ok(())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let prompts = self.resources.as_ref().map(|_| Prompts::list());
        Ok(ListPromptsResult::with_all_items(
            prompts.unwrap_or_default(),
        ))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        self.resources.as_ref().ok_or_else(no_plans)?;
        let flow = self.flow(&context)?;
        let prompt = Prompts::get(&flow, &request.name, request.arguments).await?;
        Ok(prompt.into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let (_, _, viewer) = self.looked_at()?;
        Ok(CompleteResult::new(
            plans::complete(&viewer, request.argument).await,
        ))
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let (resources, _, viewer) = self.looked_at()?;
        let cursor = request.and_then(|request| request.cursor);
        resources.list(&viewer, cursor).await
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(self.looked_at()?.0.templates())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let resources = self.resources.as_deref().ok_or_else(no_plans)?;
        let viewer = Viewer::of_call(&self.flow(&context)?.cx, &self.config);
        Ok(resources.read(&viewer, &request.uri).await?.into())
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let (resources, caller, viewer) = self.looked_at()?;
        let peer = context.peer;
        resources
            .subscribe(&caller, viewer, &request.uri, peer)
            .await
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let (resources, caller, _) = self.looked_at()?;
        resources.unsubscribe(&caller, &request.uri).await;
        Ok(())
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        let plans = self.resources.is_some();
        plans.then(|| Resources::accepted(requested))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let (resources, _, viewer) = self.looked_at()?;
        resources.listen(viewer, context).await
    }
}
