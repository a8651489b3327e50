//! Everything that asks a person.
//!
//! Up to 2025-11-25 a tool asks in the middle of its call; from 2026-07-28 it ends the round with
//! `input_required` and is called again with the answers.

use rmcp::{
    ErrorData, Peer, RoleServer,
    handler::server::{
        tool::{InputResponses as Answers, RequestState},
        wrapper::Parameters,
    },
    model::*,
    service::RequestContext,
    tool, tool_router,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    sampling::{roots_request, sampling_request},
    server::Fixtures,
};

#[derive(Deserialize, JsonSchema)]
struct MessageArguments {
    /// The message to show
    message: String,
}

// Up to 2025-11-25: the question goes out while the call is open.
#[tool_router(router = legacy_asking_tools)]
impl Fixtures {
    #[tool(
        name = "test_elicitation",
        description = "Asks for a user name and an email address"
    )]
    async fn elicitation(
        &self,
        peer: Peer<RoleServer>,
        Parameters(MessageArguments { message }): Parameters<MessageArguments>,
    ) -> Result<String, ErrorData> {
        let answer = ask(&peer, message, user_schema()).await?;
        Ok(format!("User response: {}", describe(&answer)))
    }

    #[tool(
        name = "test_elicitation_sep1034_defaults",
        description = "Asks with a default for each type"
    )]
    async fn elicitation_defaults(&self, peer: Peer<RoleServer>) -> Result<String, ErrorData> {
        let answer = ask(&peer, "Please review these values", defaults_schema()).await?;
        Ok(format!("Elicitation completed: {}", describe(&answer)))
    }

    #[tool(
        name = "test_elicitation_sep1330_enums",
        description = "Asks with each form of choice"
    )]
    async fn elicitation_enums(&self, peer: Peer<RoleServer>) -> Result<String, ErrorData> {
        let answer = ask(&peer, "Please choose", enums_schema()).await?;
        Ok(format!("Elicitation completed: {}", describe(&answer)))
    }
}

// From 2026-07-28: the question is the result of a round.
#[tool_router(router = modern_asking_tools)]
impl Fixtures {
    #[tool(
        name = "test_input_required_result_elicitation",
        description = "Asks for a name and greets"
    )]
    async fn basic(
        &self,
        cx: RequestContext<RoleServer>,
        answers: Answers,
    ) -> Result<CallToolResponse, ErrorData> {
        match accepted(&answers, "user_name", "name") {
            Some(name) => Ok(text(format!("Hello, {name}!"))),
            None => Ok(round(&cx, [("user_name", name_form())], None)?.into()),
        }
    }

    #[tool(
        name = "test_streaming_elicitation",
        description = "Asks for a name, and sends nothing else on its stream"
    )]
    async fn streaming(
        &self,
        cx: RequestContext<RoleServer>,
        answers: Answers,
    ) -> Result<CallToolResponse, ErrorData> {
        self.basic(cx, answers).await
    }

    #[tool(
        name = "test_input_required_result_request_state",
        description = "Asks for a confirmation and checks the state that comes back with it"
    )]
    async fn request_state(
        &self,
        cx: RequestContext<RoleServer>,
        state: RequestState,
        answers: Answers,
    ) -> Result<CallToolResponse, ErrorData> {
        self.confirm_with_state("request_state", &cx, &state, &answers)
    }

    #[tool(
        name = "test_input_required_result_tampered_state",
        description = "Asks for a confirmation and refuses a state that was changed"
    )]
    async fn tampered_state(
        &self,
        cx: RequestContext<RoleServer>,
        state: RequestState,
        answers: Answers,
    ) -> Result<CallToolResponse, ErrorData> {
        self.confirm_with_state("tampered_state", &cx, &state, &answers)
    }

    #[tool(
        name = "test_input_required_result_multiple_inputs",
        description = "Asks a person, a model and the client's roots in one round"
    )]
    async fn multiple_inputs(
        &self,
        cx: RequestContext<RoleServer>,
        state: RequestState,
        answers: Answers,
    ) -> Result<CallToolResponse, ErrorData> {
        const TOOL: &str = "multiple_inputs";
        self.seal.open(TOOL, &state)?;
        let greeting = answer(&answers, "greeting").and_then(|a| a["content"]["text"].as_str());
        let roots = answer(&answers, "client_roots").and_then(|a| a["roots"].as_array());
        match (accepted(&answers, "user_name", "name"), greeting, roots) {
            (Some(name), Some(greeting), Some(roots)) => {
                let roots = roots.len();
                Ok(text(format!(
                    "{greeting} {name}, you have {roots} root(s)."
                )))
            }
            _ => Ok(round(
                &cx,
                [
                    ("user_name", name_form()),
                    ("greeting", sampling_request("Generate a greeting", 50)),
                    ("client_roots", roots_request()),
                ],
                Some(self.seal.close(TOOL, "asked")),
            )?
            .into()),
        }
    }

    #[tool(
        name = "test_input_required_result_multi_round",
        description = "Asks for a name, then for a colour"
    )]
    async fn multi_round(
        &self,
        cx: RequestContext<RoleServer>,
        state: RequestState,
        answers: Answers,
    ) -> Result<CallToolResponse, ErrorData> {
        const TOOL: &str = "multi_round";
        let name = match self.seal.open(TOOL, &state)? {
            Some(known) if !known.is_empty() => Some(known),
            _ => accepted(&answers, "step1", "name"),
        };
        let Some(name) = name else {
            let ask = form(
                "Step 1: What is your name?",
                one_field("name", json!({ "type": "string" })),
            );
            return Ok(round(&cx, [("step1", ask)], Some(self.seal.close(TOOL, "")))?.into());
        };
        match accepted(&answers, "step2", "color") {
            Some(color) => Ok(text(format!("{name} likes {color}."))),
            None => {
                let ask = form(
                    "Step 2: What is your favorite color?",
                    one_field("color", json!({ "type": "string" })),
                );
                let state = self.seal.close(TOOL, &name);
                Ok(round(&cx, [("step2", ask)], Some(state))?.into())
            }
        }
    }
}

impl Fixtures {
    pub(crate) fn asking_tools() -> rmcp::handler::server::router::tool::ToolRouter<Self> {
        Self::legacy_asking_tools() + Self::modern_asking_tools()
    }

    fn confirm_with_state(
        &self,
        tool: &str,
        cx: &RequestContext<RoleServer>,
        state: &RequestState,
        answers: &Answers,
    ) -> Result<CallToolResponse, ErrorData> {
        let known = self.seal.open(tool, state)?;
        match answer(answers, "confirm") {
            Some(answer) if known.is_some() => {
                let ok = answer["content"]["ok"] == json!(true);
                Ok(text(format!("state-ok, confirmed: {ok}")))
            }
            _ => {
                let ask = form(
                    "Please confirm",
                    one_field("ok", json!({ "type": "boolean" })),
                );
                let state = self.seal.close(tool, "asked");
                Ok(round(cx, [("confirm", ask)], Some(state))?.into())
            }
        }
    }
}

pub const ASKING_PROMPT: &str = "test_input_required_result_prompt";

pub fn asking_prompt() -> Prompt {
    Prompt::new(
        ASKING_PROMPT,
        Some("A prompt that asks for its context"),
        None,
    )
}

pub fn get_asking_prompt(
    cx: &RequestContext<RoleServer>,
    answers: Option<InputResponses>,
) -> Result<GetPromptResponse, ErrorData> {
    match accepted(&Answers(answers), "user_context", "context") {
        Some(context) => Ok(GetPromptResult::new(vec![PromptMessage::new_text(
            Role::User,
            format!("Use this context: {context}"),
        )])
        .into()),
        None => {
            let ask = form(
                "What context should the prompt use?",
                one_field("context", json!({ "type": "string" })),
            );
            Ok(round(cx, [("user_context", ask)], None)?.into())
        }
    }
}

/// Keeps what a round must remember in the client's hands, sealed for one tool.
pub struct Seal(RequestStateCodec);

impl Default for Seal {
    fn default() -> Self {
        let key: [u8; 32] = rand::random();
        Self(RequestStateCodec::try_new(key).expect("the key has the length that it must have"))
    }
}

impl Seal {
    pub fn close(&self, tool: &str, known: &str) -> String {
        let bound = SealOptions::new().associated_data(tool.as_bytes());
        self.0.seal_with(known.as_bytes(), &bound)
    }

    /// What was sealed, if the call brought a state at all.
    pub fn open(&self, tool: &str, state: &RequestState) -> Result<Option<String>, ErrorData> {
        let Some(state) = &state.0 else {
            return Ok(None);
        };
        let refused = || {
            let message =
                "requestState is not one that this tool gave out: call it without a state";
            ErrorData::invalid_params(message, None)
        };
        let known = self
            .0
            .open_with(state, tool.as_bytes())
            .map_err(|_| refused())?;
        String::from_utf8(known).map(Some).map_err(|_| refused())
    }
}

pub fn form(message: &str, schema: ElicitationSchema) -> InputRequest {
    InputRequest::Elicitation(ElicitRequest::new(form_params(message, schema)))
}

pub fn name_form() -> InputRequest {
    form(
        "What is your name?",
        one_field("name", json!({ "type": "string" })),
    )
}

pub fn one_field(name: &str, field: Value) -> ElicitationSchema {
    schema(json!({ "type": "object", "properties": { name: field }, "required": [name] }))
}

/// A round of questions, if the client can show each of them.
pub fn round<const N: usize>(
    cx: &RequestContext<RoleServer>,
    requests: [(&str, InputRequest); N],
    state: Option<String>,
) -> Result<InputRequiredResult, ErrorData> {
    let declared = cx.client_capabilities().unwrap_or_default();
    let mut missing = ClientCapabilities::default();
    for (_, request) in &requests {
        match request {
            InputRequest::Elicitation(_) if declared.elicitation.is_none() => {
                missing.elicitation = Some(Default::default());
            }
            InputRequest::CreateMessage(_) if declared.sampling.is_none() => {
                missing.sampling = Some(Default::default());
            }
            InputRequest::ListRoots(_) if declared.roots.is_none() => {
                missing.roots = Some(Default::default());
            }
            _ => {}
        }
    }
    if missing != ClientCapabilities::default() {
        return Err(ErrorData::missing_required_client_capability(missing));
    }
    let requests = requests.map(|(key, request)| (key.to_owned(), request));
    Ok(InputRequiredResult::new(
        Some(requests.into_iter().collect()),
        state,
    ))
}

/// The answer to `key`, if there is one that could be an answer.
pub fn answer<'a>(answers: &'a Answers, key: &str) -> Option<&'a Value> {
    answers.0.as_ref()?.get(key).filter(|a| a.is_object())
}

/// The text of one field of an accepted form.
pub fn accepted(answers: &Answers, key: &str, field: &str) -> Option<String> {
    let answer = answer(answers, key).filter(|a| a["action"] == "accept")?;
    answer["content"][field].as_str().map(String::from)
}

pub fn text(text: impl Into<String>) -> CallToolResponse {
    CallToolResult::success(vec![ContentBlock::text(text)]).into()
}

async fn ask(
    peer: &Peer<RoleServer>,
    message: impl Into<String>,
    schema: ElicitationSchema,
) -> Result<ElicitResult, ErrorData> {
    peer.create_elicitation(form_params(message, schema))
        .await
        .map_err(|error| ErrorData::internal_error(format!("the ask failed: {error}"), None))
}

fn describe(answer: &ElicitResult) -> String {
    let answer = json!(answer);
    let action = answer["action"].as_str().unwrap_or_default();
    format!("action={action}, content={}", answer["content"])
}

fn form_params(message: impl Into<String>, schema: ElicitationSchema) -> ElicitRequestParams {
    ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: message.into(),
        requested_schema: schema,
    }
}

fn user_schema() -> ElicitationSchema {
    schema(json!({
        "type": "object",
        "properties": {
            "username": { "type": "string", "description": "User's response" },
            "email": { "type": "string", "description": "User's email address" }
        },
        "required": ["username", "email"]
    }))
}

fn defaults_schema() -> ElicitationSchema {
    schema(json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "default": "John Doe" },
            "age": { "type": "integer", "default": 30 },
            "score": { "type": "number", "default": 95.5 },
            "status": {
                "type": "string",
                "enum": ["active", "inactive", "pending"],
                "default": "active"
            },
            "verified": { "type": "boolean", "default": true }
        }
    }))
}

fn enums_schema() -> ElicitationSchema {
    let titled = json!([
        { "const": "value1", "title": "First Option" },
        { "const": "value2", "title": "Second Option" },
        { "const": "value3", "title": "Third Option" }
    ]);
    schema(json!({
        "type": "object",
        "properties": {
            "untitledSingle": { "type": "string", "enum": ["option1", "option2", "option3"] },
            "titledSingle": { "type": "string", "oneOf": titled },
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"]
            },
            "untitledMulti": {
                "type": "array",
                "items": { "type": "string", "enum": ["option1", "option2", "option3"] }
            },
            "titledMulti": { "type": "array", "items": { "anyOf": titled } }
        }
    }))
}

fn schema(schema: Value) -> ElicitationSchema {
    serde_json::from_value(schema).expect("the schemas of this file are within MCP's subset")
}
