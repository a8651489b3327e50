//! Reports in the workspace: written whole or not at all, and never over a person's edits.

use crate::orchestra::Flow;
use crate::workspace::{Inside, Workspace, plain};
use holdpoint::tool::ToolError;
use holdpoint::{
    CallId, Digest, StepError,
    journal::{JournalEngine, StepState},
};
use serde::{Deserialize, Serialize};
use std::{
    fs,
    io::{self, Write},
    path::Path,
    sync::Arc,
};

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
    let workspace = Workspace::of(&flow.cx, &flow.config.workspace)?;
    let folder = workspace
        .inside(&flow.config.plans_dir)
        .map_err(ToolError::File)?;
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
            "Writing {}/{name}.md was interrupted before; it may or may not be there. CommitPreview at it, then call again",
            folder.name
        ))),
        Err(error) => Err(error.into()),
    }
}

const MARK: &str = "<!-- Written by Holdpoint in call ";

async fn report(
    workspace: &Workspace,
    folder: &Inside,
    name: &str,
    text: &str,
    journal: &Arc<dyn JournalEngine>,
) -> Result<Written, String> {
    let made = fs::create_dir_all(&folder.full);
    made.map_err(|error| format!("{} cannot be made: {}", folder.name, plain(&error)))?;
    if !workspace.holds(&folder.full) {
        return Err(format!("{} leads outside the workspace", folder.name));
    }
    let mut edited = None;
    for number in 1..=BESIDE {
        let file = match number {
            1 => format!("{name}.md"),
            n => format!("{name}.{n}.md"),
        };
        let full = folder.full.join(&file);
        let path = format!("{}/{file}", folder.name.trim_end_matches("/."));
        let path = path.trim_start_matches("./").to_owned();
        let done = match fs::symlink_metadata(&full) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => put(&full, text, false),
            Err(error) => Err(error),
            Ok(_) if is_ours(&full, &path, journal).await => put(&full, text, true),
            Ok(_) => Ok(false),
        };
        match done {
            Ok(true) => {
                return Ok(Written {
                    path,
                    digest: Digest::hash_bytes(text.as_bytes()),
                    edited,
                });
            }
            Ok(false) => edited = edited.or(Some(path)),
            Err(error) => return Err(format!("{path} cannot be written: {}", plain(&error))),
        }
    }
    Err(format!(
        "{name}.md and {BESIDE} files beside it were edited"
    ))
}

/// Whether a file is still what Holdpoint wrote there. Its mark only says where in the journal to
/// look; the journal is believed.
async fn is_ours(full: &Path, path: &str, journal: &Arc<dyn JournalEngine>) -> bool {
    let is_file = fs::symlink_metadata(full).is_ok_and(|about| about.is_file());
    let Some(text) = fs::read_to_string(full).ok().filter(|_| is_file) else {
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

/// Puts a whole file in its place; false where one came there first.
pub(crate) fn put(full: &Path, text: &str, replace: bool) -> io::Result<bool> {
    let folder = full.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.permissions(fs::Permissions::from_mode(0o644));
    }
    let mut file = file.prefix(".holdpoint-").tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    if replace {
        file.persist(full)?;
        return Ok(true);
    }
    match file.persist_noclobber(full) {
        Ok(_) => Ok(true),
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error.error),
    }
}
