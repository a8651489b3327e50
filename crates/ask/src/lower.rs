//! Turns a form into MCP's `requestedSchema` for one client, and the client's answer back.

mod description;
mod property;
mod raise;

use crate::{
    Answer, Form, Kind,
    profile::{ClientProfile, Revision, Shows},
};
pub(crate) use description::OTHER;
use property::Writer;
use raise::Wire;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// A form as one client in one protocol version can show it.
///
/// ```
/// use holdpoint_ask::{ClientProfile, Form, Revision};
/// use serde_json::json;
///
/// let form = Form::number_input(20.0..=200.0);
/// let codex = ClientProfile::for_client("codex-mcp-client", None);
/// let lowered = form.lower(&codex, Revision::V2025_06_18).unwrap();
/// assert_eq!(lowered.schema()["properties"]["value"]["type"], "string");
///
/// let content = json!({"value": "120"});
/// let answer = lowered.raise(content.as_object().unwrap());
/// assert_eq!(form.validate(&answer).unwrap()["value"], 120);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Lowered {
    schema: Map<String, Value>,
    raiser: Raiser,
}

/// Brings a client's reply back to the form's own shape: all of a lowered form that is needed while
/// a person thinks.
#[derive(Debug, Clone, PartialEq)]
pub struct Raiser(Arc<[Wire]>);

/// Why a form cannot go to a client as a form: it goes to the inbox instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoForm {
    /// Secrets, files and links are never sent by form.
    #[error("a client's form cannot carry {}: secrets, files and links are never sent by form", .fields.join(", "))]
    Unsendable {
        /// The names of the fields.
        fields: Vec<String>,
    },
    /// The client would not show these fields, or the whole form because of them.
    #[error("this client does not show {}: it shows booleans only", .fields.join(", "))]
    NotShown {
        /// The names of the fields.
        fields: Vec<String>,
    },
    /// The client may accept a form without fields by itself.
    #[error("this client may accept a form without fields in the person's name")]
    Empty,
}

impl Form {
    /// Turns the form into what this client can show.
    ///
    /// A field that decides never has a `default` there, in any version and for any client.
    ///
    /// # Errors
    /// When the form has no lowering for this client; the error says why.
    pub fn lower(&self, profile: &ClientProfile, revision: Revision) -> Result<Lowered, NoForm> {
        let names = |wanted: fn(&Kind) -> bool| {
            let fields = self.fields.iter().filter(|field| wanted(&field.kind));
            let names: Vec<_> = fields.map(|field| field.name.clone()).collect();
            Some(names).filter(|names| !names.is_empty())
        };
        let unsendable = |kind: &Kind| matches!(kind, Kind::Secret | Kind::File(_) | Kind::Link(_));
        if let Some(fields) = names(unsendable) {
            return Err(NoForm::Unsendable { fields });
        }
        if self.fields.is_empty() && profile.accepts_empty_forms {
            return Err(NoForm::Empty);
        }
        if profile.shows == Shows::Booleans
            && let Some(fields) = names(|kind| !matches!(kind, Kind::Toggle(_) | Kind::Confirm))
        {
            return Err(NoForm::NotShown { fields });
        }
        let mut writer = Writer::new(self, profile, revision);
        let wires = self.fields.iter().map(|field| Wire {
            name: field.name.clone(),
            shape: writer.field(field),
        });
        Ok(Lowered {
            raiser: Raiser(wires.collect()),
            schema: writer.finish(),
        })
    }
}

impl Lowered {
    /// The `requestedSchema`.
    pub fn schema(&self) -> &Map<String, Value> {
        &self.schema
    }

    /// What brings a reply back to the form's own shape.
    pub fn raiser(&self) -> &Raiser {
        &self.raiser
    }

    /// As [`Raiser::raise`].
    pub fn raise(&self, content: &Map<String, Value>) -> Answer {
        self.raiser.raise(content)
    }
}

impl Raiser {
    /// Gives the content of a reply in the form's own shape, unchecked: [`Form::validate`] is next.
    ///
    /// It undoes what clients do to values (numbers as text, booleans for options) and nothing
    /// that could be a yes: a decision is taken as it came. What it cannot read it leaves as it
    /// is, and what no field knows too, so that validation can name it.
    pub fn raise(&self, content: &Map<String, Value>) -> Answer {
        let mut rest = content.clone();
        let mut answer = Answer::new();
        for wire in self.0.iter() {
            if let Some(value) = wire.raise(&mut rest) {
                answer.insert(wire.name.clone(), value);
            }
        }
        answer.extend(rest);
        answer
    }
}

impl From<Lowered> for Value {
    fn from(lowered: Lowered) -> Self {
        json!(lowered.schema)
    }
}

#[cfg(test)]
mod tests;
