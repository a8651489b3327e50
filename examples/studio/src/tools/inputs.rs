//! Questions that a person may skip: a default stands in then, and the result says so.

use crate::{
    Studio,
    key::Key,
    results::{Asked, ask_optional, given, skipped},
};
use holdpoint::{
    Elicitor, Question, Stop, ToolContext,
    field::Pick,
    tool::{ToolError, ToolOutput},
    variants, visible,
};
use rmcp::{handler::server::wrapper::Parameters, tool, tool_router};
use schemars::JsonSchema;
use serde::Deserialize;

/// The tempo that stands in for one that nobody gave.
pub(super) const TEMPO: f64 = 120.0;

#[derive(Deserialize, JsonSchema)]
struct Variations {
    /// The variations to choose from: names, or names with what is said of them
    variations: Vec<Variation>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Variation {
    Name(String),
    Described {
        /// What comes back
        name: String,
        /// What the person sees
        label: Option<String>,
        /// A line that explains it
        description: Option<String>,
    },
}

#[tool_router(router = inputs, vis = "pub(super)")]
impl Studio {
    /// Lets a person choose one of several variations
    #[tool(output_schema = Asked::<String>::schema().into())]
    async fn select_variation(
        &self,
        cx: ToolContext,
        Parameters(Variations { variations }): Parameters<Variations>,
    ) -> Result<Asked<String>, Stop> {
        let picks: Vec<Pick> = variations.into_iter().map(Pick::from).collect();
        let first = picks.first().cloned();
        let first = first.ok_or_else(|| ToolError::argument("variations", "is empty"))?;
        let question = cx.elicitor().choose("Which variation?", picks);
        let (chosen, decision) = ask_optional(&cx, question).await?;
        Ok(match chosen {
            Some(chosen) => given(&decision, chosen, "Use this variation."),
            None => {
                let instead = format!("the first variation, {}, is used", visible(first.shown()));
                skipped(&cx, &decision, first.value, &instead).await
            }
        })
    }

    /// Asks a person for the tempo, 40 to 200 BPM
    #[tool(output_schema = Asked::<f64>::schema().into())]
    async fn get_tempo(&self, cx: ToolContext) -> Result<Asked<f64>, Stop> {
        let (tempo, decision) = ask_optional(&cx, ask_tempo(&cx.elicitor())).await?;
        Ok(match tempo {
            Some(tempo) => given(&decision, tempo, "Use this tempo."),
            None => skipped(&cx, &decision, TEMPO, "120 BPM is used").await,
        })
    }

    /// Lets a person pick the key
    #[tool(output_schema = Asked::<Key>::schema().into())]
    async fn pick_key(&self, cx: ToolContext) -> Result<Asked<Key>, Stop> {
        let (key, decision) = ask_optional(&cx, ask_key(&cx.elicitor())).await?;
        Ok(match key {
            Some(key) => given(&decision, key, "Use this key."),
            None => skipped(&cx, &decision, Key::default(), "C major is used").await,
        })
    }
}

pub(super) fn ask_tempo(elicitor: &Elicitor) -> Question<f64> {
    elicitor.number("Tempo in BPM?", 40.0..=200.0)
}

pub(crate) fn ask_key(elicitor: &Elicitor) -> Question<Key> {
    elicitor.choose("Which key?", variants::<Key>())
}

impl From<Variation> for Pick {
    fn from(variation: Variation) -> Self {
        match variation {
            Variation::Name(name) => Self::new(name),
            Variation::Described {
                name,
                label,
                description,
            } => {
                let mut pick = Self::new(name);
                (pick.label, pick.description) = (label, description);
                pick
            }
        }
    }
}
