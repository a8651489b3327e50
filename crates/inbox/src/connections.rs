//! The open connections of a server: how many there may be, and which one goes for the next.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};
use tokio_util::sync::CancellationToken;

/// The open connections.
#[derive(Debug)]
pub(crate) struct Connections {
    most: usize,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    /// In the order in which they came.
    states: BTreeMap<u64, Arc<ConnectionState>>,
    last: u64,
}

/// What is known of one connection.
#[derive(Debug, Default)]
pub(crate) struct ConnectionState {
    /// It has made a request.
    spoke: AtomicBool,
    /// A whole request is here and not yet answered.
    working: AtomicBool,
    /// It does not read what it is sent.
    stalled: AtomicBool,
    closed: CancellationToken,
}

/// The place of one connection; it is free again when this is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    number: u64,
    state: Arc<ConnectionState>,
    connections: Arc<Connections>,
}

impl Connections {
    /// Room for so many.
    pub fn new(most: usize) -> Arc<Self> {
        Arc::new(Self {
            most,
            open: Mutex::default(),
        })
    }

    /// A place for one more. Where all are taken, a connection that waits for its client makes room:
    /// one that has never said anything before one that is between two requests, the oldest first. None
    /// where each has work that is under way.
    pub fn admit(self: &Arc<Self>) -> Option<Place> {
        let mut open = self.lock();
        if open.states.len() >= self.most {
            let waiting = open.states.iter().filter(|(_, state)| state.waits());
            let (&number, _) =
                waiting.min_by_key(|(number, state)| (state.spoke.load(ORDER), **number))?;
            if let Some(state) = open.states.remove(&number) {
                state.closed.cancel();
            }
        }
        open.last += 1;
        let (number, state) = (open.last, Arc::<ConnectionState>::default());
        open.states.insert(number, state.clone());
        drop(open);
        Some(Place {
            number,
            state,
            connections: self.clone(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

const ORDER: Ordering = Ordering::Relaxed;

impl ConnectionState {
    /// A request began.
    pub fn speaks(&self) {
        self.spoke.store(true, ORDER);
    }

    /// Whether a whole request is here and not yet answered.
    pub fn set_working(&self, working: bool) {
        self.working.store(working, ORDER);
    }

    /// Whether the client leaves unread what it is sent.
    pub fn set_stalled(&self, stalled: bool) {
        self.stalled.store(stalled, ORDER);
    }

    fn waits(&self) -> bool {
        !self.working.load(ORDER) || self.stalled.load(ORDER)
    }
}

impl Place {
    pub fn state(&self) -> Arc<ConnectionState> {
        self.state.clone()
    }

    /// Completes when the connection has to make room.
    pub async fn closed(&self) {
        self.state.closed.cancelled().await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.connections.lock().states.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silent_connections_make_room_first_then_idle_ones_and_work_stays() {
        let open = Connections::new(3);
        let idle = open.admit().unwrap();
        idle.state.speaks();
        let works = open.admit().unwrap();
        works.state.speaks();
        works.state.set_working(true);
        let silent = open.admit().unwrap();
        let closed = |place: &Place| place.state.closed.is_cancelled();

        let next = open.admit().unwrap();
        assert!(closed(&silent) && !closed(&idle) && !closed(&works));
        next.state.set_working(true);
        let another = open.admit().unwrap();
        assert!(closed(&idle) && !closed(&works) && !closed(&next));
        another.state.set_working(true);
        assert!(open.admit().is_none(), "work is not interrupted");
        works.state.set_stalled(true);
        assert!(open.admit().is_some() && closed(&works), "nobody reads it");
    }

    #[test]
    fn a_place_is_free_again_when_its_connection_ends() {
        let open = Connections::new(1);
        let one = open.admit().unwrap();
        one.state.set_working(true);
        assert!(open.admit().is_none());
        drop(one);
        assert!(open.admit().is_some());
    }
}
