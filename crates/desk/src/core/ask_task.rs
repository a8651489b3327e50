//! Running one open ask: its deliveries and its deadline.

use super::{
    channel::{Channel, Delivery, DeliveryError, Showing},
    desk::Desk,
    evidence::Refusal,
    judge::{Received, Replier},
    open_ask::OpenAsk,
    settle::ReplyResult,
    small_future_set::SmallFutureSet,
};
use crate::AskError;
use futures::FutureExt;
use holdpoint_ask::{Outcome, Presence, Withdrawal, describe::error_chain};
use holdpoint_journal::{EventKind, JournalError, Write};
use serde_json::json;
use std::{panic::AssertUnwindSafe, sync::Arc};

const CHANNEL_PANICKED: &str = "showing the question failed unexpectedly";

/// Shows an ask on these channels, takes what comes back, and ends it at its deadline.
pub(crate) async fn run_ask(desk: Desk, open: Arc<OpenAsk>, channels: Vec<Arc<dyn Channel>>) {
    if open.ended.is_cancelled() {
        return;
    }
    let mut deliveries = SmallFutureSet::new();
    for channel in channels {
        deliveries.push(deliver(&desk, &open, channel));
    }
    let mut deadline = std::pin::pin!(reach_deadline(&desk, &open));
    loop {
        tokio::select! {
            biased;
            () = open.ended.cancelled() => break,
            Some(failed) = deliveries.next() => {
                if let Some(why) = failed
                    && deliveries.is_empty()
                    && !desk.shown_elsewhere(open.ask())
                {
                    Box::pin(conclude(&desk, &open, Outcome::Unreachable { why })).await;
                }
            }
            () = &mut deadline => {
                if Box::pin(time_out(&desk, &open)).await {
                    break;
                }
                deadline.set(reach_deadline(&desk, &open));
            }
        }
    }
    while deliveries.next().await.is_some() {}
}

/// Shows an ask on one channel until it ended; gives the reason if the channel cannot show it.
pub(crate) async fn deliver(
    desk: &Desk,
    open: &Arc<OpenAsk>,
    channel: Arc<dyn Channel>,
) -> Option<String> {
    let mut from = Replier::new(channel.kind(), channel.answers_as(), Presence::default());
    loop {
        let shown_at = desk.now();
        let showing = Showing {
            shown_at,
            ..open.showing()
        };
        let delivered = AssertUnwindSafe(channel.deliver(showing));
        let delivered = delivered.catch_unwind().await;
        let received = match delivered {
            Ok(Ok(Delivery::Parked)) => return None,
            Ok(Ok(Delivery::Garbled(what))) => {
                // It counts as a try of the client that was shown the ask.
                if from.is_client() {
                    from.presence = Presence::in_form(shown_at);
                }
                Received::Garbled(what)
            }
            Ok(Ok(Delivery::Replied(reply, presence))) => {
                from.presence = presence;
                Received::Reply(reply)
            }
            Ok(Err(DeliveryError::Gone)) => {
                Box::pin(desk.agent_gone(open)).await;
                return None;
            }
            Ok(Err(DeliveryError::Failed(why))) => return Some(why),
            Err(_) => return Some(CHANNEL_PANICKED.into()),
        };
        match Box::pin(desk.accept_reply(open.id(), from.clone(), received)).await {
            Ok(ReplyResult::Invalid(_)) => {}
            // A surface of the person's own shows it again, once it can have been read.
            Ok(ReplyResult::NotTaken(Refusal::TooFast { left })) if !from.is_client() => {
                desk.inner.clock.reach(desk.now() + left).await;
            }
            Ok(ReplyResult::NotTaken(refusal)) if !from.is_client() => {
                return Some(refusal.reason().to_owned());
            }
            Ok(_) => return None,
            Err(error) => {
                let why = error_chain(&error);
                tracing::error!(ask = %open.id(), error = why, "a reply was not accepted");
                desk.fail(open, error);
                return None;
            }
        }
    }
}

/// Waits until the ask's time is up, also when it was given more meanwhile.
async fn reach_deadline(desk: &Desk, open: &OpenAsk) {
    let mut at = open.new.deadline_at;
    loop {
        match at {
            Some(moment) => desk.inner.clock.reach(moment).await,
            None => std::future::pending().await,
        }
        match desk.journal().ask(open.id()).await {
            Ok(Some(record)) if record.deadline_at != at => at = record.deadline_at,
            _ => return,
        }
    }
}

/// Ends an ask whose time is up; false where it was given more meanwhile.
async fn time_out(desk: &Desk, open: &OpenAsk) -> bool {
    match desk.time_out(open.id(), open.new.opened_at).await {
        Ok(decision) => decision.is_some(),
        Err(error) => {
            not_ended(desk, open, error);
            true
        }
    }
}

async fn conclude(desk: &Desk, open: &OpenAsk, outcome: Outcome) {
    if let Err(error) = desk.end(open, outcome).await {
        not_ended(desk, open, error);
    }
}

fn not_ended(desk: &Desk, open: &OpenAsk, error: JournalError) {
    let why = error_chain(&error);
    tracing::error!(ask = %open.id(), error = why, "an ask could not be ended");
    desk.fail(open, AskError::Journal(error));
}

impl Desk {
    /// Takes an ask back from everybody.
    pub(crate) async fn withdraw(&self, open: &OpenAsk, why: Withdrawal) {
        if open.withdraw(why)
            && let Err(error) = self.end(open, Outcome::Withdrawn { why }).await
        {
            self.fail(open, AskError::Journal(error));
        }
    }

    /// Notes that the agent behind an open ask is gone.
    pub(crate) async fn agent_gone(&self, open: &OpenAsk) {
        open.set_agent_gone(true);
        let note = self.agent_note(open, EventKind::AgentGone);
        if let Err(error) = self.journal().commit(vec![note]).await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "that an agent is gone was not recorded"
            );
        }
    }

    /// Notes that the agent behind an open ask is back, if it was gone.
    pub(crate) fn agent_back(&self, open: &OpenAsk) {
        if open.set_agent_gone(false) {
            let note = self.agent_note(open, EventKind::AgentBack);
            drop(self.journal().commit(vec![note]));
        }
    }

    fn agent_note(&self, open: &OpenAsk, kind: EventKind) -> Write {
        Write::Note {
            call: open.new.call,
            ask: Some(open.id()),
            kind,
            body: json!({}),
            at: self.now(),
        }
    }
}
