//! Answers several asks at once: only asks of one agent that are alike and not dangerous.
//! What is wrong with the answer, or with how long one of them was in view, is wrong for all; one that ended
//! elsewhere meanwhile is told as that.

use super::{
    error::{ApiError, Body, ask_id},
    presence::Said,
    respond::{Action, ReplyView, build_reply},
};
use crate::{
    alike::alike,
    gate::{Gate, Visitor},
};
use axum::{Extension, Json, extract::State, http::StatusCode};
use holdpoint::{Answer, AskId, Reply, journal::AskRecord};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::HashSet;

/// The most asks at once: what a person can read before they answer.
const MOST: usize = 20;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Responses {
    ask_ids: Vec<String>,
    action: Action,
    content: Option<Answer>,
    reason: Option<String>,
    presence: Option<Map<String, Value>>,
}

#[derive(Serialize)]
pub(crate) struct RepliesView {
    results: Vec<AskReplyView>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AskReplyView {
    ask_id: AskId,
    #[serde(flatten)]
    reply: ReplyView,
}

/// Takes one answer for several asks.
pub(crate) async fn respond_many(
    State(gate): State<Gate>,
    Extension(visitor): Extension<Visitor>,
    Body(responses): Body<Responses>,
) -> Result<Json<RepliesView>, ApiError> {
    let page = &gate.page;
    let mut ids = Vec::new();
    for id in &responses.ask_ids {
        ids.push(ask_id(id)?);
    }
    let distinct: HashSet<&AskId> = ids.iter().collect();
    if ids.is_empty() || ids.len() > MOST || distinct.len() != ids.len() {
        let message = format!("Name from 1 to {MOST} different asks.");
        return Err(ApiError::bad_request(message));
    }
    let mut records = Vec::new();
    for id in &ids {
        let record = page.desk().journal().ask(*id).await?;
        records.push(record.ok_or_else(ApiError::unknown_ask)?);
    }
    let reply = build_reply(responses.action, responses.content, responses.reason)?;
    let said = responses.presence.as_ref().map(Said::read).transpose()?;
    check_alike(&records)?;
    if let (Reply::Accept { content }, Some(first)) = (&reply, records.first())
        && let Err(errors) = first.ask.form.validate(content)
    {
        let invalid = |ask_id: &AskId| AskReplyView {
            ask_id: *ask_id,
            reply: ReplyView::invalid(errors.clone()),
        };
        let results = ids.iter().map(invalid).collect();
        return Ok(Json(RepliesView { results }));
    }
    // They were looked at together: not before the last of them was there.
    let mut looks = Vec::new();
    for record in &records {
        looks.push(page.presence(record, said.as_ref()).await?);
    }
    let presence = looks
        .into_iter()
        .max_by_key(|presence| presence.shown_at)
        .unwrap_or_default();
    let Visitor::Browser(person) = visitor else {
        return Err(ApiError::bad_request(
            "A program answers one ask at a time.",
        ));
    };
    let replier = page.replier(person, None, presence);
    let mut results = Vec::new();
    for record in &records {
        let ask_id = record.id;
        let reply = page.reply(ask_id, reply.clone(), replier.clone());
        let reply = reply.await?;
        results.push(AskReplyView { ask_id, reply });
    }
    Ok(Json(RepliesView { results }))
}

/// Refuses asks to which one answer cannot mean the same.
fn check_alike(records: &[AskRecord]) -> Result<(), ApiError> {
    let refuse = |message: String| ApiError::new(StatusCode::CONFLICT, "not_alike", message);
    let mut known = None;
    for record in records {
        let key = alike(record).map_err(|alone| refuse(alone.to_string()))?;
        if *known.get_or_insert(key) != key {
            let message = "Only asks of one agent, from the same tool and with the same form, can be answered at once.";
            return Err(refuse(message.into()));
        }
    }
    Ok(())
}
