//! What a run does once, however often it is run again.

use crate::flow::Flow;
use holdpoint::StepError;
use jiff::Timestamp;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::sync::atomic::Ordering;

/// What a step ended with, and when.
#[derive(Serialize, Deserialize)]
struct Stepped<T> {
    at: Timestamp,
    ended: T,
}

impl Flow {
    /// Does something once, however often the script is run again.
    pub(crate) async fn once<T: Serialize + DeserializeOwned>(
        &mut self,
        name: &str,
        effect: impl Future<Output = T>,
    ) -> Result<T, StepError> {
        let (live, desk) = (self.live.clone(), self.cx.desk().clone());
        let effect = async move {
            live.store(true, Ordering::Relaxed);
            let ended = effect.await;
            Stepped {
                at: desk.now(),
                ended,
            }
        };
        let stepped = self.cx.step(name, effect).await?;
        self.now = self.now.max(stepped.at);
        Ok(stepped.ended)
    }

    /// Does something that may be done again where a crash left it unfinished.
    pub(crate) async fn again<T, F>(
        &mut self,
        name: &str,
        effect: impl Fn() -> F,
    ) -> Result<T, StepError>
    where
        T: Serialize + DeserializeOwned,
        F: Future<Output = T>,
    {
        loop {
            match self.once(name, effect()).await {
                Err(StepError::Interrupted { .. }) => {}
                ended => return ended,
            }
        }
    }
}
