//! The rounds before an ask, as the page sees them: what was decided and asked for then, and what has changed since.

use crate::render;
use holdpoint::{
    Answer, Ask, AskId, Decision, Field, Form, Kind, Outcome, describe,
    field::{Pick, Tone},
    journal::AskRecord,
    visible,
};
use holdpoint_ask::review::{Comment, Place};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

/// Which showing of the same thing an ask is, and what became of those before.
#[derive(Debug, Clone, Serialize)]
pub struct RoundView {
    /// What is shown.
    pub about: String,
    /// The first is 1.
    pub number: u32,
    /// The rounds before, the newest first.
    pub past: Vec<PastRound>,
    /// What has changed since the last of them, as harmless HTML; none where nothing has.
    pub changes: Option<String>,
}

/// A round before.
#[derive(Debug, Clone, Serialize)]
pub struct PastRound {
    /// Its ask.
    pub id: AskId,
    /// The first is 1.
    pub number: u32,
    /// What was decided, in the ask's own words.
    pub verdict: String,
    /// Which way that went; none where no person decided.
    pub tone: Option<Tone>,
    /// Who decided.
    pub by: Option<String>,
    /// When; none where it is still open.
    pub at: Option<Timestamp>,
    /// What else was answered.
    pub said: Vec<Said>,
    /// The comments that were made.
    pub comments: Vec<PastComment>,
}

/// An answer to one field, in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Said {
    /// What the field is called.
    pub label: String,
    /// What was answered.
    pub text: String,
}

/// A comment of a round before.
#[derive(Debug, Clone, Serialize)]
pub struct PastComment {
    /// Where.
    #[serde(rename = "where")]
    pub place: Place,
    /// What stood there.
    pub quote: Option<String>,
    /// What the person said.
    pub text: String,
    /// What they would have written there instead.
    pub suggestion: Option<String>,
    /// What stood there is there no more.
    pub changed: bool,
}

impl RoundView {
    /// Makes the view of an ask's round; `past` are the asks of the rounds before, the newest first.
    pub fn new(ask: &Ask, past: &[AskRecord]) -> Option<Self> {
        let round = ask.round.as_ref()?;
        let shown = ShownNow::new(ask);
        Some(Self {
            about: describe::one_line(&round.about),
            number: round.number,
            changes: past.first().and_then(|last| changes(&last.ask, ask)),
            past: past
                .iter()
                .map(|record| PastRound::new(record, &shown))
                .collect(),
        })
    }
}

impl PastRound {
    fn new(record: &AskRecord, shown_now: &ShownNow) -> Self {
        let (ask, decision) = (&record.ask, record.decision.as_ref());
        let (verdict, tone) = match decision {
            Some(decision) => describe::verdict(&ask.form, decision),
            None => ("Not decided yet".to_owned(), None),
        };
        let review = decision.and_then(|decision| decision.review.as_deref());
        let comments = review.map_or(&[][..], |review| &review.comments);
        Self {
            id: record.id,
            number: ask.round.as_ref().map_or(1, |round| round.number),
            verdict,
            tone,
            by: decision
                .and_then(|decision| decision.answered_by.as_deref())
                .map(describe::one_line),
            at: decision.map(|decision| decision.at),
            said: decision.map_or_else(Vec::new, |decision| said(&ask.form, decision)),
            comments: comments
                .iter()
                .map(|comment| PastComment::new(comment, shown_now))
                .collect(),
        }
    }
}

impl PastComment {
    fn new(comment: &Comment, shown_now: &ShownNow) -> Self {
        let quote = comment.quote.as_deref().map(seen);
        let stands = |quote: &String| shown_now.has(&comment.place, quote);
        Self {
            place: visible_place(&comment.place),
            changed: quote.as_ref().is_some_and(|quote| !stands(quote)),
            quote,
            text: seen(&comment.text),
            suggestion: comment.suggestion.as_deref().map(seen),
        }
    }
}

/// The place, with nothing hidden in its names.
pub(crate) fn visible_place(place: &Place) -> Place {
    let mut place = place.clone();
    for name in place.headings.iter_mut().chain(place.file.as_mut()) {
        *name = describe::one_line(name);
    }
    place
}

/// What was answered beside the ending, in words.
fn said(form: &Form, decision: &Decision) -> Vec<Said> {
    let answer = match &decision.outcome {
        Outcome::Accepted(answer) => answer,
        outcome => {
            let reason = describe::reason(outcome).map(|text| Said {
                label: "Reason".to_owned(),
                text,
            });
            return reason.into_iter().collect();
        }
    };
    let ending = form.endings().map(|(field, _)| field.name.as_str());
    let others = form.fields.iter().filter(|field| {
        Some(field.name.as_str()) != ending && !matches!(field.kind, Kind::Confirm | Kind::Secret)
    });
    others
        .filter_map(|field| field_said(field, answer))
        .collect()
}

fn field_said(field: &Field, answer: &Answer) -> Option<Said> {
    let value = answer.get(&field.name)?;
    let text = match (&field.kind, value) {
        (_, Value::Null) => return None,
        (Kind::Choice(choice), Value::String(value)) => label(&choice.options, value),
        (Kind::Choices(choices), Value::Array(values)) => {
            let labels = values.iter().filter_map(Value::as_str);
            let labels: Vec<_> = labels.map(|value| label(&choices.options, value)).collect();
            labels.join(", ")
        }
        (Kind::File(_), Value::Object(file)) => file.get("name")?.as_str()?.to_owned(),
        (_, Value::Bool(yes)) => if *yes { "Yes" } else { "No" }.to_owned(),
        (_, Value::String(text)) => text.clone(),
        (_, other) => other.to_string(),
    };
    (!text.trim().is_empty()).then(|| Said {
        label: describe::one_line(field.title.as_deref().unwrap_or(&field.name)),
        text: seen(&text),
    })
}

fn label(options: &[Pick], value: &str) -> String {
    let option = options.iter().find(|option| option.value == value);
    let label = option.and_then(|option| option.label.as_deref());
    label.unwrap_or(value).to_owned()
}

/// What has changed from one ask to the next: in the text that can be edited where both have one, for that is
/// the thing itself, and else in what is shown.
fn changes(old: &Ask, new: &Ask) -> Option<String> {
    match (&old.editable, &new.editable) {
        (Some(old), Some(new)) => render::changes(&old.text, &new.text),
        _ => render::changes(&old.shown(), &new.shown()),
    }
}

/// All text that an ask shows, in which a quote may stand.
struct ShownNow {
    text: String,
    with_diffs: String,
}

impl ShownNow {
    fn new(ask: &Ask) -> Self {
        let editable = ask.editable.as_ref().map_or("", |text| &text.text);
        let all = format!("{}\n\n{editable}", ask.shown());
        Self {
            text: words(&render::plain(&all)),
            with_diffs: words(&render::plain_with_diffs(&all)),
        }
    }

    /// Whether a quote still stands. One of a text does not stand in a diff that takes it away.
    fn has(&self, place: &Place, quote: &str) -> bool {
        let shown = match place.file {
            Some(_) => &self.with_diffs,
            None => &self.text,
        };
        shown.contains(&words(quote))
    }
}

/// The text with its whitespace made one space each.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn seen(text: &str) -> String {
    visible(text).into_owned()
}
