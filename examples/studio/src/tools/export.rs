//! Long work: progress on the caller's token, and an end where the call is taken back.

use super::ManyClips;
use crate::{Studio, results::clip_step};
use holdpoint::{
    Stop, ToolContext,
    tool::{PlainResult, ToolError, ToolOutput, blocking},
};
use rmcp::{handler::server::wrapper::Parameters, tool, tool_router};
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Serialize, JsonSchema)]
struct Exported {
    /// The files, in the folder of the clips
    files: Vec<String>,
}

#[tool_router(router = exports, vis = "pub(super)")]
impl Studio {
    /// Writes the sound of clips to files; of all clips where none is named
    #[tool(output_schema = PlainResult::<Exported>::schema().into())]
    async fn export_clips(
        &self,
        cx: ToolContext,
        Parameters(ManyClips { clips }): Parameters<ManyClips>,
    ) -> Result<PlainResult<Exported>, Stop> {
        let names = clip_step(&cx, "look", async {
            if clips.is_empty() {
                self.clips.names()
            } else {
                Ok(clips)
            }
        });
        let names = names.await?;
        let mut files = Vec::new();
        for name in &names {
            if cx.is_cancelled() {
                return Err(cancelled(files.len(), names.len()).into());
            }
            let (clips, clip) = (self.clips.clone(), name.clone());
            // One step for each: a run after a crash goes on with the clip that it had come to.
            let export = blocking(move || clips.export(&clip));
            files.push(clip_step(&cx, &format!("export {name}"), export).await?);
            let (done, total) = (files.len() as f64, names.len() as f64);
            cx.progress(done, Some(total), Some(name)).await;
        }
        Ok(PlainResult::new(
            "The files are written.",
            &Exported { files },
        ))
    }
}

fn cancelled(done: usize, of: usize) -> ToolError {
    ToolError::Refused {
        code: "CANCELLED".into(),
        what: format!("The call was taken back after {done} of {of} clips."),
        next: "The files that were written stay.".to_owned(),
    }
}
