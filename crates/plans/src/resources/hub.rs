//! Who is notified when a resource changes. One task holds them all: it follows the journal, which
//! knows of every process, and the folders of the plans, which know of every editor.

use super::{Viewer, uri::Uri};
use crate::blocking;
use holdpoint::{
    Desk, Digest,
    journal::{EventKind, JournalError},
};
use holdpoint_ask::describe::error_chain;
use holdpoint_workspace::FolderWatcher;
use rmcp::{RoleServer, model::ResourceUpdatedNotificationParam, service::Peer};
use std::{
    collections::{BTreeSet, HashMap, HashSet},
    path::PathBuf,
    sync::OnceLock,
    time::Duration,
};
use tokio::sync::{
    mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    oneshot,
};

/// How often folders are looked at where the system does not tell of changes.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// A person's editor makes several changes to save once: they count as one.
const BURST: Duration = Duration::from_millis(30);

/// The way to the task, which starts with the first subscriber.
#[derive(Default)]
pub(super) struct Hub(OnceLock<UnboundedSender<Order>>);

/// Somebody who wants to hear of one resource.
pub(super) struct Subscriber {
    pub uri: Uri,
    /// The address as they wrote it.
    pub name: String,
    pub viewer: Viewer,
    /// The connection that this lasts as long as.
    pub connection: u64,
    pub to: To,
}

/// How they are notified.
pub(super) enum To {
    Peer(Peer<RoleServer>),
    Listener(UnboundedSender<String>),
}

enum Order {
    Add(Vec<Subscriber>, oneshot::Sender<()>),
    Remove(u64, String, oneshot::Sender<()>),
}

impl Hub {
    /// From when this returns they hear of every change.
    pub async fn add(&self, subscribers: Vec<Subscriber>) {
        let Some(first) = subscribers.first() else {
            return;
        };
        let desk = first.viewer.desk.clone();
        let orders = self.0.get_or_init(|| {
            let (orders, received) = unbounded_channel();
            tokio::spawn(run(desk, received));
            orders
        });
        let (done, added) = oneshot::channel();
        let _ = orders.send(Order::Add(subscribers, done));
        let _ = added.await;
    }

    pub async fn remove(&self, connection: u64, name: String) {
        let Some(orders) = self.0.get() else { return };
        let (done, removed) = oneshot::channel();
        let _ = orders.send(Order::Remove(connection, name, done));
        let _ = removed.await;
    }
}

/// Runs until the hub is gone.
async fn run(desk: Desk, mut orders: UnboundedReceiver<Order>) {
    let mut commits = desk.journal().commits();
    let mut task = Task {
        seen: desk.journal().head().await.unwrap_or_default(),
        desk,
        subscribers: Vec::new(),
        folders: FolderWatcher::new(POLL_INTERVAL),
        plans: HashMap::new(),
    };
    loop {
        tokio::select! {
            order = orders.recv() => match order {
                None => return,
                Some(Order::Add(subscribers, done)) => {
                    task.add(subscribers).await;
                    let _ = done.send(());
                }
                Some(Order::Remove(connection, name, done)) => {
                    task.subscribers.retain(|subscriber| subscriber.connection != connection || subscriber.name != name);
                    let _ = done.send(());
                }
            },
            Ok(()) = commits.changed() => {
                if let Err(error) = task.follow().await {
                    tracing::warn!(error = error_chain(&error), "the journal could not be followed");
                }
            }
            change = task.folders.changed(BURST) => task.check_plans(change.names).await,
        }
    }
}

struct Task {
    desk: Desk,
    /// The last event that was looked at.
    seen: u64,
    subscribers: Vec<Subscriber>,
    folders: FolderWatcher,
    /// The state files as they were at the last notice, by folder and code.
    plans: HashMap<(PathBuf, String), Option<Digest>>,
}

impl Task {
    async fn add(&mut self, subscribers: Vec<Subscriber>) {
        self.subscribers.retain(Subscriber::is_there);
        for new in subscribers {
            let same = |old: &Subscriber| {
                matches!((&old.to, &new.to), (To::Peer(_), To::Peer(_)))
                    && old.connection == new.connection
                    && old.name == new.name
            };
            if !self.subscribers.iter().any(same) {
                self.subscribers.push(new);
            }
        }
        self.check_plans(false).await;
    }

    /// Looks at every plan that somebody wants to hear of.
    async fn check_plans(&mut self, anew: bool) {
        let mut wanted = HashSet::new();
        let mut roots = Vec::new();
        for subscriber in &self.subscribers {
            if let Uri::Plan(code) = &subscriber.uri {
                let root = &subscriber.viewer.root;
                let key = (root.workspace.root().to_owned(), code.clone());
                if wanted.insert(key.clone()) {
                    roots.push((key, root.clone()));
                }
            }
        }
        self.plans.retain(|key, _| wanted.contains(key));
        // The folders first: what changes after that is heard of.
        let keys = roots.clone();
        let folders: BTreeSet<PathBuf> = blocking(move || {
            keys.iter()
                .flat_map(|((_, code), root)| on_the_way(root, code))
                .collect()
        })
        .await;
        self.folders.watch(&folders, anew);
        let now: Vec<_> = blocking(move || {
            let digest = |code: &str, root: &crate::locate::PlanRoot| {
                let place = root.find_by_code(code).ok()?;
                let text = root.read(&place, "STATUS.md").ok()?;
                Some(Digest::hash_bytes(text.as_bytes()))
            };
            roots
                .into_iter()
                .map(|(key, root)| (digest(&key.1, &root), key))
                .collect()
        })
        .await;
        for (digest, key) in now {
            let before = self.plans.insert(key.clone(), digest);
            if before.is_some_and(|before| before != digest) {
                let (root, code) = key;
                self.notify(|subscriber| {
                    subscriber.uri == Uri::Plan(code.clone())
                        && subscriber.viewer.root.workspace.root() == root
                });
            }
        }
    }

    /// Reads what was committed, by this process or another.
    async fn follow(&mut self) -> Result<(), JournalError> {
        loop {
            let events = self.desk.journal().events(self.seen, 1_000).await?;
            let Some(last) = events.last() else {
                return Ok(());
            };
            self.seen = last.seq;
            let mut asks: HashMap<_, (bool, bool)> = HashMap::new();
            for event in &events {
                let Some(ask) = event.ask else { continue };
                let changed = asks.entry(ask).or_default();
                let decided = event.kind == EventKind::Decided;
                changed.1 |= decided;
                changed.0 |=
                    decided || matches!(event.kind, EventKind::Asked | EventKind::Extended);
            }
            if self
                .subscribers
                .iter()
                .all(|subscriber| matches!(subscriber.uri, Uri::Plan(_)))
            {
                continue;
            }
            let (mut hearing, mut owners) = (HashSet::new(), Vec::new());
            for (ask, (open, decided)) in asks {
                if let Some(record) = self.desk.journal().ask(ask).await? {
                    owners.push((record.origin, open, decided, ask));
                }
            }
            for (place, subscriber) in self.subscribers.iter().enumerate() {
                let hears = owners.iter().any(|(origin, open, decided, ask)| {
                    subscriber.viewer.owns(origin)
                        && match &subscriber.uri {
                            Uri::OpenAsks => *open,
                            Uri::Recent => *decided,
                            Uri::Ask(own) => own == ask,
                            Uri::Plan(_) => false,
                        }
                });
                if hears {
                    hearing.insert(place);
                }
            }
            let mut place = 0;
            self.notify(|_| {
                place += 1;
                hearing.contains(&(place - 1))
            });
        }
    }

    fn notify(&mut self, mut hears: impl FnMut(&Subscriber) -> bool) {
        for subscriber in &self.subscribers {
            if hears(subscriber) {
                subscriber.notify();
            }
        }
        self.subscribers.retain(Subscriber::is_there);
    }
}

impl Subscriber {
    fn is_there(&self) -> bool {
        match &self.to {
            To::Peer(peer) => !peer.is_transport_closed(),
            To::Listener(to) => !to.is_closed(),
        }
    }

    fn notify(&self) {
        match &self.to {
            To::Listener(to) => drop(to.send(self.name.clone())),
            To::Peer(peer) => {
                let (peer, name) = (peer.clone(), self.name.clone());
                // A client that does not read holds up nobody else.
                tokio::spawn(async move {
                    let param = ResourceUpdatedNotificationParam::new(name);
                    let _ = peer.notify_resource_updated(param).await;
                });
            }
        }
    }
}

/// The folders whose names lead to a plan's state, from the workspace down.
fn on_the_way(root: &crate::locate::PlanRoot, code: &str) -> Vec<PathBuf> {
    let folder = match root.find_by_code(code) {
        Ok(place) => place.path.full().to_owned(),
        Err(_) => match root.folder(None) {
            Ok(folder) => folder.full().join(code),
            Err(_) => return Vec::new(),
        },
    };
    let root = root.workspace.root();
    folder
        .ancestors()
        .take_while(|folder| folder.starts_with(root))
        .map(PathBuf::from)
        .collect()
}
