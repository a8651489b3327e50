//! Reports in the workspace: written whole or not at all, and never over a person's edits.

use crate::orchestra::Flow;
use holdpoint::tool::ToolError;
use holdpoint::{
    CallId, Digest, StepError,
    journal::{JournalEngine, StepState},
};
use holdpoint_workspace::{Access, Folder, InsidePath, Links, MOST_READ, Workspace, describe};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A report that was written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Written {
    /// Where, from the workspace.
    pub path: String,
    /// What was written: the file is ours for as long as it has this digest.
    pub digest: Digest,
    /// The file that was edited, so that this one was written beside it.
    pub edited: Option<String>,
}

/// The step that writes; later calls look for it in the journal.
const STEP: &str = "write";
/// How many files beside an edited one are tried.
const BESIDE: u32 = 99;

/// Writes a report into the folder of the plans. A file that is there is replaced only if it is
/// what Holdpoint wrote, by the journal; the new one is written beside it otherwise.
pub(crate) async fn write(flow: &Flow, name: &str, body: &str) -> Result<Written, ToolError> {
    let workspace = flow.workspace()?;
    let folder = workspace
        .path(&flow.config.plans_dir)
        .and_then(InsidePath::not_hidden)
        .map_err(|error| ToolError::File(error.to_string()))?;
    let call = flow.cx.call_id();
    let text = format!(
        "{}\n\n{MARK}{call}. Edit it freely: an edited file is never replaced. -->\n",
        body.trim_end()
    );
    let journal = flow.cx.desk().journal().clone();
    let effect = report(&workspace, &folder, name, &text, &journal);
    match flow.cx.step(STEP, effect).await {
        Ok(written) => written.map_err(ToolError::File),
        Err(StepError::Interrupted { .. }) => Err(ToolError::File(format!(
            "Writing {}/{name}.md was interrupted before; it may or may not be there. Look at it, then call again",
            folder.name()
        ))),
        Err(error) => Err(error.into()),
    }
}

const MARK: &str = "<!-- Written by Holdpoint in call ";

async fn report(
    workspace: &Workspace,
    folder: &InsidePath,
    name: &str,
    text: &str,
    journal: &Arc<dyn JournalEngine>,
) -> Result<Written, String> {
    let held = workspace.open_folder(folder, Links::StayInside, true);
    let held = held.map_err(|error| error.to_string())?;
    let mut edited = None;
    for number in 1..=BESIDE {
        let file = match number {
            1 => format!("{name}.md"),
            n => format!("{name}.{n}.md"),
        };
        let path = match folder.name() {
            "." => file.clone(),
            folder => format!("{folder}/{file}"),
        };
        let written = if !held.has(&file) {
            held.create_file(&file, text.as_bytes(), Access::Shared)
        } else if is_ours(&held, &file, &path, journal).await {
            let replaced = held.replace(&file, text.as_bytes(), Access::Shared);
            replaced.map(|()| true)
        } else {
            Ok(false)
        };
        match written {
            Ok(true) => {
                return Ok(Written {
                    path,
                    digest: Digest::hash_bytes(text.as_bytes()),
                    edited,
                });
            }
            Ok(false) => edited = edited.or(Some(path)),
            Err(error) => return Err(format!("{path} cannot be written: {}", describe(&error))),
        }
    }
    Err(format!(
        "{name}.md and {BESIDE} files beside it were edited"
    ))
}

/// Whether a file is still what Holdpoint wrote there. Its mark only says where in the journal to
/// look; the journal is believed.
async fn is_ours(
    folder: &Folder,
    file: &str,
    path: &str,
    journal: &Arc<dyn JournalEngine>,
) -> bool {
    let Ok(text) = folder.read_text(file, MOST_READ) else {
        return false;
    };
    let Some(call) = text.rfind(MARK).and_then(|at| {
        let id = text[at + MARK.len()..].split('.').next()?;
        id.parse::<CallId>().ok()
    }) else {
        return false;
    };
    let Ok(Some(history)) = journal.call(call).await else {
        return false;
    };
    let digest = Digest::hash_bytes(text.as_bytes());
    history.steps.iter().any(|step| match &step.state {
        StepState::Finished(result) if step.name == STEP => serde_json::from_value::<
            Result<Written, String>,
        >(result.clone())
        .is_ok_and(|wrote| wrote.is_ok_and(|wrote| wrote.path == path && wrote.digest == digest)),
        _ => false,
    })
}
