//! `request_plan_approval`: a plan before anything is done.

use super::{Flow, Tool};
use super::{
    chosen, not_empty, plan_file, plan_name, questions, text, undecided::undecided, words,
};
use holdpoint::tool::{
    AskResult, ToolError, ToolHints, ToolInfo, ask_and_log, ask_separately, round_of, timeout,
};
use holdpoint::{
    Answer, Ask, AskError, Decision, Field, Form, Kind, Outcome,
    field::{Choice, Ending, Pick},
    review::TextOf,
};
use holdpoint_ask::describe::first_line;
use holdpoint_ask::markdown::{contained, cut, one_line};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(super) const NAME: &str = "request_plan_approval";
/// The most bytes of a folder's steps.
const STEPS: usize = 24 * 1024;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    /// Short Markdown
    plan_summary: String,
    phase_count: u32,
    /// One that ends in `A / B / C` becomes a choice
    #[serde(default)]
    open_questions: Option<Vec<String>>,
    #[serde(default)]
    plan_name: Option<String>,
    /// Path in the workspace; shown too, with what changed since it was shown last
    #[serde(default)]
    plan_file: Option<String>,
    #[serde(default)]
    timeout_seconds: Option<u64>,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    decision: PlanDecision,
    feedback: Option<String>,
    answers: Vec<Answered>,
}

#[derive(Clone, Copy, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum PlanDecision {
    Approve,
    RequestChanges,
    Cancel,
}

#[derive(Serialize, JsonSchema)]
struct Answered {
    question: String,
    answer: String,
}

pub(super) fn tool() -> Tool {
    let about = ToolInfo {
        name: NAME,
        title: "Request plan approval",
        description: "Shows the person your plan and asks whether to start. Call it before anything is changed, and again after each revision. Start only on proceed: true.",
        hints: ToolHints::Asks,
    };
    Tool::new(about, run).always_load()
}

async fn run(flow: Flow, arguments: Arguments) -> Result<AskResult<Output>, ToolError> {
    let open = arguments.open_questions.as_deref().unwrap_or_default();
    not_empty("planSummary", &arguments.plan_summary)?;
    let mut question = Ask::new(message(&arguments, open), form(open)?);
    question.timeout = timeout(arguments.timeout_seconds);
    // Before the plan is read: what cannot be asked leaves nothing behind.
    question.check().map_err(AskError::Flawed)?;
    let name = arguments.plan_name.as_deref();
    let mut details = Vec::new();
    if let Some(name) = name
        && let Some(steps) = flow
            .plans
            .show_steps(flow.cx.clone(), name.to_owned())
            .await?
    {
        let (kept, left_out) = cut(&steps, STEPS);
        let note = plan_file::note(left_out, "the plan's folder");
        details.push(format!("{note}{}", contained(kept)));
    }
    let plan = plan_name::from_name_or_file(name, arguments.plan_file.as_deref());
    if let Some(path) = &arguments.plan_file {
        let taken = question.message.len() + details.iter().map(String::len).sum::<usize>();
        let plan = plan_file::read(&flow, path, plan.as_deref(), taken + 1024).await?;
        details.push(plan.shown());
        question = question.editable(plan.editable());
    }
    if !details.is_empty() {
        question = question.details(details.join("\n\n"));
    }
    if let Some(plan) = &plan {
        let about = format!("Plan “{}”", one_line(name.unwrap_or(plan)));
        let round = round_of(&flow.cx, &about, &format!("plan {plan}")).await?;
        question = question.in_round(round);
    }
    question = question.titled(title(&arguments));
    let decided = ask_and_log(&flow.cx, question).await?;
    flow.record(name, "plan_approval", &decided.decision).await;
    match &decided.outcome {
        Outcome::Accepted(answer) => {
            let mut answer = answer.clone();
            answer.extend(left_out(&flow, &answer, open, &decided.decision).await?);
            Ok(answered(&decided.decision, &answer, open))
        }
        _ => Ok(undecided(
            &decided.decision,
            "approve, request changes or cancel",
        )),
    }
}

/// What the person has to say where their client could not show the fields for it.
async fn left_out(
    flow: &Flow,
    answer: &Answer,
    open: &[String],
    decision: &Decision,
) -> Result<Answer, ToolError> {
    let chosen = chosen(answer).unwrap_or(PlanDecision::Cancel);
    let message = match chosen {
        PlanDecision::RequestChanges => "What should change in the plan?",
        _ => "The plan's open questions",
    };
    let wanted = |name: &str| match chosen {
        PlanDecision::Approve => name.starts_with("answer_"),
        PlanDecision::RequestChanges => true,
        PlanDecision::Cancel => false,
    };
    ask_separately(&flow.cx, message, &form(open)?, decision, wanted).await
}

fn answered(decision: &Decision, answer: &Answer, open: &[String]) -> AskResult<Output> {
    let chosen = chosen(answer).unwrap_or(PlanDecision::Cancel);
    let feedback = text(answer, "feedback");
    let answers: Vec<_> = open
        .iter()
        .enumerate()
        .filter_map(|(place, question)| {
            Some(Answered {
                question: question.trim().to_owned(),
                answer: text(answer, &format!("answer_{}", place + 1))?,
            })
        })
        .collect();
    let commented = decision
        .review
        .as_ref()
        .is_some_and(|review| !review.comments.is_empty());
    let words = said(feedback.is_some(), commented, !answers.is_empty());
    let next = match (chosen, words) {
        (PlanDecision::Approve, Some(said)) => format!(
            "The plan is approved: take {said} into it, write the plan file and start with the first phase."
        ),
        (PlanDecision::Approve, None) => {
            "The plan is approved: write the plan file and start with the first phase.".into()
        }
        (PlanDecision::RequestChanges, Some(said)) if feedback.is_some() || commented => format!(
            "Do not start: revise the plan with {said}, then ask again with request_plan_approval."
        ),
        (PlanDecision::RequestChanges, Some(said)) => format!(
            "Do not start: no feedback was given besides {said}. Ask the person in the chat what else should change, revise the plan with {said}, then ask again with request_plan_approval."
        ),
        (PlanDecision::RequestChanges, None) => {
            "Do not start: no feedback was given. Ask the person in the chat what should change, revise the plan with that, then ask again with request_plan_approval.".into()
        }
        (PlanDecision::Cancel, _) => {
            "The task is cancelled: end it, change nothing, and tell the person that it ended."
                .to_owned()
        }
    };
    let output = Output {
        decision: chosen,
        feedback,
        answers,
    };
    let approved = chosen == PlanDecision::Approve;
    let next = match edited_file(decision) {
        Some(file) if approved => format!(
            "The plan is approved as the person edited it: write the text in `edited` to {file} as it is, then start with the first phase."
        ),
        _ => next,
    };
    AskResult::new(decision, approved, &next, &output)
}

/// The file that the person edited before they decided.
fn edited_file(decision: &Decision) -> Option<&str> {
    match &decision.review.as_ref()?.edited.as_ref()?.of {
        TextOf::File(file) => Some(file),
        TextOf::Field(_) => None,
    }
}

/// What a person said besides the decision.
fn said(feedback: bool, comments: bool, answers: bool) -> Option<String> {
    let parts = [
        (feedback, "the feedback"),
        (comments, "the comments"),
        (answers, "the answers"),
    ];
    let said = parts.iter().filter(|(there, _)| *there);
    let said: Vec<_> = said.map(|(_, what)| *what).collect();
    let (last, before) = said.split_last()?;
    Some(match before {
        [] => (*last).to_owned(),
        before => format!("{} and {last}", before.join(", ")),
    })
}

/// What lists call it.
fn title(arguments: &Arguments) -> String {
    match (&arguments.plan_name, &arguments.plan_file) {
        (Some(name), _) => format!("Approve the plan “{}”", one_line(name)),
        (None, Some(file)) => format!("Approve the plan {}", one_line(file)),
        (None, None) => format!("Approve a plan: {}", first_line(&arguments.plan_summary)),
    }
}

fn message(arguments: &Arguments, open: &[String]) -> String {
    let mut parts = vec![match &arguments.plan_name {
        Some(name) => format!("## Approve the plan “{}”?", one_line(name)),
        None => "## Approve this plan?".to_owned(),
    }];
    parts.push(contained(&arguments.plan_summary));
    parts.push(format!("**Phases:** {}", arguments.phase_count));
    if !open.is_empty() {
        let numbered = open.iter().enumerate().map(|(place, question)| {
            format!(
                "{}. {}",
                place + 1,
                contained(question).replace('\n', "\n   ")
            )
        });
        parts.push("**Open questions**".into());
        parts.push(numbered.collect::<Vec<_>>().join("\n"));
    }
    parts.join("\n\n")
}

fn form(open: &[String]) -> Result<Form, ToolError> {
    let decision = Choice {
        options: vec![
            Pick::new("approve")
                .label("✅ Approve - Start Implementation")
                .ending(Ending::go("Approve", "Approved")),
            Pick::new("request_changes")
                .label("📝 Request Changes")
                .ending(Ending::hold("Request changes", "Changes requested").wants("feedback")),
            Pick::new("cancel")
                .label("❌ Cancel Task")
                .ending(Ending::stop("Cancel the task", "Task cancelled").wants("feedback")),
        ],
        ..Choice::default()
    };
    let decision = Field::new("decision", Kind::Choice(decision))
        .title("Plan Approval Decision")
        .help("Approve to start, request changes to revise the plan, or cancel.");
    let feedback = words(
        "feedback",
        "Feedback (Optional)",
        "What should change, or what the agent should bear in mind.",
    );
    let mut form = Form::new().field(decision).field(feedback);
    for field in questions::fields(open)? {
        form = form.field(field);
    }
    Ok(form)
}
