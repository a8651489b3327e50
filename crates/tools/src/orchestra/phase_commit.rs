//! `request_phase_commit_approval`: a reviewed phase, before the next one.

use super::{Flow, PlanStep, Tool};
use super::{commit_flow, commit_preview::CommitPreview, not_empty, plan_name, words};
use crate::orchestra::Commit;
use holdpoint::tool::{AskResult, ToolError, ToolHints, ToolInfo};
use holdpoint::{
    Field, Form, Kind,
    field::{Choice, Ending, Pick, Toggle},
};
use holdpoint_ask::markdown::{code, code_list, contained, fenced, one_line};
use holdpoint_workspace::{
    Workspace,
    git::{BinaryChange, Blob, FilteredFile, ShownFile, Staged},
};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(super) const NAME: &str = "request_phase_commit_approval";
/// How many files can be named.
const MOST_FILES: usize = 1000;
/// How many of them are listed.
const LISTED: usize = 30;

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Arguments {
    pub phase_number: u32,
    /// Short Markdown
    pub phase_summary: String,
    pub commit_message: String,
    /// Paths in the workspace, to commit
    #[serde(default)]
    pub files_modified: Option<Vec<String>>,
    #[serde(default)]
    pub plan_name: Option<String>,
    /// Like APPROVED
    #[serde(default)]
    pub review_status: Option<String>,
    #[serde(default)]
    pub timeout_seconds: Option<u64>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Output {
    pub decision: CommitDecision,
    pub revision_notes: Option<String>,
    /// What git shows
    pub commit: Option<CommitShown>,
    /// In the plan's folder
    #[schemars(with = "JsonObject")]
    pub plan_step: Option<PlanStep>,
}

#[derive(Clone, Copy, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum CommitDecision {
    CommitAndContinue,
    CommitAndPause,
    Revise,
    Abort,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct CommitShown {
    /// Null where there is no git
    pub verified: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// For the person to run
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

pub(super) fn tool(commit: Commit) -> Tool {
    let (description, hints) = match commit {
        Commit::Verify => (
            "Shows the person a reviewed phase with its diff and asks whether to commit and go on. The person commits; git says whether it is there. Go on only on proceed: true.",
            ToolHints::Asks,
        ),
        Commit::Perform => (
            "Shows the person a reviewed phase with its diff and asks whether to commit and go on. On a yes, exactly what was shown is committed. Go on only on proceed: true.",
            ToolHints::Commits,
        ),
    };
    let about = ToolInfo {
        name: NAME,
        title: "Request phase commit approval",
        description,
        hints,
    };
    Tool::new(about, run).always_load()
}

async fn run(flow: Flow, arguments: Arguments) -> Result<AskResult<Output>, ToolError> {
    not_empty("phaseSummary", &arguments.phase_summary)?;
    not_empty("commitMessage", &arguments.commit_message)?;
    let workspace = flow.workspace()?;
    let files = files(&workspace, arguments.files_modified.as_deref())?;
    Box::pin(commit_flow::run(&flow, &workspace, &arguments, &files)).await
}

/// The files as paths from the workspace, each once.
fn files(workspace: &Workspace, given: Option<&[String]>) -> Result<Vec<String>, ToolError> {
    let given = given.unwrap_or_default();
    if given.len() > MOST_FILES {
        let what = format!(
            "expected at most {MOST_FILES} files, and there are {}",
            given.len()
        );
        return Err(ToolError::argument("filesModified", what));
    }
    let mut files = Vec::new();
    for (place, file) in given.iter().enumerate() {
        let inside = workspace.path(file).map_err(|error| {
            ToolError::argument(format!("filesModified[{place}]"), error.to_string())
        })?;
        let name = inside.name().to_owned();
        if !files.contains(&name) {
            files.push(name);
        }
    }
    Ok(files)
}

impl Arguments {
    /// What the phase is called.
    pub fn phase(&self) -> String {
        plan_name::phase(self.phase_number, self.plan_name.as_deref())
    }
}

/// What is asked for.
pub(super) fn form(perform: bool) -> Form {
    let decision = Choice {
        options: vec![
            Pick::new("commit_and_continue")
                .label("✅ Commit & Continue to Next Phase")
                .ending(Ending::go("Commit and continue", "Commit approved")),
            Pick::new("commit_and_pause")
                .label("💾 Commit & Pause (Don't start next phase)")
                .ending(Ending::go(
                    "Commit and pause",
                    "Commit approved, then a pause",
                )),
            Pick::new("revise").label("🔄 Request Revisions").ending(
                Ending::hold("Request revisions", "Revisions requested").wants("revisionNotes"),
            ),
            Pick::new("abort")
                .label("❌ Abort Plan")
                .ending(Ending::stop("Abort the plan", "Plan aborted").wants("revisionNotes")),
        ],
        ..Choice::default()
    };
    let toggle = Toggle {
        default: Some(false),
    };
    let help = if perform {
        "I have run git commit with the proposed message myself. Leave it off to have Holdpoint commit."
    } else {
        "I have run git commit with the proposed message."
    };
    let confirmed = Field::new("commitConfirmed", Kind::Toggle(toggle))
        .title("I have committed these changes")
        .help(help)
        .optional();
    let decision = Field::new("decision", Kind::Choice(decision))
        .title("Phase Commit Decision")
        .help("Whether this phase is committed, and whether the next one starts.");
    let notes = words(
        "revisionNotes",
        "Revision Notes (if requesting revisions)",
        "What should be done differently before this phase is committed.",
    );
    Form::new().field(decision).field(confirmed).field(notes)
}

/// What the person reads.
pub(super) fn message(
    arguments: &Arguments,
    files: &[String],
    preview: Option<&CommitPreview>,
    perform: bool,
    again: bool,
    edited_before: bool,
) -> String {
    let mut parts = Vec::new();
    if again {
        parts.push("**The files have changed since you answered, so nothing was committed. Please look again.**".into());
    }
    parts.push(format!("## Commit {}?", arguments.phase()));
    if edited_before {
        parts.push("The commit message is the one that you wrote when you were asked last.".into());
    }
    parts.push(contained(&arguments.phase_summary));
    if let Some(review) = &arguments.review_status {
        parts.push(format!("**Review:** {}", one_line(review)));
    }
    if !files.is_empty() {
        parts.push(format!("**Files** ({})", files.len()));
        parts.push(code_list(files, LISTED));
    }
    parts.push("**Commit message**".into());
    parts.push(fenced("text", arguments.commit_message.trim()));
    match preview {
        Some(CommitPreview::Staged(seen)) => parts.extend(repository(seen, perform)),
        Some(CommitPreview::Failed(why)) => {
            parts.push(format!(
                "**Git could not be read, so no commit can be approved now.** It said: {}",
                code(why)
            ));
        }
        Some(CommitPreview::NoGit) => {
            parts.push("There is no git repository here: the change is not shown, and your tick alone says that it is committed.".into());
        }
        None => {}
    }
    parts.join("\n\n")
}

fn repository(seen: &Staged, perform: bool) -> Vec<String> {
    let mut parts = vec![match &seen.branch {
        Some(branch) => format!("On branch {}.", code(branch)),
        None => "**HEAD is detached:** a commit would be on no branch.".to_owned(),
    }];
    if seen.head.is_none() {
        parts.push("**There is no commit here yet:** this would be the first one.".into());
    }
    if !seen.unknown.is_empty() {
        let files = code_list(&seen.unknown, LISTED);
        parts.push(format!(
            "Git would not commit these; they are ignored or not there:\n\n{files}"
        ));
    }
    if !seen.filters.is_empty() {
        let filters = code_list(&seen.filters, LISTED);
        parts.push(format!(
            "Shown as these git filters store it, which your own settings allow:\n\n{filters}"
        ));
    }
    if !seen.unfiltered.is_empty() {
        let file = |file: &FilteredFile| format!("{} (filter {})", file.path, file.filter);
        let files: Vec<_> = seen.unfiltered.iter().map(file).collect();
        parts.push(format!(
            "**Git would put these through a filter, which is not run here:** they are shown as they are in the folder, and a commit of what the filter makes of them will not be verified. If you trust the filter, allow it with `git_filters` in your own settings file.\n\n{}",
            code_list(&files, LISTED)
        ));
    }
    if perform {
        let by = match &seen.author {
            Some(author) => format!(" as {}", code(author)),
            None => String::new(),
        };
        parts.push(format!("**On a commit decision Holdpoint commits exactly this**{by}, and the repository's hooks run."));
    }
    parts
}

/// What changes, for reading before the answer.
pub(super) fn details(seen: &Staged) -> String {
    let mut parts = Vec::new();
    if seen.changes.is_empty() {
        parts.push("*These files have no changes that are not committed.*".to_owned());
    }
    if let Some(last) = &seen.last {
        parts.push(format!(
            "This is what the last commit, {}, changed in them:",
            code(last)
        ));
    }
    if !seen.last_others.is_empty() {
        parts.push(format!(
            "**That commit also changes files that are not named here** ({}), and what it changes in them is not shown:\n\n{}",
            seen.last_others.len(),
            code_list(&seen.last_others, LISTED)
        ));
    }
    let files = seen.files.len() + seen.left_out_files;
    if files > 0 {
        let lines: Vec<_> = seen.files.iter().map(describe_file).collect();
        parts.push(format!("**Changed files** ({files})"));
        parts.push(lines.join("\n"));
    }
    if seen.left_out_files > 0 {
        parts.push(format!(
            "**{} more changed files are not listed here, nor is what changes in them: have them asked about in smaller parts, or look at them yourself before you decide.**",
            seen.left_out_files
        ));
    }
    if !seen.binary.is_empty() {
        let lines: Vec<_> = seen.binary.iter().map(describe_binary).collect();
        parts.push(format!(
            "**Not text, so nobody can read it here** ({}):",
            lines.len() + seen.left_out_binary
        ));
        parts.push(lines.join("\n"));
    }
    if seen.left_out_binary > 0 {
        parts.push(format!(
            "**{} more that are not text are not listed here: look at them before you decide.**",
            seen.left_out_binary
        ));
    }
    let left_out = seen.left_out();
    if left_out > 0 {
        parts.push(format!(
            "**{left_out} bytes more of the diff are not shown here; the list says of which files. Look at those files yourself before you decide.**"
        ));
    }
    let diff = seen.diff();
    if !diff.is_empty() {
        parts.push(fenced("diff", &diff));
    }
    parts.join("\n\n")
}

/// A file that changes: what becomes of it, and how much of that is shown.
pub(super) fn describe_file(file: &ShownFile) -> String {
    format!("- {}: {}", code(&file.path), file.describe())
}

/// A change that is not text: its size and id before and after.
pub(super) fn describe_binary(change: &BinaryChange) -> String {
    let blob = |blob: &Option<Blob>| match blob {
        Some(Blob { id, size }) => format!("{size} bytes, {}", code(id)),
        None => "nothing".to_owned(),
    };
    let (before, after) = (blob(&change.before), blob(&change.after));
    format!("- {}: {before} → {after}", code(&change.path))
}
