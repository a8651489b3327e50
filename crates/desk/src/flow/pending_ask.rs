//! A flow's hold on its ask.

use crate::{AskError, core::open_ask::Settlement, flow::call::Call};
use holdpoint_ask::AskId;
use std::sync::Arc;
use tokio::sync::oneshot;

/// A flow's hold on its ask. Dropped before the ask ended, it withdraws it.
pub(crate) struct PendingAsk {
    call: Arc<Call>,
    state: WaitState,
}

enum WaitState {
    Over(Option<Settlement>),
    Open(AskId, oneshot::Receiver<Result<Settlement, AskError>>),
}

impl PendingAsk {
    pub fn over(call: &Arc<Call>, settlement: Settlement) -> Self {
        Self {
            call: call.clone(),
            state: WaitState::Over(Some(settlement)),
        }
    }

    pub fn open(
        call: &Arc<Call>,
        ask: AskId,
        waiting: oneshot::Receiver<Result<Settlement, AskError>>,
    ) -> Self {
        Self {
            call: call.clone(),
            state: WaitState::Open(ask, waiting),
        }
    }

    /// The ask; none where it is over.
    pub fn id(&self) -> Option<AskId> {
        match &self.state {
            WaitState::Open(id, _) => Some(*id),
            WaitState::Over(_) => None,
        }
    }

    pub async fn settled(mut self) -> Result<Settlement, AskError> {
        let settled = match &mut self.state {
            WaitState::Over(settlement) => return settlement.take().ok_or(AskError::LostCall),
            WaitState::Open(_, waiting) => waiting.await.unwrap_or(Err(AskError::LostCall)),
        };
        self.state = WaitState::Over(None);
        self.call.consumed();
        settled
    }
}

impl Drop for PendingAsk {
    fn drop(&mut self) {
        if let WaitState::Open(ask, waiting) = &mut self.state {
            waiting.close();
            match waiting.try_recv() {
                Ok(_) => self.call.consumed(),
                Err(_) => self.call.lost_interest(*ask),
            }
        }
    }
}
