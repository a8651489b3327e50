//! Calls that an earlier process left behind: the same call again goes on with them, so that the
//! person is not asked twice.

use crate::{Desk, flow::binding::CallBinding, sync::lock};
use holdpoint_ask::CallId;
use holdpoint_journal::{AskQuery, CallHistory, JournalError};
use std::{
    collections::{HashMap, HashSet},
    sync::Mutex,
};
use tokio::sync::OnceCell;

/// How many of the newest open asks are looked at.
const MOST: usize = 200;

/// The calls of earlier processes that were open when this server got its first one, by what was
/// called. They are read once: after that a call costs no look at the journal.
#[derive(Debug, Default)]
pub(crate) struct OrphanedCalls(OnceCell<Mutex<HashMap<CallBinding, CallId>>>);

impl OrphanedCalls {
    /// Whether there is none, as far as is known without a look at the journal.
    pub fn is_empty(&self) -> bool {
        self.0.get().is_some_and(|calls| lock(calls).is_empty())
    }

    /// Takes out the call that was called just like this.
    pub async fn take(&self, desk: &Desk, binding: CallBinding) -> Option<CallId> {
        let calls = self.0.get_or_init(async || {
            let calls = read(desk).await;
            Mutex::new(calls.unwrap_or_else(|error| {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "calls of earlier processes could not be read"
                );
                HashMap::new()
            }))
        });
        lock(calls.await).remove(&binding)
    }
}

async fn read(desk: &Desk) -> Result<HashMap<CallBinding, CallId>, JournalError> {
    let query = AskQuery {
        open: true,
        limit: Some(MOST),
        ..AskQuery::default()
    };
    let (mut seen, mut calls) = (HashSet::new(), HashMap::new());
    for ask in desk.journal().asks(query).await? {
        if let Some(id) = ask.call.filter(|id| seen.insert(*id))
            && let Some(CallHistory { call, .. }) = desk.journal().call(id).await?
            && call.owner != desk.journal().owner()
        {
            calls.entry(CallBinding::from_record(&call)).or_insert(id);
        }
    }
    Ok(calls)
}
