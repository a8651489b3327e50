//! A permission that is remembered, as the page sees it.

use holdpoint::{AskId, Field, GrantId, Kind, Outcome, Remembered, describe, visible};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// A permission that is remembered.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RememberedView {
    id: GrantId,
    /// The ask whose answer gave it.
    ask_id: AskId,
    /// What that was about.
    title: String,
    /// What the person chose, as they saw it.
    label: String,
    /// What they saw under it.
    description: Option<String>,
    /// Whose it is: the agent's client.
    client: Option<String>,
    /// The one workspace in which it is good; in all where there is none.
    workspace: Option<String>,
    /// It is good in one session only.
    session: bool,
    given_at: Timestamp,
    given_by: Option<String>,
    /// When it ends by itself.
    until: Option<Timestamp>,
}

/// Where a permission is good, in what whoever asked keeps of it.
#[derive(Deserialize)]
struct Kept {
    holder: Holder,
}

#[derive(Deserialize)]
struct Holder {
    workspace: Option<String>,
    session: Option<String>,
}

impl RememberedView {
    /// The view of what is remembered.
    pub fn new(remembered: &Remembered) -> Option<Self> {
        let asked = &remembered.ask;
        let decision = asked.decision.as_ref()?;
        let Outcome::Accepted(answer) = &decision.outcome else {
            return None;
        };
        let field = &asked.ask.remember.as_ref()?.field;
        let chosen = answer.get(field)?.as_str()?;
        let (label, description) = shown(&asked.ask.form.fields, field, chosen);
        let text = |text: &str| visible(text).into_owned();
        let origin = &asked.origin;
        let kept: Option<Kept> = serde_json::from_value(remembered.scope.scope.clone()).ok();
        // Where it is not told apart, what was asked about says where.
        let (workspace, session) = match kept {
            Some(Kept { holder }) => (holder.workspace, holder.session.is_some()),
            None => (origin.workspace.clone(), false),
        };
        Some(Self {
            id: remembered.id,
            ask_id: asked.id,
            title: asked.ask.title(),
            label,
            description,
            client: origin.client.as_deref().map(describe::one_line),
            workspace: workspace.as_deref().map(text),
            session,
            given_at: remembered.given_at,
            given_by: decision.answered_by.as_deref().map(text),
            until: remembered.until,
        })
    }

    /// Whether all these words, in small letters, are in it.
    pub fn has(&self, words: &[&str]) -> bool {
        let texts = [
            Some(&self.title),
            Some(&self.label),
            self.description.as_ref(),
            self.client.as_ref(),
            self.workspace.as_ref(),
            self.given_by.as_ref(),
        ];
        let texts: Vec<_> = texts
            .into_iter()
            .flatten()
            .map(|text| text.to_lowercase())
            .collect();
        words
            .iter()
            .all(|word| texts.iter().any(|text| text.contains(word)))
    }
}

/// What a person saw of the option that they chose.
fn shown(fields: &[Field], name: &str, chosen: &str) -> (String, Option<String>) {
    let field = fields.iter().find(|field| field.name == name);
    let option = field.and_then(|field| match &field.kind {
        Kind::Choice(choice) => choice.options.iter().find(|option| option.value == chosen),
        _ => None,
    });
    let label = option.and_then(|option| option.label.as_deref());
    let description = option.and_then(|option| option.description.as_deref());
    let text = |text: &str| visible(text).into_owned();
    (text(label.unwrap_or(chosen)), description.map(text))
}
