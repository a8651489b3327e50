//! Turns a form into MCP's `requestedSchema` for one client, and the client's answer back.

mod choices;
mod description;
mod options;
mod property;
mod raise;

use crate::{
    Answer, Ask, Field, Form, Kind,
    describe::first_line,
    profile::{ClientProfile, Numbers},
    revision::Revision,
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
/// let codex = ClientProfile::for_client("codex-mcp-client");
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
pub struct Raiser {
    wires: Arc<[Wire]>,
    left_out: Arc<[String]>,
}

/// Why a form cannot go to a client as a form: it goes to the inbox instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoForm {
    /// Secrets, files and links are never sent by form.
    #[error("a client's form cannot carry {}: secrets, files and links are never sent by form", .fields.join(", "))]
    Unsendable {
        /// The names of the fields.
        fields: Vec<String>,
    },
    /// The client may accept a form without fields by itself.
    #[error("this client may accept a form without fields in the person's name")]
    Empty,
    /// The client could say yes to what is dangerous in the person's name, or by an accept with nothing in it.
    #[error(
        "this client may answer in the person's name, or with nothing filled in, and this is dangerous"
    )]
    Dangerous,
}

/// What is known of the ask around a form.
#[derive(Default)]
struct Context<'a> {
    /// What a confirm without a title asks.
    question: Option<String>,
    /// What is said about the danger of a yes, and what is typed for one.
    danger: Option<(&'a str, &'a str)>,
    /// What was valid in a reply that is asked for again.
    kept: Option<&'a Answer>,
}

/// The longest question that is a title too.
const LONGEST_TITLE: usize = 120;

impl Form {
    /// Turns the form into what this client can show.
    ///
    /// A field that decides never has a `default` there, in any version and for any client; and where
    /// the client may select something by itself, what it selects is no answer.
    ///
    /// # Errors
    /// When the form has no lowering for this client; the error says why.
    pub fn lower(&self, profile: &ClientProfile, revision: Revision) -> Result<Lowered, NoForm> {
        self.lower_in(Context::default(), profile, revision)
    }

    fn lower_in(
        &self,
        context: Context<'_>,
        profile: &ClientProfile,
        revision: Revision,
    ) -> Result<Lowered, NoForm> {
        let unsendable = |kind: &Kind| matches!(kind, Kind::Secret | Kind::File(_) | Kind::Link(_));
        let fields = self.fields.iter().filter(|field| unsendable(&field.kind));
        let fields: Vec<_> = fields.map(|field| field.name.clone()).collect();
        if !fields.is_empty() {
            return Err(NoForm::Unsendable { fields });
        }
        if self.fields.is_empty() && profile.accepts_empty_forms {
            return Err(NoForm::Empty);
        }
        let mut writer = Writer::new(self, profile, revision, context);
        let decides = self.fields.iter().any(|field| field.decides());
        let (mut wires, mut left_out) = (Vec::new(), Vec::new());
        for field in &self.fields {
            let blocks =
                !profile.optional_text && !field.required && is_typed(&field.kind, profile);
            if blocks && decides && field.separate {
                left_out.push(field.name.clone());
            } else {
                wires.push(writer.field(field, blocks));
            }
        }
        Ok(Lowered {
            raiser: Raiser {
                wires: wires.into(),
                left_out: left_out.into(),
            },
            schema: writer.finish(),
        })
    }

    /// Whether all that it decides is one yes or no.
    fn is_one_confirm(&self) -> bool {
        let mut deciding = self.fields.iter().filter(|field| field.decides());
        let first = deciding.next();
        deciding.next().is_none() && first.is_some_and(|field| matches!(field.kind, Kind::Confirm))
    }
}

impl Ask {
    /// Turns what is asked for into what this client can show, as [`Form::lower`] does. A confirm
    /// without a title asks the question; what is dangerous says so, and a yes to it is typed where the
    /// client may select one by itself. `kept` is what was valid in a reply that is asked for again:
    /// what of it does not decide is filled in.
    ///
    /// # Errors
    /// When there is no lowering for this client; the error says why.
    pub fn lower(
        &self,
        profile: &ClientProfile,
        revision: Revision,
        kept: Option<&Answer>,
    ) -> Result<Lowered, NoForm> {
        let typed = !profile.preselects_first || self.form.is_one_confirm();
        // An accept without anything in it is no yes to what is dangerous.
        let can_be_empty = self.form.fields.iter().all(|field| !field.required);
        if self.dangerous && (profile.answers_by_hook || !typed || can_be_empty) {
            return Err(NoForm::Dangerous);
        }
        let question = first_line(&self.message);
        let fits = (1..=LONGEST_TITLE).contains(&question.chars().count());
        let question = if fits { question } else { "Yes or no?".into() };
        let confirms = |field: &&Field| field.kind == Kind::Confirm;
        let context = Context {
            // Several of one title could not be told apart: their names can.
            question: (self.form.fields.iter().filter(confirms).count() == 1).then_some(question),
            danger: self.danger().map(|danger| (danger, self.word())),
            kept,
        };
        self.form.lower_in(context, profile, revision)
    }
}

/// Whether an answer to it is typed in this client.
fn is_typed(kind: &Kind, profile: &ClientProfile) -> bool {
    match kind {
        Kind::Text(_) | Kind::Date(_) | Kind::DateTime(_) => true,
        Kind::Number(_) | Kind::Integer(_) => profile.numbers == Numbers::Text,
        _ => false,
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
    /// It undoes what was done for the client (numbers as text, words for yes and no) and nothing
    /// else that could be a yes. What it cannot read it leaves as it is, and what no field knows too,
    /// so that validation can name it. What comes under the name of a field that travels under another
    /// one, or not at all, was not asked for so: it becomes what every field refuses.
    pub fn raise(&self, content: &Map<String, Value>) -> Answer {
        let mut rest = content.clone();
        let mut answer = Answer::new();
        for wire in self.wires.iter() {
            if let Some(value) = wire.raise(&mut rest) {
                answer.insert(wire.name.clone(), value);
            }
        }
        for (name, value) in rest {
            let is_field = self.wires.iter().any(|wire| wire.name == name);
            if !is_field && !self.left_out.contains(&name) {
                answer.insert(name, value);
            } else if !value.is_null() {
                answer.insert(name, json!({}));
            }
        }
        answer
    }

    /// The ask's word, as it was typed in the form for a yes to what is dangerous.
    pub fn typed_word<'a>(&self, content: &'a Map<String, Value>) -> Option<&'a str> {
        self.wires.iter().find_map(|wire| wire.typed_word(content))
    }

    /// The fields that the client was not shown, since it cannot leave them empty.
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }
}

impl From<Lowered> for Value {
    fn from(lowered: Lowered) -> Self {
        json!(lowered.schema)
    }
}

#[cfg(test)]
mod tests;
