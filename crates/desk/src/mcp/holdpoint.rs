//! The wiring: an author's rmcp server, with people in the loop.
#![allow(deprecated)] // Older clients still have a log.

use super::{
    hold_request::{HeldRequest, wait_for_reply},
    identify,
    legacy_client::{ClientLink, LegacyClient},
    request::{CallReply, Request},
    request_state::Binding,
    retry::{Found, Retry},
};
use crate::{
    Caller, Desk, FlowVersion, Session, ToolContext, flow::call::Call, flow::task, sync::lock,
};
use futures::{FutureExt, future::BoxFuture};
use holdpoint_ask::{CallId, Origin};
use holdpoint_journal::NewCall;
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{Extensions, InputResponses, LoggingLevel, RequestId},
    service::RequestContext,
};
use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

/// An rmcp server whose tools, prompts and resources can ask people: wrap your `ServerHandler`
/// in it and serve it like any other.
///
/// A tool takes a [`ToolContext`] as an argument and asks through its elicitor; clients of both
/// protocol eras are served by the same code.
pub struct Holdpoint<H> {
    pub(crate) shared: Arc<Shared<H>>,
    /// The requests of one connection, for cancelling them.
    in_flight: Arc<Mutex<HashMap<RequestId, Weak<Call>>>>,
    /// Whether this connection has been sent a request.
    greeted: Arc<AtomicBool>,
    /// The last request's session, which mostly is the next one's too.
    session: Arc<Mutex<Option<Arc<Session>>>>,
    /// From which level on this connection wants log lines; none before it said so.
    pub(crate) log_level: Arc<Mutex<Option<LoggingLevel>>>,
    /// Names this connection among all of the process.
    connection: u64,
}

/// What all connections of a server share.
pub(crate) struct Shared<H> {
    pub desk: Desk,
    pub handler: Arc<H>,
    version: FlowVersion,
    version_of: Option<VersionOf>,
    pub workspace: Option<Arc<str>>,
    principal: Option<PrincipalOf>,
}

type VersionOf = Arc<dyn Fn(&str) -> Option<FlowVersion> + Send + Sync>;
type PrincipalOf = Arc<dyn Fn(&Extensions) -> Option<String> + Send + Sync>;

impl<H: ServerHandler> Holdpoint<H> {
    /// Wraps a server.
    pub fn new(desk: Desk, handler: H) -> Self {
        let info = handler.get_info().server_info;
        Self {
            shared: Arc::new(Shared {
                desk,
                handler: Arc::new(handler),
                version: FlowVersion::of_server(&info.name, &info.version),
                version_of: None,
                workspace: None,
                principal: None,
            }),
            in_flight: Arc::default(),
            greeted: Arc::default(),
            session: Arc::default(),
            log_level: Arc::default(),
            connection: next_connection(),
        }
    }

    /// The version of the flows, in place of the server's name and version: a call that another
    /// version opened is not resumed.
    pub fn flow_version(self, version: impl Into<FlowVersion>) -> Self {
        self.set(|shared| shared.version = version.into())
    }

    /// The version of single tools, by their name, where they have one of their own: beside that of
    /// the others.
    pub fn tool_versions(
        self,
        version: impl Fn(&str) -> Option<FlowVersion> + Send + Sync + 'static,
    ) -> Self {
        self.set(|shared| shared.version_of = Some(Arc::new(version)))
    }

    /// The folder that the agent works in.
    pub fn workspace(self, workspace: impl Into<Arc<str>>) -> Self {
        self.set(|shared| shared.workspace = Some(workspace.into()))
    }

    /// Tells in whose name a request is made, from what the transport knows of it (over HTTP, its
    /// `http::request::Parts`). Where it tells none, the `Authorization` header does, and without
    /// one every request is `local`.
    pub fn principal(
        self,
        principal: impl Fn(&Extensions) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        self.set(|shared| shared.principal = Some(Arc::new(principal)))
    }

    fn set(self, change: impl FnOnce(&mut Shared<H>)) -> Self {
        let mut shared = Shared {
            desk: self.shared.desk.clone(),
            handler: self.shared.handler.clone(),
            version: self.shared.version.clone(),
            version_of: self.shared.version_of.clone(),
            workspace: self.shared.workspace.clone(),
            principal: self.shared.principal.clone(),
        };
        change(&mut shared);
        Self {
            shared: Arc::new(shared),
            in_flight: Arc::default(),
            greeted: Arc::default(),
            session: Arc::default(),
            log_level: Arc::default(),
            connection: next_connection(),
        }
    }

    /// Who makes a request in whose course nobody is asked.
    pub(crate) fn caller(&self, context: &RequestContext<RoleServer>) -> Caller {
        Caller {
            desk: self.shared.desk.clone(),
            principal: self.shared.principal(context),
            workspace: self.shared.workspace.clone(),
            connection: self.connection,
        }
    }

    /// Handles a request up to the next thing that its client has to be told.
    ///
    /// What waits for a person is small: only what speaks for the call is kept that long.
    pub(crate) fn handle(
        &self,
        mut request: Request,
        context: RequestContext<RoleServer>,
    ) -> BoxFuture<'_, Result<CallReply, ErrorData>> {
        let session = self.shared.session(&context);
        let (responses, state) = request.take_round();
        let binding = || {
            Binding::new(
                &session.principal,
                request.method(),
                request.name(),
                &request.arguments(),
            )
        };
        if let Some(state) = state {
            let binding = binding();
            return self
                .retried(state, session, responses, context, binding)
                .boxed();
        }
        if let Some(call) = self.take_up(&session, &context, binding) {
            return self.speak(call, context, None).boxed();
        }
        if !self.shared.desk.inner.lost.is_empty() {
            let binding = binding();
            return self
                .after_lost(request, session, responses, context, binding)
                .boxed();
        }
        self.begin(request, session, responses, context)
    }

    /// Goes on with a call that an earlier process left behind, or begins one.
    async fn after_lost(
        &self,
        request: Request,
        session: Session,
        responses: InputResponses,
        context: RequestContext<RoleServer>,
        binding: Binding,
    ) -> Result<CallReply, ErrorData> {
        let lost = self.shared.take_up_lost(&session, &context, &binding);
        if let Some(call) = Box::pin(lost).await? {
            self.enter(&context, &call);
            return self.speak(call, context, Some(binding)).await;
        }
        self.begin(request, session, responses, context).await
    }

    fn begin(
        &self,
        request: Request,
        session: Session,
        responses: InputResponses,
        context: RequestContext<RoleServer>,
    ) -> BoxFuture<'_, Result<CallReply, ErrorData>> {
        let call = self.start(request, session, responses, &context);
        if context.ct.is_cancelled() {
            // Cancelled before anybody can have seen it.
            return async move {
                call.cancel().await;
                self.speak(call, context, None).await
            }
            .boxed();
        }
        self.speak(call, context, None).boxed()
    }

    async fn retried(
        &self,
        state: String,
        session: Session,
        responses: InputResponses,
        context: RequestContext<RoleServer>,
        binding: Binding,
    ) -> Result<CallReply, ErrorData> {
        let retry = Retry {
            server: &self.shared,
            context: &context,
            binding: &binding,
        };
        match Box::pin(retry.resume(&state, session, responses)).await? {
            Found::Running(call) => {
                self.enter(&context, &call);
                self.speak(call, context, Some(binding)).await
            }
            Found::CallReply(said) => Ok(said),
        }
    }

    /// Speaks for a call until its client has to be told something. A request that did not open
    /// the call has a binding of its own.
    pub(crate) fn speak(
        &self,
        call: Arc<Call>,
        context: RequestContext<RoleServer>,
        binding: Option<Binding>,
    ) -> impl Future<Output = Result<CallReply, ErrorData>> + Send {
        // All that is kept of a request while a person thinks.
        let held = HeldRequest {
            wants_progress: context.meta.get_progress_token().is_some(),
            id: context.id,
            given_up: context.ct,
        };
        async move {
            let said = wait_for_reply(&call, &held, binding.as_ref()).await;
            // A request that was given up stays: why it was comes separately, and maybe later.
            if said.is_ok() {
                lock(&self.in_flight).remove(&held.id);
            }
            said
        }
    }

    /// Takes up an older call of the same caller, tool and arguments whose ask is still open and
    /// that nobody waits for any more, so that the person is not asked twice.
    fn take_up(
        &self,
        session: &Session,
        context: &RequestContext<RoleServer>,
        binding: impl FnOnce() -> Binding,
    ) -> Option<Arc<Call>> {
        let call = self.shared.desk.take_idle(|| binding().0)?;
        if call.session.modern != session.modern || call.session.client != session.client {
            return None;
        }
        self.enter(context, &call);
        call.relink(link(session, context, self.greeted.clone()));
        Some(call)
    }

    fn start(
        &self,
        request: Request,
        session: Session,
        responses: InputResponses,
        context: &RequestContext<RoleServer>,
    ) -> Arc<Call> {
        let desk = &self.shared.desk;
        let new = NewCall {
            id: CallId::new(),
            origin: Origin {
                principal: session.principal.clone(),
                client: session.client.clone(),
                tool: Some(request.name().to_owned()),
                workspace: self.shared.workspace.as_deref().map(str::to_owned),
            },
            method: request.method().to_owned(),
            arguments: request.arguments(),
            flow_version: self.shared.version(request.name()).to_string(),
            owner: desk.journal().owner(),
            opened_at: desk.now(),
        };
        let link = link(&session, context, self.greeted.clone());
        let call = Call::new(desk.clone(), self.known(session), new, link, None);
        call.state().beforehand = responses;
        self.enter(context, &call);
        self.shared.run(&call, request, context);
        call
    }

    /// The session, shared with the request before where that had the same.
    fn known(&self, session: Session) -> Arc<Session> {
        let mut last = lock(&self.session);
        if let Some(known) = last.as_ref().filter(|known| ***known == session) {
            return known.clone();
        }
        last.insert(Arc::new(session)).clone()
    }

    /// This request speaks for the call from now on.
    pub(crate) fn enter(&self, context: &RequestContext<RoleServer>, call: &Arc<Call>) {
        call.attach(context, *lock(&self.log_level));
        lock(&self.in_flight).insert(context.id.clone(), Arc::downgrade(call));
    }

    /// A client has cancelled a request. One that only lost patience leaves its ask to the person.
    pub(crate) async fn cancelled(&self, request: Option<&RequestId>, reason: Option<&str>) {
        let Some(request) = request else { return };
        let call = lock(&self.in_flight).remove(request);
        if reason.is_some_and(is_time_out) {
            return;
        }
        if let Some(call) = call.and_then(|call| call.upgrade()) {
            call.cancel().await;
        }
    }
}

impl<H: ServerHandler> Shared<H> {
    /// Starts the author's code for a call, as a task of its own.
    pub fn run(
        self: &Arc<Self>,
        call: &Arc<Call>,
        request: Request,
        context: &RequestContext<RoleServer>,
    ) {
        let mut own = RequestContext::new(context.id.clone(), context.peer.clone());
        own.meta = context.meta.clone();
        own.extensions
            .insert(ToolContext::new(call.clone(), self.clone()));
        let flow = request.flow(self.handler.clone(), own);
        // Boxed, since a task is moved several times before it first runs.
        tokio::spawn(task::run(call.clone(), flow).boxed());
    }

    /// The version of the flow of this name.
    pub fn version(&self, name: &str) -> FlowVersion {
        match self.version_of.as_ref().and_then(|own| own(name)) {
            Some(own) => self.version.with_tool(&own),
            None => self.version.clone(),
        }
    }

    pub fn session(&self, context: &RequestContext<RoleServer>) -> Session {
        identify::session(&self.desk, context, self.principal(context))
    }

    fn principal(&self, context: &RequestContext<RoleServer>) -> String {
        let told = self.principal.as_ref();
        told.and_then(|told| told(&context.extensions))
            .unwrap_or_else(|| identify::principal(&self.desk, context))
    }
}

/// How this client can be reached while its request is open.
pub(crate) fn link(
    session: &Session,
    context: &RequestContext<RoleServer>,
    greeted: Arc<AtomicBool>,
) -> ClientLink {
    if session.modern {
        ClientLink::Modern
    } else if identify::takes_requests(context) {
        ClientLink::Legacy(Arc::new(LegacyClient {
            peer: context.peer.clone(),
            request: context.id.clone(),
            gone: Default::default(),
            greeted,
        }))
    } else {
        ClientLink::None
    }
}

fn next_connection() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed)
}

fn is_time_out(reason: &str) -> bool {
    let reason = reason.to_lowercase();
    ["timed out", "timeout", "time-out", "time out"]
        .iter()
        .any(|word| reason.contains(word))
}

impl<H> Clone for Holdpoint<H> {
    /// The same server for another connection.
    fn clone(&self) -> Self {
        Self {
            shared: self.shared.clone(),
            in_flight: Arc::default(),
            greeted: Arc::default(),
            session: Arc::default(),
            log_level: Arc::default(),
            connection: next_connection(),
        }
    }
}
