//! What is known of one connection, and its open requests.
#![allow(deprecated)] // Older clients still have a log.

use crate::{Session, flow::call::Call, sync::lock};
use holdpoint_ask::CallId;
use rmcp::model::{LoggingLevel, RequestId};
use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

/// What is known of one connection.
///
/// Lock order: each is held for one statement, and no lock is taken meanwhile.
pub(crate) struct Connection {
    /// Names it among all of the process.
    pub id: u64,
    /// Its requests, for cancelling them.
    pub in_flight: InFlight,
    /// Whether it has been sent a request.
    pub greeted: Arc<AtomicBool>,
    /// The last request's session, which mostly is the next one's too.
    session: Mutex<Option<Arc<Session>>>,
    /// From which level on it wants log lines; none before it said so.
    pub log_level: Mutex<Option<LoggingLevel>>,
}

impl Default for Connection {
    fn default() -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Self {
            id: LAST.fetch_add(1, Ordering::Relaxed),
            in_flight: InFlight::default(),
            greeted: Arc::default(),
            session: Mutex::default(),
            log_level: Mutex::default(),
        }
    }
}

impl Connection {
    /// The session, shared with the request before where that had the same.
    pub fn share(&self, session: Session) -> Arc<Session> {
        let mut last = lock(&self.session);
        if let Some(same) = last.as_ref().filter(|last| ***last == session) {
            return same.clone();
        }
        last.insert(Arc::new(session)).clone()
    }
}

/// The open requests of a connection, each with its call.
///
/// Lock order: its lock is held for one statement, and none is taken meanwhile.
#[derive(Default)]
pub(crate) struct InFlight(Mutex<HashMap<RequestId, (CallId, Weak<Call>)>>);

impl InFlight {
    pub fn insert(&self, request: RequestId, call: &Arc<Call>) {
        lock(&self.0).insert(request, (call.id, Arc::downgrade(call)));
    }

    /// The flow of this request's call was let go: nothing of the call is kept from here on.
    pub fn released(&self, request: &RequestId) {
        if let Some((_, call)) = lock(&self.0).get_mut(request) {
            *call = Weak::new();
        }
    }

    pub fn remove(&self, request: &RequestId) -> Option<(CallId, Weak<Call>)> {
        lock(&self.0).remove(request)
    }
}
