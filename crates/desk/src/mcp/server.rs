//! What all connections of a server share.

use super::{
    identify, legacy_client::LegacyClient, modern_client::ModernClient, request::Request,
    request_state::StateSealer, subscribers::Subscribers,
};
use crate::{
    Desk, FlowVersion, Session, ToolContext,
    author::context::CallServer,
    flow::{
        call::Call,
        client::{Client, NoClient},
        task,
    },
    tool::TypedTool,
};
use futures::FutureExt;
use holdpoint_ask::Origin;
use rmcp::{Peer, RoleServer, ServerHandler, model::Extensions, service::RequestContext};
use std::{
    sync::{Arc, OnceLock, atomic::AtomicBool},
    time::Duration,
};

/// What all connections of a server share.
pub(crate) struct Server<H> {
    pub desk: Desk,
    pub handler: Arc<H>,
    pub sealer: StateSealer,
    pub options: Options,
    pub subscribers: Subscribers,
    /// For flows whose client has no connection any more.
    pub no_peer: OnceLock<Peer<RoleServer>>,
}

/// What the author sets about a server.
#[derive(Clone)]
pub(crate) struct Options {
    /// The name that the author gave the server.
    pub name: Arc<str>,
    pub version: FlowVersion,
    pub tool_versions: Option<ToolVersions>,
    pub workspace: Option<Arc<str>>,
    pub principal: Option<PrincipalOf>,
    /// The tool with which agents wait for an answer that is still out.
    pub await_answer: Option<Arc<TypedTool<ToolContext>>>,
    /// Every tool gives the fields of an ask.
    pub all_have_fields: bool,
    /// After how long a flow that waits for people is let go; never where there is none.
    pub release_after: Option<Duration>,
}

type ToolVersions = Arc<dyn Fn(&str) -> Option<FlowVersion> + Send + Sync>;
type PrincipalOf = Arc<dyn Fn(&Extensions) -> Option<String> + Send + Sync>;

/// A server as a running flow of it sees it.
pub(crate) struct FlowServer<H> {
    pub server: Arc<Server<H>>,
    pub peer: Peer<RoleServer>,
}

impl<H: ServerHandler> Server<H> {
    pub fn new(desk: Desk, handler: Arc<H>, options: Options) -> Self {
        Self {
            sealer: StateSealer::new(desk.inner.keys.request_state),
            desk,
            handler,
            options,
            subscribers: Subscribers::default(),
            no_peer: OnceLock::new(),
        }
    }

    /// The tool with which agents wait for an answer; none where the author left it out, or has one of
    /// the same name.
    pub fn await_answer(&self) -> Option<&Arc<TypedTool<ToolContext>>> {
        let tool = self.options.await_answer.as_ref()?;
        let name = &tool.definition().name;
        self.handler.get_tool(name).is_none().then_some(tool)
    }

    /// The same, where that is the tool of this name.
    pub fn await_answer_named(&self, name: &str) -> Option<&Arc<TypedTool<ToolContext>>> {
        // Most calls are of other tools: what they are called is compared before the author's are searched.
        let named = self.await_answer_name() == Some(name);
        named.then(|| self.await_answer()).flatten()
    }

    /// The name of the tool with which agents wait for an answer, whosever it is.
    pub fn await_answer_name(&self) -> Option<&str> {
        let tool = self.options.await_answer.as_ref()?;
        Some(&tool.definition().name)
    }

    /// Starts the author's code for a call, as a task of its own.
    pub fn run(
        self: &Arc<Self>,
        call: &Arc<Call>,
        request: Request<H>,
        context: &RequestContext<RoleServer>,
    ) where
        FlowServer<H>: CallServer,
    {
        if let Some(after) = self.options.release_after
            && call.releasing.get().is_none()
        {
            self.release_waiting(call, context, after);
        }
        let mut own = RequestContext::new(context.id.clone(), context.peer.clone());
        own.meta = context.meta.clone();
        let finder = FlowServer {
            server: self.clone(),
            peer: context.peer.clone(),
        };
        let cx = ToolContext::new(call.clone(), Arc::new(finder)).with_meta(&context.meta.0);
        own.extensions.insert(cx);
        let flow = request.into_flow(self.handler.clone(), own);
        // Boxed: a task is moved several times before it first runs.
        tokio::spawn(task::run(call.clone(), flow).boxed());
    }

    /// The version of the flow of this name.
    pub fn version(&self, name: &str) -> FlowVersion {
        let own = self.options.tool_versions.as_ref();
        match own.and_then(|version_of| version_of(name)) {
            Some(own) => self.options.version.with_tool(&own),
            None => self.options.version.clone(),
        }
    }

    /// Who calls this tool, as it is recorded and as it binds the call.
    pub fn origin(&self, session: &Session, tool: &str) -> Origin {
        Origin {
            server: Some(self.options.name.to_string()),
            principal: session.principal.clone(),
            client: session.client.clone(),
            client_name: session.client_name.clone(),
            tool: Some(tool.to_owned()),
            workspace: self.options.workspace.as_deref().map(str::to_owned),
        }
    }

    pub fn session(&self, context: &RequestContext<RoleServer>) -> Session {
        identify::session(&self.desk, context, self.principal(context))
    }

    pub fn principal(&self, context: &RequestContext<RoleServer>) -> String {
        self.principal_of(&context.extensions)
    }

    /// The principal of a request of which the transport knows this.
    pub fn principal_of(&self, known: &Extensions) -> String {
        let author = self.options.principal.as_ref();
        author
            .and_then(|principal_of| principal_of(known))
            .unwrap_or_else(|| identify::principal(&self.desk, known))
    }
}

/// How this client can be reached while its request is open. `greeted` says whether its connection
/// has been sent a request before.
pub(crate) fn client(
    session: &Arc<Session>,
    context: &RequestContext<RoleServer>,
    greeted: Arc<AtomicBool>,
) -> Arc<dyn Client> {
    if session.modern {
        Arc::new(ModernClient(session.clone()))
    } else if identify::takes_requests(context) {
        Arc::new(LegacyClient {
            peer: context.peer.clone(),
            request: context.id.clone(),
            session: session.clone(),
            gone: Default::default(),
            greeted,
            sending: Default::default(),
            forms: Default::default(),
        })
    } else {
        Arc::new(NoClient)
    }
}
