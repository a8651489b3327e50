//! A name for a clip. Where the client has a model, the model proposes one; the person decides.
#![allow(deprecated)] // Sampling is leaving the protocol, and clients still have it.

use super::OneClip;
use crate::{
    Studio,
    clips::Clip,
    resources,
    results::{Asked, ask_optional, clip_step, given, skipped},
};
use holdpoint::{
    Ask, Field, Form, Kind, Stop, ToolContext,
    field::{Choice, Pick, Text},
    tool::ToolOutput,
};
use rmcp::{
    handler::server::wrapper::Parameters,
    model::{CreateMessageRequestParams, SamplingMessage},
    tool, tool_router,
};

#[tool_router(router = naming, vis = "pub(super)")]
impl Studio {
    /// Lets a person name a clip
    #[tool(output_schema = Asked::<String>::schema().into())]
    async fn name_artifact(
        &self,
        cx: ToolContext,
        Parameters(OneClip { clip: old }): Parameters<OneClip>,
    ) -> Result<Asked<String>, Stop> {
        let clip = clip_step(&cx, "look", async { self.clips.get(&old) }).await?;
        let proposal = self.propose_name(&cx, &clip).await;
        // A run after a crash shows what the person saw, whatever the model says then.
        let proposal = cx.step("propose", async { proposal }).await?;
        let message = format!("What should the clip **{old}** be called?");
        let question = cx.elicitor().ask(Ask::new(message, name_form(proposal)));
        let (answer, decision) = ask_optional(&cx, question).await?;
        let name = answer.and_then(|answer| answer.get("name")?.as_str().map(str::to_owned));
        let Some(name) = name else {
            let instead = format!("the clip is still called {old}");
            return Ok(skipped(&cx, &decision, old, &instead).await);
        };
        clip_step(&cx, "rename", async { self.clips.rename(&old, &name) }).await?;
        resources::came_or_went(&cx, [&old, &name]).await;
        Ok(given(&decision, name, "The clip has its new name."))
    }

    /// What the client's model would call a clip; nothing where there is none, or where it is no name.
    async fn propose_name(&self, cx: &ToolContext, clip: &Clip) -> Option<String> {
        let (tempo, key) = (clip.tempo, clip.key);
        let prompt = format!(
            "Propose a name for a clip of music at {tempo} BPM, in the key {key:?}. \
             Say the name alone, in at most 64 letters, digits, - and _."
        );
        let messages = vec![SamplingMessage::user_text(prompt)];
        let params = CreateMessageRequestParams::new(messages, 50);
        let said = cx.sampler().create_message(params).await.ok()?;
        let name = said.message.content.first()?.as_text()?.text.trim();
        self.clips.is_free(name).then(|| name.to_owned())
    }
}

/// A text, or the proposal and a text. A proposal is an option and not a default: a client can send a default
/// back by itself, and the model would have decided.
fn name_form(proposal: Option<String>) -> Form {
    let kind = match proposal {
        None => Kind::Text(Text::default()),
        Some(name) => Kind::Choice(Choice {
            options: vec![Pick::new(name).description("proposed by your client's model")],
            other: true,
            ..Choice::default()
        }),
    };
    Form::new().field(Field::new("name", kind).title("Name"))
}
