//! The client behind a call: how it is asked now, and what becomes of the call when it goes.

use super::Call;
use crate::{
    Channel,
    core::open_ask::OpenAsk,
    flow::{
        active_request::Requester,
        client::{Client, Reach},
        session::Session,
    },
    sync::lock,
};
use futures::future::join_all;
use holdpoint_ask::{AskId, Withdrawal};
use rmcp::model::RequestId;
use std::{sync::Arc, time::Duration};

impl Call {
    /// The client as it can be reached now.
    pub fn client(&self) -> Arc<dyn Client> {
        lock(&self.client).clone()
    }

    /// Another request of the same client's takes the call over: what is open is shown to it.
    pub fn set_client(&self, client: Arc<dyn Client>) {
        self.go_on_with(client);
        self.state().rounds.show_all_again();
        self.has_work.notify_one();
    }

    /// The same client calls again, perhaps in another version: from now on it is asked and answers.
    pub fn go_on_with(&self, client: Arc<dyn Client>) {
        *lock(&self.client) = client;
    }

    /// Whether this is the client that it asks.
    pub fn asks(&self, client: &Arc<dyn Client>) -> bool {
        std::ptr::addr_eq(Arc::as_ptr(&self.client()), Arc::as_ptr(client))
    }

    /// Waits until the forms that its client had in view when the flow was let go are waited for again, but not for
    /// long.
    pub async fn forms_waited_for(&self) {
        let (client, mut changes) = (self.client(), self.watch());
        let waited_for = async {
            while client.has_forms() && self.done().is_none() && !self.is_released() {
                changes.changed().await;
            }
        };
        let _ = tokio::time::timeout(Duration::from_secs(1), waited_for).await;
    }

    /// Who is asked now. It may be another version of the client than the one that called.
    pub fn asked_session(&self) -> Arc<Session> {
        let client = self.client();
        client.session().unwrap_or(&self.session).clone()
    }

    /// Whether the client can be shown this ask.
    pub fn shows(&self, open: &OpenAsk) -> bool {
        open.is_for_client() && self.client().reach() != Reach::Nowhere
    }

    /// A channel to the client, where it is sent requests and can show this ask.
    pub fn client_channel(&self, open: &OpenAsk) -> Option<Arc<dyn Channel>> {
        if !open.is_for_client() {
            return None;
        }
        self.client().channel(&self.desk, open)
    }

    /// This request speaks for the call from now on.
    pub fn attach(&self, requester: Arc<dyn Requester>) {
        self.active.attach(requester);
        for open in self.open_asks() {
            self.desk.agent_back(&open);
        }
    }

    /// The client has given up on its request: the form is taken from it, not the ask from the
    /// person.
    pub async fn give_up(self: &Arc<Self>, request: &RequestId) {
        let active = self.active.get();
        if !active.is_some_and(|active| active.is(request)) {
            return;
        }
        self.let_go();
        let client = self.client();
        if client.reach() == Reach::Requests {
            client.give_up();
            return;
        }
        for open in self.open_asks() {
            self.desk.agent_gone(&open).await;
        }
    }

    /// No request speaks for the call any more: the same one again takes it over.
    pub fn let_go(self: &Arc<Self>) {
        self.active.detach();
        if self.done().is_none() {
            self.desk.calls().add_idle(self);
        }
    }

    /// Tells the client that a person is still being waited for, and where they can answer.
    pub async fn keep_alive(&self) {
        let asks = self.open_asks();
        if let Some(first) = asks.iter().map(|open| open.id()).min() {
            self.still_waiting(first).await;
        }
    }

    /// A sign of life while the answer to this ask is out, which may be another call's.
    pub async fn still_waiting(&self, ask: AskId) {
        // Its flow may run elsewhere, or have been let go.
        let inbox = match self.desk.live_ask(ask) {
            Some(open) => self.desk.shown_elsewhere(&open),
            None => self.desk.has_inbox(),
        };
        self.desk.tell_waiting(&self.active, ask, inbox).await;
    }

    /// The client has cancelled its request: what it asked is withdrawn, and it asks no more. False where its flow
    /// was let go: see [`crate::Desk::cancel_released`].
    pub async fn cancel(&self) -> bool {
        {
            let mut state = self.state();
            if state.released {
                return false;
            }
            state.cancelled = true;
        }
        let asks = self.open_asks();
        let why = Withdrawal::CallCancelled;
        join_all(asks.iter().map(|open| self.desk.withdraw(open, why))).await;
        true
    }

    pub fn is_cancelled(&self) -> bool {
        self.state().cancelled
    }
}
