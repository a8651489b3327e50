//! The three requests during which people can be asked, as one.

use crate::{
    FlowResult, ToolContext,
    author::{
        result_text::add_note,
        stop,
        tool_result::{self, ComeBack},
    },
    core::open_inboxes::AnswerPlace,
    tool::TypedTool,
};
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

/// The parameters of a request during which people can be asked: `tools/call`, `prompts/get` or
/// `resources/read`.
pub(crate) trait Askable: Sized + Send + 'static {
    const METHOD: &'static str;
    type Response: From<InputRequiredResult>;

    /// The request that opened a recorded call.
    fn from_record(name: String, arguments: JsonObject) -> Self;

    /// What is called.
    fn name(&self) -> &str;

    /// What it is called with.
    fn arguments(&self) -> Option<&JsonObject>;

    /// What a retry brings: the client's answers, and the sealed state.
    fn retry(&mut self) -> (&mut Option<InputResponses>, &mut Option<String>);

    /// Runs the author's code.
    fn run<H: ServerHandler>(
        self,
        handler: &H,
        context: RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<Self::Response, ErrorData>> + Send;

    /// What the author's code ended with; none where it asked by itself.
    fn into_result(response: Self::Response) -> Option<FlowResult>;

    /// What the client gets of a flow's result.
    fn from_result(result: FlowResult) -> Result<Self::Response, ErrorData>;
}

macro_rules! askable {
    ($params:ty => $response:ident, $method:literal, $handle:ident, $name:ident,
     $arguments:expr, $new:expr, { $($kind:ident => $result:ident),+ }) => {
        impl Askable for $params {
            const METHOD: &'static str = $method;
            type Response = $response;

            fn from_record(name: String, arguments: JsonObject) -> Self {
                let new: fn(String, JsonObject) -> Self = $new;
                new(name, arguments)
            }

            fn name(&self) -> &str {
                &self.$name
            }

            fn arguments(&self) -> Option<&JsonObject> {
                let arguments: fn(&Self) -> Option<&JsonObject> = $arguments;
                arguments(self)
            }

            fn retry(&mut self) -> (&mut Option<InputResponses>, &mut Option<String>) {
                (&mut self.input_responses, &mut self.request_state)
            }

            fn run<H: ServerHandler>(
                self,
                handler: &H,
                context: RequestContext<RoleServer>,
            ) -> impl Future<Output = Result<Self::Response, ErrorData>> + Send {
                handler.$handle(self, context)
            }

            fn into_result(response: Self::Response) -> Option<FlowResult> {
                match response {
                    $($response::$kind(result) => Some(FlowResult::$result(result)),)+
                    _ => None,
                }
            }

            fn from_result(result: FlowResult) -> Result<Self::Response, ErrorData> {
                match result {
                    $(FlowResult::$result(result) => Ok(result.into()),)+
                    other => Err(other.into_error()),
                }
            }
        }
    };
}

askable!(
    CallToolRequestParams => CallToolResponse, "tools/call", call_tool, name,
    |params| params.arguments.as_ref(),
    |name, arguments| Self::new(name).with_arguments(arguments),
    { Complete => Tool, Task => Task }
);
askable!(
    GetPromptRequestParams => GetPromptResponse, "prompts/get", get_prompt, name,
    |params| params.arguments.as_ref(),
    |name, arguments| {
        let mut params = Self::new(name);
        params.arguments = Some(arguments);
        params
    },
    { Complete => Prompt }
);
askable!(
    ReadResourceRequestParams => ReadResourceResponse, "resources/read", read_resource, uri,
    |_| None,
    |uri, _| Self::new(uri),
    { Complete => Resource }
);

/// A request whose kind matters no more until it is run.
pub(crate) struct Request<H> {
    pub method: &'static str,
    pub name: String,
    /// The arguments; an empty object where there are none.
    pub arguments: Value,
    /// The client's answers, if this is a retry or they came beforehand.
    pub responses: InputResponses,
    /// The sealed state, if this is a retry.
    pub state: Option<String>,
    flow: Flow<H>,
}

type Flow<H> =
    Box<dyn FnOnce(Arc<H>, RequestContext<RoleServer>) -> BoxFuture<'static, FlowResult> + Send>;

impl<H: ServerHandler> Request<H> {
    pub fn new<P: Askable>(mut params: P) -> Self {
        let (responses, state) = params.retry();
        let (responses, state) = (responses.take().unwrap_or_default(), state.take());
        Self {
            method: P::METHOD,
            name: params.name().to_owned(),
            arguments: Value::Object(params.arguments().cloned().unwrap_or_default()),
            responses,
            state,
            flow: Box::new(|handler, context| run(params, handler, context)),
        }
    }

    /// A call of a tool that is not the author's.
    pub fn for_tool(params: CallToolRequestParams, tool: Arc<TypedTool<ToolContext>>) -> Self {
        let mut request = Self::new(params.clone());
        request.flow = Box::new(move |_, context| {
            let cx = context.extensions.get::<ToolContext>().cloned();
            async move {
                let cx = cx.ok_or_else(by_hand)?;
                tool.call(cx, params.arguments).await
            }
            .map(FlowResult::from)
            .boxed()
        });
        request
    }

    /// The request that opened a recorded call.
    pub fn from_record(record: &CallRecord) -> Option<Self> {
        fn new<P: Askable, H: ServerHandler>(name: String, arguments: JsonObject) -> Request<H> {
            Request::new(P::from_record(name, arguments))
        }
        let name = record.origin.tool.clone()?;
        let arguments = record.arguments.as_object()?.clone();
        Some(match record.method.as_str() {
            CallToolRequestParams::METHOD => new::<CallToolRequestParams, H>(name, arguments),
            GetPromptRequestParams::METHOD => new::<GetPromptRequestParams, H>(name, arguments),
            ReadResourceRequestParams::METHOD => {
                new::<ReadResourceRequestParams, H>(name, arguments)
            }
            _ => return None,
        })
    }

    /// The author's code for it, as a flow.
    pub fn into_flow(
        self,
        handler: Arc<H>,
        context: RequestContext<RoleServer>,
    ) -> BoxFuture<'static, FlowResult> {
        (self.flow)(handler, context)
    }
}

fn run<P: Askable, H: ServerHandler>(
    params: P,
    handler: Arc<H>,
    context: RequestContext<RoleServer>,
) -> BoxFuture<'static, FlowResult> {
    // Boxed: keeps what the flow is given off the state of a flow that waits.
    let given = Box::new((params, context));
    async move {
        let (params, context) = *given;
        let name = params.name().to_owned();
        match params.run(&*handler, context).await {
            Ok(response) => match P::into_result(response) {
                Some(FlowResult::Tool(mut result)) => {
                    stop::unmark(&mut result, || handler.get_tool(&name)?.output_schema);
                    FlowResult::Tool(result)
                }
                Some(other) => other,
                None => FlowResult::Error(by_hand()),
            },
            Err(error) => FlowResult::Error(error),
        }
    }
    .boxed()
}

/// What a client is sent for its request.
pub(crate) enum CallReply {
    /// The flow's end.
    Done(Arc<FlowResult>),
    /// What a modern client is asked before it calls again.
    Asked(InputRequiredResult),
}

impl CallReply {
    /// The answer is still out. Only a tool's result can say so in its own shape.
    pub fn pending(method: &str, ask: AskId, place: AnswerPlace, tool: Option<&str>) -> Self {
        Self::Done(Arc::new(if method == CallToolRequestParams::METHOD {
            FlowResult::Tool(tool_result::pending(ask, place, ComeBack::by(tool)))
        } else {
            FlowResult::Error(ErrorData::internal_error(
                format!("The person has not answered yet (ask {ask}): try again later."),
                None,
            ))
        }))
    }

    /// The same with a remark, where it is a tool's result.
    pub fn noting(self, note: &str) -> Self {
        let Self::Done(done) = &self else {
            return self;
        };
        let FlowResult::Tool(result) = &**done else {
            return self;
        };
        let mut result = result.clone();
        add_note(&mut result, note);
        Self::Done(Arc::new(FlowResult::Tool(result)))
    }

    pub fn into_response<P: Askable>(self) -> Result<P::Response, ErrorData> {
        match self {
            Self::Asked(asked) => Ok(asked.into()),
            Self::Done(done) => P::from_result(Arc::unwrap_or_clone(done)),
        }
    }
}

fn by_hand() -> ErrorData {
    ErrorData::internal_error(
        "This handler sent a question itself; under Holdpoint, ask through the elicitor.",
        None,
    )
}
