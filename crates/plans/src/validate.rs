//! `plan_validate`: what is wrong in a plan's folder, where, and what to do about it.

use super::{
    Which, blocking,
    draft::line,
    locate::{PlanDir, PlanRoot},
    plan_status::PlanView,
    status::{Status, numbers, two_digits},
    step_file::{StepFile, step_files},
    steps_argument, timeline,
};
use crate::{Flow, Tool};
use holdpoint::tool::{PlainResult, ToolError, ToolHints, ToolInfo};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// The most findings that are told.
const MOST: usize = 100;

#[derive(Serialize, JsonSchema)]
struct Output {
    code: String,
    path: String,
    /// Whether nothing is an error
    valid: bool,
    /// With severity, file, line, what and fix
    #[schemars(with = "Vec<JsonObject>")]
    findings: Vec<Finding>,
}

/// Something that is wrong.
#[derive(Debug, Serialize)]
struct Finding {
    severity: Severity,
    /// From the plan's folder.
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    what: String,
    fix: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
enum Severity {
    /// The tools cannot work with it.
    Error,
    /// They can, and a person should look.
    Warning,
}

pub(super) fn tool() -> Tool {
    let about = ToolInfo {
        name: "plan_validate",
        title: "Check a plan's folder",
        description: "Says what is wrong in a plan's folder: file, line, and what to do. Changes nothing.",
        hints: ToolHints::Reads,
    };
    Tool::new(about, run)
}

async fn run(flow: Flow, which: Which) -> Result<PlainResult<Output>, ToolError> {
    let root = PlanRoot::from_call(&flow)?;
    let own = root.clone();
    let (place, view, mut findings) = blocking(move || {
        let place = own.find(&which)?;
        let mut findings = Findings::default();
        findings.look_at_files(&own, &place);
        let view = findings.look_at_state(&own, &place);
        Ok::<_, ToolError>((place, view, findings))
    })
    .await?;
    if let Some(mut view) = view {
        view.read_approvals(&flow, &root).await?;
        let fix = "let the person decide: that tool asks them";
        for problem in &view.problems {
            findings.error("STATUS.md", None, problem, fix);
        }
        for step in &view.unconfirmed {
            findings.warning("STATUS.md", None, step, fix);
        }
    }
    let mut findings = findings.0;
    findings.sort_by_key(|finding| finding.severity);
    let errors = findings
        .iter()
        .filter(|finding| finding.severity == Severity::Error)
        .count();
    let next = match (errors, findings.len()) {
        (0, 0) => "Nothing is wrong.".to_owned(),
        (0, some) => format!("{some} things to look at with the person; the tools work with them."),
        (errors, _) => format!("{errors} errors: fix them with the person before you go on."),
    };
    findings.truncate(MOST);
    let output = Output {
        code: place.code.clone(),
        path: place.path.name().to_owned(),
        valid: errors == 0,
        findings,
    };
    Ok(PlainResult::new(&next, &output))
}

#[derive(Default)]
struct Findings(Vec<Finding>);

impl Findings {
    fn add(
        &mut self,
        severity: Severity,
        file: &str,
        line_number: Option<usize>,
        what: &str,
        fix: &str,
    ) {
        self.0.push(Finding {
            severity,
            file: line(file),
            line: line_number,
            what: line(what),
            fix: fix.to_owned(),
        });
    }

    fn error(&mut self, file: &str, line: Option<usize>, what: &str, fix: &str) {
        self.add(Severity::Error, file, line, what, fix);
    }

    fn warning(&mut self, file: &str, line: Option<usize>, what: &str, fix: &str) {
        self.add(Severity::Warning, file, line, what, fix);
    }

    fn look_at_files(&mut self, root: &PlanRoot, place: &PlanDir) {
        for (file, holds) in [
            ("SUMMARY.md", "what the plan is for"),
            ("EXECUTION_PLAN.md", "the steps and what they need"),
        ] {
            if !place.path.full().join(file).is_file() {
                let fix = format!("write it: {holds}");
                self.warning(file, None, "is not there", &fix);
            }
        }
        let file = ".history/timeline.jsonl";
        match root.read(place, file) {
            Ok(text) => {
                for number in timeline::broken_lines(&text).into_iter().take(5) {
                    let fix = "remove the line; what was decided is in the journal";
                    self.warning(file, Some(number), "cannot be read", fix);
                }
            }
            Err(_) if !place.path.full().join(file).exists() => {
                let fix = "nothing: the next change begins one";
                self.warning(file, None, "is not there", fix);
            }
            Err(error) => {
                let fix =
                    "make it an ordinary file of at most 1 MiB: move old lines to another file";
                self.error(file, None, &error.to_string(), fix);
            }
        }
    }

    fn look_at_state(&mut self, root: &PlanRoot, place: &PlanDir) -> Option<PlanView> {
        let text = match root.read(place, "STATUS.md") {
            Ok(text) => text,
            Err(error) => {
                let fix = "make it an ordinary text file of at most 1 MiB";
                self.error("STATUS.md", None, &error.to_string(), fix);
                return None;
            }
        };
        let status = match Status::read(&text) {
            Ok(status) => status,
            Err(flaw) => {
                self.error(
                    "STATUS.md",
                    flaw.line,
                    &flaw.what,
                    "correct that line; no tool changes the plan before",
                );
                return None;
            }
        };
        self.look_at_numbers(place, &status);
        let listed = step_files(place.path.full());
        let mut files = BTreeMap::new();
        for row in &status.steps {
            match StepFile::open_among(place.path.full(), &listed, row.number) {
                Ok(Some(file)) => {
                    self.look_at_step(row.number, &file);
                    files.insert(row.number, file);
                }
                Ok(None) => {
                    let number = two_digits(row.number);
                    let what = format!("step {number} has no file plan/{number}-….md");
                    self.error(
                        "STATUS.md",
                        Some(row.line),
                        &what,
                        "write the file, or remove the row",
                    );
                }
                Err(what) => {
                    let fix =
                        "correct the file: what cannot be read cannot say that it has no gate";
                    self.error("plan", None, &what, fix);
                }
            }
        }
        let view = PlanView::new(place.clone(), status, files);
        self.look_at_needs(&view);
        Some(view)
    }

    /// Numbers of steps that are missing, and files that no row knows.
    fn look_at_numbers(&mut self, place: &PlanDir, status: &Status) {
        let mut known: Vec<_> = status.steps.iter().map(|row| row.number).collect();
        known.sort_unstable();
        let last = known.last().copied().unwrap_or(0);
        let gaps = (1..=last.min(999)).filter(|number| !known.contains(number));
        let gaps: Vec<_> = gaps.take(10).collect();
        if !gaps.is_empty() {
            let what = format!("there is no step {}", numbers(&gaps));
            self.warning(
                "STATUS.md",
                None,
                &what,
                "number the steps without gaps, if none was meant to go",
            );
        }
        if known.len() > steps_argument::MOST {
            let what = format!("there are {} steps", known.len());
            let fix = format!(
                "make further plans of at most {} steps",
                steps_argument::MOST
            );
            self.warning("STATUS.md", None, &what, &fix);
        }
        for (number, file) in step_files(place.path.full()) {
            if !known.contains(&number) {
                let what = format!("step {} has no row in STATUS.md", two_digits(number));
                self.error(&file, None, &what, "add the row, or move the file away");
            }
        }
    }

    fn look_at_step(&mut self, number: u32, file: &StepFile) {
        let title = file
            .text
            .lines()
            .zip(1..)
            .find(|(line, _)| line.starts_with("# "));
        match title {
            None => self.warning(
                &file.file,
                None,
                "has no title",
                "begin it with `# Step NN: …`",
            ),
            Some((title, at)) => {
                let word = title.strip_prefix("# Step ");
                let said = word.and_then(|word| {
                    word.split(|c: char| !c.is_ascii_digit())
                        .next()?
                        .parse::<u32>()
                        .ok()
                });
                if said.is_some_and(|said| said != number) {
                    let what = format!("its title says another number than {}", two_digits(number));
                    self.warning(
                        &file.file,
                        Some(at),
                        &what,
                        "correct the title, or the file's name",
                    );
                }
            }
        }
        if file.criteria.is_empty() {
            let fix =
                "list under `## Acceptance Criteria` by what a person can tell that it is done";
            self.warning(&file.file, None, "names no acceptance criteria", fix);
        }
    }

    /// What steps need that is not there, themselves, a circle, or not done.
    fn look_at_needs(&mut self, view: &PlanView) {
        let status = &view.status;
        for (number, file) in &view.files {
            let fix = "correct its `## Dependencies`, or `needs` in its front matter";
            for needed in view.needs(*number).unwrap_or_default() {
                let (own, name) = (two_digits(*number), two_digits(needed));
                if needed == *number {
                    self.error(&file.file, None, &format!("step {own} needs itself"), fix);
                } else if let Some(row) = status.step(needed) {
                    if circle(view, *number, needed) {
                        let what =
                            format!("step {own} needs step {name}, which needs it in its turn");
                        self.error(&file.file, None, &what, fix);
                    }
                    let own_row = status.step(*number).filter(|row| row.state.is_begun());
                    if let Some(own_row) = own_row.filter(|_| !row.state.is_done()) {
                        let what = format!(
                            "step {own} is {}, but step {name}, which it needs, is {}",
                            own_row.state.as_str(),
                            row.state.as_str()
                        );
                        let fix = "correct the states, or what the step needs";
                        self.warning("STATUS.md", Some(own_row.line), &what, fix);
                    }
                } else {
                    let what = format!("step {own} needs step {name}, which is not there");
                    self.error(&file.file, None, &what, fix);
                }
            }
        }
    }
}

/// Whether what a step needs leads back to it.
fn circle(view: &PlanView, step: u32, needed: u32) -> bool {
    let (mut seen, mut open) = (Vec::new(), vec![needed]);
    while let Some(next) = open.pop() {
        if next == step {
            return true;
        }
        if !seen.contains(&next) {
            seen.push(next);
            open.extend(view.needs(next).unwrap_or_default());
        }
    }
    false
}
