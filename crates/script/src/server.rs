//! Scripts as tools of an MCP server, beside those of another one.
#![allow(deprecated)] // Older clients still subscribe and set levels.

use crate::{
    Job, Library, LoadError, Loaded, Method, Program, ToClient, call_result,
    flow::{self, version},
};
use futures::future::Either;
use holdpoint::{FlowVersion, ToolContext};
use rmcp::{
    ErrorData, Peer, RoleServer, ServerHandler,
    model::*,
    service::{NotificationContext, RequestContext, SubscriptionContext},
};
use std::{
    borrow::Cow,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

type Cx = RequestContext<RoleServer>;
type Nx = NotificationContext<RoleServer>;

/// An rmcp server with scripts as further tools. Wrap it in `holdpoint::Holdpoint`, and give that
/// [`Self::version_of`] for its `tool_versions`.
#[derive(Clone)]
pub struct ScriptServer<H> {
    inner: H,
    scripts: Option<Arc<Scripts>>,
}

/// The scripts of a server.
struct Scripts {
    library: Arc<Library>,
    workspace: PathBuf,
    private: Vec<PathBuf>,
    /// Legacy clients that are told when the tools change.
    peers: Mutex<Vec<Peer<RoleServer>>>,
}

impl<H: ServerHandler + Clone> ScriptServer<H> {
    /// The server as it is, without scripts.
    pub fn without(inner: H) -> Self {
        Self {
            inner,
            scripts: None,
        }
    }

    /// The server with the scripts of a folder. What is wrong with a file is logged, now and
    /// whenever it changes. Effects happen in this workspace, and never in what is `private`.
    pub fn new(inner: H, library: Arc<Library>, workspace: PathBuf, private: Vec<PathBuf>) -> Self {
        let scripts = Arc::new(Scripts {
            library,
            workspace,
            private,
            peers: Mutex::default(),
        });
        tokio::spawn(follow(Arc::downgrade(&scripts), inner.clone()));
        Self {
            inner,
            scripts: Some(scripts),
        }
    }

    /// The version of a script's tool: its file, by its digest.
    pub fn version_of(&self, tool: &str) -> Option<FlowVersion> {
        let (_, program, _) = self.script(tool)?;
        Some(version(&program))
    }

    /// The script of this tool. A tool that the server had before stays what it was.
    fn script(&self, tool: &str) -> Option<(&Arc<Scripts>, Arc<Program>, String)> {
        let scripts = self.scripts.as_ref()?;
        let loaded = scripts.library.now();
        let (program, method) = loaded.tool(tool)?;
        let free = self.inner.get_tool(tool).is_none();
        free.then(|| (scripts, program.clone(), method.to_owned()))
    }

    fn tools(&self) -> Vec<Tool> {
        let Some(scripts) = &self.scripts else {
            return Vec::new();
        };
        let loaded = scripts.library.now();
        let programs = loaded.programs();
        let methods = programs.flat_map(|it| it.methods().iter().map(move |method| (it, method)));
        methods
            .filter(|(_, method)| self.inner.get_tool(&method.tool).is_none())
            .map(|(program, method)| tool(program, method))
            .collect()
    }

    async fn run(
        cx: Option<ToolContext>,
        scripts: Arc<Scripts>,
        program: Arc<Program>,
        method: String,
        arguments: Option<JsonObject>,
    ) -> Result<CallToolResponse, ErrorData> {
        let cx = cx.ok_or_else(|| {
            let what = "Scripts ask people: serve them through holdpoint::Holdpoint.";
            ErrorData::internal_error(what, None)
        })?;
        let job = Job {
            program,
            method,
            arguments: arguments.unwrap_or_default(),
            workspace: scripts.workspace.clone(),
            private: scripts.private.clone(),
        };
        let emits = Arc::new(ToClient(cx.clone()));
        Ok(flow::run(cx, job, emits).await?.into())
    }
}

/// A method as a tool.
fn tool(program: &Program, method: &Method) -> Tool {
    let about = method.description.as_deref().or(program.description());
    let about = match about {
        Some(about) => about.to_owned(),
        None => format!("{} of the script {}", method.name, program.file()),
    };
    let may = program.permissions();
    let changes = !(may.run.is_empty() && may.write.is_empty() && may.net.is_empty());
    let title = format!("{}: {}", program.name(), method.name);
    let hints = ToolAnnotations::with_title(title.clone())
        .read_only(!changes)
        .destructive(changes)
        .idempotent(false)
        .open_world(!(may.run.is_empty() && may.net.is_empty()));
    let mut tool = Tool::new(method.tool.clone(), about, Arc::new(method.input.clone()))
        .with_title(title)
        .with_annotations(hints);
    tool.output_schema = Some(Arc::new(call_result::schema(method.output.as_ref())));
    tool
}

/// Logs what is wrong with the files, and tells legacy clients of changes, until the server is gone.
async fn follow<H: ServerHandler>(scripts: std::sync::Weak<Scripts>, inner: H) {
    let Some(mut changes) = scripts.upgrade().map(|it| it.library.changes()) else {
        return;
    };
    let mut before = Loaded::default();
    loop {
        let loaded = changes.borrow_and_update().clone();
        complain(&loaded, &before, &inner);
        before = Loaded::clone(&loaded);
        if changes.changed().await.is_err() {
            return;
        }
        let Some(scripts) = scripts.upgrade() else {
            return;
        };
        let peers = {
            let mut peers = scripts.peers.lock().unwrap_or_else(PoisonError::into_inner);
            peers.retain(|peer| !peer.is_transport_closed());
            peers.clone()
        };
        for peer in peers {
            // A client that does not read holds up nobody else.
            tokio::spawn(async move { drop(peer.notify_tool_list_changed().await) });
        }
    }
}

/// Logs what is new about files that are no scripts, and about tools whose names are taken.
fn complain(loaded: &Loaded, before: &Loaded, inner: &impl ServerHandler) {
    let known: Vec<&LoadError> = before.errors().collect();
    for error in loaded.errors().filter(|error| !known.contains(error)) {
        tracing::warn!("a script cannot be used: {error}");
    }
    for program in loaded.programs() {
        let same = |old: &Arc<Program>| old.digest() == program.digest();
        if before.program(program.name()).is_some_and(same) {
            continue;
        }
        for method in program.methods() {
            if inner.get_tool(&method.tool).is_some() {
                tracing::warn!(
                    "{}: there is another tool {} already: rename the file or the method {}",
                    program.file(),
                    method.tool,
                    method.name
                );
            }
        }
    }
}

const INSTRUCTIONS: &str = "Further tools are scripts that the person keeps: each asks them what it needs, and asks before it first acts. What such a tool returns is in `result`; where it has none, read `status` and do as `nextStep` says.";

impl<H: ServerHandler + Clone> ServerHandler for ScriptServer<H> {
    fn get_info(&self) -> ServerConfig {
        let mut info = self.inner.get_info();
        if self.scripts.is_none() {
            return info;
        }
        let tools = info.capabilities.tools.get_or_insert_default();
        tools.list_changed = Some(true);
        if !self.tools().is_empty() {
            let before = info.instructions.take();
            let before = before.map(|it| format!("{it}\n\n")).unwrap_or_default();
            info.instructions = Some(format!("{before}{INSTRUCTIONS}"));
        }
        info
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        if let Some(tool) = self.inner.get_tool(name) {
            return Some(tool);
        }
        let (_, program, method) = self.script(name)?;
        program.method(&method).map(|method| tool(&program, method))
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Cx,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut listed = self.inner.list_tools(request, context).await?;
        if listed.next_cursor.is_none() {
            listed.tools.extend(self.tools());
        }
        Ok(listed)
    }

    // Not `async`: what waits for a person keeps the flow, and nothing of the request.
    fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Cx,
    ) -> impl Future<Output = Result<CallToolResponse, ErrorData>> + Send {
        match self.script(&request.name) {
            Some((scripts, program, method)) => {
                let cx = context.extensions.get::<ToolContext>().cloned();
                let scripts = scripts.clone();
                // Boxed, so that a tool of the other kind that waits has no room for it.
                let run = Self::run(cx, scripts, program, method, request.arguments);
                Either::Left(Box::pin(run))
            }
            None => Either::Right(self.inner.call_tool(request, context)),
        }
    }

    async fn on_initialized(&self, context: Nx) {
        if let Some(scripts) = &self.scripts {
            let peers = &scripts.peers;
            let mut peers = peers.lock().unwrap_or_else(PoisonError::into_inner);
            peers.retain(|peer| !peer.is_transport_closed());
            peers.push(context.peer.clone());
        }
        self.inner.on_initialized(context).await;
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        let inner = self.inner.accepted_subscription_filter(requested);
        if self.scripts.is_none() {
            return inner;
        }
        let mut accepted = inner.unwrap_or_default();
        accepted.tools_list_changed = requested.tools_list_changed;
        Some(accepted)
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let Some(scripts) = &self.scripts else {
            return self.inner.listen(context).await;
        };
        let mut changes = scripts.library.changes();
        changes.mark_unchanged();
        let sink = context.sink().clone();
        let wanted = context.accepted().tools_list_changed == Some(true);
        let tell = async {
            while wanted && changes.changed().await.is_ok() {
                let _ = sink.notify_tool_list_changed().await;
            }
            std::future::pending().await
        };
        let requested = context.requested();
        let listens = self.inner.accepted_subscription_filter(requested).is_some();
        let inner = async {
            if listens {
                self.inner.listen(context).await
            } else {
                context.cancelled().await;
                Ok(())
            }
        };
        tokio::select! {
            ended = inner => ended,
            ended = tell => ended,
        }
    }

    async fn ping(&self, context: Cx) -> Result<(), ErrorData> {
        self.inner.ping(context).await
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        self.inner.supported_protocol_versions()
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: Cx,
    ) -> Result<CompleteResult, ErrorData> {
        self.inner.complete(request, context).await
    }

    async fn set_level(
        &self,
        request: SetLevelRequestParams,
        context: Cx,
    ) -> Result<(), ErrorData> {
        self.inner.set_level(request, context).await
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Cx,
    ) -> Result<ListPromptsResult, ErrorData> {
        self.inner.list_prompts(request, context).await
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: Cx,
    ) -> Result<GetPromptResponse, ErrorData> {
        self.inner.get_prompt(request, context).await
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Cx,
    ) -> Result<ListResourcesResult, ErrorData> {
        self.inner.list_resources(request, context).await
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Cx,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        self.inner.list_resource_templates(request, context).await
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: Cx,
    ) -> Result<ReadResourceResponse, ErrorData> {
        self.inner.read_resource(request, context).await
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: Cx,
    ) -> Result<(), ErrorData> {
        self.inner.subscribe(request, context).await
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        context: Cx,
    ) -> Result<(), ErrorData> {
        self.inner.unsubscribe(request, context).await
    }

    async fn on_cancelled(&self, cancelled: CancelledNotificationParam, context: Nx) {
        self.inner.on_cancelled(cancelled, context).await;
    }

    async fn on_progress(&self, progress: ProgressNotificationParam, context: Nx) {
        self.inner.on_progress(progress, context).await;
    }

    async fn on_roots_list_changed(&self, context: Nx) {
        self.inner.on_roots_list_changed(context).await;
    }
}
