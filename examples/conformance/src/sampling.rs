//! What asks the client itself: a model (sampling) or its roots.

// Both are deprecated in 2026-07-28 and still in the suite.
#![allow(deprecated)]

use rmcp::{
    ErrorData, Peer, RoleServer,
    handler::server::{tool::InputResponses as Answers, wrapper::Parameters},
    model::*,
    service::RequestContext,
    tool, tool_router,
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    elicitation::{answer, name_form, round, text},
    server::Fixtures,
};

#[derive(Deserialize, JsonSchema)]
struct PromptArguments {
    /// The prompt to send to the model
    prompt: String,
}

#[tool_router(router = sampling_tools, vis = "pub(crate)")]
impl Fixtures {
    #[tool(
        name = "test_sampling",
        description = "Asks a model in the middle of its call (up to 2025-11-25)"
    )]
    async fn sampling(
        &self,
        peer: Peer<RoleServer>,
        Parameters(PromptArguments { prompt }): Parameters<PromptArguments>,
    ) -> Result<String, ErrorData> {
        let params = CreateMessageRequestParams::new(vec![SamplingMessage::user_text(prompt)], 100);
        let reply = peer.create_message(params).await.map_err(|error| {
            ErrorData::internal_error(format!("sampling failed: {error}"), None)
        })?;
        let reply = serde_json::json!(reply);
        let text = reply["content"]["text"].as_str().unwrap_or_default();
        Ok(format!("LLM response: {text}"))
    }

    #[tool(
        name = "test_input_required_result_sampling",
        description = "Asks a model between two rounds"
    )]
    async fn sampling_round(
        &self,
        cx: RequestContext<RoleServer>,
        answers: Answers,
    ) -> Result<CallToolResponse, ErrorData> {
        let reply = answer(&answers, "capital_question");
        match reply.and_then(|reply| reply["content"]["text"].as_str()) {
            Some(reply) => Ok(text(reply)),
            None => {
                let ask = sampling_request("What is the capital of France?", 100);
                Ok(round(&cx, [("capital_question", ask)], None)?.into())
            }
        }
    }

    #[tool(
        name = "test_input_required_result_list_roots",
        description = "Asks for the client's roots between two rounds"
    )]
    async fn roots_round(
        &self,
        cx: RequestContext<RoleServer>,
        answers: Answers,
    ) -> Result<CallToolResponse, ErrorData> {
        let reply = answer(&answers, "client_roots");
        match reply.and_then(|reply| reply["roots"].as_array()) {
            Some(roots) => {
                let uris: Vec<_> = roots
                    .iter()
                    .filter_map(|root| root["uri"].as_str())
                    .collect();
                Ok(text(format!("Roots: {}", uris.join(", "))))
            }
            None => Ok(round(&cx, [("client_roots", roots_request())], None)?.into()),
        }
    }

    #[tool(
        name = "test_input_required_result_capabilities",
        description = "Asks only for what the client declared that it can do"
    )]
    async fn capabilities(
        &self,
        cx: RequestContext<RoleServer>,
        answers: Answers,
    ) -> Result<CallToolResponse, ErrorData> {
        if answers.0.is_some() {
            return Ok(text("Thank you."));
        }
        let declared = cx.client_capabilities().unwrap_or_default();
        let round = if declared.elicitation.is_some() {
            round(&cx, [("user_name", name_form())], None)
        } else {
            let ask = sampling_request("What is the capital of France?", 100);
            round(&cx, [("capital_question", ask)], None)
        };
        Ok(round?.into())
    }

    #[tool(
        name = "test_missing_capability",
        description = "Cannot work for a client without sampling"
    )]
    async fn missing_capability(
        &self,
        cx: RequestContext<RoleServer>,
        answers: Answers,
    ) -> Result<CallToolResponse, ErrorData> {
        self.sampling_round(cx, answers).await
    }
}

pub fn sampling_request(prompt: &str, max_tokens: u32) -> InputRequest {
    let messages = vec![SamplingMessage::user_text(prompt)];
    let params = CreateMessageRequestParams::new(messages, max_tokens);
    InputRequest::CreateMessage(CreateMessageRequest::new(params))
}

pub fn roots_request() -> InputRequest {
    InputRequest::ListRoots(ListRootsRequest::default())
}
