//! A legacy client: it is sent requests while its own is open.

use super::{
    outgoing::Leaving,
    shown_forms::{ShownForm, ShownForms},
    wire,
};
use crate::{
    Channel, ChannelReply, ClientError, Delivery, DeliveryError, Desk, Session, Showing,
    core::{departure::Departure, judge::Received, open_ask::OpenAsk},
    flow::{
        client::{Client, Reach},
        surface::Surface,
    },
    sync::lock,
};
use futures::{
    FutureExt,
    future::{BoxFuture, ready},
};
use holdpoint_ask::{AskId, ChannelKind, Raiser, Reply};
use holdpoint_journal::InClient;
use jiff::Timestamp;
use rmcp::{
    Peer, RoleServer,
    model::{
        CancelledNotificationParam, ClientResult, CustomNotification, CustomRequest, PingRequest,
        RequestId, ServerNotification, ServerRequest,
    },
    service::{OriginatingRequestId, PeerRequestOptions, RequestHandle, ServiceError},
};
use serde_json::{Value, json};
use std::{
    fmt,
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicBool, Ordering},
    },
};
use tokio_util::sync::CancellationToken;

/// A client that is sent requests while its own is open.
pub(crate) struct LegacyClient {
    pub peer: Peer<RoleServer>,
    pub request: RequestId,
    /// Who is at the other end: what it shows is answered by it, not by who called first.
    pub session: Arc<Session>,
    /// Fires when the client has given up on its request.
    pub gone: CancellationToken,
    /// Whether this connection has been sent a request before.
    pub greeted: Arc<AtomicBool>,
    /// Held while an ask is sent: what is asked together arrives in the order in which it was asked.
    pub sending: tokio::sync::Mutex<()>,
    /// Its forms whose deliveries were dropped with their flows.
    pub forms: ShownForms,
}

impl Client for LegacyClient {
    fn reach(&self) -> Reach {
        Reach::Requests
    }

    fn channel(self: Arc<Self>, desk: &Desk, open: &OpenAsk) -> Option<Arc<dyn Channel>> {
        // What is in view since before its flow was let go is read as it was sent.
        let in_view = self.forms.sent_as(open.id());
        let only_opens = (open.in_client == InClient::Opens).then_some(InClient::Opens);
        let surface = match in_view.or(only_opens) {
            Some(in_client) => {
                let showing = Showing {
                    in_client,
                    ..open.showing()
                };
                self.session.surface_as_before(desk, &showing)?
            }
            None => self.session.surface(desk, open.id(), open.ask(), None)?,
        };
        Some(Arc::new(LegacyChannel {
            desk: desk.clone(),
            session: self.session.clone(),
            client: self,
            kind: match surface {
                Surface::Form(_) => ChannelKind::Client,
                Surface::Url(_) => ChannelKind::Url,
            },
            surface: Mutex::new(Some(surface)),
        }))
    }

    fn session(&self) -> Option<&Arc<Session>> {
        Some(&self.session)
    }

    fn request(
        self: Arc<Self>,
        method: &'static str,
        params: Value,
    ) -> BoxFuture<'static, Result<Value, ClientError>> {
        async move {
            match self
                .peer
                .send_request(self.server_request(method, params, None))
                .await
            {
                Ok(answer) => Ok(as_json(answer)),
                Err(ServiceError::McpError(error)) => {
                    Err(ClientError::Refused(error.message.into_owned()))
                }
                Err(_) => Err(ClientError::Gone),
            }
        }
        .boxed()
    }

    fn read_reply(&self, reply: Value, raiser: &Raiser) -> Received {
        wire::read_reply(reply, Some(raiser), Timestamp::UNIX_EPOCH).0
    }

    fn give_up(&self) {
        self.gone.cancel();
    }

    fn has_forms(&self) -> bool {
        !self.forms.is_empty()
    }

    fn form_answered(self: Arc<Self>) -> BoxFuture<'static, ()> {
        async move { self.forms.answered().await }.boxed()
    }

    fn withdraw_form(self: Arc<Self>, ask: AskId) -> BoxFuture<'static, ()> {
        async move {
            if let Some(form) = self.forms.take(ask) {
                self.withdraw(form.request, ENDED).await;
            }
        }
        .boxed()
    }
}

const ENDED: &str = "the question was answered or withdrawn";

/// One ask on its way to a legacy client.
struct LegacyChannel {
    client: Arc<LegacyClient>,
    desk: Desk,
    session: Arc<Session>,
    kind: ChannelKind,
    /// How the client shows it, until it is first shown: so that nothing of it is kept while a person
    /// thinks. It is worked out again after an invalid reply.
    surface: Mutex<Option<Surface>>,
}

impl Channel for LegacyChannel {
    fn kind(&self) -> ChannelKind {
        self.kind
    }

    fn deliver(&self, showing: Showing) -> BoxFuture<'static, Result<Delivery, DeliveryError>> {
        let client = self.client.clone();
        let first = lock(&self.surface).take();
        let surface = first.or_else(|| {
            let kept = showing.kept.as_ref();
            self.session
                .surface(&self.desk, showing.id(), showing.ask(), kept)
        });
        let (params, raiser) = match surface {
            Some(Surface::Form(lowered)) => (
                wire::form_params(&self.session, &showing, &lowered),
                Some(lowered.raiser().clone()),
            ),
            Some(Surface::Url(address)) => {
                (wire::url_params(&self.session, &showing, &address), None)
            }
            None => {
                let why = "the client cannot show the question".to_owned();
                return ready(Err(DeliveryError::Failed(why))).boxed();
            }
        };
        // A person who agreed to open the page answers there; the client hears of it when they did.
        let answered_elsewhere = self.desk.can_show_elsewhere(showing.ask())
            || self.desk.page_of(showing.id()).is_some();
        let (desk, by) = (self.desk.clone(), self.session.client.clone());
        let open = desk.live_ask(showing.id());
        if let Some(open) = &open {
            open.set_sent_to_page(false);
        }
        let open = open.as_ref().map(Arc::downgrade).unwrap_or_default();
        async move {
            let in_client = match raiser {
                Some(_) => InClient::Decides,
                None => InClient::Opens,
            };
            let showing = Showing {
                in_client,
                ..showing
            };
            let (reply, departure) = client.elicit(params, &showing, &open).await?;
            let Some(reply) = reply else {
                if raiser.is_none() {
                    Box::pin(client.complete(&showing)).await;
                }
                return Ok(Delivery::Parked);
            };
            let shown_at = departure.shown_at(desk.now());
            let (received, presence) = wire::read_reply(reply, raiser.as_ref(), shown_at);
            match received {
                Received::Garbled(what) => Ok(Delivery::Garbled(what)),
                Received::Reply(Reply::Accept { .. }) if raiser.is_none() && answered_elsewhere => {
                    if let Some(open) = desk.live_ask(showing.id()) {
                        open.set_sent_to_page(true);
                    }
                    showing.ended.wait().await;
                    Box::pin(client.complete(&showing)).await;
                    Ok(Delivery::Parked)
                }
                Received::Reply(reply) => Ok(Delivery::Replied(ChannelReply {
                    reply,
                    by,
                    presence,
                })),
            }
        }
        .boxed()
    }
}

impl LegacyClient {
    /// Sends an ask, unless the client has it in view since before its flow was let go, and waits for the reply;
    /// none where the ask ended before it came. Gives when it left, too.
    async fn elicit(
        &self,
        params: Value,
        showing: &Showing,
        open: &Weak<OpenAsk>,
    ) -> Result<(Option<Value>, Arc<Departure>), DeliveryError> {
        let in_view = self.forms.take(showing.id());
        let was_in_view = in_view.is_some();
        let form = match in_view {
            Some(form) => form,
            None => {
                let departure = Arc::<Departure>::default();
                let sent = Box::pin(self.send(params, &departure)).await;
                // The rest of the handle is dropped: nothing is kept while a person thinks.
                let RequestHandle { rx, id, .. } = sent.map_err(delivery_error)?;
                ShownForm::new(showing.id(), id, showing.in_client, departure, rx)
            }
        };
        let departure = form.departure.clone();
        let mut form = self.forms.wait(form, open);
        if was_in_view && let Some(open) = open.upgrade() {
            open.changed();
        }
        let why = tokio::select! {
            biased;
            reply = form.reply() => return match reply {
                Ok(Ok(reply)) => Ok((Some(as_json(reply)), departure)),
                Ok(Err(error)) => Err(delivery_error(error)),
                Err(_) => Err(DeliveryError::Gone),
            },
            _ = showing.ended.wait() => ENDED,
            () = self.gone.cancelled() => "the call was given up",
        };
        if let Some(request) = form.close() {
            Box::pin(self.withdraw(request, why)).await;
        }
        if self.gone.is_cancelled() {
            Err(DeliveryError::Gone)
        } else {
            Ok((None, departure))
        }
    }

    /// Takes a request back that the client was sent.
    async fn withdraw(&self, request: RequestId, why: &str) {
        let cancelled = CancelledNotificationParam::new(Some(request), Some(why.to_owned()));
        let _ = self.peer.notify_cancelled(cancelled).await;
    }

    async fn send(
        &self,
        params: Value,
        departure: &Arc<Departure>,
    ) -> Result<RequestHandle<RoleServer>, ServiceError> {
        let _turn = self.sending.lock().await;
        self.greet().await;
        let request = self.server_request(wire::ELICIT, params, Some(departure));
        let options = PeerRequestOptions::no_options();
        self.peer.send_request_with_option(request, options).await
    }

    /// A request that belongs to the client's own.
    fn server_request(
        &self,
        method: &'static str,
        params: Value,
        departure: Option<&Arc<Departure>>,
    ) -> ServerRequest {
        let mut request = CustomRequest::new(method, Some(params));
        request
            .extensions
            .insert(OriginatingRequestId(self.request.clone()));
        if let Some(departure) = departure {
            request.extensions.insert(Leaving(departure.clone()));
        }
        ServerRequest::CustomRequest(request)
    }

    /// Spends the request id 0 on a ping: clients on the TypeScript SDK cannot be notified that the
    /// request of that id was withdrawn.
    async fn greet(&self) {
        if !self.greeted.swap(true, Ordering::Relaxed) {
            let ping = ServerRequest::PingRequest(PingRequest::default());
            let options = PeerRequestOptions::no_options();
            if let Ok(ping) = self.peer.send_request_with_option(ping, options).await {
                tokio::spawn(ping.await_response());
            }
        }
    }

    /// Tells the client that the page which it sent its person to is not needed any more.
    async fn complete(&self, showing: &Showing) {
        let complete = CustomNotification::new(
            "notifications/elicitation/complete",
            Some(json!({ "elicitationId": showing.id().to_string() })),
        );
        let complete = ServerNotification::CustomNotification(complete);
        let _ = self.peer.send_notification(complete).await;
    }
}

fn as_json(reply: ClientResult) -> Value {
    serde_json::to_value(reply).unwrap_or(Value::Null)
}

fn delivery_error(error: ServiceError) -> DeliveryError {
    match error {
        ServiceError::McpError(error) => DeliveryError::Failed(format!(
            "the client cannot show the question: {}",
            error.message
        )),
        _ => DeliveryError::Gone,
    }
}

impl fmt::Debug for LegacyChannel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LegacyChannel").finish_non_exhaustive()
    }
}
