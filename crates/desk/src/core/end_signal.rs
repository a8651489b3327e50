//! That an ask has ended, and how.

use holdpoint_ask::Decision;
use std::{
    fmt,
    sync::{Arc, OnceLock},
};
use tokio_util::sync::CancellationToken;

/// Says once that an ask has ended. All clones say the same.
#[derive(Clone, Default)]
pub(crate) struct EndSignal(Arc<State>);

#[derive(Default)]
struct State {
    token: CancellationToken,
    decision: OnceLock<Box<Decision>>,
}

impl EndSignal {
    /// It has ended, with this decision where there is one.
    pub fn set(&self, decision: Option<Decision>) {
        if let Some(decision) = decision {
            let _ = self.0.decision.set(Box::new(decision));
        }
        self.0.token.cancel();
    }

    pub fn is_set(&self) -> bool {
        self.0.token.is_cancelled()
    }

    /// Whether anybody else could wait for it.
    pub fn is_waited_for(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }

    /// Waits for the end, and gives the decision; none where a fault ended it here.
    pub async fn wait(&self) -> Option<&Decision> {
        self.0.token.cancelled().await;
        self.0.decision.get().map(|decision| &**decision)
    }
}

impl fmt::Debug for EndSignal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("EndSignal").field(&self.is_set()).finish()
    }
}
