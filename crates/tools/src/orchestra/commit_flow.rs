//! From a phase to its commit: preview, ask, check with git, and commit where that is wanted.

use super::{
    Flow, PhaseCommit, PlanStep, chosen,
    commit_evidence::Evidence,
    commit_preview::{CommitPreview, digest},
    phase_commit::{Arguments, CommitDecision, CommitShown, Output, details, form, message},
    text,
    undecided::undecided,
};
use crate::orchestra::Commit;
use holdpoint::review::{EditableText, Edited, Round, TextOf};
use holdpoint::tool::{AskResult, ToolError, ask_and_log, ask_separately, round_of, timeout};
use holdpoint::{Answer, Ask, AskError, Decision, Digest, Outcome, StepError};
use holdpoint_ask::describe::error_chain;
use holdpoint_workspace::{
    Workspace,
    git::{GitError, Performed, Staged, subject},
    kebab_case,
};
use serde_json::Value;
use std::time::Duration;

/// How often a person is asked again because the files have changed.
const ROUNDS: usize = 3;
/// How long what was approved may be committed.
const GOOD_FOR: Duration = Duration::from_secs(600);

pub(super) async fn run(
    flow: &Flow,
    workspace: &Workspace,
    arguments: &Arguments,
    files: &[String],
) -> Result<AskResult<Output>, ToolError> {
    let perform = flow.config.commit == Commit::Perform;
    let mut question = Ask::new(
        message(arguments, files, None, perform, false, false),
        form(perform),
    );
    // Before git is asked: what cannot be asked leaves nothing behind.
    question.check().map_err(AskError::Flawed)?;
    let taken = question.message.len();
    let phase = arguments.phase();
    let plan = arguments.plan_name.as_deref().map(kebab_case);
    let thing = format!(
        "phase {} {}",
        arguments.phase_number,
        plan.unwrap_or_default()
    );
    let mut round = round_of(&flow.cx, &sentence_case(&phase), &thing).await?;
    let mut arguments = arguments.clone();
    let edited_before = match edited_last(flow, &round, &arguments.commit_message).await? {
        Some(message) => {
            arguments.commit_message = message;
            true
        }
        None => false,
    };
    let mut again = false;
    for _ in 0..ROUNDS {
        let preview = CommitPreview::read(flow, workspace.root(), files, taken);
        let preview = Box::pin(flow.cx.step("git", preview)).await?;
        let message = message(
            &arguments,
            files,
            Some(&preview),
            perform,
            again,
            edited_before,
        );
        let commit_message = arguments.commit_message.trim();
        question = Ask::new(message, form(perform))
            .titled(format!("Commit {phase}"))
            .in_round(round.clone())
            .editable(EditableText::field(
                "commitMessage",
                "Commit message",
                commit_message,
            ));
        question.timeout = timeout(arguments.timeout_seconds);
        if let CommitPreview::Staged(seen) = &preview {
            question = question
                .details(details(seen))
                .with_word("commit")
                .consequence("On a yes, exactly what is shown here is committed, and the repository's hooks run.");
            question.dangerous = perform;
        }
        let decided = ask_and_log(&flow.cx, question).await?;
        let Outcome::Accepted(answer) = decided.outcome else {
            let name = arguments.plan_name.as_deref();
            flow.record(name, "phase_commit", &decided.decision).await;
            let answers = "commit and continue, commit and pause, revise or abort";
            return Ok(undecided(&decided.decision, answers));
        };
        if let Some(message) = edited_message(&decided.decision) {
            arguments.commit_message = message;
        }
        let answered = Answered {
            flow,
            workspace,
            arguments: &arguments,
            files,
            preview: &preview,
            decision: &decided.decision,
        };
        match Box::pin(answered.end(&answer, perform)).await? {
            Some(result) => return Ok(result),
            None => again = true,
        }
        round = round.after(decided.decision.ask);
    }
    Err(ToolError::Unaskable(format!(
        "The files changed {ROUNDS} times while the person was deciding, and nothing was committed: leave them alone while a commit is being approved"
    )))
}

/// The commit message that the person wrote in the round before, in place of this one of the agent's. Where the
/// agent proposes another now, it is that one that the person is asked about.
async fn edited_last(
    flow: &Flow,
    round: &Round,
    proposed: &str,
) -> Result<Option<String>, ToolError> {
    let Some(ask) = round.follows else {
        return Ok(None);
    };
    let look = async {
        let record = flow.cx.desk().journal().ask(ask).await;
        let review = record.ok().flatten()?.decision?.review?;
        let proposed = Digest::hash_bytes(proposed.trim().as_bytes());
        let edited = review.edited.filter(|edited| edited.shown == proposed)?;
        is_message(&edited).then_some(edited.text)
    };
    let edited = flow.cx.step_at_least_once("edited commit message", look);
    Ok(edited.await?)
}

fn edited_message(decision: &Decision) -> Option<String> {
    let edited = decision.review.as_ref()?.edited.as_ref()?;
    is_message(edited).then(|| edited.text.clone())
}

fn is_message(edited: &Edited) -> bool {
    edited.of == TextOf::Field("commitMessage".into())
}

/// A text with a capital letter at its start.
fn sentence_case(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + chars.as_str()
}

/// One answer, and what it is an answer to.
struct Answered<'a> {
    flow: &'a Flow,
    workspace: &'a Workspace,
    arguments: &'a Arguments,
    files: &'a [String],
    preview: &'a CommitPreview,
    decision: &'a Decision,
}

impl Answered<'_> {
    /// The result; none where the files have changed and the person has to look again.
    async fn end(
        &self,
        answer: &Answer,
        perform: bool,
    ) -> Result<Option<AskResult<Output>>, ToolError> {
        let decision = chosen(answer).unwrap_or(CommitDecision::Abort);
        let goes_on = decision == CommitDecision::CommitAndContinue;
        let wanted = |_: &str| decision == CommitDecision::Revise;
        let (asked, message) = (self.decision, "What should be revised?");
        let more = ask_separately(&self.flow.cx, message, &form(perform), asked, wanted).await?;
        let notes = text(answer, "revisionNotes").or_else(|| text(&more, "revisionNotes"));
        let mut output = Output {
            decision,
            revision_notes: notes,
            commit: None,
            plan_step: None,
        };
        let mut there = false;
        let review = self.decision.review.as_ref();
        let commented = review.is_some_and(|review| !review.comments.is_empty());
        let next = match decision {
            CommitDecision::CommitAndContinue | CommitDecision::CommitAndPause => {
                let ticked = answer.get("commitConfirmed") == Some(&Value::Bool(true));
                let Some(evidence) = Box::pin(self.evidence(ticked, perform)).await? else {
                    return Ok(None);
                };
                there = is_there(&evidence, ticked);
                let next = self.after_commit(&evidence, ticked, goes_on);
                output.commit = Some(CommitShown {
                    verified: evidence.verified,
                    sha: evidence.sha,
                    reason: evidence.reason,
                    command: (!there).then(|| self.command()),
                });
                next
            }
            CommitDecision::Revise if output.revision_notes.is_none() && !commented => {
                "Do not commit: no feedback was given. Ask the person in the chat what should be revised, revise this phase with that, have it reviewed, then ask again with request_phase_commit_approval.".to_owned()
            }
            CommitDecision::Revise if commented => {
                "Do not commit: revise this phase with the notes and the comments, have it reviewed, then ask again with request_phase_commit_approval.".to_owned()
            }
            CommitDecision::Revise => {
                "Do not commit: revise this phase with the notes, have it reviewed, then ask again with request_phase_commit_approval.".to_owned()
            }
            CommitDecision::Abort => {
                "The plan is aborted: stop, commit nothing, and report what was done and what is left, also with record_plan_completion, if you have that.".to_owned()
            }
        };
        let next = self.record_in_plan(there, next, &mut output).await;
        let proceed = goes_on && there;
        Ok(Some(AskResult::new(self.decision, proceed, &next, &output)))
    }

    /// Records the decision in the plan's folder, where it has one, and says what became of the
    /// step there.
    async fn record_in_plan(&self, is_there: bool, next: String, output: &mut Output) -> String {
        let Some(plan) = self.arguments.plan_name.clone() else {
            return next;
        };
        let commit = PhaseCommit {
            plan,
            phase: self.arguments.phase_number,
            decision: self.decision.clone(),
            sha: output.commit.as_ref().and_then(|commit| commit.sha.clone()),
            is_there,
        };
        let recorded = self.flow.plans.record_commit(self.flow.cx.clone(), commit);
        output.plan_step = recorded.await;
        match &output.plan_step {
            Some(PlanStep {
                path,
                reason: Some(reason),
                ..
            }) => {
                format!("{next} In {path} the step is not completed: {reason}.")
            }
            _ => next,
        }
    }

    /// What git shows, after committing where that is Holdpoint's part; none where the files
    /// have changed.
    async fn evidence(&self, ticked: bool, perform: bool) -> Result<Option<Evidence>, ToolError> {
        let seen = match self.preview {
            CommitPreview::NoGit => {
                let appeared = self.flow.cx.step("verify", self.has_appeared()).await;
                return Ok(Some(match appeared {
                    Ok(Some(evidence)) => evidence,
                    Ok(None) => Evidence {
                        verified: None,
                        sha: None,
                        reason: Some("there is no git repository to check".into()),
                    },
                    Err(StepError::Interrupted { .. }) => {
                        Evidence::not("looking for a git repository was interrupted")
                    }
                    Err(error) => return Err(error.into()),
                }));
            }
            CommitPreview::Failed(why) => {
                return Ok(Some(Evidence::not(format!("git could not say: {why}"))));
            }
            CommitPreview::Staged(seen) => seen,
        };
        // In a step: a later run must not take Holdpoint's own commit for the person's.
        let shown = match Box::pin(self.flow.cx.step("verify", self.verify(seen))).await {
            Err(StepError::Interrupted { .. }) => self.verify(seen).await,
            shown => shown?,
        };
        if shown.is_verified() || ticked || !perform {
            return Ok(Some(shown));
        }
        let performed = match Box::pin(self.flow.cx.step("commit", self.perform(seen))).await {
            Err(StepError::Interrupted { .. }) => self.after_crash(seen).await,
            performed => performed?,
        };
        Ok(match performed {
            Performed::Changed => None,
            other => Some(shown_by(other, seen)),
        })
    }

    /// A repository that was not there when the person was asked has to be shown first.
    async fn has_appeared(&self) -> Option<Evidence> {
        match self.flow.git(self.workspace.root()).await {
            Ok(None) => None,
            Ok(Some(_)) => Some(Evidence::not(
                "there is a git repository now, and there was none when the person was asked: ask again",
            )),
            Err(error) => Some(Evidence::not(format!(
                "git could not say: {}",
                error_chain(&error)
            ))),
        }
    }

    async fn verify(&self, seen: &Staged) -> Evidence {
        let verified = async {
            match self.flow.git(self.workspace.root()).await? {
                Some(git) => {
                    let message = &self.arguments.commit_message;
                    Evidence::find(&git, seen, self.files, message).await
                }
                None => Ok(Evidence::not("the git repository is gone")),
            }
        };
        verified.await.unwrap_or_else(|error| {
            Evidence::not(format!("git could not say: {}", error_chain(&error)))
        })
    }

    /// Commits exactly what was shown, under a permission that is good for nothing else.
    async fn perform(&self, seen: &Staged) -> Performed {
        let failed = |why: String| Performed::Failed { why };
        let git = match self.flow.git(self.workspace.root()).await {
            Ok(Some(git)) => git,
            Ok(None) => return failed("the git repository is gone".into()),
            Err(error) => return failed(error_chain(&error)),
        };
        match git.is_still(seen, self.files).await {
            Ok(true) => {}
            Ok(false) => return Performed::Changed,
            Err(error) => return failed(error_chain(&error)),
        }
        let message = &self.arguments.commit_message;
        let (desk, digest) = (self.flow.cx.desk(), digest(seen, self.files, message));
        let granted = async {
            let grant = desk
                .grant(self.decision, "commit", digest, GOOD_FOR)
                .await?;
            let principal = &self.flow.cx.session().principal;
            desk.redeem(grant, principal, "commit", digest).await
        };
        if let Err(error) = granted.await {
            return failed(error_chain(&error));
        }
        let committed = git.commit(seen, self.files, message).await;
        committed.unwrap_or_else(|error| failed(error_chain(&error)))
    }

    /// A commit that a crash interrupted may be there or not: git knows.
    async fn after_crash(&self, seen: &Staged) -> Performed {
        let found = async {
            match self.flow.git(self.workspace.root()).await? {
                Some(git) => {
                    let message = &self.arguments.commit_message;
                    git.after_crash(seen, self.files, message).await
                }
                None => Err(GitError::Missing),
            }
        };
        let failed = |error: GitError| Performed::Failed {
            why: error_chain(&error),
        };
        found.await.unwrap_or_else(failed)
    }

    fn after_commit(&self, evidence: &Evidence, ticked: bool, goes_on: bool) -> String {
        let why = evidence.reason.as_deref().unwrap_or_default();
        match (is_there(evidence, ticked), goes_on) {
            (true, true) => "The phase is committed: record it with record_phase_completion, if you have that and have not yet, and go on with the next phase.".into(),
            (true, false) => "The phase is committed: record it with record_phase_completion, if you have that and have not yet, then stop and wait; do not start the next phase before the person says so.".into(),
            (false, _) if evidence.verified.is_none() => {
                "The person did not tick that they committed, and there is no git to look at: ask them to commit, then call this tool again. Do not start the next phase.".into()
            }
            (false, _) if ticked => format!(
                "The person ticked that they committed, but {why}. Do not start the next phase: tell the person, and call this tool again when the commit is there."
            ),
            (false, _) => format!(
                "Nothing is committed yet: {why}. Do not start the next phase: show the person the command, and call this tool again when the commit is there."
            ),
        }
    }

    /// What the person can run to commit.
    fn command(&self) -> String {
        let files: Vec<_> = self.files.iter().map(|file| quoted(file)).collect();
        let files = if files.is_empty() {
            String::new()
        } else {
            format!(" -- {}", files.join(" "))
        };
        let message = self.arguments.commit_message.trim();
        let body = message
            .strip_prefix(&subject(message))
            .unwrap_or_default()
            .trim();
        let mut command = String::new();
        if !files.is_empty() {
            command = format!("git --literal-pathspecs add -A{files} && ");
        }
        command.push_str(&format!(
            "git --literal-pathspecs commit -m {}",
            quoted(&subject(message))
        ));
        if !body.is_empty() {
            command.push_str(&format!(" -m {}", quoted(body)));
        }
        command.push_str(&files);
        command
    }
}

/// What an attempt to commit shows.
fn shown_by(performed: Performed, seen: &Staged) -> Evidence {
    let detached = || "HEAD is detached: the commit is on no branch".to_owned();
    match performed {
        Performed::Committed { sha, note } => {
            let notes = seen.branch.is_none().then(detached).into_iter();
            Evidence::there(sha, notes.chain(note).collect())
        }
        Performed::CommittedOther { sha, why } => Evidence {
            sha: Some(sha),
            ..Evidence::not(format!(
                "it was committed, but a hook or an edit made it differ from what was shown: {why}"
            ))
        },
        Performed::Nothing => Evidence::not("git has nothing to commit in these files"),
        Performed::Changed => Evidence::not("the files are not what was shown any more"),
        Performed::Failed { why } => Evidence::not(format!(
            "git did not commit, and nothing is lost: the files are as they were. It said: {why}"
        )),
    }
}

/// Git outranks the tick; where there is no git, the tick counts.
fn is_there(evidence: &Evidence, ticked: bool) -> bool {
    evidence.verified.unwrap_or(ticked)
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    let plain = |char: char| char.is_ascii_alphanumeric() || "-_./:@%+=".contains(char);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
