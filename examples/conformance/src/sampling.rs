//! What asks the client itself: a model (sampling) or its roots.

// Both are deprecated in 2026-07-28 and still in the suite.
#![allow(deprecated)]

use holdpoint::ToolContext;
use rmcp::{ErrorData, handler::server::wrapper::Parameters, tool, tool_router};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{elicitation::prompt, server::Fixtures};

#[derive(Deserialize, JsonSchema)]
struct PromptArguments {
    /// The prompt to send to the model
    prompt: String,
}

#[tool_router(router = sampling_tools, vis = "pub(crate)")]
impl Fixtures {
    #[tool(
        name = "test_sampling",
        description = "Asks a model in the middle of its call"
    )]
    async fn sampling(
        &self,
        cx: ToolContext,
        Parameters(arguments): Parameters<PromptArguments>,
    ) -> Result<String, ErrorData> {
        let text = sample(&cx, &arguments.prompt).await?;
        Ok(format!("LLM response: {text}"))
    }

    #[tool(
        name = "test_input_required_result_sampling",
        description = "Asks a model between two rounds"
    )]
    async fn sampling_round(&self, cx: ToolContext) -> Result<String, ErrorData> {
        sample(&cx, "What is the capital of France?").await
    }

    #[tool(
        name = "test_input_required_result_list_roots",
        description = "Asks for the client's roots between two rounds"
    )]
    async fn roots_round(&self, cx: ToolContext) -> Result<String, ErrorData> {
        let roots = cx.roots().await?.roots;
        let uris: Vec<_> = roots.iter().map(|root| root.uri.as_str()).collect();
        Ok(format!("Roots: {}", uris.join(", ")))
    }

    #[tool(
        name = "test_input_required_result_capabilities",
        description = "Asks only for what the client declared that it can do"
    )]
    async fn capabilities(&self, cx: ToolContext) -> Result<String, ErrorData> {
        if cx.session().supports_elicitation() {
            self.basic(cx).await
        } else {
            self.sampling_round(cx).await
        }
    }

    #[tool(
        name = "test_missing_capability",
        description = "Cannot work for a client without sampling"
    )]
    async fn missing_capability(&self, cx: ToolContext) -> Result<String, ErrorData> {
        self.sampling_round(cx).await
    }
}

async fn sample(cx: &ToolContext, text: &str) -> Result<String, ErrorData> {
    let said = cx.sampler().create_message(prompt(text, 100)).await?;
    let text = json!(said)["content"]["text"].as_str().map(str::to_owned);
    Ok(text.unwrap_or_default())
}
