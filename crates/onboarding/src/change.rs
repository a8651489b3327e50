//! Recording a state, and refusing to do what does not fit it.

use super::{
    FILES,
    folder::Folder,
    output::Output,
    state::{Current, Record, Status, name},
};
use crate::Flow;
use holdpoint::StepError;
use holdpoint::tool::{AskResult, ToolError};
use serde::{Deserialize, Serialize};

/// Why an action is not done. The agent can do better, or a person must look.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Refusal {
    pub code: String,
    pub state: Status,
    pub message: String,
    pub next: String,
}

pub(super) type Checked<T> = Result<T, Refusal>;

impl Refusal {
    pub fn new(code: &str, state: Status, message: impl Into<String>, next: &str) -> Self {
        Self {
            code: code.to_owned(),
            state,
            message: message.into(),
            next: next.to_owned(),
        }
    }

    /// The state does not allow it.
    pub fn state(state: Status, message: impl Into<String>, next: &str) -> Self {
        Self::new("WRONG_STATE", state, message, next)
    }

    /// The file is not what was analysed, proposed or approved.
    pub fn changed(state: Status, file: &str, when: &str) -> Self {
        let message = format!("{file} is not as it was when {when}: nothing was done.");
        Self::new(
            "CHANGED",
            state,
            message,
            "Call analyze again, then propose and approve: what was shown before does not count for the new text.",
        )
    }

    /// Another process was faster.
    pub fn overtaken(state: Status) -> Self {
        let message = "The state has changed while the person was asked: nothing was done.";
        Self::new(
            "OVERTAKEN",
            state,
            message,
            "Call status, and go on from there.",
        )
    }

    pub fn file(state: Status, message: impl Into<String>) -> Self {
        Self::new(
            "FILE",
            state,
            message,
            "Nothing was written: tell the person what is in the way.",
        )
    }

    /// The result of the call.
    pub fn into_result(self, folder: &Folder) -> AskResult<Output> {
        let output = Output {
            error: Some(self.code),
            ..Output::new(folder, self.state, self.message)
        };
        AskResult::refused(&self.next, &output)
    }
}

/// Reads in a step, so that a later run of the flow sees what the person saw. None where an
/// earlier run was interrupted while it read: it reads again.
pub(super) async fn step<T>(
    flow: &Flow,
    name: &str,
    effect: impl Future<Output = Result<Checked<T>, ToolError>>,
) -> Result<Option<Checked<T>>, ToolError>
where
    T: Serialize + serde::de::DeserializeOwned,
{
    let effect = async { effect.await.map_err(|error| error.to_string()) };
    match flow.cx.step(name, effect).await {
        Ok(Ok(checked)) => Ok(Some(checked)),
        Ok(Err(why)) => Err(ToolError::File(why)),
        Err(StepError::Interrupted { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Records a state, and reports it. The lock is held. Gives what there is to say about the report.
pub(super) async fn record(
    flow: &Flow,
    folder: &Folder,
    record: Record,
) -> Result<(Record, Option<String>), ToolError> {
    let name = name(&folder.workspace, folder.file);
    let record: Record = match flow.cx.step(&name, async { record }).await {
        Err(StepError::Interrupted { .. }) => {
            return Err(ToolError::File(format!(
                "Recording the state of {} was interrupted before: call status to see where it stands",
                folder.file
            )));
        }
        recorded => recorded?,
    };
    let mut others = Vec::new();
    for file in FILES.into_iter().filter(|file| *file != folder.file) {
        let current = Current::read(flow, &folder.for_file(file)).await?;
        if current.by.is_some() {
            others.push((file, current.record));
        }
    }
    let said = match folder.report(&record, &others, flow.cx.desk().now()) {
        Ok(None) => None,
        Ok(Some(aside)) => Some(format!(
            "onboarding.json was damaged: it is kept as {aside}, and was written anew from the record."
        )),
        Err(why) => Some(format!("The state is on record, but not reported: {why}")),
    };
    Ok((record, said))
}
