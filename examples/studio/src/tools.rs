//! What agents call.

use crate::{
    clips::{Clip, Clips},
    tool_results::{AskResult, given, nobody, passed_on, stand_in},
};
use holdpoint::{Outcome, ToolContext, Yes};
use rmcp::{
    ErrorData, ServerHandler,
    handler::server::{router::tool::ToolRouter, tool::schema_for_output, wrapper::Parameters},
    model::{CallToolResult, ContentBlock, Implementation, ServerCapabilities, ServerConfig},
    tool, tool_handler, tool_router,
};
use schemars::JsonSchema;
use serde::Deserialize;

/// The studio.
#[derive(Clone)]
pub struct Studio {
    clips: Clips,
    router: ToolRouter<Self>,
}

#[derive(Deserialize, JsonSchema)]
struct Variations {
    /// The variations to choose from
    variations: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
struct OneClip {
    /// The clip's name
    clip: String,
}

#[derive(Deserialize, JsonSchema)]
struct ManyClips {
    /// The clips' names
    clips: Vec<String>,
}

const KEYS: [&str; 4] = ["C", "Am", "F", "G"];
const TEMPO: f64 = 120.0;

#[tool_router]
impl Studio {
    /// A studio over these clips.
    pub fn new(clips: Clips) -> Self {
        Self {
            clips,
            router: Self::tool_router(),
        }
    }

    /// Lets a person choose one of several variations
    #[tool(output_schema = schema_for_output::<AskResult>())]
    async fn select_variation(
        &self,
        cx: ToolContext,
        Parameters(Variations { variations }): Parameters<Variations>,
    ) -> Result<CallToolResult, ErrorData> {
        let Some(first) = variations.first() else {
            return Ok(wrong("variations is empty: name at least one"));
        };
        let asked = cx.elicitor().choose("Which variation?", &variations);
        let decided = asked.decided().await?;
        Ok(match &decided.outcome {
            Outcome::Accepted(chosen) => given(&decided, chosen, "Use this variation."),
            Outcome::Declined { .. } => {
                let why =
                    format!("The person did not choose; the first variation, {first}, is used.");
                cx.logger().info(why.as_str()).await;
                stand_in(&decided.decision, first, &why)
            }
            outcome if nobody(outcome) => {
                let why = format!("Nobody could be asked; the first variation, {first}, is used.");
                stand_in(&decided.decision, first, &why)
            }
            _ => passed_on(&decided),
        })
    }

    /// Lets a person name a clip
    #[tool(output_schema = schema_for_output::<AskResult>())]
    async fn name_artifact(
        &self,
        cx: ToolContext,
        Parameters(OneClip { clip }): Parameters<OneClip>,
    ) -> Result<CallToolResult, ErrorData> {
        if let Err(error) = self.clips.get(&clip) {
            return Ok(wrong(error));
        }
        let asked = cx.elicitor().text_input(
            format!("What should the clip **{clip}** be called?"),
            "name",
        );
        let decided = asked.decided().await?;
        match &decided.outcome {
            Outcome::Accepted(name) => {
                let rename = async { self.clips.rename(&clip, name).map_err(|e| e.to_string()) };
                match cx.step("rename", rename).await? {
                    Ok(()) => Ok(given(&decided, name, "The clip has its new name.")),
                    Err(error) => Ok(wrong(error)),
                }
            }
            outcome if nobody(outcome) => {
                let why = format!("Nobody could be asked; the clip is still called {clip}.");
                Ok(stand_in(&decided.decision, &clip, &why))
            }
            _ => Ok(passed_on(&decided)),
        }
    }

    /// Deletes clips, if a person says so
    #[tool(
        output_schema = schema_for_output::<AskResult>(),
        annotations(destructive_hint = true)
    )]
    async fn confirm_delete(
        &self,
        cx: ToolContext,
        Parameters(ManyClips { clips }): Parameters<ManyClips>,
    ) -> Result<CallToolResult, ErrorData> {
        if clips.is_empty() {
            return Ok(wrong("clips is empty: name at least one"));
        }
        if let Some(error) = clips.iter().find_map(|clip| self.clips.get(clip).err()) {
            return Ok(wrong(error));
        }
        let asked = cx
            .elicitor()
            .confirm(format!("Delete {} clips?", clips.len()))
            .details(
                clips
                    .iter()
                    .map(|clip| format!("- {clip}\n"))
                    .collect::<String>(),
            )
            .dangerous();
        let decided = asked.decided().await?;
        match &decided.outcome {
            Outcome::Accepted(Yes) => {
                let delete = async { self.clips.delete(&clips).map_err(|e| e.to_string()) };
                match cx.step("delete", delete).await? {
                    Ok(count) => Ok(given(&decided, count, "They are deleted.")),
                    Err(error) => Ok(wrong(error)),
                }
            }
            _ => Ok(passed_on(&decided)),
        }
    }

    /// Asks a person for the tempo, 40 to 200 BPM
    #[tool(output_schema = schema_for_output::<AskResult>())]
    async fn get_tempo(&self, cx: ToolContext) -> Result<CallToolResult, ErrorData> {
        let decided = cx
            .elicitor()
            .number("Tempo in BPM?", 40.0..=200.0)
            .decided()
            .await?;
        Ok(match &decided.outcome {
            Outcome::Accepted(tempo) => given(&decided, tempo, "Use this tempo."),
            outcome if nobody(outcome) => {
                let why = "Nobody could be asked; 120 BPM is used.";
                stand_in(&decided.decision, TEMPO, why)
            }
            _ => passed_on(&decided),
        })
    }

    /// Lets a person pick the key
    #[tool(output_schema = schema_for_output::<AskResult>())]
    async fn pick_key(&self, cx: ToolContext) -> Result<CallToolResult, ErrorData> {
        let decided = cx.elicitor().choose("Which key?", KEYS).decided().await?;
        Ok(match &decided.outcome {
            Outcome::Accepted(key) => given(&decided, key, "Use this key."),
            outcome if nobody(outcome) => {
                let why = "Nobody could be asked; the key of C is used.";
                stand_in(&decided.decision, KEYS[0], why)
            }
            _ => passed_on(&decided),
        })
    }

    /// Lets a person rate a clip, one to five stars
    #[tool(output_schema = schema_for_output::<AskResult>())]
    async fn rate_clip(
        &self,
        cx: ToolContext,
        Parameters(OneClip { clip }): Parameters<OneClip>,
    ) -> Result<CallToolResult, ErrorData> {
        if let Err(error) = self.clips.get(&clip) {
            return Ok(wrong(error));
        }
        let asked = cx.elicitor().rating(format!("How good is **{clip}**?"), 5);
        let decided = asked.decided().await?;
        match &decided.outcome {
            Outcome::Accepted(stars) => {
                let rate = async { self.clips.rate(&clip, *stars).map_err(|e| e.to_string()) };
                match cx.step("rate", rate).await? {
                    Ok(()) => Ok(given(&decided, stars, "The rating is saved.")),
                    Err(error) => Ok(wrong(error)),
                }
            }
            outcome if nobody(outcome) => {
                let why = "Nobody could be asked; the clip is not rated.";
                Ok(stand_in(&decided.decision, (), why))
            }
            _ => Ok(passed_on(&decided)),
        }
    }

    /// Makes a clip: asks a person for tempo and key together, then for its name
    #[tool(output_schema = schema_for_output::<AskResult>())]
    async fn new_clip(&self, cx: ToolContext) -> Result<CallToolResult, ErrorData> {
        let elicitor = cx.elicitor();
        let (tempo, key) = tokio::try_join!(
            elicitor.number("Tempo in BPM?", 40.0..=200.0).decided(),
            elicitor.choose("Which key?", KEYS).decided(),
        )?;
        let (Outcome::Accepted(bpm), Outcome::Accepted(chord)) = (&tempo.outcome, &key.outcome)
        else {
            return Ok(match &tempo.outcome {
                Outcome::Accepted(_) => passed_on(&key),
                _ => passed_on(&tempo),
            });
        };
        let named = elicitor.text_input("What should the clip be called?", "name");
        let named = named.decided().await?;
        let Outcome::Accepted(name) = &named.outcome else {
            return Ok(passed_on(&named));
        };
        let clip = Clip {
            tempo: *bpm,
            key: chord.clone(),
            rating: None,
        };
        let create = async { self.clips.create(name, &clip).map_err(|e| e.to_string()) };
        match cx.step("create", create).await? {
            Ok(()) => Ok(given(&named, name, "The clip was made.")),
            Err(error) => Ok(wrong(error)),
        }
    }
}

#[tool_handler(router = self.router)]
impl ServerHandler for Studio {
    fn get_info(&self) -> ServerConfig {
        let mut info = ServerConfig::new(ServerCapabilities::builder().enable_tools().build());
        info.server_info = Implementation::new("holdpoint-studio", env!("CARGO_PKG_VERSION"));
        info
    }
}

/// A wrong argument: the agent learns what is wrong with it, and nothing was asked or done.
fn wrong(what: impl ToString) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(what.to_string())])
}
