//! Effects between asks: journaled before they run, replayed afterwards.

use super::call::Call;
use crate::StepError;
use holdpoint_journal::{JournalError, StepStart, StepState, Write, Written};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::sync::Arc;

impl Call {
    /// Runs an effect once. A later run of the same flow gets its recorded result; one that a
    /// crash left unfinished is not run again.
    pub async fn step<T, F>(self: &Arc<Self>, name: &str, effect: F) -> Result<T, StepError>
    where
        T: Serialize + DeserializeOwned,
        F: Future<Output = T>,
    {
        let (occurrence, past, epoch) = self.next_step(name);
        match past {
            Some(StepState::Finished(value)) => return read(name, value),
            Some(StepState::Started { .. }) => return Err(interrupted(name)),
            None => {}
        }
        let opening = self.opening();
        let opens_call = opening.is_some();
        let mut batch: Vec<Write> = opening.into_iter().collect();
        batch.push(Write::StartStep {
            call: self.id,
            epoch,
            name: name.to_owned(),
            occurrence,
            at: self.desk.now(),
        });
        let started = self.desk.journal().commit(batch).await;
        if opens_call && started.is_err() {
            self.not_opened();
        }
        match started?.pop() {
            Some(Written::Step(StepStart::Started)) => {}
            Some(Written::Step(StepStart::Finished(value))) => return read(name, value),
            Some(Written::Step(StepStart::Interrupted)) => return Err(interrupted(name)),
            _ => return Err(StepError::LostCall),
        }
        let result = effect.await;
        let mut recorded = serde_json::to_value(&result).map_err(|error| {
            JournalError::write("a step's result cannot be written as JSON").with_source(error)
        })?;
        self.mask(&mut recorded);
        let finish = Write::FinishStep {
            call: self.id,
            epoch,
            name: name.to_owned(),
            occurrence,
            result: recorded,
            at: self.desk.now(),
        };
        match self.desk.journal().commit(vec![finish]).await?.as_slice() {
            [Written::Applied(true)] => Ok(result),
            _ => Err(StepError::LostCall),
        }
    }
}

fn read<T: DeserializeOwned>(name: &str, value: Value) -> Result<T, StepError> {
    serde_json::from_value(value).map_err(|error| StepError::Mismatch {
        name: name.to_owned(),
        what: error.to_string(),
    })
}

fn interrupted(name: &str) -> StepError {
    StepError::Interrupted {
        name: name.to_owned(),
    }
}
