//! Clips that are made, rated and deleted. What is done is done in steps, and those who subscribed hear of it.

use super::{
    ManyClips, OneClip,
    inputs::{TEMPO, ask_key, ask_tempo},
};
use crate::{
    Studio,
    clips::Clip,
    resources,
    results::{Asked, ask, ask_optional, clip_step, given, skipped},
};
use holdpoint::{
    Stop, ToolContext, Yes,
    tool::{AskResult, ToolError, ToolOutput},
};
use rmcp::{handler::server::wrapper::Parameters, tool, tool_router};

#[tool_router(router = edits, vis = "pub(super)")]
impl Studio {
    /// Makes a clip: asks a person for tempo and key together, then for its name
    #[tool(output_schema = Asked::<String>::schema().into())]
    async fn new_clip(&self, cx: ToolContext) -> Result<Asked<String>, Stop> {
        let elicitor = cx.elicitor();
        let ((tempo, _), (key, _)) = tokio::try_join!(
            ask_optional(&cx, ask_tempo(&elicitor)),
            ask_optional(&cx, ask_key(&elicitor)),
        )?;
        let clip = Clip {
            tempo: tempo.unwrap_or(TEMPO),
            key: key.unwrap_or_default(),
            rating: None,
        };
        let question = elicitor.text_input("What should the clip be called?", "name");
        let (name, decision) = ask_optional(&cx, question).await?;
        let Some(name) = name else {
            let none = "Nobody gave a name: no clip was made.";
            return Ok(AskResult::not_accepted(&decision, none));
        };
        clip_step(&cx, "create", async { self.clips.create(&name, &clip) }).await?;
        resources::came_or_went(&cx, [&name]).await;
        let next = format!(
            "The clip was made, at {} BPM in {:?}.",
            clip.tempo, clip.key
        );
        Ok(given(&decision, name, &next))
    }

    /// Lets a person rate a clip, one to five stars
    #[tool(output_schema = Asked::<Option<u8>>::schema().into())]
    async fn rate_clip(
        &self,
        cx: ToolContext,
        Parameters(OneClip { clip }): Parameters<OneClip>,
    ) -> Result<Asked<Option<u8>>, Stop> {
        clip_step(&cx, "look", async { self.clips.get(&clip) }).await?;
        let question = cx.elicitor().rating(format!("How good is **{clip}**?"), 5);
        let (stars, decision) = ask_optional(&cx, question).await?;
        let Some(stars) = stars else {
            return Ok(skipped(&cx, &decision, None, "the clip is not rated").await);
        };
        clip_step(&cx, "rate", async { self.clips.rate(&clip, stars) }).await?;
        cx.resource_updated(resources::uri(&clip)).await;
        Ok(given(&decision, Some(stars), "The rating is saved."))
    }

    /// Deletes clips, if a person says so
    #[tool(
        output_schema = Asked::<usize>::schema().into(),
        annotations(destructive_hint = true)
    )]
    async fn confirm_delete(
        &self,
        cx: ToolContext,
        Parameters(ManyClips { mut clips }): Parameters<ManyClips>,
    ) -> Result<Asked<usize>, Stop> {
        clips.sort();
        clips.dedup();
        if clips.is_empty() {
            return Err(ToolError::argument("clips", "is empty: name at least one").into());
        }
        let look = async {
            clips
                .iter()
                .try_for_each(|clip| self.clips.get(clip).map(drop))
        };
        clip_step(&cx, "look", look).await?;
        let question = cx
            .elicitor()
            .confirm(format!("Delete {} clips?", clips.len()))
            .details(
                clips
                    .iter()
                    .map(|clip| format!("- {clip}\n"))
                    .collect::<String>(),
            )
            .consequence("The clips are gone: this cannot be undone.")
            .dangerous();
        let (Yes, decision) = ask(&cx, question).await?.or_stop()?;
        let count = clip_step(&cx, "delete", async { self.clips.delete(&clips) }).await?;
        resources::came_or_went(&cx, &clips).await;
        Ok(given(&decision, count, "They are deleted."))
    }
}
