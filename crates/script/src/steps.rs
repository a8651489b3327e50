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
        let stepped = self.cx.step(name, self.stepped(effect)).await?;
        Ok(self.note_step(stepped))
    }

    /// As [`Self::once`]; the record says what it is and what came of it.
    pub(crate) async fn once_labelled<T: Serialize + DeserializeOwned>(
        &mut self,
        name: &str,
        label: &str,
        came_to: impl FnOnce(&T) -> Option<String>,
        effect: impl Future<Output = T>,
    ) -> Result<T, StepError> {
        let came_to = |stepped: &Stepped<T>| came_to(&stepped.ended);
        let effect = self.stepped(effect);
        let stepped = self.cx.labelled_step(name, label, came_to, effect).await?;
        Ok(self.note_step(stepped))
    }

    /// The effect with the time of its end. That it happens is noted when it begins.
    fn stepped<T>(&self, effect: impl Future<Output = T>) -> impl Future<Output = Stepped<T>> {
        let (live, desk) = (self.live.clone(), self.cx.desk().clone());
        async move {
            live.store(true, Ordering::Relaxed);
            let ended = effect.await;
            Stepped {
                at: desk.now(),
                ended,
            }
        }
    }

    fn note_step<T>(&mut self, stepped: Stepped<T>) -> T {
        self.now = self.now.max(stepped.at);
        stepped.ended
    }

    /// As [`Self::again`]; the record says what it is and what came of it.
    pub(crate) async fn again_labelled<T, F>(
        &mut self,
        name: &str,
        label: &str,
        came_to: fn(&T) -> Option<String>,
        effect: impl Fn() -> F,
    ) -> Result<T, StepError>
    where
        T: Serialize + DeserializeOwned,
        F: Future<Output = T>,
    {
        loop {
            match self.once_labelled(name, label, came_to, effect()).await {
                Err(StepError::Interrupted { .. }) => {}
                ended => return ended,
            }
        }
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
