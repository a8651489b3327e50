//! `record_plan_completion`: the file that says what became of a plan.

use super::{Flow, Tool};
use super::{
    completion::{Output, Report, end},
    decisions::decided,
    not_empty,
    plan_name::file_name,
};
use holdpoint::tool::{PlainResult, ToolError, ToolHints, ToolInfo};
use holdpoint_ask::form_arguments::Names;
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    plan_name: String,
    outcome: PlanOutcome,
    /// Short Markdown
    summary: String,
    #[serde(default)]
    phases: Option<Names>,
    #[serde(default)]
    files: Option<Names>,
    #[serde(default)]
    key_functions: Option<Names>,
    #[serde(default)]
    test_coverage: Option<Names>,
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
        description: "Writes plans/<plan-name>-complete.md for a plan that is done or aborted, with its decisions from the journal; never over a person's edits.",
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
