//! One rmcp server over several sources of tools.
#![allow(deprecated)] // Older clients still subscribe and set levels.

use super::{
    Holdpoint,
    tool_source::{PromptSource, ResourceSource, ToolCall, ToolSource},
};
use crate::{Caller, Desk, FlowVersion, ToolContext, UnnamedServer};
use futures::{
    StreamExt,
    stream::{BoxStream, select_all},
};
use holdpoint_ask::nearest::nearest;
use rmcp::{
    ErrorData, Peer, RoleServer, ServerHandler,
    model::*,
    service::{NotificationContext, RequestContext, SubscriptionContext},
};
use std::{
    collections::HashSet,
    fmt,
    sync::{Arc, Mutex, PoisonError, Weak},
};

/// The tools that are hidden by others, with their versions.
type HiddenTools = HashSet<(String, Option<String>)>;
type Cx = RequestContext<RoleServer>;

/// An rmcp server of tools, prompts and resources that come from several [sources](ToolSource).
///
#[doc = include_str!("../../docs/tool_server.md")]
#[derive(Clone)]
pub struct ToolServer(Arc<Inner>);

struct Inner {
    about: Implementation,
    instructions: String,
    sources: Vec<Arc<dyn ToolSource>>,
    /// Legacy clients, which are notified when the tools change.
    peers: Mutex<Vec<Peer<RoleServer>>>,
}

impl ToolServer {
    /// A server of these sources, which says this about itself; each source adds its own
    /// instructions.
    ///
    /// # Panics
    /// Where a source can change and this is not called within a tokio runtime.
    pub fn new(
        about: Implementation,
        instructions: impl Into<String>,
        sources: impl IntoIterator<Item = Arc<dyn ToolSource>>,
    ) -> Self {
        let inner = Arc::new(Inner {
            about,
            instructions: instructions.into(),
            sources: sources.into_iter().collect(),
            peers: Mutex::default(),
        });
        match inner.changes() {
            Some(changes) => drop(tokio::spawn(follow(Arc::downgrade(&inner), changes))),
            None => drop(inner.log_hidden(&HashSet::new())),
        }
        Self(inner)
    }

    /// The server with people in the loop: each of its tools has its own version.
    ///
    /// # Errors
    /// Where it has no name of its own, as for [`Holdpoint::new`].
    pub fn over(self, desk: Desk) -> Result<Holdpoint<Self>, UnnamedServer> {
        let versions = self.clone();
        let server = Holdpoint::new(desk, self)?;
        let server = server.tool_versions(move |tool| versions.version_of(tool));
        Ok(server.all_have_fields())
    }

    /// The version of a tool, where it has one of its own.
    pub fn version_of(&self, tool: &str) -> Option<FlowVersion> {
        self.0.source_of(tool)?.version(tool)
    }
}

impl fmt::Debug for ToolServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolServer")
            .field("name", &self.0.about.name)
            .field("version", &self.0.about.version)
            .finish_non_exhaustive()
    }
}

impl Inner {
    /// The source of a tool: the first one that has it.
    fn source_of(&self, name: &str) -> Option<&dyn ToolSource> {
        let mut sources = self.sources.iter();
        let source = sources.find(|source| source.has_tool(name))?;
        Some(source.as_ref())
    }

    /// The tools of the source at this place that no source before it has.
    fn offered(&self, place: usize) -> impl Iterator<Item = Tool> {
        let tools = self.sources[place].tools().into_iter();
        tools.filter(move |tool| !self.is_hidden(place, &tool.name))
    }

    fn is_hidden(&self, place: usize, name: &str) -> bool {
        let mut before = self.sources[..place].iter();
        before.any(|source| source.has_tool(name))
    }

    fn tools(&self) -> Vec<Tool> {
        let places = 0..self.sources.len();
        places.flat_map(|place| self.offered(place)).collect()
    }

    fn instructions(&self) -> String {
        let sources = self.sources.iter().enumerate();
        let own = sources.filter_map(|(place, source)| {
            let own = source.instructions()?;
            self.offered(place).next().map(|_| own)
        });
        let all: Vec<_> = std::iter::once(self.instructions.as_str())
            .chain(own)
            .collect();
        all.join("\n\n")
    }

    /// An item each time the tools of a source have changed; none where they never do.
    fn changes(&self) -> Option<BoxStream<'static, ()>> {
        let all: Vec<_> = self
            .sources
            .iter()
            .filter_map(|one| one.changes())
            .collect();
        (!all.is_empty()).then(|| select_all(all).boxed())
    }

    fn prompts(&self) -> Option<&dyn PromptSource> {
        self.sources.iter().find_map(|source| source.prompts())
    }

    fn resources(&self) -> Result<&dyn ResourceSource, ErrorData> {
        let mut sources = self.sources.iter();
        let resources = sources.find_map(|source| source.resources());
        resources.ok_or_else(|| none("resources"))
    }

    /// Logs which tools are hidden, and were not before in this version; gives all that are.
    fn log_hidden(&self, before: &HiddenTools) -> HiddenTools {
        let mut hidden = HashSet::new();
        for (place, source) in self.sources.iter().enumerate() {
            for tool in source.tools() {
                if self.is_hidden(place, &tool.name) {
                    let version = source
                        .version(&tool.name)
                        .map(|version| version.to_string());
                    let key = (tool.name.to_string(), version);
                    if !before.contains(&key) {
                        source.log_hidden(&tool.name);
                    }
                    hidden.insert(key);
                }
            }
        }
        hidden
    }

    fn start(&self, request: CallToolRequestParams, context: &Cx) -> Result<ToolCall, ErrorData> {
        let CallToolRequestParams {
            name, arguments, ..
        } = request;
        let cx = tool_context(context)?;
        let call = match self.source_of(&name) {
            Some(source) => source.call(cx, &name, arguments),
            // A call that waits may have outlived its tool.
            None if cx.replays() => {
                let mut sources = self.sources.iter();
                sources.find_map(|source| source.call(cx.clone(), &name, arguments.clone()))
            }
            None => None,
        };
        call.ok_or_else(|| self.unknown(&name))
    }

    fn unknown(&self, name: &str) -> ErrorData {
        let tools = self.tools();
        let meant = match nearest(name, tools.iter().map(|tool| tool.name.as_ref())) {
            Some(near) => format!("; did you mean {near}?"),
            None => ".".to_owned(),
        };
        let name: String = holdpoint_ask::visible(name).chars().take(100).collect();
        ErrorData::invalid_params(format!("There is no tool {name:?}{meant}"), None)
    }
}

/// Notifies legacy clients of changes, and logs what is hidden, until the server is gone.
async fn follow(server: Weak<Inner>, mut changes: BoxStream<'static, ()>) {
    let mut hidden = HashSet::new();
    loop {
        let Some(inner) = server.upgrade() else {
            return;
        };
        hidden = inner.log_hidden(&hidden);
        drop(inner);
        if changes.next().await.is_none() {
            return;
        }
        let Some(inner) = server.upgrade() else {
            return;
        };
        for peer in inner.open_peers(None) {
            // A client that does not read holds up nobody else.
            tokio::spawn(async move { drop(peer.notify_tool_list_changed().await) });
        }
    }
}

impl Inner {
    /// The legacy clients that are still connected, with a further one.
    fn open_peers(&self, further: Option<Peer<RoleServer>>) -> Vec<Peer<RoleServer>> {
        let mut peers = self.peers.lock().unwrap_or_else(PoisonError::into_inner);
        peers.retain(|peer| !peer.is_transport_closed());
        peers.extend(further);
        peers.clone()
    }
}

fn tool_context(context: &Cx) -> Result<ToolContext, ErrorData> {
    let cx = context.extensions.get::<ToolContext>().cloned();
    cx.ok_or_else(unwrapped)
}

fn caller() -> Result<Caller, ErrorData> {
    Caller::current().ok_or_else(unwrapped)
}

fn unwrapped() -> ErrorData {
    let what = "These tools ask people: serve them through holdpoint::Holdpoint.";
    ErrorData::internal_error(what, None)
}

/// Refuses to complete what no prompt of this name takes.
fn check_prompt(prompts: &dyn PromptSource, name: &str, argument: &str) -> Result<(), ErrorData> {
    let all = prompts.list();
    let prompt = all.iter().find(|prompt| prompt.name == name);
    let prompt = prompt.ok_or_else(|| no_such("prompt", name))?;
    let mut arguments = prompt.arguments.iter().flatten();
    let takes = arguments.any(|its| its.name == argument);
    takes
        .then_some(())
        .ok_or_else(|| no_such(&format!("argument of {name}"), argument))
}

/// Refuses to complete what is no part of such a template.
fn check_template(
    resources: &dyn ResourceSource,
    template: &str,
    part: &str,
) -> Result<(), ErrorData> {
    let all = resources.templates().resource_templates;
    let known = all.iter().any(|its| its.uri_template == template);
    if !known {
        return Err(no_such("resource template", template));
    }
    let takes = template.contains(&format!("{{{part}}}"));
    takes
        .then_some(())
        .ok_or_else(|| no_such(&format!("part of {template}"), part))
}

fn no_such(what: &str, name: &str) -> ErrorData {
    let name: String = holdpoint_ask::visible(name).chars().take(100).collect();
    ErrorData::invalid_params(format!("There is no {what} {name:?}."), None)
}

fn none(what: &str) -> ErrorData {
    ErrorData::invalid_params(format!("This server has no {what}."), None)
}

impl ServerHandler for ToolServer {
    fn get_info(&self) -> ServerConfig {
        let mut capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_logging()
            .build();
        if self.0.changes().is_some() {
            capabilities.tools.get_or_insert_default().list_changed = Some(true);
        }
        if self.0.prompts().is_some() {
            capabilities.prompts = Some(PromptsCapability::default());
        }
        if self.0.prompts().is_some() || self.0.resources().is_ok() {
            capabilities.completions = Some(JsonObject::new());
        }
        if self.0.resources().is_ok() {
            let resources = capabilities.resources.get_or_insert_default();
            resources.subscribe = Some(true);
        }
        ServerConfig::new(capabilities)
            .with_server_info(self.0.about.clone())
            .with_instructions(self.0.instructions())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Cx,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.0.tools()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.0.source_of(name)?.tool(name)
    }

    // Not `async`: a parked call then holds its flow, and nothing of the request.
    fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Cx,
    ) -> impl Future<Output = Result<CallToolResponse, ErrorData>> + Send {
        let running = self.0.start(request, &context);
        async { Ok(running?.await?.into()) }
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        if self.0.changes().is_some() {
            self.0.open_peers(Some(context.peer));
        }
    }

    async fn set_level(&self, _: SetLevelRequestParams, _: Cx) -> Result<(), ErrorData> {
        // `Holdpoint` keeps it, for each connection.
        Ok(())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Cx,
    ) -> Result<ListPromptsResult, ErrorData> {
        let prompts = self.0.prompts().map(|prompts| prompts.list());
        Ok(ListPromptsResult::with_all_items(
            prompts.unwrap_or_default(),
        ))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: Cx,
    ) -> Result<GetPromptResponse, ErrorData> {
        let prompts = self.0.prompts().ok_or_else(|| none("prompts"))?;
        let prompt = prompts.get(tool_context(&context)?, request.name, request.arguments);
        Ok(prompt.await?.into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: Cx,
    ) -> Result<CompleteResult, ErrorData> {
        let caller = caller()?;
        let argument = &request.argument.name;
        let suggestions = match &request.r#ref {
            Reference::Prompt(PromptReference { name, .. }) => {
                let prompts = self.0.prompts().ok_or_else(|| none("prompts"))?;
                check_prompt(prompts, name, argument)?;
                prompts.complete(caller, request).await
            }
            Reference::Resource(template) => {
                let resources = self.0.resources()?;
                check_template(resources, &template.uri, argument)?;
                resources.complete(caller, request).await
            }
            _ => return Err(none("such completions")),
        };
        Ok(CompleteResult::new(suggestions))
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _: Cx,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        self.0.resources()?.list(caller()?, cursor).await
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Cx,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(self.0.resources()?.templates())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: Cx,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let cx = tool_context(&context)?;
        let read = self.0.resources()?.read(cx, request.uri).await?;
        Ok(read.into())
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: Cx,
    ) -> Result<(), ErrorData> {
        let resources = self.0.resources()?;
        let peer = context.peer;
        resources.subscribe(caller()?, request.uri, peer).await
    }

    async fn unsubscribe(&self, request: UnsubscribeRequestParams, _: Cx) -> Result<(), ErrorData> {
        let resources = self.0.resources()?;
        resources.unsubscribe(caller()?, request.uri).await;
        Ok(())
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        let resources = self.0.resources().ok();
        let resources = resources.map(|resources| resources.accept(requested));
        if self.0.changes().is_none() {
            return resources;
        }
        let mut accepted = resources.unwrap_or_default();
        accepted.tools_list_changed = requested.tools_list_changed;
        Some(accepted)
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let wanted = context.accepted().tools_list_changed == Some(true);
        let changes = self.0.changes().filter(|_| wanted);
        let sink = context.sink().clone();
        let notify = async {
            let mut changes = changes.unwrap_or_else(|| futures::stream::pending().boxed());
            while changes.next().await.is_some() {
                let _ = sink.notify_tool_list_changed().await;
            }
            std::future::pending().await
        };
        let resources = async {
            match self.0.resources() {
                Ok(resources) => resources.listen(caller()?, context).await,
                Err(_) => {
                    context.cancelled().await;
                    Ok(())
                }
            }
        };
        tokio::select! {
            ended = resources => ended,
            ended = notify => ended,
        }
    }
}
