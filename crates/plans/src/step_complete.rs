//! `plan_step_complete` and `plan_step_skip`: a step that is done, and approved where it has a gate;
//! or that a person leaves out.

use super::{
    Which, answerer,
    approval::{self, Approval, Approvals},
    blocking, by,
    gate::{Closing, Gate, STEP},
    locate::{PlanDir, PlanRoot},
    locked_plan::{LockedPlan, step_file},
    now,
    plan_status::{PlanOutput, PlanSummary, PlanView},
    status::two_digits,
    timeline::Entry as Line,
};
use crate::{Flow, Tool};
use holdpoint::tool::{
    AskResult, RecordedError, ToolError, ToolHints, ToolInfo, ask_and_log, timeout,
};
use holdpoint::{Decision, Outcome, StepError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

const COMPLETE: &str = "plan_step_complete";
const SKIP: &str = "plan_step_skip";
/// The tools whose asks approve a step.
pub(super) const TOOLS: [&str; 2] = [COMPLETE, SKIP];

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    #[serde(flatten)]
    which: Which,
    step: u32,
    /// Short Markdown, for the person
    #[serde(default)]
    summary: Option<String>,
    /// For its row in STATUS.md
    #[serde(default)]
    notes: Option<String>,
    #[serde(default)]
    timeout_seconds: Option<u64>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SkipArguments {
    #[serde(flatten)]
    which: Which,
    step: u32,
    /// Short Markdown, for the person
    reason: String,
    #[serde(default)]
    timeout_seconds: Option<u64>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    #[serde(flatten)]
    #[schemars(with = "PlanSummary")]
    plan: Shown,
    step: u32,
    completed: bool,
    skipped: Option<bool>,
    /// Criteria that the person did not tick
    unmet: Option<Vec<String>>,
    person_notes: Option<String>,
}

/// The plan: whole where the step is completed, else only which one it is.
#[derive(Serialize)]
#[serde(untagged)]
enum Shown {
    Whole(PlanOutput),
    Named { code: String, path: String },
}

pub(super) fn tool() -> Tool {
    let about = ToolInfo {
        name: COMPLETE,
        title: "Complete a step of a plan",
        description: "Marks a started step as completed. Where its file says `gate: approval`, the person is asked first. Go on only on completed: true.",
        hints: ToolHints::Commits,
    };
    Tool::new(about, async |flow, arguments: Arguments| {
        let closed = Close {
            closing: Closing::Complete,
            step: arguments.step,
            said: arguments.summary,
            note: arguments.notes,
            seconds: arguments.timeout_seconds,
        };
        closed.run(flow, arguments.which).await
    })
}

pub(super) fn skip_tool() -> Tool {
    let about = ToolInfo {
        name: SKIP,
        title: "Leave a step of a plan out",
        description: "Asks the person whether to leave a step out. Steps that need it may then start.",
        hints: ToolHints::Commits,
    };
    Tool::new(about, async |flow, arguments: SkipArguments| {
        let closed = Close {
            closing: Closing::Skip,
            step: arguments.step,
            said: Some(arguments.reason),
            note: None,
            seconds: arguments.timeout_seconds,
        };
        closed.run(flow, arguments.which).await
    })
}

/// A step that is to end.
struct Close {
    closing: Closing,
    step: u32,
    /// What the agent says to the person.
    said: Option<String>,
    /// What goes into its row.
    note: Option<String>,
    seconds: Option<u64>,
}

impl Close {
    async fn run(self, flow: Flow, which: Which) -> Result<AskResult<Output>, ToolError> {
        let root = PlanRoot::from_call(&flow)?;
        let own = root.clone();
        let place = blocking(move || own.find(&which)).await?;
        let gate = read_step(&flow, &root, &place, self.step, self.closing).await?;
        let mut decision = None;
        if gate.asks() {
            let mut question = gate.ask(self.said.as_deref());
            question.timeout = timeout(self.seconds);
            let decided = ask_and_log(&flow.cx, question).await?;
            let by = decided.decision;
            match &by.outcome {
                Outcome::Accepted(answer) => {
                    let unmet = gate.unticked(answer);
                    let words = answer
                        .get("notes")
                        .and_then(Value::as_str)
                        .map(str::to_owned);
                    if !unmet.is_empty() {
                        return Ok(refused(&root, &place, &gate, &by, unmet, words).await);
                    }
                    decision = Some((by, words));
                }
                _ => return Ok(refused(&root, &place, &gate, &by, Vec::new(), None).await),
            }
        }
        let done = Done {
            gate,
            decision,
            note: self.note,
            client: by(&flow),
            call: flow.cx.call_id().to_string(),
        };
        done.close(&flow, &root, &place).await
    }
}

/// Reads the step, in a step of the call with all of its checks: a later run of the flow sees what
/// the person saw, whatever has become of the files.
async fn read_step(
    flow: &Flow,
    root: &PlanRoot,
    place: &PlanDir,
    step: u32,
    closing: Closing,
) -> Result<Gate, ToolError> {
    let effect = async {
        let (own, there) = (root.clone(), place.clone());
        let seen = blocking(move || {
            let row = own.status(&there).ok()?.step(step).cloned()?;
            Some((row, step_file(&there, step).ok()??))
        })
        .await;
        let approved = match &seen {
            Some((row, file)) => Approvals::read(flow, root, place)
                .await
                .map_err(|error| RecordedError::from(&error))?
                .of(row, file),
            // Reading it below says what is wrong.
            None => Approval::Missing,
        };
        let approved = approved == Approval::Given;
        let (own, there) = (root.clone(), place.clone());
        blocking(move || {
            Gate::read(&own, &there, step, closing, approved)
                .map_err(|error| RecordedError::from(&error))
        })
        .await
    };
    let read: Result<Gate, RecordedError> = match flow.cx.step(STEP, effect).await {
        // Only read: nothing of it can have been left behind.
        Err(StepError::Interrupted { .. }) => {
            return Err(ToolError::Unaskable(
                "Reading the step was interrupted".into(),
            ));
        }
        read => read?,
    };
    read.map_err(ToolError::from)
}

/// The person did not say yes to all of it.
async fn refused(
    root: &PlanRoot,
    place: &PlanDir,
    gate: &Gate,
    decision: &Decision,
    unmet: Vec<String>,
    words: Option<String>,
) -> AskResult<Output> {
    let line = Line::new(&now(), "step_not_approved")
        .step(gate.step)
        .by(answerer(decision))
        .ask(decision.ask)
        .with("outcome", decision.outcome.status())
        .with("unmet", unmet.clone())
        .with("notes", words.clone());
    record(root, place, line).await;
    let number = two_digits(gate.step);
    let state = gate.closing.state().as_str();
    let next = match &decision.outcome {
        Outcome::Accepted(_) if gate.closing == Closing::Complete => format!(
            "Step {number} is not completed: work on what the person did not tick, then call plan_step_complete again."
        ),
        outcome => format!("Step {number} is not {state}. {}", outcome.next_step()),
    };
    let output = Output {
        plan: Shown::Named {
            code: place.code.clone(),
            path: place.path.name().to_owned(),
        },
        step: gate.step,
        completed: false,
        skipped: (gate.closing == Closing::Skip).then_some(false),
        unmet: (gate.closing == Closing::Complete).then_some(unmet),
        person_notes: words,
    };
    AskResult::new(decision, false, &next, &output)
}

/// A line in the history that changes nothing.
async fn record(root: &PlanRoot, place: &PlanDir, line: Line) {
    let (root, place) = (root.clone(), place.clone());
    let recorded = blocking(move || LockedPlan::new(&root, &place)?.record(&line)).await;
    if let Err(error) = recorded {
        tracing::warn!(%error, "a decision is in the journal, but not in the plan's history");
    }
}

/// A step that may be completed.
#[derive(Clone)]
struct Done {
    gate: Gate,
    decision: Option<(Decision, Option<String>)>,
    note: Option<String>,
    client: Option<String>,
    call: String,
}

impl Done {
    async fn close(
        self,
        flow: &Flow,
        root: &PlanRoot,
        place: &PlanDir,
    ) -> Result<AskResult<Output>, ToolError> {
        let write = || {
            let (done, own, there) = (self.clone(), root.clone(), place.clone());
            blocking(move || {
                done.write(&own, &there)
                    .map_err(|error| RecordedError::from(&error))
            })
        };
        let written: Result<(), RecordedError> = match flow.cx.step("complete", write()).await {
            // It may or may not have been written: writing it again finds out.
            Err(StepError::Interrupted { .. }) => write().await,
            written => written?,
        };
        written.map_err(ToolError::from)?;
        let (own, there) = (root.clone(), place.clone());
        let mut view = blocking(move || PlanView::read(&own, there)).await?;
        view.read_approvals(flow, root).await?;
        Ok(self.result(&view))
    }

    /// Marks the step, once.
    fn write(&self, root: &PlanRoot, place: &PlanDir) -> Result<(), ToolError> {
        let mut held = LockedPlan::new(root, place)?;
        let call = Value::from(self.call.clone());
        let ours =
            |line: &Line, event: &str| line.event == event && line.more.get("call") == Some(&call);
        let past = held.timeline();
        let event = match self.gate.closing {
            Closing::Complete => "step_completed",
            Closing::Skip => "step_skipped",
        };
        if past.iter().any(|line| ours(line, event)) {
            return Ok(());
        }
        self.gate.still_holds(&held)?;
        let (step, now) = (self.gate.step, now());
        let approved = past.iter().any(|line| ours(line, approval::EVENT));
        if let Some((decision, words)) = self.decision.as_ref().filter(|_| !approved) {
            // The decision is true whatever comes of the rest.
            let line = Line::new(&now, approval::EVENT)
                .step(step)
                .by(answerer(decision))
                .ask(decision.ask)
                .with("call", self.call.clone())
                .with("notes", words.clone());
            held.record(&line)?;
        }
        if !self.gate.late {
            let closed = match self.gate.closing {
                Closing::Complete => held.status.complete(step, &now, self.note.as_deref()),
                Closing::Skip => held.status.skip(step, self.words()),
            };
            match closed {
                // A crash came between the state and the history of this very call.
                Err(_) if approved => {}
                other => other?,
            }
            held.save(&now)?;
        }
        let line = Line::new(&now, event).step(step).by(self.client.clone());
        held.record(&line.with("call", self.call.clone()))
    }

    /// What the person wrote.
    fn words(&self) -> Option<&str> {
        self.decision
            .as_ref()
            .and_then(|(_, words)| words.as_deref())
    }

    fn result(&self, view: &PlanView) -> AskResult<Output> {
        let skips = self.gate.closing == Closing::Skip;
        let next = format!(
            "Step {} is {}. {}",
            two_digits(self.gate.step),
            self.gate.closing.state().as_str(),
            view.next()
        );
        let output = Output {
            plan: Shown::Whole(view.output()),
            step: self.gate.step,
            completed: !skips,
            skipped: skips.then_some(true),
            unmet: None,
            person_notes: self.words().map(str::to_owned),
        };
        match &self.decision {
            Some((decision, _)) => AskResult::new(decision, true, &next, &output),
            None => AskResult::without_ask(&next, &output),
        }
    }
}
