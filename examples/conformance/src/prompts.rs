//! Prompts: plain, with arguments, with a resource, with a picture.
//!
//! The one that asks a person is with its kind, in [`crate::elicitation`].

use rmcp::{ErrorData, handler::server::wrapper::Parameters, model::*, prompt, prompt_router};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{server::Fixtures, tools::RED_PIXEL_PNG};

#[derive(Deserialize, JsonSchema)]
struct TwoArguments {
    /// First test argument
    arg1: String,
    /// Second test argument
    arg2: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct EmbeddedResourceArguments {
    /// URI of the resource to embed
    resource_uri: String,
}

#[prompt_router(router = "plain_prompts", vis = "pub(crate)")]
impl Fixtures {
    #[prompt(
        name = "test_simple_prompt",
        description = "A prompt without arguments"
    )]
    async fn simple_prompt(&self) -> Vec<PromptMessage> {
        vec![text("This is a simple prompt for testing.")]
    }

    #[prompt(
        name = "test_prompt_with_arguments",
        description = "A prompt with two arguments"
    )]
    async fn prompt_with_arguments(
        &self,
        Parameters(TwoArguments { arg1, arg2 }): Parameters<TwoArguments>,
    ) -> Vec<PromptMessage> {
        vec![text(format!(
            "Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"
        ))]
    }

    #[prompt(
        name = "test_prompt_with_embedded_resource",
        description = "A prompt that embeds a resource"
    )]
    async fn prompt_with_embedded_resource(
        &self,
        Parameters(arguments): Parameters<EmbeddedResourceArguments>,
    ) -> Vec<PromptMessage> {
        let resource = ResourceContents::text(
            "Embedded resource content for testing.",
            arguments.resource_uri,
        )
        .with_mime_type("text/plain");
        vec![
            PromptMessage::new(Role::User, ContentBlock::resource(resource)),
            text("Please process the embedded resource above."),
        ]
    }

    #[prompt(
        name = "test_prompt_with_image",
        description = "A prompt with a picture"
    )]
    async fn prompt_with_image(&self) -> Vec<PromptMessage> {
        vec![
            PromptMessage::new(Role::User, ContentBlock::image(RED_PIXEL_PNG, "image/png")),
            text("Please analyze the image above."),
        ]
    }
}

/// Suggests values for an argument that begin with what was typed.
pub fn complete(argument: &ArgumentInfo) -> Result<CompleteResult, ErrorData> {
    let values = ["paris", "park", "party", "test", "testing"]
        .into_iter()
        .filter(|value| value.starts_with(&argument.value))
        .map(String::from)
        .collect();
    let completion = CompletionInfo::with_all_values(values)
        .map_err(|error| ErrorData::internal_error(error, None))?;
    Ok(CompleteResult::new(completion))
}

fn text(text: impl Into<String>) -> PromptMessage {
    PromptMessage::new_text(Role::User, text)
}
