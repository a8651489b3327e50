//! Everything that asks a person: each written once, for both eras, on Holdpoint's elicitor.

// Sampling and roots are deprecated in 2026-07-28 and still in the suite.
#![allow(deprecated)]

use holdpoint::{Answer, Ask, Field, Form, Kind, Outcome, ToolContext};
use rmcp::{
    ErrorData,
    handler::server::wrapper::Parameters,
    model::{
        CreateMessageRequestParams, GetPromptResult, Prompt, PromptMessage, Role, SamplingMessage,
    },
    tool, tool_router,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::server::Fixtures;

#[derive(Deserialize, JsonSchema)]
struct MessageArguments {
    /// The message to show
    message: String,
}

#[tool_router(router = asking_tools, vis = "pub(crate)")]
impl Fixtures {
    #[tool(
        name = "test_elicitation",
        description = "Asks for a user name and an email address"
    )]
    async fn elicitation(
        &self,
        cx: ToolContext,
        Parameters(MessageArguments { message }): Parameters<MessageArguments>,
    ) -> Result<String, ErrorData> {
        let form = form(json!({
            "username": { "type": "string", "description": "User's response" },
            "email": { "type": "string", "description": "User's email address" }
        }));
        let outcome = cx.elicitor().ask(Ask::new(message, form)).await?;
        Ok(format!("User response: {}", describe(outcome)))
    }

    #[tool(
        name = "test_elicitation_sep1034_defaults",
        description = "Asks with a default for each type"
    )]
    async fn elicitation_defaults(&self, cx: ToolContext) -> Result<String, ErrorData> {
        let ask = Ask::new("Please review these values", defaults());
        let outcome = cx.elicitor().ask(ask).await?;
        Ok(format!("Elicitation completed: {}", describe(outcome)))
    }

    #[tool(
        name = "test_elicitation_sep1330_enums",
        description = "Asks with each form of choice"
    )]
    async fn elicitation_enums(&self, cx: ToolContext) -> Result<String, ErrorData> {
        let ask = Ask::new("Please choose", enums());
        let outcome = cx.elicitor().ask(ask).await?;
        Ok(format!("Elicitation completed: {}", describe(outcome)))
    }

    #[tool(
        name = "test_input_required_result_elicitation",
        description = "Asks for a name and greets"
    )]
    pub(crate) async fn basic(&self, cx: ToolContext) -> Result<String, ErrorData> {
        let asked = cx.elicitor().text_input("What is your name?", "name");
        Ok(match asked.key("user_name").await? {
            Outcome::Accepted(name) => format!("Hello, {name}!"),
            other => other.status().into(),
        })
    }

    #[tool(
        name = "test_streaming_elicitation",
        description = "Asks for a name, and sends nothing else on its stream"
    )]
    async fn streaming(&self, cx: ToolContext) -> Result<String, ErrorData> {
        self.basic(cx).await
    }

    #[tool(
        name = "test_input_required_result_request_state",
        description = "Asks for a confirmation; the state that comes back with it is checked"
    )]
    async fn request_state(&self, cx: ToolContext) -> Result<String, ErrorData> {
        let form = Form::new().field(Field::new("ok", Kind::Confirm));
        let outcome = cx.elicitor().ask(Ask::new("Please confirm", form)).await?;
        Ok(format!("state-ok, {}", describe(outcome)))
    }

    #[tool(
        name = "test_input_required_result_tampered_state",
        description = "Asks for a confirmation; a state that was changed is refused"
    )]
    async fn tampered_state(&self, cx: ToolContext) -> Result<String, ErrorData> {
        self.request_state(cx).await
    }

    #[tool(
        name = "test_input_required_result_multiple_inputs",
        description = "Asks a person, a model and the client's roots in one round"
    )]
    async fn multiple_inputs(&self, cx: ToolContext) -> Result<String, ErrorData> {
        let asked = cx.elicitor().text_input("What is your name?", "name");
        let sampler = cx.sampler();
        let (name, greeting, roots) = tokio::join!(
            asked.decided(),
            sampler.create_message(prompt("Generate a greeting", 50)),
            cx.roots(),
        );
        let name = name?.outcome.accepted().unwrap_or_default();
        let greeting = json!(greeting?)["content"]["text"].to_string();
        let roots = roots?.roots.len();
        Ok(format!("{greeting} {name}, you have {roots} root(s)."))
    }

    #[tool(
        name = "test_input_required_result_multi_round",
        description = "Asks for a name, then for a colour"
    )]
    async fn multi_round(&self, cx: ToolContext) -> Result<String, ErrorData> {
        let name = cx
            .elicitor()
            .text_input("Step 1: What is your name?", "name");
        let Outcome::Accepted(name) = name.await? else {
            return Ok("No name, no colour.".into());
        };
        let color = "Step 2: What is your favorite color?";
        Ok(match cx.elicitor().text_input(color, "color").await? {
            Outcome::Accepted(color) => format!("{name} likes {color}."),
            other => other.status().into(),
        })
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

pub async fn get_asking_prompt(cx: ToolContext) -> Result<GetPromptResult, ErrorData> {
    let asked = "What context should the prompt use?";
    let text = match cx.elicitor().text_input(asked, "context").await? {
        Outcome::Accepted(context) => format!("Use this context: {context}"),
        other => format!("Ask for the context: the question was {}.", other.status()),
    };
    let message = PromptMessage::new_text(Role::User, text);
    Ok(GetPromptResult::new(vec![message]))
}

pub fn prompt(text: &str, max_tokens: u32) -> CreateMessageRequestParams {
    CreateMessageRequestParams::new(vec![SamplingMessage::user_text(text)], max_tokens)
}

fn describe(outcome: Outcome<Answer>) -> String {
    match outcome {
        Outcome::Accepted(content) => format!("action=accept, content={}", json!(content)),
        Outcome::Declined { .. } => "action=decline".into(),
        other => format!("action={}", other.status()),
    }
}

fn defaults() -> Form {
    form(json!({
        "name": { "type": "string", "default": "John Doe" },
        "age": { "type": "integer", "default": 30 },
        "score": { "type": "number", "default": 95.5 },
        "status": {
            "type": "string",
            "enum": ["active", "inactive", "pending"],
            "default": "active"
        },
        "verified": { "type": "boolean", "default": true }
    }))
}

fn enums() -> Form {
    let titled = json!([
        { "const": "value1", "title": "First Option" },
        { "const": "value2", "title": "Second Option" },
        { "const": "value3", "title": "Third Option" }
    ]);
    form(json!({
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
    }))
}

/// A form of required fields, as MCP writes them.
fn form(properties: Value) -> Form {
    let required: Vec<_> = properties
        .as_object()
        .into_iter()
        .flat_map(|p| p.keys())
        .collect();
    let schema = json!({ "type": "object", "properties": properties, "required": required });
    Form::from_requested_schema(&schema).expect("the schemas of this file are within MCP's subset")
}
