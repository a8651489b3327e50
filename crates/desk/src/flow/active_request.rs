//! A call and the client that speaks for it at the moment.
#![allow(deprecated)] // Older clients still have a log.

use crate::{
    AskError,
    core::open_ask::OpenAsk,
    flow::call::{Call, Input, Wanted},
    mcp::legacy_client::ClientLink,
    sync::lock,
};
use futures::future::join_all;
use holdpoint_ask::{AskId, Outcome, Withdrawal};
use holdpoint_journal::{EventKind, JournalError, Write};
use rmcp::{
    Peer, RoleServer,
    model::{LoggingLevel, ProgressNotificationParam, ProgressToken, RequestId},
    service::RequestContext,
};
use serde_json::{Value, json};
use std::sync::Arc;

/// The request that speaks for a call now, and how far its progress has come.
#[derive(Default)]
pub(crate) struct ActiveRequest {
    to: Option<Speaker>,
    progress: f64,
}

struct Speaker {
    request: RequestId,
    peer: Peer<RoleServer>,
    token: Option<ProgressToken>,
    /// From which level on it wants to be sent log lines.
    log: Option<LoggingLevel>,
}

/// A sign of life moves progress by so little that it does not get in a flow's way.
const SIGN_OF_LIFE: f64 = 0.001;

impl Call {
    /// This request speaks for the call from now on. `set` is the level that its connection has
    /// set for its log.
    pub fn attach(&self, context: &RequestContext<RoleServer>, set: Option<LoggingLevel>) {
        // A legacy client sets its level once; a modern one says it with each request.
        let log = if self.session.modern {
            context.meta.log_level()
        } else {
            set
        };
        let speaker = Speaker {
            request: context.id.clone(),
            peer: context.peer.clone(),
            token: context.meta.get_progress_token(),
            log,
        };
        *lock(&self.attached) = ActiveRequest {
            to: Some(speaker),
            progress: 0.0,
        };
        for open in self.open_asks() {
            self.agent_back(&open);
        }
    }

    pub fn peer(&self) -> Option<Peer<RoleServer>> {
        let attached = lock(&self.attached);
        attached.to.as_ref().map(|speaker| speaker.peer.clone())
    }

    /// Where a log line of this level goes, if the client wants it.
    pub fn log_to(&self, level: LoggingLevel) -> Option<Peer<RoleServer>> {
        let attached = lock(&self.attached);
        let speaker = attached.to.as_ref()?;
        let wanted = speaker.log? as u8 <= level as u8;
        wanted.then(|| speaker.peer.clone())
    }

    /// Tells the client that a person is still being waited for.
    pub async fn keep_alive(&self) {
        if !self.open_asks().is_empty() {
            let message = Some("PendingAsk for a person's answer".to_owned());
            self.progress(None, None, message).await;
        }
    }

    /// Reports progress, if the client wants it. It only ever rises.
    pub async fn progress(&self, to: Option<f64>, total: Option<f64>, message: Option<String>) {
        let (peer, param) = {
            let mut attached = lock(&self.attached);
            let now = attached.progress;
            let next = match to {
                Some(to) if to > now => to,
                _ => now + SIGN_OF_LIFE,
            };
            let Some(Speaker {
                peer,
                token: Some(token),
                ..
            }) = &attached.to
            else {
                return;
            };
            let mut param = ProgressNotificationParam::new(token.clone(), next);
            param.total = total;
            param.message = message;
            let peer = peer.clone();
            attached.progress = next;
            (peer, param)
        };
        let _ = peer.notify_progress(param).await;
    }

    /// The client has given up on its request: the form is taken from it, not the ask from the
    /// person.
    pub async fn give_up(self: &Arc<Self>, request: &RequestId) {
        let spoke = |speaker: &Speaker| speaker.request == *request;
        if !lock(&self.attached).to.as_ref().is_some_and(spoke) {
            return;
        }
        self.let_go();
        if let ClientLink::Legacy(client) = &*self.link() {
            client.gone.cancel();
            return;
        }
        for open in self.open_asks() {
            self.agent_gone(&open).await;
        }
    }

    /// No request speaks for the call any more: the same one again takes it over.
    pub fn let_go(self: &Arc<Self>) {
        lock(&self.attached).to = None;
        if self.done().is_some() {
            return;
        }
        lock(&self.desk.inner.idle).insert(self.binding().0, Arc::downgrade(self));
    }

    /// Notes that the agent behind an open ask is gone.
    pub async fn agent_gone(&self, open: &OpenAsk) {
        open.set_gone(true);
        let note = self.note(open, EventKind::AgentGone);
        if let Err(error) = self.desk.journal().commit(vec![note]).await {
            tracing::warn!(%error, "that an agent is gone was not recorded");
        }
    }

    /// Notes that the agent behind an open ask is back, if it was gone and a request speaks for it.
    pub fn agent_back(&self, open: &OpenAsk) {
        if lock(&self.attached).to.is_some() && open.set_gone(false) {
            let note = self.note(open, EventKind::AgentBack);
            drop(self.desk.journal().commit(vec![note]));
        }
    }

    fn note(&self, open: &OpenAsk, kind: EventKind) -> Write {
        Write::Note {
            call: Some(self.id),
            ask: Some(open.id()),
            kind,
            body: json!({}),
            at: self.desk.now(),
        }
    }

    /// The client has cancelled its request: what it asked is withdrawn, and it asks no more.
    pub async fn cancel(&self) {
        self.state().cancelled = true;
        let asks = self.open_asks();
        let why = Withdrawal::CallCancelled;
        join_all(asks.iter().map(|open| self.withdraw(open, why))).await;
    }

    /// Takes an ask back from everybody.
    pub async fn withdraw(&self, open: &OpenAsk, why: Withdrawal) {
        if open.withdraw(why)
            && let Err(error) = self.desk.end(open, Outcome::Withdrawn { why }).await
        {
            self.desk.fail(open, AskError::Journal(error));
        }
    }

    /// Puts an ask before a modern client, in its next round.
    pub fn put_in_round(&self, open: &Arc<OpenAsk>) {
        let key = open.wire_key();
        let mut state = self.state();
        if state.open.contains_key(&open.id()) {
            state.round.insert(key, Wanted::Ask(open.clone()));
        }
    }

    /// Puts an ask before a modern client again, after an invalid reply.
    pub fn show_again(&self, open: &Arc<OpenAsk>) {
        self.out_of_round(open.id());
        self.put_in_round(open);
        self.notify();
    }

    pub fn out_of_round(&self, ask: AskId) {
        let mut state = self.state();
        state.round.retain(|_, wanted| !wanted.is(ask));
    }

    /// Records what a modern client answered to a request that is no ask, then tells the flow.
    pub async fn finish_input(&self, input: Input, answer: Value) -> Result<(), JournalError> {
        let (name, occurrence) = input.step;
        let epoch = self.state().epoch;
        let at = self.desk.now();
        let start = Write::StartStep {
            call: self.id,
            epoch,
            name: name.clone(),
            occurrence,
            at,
        };
        let finish = Write::FinishStep {
            call: self.id,
            epoch,
            name,
            occurrence,
            result: answer.clone(),
            at,
        };
        self.desk.journal().commit(vec![start, finish]).await?;
        self.give();
        if input.answer.send(answer).is_err() {
            self.consumed();
        }
        Ok(())
    }
}
