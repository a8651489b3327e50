//! Answers one ask, with what the person says beside the answer.

use super::{
    error::{ApiError, Body},
    presence::Said,
};
use crate::{
    gate::{Gate, Visitor},
    people::Person,
    server::{LARGEST_BODY, Page},
    tokens::Token,
    view::DecisionView,
};
use axum::{Extension, Json, extract::State};
use holdpoint::{
    Answer, AskId, ChannelKind, FieldError, Form, Presence, Replier, Reply, ReplyResult, Review,
    review::Comment,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What the person did, read as strictly as a client's reply.
pub(crate) use holdpoint::ReplyAction as Action;

/// The most characters of a reason.
const LONGEST_REASON: usize = 4000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Response {
    ask_id: String,
    action: Action,
    content: Option<Answer>,
    reason: Option<String>,
    pin: Option<String>,
    presence: Option<Map<String, Value>>,
    /// What the person says about places in what was shown.
    #[serde(default)]
    comments: Vec<Comment>,
    /// The whole text as the person wants it, where the ask has one that can be edited.
    edited: Option<String>,
}

/// What became of a reply.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReplyView {
    pub result: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<DecisionView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldError>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
    /// Why it was not taken, for the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// Takes a person's answer to one ask.
pub(crate) async fn respond(
    State(gate): State<Gate>,
    Extension(visitor): Extension<Visitor>,
    Body(response): Body<Response>,
) -> Result<Json<ReplyView>, ApiError> {
    if response.content.as_ref().is_some_and(is_too_large) {
        let message = "The answer is too large: shorten what is filled in, or give it as a file.";
        return Err(ApiError::too_large(message));
    }
    let reply = build_reply(response.action, response.content, response.reason)?;
    let said = response.presence.as_ref().map(Said::read).transpose()?;
    let page = &gate.page;
    let record = page.record(&response.ask_id).await?;
    if let Reply::Accept { content } = &reply {
        let errors = page.check_files(&record, content).await?;
        if !errors.is_empty() {
            return Ok(Json(ReplyView::invalid(errors)));
        }
    }
    let mut review = Review::default();
    review.comments = response.comments;
    if let Some(text) = response.edited {
        let Some(editable) = &record.ask.editable else {
            let fault = FieldError::new("edited", "Nothing in this ask can be edited.");
            return Ok(Json(ReplyView::invalid(vec![fault])));
        };
        review.edited = editable.edited(text);
    }
    let presence = page.presence(&record, said.as_ref()).await?;
    let replier = match visitor {
        Visitor::Browser(person) => page.replier(person, response.pin, presence),
        Visitor::Program(token) => replier_of_program(token),
    };
    let taken = page
        .desk()
        .reply_with_review(record.id, replier, reply, review);
    Ok(Json(ReplyView::on(&record.ask.form, taken.await?)))
}

/// What is filled in has the limit of every other request; only comments and an edited text may be larger.
fn is_too_large(content: &Answer) -> bool {
    serde_json::to_vec(content).is_ok_and(|json| json.len() > LARGEST_BODY)
}

/// Who answers where a program does: its token. It brings nothing that shows a person, so that what needs one is
/// refused.
fn replier_of_program(token: Token) -> Replier {
    Replier::new(ChannelKind::Token, Some(token.name), Presence::default())
}

/// Builds the reply from an action and its parts.
pub(crate) fn build_reply(
    action: Action,
    content: Option<Answer>,
    reason: Option<String>,
) -> Result<Reply, ApiError> {
    let reason = reason.filter(|reason| !reason.trim().is_empty());
    if reason
        .as_ref()
        .is_some_and(|reason| reason.chars().count() > LONGEST_REASON)
    {
        let message = format!("The reason is too long: at most {LONGEST_REASON} characters.");
        return Err(ApiError::bad_request(message));
    }
    Ok(match action {
        Action::Accept => Reply::Accept {
            content: content.unwrap_or_default(),
        },
        Action::Decline => Reply::Decline { reason },
        Action::Cancel => Reply::Cancel,
    })
}

impl Page {
    /// Who answers in a browser: the person whose key it was opened with, or the page's user.
    pub(crate) fn replier(
        &self,
        person: Option<Person>,
        pin: Option<String>,
        presence: Presence,
    ) -> Replier {
        let user = self.inbox().user().map(str::to_owned);
        let mut replier = Replier::new(ChannelKind::Inbox, user, presence);
        if let Some(person) = person {
            replier = replier.as_person(person.name);
        }
        replier.pin = pin.filter(|pin| !pin.is_empty());
        replier
    }

    /// Gives a reply to the desk.
    pub(crate) async fn reply(
        &self,
        id: AskId,
        reply: Reply,
        replier: Replier,
    ) -> Result<ReplyView, ApiError> {
        let taken = self.desk().reply(id, replier, reply).await?;
        Ok(ReplyView::on(&Form::new(), taken))
    }
}

impl ReplyView {
    fn new(result: &'static str) -> Self {
        Self {
            result,
            decision: None,
            errors: Vec::new(),
            retry_after_ms: None,
            message: None,
        }
    }

    pub fn invalid(errors: Vec<FieldError>) -> Self {
        Self {
            errors,
            ..Self::new("invalid")
        }
    }

    /// What became of a reply to this form.
    fn on(form: &Form, result: ReplyResult) -> Self {
        match result {
            ReplyResult::Settled(decision) => Self {
                decision: Some(DecisionView::on(form, &decision)),
                ..Self::new("settled")
            },
            ReplyResult::Late(decision) => Self {
                decision: Some(DecisionView::on(form, &decision)),
                ..Self::new("late")
            },
            ReplyResult::Invalid(errors) => Self::invalid(errors),
            ReplyResult::PinNeeded => Self::new("pin_needed"),
            ReplyResult::WrongPin { retry_after } => Self {
                retry_after_ms: u64::try_from(retry_after.as_millis()).ok(),
                ..Self::new("wrong_pin")
            },
            ReplyResult::NotTaken(refusal) => Self {
                message: Some(format!("Nothing was decided: {}.", refusal.reason())),
                ..Self::new(refusal.as_str())
            },
            // Opening an address does not happen to an answer from the page; whatever else there is leaves the
            // ask open, as that does.
            _ => Self::new("open"),
        }
    }
}
