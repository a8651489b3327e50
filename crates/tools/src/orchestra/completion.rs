//! `record_phase_completion`: the file that says what a phase was.

use super::{Flow, Tool};
use super::{decisions::decided, not_empty, plan_name::file_name};
use crate::files;
use holdpoint::tool::{PlainResult, ToolError, ToolHints, ToolInfo};
use holdpoint_ask::{
    form_arguments::Names,
    markdown::{code, fenced, list},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    plan_name: String,
    phase_number: u32,
    /// Short Markdown
    summary: String,
    #[serde(default)]
    files: Option<Names>,
    #[serde(default)]
    functions: Option<Names>,
    #[serde(default)]
    tests: Option<Names>,
    /// Like APPROVED
    #[serde(default)]
    review_status: Option<String>,
    #[serde(default)]
    commit_message: Option<String>,
}

pub(super) fn tool() -> Tool {
    let about = ToolInfo {
        name: "record_phase_completion",
        title: "Record a completed phase",
        description: "Writes plans/<plan-name>-phase-<N>-complete.md, with the plan's decisions from the journal; never over a person's edits.",
        hints: ToolHints::Writes,
    };
    Tool::new(about, run)
}

async fn run(flow: Flow, arguments: Arguments) -> Result<PlainResult<Output>, ToolError> {
    let plan = file_name(&arguments.plan_name)?;
    not_empty("summary", &arguments.summary)?;
    let (decisions, count) = decided(&flow, &plan).await?;
    let number = arguments.phase_number;
    let mut report = Report::new(format!(
        "# Phase {number} complete: {}",
        arguments.plan_name.trim()
    ));
    report.text(&arguments.summary);
    report.codes("Files", arguments.files);
    report.codes("Functions", arguments.functions);
    report.codes("Tests", arguments.tests);
    report.section("Review", arguments.review_status.as_deref());
    let message = arguments.commit_message.as_deref().map(str::trim);
    let message = message.map(|message| fenced("text", message));
    report.section("Commit message", message.as_deref());
    report.section("Decisions", Some(&decisions));
    let name = format!("{plan}-phase-{number}-complete");
    end(&flow, &name, report, count).await
}

/// The result fields of both tools that write.
#[derive(Serialize, JsonSchema)]
pub(super) struct Output {
    path: String,
    /// How many it lists
    decisions: usize,
    /// Edited by hand, and left alone
    edited: Option<String>,
}

/// Writes a report and tells the agent where it is.
pub(super) async fn end(
    flow: &Flow,
    name: &str,
    report: Report,
    decisions: usize,
) -> Result<PlainResult<Output>, ToolError> {
    let written = files::write(flow, name, &report.0).await?;
    let next = match &written.edited {
        None => format!("{} is written: go on as the person decided.", written.path),
        Some(edited) => format!(
            "{edited} was edited by hand and is left as it is; this version is in {}: tell the person about the two files, then go on as they decided.",
            written.path
        ),
    };
    let output = Output {
        path: written.path,
        decisions,
        edited: written.edited,
    };
    Ok(PlainResult::new(&next, &output))
}

/// A report that is being written.
pub(super) struct Report(String);

impl Report {
    pub fn new(title: String) -> Self {
        Self(title.replace('\n', " "))
    }

    pub fn text(&mut self, text: &str) {
        self.0.push_str(&format!("\n\n{}", text.trim()));
    }

    /// A section, where there is something to say.
    pub fn section(&mut self, title: &str, text: Option<&str>) {
        if let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) {
            self.0.push_str(&format!("\n\n## {title}\n\n{text}"));
        }
    }

    pub fn codes(&mut self, title: &str, items: Option<Names>) {
        let items = items.map(Names::into_vec).unwrap_or_default();
        let items = items.iter().map(|item| format!("- {}", code(item)));
        self.section(title, Some(&items.collect::<Vec<_>>().join("\n")));
    }

    pub fn list(&mut self, title: &str, items: Option<Names>) {
        let items = items.map(Names::into_vec).unwrap_or_default();
        self.section(title, Some(&list(&items)));
    }
}
