//! The three requests in whose course people can be asked, as one.

use crate::{author::tool_result, flow::result::FlowResult};
use futures::{FutureExt, future::BoxFuture};
use holdpoint_ask::AskId;
use holdpoint_journal::CallRecord;
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, GetPromptRequestParams, GetPromptResponse,
        InputRequiredResult, InputResponses, JsonObject, ReadResourceRequestParams,
        ReadResourceResponse,
    },
    service::RequestContext,
};
use serde_json::Value;
use std::sync::Arc;

/// `tools/call`, `prompts/get` or `resources/read`.
pub(crate) enum Request {
    Tool(CallToolRequestParams),
    Prompt(GetPromptRequestParams),
    Resource(ReadResourceRequestParams),
}

/// What a handler answers to one.
pub(crate) enum CallReply {
    /// The flow's end.
    Done(Arc<FlowResult>),
    /// What a modern client is asked before it calls again.
    Asked(InputRequiredResult),
}

const TOOL: &str = "tools/call";
const PROMPT: &str = "prompts/get";
const RESOURCE: &str = "resources/read";

impl Request {
    pub fn method(&self) -> &'static str {
        match self {
            Self::Tool(_) => TOOL,
            Self::Prompt(_) => PROMPT,
            Self::Resource(_) => RESOURCE,
        }
    }

    pub fn name(&self) -> &str {
        match self {
            Self::Tool(params) => &params.name,
            Self::Prompt(params) => &params.name,
            Self::Resource(params) => &params.uri,
        }
    }

    /// The arguments; absent ones are none.
    pub fn arguments(&self) -> Value {
        let arguments = match self {
            Self::Tool(params) => params.arguments.clone(),
            Self::Prompt(params) => params.arguments.clone(),
            Self::Resource(_) => None,
        };
        Value::Object(arguments.unwrap_or_default())
    }

    /// What a retry brings: the client's answers, and the state.
    pub fn take_round(&mut self) -> (InputResponses, Option<String>) {
        let (responses, state) = match self {
            Self::Tool(params) => (&mut params.input_responses, &mut params.request_state),
            Self::Prompt(params) => (&mut params.input_responses, &mut params.request_state),
            Self::Resource(params) => (&mut params.input_responses, &mut params.request_state),
        };
        (responses.take().unwrap_or_default(), state.take())
    }

    /// The request that opened a recorded call.
    pub fn recorded(record: &CallRecord) -> Option<Self> {
        let name = record.origin.tool.clone()?;
        let arguments: JsonObject = record.arguments.as_object()?.clone();
        Some(match record.method.as_str() {
            TOOL => Self::Tool(CallToolRequestParams::new(name).with_arguments(arguments)),
            PROMPT => {
                let mut params = GetPromptRequestParams::new(name);
                params.arguments = Some(arguments);
                Self::Prompt(params)
            }
            RESOURCE => Self::Resource(ReadResourceRequestParams::new(name)),
            _ => return None,
        })
    }

    /// The author's code for it, as a flow. What it is given is boxed, so that a flow that waits
    /// has no room for it any more.
    pub fn flow<H: ServerHandler>(
        self,
        handler: Arc<H>,
        context: RequestContext<RoleServer>,
    ) -> BoxFuture<'static, FlowResult> {
        match self {
            Self::Tool(params) => {
                let given = Box::new((params, context));
                async move {
                    let (params, context) = *given;
                    match handler.call_tool(params, context).await {
                        Ok(CallToolResponse::Complete(result)) => FlowResult::Tool(result),
                        Ok(CallToolResponse::Task(task)) => FlowResult::Task(task),
                        Ok(_) => FlowResult::Error(by_hand()),
                        Err(error) => FlowResult::Error(error),
                    }
                }
                .boxed()
            }
            Self::Prompt(params) => {
                let given = Box::new((params, context));
                async move {
                    let (params, context) = *given;
                    match handler.get_prompt(params, context).await {
                        Ok(GetPromptResponse::Complete(result)) => FlowResult::Prompt(result),
                        Ok(_) => FlowResult::Error(by_hand()),
                        Err(error) => FlowResult::Error(error),
                    }
                }
                .boxed()
            }
            Self::Resource(params) => {
                let given = Box::new((params, context));
                async move {
                    let (params, context) = *given;
                    match handler.read_resource(params, context).await {
                        Ok(ReadResourceResponse::Complete(result)) => FlowResult::Resource(result),
                        Ok(_) => FlowResult::Error(by_hand()),
                        Err(error) => FlowResult::Error(error),
                    }
                }
                .boxed()
            }
        }
    }
}

impl CallReply {
    /// The answer is still out. Only a tool's result has room to say so.
    pub fn pending(method: &str, ask: AskId, page: Option<String>) -> Self {
        Self::Done(Arc::new(match method {
            TOOL => FlowResult::Tool(tool_result::pending(ask, page)),
            _ => FlowResult::Error(ErrorData::internal_error(
                format!("The person has not answered yet (ask {ask}): try again later."),
                None,
            )),
        }))
    }

    pub fn tool(self) -> Result<CallToolResponse, ErrorData> {
        match self {
            Self::Asked(asked) => Ok(asked.into()),
            Self::Done(done) => match Arc::unwrap_or_clone(done) {
                FlowResult::Tool(result) => Ok(result.into()),
                FlowResult::Task(task) => Ok(task.into()),
                other => Err(other.into_error()),
            },
        }
    }

    pub fn prompt(self) -> Result<GetPromptResponse, ErrorData> {
        match self {
            Self::Asked(asked) => Ok(asked.into()),
            Self::Done(done) => match Arc::unwrap_or_clone(done) {
                FlowResult::Prompt(result) => Ok(result.into()),
                other => Err(other.into_error()),
            },
        }
    }

    pub fn resource(self) -> Result<ReadResourceResponse, ErrorData> {
        match self {
            Self::Asked(asked) => Ok(asked.into()),
            Self::Done(done) => match Arc::unwrap_or_clone(done) {
                FlowResult::Resource(result) => Ok(result.into()),
                other => Err(other.into_error()),
            },
        }
    }
}

fn by_hand() -> ErrorData {
    ErrorData::internal_error(
        "This handler asked by itself; under Holdpoint it asks through the elicitor.",
        None,
    )
}
