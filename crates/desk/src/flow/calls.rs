//! The calls of this process.

use super::{
    call::Call,
    released_calls::{ReleasedCall, ReleasedCalls},
    session_pool::SessionPool,
};
use crate::{
    Desk,
    core::{
        departure::Departure,
        desk::{CallRegistry, Waiting},
        open_ask::OpenAsk,
    },
    sync::lock,
};
use holdpoint_ask::{AskId, CallId, Decision};
use holdpoint_journal::{
    CallBinding, CallHistory, CallRecord, JournalError, NewCall, TakeOver, Write, Written,
};
use jiff::Timestamp;
use std::{
    any::Any,
    collections::HashMap,
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicBool, Ordering},
    },
};

/// The calls of this process that are on record and whose flows run.
///
/// Lock order: `taking_over` is held across awaits and is the outermost, then a call's turn. The others are held
/// for a few statements, never two at once, and no other lock is taken meanwhile; for `released` see there.
#[derive(Default)]
pub(crate) struct Calls {
    live: Mutex<HashMap<CallId, Weak<Call>>>,
    /// Calls that no request speaks for, by what was called.
    idle: Mutex<HashMap<CallBinding, CallId>>,
    /// Calls whose flows ended here and whose results could not be put on record, by what was called.
    unrecorded: Mutex<HashMap<CallBinding, Vec<CallId>>>,
    /// Held while a call is taken over.
    pub taking_over: tokio::sync::Mutex<()>,
    /// The calls whose flows were let go.
    pub released: Arc<ReleasedCalls>,
    /// Their sessions.
    pub sessions: SessionPool,
    /// Held while a call's flow is let go or run again; calls of the same number share one.
    turns: [tokio::sync::Mutex<()>; TURNS],
    is_tending: AtomicBool,
}

const TURNS: usize = 32;

impl Calls {
    pub fn get(&self, id: CallId) -> Option<Arc<Call>> {
        lock(&self.live).get(&id).and_then(Weak::upgrade)
    }

    pub fn enter(&self, call: &Arc<Call>) {
        lock(&self.live).insert(call.id, Arc::downgrade(call));
    }

    /// No request speaks for this call any more.
    pub fn add_idle(&self, call: &Arc<Call>) {
        lock(&self.idle).insert(call.binding(), call.id);
    }

    /// A call of the same caller with the same arguments that no request speaks for and whose
    /// asks are open.
    pub fn take_idle(
        &self,
        binding: CallBinding,
        fits: impl FnOnce(&Call) -> bool,
    ) -> Option<Arc<Call>> {
        let id = lock(&self.idle).get(&binding).copied()?;
        let call = self.get(id).filter(|call| fits(call))?;
        if lock(&self.idle).remove(&binding) != Some(id) {
            return None;
        }
        let wanted = call.done().is_none() && !call.is_cancelled();
        let open = call.open_asks();
        if call.is_released() {
            // Let go just now: it is found among those.
            lock(&self.idle).entry(binding).or_insert(id);
            return None;
        }
        (wanted && !open.is_empty()).then_some(call)
    }

    /// As [`Self::take_idle`], one whose flow was let go.
    pub fn take_idle_released(&self, binding: CallBinding, modern: bool) -> Option<CallId> {
        let id = lock(&self.idle).get(&binding).copied()?;
        let fits = |call: &mut ReleasedCall| {
            let open = call.asks.iter().any(|ask| !ask.decided);
            call.session.modern == modern && !call.cancelled && open
        };
        self.released.with(id, fits).filter(|fits| *fits)?;
        let taken = lock(&self.idle).remove(&binding);
        taken.filter(|taken| *taken == id)
    }

    /// When the round of a call that was sealed then left, or the first one after it; none where another process sent
    /// it out.
    pub fn departure(&self, call: CallId, sealed_at: Timestamp) -> Option<Arc<Departure>> {
        let released = self
            .released
            .with(call, |call| call.rounds.departure(sealed_at));
        let running = || self.get(call)?.rounds(|rounds| rounds.departure(sealed_at));
        released.flatten().or_else(running)
    }

    /// Held while the flow of this call is let go or run again.
    pub fn turn(&self, call: CallId) -> &tokio::sync::Mutex<()> {
        let [.., last] = call.as_bytes();
        &self.turns[usize::from(*last) % TURNS]
    }

    /// The flow of this call does not run any more.
    pub fn forget_running(&self, call: &Call) {
        let same = |other: &Weak<Call>| std::ptr::eq(other.as_ptr(), call);
        let mut live = lock(&self.live);
        if live.get(&call.id).is_some_and(same) {
            live.remove(&call.id);
        }
    }

    /// Whether somebody has to look after what was let go from now on.
    pub fn starts_tending(&self) -> bool {
        !self.is_tending.swap(true, Ordering::AcqRel)
    }

    /// The result of this call is not on record, and nobody was told it: the same call again goes on with it.
    pub fn add_unrecorded(&self, call: &Call) {
        let mut unrecorded = lock(&self.unrecorded);
        let calls = unrecorded.entry(call.binding()).or_default();
        if !calls.contains(&call.id) {
            calls.push(call.id);
        }
    }

    /// The calls of this process that were called just like this and whose results are not on record.
    pub fn unrecorded(&self, binding: CallBinding) -> Vec<CallId> {
        let unrecorded = lock(&self.unrecorded);
        unrecorded.get(&binding).cloned().unwrap_or_default()
    }

    /// The result of this call is on record.
    pub fn remove_unrecorded(&self, call: &Call) {
        let mut unrecorded = lock(&self.unrecorded);
        if unrecorded.is_empty() {
            return;
        }
        if let Some(calls) = unrecorded.get_mut(&call.binding()) {
            calls.retain(|other| *other != call.id);
        }
        unrecorded.retain(|_, calls| !calls.is_empty());
    }

    pub fn leave(&self, call: &Call) {
        self.forget_running(call);
        if !lock(&self.idle).is_empty() {
            self.forget_idle(call.binding(), call.id);
        }
    }

    /// The same call again does not go on with this one.
    pub fn forget_idle(&self, binding: CallBinding, call: CallId) {
        let mut idle = lock(&self.idle);
        if idle.get(&binding) == Some(&call) {
            idle.remove(&binding);
        }
    }
}

impl CallRegistry for Calls {
    fn taken_over(&self, call: CallId, epoch: u64) -> Vec<Arc<OpenAsk>> {
        // One whose flow is let go meanwhile is among the others by then.
        let running = self.get(call);
        let lost = running.map(|call| call.taken_over(epoch));
        self.released.lose(call, epoch);
        lost.unwrap_or_default()
    }

    fn decided(
        &self,
        decision: &Decision,
        live: &mut dyn FnMut() -> Option<Arc<OpenAsk>>,
    ) -> Waiting {
        self.released.decide(decision, live)
    }

    fn waits_for(&self, ask: AskId) -> bool {
        self.released.waits_for(ask)
    }
}

impl Drop for Calls {
    /// Whoever looks after what was let go learns that the desk is gone.
    fn drop(&mut self) {
        self.released.changed.notify_one();
    }
}

impl Desk {
    /// The calls of this process. The core keeps them without knowing what they are.
    pub(crate) fn calls(&self) -> &Calls {
        let registry: &dyn Any = &*self.inner.calls;
        let calls = registry.downcast_ref();
        calls.expect("a desk's builder gives it these")
    }

    /// Takes a call over whose process is gone, and gives its new epoch; none where that process is
    /// alive. Hold `taking_over` meanwhile.
    pub(crate) async fn claim(&self, history: &CallHistory) -> Result<Option<u64>, JournalError> {
        let take = Write::TakeOver {
            call: history.call.id,
            epoch: history.call.epoch,
            owner: self.journal().owner(),
            at: self.now(),
        };
        Ok(match self.journal().commit(vec![take]).await?.as_slice() {
            [Written::TakeOver(TakeOver::Taken { epoch })] => Some(*epoch),
            _ => None,
        })
    }

    /// A recorded call as this process's own.
    pub(crate) fn adopt(&self, record: &CallRecord) -> NewCall {
        NewCall {
            id: record.id,
            origin: record.origin.clone(),
            method: record.method.clone(),
            arguments: record.arguments.clone(),
            flow_version: record.flow_version.clone(),
            owner: self.journal().owner(),
            opened_at: record.opened_at,
            run: record.run,
        }
    }
}
