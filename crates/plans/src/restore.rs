//! `plan_restore`: the files of a plan as a checkpoint has them, once a person has seen what that
//! changes.

use super::{
    Which, answerer, blocking,
    checkpoint::{self, Checkpoint, changed},
    held_history::HeldHistory,
    locate::{PlanDir, PlanRoot},
    now,
    snapshot::Snapshot,
    timeline::Entry as Line,
};
use crate::{Flow, Tool};
use holdpoint::tool::{
    AskResult, RecordedError, ToolError, ToolHints, ToolInfo, ask_and_log, timeout,
};
use holdpoint::{Ask, Decision, Digest, Field, Form, Kind, Outcome, StepError};
use holdpoint_ask::check::MAX_MESSAGE;
use holdpoint_ask::markdown::{cut, fenced};
use holdpoint_ask::nearest::nearest;
use holdpoint_workspace::{Folder, Links, describe};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(super) const NAME: &str = "plan_restore";

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    #[serde(flatten)]
    which: Which,
    checkpoint: String,
    #[serde(default)]
    timeout_seconds: Option<u64>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    code: String,
    path: String,
    checkpoint: String,
    restored: bool,
    /// The checkpoint of what was there before
    saved_as: Option<String>,
}

pub(super) fn tool() -> Tool {
    let about = ToolInfo {
        name: NAME,
        title: "Put a plan back to a checkpoint",
        description: "Shows the person what a checkpoint would change and, if they agree, puts the plan's files back. What was there is kept as a checkpoint, too.",
        hints: ToolHints::Changes,
    };
    Tool::new(about, run)
}

async fn run(flow: Flow, arguments: Arguments) -> Result<AskResult<Output>, ToolError> {
    let root = PlanRoot::from_call(&flow)?;
    let (own, which) = (root.clone(), arguments.which);
    let place = blocking(move || own.find(&which)).await?;
    let name = arguments.checkpoint.trim().to_owned();
    let proposal = Proposal::read(&flow, &root, &place, &name).await?;
    let mut question = proposal.ask();
    question.timeout = timeout(arguments.timeout_seconds);
    let decided = ask_and_log(&flow.cx, question).await?;
    let decision = decided.decision;
    let yes = match &decision.outcome {
        Outcome::Accepted(answer) => answer.get("restore") == Some(&Value::Bool(true)),
        _ => false,
    };
    let result = |restored: bool, saved: Option<String>| Output {
        code: place.code.clone(),
        path: place.path.name().to_owned(),
        checkpoint: name.clone(),
        restored,
        saved_as: saved,
    };
    if !yes {
        let next = match &decision.outcome {
            Outcome::Accepted(_) => "Nothing was changed: the person does not want it.".to_owned(),
            outcome => format!("Nothing was changed. {}", outcome.next_step()),
        };
        return Ok(AskResult::new(
            &decision,
            false,
            &next,
            &result(false, None),
        ));
    }
    let saved = proposal.saved_name();
    let message = format!("before {name} was restored");
    let before = Some(&proposal.before);
    checkpoint::take(&flow, &root, &place, &saved, &message, before).await?;
    proposal.restore(&flow, &root, &place, &decision).await?;
    let next = format!(
        "{} is as checkpoint {name} has it: look at it with plan_status. What was there is checkpoint {saved}.",
        place.path.name()
    );
    Ok(AskResult::new(
        &decision,
        true,
        &next,
        &result(true, Some(saved)),
    ))
}

/// What a person is shown, and what their yes is about.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Proposal {
    kept: Checkpoint,
    /// The files as they were when it was shown.
    before: Digest,
    /// Which files change, and how.
    files: Vec<String>,
    diff: String,
    at: String,
}

impl Proposal {
    /// Reads both sides in a step of the call: a later run of the flow shows what the person saw.
    async fn read(
        flow: &Flow,
        root: &PlanRoot,
        place: &PlanDir,
        name: &str,
    ) -> Result<Self, ToolError> {
        let effect = async {
            let recorded = |error: ToolError| RecordedError::from(&error);
            let kept = checkpoint::on_record(flow, root, place, name).await;
            let kept = kept.map_err(recorded)?;
            let (root, place, name) = (root.clone(), place.clone(), name.to_owned());
            blocking(move || {
                let kept = kept
                    .ok_or_else(|| unknown(&root, &place, &name))
                    .map_err(recorded)?;
                Self::compare(&root, &place, kept).map_err(recorded)
            })
            .await
        };
        let read: Result<Self, RecordedError> = match flow.cx.step("restore view", effect).await {
            // Only read: nothing of it can have been left behind.
            Err(StepError::Interrupted { .. }) => {
                let what = "Reading the checkpoint was interrupted: call again";
                return Err(ToolError::Unaskable(what.into()));
            }
            read => read?,
        };
        read.map_err(ToolError::from)
    }

    fn compare(root: &PlanRoot, place: &PlanDir, kept: Checkpoint) -> Result<Self, ToolError> {
        let held = HeldHistory::new(root, place)?;
        let (now_there, wanted) = (
            Snapshot::read(place, &held.folder)?,
            checkpoint::open(&held, &kept)?,
        );
        let files: Vec<_> = now_there
            .changes_to(&wanted)
            .into_iter()
            .map(
                |(path, text)| match (now_there.files.contains_key(&path), text) {
                    (_, None) => format!("{path}: removed"),
                    (true, Some(_)) => format!("{path}: changed"),
                    (false, Some(_)) => format!("{path}: added"),
                },
            )
            .collect();
        if files.is_empty() {
            return Err(ToolError::Refused {
                code: "NOTHING_TO_RESTORE".into(),
                what: format!("{} is as checkpoint {:?} has it", kept.path, kept.name),
                next: "Nothing was changed: go on.".into(),
            });
        }
        Ok(Self {
            before: now_there.digest(),
            diff: now_there.diff_to(&wanted),
            files,
            kept,
            at: now(),
        })
    }

    fn ask(&self) -> Ask {
        let Checkpoint { path, name, at, .. } = &self.kept;
        let files: Vec<_> = self
            .files
            .iter()
            .map(|file| format!("- `{}`", super::draft::line(file)))
            .collect();
        let mut message = format!(
            "## Put plan `{path}` back to checkpoint `{name}`?\n\nIt was taken at {at}. What is there now is kept as checkpoint `{}`, evidence, feedback and the history stay.\n\n{}",
            self.saved_name(),
            files.join("\n")
        );
        let room = (MAX_MESSAGE - 4096).saturating_sub(message.len());
        let (kept, left_out) = cut(&self.diff, room);
        if left_out > 0 {
            message.push_str(&format!(
                "\n\n**{left_out} bytes of the changes are not shown here: compare with {path}/{} before you decide.**",
                self.kept.file
            ));
        }
        let field = Field::new("restore", Kind::Confirm).title("Put these files back");
        Ask::new(message, Form::new().field(field))
            .details(fenced("diff", kept))
            .dangerous()
    }

    /// What the checkpoint of what is there now is called.
    fn saved_name(&self) -> String {
        let moment: String = self.at.chars().filter(char::is_ascii_digit).collect();
        let name: String = self.kept.name.chars().take(40).collect();
        format!("before-{}-{moment}", name.trim_end_matches('-'))
    }

    /// Puts the files back, once.
    async fn restore(
        &self,
        flow: &Flow,
        root: &PlanRoot,
        place: &PlanDir,
        decision: &Decision,
    ) -> Result<(), ToolError> {
        let write = || {
            let (this, root, place) = (self.clone(), root.clone(), place.clone());
            let line = Line::new(&now(), "checkpoint_restored")
                .by(answerer(decision))
                .ask(decision.ask)
                .with("checkpoint", self.kept.name.clone())
                .with("savedAs", self.saved_name());
            blocking(move || {
                this.write(&root, &place, &line)
                    .map_err(|error| RecordedError::from(&error))
            })
        };
        let written: Result<(), RecordedError> = match flow.cx.step("restore", write()).await {
            // All of it is there or none: writing it again finds out.
            Err(StepError::Interrupted { .. }) => write().await,
            written => written?,
        };
        written.map_err(ToolError::from)
    }

    fn write(&self, root: &PlanRoot, place: &PlanDir, line: &Line) -> Result<(), ToolError> {
        let mut held = HeldHistory::new(root, place)?;
        let failed = |why: String| {
            ToolError::File(format!("{} cannot be put back: {why}", place.path.name()))
        };
        let plans = match place.path.parent() {
            Some(plans) => root
                .workspace
                .open_folder(&plans, Links::StayInside, false)
                .map_err(|error| failed(error.to_string()))?,
            None => {
                Folder::open(root.workspace.root()).map_err(|error| failed(describe(&error)))?
            }
        };
        // Looked at before it is read: what a person saves from here on stays.
        let look = plans.look(place.path.last());
        let look = look.map_err(|error| failed(describe(&error)))?;
        let (there, wanted) = (
            Snapshot::read(place, &held.folder)?,
            checkpoint::open(&held, &self.kept)?,
        );
        if there.digest() != wanted.digest() {
            if there.digest() != self.before {
                return Err(changed(place));
            }
            let put_back = plans
                .change_folder(place.path.last(), &look, &there.changes_to(&wanted))
                .map_err(|error| failed(describe(&error)))?;
            if !put_back {
                return Err(changed(place));
            }
        }
        let known = held
            .lines()
            .iter()
            .any(|past| past.event == line.event && past.ask_id == line.ask_id);
        if known { Ok(()) } else { held.record(line) }
    }
}

fn unknown(root: &PlanRoot, place: &PlanDir, name: &str) -> ToolError {
    let known = checkpoint::names(root, place);
    let named = known.iter().any(|known| known == name);
    let what = match nearest(name, known.iter().map(String::as_str)) {
        _ if named => format!("{name:?} is not on record as one of yours"),
        Some(near) => format!("there is no checkpoint {name:?}; did you mean {near:?}?"),
        None if known.is_empty() => "there is none yet; plan_checkpoint takes one".into(),
        None => format!(
            "there is no checkpoint {name:?}; there are {}",
            known.join(", ")
        ),
    };
    ToolError::argument("checkpoint", what)
}
