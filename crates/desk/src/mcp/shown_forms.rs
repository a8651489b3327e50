//! The forms that a legacy client has in view while the flows that asked do not run.

use crate::{
    core::{departure::Departure, open_ask::OpenAsk},
    sync::lock,
};
use futures::FutureExt;
use holdpoint_ask::AskId;
use holdpoint_journal::InClient;
use rmcp::{
    model::{ClientResult, RequestId},
    service::ServiceError,
};
use std::{
    future::poll_fn,
    sync::{Arc, Mutex, Weak},
    task::{Context, Poll},
};
use tokio::sync::oneshot::{Receiver, error::RecvError};

/// What came for a form, or that nothing can come any more.
type FormReply = Result<Result<ClientResult, ServiceError>, RecvError>;

/// A question that a client was sent and has not answered, as far as was looked.
pub(crate) struct ShownForm {
    ask: AskId,
    pub request: RequestId,
    /// What the client was let do with it when it was sent.
    in_client: InClient,
    /// When it left.
    pub departure: Arc<Departure>,
    awaited: Receiver<Result<ClientResult, ServiceError>>,
    /// The reply, where it came while nobody waited for it.
    here: Option<Box<FormReply>>,
}

impl ShownForm {
    pub fn new(
        ask: AskId,
        request: RequestId,
        in_client: InClient,
        departure: Arc<Departure>,
        awaited: Receiver<Result<ClientResult, ServiceError>>,
    ) -> Self {
        Self {
            ask,
            request,
            in_client,
            departure,
            awaited,
            here: None,
        }
    }

    /// The reply, once.
    fn poll_reply(&mut self, cx: &mut Context<'_>) -> Poll<FormReply> {
        match self.here.take() {
            Some(reply) => Poll::Ready(*reply),
            None => self.awaited.poll_unpin(cx),
        }
    }
}

/// The forms of a client whose deliveries were dropped: their replies are still to come.
///
/// Lock order: its lock is held for a few statements, and none is taken meanwhile.
#[derive(Default)]
pub(crate) struct ShownForms(Mutex<Vec<ShownForm>>);

impl ShownForms {
    pub fn is_empty(&self) -> bool {
        lock(&self.0).is_empty()
    }

    /// How the client was sent this ask, if it has a form of it in view that nobody waits for.
    pub fn sent_as(&self, ask: AskId) -> Option<InClient> {
        let forms = lock(&self.0);
        let form = forms.iter().find(|form| form.ask == ask);
        form.map(|form| form.in_client)
    }

    /// The form of this ask, if the client has one in view that nobody waits for.
    pub fn take(&self, ask: AskId) -> Option<ShownForm> {
        let mut forms = lock(&self.0);
        let place = forms.iter().position(|form| form.ask == ask)?;
        Some(forms.swap_remove(place))
    }

    /// Waits until one of them was answered.
    pub async fn answered(&self) {
        poll_fn(|cx| {
            let mut forms = lock(&self.0);
            for form in forms.iter_mut() {
                if let Poll::Ready(reply) = form.poll_reply(cx) {
                    form.here = Some(Box::new(reply));
                    return Poll::Ready(());
                }
            }
            Poll::Pending
        })
        .await;
    }

    /// Waits for the reply to this form. Where that is dropped before the reply came, the form stays in view.
    pub fn wait<'a>(&'a self, form: ShownForm, open: &'a Weak<OpenAsk>) -> FormWait<'a> {
        set_waits(open, true);
        FormWait {
            forms: self,
            open,
            form: Some(form),
        }
    }
}

/// Waits for the reply to a form.
pub(crate) struct FormWait<'a> {
    forms: &'a ShownForms,
    open: &'a Weak<OpenAsk>,
    form: Option<ShownForm>,
}

impl FormWait<'_> {
    /// The reply, once.
    pub async fn reply(&mut self) -> FormReply {
        let reply = poll_fn(|cx| match &mut self.form {
            Some(form) => form.poll_reply(cx),
            None => Poll::Pending,
        })
        .await;
        set_waits(self.open, false);
        self.form = None;
        reply
    }

    /// Nobody waits for it any more: its request is to be taken back.
    pub fn close(mut self) -> Option<RequestId> {
        set_waits(self.open, false);
        self.form.take().map(|form| form.request)
    }
}

impl Drop for FormWait<'_> {
    fn drop(&mut self) {
        if let Some(form) = self.form.take() {
            let mut forms = lock(&self.forms.0);
            // Mostly one, and many clients may have one.
            forms.reserve_exact(1);
            forms.push(form);
        }
    }
}

fn set_waits(open: &Weak<OpenAsk>, waits: bool) {
    if let Some(open) = open.upgrade() {
        open.set_waits_in_form(waits);
    }
}
