//! Registering what a flow asks, at the moment that it asks.

use super::Call;
use crate::{
    AskError,
    clock::later,
    core::{
        channel::opened_before,
        end_signal::EndSignal,
        judge::unanswered,
        open_ask::{OpenAsk, Refusals, Settlement, Waiter},
        released_ask::ReleasedAsk,
        secret_box,
    },
    flow::{
        rounds::{Fresh, Input},
        session::time_for,
        surface::Surface,
    },
    sync::lock,
};
use holdpoint_ask::{Ask, AskId, Digest, Outcome, Withdrawal};
use holdpoint_journal::{AskRecord, InClient, NewAsk, StepState};
use serde_json::Value;
use std::sync::Arc;
use tokio::sync::oneshot;

/// What came of registering an ask.
pub(crate) enum Registered {
    /// It is over already: an earlier run has its answer, or the call was cancelled.
    Over(Box<Settlement>),
    /// It is open, and its answer comes here.
    Open(AskId, Waiter),
}

impl Call {
    /// Registers an ask, at the first poll of whoever asks: two asks of one `join!` are in one
    /// round because both are here before anything is awaited.
    pub fn register(self: &Arc<Self>, ask: Ask) -> Result<Registered, AskError> {
        ask.check()?;
        if ask.form.has_secret() && !secret_box::ARE_ASKED {
            return Err(AskError::NoSecrets);
        }
        let digest = ask.digest();
        let secret_for = ask
            .form
            .has_secret()
            .then(|| self.desk.inner.secrets.public());
        let mut state = self.state();
        let next = state.replay.next_ask(digest, secret_for);
        for record in next.replaced {
            let why = Withdrawal::Replaced;
            let (outcome, now) = (Outcome::Withdrawn { why }, self.desk.now());
            let decision = unanswered(record.id, record.opened_at, outcome, now);
            state.rounds.add(Fresh::Replaced(decision));
        }
        if let Some(decision) = next.past.as_ref().and_then(|past| past.decision.clone()) {
            let answer = None;
            return Ok(Registered::Over(Box::new(Settlement { decision, answer })));
        }
        if state.closed {
            return Err(AskError::LostCall);
        }
        if state.cancelled && next.past.is_none() {
            return Ok(Registered::Over(Box::new(self.never_asked())));
        }
        match next.past {
            Some(_) => self.desk.readmit(&self.session.principal),
            None => self.desk.admit(&self.session.principal)?,
        }
        let (open, waiter) = match next.past {
            Some(record) => {
                let mut kept = state.kept_asks.iter();
                let kept = kept.position(|ask| ask.id == record.id);
                let kept = kept.map(|place| state.kept_asks.swap_remove(place));
                let (open, waiter) = self.reopen(record, kept, state.epoch);
                if state.cancelled {
                    // Before the flow hears of it, that is on record.
                    open.withdraw(Withdrawal::CallCancelled);
                }
                state.rounds.add(Fresh::Again(open.clone()));
                (open, waiter)
            }
            None => {
                let key = state.replay.next_key(ask.key.as_deref());
                let occurrence = next.occurrence;
                let (open, waiter) = self.open(ask, digest, occurrence, key, state.epoch);
                state.rounds.add(Fresh::Ask(open.clone()));
                (open, waiter)
            }
        };
        drop(state);
        let id = open.id();
        lock(&self.desk.inner.live).insert(id, open);
        self.has_work.notify_one();
        Ok(Registered::Open(id, waiter))
    }

    /// What a flow gets that asks after its call was cancelled: nobody was asked.
    fn never_asked(&self) -> Settlement {
        let why = Withdrawal::CallCancelled;
        let now = self.desk.now();
        Settlement {
            decision: unanswered(AskId::new(), now, Outcome::Withdrawn { why }, now),
            answer: None,
        }
    }

    /// An ask that an earlier run opened.
    fn reopen(
        self: &Arc<Self>,
        record: AskRecord,
        kept: Option<ReleasedAsk>,
        epoch: u64,
    ) -> (Arc<OpenAsk>, Waiter) {
        let refusals = Refusals {
            count: record.refusals,
            errors: record.last_errors.clone(),
        };
        let (gone, taken_away) = (record.agent_gone, record.taken_from_client);
        let in_client = match &kept {
            Some(kept) => kept.in_client,
            // What the client was not let do before, it is not let do by a restart.
            None => self.in_client(record.id, &record.ask).min(record.in_client),
        };
        let asker = Arc::downgrade(self);
        let kept_signal = kept.as_ref().and_then(|kept| kept.ended.clone());
        let ended = kept_signal.unwrap_or_else(|| self.desk.end_signal(record.id));
        let new = NewAsk {
            epoch,
            ..opened_before(record)
        };
        let (open, waiter) = OpenAsk::new(asker, new, in_client, refusals, ended);
        open.set_agent_gone(gone);
        if let Some(kept) = kept {
            open.go_on(kept);
        }
        if taken_away {
            open.take_from_client();
        }
        (open, waiter)
    }

    /// A new ask.
    fn open(
        self: &Arc<Self>,
        ask: Ask,
        digest: Digest,
        occurrence: u32,
        key: String,
        epoch: u64,
    ) -> (Arc<OpenAsk>, Waiter) {
        let id = AskId::new();
        let opened_at = self.desk.now();
        let in_client = self.in_client(id, &ask);
        let fits_client = in_client != InClient::NotShown;
        let secret = ask.form.has_secret();
        let seal_to = secret.then(|| self.desk.inner.secrets.public());
        let held = fits_client && !self.session.modern;
        let time = time_for(&ask, held, &self.desk.inner.settings);
        let new = NewAsk {
            id,
            call: Some(self.id),
            key,
            digest,
            occurrence,
            ask,
            origin: self.request.origin.clone(),
            opened_at,
            deadline_at: time.map(|time| later(opened_at, time)),
            epoch,
            seal_to,
            in_client,
        };
        let asker = Arc::downgrade(self);
        let (refusals, ended) = (Refusals::default(), EndSignal::default());
        OpenAsk::new(asker, new, in_client, refusals, ended)
    }

    fn in_client(&self, id: AskId, ask: &Ask) -> InClient {
        let surface = self.session.surface(&self.desk, id, ask, None);
        Surface::in_client(surface.as_ref())
    }

    /// Registers a request that is not an ask to a client that is asked in rounds; what an earlier
    /// run got for it is there at once.
    pub fn register_input(
        &self,
        method: &'static str,
        params: Value,
    ) -> Result<oneshot::Receiver<Value>, Value> {
        let digest = Digest::hash_json(&params).unwrap_or_else(|_| Digest::hash_bytes(b""));
        let name = format!("{method} {digest}");
        let mut state = self.state();
        if state.closed || state.cancelled {
            return Ok(oneshot::channel().1);
        }
        let (occurrence, past) = state.replay.next_step(&name);
        if let Some(StepState::Finished(value)) = past {
            return Err(value);
        }
        let key = state.replay.next_key(None);
        let (answer, waiting) = oneshot::channel();
        let input = Input {
            method,
            params,
            step: (name, occurrence),
            answer,
        };
        state.rounds.add(Fresh::Input(key, input));
        drop(state);
        self.has_work.notify_one();
        Ok(waiting)
    }
}
