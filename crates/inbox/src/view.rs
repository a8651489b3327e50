//! Views: an ask and its decision as the page sees them. The page's script relies on these names.

use crate::{
    alike::alike,
    ask_kind::AskKind,
    render::{self, DiffView, Heading, Shown},
    round_view::{RoundView, visible_place},
};
use holdpoint::{
    Answer, Ask, AskId, CallId, ChannelKind, Decision, Digest, Field, FieldError, Form, Kind,
    Outcome, Settings, describe,
    field::{Pick, Tone},
    journal::AskRecord,
    visible,
};
use holdpoint_ask::{
    review::{Comment, EditableText, Edited},
    short_id,
};
use jiff::Timestamp;
use serde::Serialize;

/// One ask, open or ended.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AskView {
    /// Its id.
    pub id: AskId,
    /// What is shown of that.
    pub short_id: String,
    /// The call that asks; none for an ask from a shell.
    pub call: Option<CallId>,
    /// What lists call it, in one line.
    pub title: String,
    /// What kind of decision it wants.
    pub kind: AskKind,
    /// The message as harmless HTML.
    pub message: String,
    /// The details as harmless HTML.
    pub details: Option<String>,
    /// The headings of message and details, in order.
    pub outline: Vec<Heading>,
    /// The diffs in message and details; the HTML keeps a place for each.
    pub diffs: Vec<DiffView>,
    /// Which showing of the same thing it is, and what became of those before.
    pub round: Option<RoundView>,
    /// The text that the person may edit, as it is: an edited one replaces it.
    pub editable: Option<EditableText>,
    /// The message as plain text, hidden characters made visible.
    pub text: String,
    /// What is asked for.
    pub form: FormView,
    /// It counts in person only: a harness prompts for it, or it lifts a guard.
    pub in_person: bool,
    /// A yes cannot be taken back.
    pub dangerous: bool,
    /// What is said about the danger; none where it is not dangerous.
    pub consequence: Option<String>,
    /// What is typed for a yes, where it is dangerous and the button is not held.
    pub word: Option<String>,
    /// How long it must be in view before a yes counts.
    pub reading_ms: u64,
    /// What it has in common with asks that can be answered together with it; none where it is answered alone.
    pub together: Option<Digest>,
    /// An answer needs the PIN.
    pub pin_needed: bool,
    /// Who asks.
    pub origin: OriginView,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// When it times out; never where there is none.
    pub deadline_at: Option<Timestamp>,
    /// Nobody at the agent's end waits for the answer any more.
    pub agent_gone: bool,
    /// What was wrong with the last reply.
    pub errors: Vec<FieldError>,
    /// How it ended; none while it is open.
    pub decision: Option<DecisionView>,
}

/// What is asked for.
#[derive(Debug, Clone, Serialize)]
pub struct FormView {
    /// The fields, in order.
    pub fields: Vec<FieldView>,
}

/// One field, as it is in the ask, with all its text made visible.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FieldView {
    /// The field. Each option has a label.
    #[serde(flatten)]
    pub field: Field,
    /// What it takes decides something: it is shown unselected.
    pub decides: bool,
    /// Its options end the ask by themselves.
    pub ends: bool,
    /// Its options are permissions that a yes can have remembered.
    #[serde(skip_serializing_if = "is_false")]
    pub remembers: bool,
    /// Its help as harmless HTML.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help_html: Option<String>,
}

/// Who asks, and from where.
#[derive(Debug, Clone, Serialize)]
pub struct OriginView {
    /// Who asks, in words: the server, and for which client.
    pub who: String,
    /// The server that asks.
    pub server: Option<String>,
    /// The agent's client, with its version.
    pub client: Option<String>,
    /// The tool or prompt.
    pub tool: Option<String>,
    /// The folder that the agent works in.
    pub workspace: Option<String>,
    /// The branch that is checked out there now.
    pub branch: Option<String>,
}

/// How an ask ended.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DecisionView {
    /// The word for the outcome: `accepted`, `declined`, …
    pub outcome: &'static str,
    /// Why, where somebody or something said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What was answered, without secrets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<Answer>,
    /// Through which channel; none where no reply ended it.
    pub channel: Option<ChannelKind>,
    /// Who answered.
    pub answered_by: Option<String>,
    /// When.
    pub at: Timestamp,
    /// From opening to the end.
    pub duration_ms: u64,
    /// The reply came faster than a person can read.
    pub fast: bool,
    /// All of that in one line for a person.
    pub words: String,
    /// What was decided, in the ask's own words: "Changes requested".
    pub verdict: String,
    /// Which way that goes; none where no person decided.
    pub tone: Option<Tone>,
    /// What the person remarked.
    pub comments: Vec<Comment>,
    /// The person's own version of the text that could be edited.
    pub edited: Option<Edited>,
}

impl AskView {
    /// Makes the view of a record; `past` are the asks of the rounds before, the newest first.
    pub fn new(
        record: &AskRecord,
        past: &[AskRecord],
        branch: Option<String>,
        pin_set: bool,
        settings: &Settings,
    ) -> Self {
        let ask = &record.ask;
        let shown = |text: &String| visible(text).into_owned();
        let Shown {
            message,
            details,
            outline,
            diffs,
        } = render::shown(&ask.message, ask.details.as_deref());
        Self {
            id: record.id,
            short_id: short_id(&record.id),
            call: record.call,
            title: ask.title(),
            kind: AskKind::of(ask),
            message,
            details,
            outline,
            diffs,
            round: RoundView::new(ask, past),
            editable: ask.editable.as_deref().cloned(),
            text: shown(&ask.message),
            form: FormView {
                fields: fields_of(ask),
            },
            in_person: ask.in_person,
            dangerous: ask.dangerous,
            consequence: ask.danger().map(|said| visible(said).into_owned()),
            word: ask.dangerous.then(|| ask.word().to_owned()),
            reading_ms: settings.reading_time(ask.dangerous).as_millis() as u64,
            together: alike(record).ok(),
            pin_needed: ask.dangerous && pin_set,
            origin: OriginView {
                who: describe::who_asks(&record.origin),
                server: record.origin.server.as_ref().map(shown),
                client: record.origin.client.as_ref().map(shown),
                tool: record.origin.tool.as_ref().map(shown),
                workspace: record.origin.workspace.as_ref().map(shown),
                branch,
            },
            opened_at: record.opened_at,
            deadline_at: record.deadline_at,
            agent_gone: record.agent_gone && record.decision.is_none(),
            errors: record.last_errors.clone(),
            decision: DecisionView::of(record),
        }
    }
}

/// The fields of an ask's form; marked are the one whose options end it, and the one of what can be remembered.
fn fields_of(ask: &Ask) -> Vec<FieldView> {
    let ends = ask.form.endings().map(|(field, _)| field.name.as_str());
    let remembers = ask.remember.as_ref().map(|remember| &*remember.field);
    let view = |field: &Field| FieldView {
        ends: ends == Some(&field.name),
        remembers: remembers == Some(&field.name),
        ..FieldView::new(field)
    };
    ask.form.fields.iter().map(view).collect()
}

fn is_false(value: &bool) -> bool {
    !value
}

impl FieldView {
    fn new(field: &Field) -> Self {
        let mut shown = field.clone();
        for text in [&mut shown.title, &mut shown.help].into_iter().flatten() {
            make_visible(text);
        }
        let texts: Vec<&mut String> = match &mut shown.kind {
            Kind::Text(text) => vec![&mut text.placeholder, &mut text.default]
                .into_iter()
                .flatten()
                .collect(),
            Kind::Choice(choice) => option_texts(&mut choice.options),
            Kind::Choices(choices) => option_texts(&mut choices.options),
            Kind::Number(number) => number.unit.iter_mut().collect(),
            Kind::Integer(integer) => integer.unit.iter_mut().collect(),
            Kind::Rating(rating) => vec![&mut rating.low_label, &mut rating.high_label]
                .into_iter()
                .flatten()
                .collect(),
            Kind::File(file) => file.accept.iter_mut().collect(),
            Kind::Link(link) => vec![&mut link.url],
            Kind::Secret | Kind::Toggle(_) | Kind::Confirm => Vec::new(),
            Kind::Date(_) | Kind::DateTime(_) => Vec::new(),
        };
        texts.into_iter().for_each(make_visible);
        Self {
            decides: field.decides(),
            ends: false,
            remembers: false,
            help_html: field.help.as_deref().map(render::markdown),
            field: shown,
        }
    }
}

/// The texts of the options that people see. Their values are checked elsewhere to be visible.
fn option_texts(options: &mut [Pick]) -> Vec<&mut String> {
    for option in options.iter_mut() {
        option.label.get_or_insert_with(|| option.value.clone());
    }
    options
        .iter_mut()
        .flat_map(|option| option.label.iter_mut().chain(option.description.iter_mut()))
        .collect()
}

fn make_visible(text: &mut String) {
    *text = visible(text).into_owned();
}

impl DecisionView {
    /// Makes the view of a record's decision; none while it is open.
    pub fn of(record: &AskRecord) -> Option<Self> {
        let decision = record.decision.as_ref()?;
        Some(Self::on(&record.ask.form, decision))
    }

    /// Makes the view of a decision on this form.
    pub fn on(form: &Form, decision: &Decision) -> Self {
        let (verdict, tone) = describe::verdict(form, decision);
        let review = decision.review.as_deref();
        let content = match &decision.outcome {
            Outcome::Accepted(answer) => Some(answer.clone()),
            _ => None,
        };
        Self {
            outcome: decision.outcome.status(),
            reason: describe::reason(&decision.outcome),
            content,
            channel: decision.channel,
            answered_by: decision.answered_by.clone(),
            at: decision.at,
            duration_ms: decision.duration_ms,
            fast: decision.fast,
            words: describe::decision_on(form, decision),
            verdict,
            tone,
            comments: review.map_or_else(Vec::new, |review| {
                review.comments.iter().map(visible_comment).collect()
            }),
            edited: review.and_then(|review| review.edited.clone()),
        }
    }
}

/// The comment, with nothing hidden in it.
fn visible_comment(comment: &Comment) -> Comment {
    let mut shown = comment.clone();
    shown.place = visible_place(&comment.place);
    make_visible(&mut shown.text);
    for text in [&mut shown.quote, &mut shown.suggestion]
        .into_iter()
        .flatten()
    {
        make_visible(text);
    }
    shown
}
