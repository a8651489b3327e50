//! `plan_checkpoint`: the files of a plan as they are now, kept to be put back. Their texts lie in the
//! plan's history; what they must be is believed from the journal.

use super::{
    Which, blocking, by, code,
    held_history::{HeldHistory, history},
    locate::{PlanDir, PlanRoot},
    now,
    snapshot::Snapshot,
    timeline::Entry as Line,
};
use crate::{Flow, Tool};
use holdpoint::tool::{PlainResult, RecordedError, ToolError, ToolHints, ToolInfo};
use holdpoint::{CallId, Digest, StepError, journal::StepState};
use holdpoint_workspace::{Access, describe};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

pub(super) const NAME: &str = "plan_checkpoint";
/// The step of a call that takes one; the journal keeps it under this name.
const STEP: &str = "checkpoint";
/// What a plan's history calls it.
const EVENT: &str = "checkpoint_created";
/// Where they lie in the plan's history.
const FOLDER: &str = "checkpoints";
/// The most bytes of the file of one.
const MOST: u64 = 8 * 1024 * 1024;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    #[serde(flatten)]
    which: Which,
    /// Kebab-case
    name: String,
    /// Why it is taken
    #[serde(default)]
    message: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    code: String,
    path: String,
    name: String,
    file: String,
    /// How many files it holds
    files: usize,
}

pub(super) fn tool() -> Tool {
    let about = ToolInfo {
        name: NAME,
        title: "Keep a plan as it is now",
        description: "Keeps the plan's files as they are now, so that plan_restore can put them back.",
        hints: ToolHints::Updates,
    };
    Tool::new(about, run)
}

async fn run(flow: Flow, arguments: Arguments) -> Result<PlainResult<Output>, ToolError> {
    let root = PlanRoot::from_call(&flow)?;
    if let Some(what) = code::flaw(arguments.name.trim()) {
        return Err(ToolError::argument("name", what));
    }
    let (own, which) = (root.clone(), arguments.which);
    let place = blocking(move || own.find(&which)).await?;
    let name = arguments.name.trim().to_owned();
    let message = arguments.message.unwrap_or_default();
    let taken = take(&flow, &root, &place, &name, &message, None).await?;
    let next = format!(
        "Checkpoint {} is kept: plan_restore puts the files back, once the person agrees.",
        taken.name
    );
    let output = Output {
        code: place.code.clone(),
        path: taken.path,
        name: taken.name,
        file: taken.file,
        files: taken.files,
    };
    Ok(PlainResult::new(&next, &output))
}

/// A checkpoint as the journal has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Checkpoint {
    /// The plan's folder, from the workspace.
    pub path: String,
    pub name: String,
    /// Its own file, from the plan's folder.
    pub file: String,
    pub files: usize,
    pub digest: Digest,
    pub at: String,
}

/// Takes one, in a step of the call. `expected` is what the files must be.
pub(super) async fn take(
    flow: &Flow,
    root: &PlanRoot,
    place: &PlanDir,
    name: &str,
    message: &str,
    expected: Option<&Digest>,
) -> Result<Checkpoint, ToolError> {
    let effect = async {
        let is_kept = on_record(flow, root, place, name)
            .await
            .map_err(|error| RecordedError::from(&error))?;
        if is_kept.is_some() {
            return Err(RecordedError::from(&exists(place, name)));
        }
        let (root, place) = (root.clone(), place.clone());
        let (name, message) = (name.to_owned(), super::draft::line(message));
        let (expected, call, client) = (expected.cloned(), flow.cx.call_id().to_string(), by(flow));
        blocking(move || {
            let taken = write(
                &root,
                &place,
                &name,
                &message,
                expected.as_ref(),
                &call,
                client,
            );
            taken.map_err(|error| RecordedError::from(&error))
        })
        .await
    };
    let taken: Result<Checkpoint, RecordedError> = match flow.cx.step(STEP, effect).await {
        // Nothing believes a checkpoint that is not on record, and another may have its name.
        Err(StepError::Interrupted { .. }) => {
            return Err(ToolError::Unaskable(
                "Taking the checkpoint was interrupted: call again".into(),
            ));
        }
        taken => taken?,
    };
    taken.map_err(ToolError::from)
}

fn write(
    root: &PlanRoot,
    place: &PlanDir,
    name: &str,
    message: &str,
    expected: Option<&Digest>,
    call: &str,
    client: Option<String>,
) -> Result<Checkpoint, ToolError> {
    let mut held = HeldHistory::new(root, place)?;
    let snapshot = Snapshot::read(place, &held.folder)?;
    if expected.is_some_and(|expected| *expected != snapshot.digest()) {
        return Err(changed(place));
    }
    let (at, digest) = (now(), snapshot.digest());
    let past = held.lines();
    let since = past
        .iter()
        .rev()
        .take_while(|line| line.event != EVENT)
        .count();
    // The fields that RiotPlan lists of its own checkpoints, and the texts.
    let kept = json!({
        "name": name, "timestamp": at, "message": message, "digest": digest,
        "snapshot": { "timestamp": at, "files": snapshot.files },
        "context": { "filesChanged": snapshot.names(), "eventsSinceLastCheckpoint": since },
    });
    let text = format!("{kept:#}\n");
    let path = place.path.name().to_owned();
    if text.len() as u64 > MOST {
        return Err(ToolError::Refused {
            code: "CHECKPOINT".into(),
            what: format!(
                "The checkpoint of {path} would have {} bytes; at most {MOST} can be read again",
                text.len()
            ),
            next: "Nothing was changed: move large files out of the plan with the person.".into(),
        });
    }
    let file = format!(".history/{FOLDER}/{name}.json");
    // One that is there may be another caller's, whose record this one does not see.
    let written = held
        .folder
        .folder(".history")
        .and_then(|history| history.folder_or_new(FOLDER))
        .and_then(|folder| {
            folder.create_file(&format!("{name}.json"), text.as_bytes(), Access::Shared)
        });
    let unwritten = |error| {
        ToolError::File(format!(
            "{path}/{file} cannot be written: {}",
            describe(&error)
        ))
    };
    if !written.map_err(unwritten)? {
        return Err(exists(place, name));
    }
    held.record(
        &Line::new(&at, EVENT)
            .by(client)
            .with("name", name)
            .with("message", message)
            .with("call", call),
    )?;
    Ok(Checkpoint {
        path,
        name: name.to_owned(),
        file,
        files: snapshot.files.len(),
        digest,
        at,
    })
}

fn exists(place: &PlanDir, name: &str) -> ToolError {
    ToolError::Refused {
        code: "EXISTS".into(),
        what: format!("{} has a checkpoint {name:?} already", place.path.name()),
        next: "Nothing was changed: choose another name.".into(),
    }
}

/// The plan's files are not what they were.
pub(super) fn changed(place: &PlanDir) -> ToolError {
    ToolError::Refused {
        code: "CONFLICT".into(),
        what: format!("{} has changed since it was shown", place.path.name()),
        next: "Nothing was changed: call again, so that the person sees what is there now.".into(),
    }
}

/// The checkpoint of this name, for this caller, by the journal. The plan's history only says where
/// to look.
pub(super) async fn on_record(
    flow: &Flow,
    root: &PlanRoot,
    place: &PlanDir,
    name: &str,
) -> Result<Option<Checkpoint>, ToolError> {
    let (own, there) = (root.clone(), place.clone());
    let lines = blocking(move || history(&own, &there)).await;
    let named = |line: &&Line| line.event == EVENT && line.more.get("name") == Some(&name.into());
    let calls = lines.iter().rev().filter(named).filter_map(|line| {
        let call = line.more.get("call")?.as_str()?;
        call.parse::<CallId>().ok()
    });
    let journal = flow.cx.desk().journal();
    for call in calls {
        let Some(history) = journal.call(call).await? else {
            continue;
        };
        let tool = history.call.origin.tool.as_deref();
        let ours = history.call.origin.is_bound_like(flow.cx.origin())
            && tool.is_some_and(|tool| [NAME, super::restore::NAME].contains(&tool));
        let steps = history
            .steps
            .into_iter()
            .filter(|step| ours && step.name == STEP);
        let taken = steps.filter_map(|step| match step.state {
            StepState::Finished(taken) => {
                serde_json::from_value::<Result<Checkpoint, RecordedError>>(taken)
                    .ok()?
                    .ok()
            }
            StepState::Started { .. } => None,
        });
        let mut fits = taken.filter(|taken| taken.path == place.path.name() && taken.name == name);
        if let Some(found) = fits.next() {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// The names of checkpoints that a plan's history tells of, newest first.
pub(super) fn names(root: &PlanRoot, place: &PlanDir) -> Vec<String> {
    let lines = history(root, place).into_iter().rev();
    let names = lines.filter(|line| line.event == EVENT);
    names
        .filter_map(|line| Some(line.more.get("name")?.as_str()?.to_owned()))
        .collect()
}

/// The files that a checkpoint holds, where they are what the journal says.
pub(super) fn open(held: &HeldHistory, kept: &Checkpoint) -> Result<Snapshot, ToolError> {
    #[derive(Deserialize)]
    struct Kept {
        snapshot: Files,
    }
    #[derive(Deserialize)]
    struct Files {
        files: std::collections::BTreeMap<String, String>,
    }
    let refused = |what: String| ToolError::Refused {
        code: "CHECKPOINT".into(),
        what: format!("{}/{} {what}", kept.path, kept.file),
        next: "Nothing was changed: tell the person, and take another checkpoint.".into(),
    };
    let folder = held
        .folder
        .folder(".history")
        .and_then(|history| history.folder(FOLDER));
    let folder =
        folder.map_err(|error| refused(format!("cannot be read: {}", describe(&error))))?;
    let text = folder.read_text(&format!("{}.json", kept.name), MOST);
    let text = text.map_err(|error| refused(format!("cannot be read: {error}")))?;
    let read = serde_json::from_str::<Kept>(&text).ok();
    let snapshot = read.map(|kept| Snapshot {
        files: kept.snapshot.files,
    });
    snapshot
        .filter(|snapshot| snapshot.digest() == kept.digest)
        .ok_or_else(|| refused("is not what was kept: somebody has changed it since".into()))
}
