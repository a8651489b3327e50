//! `await_answer`: the answer to an ask whose call ended `pending`.

use super::{
    hold_request::longest_without_form,
    request::CallReply,
    retry::{Found, Retry},
    server::{FlowServer, Server},
};
use crate::{
    Session,
    author::{context::CallFinder, tool_result},
    flow::call::Call,
};
use futures::{FutureExt, future::BoxFuture};
use holdpoint_ask::{AskId, describe::error_chain};
use rmcp::{
    ErrorData, Peer, RoleServer, ServerHandler,
    model::{CallToolResult, RequestId},
    service::RequestContext,
};
use std::{sync::Arc, time::Duration};

/// How long an agent may wait that wants to, where its client shows no progress: clients that abort a call
/// after a minute must not get there.
const HOLD: Duration = Duration::from_secs(45);

impl<H: ServerHandler> CallFinder for FlowServer<H> {
    fn await_answer(
        self: Arc<Self>,
        asker: Arc<Call>,
        ask: AskId,
        wait: Duration,
    ) -> BoxFuture<'static, Result<CallToolResult, ErrorData>> {
        async move {
            let has_token = asker
                .active
                .get()
                .is_some_and(|request| request.wants_progress());
            let hold = asker.desk.settings().hold.max(HOLD);
            let longest = longest_without_form(&asker, has_token, hold);
            let until = tokio::time::sleep(wait.min(longest));
            tokio::select! {
                answer = answer(&self.server, &self.peer, &asker, ask) => answer,
                () = until => Ok(tool_result::pending(ask, asker.desk.page_of(ask))),
            }
        }
        .boxed()
    }
}

async fn answer<H: ServerHandler>(
    server: &Arc<Server<H>>,
    peer: &Peer<RoleServer>,
    asker: &Call,
    ask: AskId,
) -> Result<CallToolResult, ErrorData> {
    let found = server.desk.journal().ask(ask).await;
    let record = found.map_err(|error| ErrorData::internal_error(error_chain(&error), None))?;
    let own = &asker.request.origin;
    let call = record
        .filter(|ask| ask.origin.is_bound_like(own))
        .and_then(|ask| ask.call)
        .ok_or_else(|| ErrorData::invalid_params(format!("There is no ask {ask}."), None))?;
    let context = RequestContext::new(RequestId::Number(0), peer.clone());
    let mut session = Session::clone(&asker.session);
    // Whatever the flow asks from here on goes to the inbox: this request is not its own.
    (session.modern, session.form, session.url) = (false, false, false);
    let retry = Retry {
        server,
        context: &context,
        binding: asker.binding(),
    };
    let done = match retry.find(call, Arc::new(session)).await? {
        Found::Running(call) => call.ended().await,
        Found::Reply(CallReply::Done(done)) => done,
        Found::Reply(CallReply::Asked(_)) => {
            return Err(ErrorData::internal_error(
                "This call is asking its own client: wait for the answer there.",
                None,
            ));
        }
    };
    Arc::unwrap_or_clone(done).into_tool_result()
}
