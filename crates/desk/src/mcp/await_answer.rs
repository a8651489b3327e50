//! `await_answer`: the answer to an ask whose call ended `pending`.

use super::{
    hold_request::longest_without_form,
    request::CallReply,
    retry::{Found, Retry},
    server::{FlowServer, Server},
};
use crate::{
    Session, ToolContext,
    author::{
        context::CallServer,
        tool_result::{self, ComeBack},
    },
    flow::call::Call,
    tool::{AskResult, ToolError, ToolHints, ToolInfo, TypedTool},
};
use futures::{FutureExt, future::BoxFuture};
use holdpoint_ask::{AskId, describe::error_chain};
use rmcp::{
    ErrorData, Peer, RoleServer, ServerHandler,
    model::{CallToolResult, ErrorCode, RequestId, Tool},
    service::RequestContext,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    /// From the result that said pending
    ask_id: String,
    /// Up to 86400; default 45. Keep it under your client's time limit
    #[serde(default)]
    wait_seconds: Option<u64>,
}

/// What any tool's result can have beside what all of them name in their schemas. Each tool's own fields
/// are added where the tools are listed; see [`beside`].
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct CommonFields {
    channel: String,
    answered_by: String,
    duration_ms: u64,
    reason: String,
    retry_after_seconds: u64,
    url: String,
    message: String,
}

/// The tool, under the name that agents call it by. It gives what other tools give: it has a schema only
/// where all of theirs have the fields of an ask.
pub(crate) fn tool(name: String, all_have_fields: bool) -> TypedTool<ToolContext> {
    let about = ToolInfo {
        name: "await_answer",
        title: "Wait for an answer",
        description: "Waits for the answer to a question that was pending, and gives the result of the call that asked. If it is pending again, call it again.",
        hints: ToolHints::Waits,
    };
    let tool = TypedTool::new(about, run).always_load().named(name);
    if all_have_fields {
        tool
    } else {
        tool.without_output_schema()
    }
}

/// The tool as it is listed beside these: it gives what they give, so its schema names every field of
/// those that ask. Two tools may mean different things by one name, so names are all that it says.
pub(crate) fn beside(own: &Tool, others: &[Tool]) -> Tool {
    let mut own = own.clone();
    let Some(schema) = &mut own.output_schema else {
        return own;
    };
    let schema = Arc::make_mut(schema);
    if let Some(Value::Object(fields)) = schema.get_mut("properties") {
        let others = others.iter().filter_map(|tool| tool.output_schema.as_ref());
        let others = others.filter_map(|schema| schema.get("properties")?.as_object());
        for other in others.filter(|fields| fields.contains_key("askId")) {
            for name in other.keys() {
                fields.entry(name.clone()).or_insert_with(|| json!({}));
            }
        }
    }
    own
}

/// What the tool of a server of this name is called, so that those of two servers are told apart.
pub(crate) fn name_for(server: &str) -> String {
    const MOST: usize = 40;
    let fits = |char: char| char.is_ascii_alphanumeric() || char == '-' || char == '_';
    let server = server.chars().take(MOST);
    let server: String = server
        .map(|char| if fits(char) { char } else { '_' })
        .collect();
    format!("{server}_await_answer")
}

async fn run(cx: ToolContext, arguments: Arguments) -> Result<AskResult<CommonFields>, ToolError> {
    let ask: AskId = arguments.ask_id.trim().parse().map_err(|_| {
        ToolError::argument("askId", "expected the askId of a result that said pending")
    })?;
    let wait = match arguments.wait_seconds {
        Some(seconds) => Duration::from_secs(seconds.min(86_400)),
        None => cx.desk().settings().hold,
    };
    let answer = cx.await_answer(ask, wait).await;
    answer.map(AskResult::from).map_err(unknown)
}

/// Another caller's ask, and one that never was, look the same.
fn unknown(error: ErrorData) -> ToolError {
    match error.code {
        ErrorCode::INVALID_PARAMS => ToolError::UnknownAsk(error.message.into_owned()),
        _ => ToolError::Broken(error),
    }
}

/// How long an agent may wait that wants to, where its client shows no progress: clients that abort a call
/// after a minute must not get there.
const HOLD: Duration = Duration::from_secs(45);

impl<H: ServerHandler> CallServer for FlowServer<H> {
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
                () = until => {
                    let place = Box::pin(asker.desk.answer_place(ask)).await;
                    Ok(tool_result::pending(ask, place, ComeBack::by(self.server.await_answer_name())))
                }
            }
        }
        .boxed()
    }

    fn resource_updated(&self, uri: &str) {
        self.server.subscribers.updated(uri);
    }

    fn resource_list_changed(&self) {
        self.server.subscribers.list_changed();
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
    // One whose flow was let go is waited for as it is.
    if server.desk.calls().released.contains(call) {
        let done = match server.desk.next_run(call).await {
            Ok(next) => next.ended().await,
            Err(done) => done,
        };
        return Arc::unwrap_or_clone(done).into_tool_result();
    }
    let done = match retry.find(call, Arc::new(session)).await? {
        Found::Running(call) => {
            let running = Arc::clone(&call);
            drop(call);
            running.ended().await
        }
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

#[cfg(test)]
mod tests {
    use super::name_for;

    #[test]
    fn every_client_takes_the_name() {
        assert_eq!(name_for("todo-mcp"), "todo-mcp_await_answer");
        assert_eq!(name_for("Ann's notes"), "Ann_s_notes_await_answer");
        assert!(name_for(&"x".repeat(200)).len() < 60);
    }
}
