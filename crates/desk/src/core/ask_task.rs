//! Looking after one open ask: its deliveries and its deadline.

use crate::{
    AskError, Channel, Delivery, DeliveryError, ReplyResult,
    core::judge::{Incoming, Replier},
    core::open_ask::OpenAsk,
    core::small_future_set::SmallFutureSet,
    flow::call::Call,
};
use futures::FutureExt;
use holdpoint_ask::Outcome;
use holdpoint_ask::describe::error_chain;
use std::{panic::AssertUnwindSafe, sync::Arc};

const BROKE: &str = "showing the question failed unexpectedly";

/// Shows an ask on every surface that fits, takes what comes back, and ends it at its deadline.
pub(crate) async fn run_ask(call: Arc<Call>, open: Arc<OpenAsk>) {
    if open.ended.is_cancelled() {
        return;
    }
    let mut deliveries = SmallFutureSet::new();
    for channel in call.channels_for(&open) {
        deliveries.push(deliver(&call, &open, channel));
    }
    let deadline = deadline(&call, &open);
    tokio::pin!(deadline);
    loop {
        tokio::select! {
            biased;
            () = open.ended.cancelled() => break,
            Some(lost) = deliveries.next() => {
                if let Some(why) = lost
                    && deliveries.is_empty()
                    && !call.desk.shown_elsewhere(open.ask())
                {
                    Box::pin(conclude(&call, &open, Outcome::Unreachable { why })).await;
                }
            }
            () = &mut deadline => {
                Box::pin(conclude(&call, &open, Outcome::TimedOut)).await;
                break;
            }
        }
    }
    while deliveries.next().await.is_some() {}
}

/// Shows an open ask to the client that has taken its call over.
pub(crate) async fn show_client(call: Arc<Call>, open: Arc<OpenAsk>) {
    if let Some(channel) = call.client_channel(&open) {
        deliver(&call, &open, channel).await;
    } else if call.session.modern && call.shows(&open) {
        call.put_in_round(&open);
        call.notify();
    }
}

/// Shows an ask on one surface until it ended; gives the reason if the surface cannot show it.
async fn deliver(call: &Call, open: &Arc<OpenAsk>, channel: Arc<dyn Channel>) -> Option<String> {
    let from = Replier::new(channel.kind(), channel.answers_as());
    loop {
        if from.is_client() {
            open.shown(call.desk.now());
        }
        let delivered = AssertUnwindSafe(channel.deliver(open.showing()));
        let delivered = delivered.catch_unwind().await;
        let delivered = delivered.unwrap_or_else(|_| Err(DeliveryError::Failed(BROKE.into())));
        let incoming = match delivered {
            Ok(Delivery::Parked) => return None,
            Ok(Delivery::Replied(reply)) => Incoming::Reply(reply),
            Ok(Delivery::Garbled(what)) => Incoming::Garbled(what),
            Err(DeliveryError::Gone) => {
                Box::pin(call.agent_gone(open)).await;
                return None;
            }
            Err(DeliveryError::Failed(why)) => return Some(why),
        };
        let taken = Box::pin(call.desk.take(open.id(), from.clone(), incoming)).await;
        match taken {
            Ok(ReplyResult::Invalid(_)) => {}
            Ok(_) => return None,
            Err(error) => {
                tracing::error!(ask = %open.id(), error = error_chain(&error), "a reply was not taken");
                call.desk.fail(open, error);
                return None;
            }
        }
    }
}

/// Waits until the ask's time is up, also when it was given more meanwhile.
async fn deadline(call: &Call, open: &OpenAsk) {
    let mut at = open.new.deadline_at;
    loop {
        match at {
            Some(moment) => call.desk.inner.clock.reach(moment).await,
            None => std::future::pending().await,
        }
        match call.desk.journal().ask(open.id()).await {
            Ok(Some(record)) if record.deadline_at != at => at = record.deadline_at,
            _ => return,
        }
    }
}

async fn conclude(call: &Call, open: &OpenAsk, outcome: Outcome) {
    if let Err(error) = call.desk.end(open, outcome).await {
        tracing::error!(ask = %open.id(), error = error_chain(&error), "an ask could not be ended");
        call.desk.fail(open, AskError::Journal(error));
    }
}
