//! How a call's client can be reached while the call runs.

use super::wire;
use crate::{
    Channel, Delivery, DeliveryError, Desk, Showing,
    core::judge::Incoming,
    core::open_ask::OpenAsk,
    flow::call::Call,
    flow::session::{Session, Surface},
    sync::lock,
};
use futures::{
    FutureExt,
    future::{BoxFuture, ready},
};
use holdpoint_ask::{Ask, ChannelKind, Kind, Raiser};
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
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};
use tokio_util::sync::CancellationToken;

/// How a call's client can be reached.
pub(crate) enum ClientLink {
    /// Not at all.
    None,
    /// It is asked by the result of its request, and calls again.
    Modern,
    /// It is sent requests while its own is open.
    Legacy(Arc<LegacyClient>),
}

/// A client that is sent requests while its own is open.
pub(crate) struct LegacyClient {
    pub peer: Peer<RoleServer>,
    pub request: RequestId,
    /// Fires when the client has given up on its request.
    pub gone: CancellationToken,
    /// Whether this connection has been sent a request before.
    pub greeted: Arc<AtomicBool>,
}

impl Call {
    /// Whether the client can be shown this ask.
    pub fn shows(&self, open: &OpenAsk) -> bool {
        !matches!(*self.link(), ClientLink::None)
            && !open.client_is_out()
            && self.surface(open).is_some()
    }

    /// How the client can show this ask.
    pub fn surface(&self, open: &OpenAsk) -> Option<Arc<Surface>> {
        open.surface(|| self.new_surface(open))
    }

    fn new_surface(&self, open: &OpenAsk) -> Option<Surface> {
        self.session.surface(&self.desk, open.id(), open.ask())
    }

    /// The surfaces that show this ask by themselves: a legacy client, and the desk's own.
    pub fn channels_for(&self, open: &OpenAsk) -> Vec<Arc<dyn Channel>> {
        let own = self.desk.inner.channels.iter();
        let own = own.filter(|channel| channel.reaches(open.ask())).cloned();
        self.client_channel(open).into_iter().chain(own).collect()
    }

    /// A legacy client, as far as it can show this ask.
    pub fn client_channel(&self, open: &OpenAsk) -> Option<Arc<dyn Channel>> {
        match &*self.link() {
            ClientLink::Legacy(client) if !open.client_is_out() => {
                let surface = open.take_surface(|| self.new_surface(open))?;
                Some(Arc::new(LegacyChannel {
                    client: client.clone(),
                    desk: self.desk.clone(),
                    session: self.session.clone(),
                    kind: match *surface {
                        Surface::Form(_) => ChannelKind::Client,
                        Surface::Url(_) => ChannelKind::Url,
                    },
                    surface: Mutex::new(Some(surface)),
                }))
            }
            _ => None,
        }
    }
}

/// One ask on its way to a legacy client.
struct LegacyChannel {
    client: Arc<LegacyClient>,
    desk: Desk,
    session: Arc<Session>,
    kind: ChannelKind,
    /// Until it is first shown: a person takes longer to answer than it takes to work out again.
    surface: Mutex<Option<Arc<Surface>>>,
}

impl Channel for LegacyChannel {
    fn kind(&self) -> ChannelKind {
        self.kind
    }

    fn reaches(&self, _ask: &Ask) -> bool {
        true
    }

    fn answers_as(&self) -> Option<String> {
        self.session.client.clone()
    }

    fn deliver(&self, showing: Showing) -> BoxFuture<'static, Result<Delivery, DeliveryError>> {
        let client = self.client.clone();
        let kept = lock(&self.surface).take();
        let surface = kept.or_else(|| {
            let surface = self
                .session
                .surface(&self.desk, showing.id(), showing.ask());
            surface.map(Arc::new)
        });
        let (params, raiser) = match surface.as_deref() {
            Some(Surface::Form(lowered)) => (
                wire::form_params(&self.session, &showing, lowered),
                Some(lowered.raiser().clone()),
            ),
            Some(Surface::Url(address)) => {
                (wire::url_params(&self.session, &showing, address), None)
            }
            None => {
                let why = "the client cannot show the question".to_owned();
                return ready(Err(DeliveryError::Failed(why))).boxed();
            }
        };
        async move {
            let Some(reply) = client.request(params, &showing).await? else {
                if raiser.is_none() {
                    Box::pin(client.complete(&showing)).await;
                }
                return Ok(Delivery::Parked);
            };
            let delivery = read(reply, raiser.as_ref());
            match raiser {
                Some(_) => Ok(delivery),
                None => Ok(Box::pin(client.after_opening(delivery, showing)).await),
            }
        }
        .boxed()
    }
}

impl LegacyClient {
    /// Sends an ask and waits for the reply; none where the ask ended before it came.
    async fn request(
        &self,
        params: Value,
        showing: &Showing,
    ) -> Result<Option<Value>, DeliveryError> {
        Box::pin(self.greet()).await;
        let mut request = CustomRequest::new(wire::ELICIT, Some(params));
        request
            .extensions
            .insert(OriginatingRequestId(self.request.clone()));
        let request = ServerRequest::CustomRequest(request);
        let options = PeerRequestOptions::no_options();
        let sent = self.peer.send_request_with_option(request, options);
        let sent = Box::pin(sent).await;
        // The rest of it is not wanted while a person thinks.
        let RequestHandle { mut rx, id, .. } = sent.map_err(lost)?;
        let why = tokio::select! {
            biased;
            reply = &mut rx => return match reply {
                Ok(Ok(reply)) => Ok(Some(as_json(reply))),
                Ok(Err(error)) => Err(lost(error)),
                Err(_) => Err(DeliveryError::Gone),
            },
            () = showing.ended.cancelled() => "the question was answered or withdrawn",
            () = self.gone.cancelled() => "the call was given up",
        };
        let cancelled = CancelledNotificationParam::new(Some(id), Some(why.to_owned()));
        let _ = Box::pin(self.peer.notify_cancelled(cancelled)).await;
        if self.gone.is_cancelled() {
            Err(DeliveryError::Gone)
        } else {
            Ok(None)
        }
    }

    /// Spends the request id 0 on a ping: clients on the TypeScript SDK cannot be told that the
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

    /// A person who agreed to open the page answers there; the client is told when they did.
    async fn after_opening(&self, delivery: Delivery, showing: Showing) -> Delivery {
        let wants_visit = |ask: &Ask| matches!(ask.form.fields.as_slice(), [f] if matches!(f.kind, Kind::Link(_)));
        match &delivery {
            Delivery::Replied(holdpoint_ask::Reply::Accept { .. })
                if !wants_visit(showing.ask()) =>
            {
                showing.ended.cancelled().await;
                self.complete(&showing).await;
                Delivery::Parked
            }
            _ => delivery,
        }
    }

    /// Tells the client that what it sent its person to is over.
    async fn complete(&self, showing: &Showing) {
        let complete = CustomNotification::new(
            "notifications/elicitation/complete",
            Some(json!({ "elicitationId": showing.id().to_string() })),
        );
        let complete = ServerNotification::CustomNotification(complete);
        let _ = self.peer.send_notification(complete).await;
    }
}

fn read(reply: Value, raiser: Option<&Raiser>) -> Delivery {
    match wire::read_reply(reply, raiser) {
        Incoming::Reply(reply) => Delivery::Replied(reply),
        Incoming::Garbled(what) => Delivery::Garbled(what),
    }
}

fn as_json(reply: ClientResult) -> Value {
    serde_json::to_value(reply).unwrap_or(Value::Null)
}

fn lost(error: ServiceError) -> DeliveryError {
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
