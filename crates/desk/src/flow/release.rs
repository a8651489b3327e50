//! Letting a flow go that waits for people, as a crash would.

use super::{
    call::Call,
    flow_waker::FlowWaker,
    released_calls::{ReleasedAsks, ReleasedCall},
};
use crate::sync::lock;
use holdpoint_journal::{CallRecord, JournalError};
use std::{
    ops::Deref,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

/// Runs flows that were let go.
pub(crate) trait FlowRunner: Send + Sync {
    /// Runs the flow of a recorded call again from its start.
    fn run_again(
        self: Arc<Self>,
        call: &Arc<Call>,
        record: &CallRecord,
    ) -> Result<(), JournalError>;
}

const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// When a call's flow is let go, and who runs it again.
pub(crate) struct Releasing {
    pub after: Duration,
    pub runner: Arc<dyn FlowRunner>,
}

/// A call that somebody holds, such as a request that waits for it.
pub(crate) struct Held(Arc<Call>);

impl Deref for Held {
    type Target = Arc<Call>;

    fn deref(&self) -> &Arc<Call> {
        &self.0
    }
}

impl Drop for Held {
    /// What was kept in memory for it may go.
    fn drop(&mut self) {
        let call = &self.0;
        let last = call.held.fetch_sub(1, Ordering::AcqRel) == 1;
        if last && call.done().is_none() && !call.is_released() {
            call.release_later();
        }
    }
}

impl Call {
    /// Its flow waits, or no request is held for it any more: it is let go after a while.
    pub fn release_later(&self) {
        if let Some(releasing) = self.releasing.get() {
            self.desk.tend_released();
            let released = &self.desk.calls().released;
            released.add_resting(self.id, releasing.after);
        }
    }

    /// Its flow could not be let go now: something was still under way.
    pub fn release_another_time(&self) {
        if let Some(releasing) = self.releasing.get()
            && !self.is_kept.load(Ordering::Acquire)
        {
            let released = &self.desk.calls().released;
            released.keep_back(self.id, releasing.after.max(LOOK_AGAIN));
        }
    }

    /// Its flow has waited for long enough: its task is to let it go.
    pub fn want_release(&self) {
        self.release_wanted.store(true, Ordering::Release);
        self.has_work.notify_one();
    }

    pub fn is_release_wanted(&self) -> bool {
        self.release_wanted.swap(false, Ordering::AcqRel)
    }

    /// Gives the call up to those that were let go, if its flow waits for nothing but people and everything that
    /// matters about it is on record. Whoever gets true drops the flow. Hold its turn meanwhile.
    pub fn release(self: &Arc<Self>, flow: &FlowWaker) -> bool {
        let Some(releasing) = self.releasing.get() else {
            return false;
        };
        let mut state = self.state();
        // Whoever holds it from here on finds that it was let go.
        let held = self.held.load(Ordering::Acquire) > 0;
        let open = state.rounds.open_asks();
        let waits_for_people = !open.is_empty()
            && flow.is_waited_on_by(open.len())
            && !self.is_kept.load(Ordering::Acquire)
            && self.steps_under_way.load(Ordering::Acquire) == 0;
        let asks_client = self.session.modern && state.rounds.is_ready();
        let over = state.cancelled || state.closed || state.done.is_some();
        if !waits_for_people
            || (held && asks_client)
            || over
            || !state.opened
            || !state.failed.is_empty()
            || !state.rounds.is_at_rest()
        {
            return false;
        }
        let asks: Option<Vec<_>> = open.iter().map(|open| open.release()).collect();
        let Some(asks) = asks.and_then(ReleasedAsks::new) else {
            return false;
        };
        let (desk, calls) = (&self.desk, self.desk.calls());
        let released = ReleasedCall {
            asks,
            epoch: state.epoch,
            binding: self.binding(),
            session: calls.sessions.share(&self.session),
            client: calls.sessions.share_client(self.client()),
            active: self.active.get().map(|_| self.active.clone()),
            rounds: state.rounds.sent_out(),
            runner: releasing.runner.clone(),
            after: releasing.after,
            cancelled: false,
            asks_client,
            form_watch: None,
        };
        let take = || {
            let mut live = lock(&desk.inner.live);
            let all = open.iter().all(|open| live.contains_key(&open.id()));
            all.then(|| open.iter().for_each(|open| drop(live.remove(&open.id()))))
        };
        if calls.released.add(self.id, released, take).is_none() {
            return false;
        }
        state.closed = true;
        state.released = true;
        drop(state);
        calls.forget_running(self);
        self.notify();
        true
    }

    /// Somebody holds it, until this is dropped.
    pub fn hold(self: &Arc<Self>) -> Held {
        self.held.fetch_add(1, Ordering::AcqRel);
        Held(self.clone())
    }

    /// Whether its flow was let go: something else goes on with it ([`crate::Desk::next_run`]).
    pub fn is_released(&self) -> bool {
        self.state().released
    }

    /// The flow was dropped: what its client has in view is watched from here on.
    pub fn released(&self) {
        let (desk, id) = (&self.desk, self.id);
        self.state().rounds.forget_open();
        let client = self.client();
        let watch = client.has_forms().then(|| {
            let desk = Arc::downgrade(&desk.inner);
            let answered = client.form_answered();
            tokio::spawn(async move {
                answered.await;
                if let Some(inner) = desk.upgrade() {
                    crate::Desk { inner }.wake_soon(id);
                }
            })
            .abort_handle()
        });
        desk.calls().released.with(id, |call| {
            call.form_watch = watch;
            call.asks.iter_mut().for_each(|ask| ask.forget_unheard());
        });
    }
}
