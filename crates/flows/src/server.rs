//! The tools as an rmcp server.
#![allow(deprecated)] // Older clients still have a log, and set its level once.

use crate::{
    arguments::{Arguments, nearest},
    config::{ConfigError, FlowConfig, ToolSet},
    elicit,
    onboarding::{
        self,
        disk::{Disk, Files},
    },
    orchestra,
    tool::{Entry, Flow},
};
use holdpoint::ToolContext;
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, Icon, Implementation, ListToolsResult,
        PaginatedRequestParams, ServerCapabilities, ServerConfig, SetLevelRequestParams, Tool,
    },
    service::RequestContext,
};
use std::sync::Arc;

/// The tools that agents call. Wrap it in `holdpoint::Holdpoint` and serve that.
#[derive(Clone)]
pub struct FlowServer {
    config: Arc<FlowConfig>,
    tools: Arc<[Entry]>,
    info: Arc<ServerConfig>,
    disk: Arc<dyn Disk>,
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
                ToolSet::Plans => continue,
                ToolSet::Onboarding => (onboarding::tools(), onboarding::INSTRUCTIONS),
            };
            tools.extend(added);
            instructions.push(words.to_owned());
        }
        Ok(Self {
            info: Arc::new(info(instructions.join("\n\n"))),
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

    fn entry(&self, name: &str) -> Option<&Entry> {
        self.tools.iter().find(|entry| entry.tool.name == name)
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

const WHEN: &str = "Holdpoint puts questions to the person you work for and brings back what they decided. Ask before anything that cannot be taken back, and where a choice is the person's. `proceed: true` is the only yes; every other result is none, whatever else it says. Do as `nextStep` says.";

fn info(instructions: String) -> ServerConfig {
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
        .enable_logging()
        .build();
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

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let entry = self.entry(&request.name);
        let entry = entry.ok_or_else(|| self.unknown(&request.name))?;
        let cx = context.extensions.get::<ToolContext>().cloned();
        let flow = Flow {
            cx: cx.ok_or_else(|| ErrorData::internal_error(UNWRAPPED, None))?,
            config: self.config.clone(),
            disk: self.disk.clone(),
        };
        let ended = entry.run(flow, Arguments::new(request.arguments)).await;
        let result = ended.or_else(|fault| fault.told())?;
        Ok(result.into())
    }

    async fn set_level(
        &self,
        _: SetLevelRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        // The desk keeps it, for each connection.
        Ok(())
    }
}
