//! Running a flow again that was let go, and looking after those that are.

use super::{
    active_request::ActiveRequest,
    call::Call,
    client::Reach,
    release::Held,
    released_calls::{Due, ReleasedCall, ReleasedCalls},
    result::FlowResult,
    task::CLEARING,
};
use crate::{Desk, core::desk::Inner};
use futures::future::join_all;
use holdpoint_ask::{AskId, CallId, describe, describe::error_chain};
use holdpoint_journal::{AskRecord, CallHistory, JournalError};
use rmcp::ErrorData;
use std::{
    sync::{Arc, Weak},
    time::Duration,
};
use tokio::time::Instant;

impl Desk {
    /// The call of this id, whose flow is run again where it was let go; none where this process has no such call.
    ///
    /// Its epoch stays: the flow that was let go is gone for certain, and left no step unfinished.
    pub(crate) async fn wake(&self, id: CallId) -> Result<Option<Held>, JournalError> {
        let calls = self.calls();
        // One at a time: whoever comes second finds the call running.
        let _turn = calls.turn(id).lock().await;
        if let Some(call) = calls.get(id) {
            return Ok(Some(call.hold()));
        }
        let Some(epoch) = calls.released.with(id, |call| call.epoch) else {
            return Ok(None);
        };
        let history = self.history_of(id).await?;
        let own = history.call.owner == self.journal().owner() && history.call.epoch == epoch;
        if !own || history.call.result.is_some() {
            self.forget_released(id);
            return Ok(None);
        }
        self.clear_forms(&history).await;
        let Some(released) = calls.released.take(id) else {
            return Ok(None);
        };
        self.no_longer_open(&released);
        let record = history.call.clone();
        let runner = released.runner.clone();
        let call = Call::again(self, released, history).hold();
        calls.enter(&call);
        if let Err(error) = runner.run_again(&call, &record) {
            calls.leave(&call);
            calls.released.hand_over(id, None);
            return Err(error);
        }
        calls.released.hand_over(id, Some(Arc::clone(&call)));
        Ok(Some(call))
    }

    /// Waits for what goes on with a call whose flow was let go; gives its end where that is over, or elsewhere.
    pub(crate) async fn next_run(&self, id: CallId) -> Result<Arc<Call>, Arc<FlowResult>> {
        let calls = self.calls();
        let next = loop {
            if let Some(handover) = calls.released.handover(id) {
                break handover.next().await;
            }
            // Whoever is about to run it again has taken it out, and has its turn.
            let _turn = calls.turn(id).lock().await;
            let next = calls.get(id);
            if next.is_some() || !calls.released.contains(id) {
                break next;
            }
        };
        match next {
            Some(next) => Ok(next),
            None => Err(self.recorded_end(id).await),
        }
    }

    /// How a call of this process ended; what another one made of it is not told here.
    async fn recorded_end(&self, id: CallId) -> Arc<FlowResult> {
        let result = match self.history_of(id).await {
            Ok(history) if history.call.owner == self.journal().owner() => history.call.result,
            Ok(_) => None,
            Err(error) => {
                let error = ErrorData::internal_error(error_chain(&error), None);
                return Arc::new(FlowResult::Error(error));
            }
        };
        let end = result.and_then(|result| serde_json::from_value(result).ok());
        Arc::new(end.unwrap_or_else(FlowResult::lost))
    }

    /// How many calls wait for people without their flows: see
    /// [`Holdpoint::release_waiting_after`](crate::Holdpoint::release_waiting_after).
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// let desk = holdpoint::Desk::open("memory:").await.unwrap();
    /// assert_eq!(desk.released_calls(), 0);
    /// # }
    /// ```
    pub fn released_calls(&self) -> usize {
        self.calls().released.count()
    }

    /// As [`Self::wake`], as a task of its own; tried again later where the record cannot be read.
    pub(crate) fn wake_soon(&self, id: CallId) {
        let desk = self.clone();
        tokio::spawn(async move {
            if let Err(error) = desk.wake(id).await {
                let error = error_chain(&error);
                tracing::error!(call = %id, error, "a flow could not be run again");
                desk.calls().released.add_failed(id);
            }
        });
    }

    /// The client of a call that was let go wants nothing more of it.
    pub(crate) async fn cancel_released(&self, id: CallId) -> Result<(), JournalError> {
        let released = &self.calls().released;
        released.with(id, |call| call.cancelled = true);
        match self.wake(id).await {
            Ok(Some(call)) => call.cancel().await,
            Ok(None) => true,
            Err(error) => {
                released.add_failed(id);
                return Err(error);
            }
        };
        Ok(())
    }

    /// Notes that the agent behind the asks of a call that was let go is gone.
    pub(crate) async fn released_agent_gone(&self, id: CallId) {
        let asks = self.calls().released.with(id, |call| {
            // One that is sent requests is found gone by whoever waits for its reply.
            let by_requests = call.client.reach() == Reach::Requests;
            let open = call.asks.iter().filter(|ask| !ask.decided && !by_requests);
            open.map(|ask| ask.id).collect::<Vec<_>>()
        });
        for ask in asks.unwrap_or_default() {
            self.note_agent_gone(Some(id), ask).await;
        }
    }

    /// Tells the client of a call that was let go that a person is still being waited for.
    pub(crate) async fn keep_released_alive(&self, id: CallId) {
        let waiting = self.calls().released.with(id, |call| {
            let first = call.asks.iter().map(|ask| ask.id).min();
            call.active.clone().zip(first)
        });
        if let Some((active, ask)) = waiting.flatten() {
            self.tell_waiting(&active, ask, self.has_inbox()).await;
        }
    }

    /// Tells whoever waits for this ask that it is open, and where it can be answered.
    pub(crate) async fn tell_waiting(&self, active: &ActiveRequest, ask: AskId, inbox: bool) {
        let page = self.page_of(ask);
        let message = match describe::where_to_answer(page.as_deref(), inbox) {
            Some(place) => format!("Waiting for a person's answer {place}"),
            None => "Waiting for a person's answer".to_owned(),
        };
        active.progress(None, None, Some(message)).await;
    }

    /// Another process runs this call now.
    pub(crate) fn forget_released(&self, id: CallId) {
        if let Some(released) = self.calls().released.take(id) {
            self.no_longer_open(&released);
            let ended = released.asks.iter().filter_map(|ask| ask.ended.as_ref());
            ended.for_each(|ended| ended.set(None));
            self.calls().forget_idle(released.binding, id);
            self.calls().released.hand_over(id, None);
        }
    }

    /// Its open asks are counted again when the flow comes to them.
    fn no_longer_open(&self, released: &ReleasedCall) {
        let open = released.asks.iter().filter(|ask| !ask.decided);
        open.for_each(|_| self.dismiss(&released.session.principal));
    }

    /// Takes what was decided from where it is shown, before its flow runs again.
    async fn clear_forms(&self, history: &CallHistory) {
        let decided = history.asks.iter().filter(|ask| ask.decision.is_some());
        let kept = self.calls().released.with(history.call.id, |call| {
            let signal = |ask: &AskRecord| {
                let kept = call.asks.get_mut(ask.id)?;
                Some((kept.ended.clone()?, ask.decision.clone()))
            };
            let signals: Vec<_> = decided.clone().filter_map(signal).collect();
            (call.client.clone(), signals)
        });
        let Some((client, signals)) = kept else {
            return;
        };
        for (ended, decision) in signals {
            ended.set(decision);
        }
        if client.has_forms() {
            let clear = join_all(decided.map(|ask| client.clone().withdraw_form(ask.id)));
            let _ = tokio::time::timeout(CLEARING, clear).await;
        }
    }

    async fn history_of(&self, id: CallId) -> Result<CallHistory, JournalError> {
        let history = self.journal().call(id).await?;
        history.ok_or_else(|| JournalError::damaged(format!("the call {id} is not in the record")))
    }

    /// Looks after the calls whose flows were let go, from now on.
    pub(crate) fn tend_released(&self) {
        let calls = self.calls();
        if calls.starts_tending() {
            let released = calls.released.clone();
            tokio::spawn(tend(Arc::downgrade(&self.inner), released));
        }
    }

    /// An ask of a call that was let go may have reached its deadline.
    async fn look_at_deadline(&self, ask: AskId) {
        let released = &self.calls().released;
        if let Err(error) = self.end_if_late(ask).await {
            let error = error_chain(&error);
            tracing::error!(%ask, error, "an ask could not be ended");
            let later = crate::clock::later(self.now(), LOOK_AGAIN);
            released.set_deadline(ask, Some(later));
        }
    }

    async fn end_if_late(&self, ask: AskId) -> Result<(), JournalError> {
        let released = &self.calls().released;
        let Some(record) = self.journal().ask(ask).await? else {
            return Ok(());
        };
        if let Some(decision) = record.decision {
            return self.conclude_recorded(decision).await;
        }
        let now = self.now();
        let is_late = record.deadline_at.is_some_and(|at| at <= now);
        if is_late && self.time_out(ask, record.opened_at).await?.is_some() {
            return Ok(());
        }
        // It was given more time.
        let record = self.journal().ask(ask).await?;
        released.set_deadline(ask, record.and_then(|record| record.deadline_at));
        Ok(())
    }
}

const LOOK_AGAIN: Duration = Duration::from_secs(5);

/// How often flows that wait are let go, at the most, as a part of how long they may wait.
const LOOKS: u32 = 10;

/// Forgets the calls that were let go when the runtime ends that they would run in, as it ends flows that run: what
/// is kept of them keeps the desk.
struct ForgetAtEnd(Arc<ReleasedCalls>);

impl Drop for ForgetAtEnd {
    fn drop(&mut self) {
        self.0.clear();
    }
}

/// Runs until the desk is dropped.
async fn tend(desk: Weak<Inner>, released: Arc<ReleasedCalls>) {
    let _forget = ForgetAtEnd(released.clone());
    let mut earliest = Instant::now();
    loop {
        let Some(inner) = desk.upgrade() else {
            return;
        };
        let clock = inner.clock.clone();
        drop(inner);
        let (at, deadline) = released.next_due();
        let at = async {
            match at {
                Some(at) => tokio::time::sleep_until(at.max(earliest)).await,
                None => std::future::pending().await,
            }
        };
        let deadline = async {
            match deadline {
                Some(deadline) => clock.reach(deadline).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = released.changed.notified() => {}
            () = at => {}
            () = deadline => {}
        }
        let Some(inner) = desk.upgrade() else {
            return;
        };
        let desk = Desk { inner };
        let Due {
            wake,
            release,
            after,
            asks,
        } = released.take_due(desk.now());
        wake.into_iter().for_each(|call| desk.wake_soon(call));
        if !release.is_empty() {
            // Many flows that began to wait one after another are looked at together, and those that ended since.
            earliest = Instant::now() + after / LOOKS;
        }
        let waiting = release.into_iter().filter_map(|id| desk.calls().get(id));
        waiting.for_each(|call| call.want_release());
        for ask in asks {
            let desk = desk.clone();
            tokio::spawn(async move { desk.look_at_deadline(ask).await });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::standalone::{new_call, standalone_call};
    use futures::FutureExt;
    use holdpoint_ask::Origin;

    #[tokio::test]
    async fn whoever_waits_for_a_call_that_is_just_run_again_gets_it() {
        let desk = Desk::open("memory:").await.unwrap();
        let call = standalone_call(&desk, new_call(&desk, Origin::default(), "run"));
        // It was taken out, and has not come in again.
        let turn = desk.calls().turn(call.id).lock().await;
        let mut next = Box::pin(desk.next_run(call.id));
        assert!((&mut next).now_or_never().is_none(), "its end is not known");
        desk.calls().enter(&call);
        drop(turn);
        let next = next.await.unwrap_or_else(|_| panic!("it goes on here"));
        assert!(Arc::ptr_eq(&next, &call));
    }
}
