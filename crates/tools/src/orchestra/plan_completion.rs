//! `record_plan_completion`: the file that says what became of a plan.

use super::{Flow, Tool};
use super::{
    completion::{Output, Report, end},
    decisions::decided,
    not_empty,
    plan_name::file_name,
};
use crate::elicit::Names;
use holdpoint::tool::{PlainResult, ToolError, ToolHints, ToolInfo};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    /// The plan's name, the same in every call about it
    plan_name: String,
    /// How it ended
    outcome: PlanOutcome,
    /// What was done, as short Markdown
    summary: String,
    /// The phases that were done
    #[serde(default)]
    phases: Option<Names>,
    /// All files that were created or changed
    #[serde(default)]
    files: Option<Names>,
    /// The functions that matter most
    #[serde(default)]
    key_functions: Option<Names>,
    /// What the tests cover
    #[serde(default)]
    test_coverage: Option<Names>,
    /// What could come next
    #[serde(default)]
    recommendations: Option<Names>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum PlanOutcome {
    Completed,
    Aborted,
}

pub(super) fn tool() -> Tool {
    let about = ToolInfo {
        name: "record_plan_completion",
        title: "Record a completed plan",
        description: "Writes plans/<plan-name>-complete.md from its arguments, with the plan's decisions from the journal; for a plan that is done, and for one that was aborted. A file that a person has edited is left alone, and the new one is written beside it.",
        hints: ToolHints::Writes,
    };
    Tool::new(about, run)
}

async fn run(flow: Flow, arguments: Arguments) -> Result<PlainResult<Output>, ToolError> {
    let plan = file_name(&arguments.plan_name)?;
    not_empty("summary", &arguments.summary)?;
    let (decisions, count) = decided(&flow, &plan).await?;
    let outcome = match arguments.outcome {
        PlanOutcome::Completed => "complete",
        PlanOutcome::Aborted => "aborted",
    };
    let mut report = Report::new(format!("# Plan {outcome}: {}", arguments.plan_name.trim()));
    report.text(&arguments.summary);
    report.list("Phases", arguments.phases);
    report.codes("Files", arguments.files);
    report.codes("Key functions", arguments.key_functions);
    report.list("Test coverage", arguments.test_coverage);
    report.list("Recommendations", arguments.recommendations);
    report.section("Decisions", Some(&decisions));
    end(&flow, &format!("{plan}-complete"), report, count).await
}
