//! Running one open ask: its deliveries and its deadline.

use super::{
    channel::{Channel, Delivery, DeliveryError, ReplyTo, Showing},
    desk::Desk,
    evidence::Refusal,
    judge::{Received, Replier},
    open_ask::{OpenAsk, UnderWay},
    reply_result::ReplyResult,
    small_future_set::SmallFutureSet,
};
use crate::AskError;
use futures::FutureExt;
use holdpoint_ask::{
    AskId, CallId, FieldError, Outcome, Presence, Review, Withdrawal,
    describe::{error_chain, one_line},
};
use holdpoint_journal::{EventKind, JournalError, Write};
use jiff::Timestamp;
use serde_json::json;
use std::{panic::AssertUnwindSafe, sync::Arc};

const CHANNEL_PANICKED: &str = "showing the question failed unexpectedly";

/// Where an ask is shown.
#[derive(Default)]
pub(crate) struct Surfaces {
    /// A client that is sent requests.
    pub client: Option<Arc<dyn Channel>>,
    /// A client that is asked by the result of its request shows it.
    pub in_round: bool,
    /// The desk's own channels, each with its place among all.
    pub own: Vec<(usize, Arc<dyn Channel>)>,
}

/// Why a channel shows an ask no more although it is open.
#[derive(Debug)]
pub(crate) struct Failure {
    pub why: String,
    /// What was wrong with its last reply, where its replies stayed invalid.
    errors: Vec<FieldError>,
}

/// Shows an ask on these surfaces, takes what comes back, and ends it at its deadline.
pub(crate) async fn run_ask(desk: Desk, open: Arc<OpenAsk>, surfaces: Surfaces, begins: UnderWay) {
    if open.ended.is_set() {
        return;
    }
    let mut in_client = surfaces.client.is_some() || surfaces.in_round;
    let mut deliveries = SmallFutureSet::new();
    if let Some(channel) = surfaces.client {
        deliveries.push(deliver_as(&desk, &open, None, channel));
    }
    for (place, channel) in surfaces.own {
        deliveries.push(deliver_as(&desk, &open, Some(place), channel));
    }
    drop(begins);
    let mut deadline = std::pin::pin!(reach_deadline(&desk, open.id(), open.new.deadline_at));
    let mut failures = Vec::new();
    loop {
        tokio::select! {
            biased;
            _ = open.ended.wait() => break,
            Some((place, failed)) = deliveries.next() => {
                let Some(failure) = failed else {
                    if let Some(place) = place {
                        open.set_channel_parked(place);
                    }
                    continue;
                };
                let _under_way = open.under_way();
                match place {
                    Some(place) => open.set_channel_failed(place),
                    None => in_client = false,
                }
                failures.push(failure);
                let still_in_client = in_client && open.is_for_client();
                if !still_in_client && !Box::pin(desk.is_shown_elsewhere_now(&open)).await {
                    let nobody = nobody_left(std::mem::take(&mut failures));
                    Box::pin(conclude(&desk, &open, nobody)).await;
                }
            }
            () = &mut deadline => {
                let _under_way = open.under_way();
                if Box::pin(time_out(&desk, &open)).await {
                    break;
                }
                deadline.set(reach_deadline(&desk, open.id(), open.new.deadline_at));
            }
        }
    }
    while deliveries.next().await.is_some() {}
}

/// How an ask ends that no surface shows any more.
fn nobody_left(mut failures: Vec<Failure>) -> Outcome {
    if let [Failure { errors, .. }] = failures.as_mut_slice()
        && !errors.is_empty()
    {
        let errors = std::mem::take(errors);
        return Outcome::Invalid { errors };
    }
    let whys: Vec<_> = failures.into_iter().map(|failure| failure.why).collect();
    let why = whys.join("; ");
    Outcome::Unreachable { why }
}

fn deliver_as(
    desk: &Desk,
    open: &Arc<OpenAsk>,
    place: Option<usize>,
    channel: Arc<dyn Channel>,
) -> impl Future<Output = (Option<usize>, Option<Failure>)> + Send {
    let under_way = open.under_way();
    async move {
        let failure = deliver(desk, Target::Live(open), &channel).await;
        drop(under_way);
        (place, failure)
    }
}

/// What a channel is given to show.
#[derive(Clone, Copy)]
pub(crate) enum Target<'a> {
    /// An ask of this process.
    Live(&'a Arc<OpenAsk>),
    /// An ask of a process that is gone.
    Recorded(&'a Showing),
}

impl Target<'_> {
    fn id(&self) -> AskId {
        match self {
            Self::Live(open) => open.id(),
            Self::Recorded(showing) => showing.id(),
        }
    }

    fn showing(&self) -> Showing {
        match self {
            Self::Live(open) => open.showing(),
            Self::Recorded(showing) => Showing::clone(showing),
        }
    }
}

/// Shows an ask on one channel until it ended; gives the reason if the channel cannot go on showing it.
pub(crate) async fn deliver(
    desk: &Desk,
    target: Target<'_>,
    channel: &Arc<dyn Channel>,
) -> Option<Failure> {
    let kind = channel.kind();
    let mut from = Replier::new(kind, None, Presence::default());
    let failed = |why: String, errors| {
        let why = if Replier::is_of_client(kind) {
            why
        } else {
            format!("{kind}: {}", one_line(&why))
        };
        tracing::warn!(ask = %target.id(), channel = %kind, why, "a channel could not show an ask");
        Some(Failure { why, errors })
    };
    let mut invalid = 0;
    let mut last_errors = None;
    loop {
        let shown_at = desk.now();
        let mut showing = Showing {
            shown_at,
            replies_to: ReplyTo {
                desk: Arc::downgrade(&desk.inner) as _,
                kind,
            },
            ..target.showing()
        };
        if let Some(errors) = last_errors.take() {
            showing.errors = errors;
        }
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
            Ok(Ok(Delivery::Replied(reply))) => {
                from = reply.from(kind);
                Received::Reply(reply.reply)
            }
            Ok(Err(DeliveryError::Gone)) => match target {
                Target::Live(open) if from.is_client() => {
                    Box::pin(desk.agent_gone(open)).await;
                    return None;
                }
                _ => return failed(DeliveryError::Gone.to_string(), Vec::new()),
            },
            Ok(Err(DeliveryError::Failed(why))) => return failed(why, Vec::new()),
            Err(_) => return failed(CHANNEL_PANICKED.into(), Vec::new()),
        };
        match Box::pin(desk.accept_reply(target.id(), from.clone(), received, Review::default()))
            .await
        {
            Ok(ReplyResult::Invalid(errors)) if !from.is_client() => {
                invalid += 1;
                // A program that sends the same wrong answer again would go on for ever.
                if invalid > desk.settings().reasks {
                    return failed("its answers do not fit the form".into(), errors);
                }
                last_errors = Some(errors);
            }
            Ok(ReplyResult::Invalid(_)) => {}
            // A surface of the person's own shows it again, once it can have been read.
            Ok(ReplyResult::NotTaken(Refusal::TooFast { left })) if !from.is_client() => {
                desk.inner.clock.reach(desk.now() + left).await;
            }
            Ok(ReplyResult::NotTaken(refusal)) if !from.is_client() => {
                return failed(refusal.reason().to_owned(), Vec::new());
            }
            Ok(_) => return None,
            Err(error) => {
                let why = error_chain(&error);
                tracing::error!(ask = %target.id(), error = why, "a reply was not accepted");
                if let Target::Live(open) = target {
                    desk.fail(open, error);
                }
                return None;
            }
        }
    }
}

/// Waits until the ask's time is up, also when it was given more meanwhile.
pub(crate) async fn reach_deadline(desk: &Desk, ask: AskId, mut at: Option<Timestamp>) {
    loop {
        match at {
            Some(moment) => desk.inner.clock.reach(moment).await,
            None => std::future::pending().await,
        }
        match desk.journal().ask(ask).await {
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
        self.note_agent_gone(open.new.call, open.id()).await;
    }

    /// As [`Self::agent_gone`], for an ask that may not be open here.
    pub(crate) async fn note_agent_gone(&self, call: Option<CallId>, ask: AskId) {
        let note = self.agent_note(call, ask, EventKind::AgentGone);
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
            let note = self.agent_note(open.new.call, open.id(), EventKind::AgentBack);
            drop(self.journal().commit(vec![note]));
        }
    }

    fn agent_note(&self, call: Option<CallId>, ask: AskId, kind: EventKind) -> Write {
        Write::Note {
            call,
            ask: Some(ask),
            kind,
            body: json!({}),
            at: self.now(),
        }
    }
}
