//! The calls of this process.

use super::call::Call;
use crate::{
    Desk,
    core::{desk::CallRegistry, open_ask::OpenAsk},
    sync::lock,
};
use holdpoint_ask::CallId;
use holdpoint_journal::{
    CallBinding, CallHistory, CallRecord, JournalError, NewCall, TakeOver, Write, Written,
};
use std::{
    any::Any,
    collections::HashMap,
    sync::{Arc, Mutex, Weak},
};

/// The calls of this process that are on record and whose flows run.
///
/// Lock order: `taking_over` is held across awaits and is the outermost. The others are held for a few
/// statements, never two at once, and no other lock is taken meanwhile.
#[derive(Default)]
pub(crate) struct Calls {
    live: Mutex<HashMap<CallId, Weak<Call>>>,
    /// Calls that no request speaks for, by what was called.
    idle: Mutex<HashMap<CallBinding, Weak<Call>>>,
    /// Calls whose flows ended here and whose results could not be put on record, by what was called.
    unrecorded: Mutex<HashMap<CallBinding, Vec<CallId>>>,
    /// Held while a call is taken over.
    pub taking_over: tokio::sync::Mutex<()>,
}

impl Calls {
    pub fn get(&self, id: CallId) -> Option<Arc<Call>> {
        lock(&self.live).get(&id).and_then(Weak::upgrade)
    }

    pub fn enter(&self, call: &Arc<Call>) {
        lock(&self.live).insert(call.id, Arc::downgrade(call));
    }

    /// No request speaks for this call any more.
    pub fn add_idle(&self, call: &Arc<Call>) {
        lock(&self.idle).insert(call.binding(), Arc::downgrade(call));
    }

    /// A call of the same caller with the same arguments that no request speaks for and whose
    /// asks are open.
    pub fn take_idle(
        &self,
        binding: CallBinding,
        fits: impl FnOnce(&Call) -> bool,
    ) -> Option<Arc<Call>> {
        let mut idle = lock(&self.idle);
        let call = idle.get(&binding)?.upgrade().filter(|call| fits(call))?;
        idle.remove(&binding);
        drop(idle);
        let wanted = call.done().is_none() && !call.is_cancelled();
        (wanted && !call.open_asks().is_empty()).then_some(call)
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
        let same = |other: &Weak<Call>| std::ptr::eq(other.as_ptr(), call);
        let mut live = lock(&self.live);
        if live.get(&call.id).is_some_and(same) {
            live.remove(&call.id);
        }
        drop(live);
        let mut idle = lock(&self.idle);
        if !idle.is_empty() && idle.get(&call.binding()).is_some_and(same) {
            idle.remove(&call.binding());
        }
    }
}

impl CallRegistry for Calls {
    fn taken_over(&self, call: CallId, epoch: u64) -> Vec<Arc<OpenAsk>> {
        let call = self.get(call);
        call.map(|call| call.taken_over(epoch)).unwrap_or_default()
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
