//! The actions that ask nobody: analyze, propose, preview, status.

use super::{
    change::{Checked, Refusal, record, step},
    explain::explain,
    folder::{Folder, Reported},
    output::{ActionResult, Output},
    proposal::{Draft, counts},
    state::{Current, Proposal, Record, Status},
    text::{
        analysis::{Analysis, Pattern, Problem},
        document::Document,
    },
};
use crate::Flow;
use holdpoint::Digest;
use holdpoint::tool::{ToolError, blocking};
use holdpoint_ask::markdown::cut;
use serde::{Deserialize, Serialize};

/// How many problems are recorded and shown.
const PROBLEMS: usize = 200;
/// The most bytes of a text in a result.
const LONG: usize = 256 * 1024;

#[derive(Serialize, Deserialize)]
struct Found {
    /// None where there is no file.
    source: Option<Digest>,
    pattern: Pattern,
    rules: usize,
    counts: String,
    problems: Vec<Problem>,
    problem_count: usize,
}

pub(super) async fn analyze(flow: &Flow, folder: &Folder) -> ActionResult {
    let read = async {
        let source = match folder.source() {
            Ok(source) => source,
            Err(why) => {
                let state = Current::read(flow, folder).await?.record.status;
                return Ok(Err(Refusal::file(state, why)));
            }
        };
        Ok(Ok(match source {
            Some(text) => blocking(move || Found::in_text(&text)).await,
            None => Found::no_file(),
        }))
    };
    let found = match checked(step(flow, "look", read).await?)? {
        Ok(found) => found,
        Err(refusal) => return Ok(refusal.into_result(folder)),
    };
    let lock = folder.lock().await?;
    let before = Current::read(flow, folder).await?.record;
    let skipped = before.status == Status::Skipped;
    let mut times = before.times;
    times.analyzed = Some(flow.cx.desk().now());
    let next = Record {
        status: Status::Analyzed,
        pattern: Some(found.pattern),
        times,
        problems: found.problems.clone(),
        problem_count: found.problem_count,
        source: found.source,
        migration: before.migration,
        ..Record::default()
    };
    let (next, report) = record(flow, folder, next).await?;
    drop(lock);
    let message = match found.source {
        Some(_) => format!(
            "{} is {}: {} rules, {}.",
            folder.file,
            found.pattern.as_str(),
            found.rules,
            found.counts
        ),
        None => format!(
            "There is no {}: nothing is wrong with it, and it can be created.",
            folder.file
        ),
    };
    let plain = plain_words(&message, &found.problems, found.problem_count);
    let output = Output {
        explanation: Some(explain(flow, &plain, plain.clone()).await),
        report,
        ..Output::from_record(folder, &next, message)
    };
    Ok(output.without_ask(&match (skipped, found.source) {
        (true, _) => "The person decided earlier to leave this file alone: go on with propose only if they asked for it.".to_owned(),
        (false, Some(_)) => "Call propose to work out the migrated file.".to_owned(),
        (false, None) => create_or_name(folder),
    }))
}

/// What to do where there is no file: another one may be meant.
fn create_or_name(folder: &Folder) -> String {
    let there = super::FILES
        .into_iter()
        .filter(|file| folder.workspace.file(file).is_ok());
    let there: Vec<_> = there.collect();
    if there.is_empty() {
        "Call propose to work out a new file.".to_owned()
    } else {
        let there = there.join(" and ");
        format!("There is {there}: name it by `file`, or call propose to create this one too.")
    }
}

pub(super) async fn propose(flow: &Flow, folder: &Folder) -> ActionResult {
    let read = async {
        let current = Current::read(flow, folder).await?.record;
        if !matches!(current.status, Status::Analyzed | Status::Proposed) {
            return Ok(Err(Refusal::state(
                current.status,
                format!(
                    "A proposal is made from an analysis, and the state is {}.",
                    current.status.as_str()
                ),
                "Call analyze first.",
            )));
        }
        let source = match folder.source() {
            Ok(source) => source,
            Err(why) => return Ok(Err(Refusal::file(current.status, why))),
        };
        if current.source != digest_of(source.as_deref()) {
            return Ok(Err(Refusal::changed(
                current.status,
                folder.file,
                "it was analysed",
            )));
        }
        let (file, seen) = (folder.file, folder.seen());
        let draft = blocking(move || Draft::new(file, source.as_deref(), seen)).await;
        Ok(Ok(Proposed::new(draft)))
    };
    let proposed = match checked(step(flow, "look", read).await?)? {
        Ok(proposed) => proposed,
        Err(refusal) => return Ok(refusal.into_result(folder)),
    };
    let lock = folder.lock().await?;
    let before = Current::read(flow, folder).await?.record;
    let mut next = before;
    next.status = Status::Proposed;
    next.times.proposed = Some(flow.cx.desk().now());
    next.proposal = Some(proposed.proposal.clone());
    next.grant = None;
    let (next, report) = record(flow, folder, next).await?;
    drop(lock);
    let proposal = &proposed.proposal;
    let plain = format!(
        "{}\nRisk: {}.\n{}",
        proposal.summary,
        proposal.risk.as_str(),
        proposal.steps.join("\n")
    );
    let output = Output {
        explanation: Some(explain(flow, &plain, plain.clone()).await),
        report,
        ..proposed.output(folder, &next)
    };
    Ok(output.without_ask(
        "Call preview to see the whole result, or approve to put the proposal to the person.",
    ))
}

pub(super) async fn preview(flow: &Flow, folder: &Folder) -> ActionResult {
    let current = Current::read(flow, folder).await?;
    let draft = match proposed(folder, &current) {
        Ok(draft) => draft,
        Err(refusal) => return Ok(refusal.into_result(folder)),
    };
    let (result, _) = cut(&draft.migrated.text, LONG);
    let (result, removed) = (result.to_owned(), draft.removed());
    let output = Output {
        result: Some(result),
        removed: Some(removed),
        ..Proposed::new(draft).output(folder, &current.record)
    };
    Ok(output.without_ask(match current.record.status {
        Status::Approved => "The person has approved this: call migrate.",
        _ => "Nothing is approved yet: call approve to put it to the person.",
    }))
}

pub(super) async fn status(flow: &Flow, folder: &Folder) -> ActionResult {
    let mut current = Current::read(flow, folder).await?;
    let state = current.record.status;
    let report = match folder.reported() {
        Reported::Missing => None,
        Reported::Damaged(why) => {
            // Put right from the record: it is never guessed what the file may have meant.
            let lock = folder.lock().await?;
            current = Current::read(flow, folder).await?;
            let aside = folder.report(&current.record, &[], flow.cx.desk().now());
            drop(lock);
            Some(match aside {
                Ok(Some(aside)) => format!(
                    "onboarding.json was damaged ({why}): it is kept as {aside}, and was written anew from the record."
                ),
                Ok(None) => format!(
                    "onboarding.json was damaged ({why}), and another process has put it right."
                ),
                Err(error) => format!("onboarding.json is damaged ({why}): {error}"),
            })
        }
        Reported::Says(report) => differs(&report, folder, &current.record),
    };
    let message = format!(
        "The take-over of {} is {}, by the record.",
        folder.file,
        state.as_str()
    );
    let output = Output {
        proposal: current.record.proposal.clone(),
        report,
        ..Output::from_record(folder, &current.record, message)
    };
    Ok(output.without_ask(match state {
        Status::NotStarted | Status::Rejected => "Call analyze to begin.",
        Status::Analyzed => "Call propose.",
        Status::Proposed => "Call approve to put the proposal to the person.",
        Status::Approved => "The person has approved: call migrate.",
        Status::Completed => "Nothing is left to do; rollback undoes it while its window is open.",
        Status::Skipped => "The person decided to leave the file alone: do nothing.",
    }))
}

/// What a report says that the record does not.
fn differs(report: &serde_json::Value, folder: &Folder, record: &Record) -> Option<String> {
    if report["file"] != folder.file {
        return None;
    }
    let wanted = folder.shape(record, &[]);
    let fields = wanted.as_object().into_iter().flatten();
    let odd: Vec<_> = fields
        .filter(|(name, value)| report.get(name.as_str()) != Some(value))
        .map(|(name, _)| name.as_str())
        .collect();
    let also = report.as_object().into_iter().flatten();
    let also = also.filter(|(name, _)| *name != "others" && wanted.get(name.as_str()).is_none());
    let odd: Vec<_> = odd
        .into_iter()
        .chain(also.map(|(name, _)| name.as_str()))
        .collect();
    (!odd.is_empty()).then(|| {
        let odd = odd.join(", ");
        format!(
            "onboarding.json differs from the record in {}: the record counts.",
            holdpoint_ask::visible(&odd)
        )
    })
}

/// The draft of a proposal that still fits the file.
pub(super) fn proposed(folder: &Folder, current: &Current) -> Checked<Draft> {
    let state = current.record.status;
    let Some(proposal) = current
        .record
        .proposal
        .as_ref()
        .filter(|_| matches!(state, Status::Proposed | Status::Approved))
    else {
        let message = format!(
            "There is no open proposal: the state is {}.",
            state.as_str()
        );
        let next = match state {
            Status::Analyzed => "Call propose first.",
            _ => "Call analyze, then propose.",
        };
        return Err(Refusal::state(state, message, next));
    };
    let source = folder.source().map_err(|why| Refusal::file(state, why))?;
    // Of the files that were seen then: others that came since are no reason to ask again.
    let mut draft = Draft::new(folder.file, source.as_deref(), proposal.seen.clone());
    if let Some(text) = &proposal.edited {
        draft = draft.edited(source.as_deref(), text);
    }
    if draft.proposal == *proposal {
        Ok(draft)
    } else {
        Err(Refusal::changed(state, folder.file, "it was proposed"))
    }
}

#[derive(Serialize, Deserialize)]
struct Proposed {
    proposal: Proposal,
    diff: String,
}

impl Proposed {
    fn new(draft: Draft) -> Self {
        let (diff, _) = cut(&draft.diff, LONG);
        Self {
            diff: diff.to_owned(),
            proposal: draft.proposal,
        }
    }

    fn output(self, folder: &Folder, record: &Record) -> Output {
        let message = self.proposal.summary.clone();
        Output {
            diff: Some(self.diff),
            proposal: Some(self.proposal),
            ..Output::from_record(folder, record, message)
        }
    }
}

/// A look that an earlier run left unfinished is taken as a error: it changed nothing.
pub(super) fn checked<T>(step: Option<Checked<T>>) -> Result<Checked<T>, ToolError> {
    step.ok_or_else(|| ToolError::File("Reading was interrupted before: call again".into()))
}

impl Found {
    fn in_text(text: &str) -> Self {
        let analysis = Analysis::new(&Document::read(text));
        Self {
            source: digest_of(Some(text)),
            pattern: analysis.pattern,
            rules: analysis.rules,
            counts: counts(&analysis),
            problem_count: analysis.problems.len(),
            problems: first(analysis.problems),
        }
    }

    fn no_file() -> Self {
        Self {
            source: None,
            pattern: Pattern::Clean,
            rules: 0,
            counts: String::new(),
            problem_count: 0,
            problems: Vec::new(),
        }
    }
}

/// The digest of a file's text; none where there is no file.
pub(super) fn digest_of(source: Option<&str>) -> Option<Digest> {
    source.map(|text| Digest::hash_bytes(text.as_bytes()))
}

fn first(mut problems: Vec<Problem>) -> Vec<Problem> {
    problems.truncate(PROBLEMS);
    problems
}

fn plain_words(message: &str, problems: &[Problem], count: usize) -> String {
    let mut words = vec![message.to_owned()];
    for problem in problems.iter().take(20) {
        let lines: Vec<_> = problem.lines.iter().map(usize::to_string).collect();
        words.push(format!(
            "{} at line {}, {}: {}",
            problem.kind.as_str(),
            lines.join(" and "),
            problem.why,
            problem.texts.join(" / ")
        ));
    }
    if count > 20 {
        words.push(format!("And {} more.", count - 20));
    }
    words.join("\n")
}
