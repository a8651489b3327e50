//! Effects between asks: journaled before they run, replayed afterwards.

use super::call::Call;
use crate::StepError;
use holdpoint_journal::{JournalError, StepStart, StepState, Write, Written};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::{fmt::Display, sync::Arc};

/// What becomes of a step that a crash left unfinished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unfinished {
    /// It is not run again: it may have happened.
    Stays,
    /// It is run again: once more does no harm.
    RunsAgain,
}

impl Call {
    /// Runs an effect once. A later run of the same flow gets its recorded result; one that a
    /// crash left unfinished is not run again.
    pub fn step<T, F>(
        self: &Arc<Self>,
        name: &str,
        effect: F,
    ) -> impl Future<Output = Result<T, StepError>>
    where
        T: Serialize + DeserializeOwned,
        F: Future<Output = T>,
    {
        // Boxed, here and below: the flow's future would hold the effect once for each place that it is
        // moved through.
        self.run_step(name, Unfinished::Stays, Box::pin(effect))
    }

    /// As [`Self::step`], for an effect that can fail: that it did, and why, is recorded too.
    pub fn try_step<T, E, F>(
        self: &Arc<Self>,
        name: &str,
        effect: F,
    ) -> impl Future<Output = Result<T, StepError>>
    where
        T: Serialize + DeserializeOwned,
        E: Display,
        F: Future<Output = Result<T, E>>,
    {
        let effect = Box::pin(effect);
        async move {
            let effect = async { effect.await.map_err(|error| format!("{error:#}")) };
            let ended: Result<T, String> = self.step(name, effect).await?;
            ended.map_err(|what| StepError::Failed {
                name: name.to_owned(),
                what,
            })
        }
    }

    /// As [`Self::step`], but one that a crash left unfinished is run again.
    pub fn step_at_least_once<T, F>(
        self: &Arc<Self>,
        name: &str,
        effect: F,
    ) -> impl Future<Output = Result<T, StepError>>
    where
        T: Serialize + DeserializeOwned,
        F: Future<Output = T>,
    {
        self.run_step(name, Unfinished::RunsAgain, Box::pin(effect))
    }

    async fn run_step<T, F>(
        self: &Arc<Self>,
        name: &str,
        unfinished: Unfinished,
        effect: F,
    ) -> Result<T, StepError>
    where
        T: Serialize + DeserializeOwned,
        F: Future<Output = T>,
    {
        let runs_again = unfinished == Unfinished::RunsAgain;
        let (occurrence, past, epoch) = self.next_step(name);
        match past {
            Some(StepState::Finished(value)) => return read(name, value),
            Some(StepState::Started { .. }) if !runs_again => return Err(interrupted(name)),
            _ => {}
        }
        let start = self.start_step(name, occurrence, epoch);
        match self.commit_with_opening(vec![start]).await?.pop() {
            Some(Written::Step(StepStart::Started)) => {}
            Some(Written::Step(StepStart::Finished(value))) => return read(name, value),
            Some(Written::Step(StepStart::Interrupted)) if runs_again => {}
            Some(Written::Step(StepStart::Interrupted)) => return Err(interrupted(name)),
            _ => return Err(StepError::LostCall),
        }
        let result = effect.await;
        let mut recorded = serde_json::to_value(&result).map_err(|error| {
            JournalError::write("a step's result cannot be written as JSON").with_source(error)
        })?;
        self.mask(&mut recorded);
        let finish = self.finish_step(name, occurrence, epoch, recorded);
        match self.desk.journal().commit(vec![finish]).await?.as_slice() {
            [Written::Applied(true)] => Ok(result),
            _ => Err(StepError::LostCall),
        }
    }

    pub(super) fn start_step(&self, name: &str, occurrence: u32, epoch: u64) -> Write {
        Write::StartStep {
            call: self.id,
            epoch,
            name: name.to_owned(),
            occurrence,
            at: self.desk.now(),
        }
    }

    pub(super) fn finish_step(
        &self,
        name: &str,
        occurrence: u32,
        epoch: u64,
        result: Value,
    ) -> Write {
        Write::FinishStep {
            call: self.id,
            epoch,
            name: name.to_owned(),
            occurrence,
            result,
            at: self.desk.now(),
        }
    }

    /// Commits these writes, after the one that opens the call if nothing has opened it yet. Gives what
    /// came of these.
    pub(super) async fn commit_with_opening(
        self: &Arc<Self>,
        writes: Vec<Write>,
    ) -> Result<Vec<Written>, JournalError> {
        let opening = self.opening();
        let opens_call = opening.is_some();
        let batch = opening.into_iter().chain(writes).collect();
        let committed = self.desk.journal().commit(batch).await;
        if opens_call && committed.is_err() {
            self.not_opened();
        }
        let mut written = committed?;
        if opens_call {
            written.remove(0);
        }
        Ok(written)
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
