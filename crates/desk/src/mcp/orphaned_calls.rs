//! Calls that an earlier process left behind: the same call again goes on with them, so that the
//! person is not asked twice.

use super::{holdpoint::Shared, request_state::Binding, retry::Retry};
use crate::{Desk, Session, flow::call::Call, sync::lock};
use holdpoint_ask::{CallId, Digest};
use holdpoint_journal::{AskQuery, CallHistory, CallRecord, JournalError};
use rmcp::{ErrorData, RoleServer, ServerHandler, service::RequestContext};
use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex},
};
use tokio::sync::OnceCell;

/// How many of the newest open asks are looked at.
const MOST: usize = 200;

/// The calls that were open when this process got its first one, by what was called. What is called
/// costs no look at the journal after that.
#[derive(Debug, Default)]
pub(crate) struct OrphanedCalls(OnceCell<Mutex<HashMap<Digest, CallId>>>);

impl OrphanedCalls {
    /// Whether there is none, as far as is known without a look at the journal.
    pub fn is_empty(&self) -> bool {
        self.0.get().is_some_and(|calls| lock(calls).is_empty())
    }

    async fn take(&self, desk: &Desk, binding: &Digest) -> Option<CallId> {
        let calls = self.0.get_or_init(async || {
            let read = read(desk).await;
            Mutex::new(read.unwrap_or_else(|error| {
                tracing::warn!(%error, "calls of earlier processes could not be read");
                HashMap::new()
            }))
        });
        lock(calls.await).remove(binding)
    }
}

async fn read(desk: &Desk) -> Result<HashMap<Digest, CallId>, JournalError> {
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
            calls.entry(binding(&call).0).or_insert(id);
        }
    }
    Ok(calls)
}

fn binding(call: &CallRecord) -> Binding {
    let name = call.origin.tool.as_deref().unwrap_or_default();
    Binding::new(&call.origin.principal, &call.method, name, &call.arguments)
}

impl<H: ServerHandler> Shared<H> {
    /// Takes up a call of the same caller, tool and arguments whose process is gone and whose ask
    /// is open. One that another living process holds stays there.
    pub async fn take_up_lost(
        self: &Arc<Self>,
        session: &Session,
        context: &RequestContext<RoleServer>,
        binding: &Binding,
    ) -> Result<Option<Arc<Call>>, ErrorData> {
        let Some(id) = self.desk.inner.lost.take(&self.desk, &binding.0).await else {
            return Ok(None);
        };
        let retry = Retry {
            server: self,
            context,
            binding,
        };
        let history = retry.history(id).await?;
        let (call, now) = (&history.call, self.desk.now());
        let open = history.asks.iter().any(|ask| {
            ask.decision.is_none() && ask.deadline_at.is_none_or(|deadline| deadline > now)
        });
        let same = call.origin.client == session.client
            && call.origin.workspace.as_deref() == self.workspace.as_deref()
            && call.flow_version
                == self
                    .version(call.origin.tool.as_deref().unwrap_or_default())
                    .as_str();
        if open && same && call.result.is_none() {
            retry.take_over(id, session).await
        } else {
            Ok(None)
        }
    }
}
