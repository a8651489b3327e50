//! What a reply brings to show that a person gave it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// What a reply brings to show that a person gave it, and what speaks against it. The name of a channel
/// is not evidence: a reply whose presence says nothing settles nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Presence {
    /// Since when the surface that replies had the whole ask in view; none where it showed nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown_at: Option<Timestamp>,
    /// What the person did to answer; none where nothing is known of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gesture: Option<Gesture>,
    /// It was given at a controlling terminal.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub terminal: bool,
    /// The agent whose marks the replying process or its parents carry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The fields that the surface did not show, since it cannot leave them empty: what they say was
    /// not asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

/// What a person did to answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Gesture {
    /// A form of the agent's client was sent: what was done in it is not known here.
    Form,
    /// A control of this ask was used.
    Chosen,
    /// The button was held down.
    Held,
    /// This was typed as the ask's word.
    Word(String),
}

impl Presence {
    /// A client's form, which was sent to the client at this time.
    pub fn in_form(shown_at: Timestamp) -> Self {
        Self::seen(shown_at, Gesture::Form)
    }

    /// A surface that has shown the whole ask since this time, and what was done on it.
    pub fn seen(shown_at: Timestamp, gesture: Gesture) -> Self {
        Self {
            shown_at: Some(shown_at),
            gesture: Some(gesture),
            ..Self::default()
        }
    }

    /// The same, at a controlling terminal.
    pub fn at_terminal(self) -> Self {
        Self {
            terminal: true,
            ..self
        }
    }

    /// The same, from inside this agent, if it is inside one.
    pub fn inside(self, agent: Option<String>) -> Self {
        Self { agent, ..self }
    }

    /// Whether it says nothing at all.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
