//! The answer to an ask whose call ended `pending`.

use super::{
    holdpoint::Shared,
    request::CallReply,
    request_state::Binding,
    retry::{Found, Retry},
};
use crate::{Session, author::tool_result, flow::call::Call, flow::result::FlowResult};
use futures::{FutureExt, future::BoxFuture};
use holdpoint_ask::AskId;
use holdpoint_ask::describe::error_chain;
use rmcp::{ErrorData, ServerHandler, model::CallToolResult, service::RequestContext};
use serde_json::Value;
use std::{sync::Arc, time::Duration};

/// A server that can bring a call to its end, whoever began it.
pub(crate) trait Resumes: Send + Sync + 'static {
    fn await_answer(
        self: Arc<Self>,
        asker: Arc<Call>,
        ask: AskId,
        wait: Duration,
    ) -> BoxFuture<'static, Result<CallToolResult, ErrorData>>;
}

impl<H: ServerHandler> Resumes for Shared<H> {
    fn await_answer(
        self: Arc<Self>,
        asker: Arc<Call>,
        ask: AskId,
        wait: Duration,
    ) -> BoxFuture<'static, Result<CallToolResult, ErrorData>> {
        async move {
            let until = tokio::time::sleep(wait);
            tokio::select! {
                answer = self.clone().answer(&asker, ask) => answer,
                () = until => {
                    let page = self.desk.inner.page.as_ref();
                    Ok(tool_result::pending(ask, page.map(|page| page(ask))))
                }
            }
        }
        .boxed()
    }
}

impl<H: ServerHandler> Shared<H> {
    async fn answer(
        self: Arc<Self>,
        asker: &Arc<Call>,
        ask: AskId,
    ) -> Result<CallToolResult, ErrorData> {
        let found = self.desk.journal().ask(ask).await;
        let record = found.map_err(|error| ErrorData::internal_error(error_chain(&error), None))?;
        let own = &asker.request.origin;
        let call = record
            .filter(|ask| {
                ask.origin.principal == own.principal && ask.origin.workspace == own.workspace
            })
            .and_then(|ask| ask.call)
            .ok_or_else(|| ErrorData::invalid_params(format!("There is no ask {ask}."), None))?;
        let peer = asker
            .peer()
            .ok_or_else(|| ErrorData::internal_error("The client is gone.", None))?;
        let context = RequestContext::new(rmcp::model::RequestId::Number(0), peer);
        let mut session = Session::clone(&asker.session);
        // Whatever the flow asks from here on goes to the inbox: this request is not its own.
        (session.modern, session.form, session.url) = (false, false, false);
        let retry = Retry {
            server: &self,
            context: &context,
            binding: &Binding::new("", "", "", &Value::Null),
        };
        let done = match retry.find(call, session).await? {
            Found::Running(call) => ended(&call).await,
            Found::CallReply(CallReply::Done(done)) => done,
            Found::CallReply(CallReply::Asked(_)) => {
                return Err(ErrorData::internal_error(
                    "The call asks its own client.",
                    None,
                ));
            }
        };
        Arc::unwrap_or_clone(done).into_tool_result()
    }
}

/// Waits for the end of a call's flow.
pub(crate) async fn ended(call: &Arc<Call>) -> Arc<FlowResult> {
    let mut changes = call.watch();
    loop {
        changes.catch_up();
        if let Some(done) = call.done() {
            return done;
        }
        changes.changed().await;
    }
}
