//! A time to wait. When it ends is on record before it begins: after a restart only the rest is waited.

use crate::{
    Resume,
    flow::{Flow, withdrawn},
};
use jiff::Timestamp;
use rmcp::ErrorData;
use serde_json::Value;
use std::{sync::atomic::Ordering, time::Duration};

/// How often it is checked whether the call was withdrawn.
const CHECK: Duration = Duration::from_secs(1);

impl Flow {
    /// Waits. The script's clock then shows when it was to end, in every run of the call.
    pub(crate) async fn sleep(&mut self, time: Duration) -> Result<Resume, ErrorData> {
        let (desk, before) = (self.cx.desk().clone(), self.now);
        let end = || {
            let from = before.max(desk.now());
            from.saturating_add(time).unwrap_or(Timestamp::MAX)
        };
        let until = self.again("sleep", || async { end() }).await?;
        loop {
            if self.withdrawn || self.cx.is_cancelled() {
                return Ok(withdrawn());
            }
            match Duration::try_from(until.duration_since(desk.now())) {
                Ok(left) if !left.is_zero() => {
                    // What comes behind it was not told before.
                    self.live.store(true, Ordering::Relaxed);
                    tokio::time::sleep(left.min(CHECK)).await;
                }
                _ => break,
            }
        }
        self.now = self.now.max(until);
        Ok(Resume::Value(Value::Null))
    }
}
