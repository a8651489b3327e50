//! Prompts: one about a clip, and one that asks for what was left out.

use crate::{Studio, key::Key, resources, tools::ask_key};
use holdpoint::{AskError, Outcome, Question, ToolContext};
use rmcp::{
    ErrorData,
    handler::server::{router::prompt::PromptRouter, wrapper::Parameters},
    model::{ContentBlock, PromptMessage, Role},
    prompt, prompt_router,
};
use schemars::JsonSchema;
use serde::Deserialize;

/// All prompts.
pub fn router() -> PromptRouter<Studio> {
    Studio::prompts()
}

#[derive(Deserialize, JsonSchema)]
struct DescribeClip {
    /// The clip's name
    clip: String,
}

#[derive(Deserialize, JsonSchema)]
struct NewSong {
    /// What it should feel like
    mood: Option<String>,
    /// Its key: C, Am, F or G
    key: Option<Key>,
}

#[allow(missing_docs)] // rmcp makes a function of its own for each prompt.
#[prompt_router(router = "prompts")]
impl Studio {
    /// Describes a clip in words
    #[prompt(title = "Describe a clip")]
    async fn describe_clip(
        &self,
        Parameters(DescribeClip { clip }): Parameters<DescribeClip>,
    ) -> Result<Vec<PromptMessage>, ErrorData> {
        let read = resources::read(&self.clips, &resources::uri(&clip))?;
        let mut messages = vec![text(format!("Describe the clip {clip} in two sentences."))];
        for contents in read.contents {
            messages.push(PromptMessage::new(
                Role::User,
                ContentBlock::resource(contents),
            ));
        }
        Ok(messages)
    }

    /// Starts a song. What you leave out is asked for
    #[prompt(title = "Start a song")]
    async fn new_song(
        &self,
        cx: ToolContext,
        Parameters(NewSong { mood, key }): Parameters<NewSong>,
    ) -> Result<Vec<PromptMessage>, ErrorData> {
        let elicitor = cx.elicitor();
        let (mood, key) = tokio::try_join!(
            or_ask(
                &cx,
                mood,
                elicitor.text_input("What should it feel like?", "mood")
            ),
            or_ask(&cx, key, ask_key(&elicitor)),
        )?;
        let mut song = format!(
            "Write a song for the studio: {}, in the key of {}.",
            mood.as_deref().unwrap_or("[mood]"),
            key.map_or("[key]".to_owned(), |key| format!("{key:?}")),
        );
        if mood.is_none() || key.is_none() {
            song.push_str(" Ask me for what is in brackets before you begin.");
        }
        Ok(vec![text(song)])
    }
}

/// What was given, or else what a person says: a modern client lets a prompt ask. Elsewhere the model asks.
async fn or_ask<T: Send + 'static>(
    cx: &ToolContext,
    given: Option<T>,
    question: Question<T>,
) -> Result<Option<T>, AskError> {
    let session = cx.session();
    if given.is_some() || !session.modern || !session.form {
        return Ok(given);
    }
    Ok(match question.await? {
        Outcome::Accepted(said) => Some(said),
        _ => None,
    })
}

fn text(text: String) -> PromptMessage {
    PromptMessage::new_text(Role::User, text)
}
