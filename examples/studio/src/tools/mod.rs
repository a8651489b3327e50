//! What agents call.
//!
//! - `inputs`: a variation, a tempo, a key: questions that a person may skip
//! - `naming`: a name, which the client's model may propose
//! - `edits`: clips that are made, rated and deleted
//! - `export`: long work, with progress

mod edits;
mod export;
mod inputs;
mod naming;

pub(crate) use inputs::ask_key;

use crate::Studio;
use rmcp::handler::server::router::tool::ToolRouter;
use schemars::JsonSchema;
use serde::Deserialize;

/// All tools.
pub fn router() -> ToolRouter<Studio> {
    Studio::inputs() + Studio::naming() + Studio::edits() + Studio::exports()
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
