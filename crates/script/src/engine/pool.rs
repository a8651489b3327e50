//! The realms of one file that take new calls.

use super::{Limits, ScriptError, realm::Realm};
use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};
use tokio::{sync::OwnedMutexGuard, time::timeout};

/// How many realms wait for new calls.
const OPEN: usize = 4;
/// How long a new call waits for one of them, where all are at work: to make another one takes longer
/// than most scripts run. One that is at work for longer holds up nobody else.
const SOON: Duration = Duration::from_millis(50);

/// The realms of one file.
#[derive(Default)]
pub(crate) struct Pool {
    open: Mutex<Vec<Arc<Realm>>>,
    /// Held by whoever makes one: calls that come together do not each make their own.
    making: Arc<tokio::sync::Mutex<()>>,
    next: AtomicUsize,
}

/// A realm and its turn.
pub(super) type Held = (Arc<Realm>, OwnedMutexGuard<()>);

/// Where a new call takes place.
pub(super) enum Place {
    Free(Held),
    /// In a realm that is made for it.
    New(Option<OwnedMutexGuard<()>>),
}

impl Pool {
    /// Finds a place for a new call.
    pub(super) async fn place(&self) -> Place {
        if let Some(held) = self.free() {
            return Place::Free(held);
        }
        let making = timeout(SOON, Arc::clone(&self.making).lock_owned()).await;
        if let Some(held) = self.free() {
            return Place::Free(held);
        }
        let Some(busy) = self.busy() else {
            return Place::New(making.ok());
        };
        drop(making);
        match timeout(SOON, Arc::clone(&busy.turn).lock_owned()).await {
            Ok(turn) if !busy.broken() => Place::Free((busy, turn)),
            _ => Place::New(None),
        }
    }

    /// Makes a realm.
    pub(super) fn make(&self, file: &str, limits: Limits) -> Result<Held, ScriptError> {
        let realm = Arc::new(Realm::new(file, limits)?);
        let turn = Arc::clone(&realm.turn).blocking_lock_owned();
        let mut open = self.lock();
        if open.len() < OPEN {
            open.push(Arc::clone(&realm));
        }
        Ok((realm, turn))
    }

    fn free(&self) -> Option<Held> {
        let mut open = self.lock();
        open.retain(|realm| realm.roomy());
        open.iter().find_map(|realm| {
            let turn = Arc::clone(&realm.turn).try_lock_owned().ok()?;
            Some((Arc::clone(realm), turn))
        })
    }

    /// One of the realms, in turns, where there are as many as there may be.
    fn busy(&self) -> Option<Arc<Realm>> {
        let open = self.lock();
        let next = self.next.fetch_add(1, Relaxed);
        (open.len() >= OPEN).then(|| Arc::clone(&open[next % OPEN]))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Arc<Realm>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pool({} open)", self.lock().len())
    }
}
