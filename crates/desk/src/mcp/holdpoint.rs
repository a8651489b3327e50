//! The wiring: an author's rmcp server, with people in the loop.
#![allow(deprecated)] // Older clients still have a log.

use super::{
    await_answer,
    connection::Connection,
    hold_request::{HeldRequest, Hold, ServerFacts, Waited},
    identify,
    invalid_params::check_log_level,
    open_request::OpenRequest,
    request::{CallReply, Request},
    retry::{Found, Retry, journal_fault},
    server::{Options, Server, client},
};
use crate::{
    Caller, Desk, FlowVersion, ServeError, Session, UnnamedServer,
    flow::{call::Call, release::Held},
    sync::lock,
};
use futures::{FutureExt, future::BoxFuture};
use holdpoint_ask::{CallId, Decision, Origin, TypedError, TypedForm, describe};
use holdpoint_journal::{CallBinding, NewCall};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{Extensions, Implementation, RequestId},
    service::{RequestContext, ServerInitializeError, ServiceExt},
};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use std::{fmt, sync::Arc, time::Duration};

/// An rmcp server whose tools, prompts and resources can ask people: wrap your `ServerHandler`
/// in it and serve it like any other.
///
/// A tool takes a [`ToolContext`](crate::ToolContext) as an argument and asks through its elicitor;
/// clients of both protocol eras are served by the same code.
///
/// Serve it with [`serve_stdio`], [`stdio`](crate::stdio()), [`over`](crate::over()) or
/// [`HttpService`](crate::HttpService), which read what a client sends strictly: a reply that rmcp reads
/// loosely could be taken for a yes. Over a transport of rmcp's own it does not start.
///
#[doc = include_str!("../../docs/holdpoint.md")]
pub struct Holdpoint<H> {
    pub(crate) server: Arc<Server<H>>,
    pub(crate) connection: Connection,
}

impl<H: ServerHandler> Holdpoint<H> {
    /// Wraps a server.
    ///
    /// # Errors
    /// Where the server has no name of its own. Calls, asks and steps belong to a server by its name:
    /// under rmcp's default one, two programs over one journal would be one, and a yes to the first
    /// would count for the second.
    pub fn new(desk: Desk, handler: H) -> Result<Self, UnnamedServer> {
        let info = handler.get_info().server_info;
        let name = info.name.trim();
        if name.is_empty() || name == Implementation::default().name {
            let found = info.name;
            return Err(UnnamedServer { found });
        }
        let options = Options {
            name: name.into(),
            version: FlowVersion::for_server(&info.name, &info.version),
            tool_versions: None,
            workspace: None,
            principal: None,
            await_answer: Some(Arc::new(await_answer::tool(
                await_answer::name_for(name),
                false,
            ))),
            all_have_fields: false,
            release_after: None,
        };
        show_again(&desk, name);
        Ok(Self::with_options(desk, Arc::new(handler), options))
    }

    /// Names the tool with which agents wait for an answer that is still out; `<server>_await_answer`
    /// where nothing is said, so that those of two servers do not collide.
    pub fn await_answer_named(self, name: impl Into<String>) -> Self {
        let fields = self.server.options.all_have_fields;
        let tool = Some(Arc::new(await_answer::tool(name.into(), fields)));
        self.set(|options| options.await_answer = tool)
    }

    /// Every tool gives the fields of an ask, as those of a [`ToolServer`](crate::ToolServer) do.
    pub(crate) fn all_have_fields(self) -> Self {
        self.set(|options| options.all_have_fields = true)
    }

    /// Leaves that tool out. An agent whose call ended `pending` is told to stop and to tell the person; the
    /// flow goes on by itself once they answer, and its result is on record.
    ///
    /// ```
    /// # fn set<H: rmcp::ServerHandler>(server: holdpoint::Holdpoint<H>) -> holdpoint::Holdpoint<H> {
    /// server.without_await_answer()
    /// # }
    /// ```
    pub fn without_await_answer(self) -> Self {
        self.set(|options| options.await_answer = None)
    }

    /// Makes sure, when the server starts, that this type can be asked for with
    /// [`Elicitor::form`](crate::Elicitor::form).
    ///
    /// # Errors
    /// Where it cannot, with the field and the reason.
    pub fn with_form<T: JsonSchema + DeserializeOwned>(self) -> Result<Self, TypedError> {
        TypedForm::<T>::new().map(|_| self)
    }

    /// Serves over standard input and output until the client leaves. Asks that are open then stay open in
    /// the journal.
    ///
    /// # Errors
    /// When the client does not speak MCP, or the server's task fails.
    pub async fn serve_stdio(self) -> Result<(), ServeError> {
        let running = match self.serve(super::stdio()).await {
            Ok(running) => running,
            // A client that only looked whether the program starts.
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(error) => return Err(ServeError::Handshake(Box::new(error))),
        };
        let ended = running.waiting().await;
        ended
            .map(drop)
            .map_err(|error| ServeError::Ended(Box::new(error)))
    }

    /// The version of the flows, in place of the server's name and version: a call that another
    /// version opened is not resumed.
    pub fn flow_version(self, version: impl Into<FlowVersion>) -> Self {
        self.set(|options| options.version = version.into())
    }

    /// The version of single tools, by their name, where they have one of their own: beside that of
    /// the others.
    pub fn tool_versions(
        self,
        version: impl Fn(&str) -> Option<FlowVersion> + Send + Sync + 'static,
    ) -> Self {
        self.set(|options| options.tool_versions = Some(Arc::new(version)))
    }

    /// The folder that the agent works in.
    pub fn workspace(self, workspace: impl Into<Arc<str>>) -> Self {
        self.set(|options| options.workspace = Some(workspace.into()))
    }

    /// Says in whose name a request is made, from what the transport knows of it (over HTTP, its
    /// `http::request::Parts`). Where it names nobody, the `Authorization` header does, and without
    /// one every request is `local`.
    pub fn principal(
        self,
        principal: impl Fn(&Extensions) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        self.set(|options| options.principal = Some(Arc::new(principal)))
    }

    /// Lets a flow go that has waited for people this long, as a crash would, and runs it again from the record when
    /// an answer, a retry, the deadline or a cancellation comes. A waiting call then takes a few hundred bytes.
    ///
    #[doc = include_str!("../../docs/release_waiting_after.md")]
    pub fn release_waiting_after(self, time: Duration) -> Self {
        self.set(|options| options.release_after = Some(time))
    }

    fn set(self, change: impl FnOnce(&mut Options)) -> Self {
        let mut options = self.server.options.clone();
        change(&mut options);
        let (desk, handler) = (self.server.desk.clone(), self.server.handler.clone());
        Self::with_options(desk, handler, options)
    }

    fn with_options(desk: Desk, handler: Arc<H>, options: Options) -> Self {
        Self {
            server: Arc::new(Server::new(desk, handler, options)),
            connection: Connection::default(),
        }
    }

    /// The caller of a request during which nobody is asked.
    pub(crate) fn caller(&self, context: &RequestContext<RoleServer>) -> Caller {
        let session = self.server.session(context);
        Caller {
            desk: self.server.desk.clone(),
            origin: Origin {
                tool: None,
                ..self.server.origin(&session, "")
            },
            principal: session.principal,
            workspace: self.server.options.workspace.clone(),
            connection: self.connection.id,
        }
    }

    /// Handles a request up to the next thing that its client has to be sent.
    ///
    /// While a person thinks, only what [`Self::speak`] needs is kept of the request.
    pub(crate) fn handle(
        &self,
        mut request: Request<H>,
        context: RequestContext<RoleServer>,
    ) -> BoxFuture<'_, Result<CallReply, ErrorData>> {
        let refused = identify::check_transport(&context).and_then(|()| check_log_level(&context));
        if let Err(refused) = refused {
            return std::future::ready(Err(refused)).boxed();
        }
        let session = self.server.session(&context);
        let origin = self.server.origin(&session, &request.name);
        let binding = CallBinding::new(&origin, request.method, &request.arguments);
        let session = self.connection.share(session);
        if let Some(state) = request.state.take() {
            return self
                .retried(state, request, session, context, binding)
                .boxed();
        }
        if let Some(call) = self.take_up(&session, &context, binding) {
            return self.speak(call.hold(), context, None).boxed();
        }
        self.take_up_or_begin(request, session, context, binding)
            .boxed()
    }

    /// Goes on with a call that a process which is gone left behind, or begins one.
    async fn take_up_or_begin(
        &self,
        request: Request<H>,
        session: Arc<Session>,
        context: RequestContext<RoleServer>,
        binding: CallBinding,
    ) -> Result<CallReply, ErrorData> {
        let retry = Retry {
            server: &self.server,
            context: &context,
            binding,
        };
        if let Some(call) = self.take_up_released(&session, &context, binding).await? {
            return self.speak(call, context, None).await;
        }
        if let Some(call) = Box::pin(retry.take_up_orphan(&session)).await? {
            self.enter(&context, &call);
            return self.speak(call, context, Some(binding)).await;
        }
        // How an ask is shown to the client depends on where the page is.
        self.server.desk.look_for_inbox().await;
        self.begin(request, session, context).await
    }

    fn begin(
        &self,
        request: Request<H>,
        session: Arc<Session>,
        context: RequestContext<RoleServer>,
    ) -> BoxFuture<'_, Result<CallReply, ErrorData>> {
        let call = self.start(request, session, &context);
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
        request: Request<H>,
        session: Arc<Session>,
        context: RequestContext<RoleServer>,
        binding: CallBinding,
    ) -> Result<CallReply, ErrorData> {
        let responses = request.responses;
        let retry = Retry {
            server: &self.server,
            context: &context,
            binding,
        };
        let resumed = Box::pin(retry.resume(&state, session, responses)).await?;
        let reply = match resumed.found {
            Found::Running(call) => {
                self.enter(&context, &call);
                self.speak(call, context, Some(binding)).await?
            }
            Found::Reply(reply) => reply,
        };
        Ok(match resumed.too_late_for {
            Some(decision) => reply.noting(&too_late(&decision)),
            None => reply,
        })
    }

    /// Speaks for a call until its client has to be sent something. A request that did not open
    /// the call has a binding of its own.
    fn speak(
        &self,
        call: Held,
        context: RequestContext<RoleServer>,
        binding: Option<CallBinding>,
    ) -> impl Future<Output = Result<CallReply, ErrorData>> + Send {
        // All that is kept of a request while a person thinks.
        let held = HeldRequest {
            outgoing: identify::outgoing(&context).cloned(),
            wants_progress: context.meta.get_progress_token().is_some(),
            id: context.id,
            given_up: context.ct,
        };
        async move {
            let server = ServerFacts {
                sealer: &self.server.sealer,
                await_answer: self.server.await_answer_name(),
            };
            let in_flight = &self.connection.in_flight;
            let mut hold = Hold::new(&call, &held);
            let mut call = call;
            let reply = loop {
                match hold.wait_for_reply(&server, &call, &held, binding).await {
                    Waited::Reply(reply) => break reply,
                    Waited::Released => in_flight.released(&held.id),
                }
                let (desk, id) = (&self.server.desk, call.id);
                // Nothing of the call is kept while its flow does not run.
                drop(call);
                call = match hold.wait_released(desk, id, &held).await {
                    Ok(call) => call,
                    Err(reply) => break reply,
                };
                in_flight.insert(held.id.clone(), &call);
            };
            // A request that was given up stays: why it was comes separately, and maybe later.
            if reply.is_ok() {
                in_flight.remove(&held.id);
            }
            reply
        }
    }

    /// As [`Self::take_up`], for a call whose flow was let go.
    async fn take_up_released(
        &self,
        session: &Arc<Session>,
        context: &RequestContext<RoleServer>,
        binding: CallBinding,
    ) -> Result<Option<Held>, ErrorData> {
        let desk = &self.server.desk;
        let Some(id) = desk.calls().take_idle_released(binding, session.modern) else {
            return Ok(None);
        };
        let client = client(session, context, self.connection.greeted.clone());
        // Where a form is in view, its person goes on with it, and the reply counts; otherwise nobody but this client
        // is asked.
        desk.calls().released.with(id, |call| {
            if !session.modern && !call.client.has_forms() {
                call.client = client.clone();
            }
        });
        let call = Box::pin(desk.wake(id)).await.map_err(journal_fault)?;
        if let Some(call) = &call {
            self.enter(context, call);
            if !call.is_asked_by(&client) {
                Box::pin(call.forms_waited_for()).await;
                call.set_client(client);
            }
        }
        Ok(call)
    }

    /// Takes up an older call of the same caller, tool and arguments whose ask is still open and
    /// that nobody waits for any more, so that the person is not asked twice.
    fn take_up(
        &self,
        session: &Arc<Session>,
        context: &RequestContext<RoleServer>,
        binding: CallBinding,
    ) -> Option<Arc<Call>> {
        let calls = self.server.desk.calls();
        let call = calls.take_idle(binding, |call| call.session.modern == session.modern)?;
        self.enter(context, &call);
        call.set_client(client(session, context, self.connection.greeted.clone()));
        Some(call)
    }

    fn start(
        &self,
        mut request: Request<H>,
        session: Arc<Session>,
        context: &RequestContext<RoleServer>,
    ) -> Held {
        let (server, desk) = (&self.server, &self.server.desk);
        let new = NewCall {
            id: CallId::new(),
            origin: server.origin(&session, &request.name),
            method: request.method.to_owned(),
            arguments: std::mem::take(&mut request.arguments),
            flow_version: server.version(&request.name).to_string(),
            owner: desk.journal().owner(),
            opened_at: desk.now(),
            run: false,
        };
        let client = client(&session, context, self.connection.greeted.clone());
        let call = Call::new(desk.clone(), session, new, client, None).hold();
        let beforehand = std::mem::take(&mut request.responses);
        call.rounds(|rounds| rounds.set_beforehand(beforehand));
        self.enter(context, &call);
        server.run(&call, request, context);
        call
    }

    /// This request speaks for the call from now on.
    fn enter(&self, context: &RequestContext<RoleServer>, call: &Arc<Call>) {
        // A legacy client sets its level once; a modern one says it with each request.
        let log = if call.session.modern {
            context.meta.log_level()
        } else {
            *lock(&self.connection.log_level)
        };
        call.attach(Arc::new(OpenRequest::new(context, log)));
        self.connection.in_flight.insert(context.id.clone(), call);
    }

    /// A client has cancelled a request. One that only lost patience leaves its ask to the person.
    pub(crate) async fn cancelled(&self, request: Option<&RequestId>, reason: Option<&str>) {
        let Some(request) = request else { return };
        let call = self.connection.in_flight.remove(request);
        if reason.is_some_and(is_time_out) {
            return;
        }
        let Some((id, call)) = call else { return };
        let is_cancelled = match call.upgrade() {
            Some(call) => call.cancel().await,
            None => false,
        };
        if !is_cancelled && let Err(error) = self.server.desk.cancel_released(id).await {
            let error = describe::error_chain(&error);
            tracing::error!(call = %id, error, "a cancelled call could not be ended");
        }
    }
}

/// Serves a server with people in the loop over standard input and output, until its client leaves.
///
#[doc = include_str!("../../docs/serve_stdio.md")]
///
/// # Errors
/// When the server has no name of its own, the client does not speak MCP, or the server's task fails.
pub async fn serve_stdio<H: ServerHandler>(desk: Desk, handler: H) -> Result<(), ServeError> {
    Holdpoint::new(desk, handler)?.serve_stdio().await
}

/// Shows what a process of this server that is gone has left open again, on the author's own channels.
fn show_again(desk: &Desk, server: &str) {
    let Ok(runtime) = tokio::runtime::Handle::try_current() else {
        return;
    };
    let (desk, server) = (desk.clone(), server.to_owned());
    runtime.spawn(async move {
        if let Err(error) = desk.redeliver(&server).await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "what was left open could not be shown again"
            );
        }
    });
}

/// What is said where a client's dialog was answered after its ask had ended.
fn too_late(decision: &Decision) -> String {
    format!(
        "The question had ended before: {}. What the client's dialog sent came later and changed nothing.",
        describe::decision(decision)
    )
}

fn is_time_out(reason: &str) -> bool {
    let reason = reason.to_lowercase();
    ["timed out", "timeout", "time-out", "time out"]
        .iter()
        .any(|word| reason.contains(word))
}

impl<H> fmt::Debug for Holdpoint<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Holdpoint")
            .field("server", &self.server.options.name)
            .field("version", &self.server.options.version)
            .field("desk", &self.server.desk)
            .finish_non_exhaustive()
    }
}

impl<H> Clone for Holdpoint<H> {
    /// The same server for another connection.
    fn clone(&self) -> Self {
        Self {
            server: self.server.clone(),
            connection: Connection::default(),
        }
    }
}
