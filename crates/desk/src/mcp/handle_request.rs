//! How a request finds or begins its call, and speaks for it until its client has to be sent something.

use super::{
    hold_request::{HeldRequest, Hold, ServerFacts, Waited},
    holdpoint::Holdpoint,
    identify,
    invalid_params::check_log_level,
    open_request::OpenRequest,
    request::{CallReply, Request},
    retry::{Found, Retry, journal_fault},
    server::client,
};
use crate::{
    Session,
    flow::{call::Call, release::Held},
    sync::lock,
};
use futures::{FutureExt, future::BoxFuture};
use holdpoint_ask::{CallId, Decision, describe};
use holdpoint_journal::{CallBinding, NewCall};
use rmcp::{ErrorData, RoleServer, ServerHandler, model::RequestId, service::RequestContext};
use std::sync::Arc;

impl<H: ServerHandler> Holdpoint<H> {
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
            if !call.asks(&client) {
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
