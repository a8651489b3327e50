//! Effects between asks: journaled before they run, replayed afterwards.

use super::call::Call;
use crate::StepError;
use holdpoint_ask::describe;
use holdpoint_journal::{JournalError, StepStart, StepState, Write, Written};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::{
    fmt::Display,
    sync::{Arc, atomic::Ordering},
};

/// A longer label of a step is cut: it is a line in the record, not what was done itself.
const LONGEST_LABEL: usize = 400;

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
        self.run_step(name, Unfinished::Stays, None, |_| None, Box::pin(effect))
    }

    /// As [`Self::step`], with words for people: what is done, and what came of it.
    pub fn labelled_step<T, F>(
        self: &Arc<Self>,
        name: &str,
        label: &str,
        came_to: impl FnOnce(&T) -> Option<String>,
        effect: F,
    ) -> impl Future<Output = Result<T, StepError>>
    where
        T: Serialize + DeserializeOwned,
        F: Future<Output = T>,
    {
        let effect = Box::pin(effect);
        self.run_step(name, Unfinished::Stays, Some(label), came_to, effect)
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
        let effect = Box::pin(effect);
        self.run_step(name, Unfinished::RunsAgain, None, |_| None, effect)
    }

    async fn run_step<T, F>(
        self: &Arc<Self>,
        name: &str,
        unfinished: Unfinished,
        label: Option<&str>,
        came_to: impl FnOnce(&T) -> Option<String>,
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
        let label = label.map(|label| self.clean_label(label));
        let start = self.start_step(name, occurrence, epoch, label);
        let under_way = StepUnderWay::new(self);
        match self.commit_with_opening(vec![start]).await?.pop() {
            Some(Written::Step(StepStart::Started)) => {}
            Some(Written::Step(StepStart::Finished(value))) => {
                under_way.ended();
                return read(name, value);
            }
            Some(Written::Step(StepStart::Interrupted)) if runs_again => {}
            Some(Written::Step(StepStart::Interrupted)) => return Err(interrupted(name)),
            _ => return Err(StepError::LostCall),
        }
        let result = effect.await;
        let mut recorded = serde_json::to_value(&result).map_err(|error| {
            JournalError::write("a step's result cannot be written as JSON").with_source(error)
        })?;
        self.mask(&mut recorded);
        let label = came_to(&result).map(|label| self.clean_label(&label));
        let finish = self.finish_step(name, occurrence, epoch, recorded, label);
        match self.desk.journal().commit(vec![finish]).await?.as_slice() {
            [Written::Applied(true)] => {
                under_way.ended();
                Ok(result)
            }
            _ => Err(StepError::LostCall),
        }
    }

    /// A label as it is recorded: one visible line, not too long, without secrets.
    fn clean_label(&self, label: &str) -> String {
        let mut masked = Value::from(label);
        self.mask(&mut masked);
        let line = describe::one_line(masked.as_str().unwrap_or_default());
        if line.chars().count() <= LONGEST_LABEL {
            return line;
        }
        let cut: String = line.chars().take(LONGEST_LABEL - 1).collect();
        format!("{cut}…")
    }

    pub(super) fn start_step(
        &self,
        name: &str,
        occurrence: u32,
        epoch: u64,
        label: Option<String>,
    ) -> Write {
        Write::StartStep {
            call: self.id,
            epoch,
            name: name.to_owned(),
            occurrence,
            label,
            at: self.desk.now(),
        }
    }

    pub(super) fn finish_step(
        &self,
        name: &str,
        occurrence: u32,
        epoch: u64,
        result: Value,
        label: Option<String>,
    ) -> Write {
        Write::FinishStep {
            call: self.id,
            epoch,
            name: name.to_owned(),
            occurrence,
            result,
            label,
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

/// A step that is being started, or has started, and not ended. Where it is dropped before that, its call is not
/// replayed: the step could not be run again.
struct StepUnderWay<'a> {
    call: &'a Call,
    has_ended: bool,
}

impl<'a> StepUnderWay<'a> {
    fn new(call: &'a Call) -> Self {
        call.steps_under_way.fetch_add(1, Ordering::AcqRel);
        Self {
            call,
            has_ended: false,
        }
    }

    /// Its result is on record.
    fn ended(mut self) {
        self.has_ended = true;
    }
}

impl Drop for StepUnderWay<'_> {
    fn drop(&mut self) {
        if !self.has_ended {
            self.call.keep();
        }
        self.call.steps_under_way.fetch_sub(1, Ordering::AcqRel);
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
