//! Following what other processes commit, and ending asks whose process is gone.

use super::desk::{Desk, Inner};
use crate::{AskError, sync::lock};
use holdpoint_ask::{AskId, CallId};
use holdpoint_journal::{AskQuery, EventKind, JournalError};
use std::{sync::Weak, time::Duration};

const SWEEP: Duration = Duration::from_secs(300);
const GRACE_MS: i64 = 5_000;
/// How many open asks are read at once.
const AT_ONCE: usize = 500;

/// Runs until the desk is dropped.
pub(crate) async fn follow(desk: Weak<Inner>, mut seen: u64) {
    let Some(mut foreign) = desk.upgrade().map(|inner| inner.journal.foreign_commits()) else {
        return;
    };
    let mut sweep = tokio::time::interval(SWEEP);
    loop {
        let swept = tokio::select! {
            changed = foreign.changed() => match changed {
                Ok(()) => false,
                Err(_) => { sweep.tick().await; true }
            },
            _ = sweep.tick() => true,
        };
        let Some(inner) = desk.upgrade() else { return };
        let desk = Desk { inner };
        let done = if swept {
            desk.sweep().await
        } else {
            desk.catch_up(&mut seen).await
        };
        if let Err(error) = done {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "the journal could not be followed"
            );
        }
    }
}

impl Desk {
    /// Wakes the flows whose asks were settled by another process, and the calls that moved there.
    async fn catch_up(&self, seen: &mut u64) -> Result<(), JournalError> {
        loop {
            let events = self.inner.journal.events(*seen, 1_000).await?;
            if events.is_empty() {
                return Ok(());
            }
            for event in events {
                if event.kind == EventKind::TakenOver
                    && let Some(call) = event.call
                {
                    self.lose(call, event.body["epoch"].as_u64().unwrap_or_default());
                }
                if matches!(event.kind, EventKind::PinSet | EventKind::PinCleared) {
                    self.reload_pin().await?;
                }
                let matters = matches!(event.kind, EventKind::Decided | EventKind::Refused);
                if let Some(ask) = event.ask.filter(|ask| matters && self.shows(*ask))
                    && let Some(record) = self.inner.journal.ask(ask).await?
                {
                    match (record.decision.clone(), self.live_ask(ask)) {
                        (Some(decision), _) => self.conclude_recorded(decision).await?,
                        (None, Some(open)) => open.refused_elsewhere(record),
                        (None, None) => {}
                    }
                }
                *seen = event.seq;
            }
        }
    }

    /// Whether this process waits for this ask, or shows it for one that is gone.
    fn shows(&self, ask: AskId) -> bool {
        lock(&self.inner.live).contains_key(&ask)
            || lock(&self.inner.redelivered).contains_key(&ask)
            || self.inner.calls.waits_for(ask)
    }

    /// Another process runs this call now: its flow here fails at its next ask.
    fn lose(&self, call: CallId, epoch: u64) {
        for open in self.inner.calls.taken_over(call, epoch) {
            self.fail(&open, AskError::LostCall);
        }
    }

    /// Ends the asks whose deadline passed while no process looked after them.
    async fn sweep(&self) -> Result<(), JournalError> {
        let mut query = AskQuery {
            open: true,
            limit: Some(AT_ONCE),
            ..AskQuery::default()
        };
        let now = self.now();
        loop {
            // There may be a million of them.
            let asks = self.inner.journal.asks(query.clone()).await?;
            query.before = asks.last().map(|record| record.id);
            let is_last = asks.len() < AT_ONCE;
            for record in asks {
                let late = record
                    .deadline_at
                    .is_some_and(|at| at.as_millisecond() + GRACE_MS < now.as_millisecond());
                if late && !lock(&self.inner.live).contains_key(&record.id) {
                    self.time_out(record.id, record.opened_at).await?;
                }
            }
            if is_last {
                break;
            }
        }
        // One that was set in the person's own place is not among the events that are followed.
        self.reload_pin().await?;
        Ok(())
    }
}
