//! Who hears of changed resources, where the author's handler does not see to that itself.

use crate::sync::lock;
use rmcp::{
    ErrorData, Peer, RoleServer,
    model::{ResourceUpdatedNotificationParam, ServerCapabilities, SubscriptionFilter},
    service::{SubscriptionContext, SubscriptionSink},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

/// How many resources one client may subscribe to.
const MOST: usize = 1_000;

/// How long the address of one may be, in bytes.
const LONGEST: usize = 2_048;

/// A client that has not taken a notification by then does not get it.
const PATIENCE: Duration = Duration::from_secs(30);

/// The clients of a server that hear of changed resources, in both eras.
///
/// Lock order: each is held for one statement, and no lock is taken meanwhile.
#[derive(Default)]
pub(crate) struct Subscribers {
    /// Legacy clients, by their connection.
    connections: Mutex<BTreeMap<u64, Subscriptions>>,
    /// Modern clients that listen.
    listeners: Mutex<BTreeMap<u64, SubscriptionSink>>,
    last_listener: AtomicU64,
}

/// What a legacy client subscribed to.
struct Subscriptions {
    peer: Peer<RoleServer>,
    uris: BTreeSet<String>,
}

/// Whether clients are offered subscriptions to resources.
pub(crate) fn are_offered(capabilities: &ServerCapabilities) -> bool {
    let resources = capabilities.resources.as_ref();
    resources.is_some_and(|resources| resources.subscribe == Some(true))
}

/// Whether clients are offered to hear of changes to the list of resources.
pub(crate) fn list_changes(capabilities: &ServerCapabilities) -> bool {
    let resources = capabilities.resources.as_ref();
    resources.is_some_and(|resources| resources.list_changed == Some(true))
}

/// The part of what a modern client wants to hear of that is kept here.
pub(crate) fn accepted(
    requested: &SubscriptionFilter,
    capabilities: &ServerCapabilities,
) -> Option<SubscriptionFilter> {
    if !are_offered(capabilities) && !list_changes(capabilities) {
        return None;
    }
    let mut accepted = SubscriptionFilter::default();
    accepted.resources_list_changed = requested.resources_list_changed;
    let uris = requested.resource_subscriptions.as_ref();
    accepted.resource_subscriptions = uris.map(|uris| {
        let short = uris.iter().filter(|uri| uri.len() <= LONGEST);
        short.take(MOST).cloned().collect()
    });
    Some(accepted)
}

impl Subscribers {
    /// A legacy client, which hears of changes to the list of resources from now on.
    pub fn connect(&self, connection: u64, peer: Peer<RoleServer>) {
        self.with(connection, peer, |_| ());
    }

    /// Notifies a legacy client from now on when this resource changes.
    pub fn subscribe(
        &self,
        connection: u64,
        peer: Peer<RoleServer>,
        uri: String,
    ) -> Result<(), ErrorData> {
        if uri.len() > LONGEST {
            let what = format!("The address of a resource has at most {LONGEST} bytes.");
            return Err(ErrorData::invalid_params(what, None));
        }
        let added = self.with(connection, peer, |uris| {
            uris.contains(&uri) || uris.len() < MOST && uris.insert(uri)
        });
        if added {
            return Ok(());
        }
        let what =
            format!("A client can subscribe to {MOST} resources: unsubscribe from one first.");
        Err(ErrorData::invalid_params(what, None))
    }

    pub fn unsubscribe(&self, connection: u64, uri: &str) {
        if let Some(own) = lock(&self.connections).get_mut(&connection) {
            own.uris.remove(uri);
        }
    }

    /// Notifies a modern client of changes for as long as it listens.
    pub async fn listen(&self, context: SubscriptionContext) {
        let key = self.last_listener.fetch_add(1, Ordering::Relaxed);
        lock(&self.listeners).insert(key, context.sink().clone());
        let _listening = Listening { of: self, key };
        context.cancelled().await;
    }

    /// Notifies everybody who wants to hear of this resource.
    pub fn updated(&self, uri: &str) {
        for own in lock(&self.connections).values() {
            if own.uris.contains(uri) {
                let (peer, param) = (own.peer.clone(), ResourceUpdatedNotificationParam::new(uri));
                spawn(async move { drop(peer.notify_resource_updated(param).await) });
            }
        }
        for sink in lock(&self.listeners).values() {
            let (sink, uri) = (sink.clone(), uri.to_owned());
            spawn(async move { drop(sink.notify_resource_updated(uri).await) });
        }
    }

    /// Notifies everybody who wants to hear that resources have come or gone.
    pub fn list_changed(&self) {
        for own in lock(&self.connections).values() {
            let peer = own.peer.clone();
            spawn(async move { drop(peer.notify_resource_list_changed().await) });
        }
        for sink in lock(&self.listeners).values() {
            let sink = sink.clone();
            spawn(async move { drop(sink.notify_resource_list_changed().await) });
        }
    }

    fn with<T>(
        &self,
        connection: u64,
        peer: Peer<RoleServer>,
        change: impl FnOnce(&mut BTreeSet<String>) -> T,
    ) -> T {
        let mut connections = lock(&self.connections);
        connections.retain(|_, own| !own.peer.is_transport_closed());
        let own = connections.entry(connection);
        let uris = BTreeSet::new();
        change(&mut own.or_insert(Subscriptions { peer, uris }).uris)
    }
}

/// Notifies one client. If it does not read, it holds up nobody else, and nothing piles up for it.
fn spawn(notify: impl Future<Output = ()> + Send + 'static) {
    tokio::spawn(tokio::time::timeout(PATIENCE, notify));
}

/// A listener that is forgotten when its request ends, however it ends.
struct Listening<'a> {
    of: &'a Subscribers,
    key: u64,
}

impl Drop for Listening<'_> {
    fn drop(&mut self) {
        lock(&self.of.listeners).remove(&self.key);
    }
}
