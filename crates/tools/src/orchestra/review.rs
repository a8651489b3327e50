//! `request_review_decision`: what becomes of a phase whose review failed.

use super::{Flow, Tool};
use super::{chosen, not_empty, plan_name, text, undecided::undecided, words};
use holdpoint::tool::{
    AskResult, ToolError, ToolHints, ToolInfo, ask_and_log, ask_separately, timeout,
};
use holdpoint::{
    Ask, Field, Form, Kind, Outcome,
    field::{Choice, Ending, Pick},
};
use holdpoint_ask::markdown::{contained, list};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(super) const NAME: &str = "request_review_decision";

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    phase_number: u32,
    findings: Vec<Finding>,
    /// Short Markdown
    summary: String,
    #[serde(default)]
    plan_name: Option<String>,
    #[serde(default)]
    timeout_seconds: Option<u64>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Finding {
    severity: Severity,
    text: String,
}

#[derive(Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
enum Severity {
    Critical,
    Major,
    Minor,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    decision: ReviewDecision,
    notes: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ReviewDecision {
    Fix,
    AcceptAsIs,
    Abort,
}

pub(super) fn tool() -> Tool {
    let about = ToolInfo {
        name: NAME,
        title: "Request review decision",
        description: "Asks the person what becomes of a phase whose review failed: fix, accept as is, or abort. Go past the findings only on proceed: true.",
        hints: ToolHints::Asks,
    };
    Tool::new(about, run)
}

async fn run(flow: Flow, arguments: Arguments) -> Result<AskResult<Output>, ToolError> {
    not_empty("summary", &arguments.summary)?;
    let mut question = Ask::new(message(&arguments), form());
    question.timeout = timeout(arguments.timeout_seconds);
    question = question.titled(title(&arguments));
    let decided = ask_and_log(&flow.cx, question).await?;
    let Outcome::Accepted(answer) = decided.outcome else {
        return Ok(undecided(&decided.decision, "fix, accept as is or abort"));
    };
    let decision = chosen(&answer).unwrap_or(ReviewDecision::Abort);
    let wanted = |_: &str| decision == ReviewDecision::Fix;
    let (asked, message) = (&decided.decision, "Notes on what to fix");
    let more = ask_separately(&flow.cx, message, &form(), asked, wanted).await?;
    let notes = text(&answer, "notes").or_else(|| text(&more, "notes"));
    let next = match decision {
        ReviewDecision::Fix if notes.is_none() => {
            "Fix the findings and have the phase reviewed again; do not commit before that."
        }
        ReviewDecision::Fix => {
            "Fix the findings, with the person's notes, and have the phase reviewed again; do not commit before that."
        }
        ReviewDecision::AcceptAsIs => {
            "The person accepts the phase as it is: go on to request_phase_commit_approval."
        }
        ReviewDecision::Abort => {
            "The plan is aborted: stop, commit nothing, and report what was done and what is left, also with record_plan_completion, if you have that."
        }
    };
    let output = Output { decision, notes };
    let proceed = decision == ReviewDecision::AcceptAsIs;
    Ok(AskResult::new(&decided.decision, proceed, next, &output))
}

fn form() -> Form {
    let decision = Choice {
        options: vec![
            Pick::new("fix")
                .label("🔧 Fix the Findings")
                .ending(Ending::hold("Fix the findings", "Fixes requested").wants("notes")),
            Pick::new("accept_as_is")
                .label("⚠️ Accept As Is")
                .ending(Ending::go("Accept as is", "Accepted as it is")),
            Pick::new("abort")
                .label("❌ Abort Plan")
                .ending(Ending::stop("Abort the plan", "Plan aborted").wants("notes")),
        ],
        ..Choice::default()
    };
    let decision = Field::new("decision", Kind::Choice(decision))
        .title("Review Decision")
        .help("Fix the findings, take the phase as it is, or end the plan here.");
    let notes = words(
        "notes",
        "Notes (Optional)",
        "How the findings should be fixed, or why they are accepted.",
    );
    Form::new().field(decision).field(notes)
}

fn title(arguments: &Arguments) -> String {
    let phase = plan_name::phase(arguments.phase_number, arguments.plan_name.as_deref());
    format!("The review of {phase} failed")
}

fn message(arguments: &Arguments) -> String {
    let mut parts = vec![
        format!("## {}", title(arguments)),
        contained(&arguments.summary),
    ];
    for (severity, name) in [
        (Severity::Critical, "CRITICAL"),
        (Severity::Major, "MAJOR"),
        (Severity::Minor, "MINOR"),
    ] {
        let found: Vec<_> = arguments
            .findings
            .iter()
            .filter(|finding| finding.severity == severity)
            .map(|finding| finding.text.clone())
            .collect();
        if !found.is_empty() {
            parts.push(format!("**{name}** ({})", found.len()));
            parts.push(list(&found));
        }
    }
    parts.join("\n\n")
}
