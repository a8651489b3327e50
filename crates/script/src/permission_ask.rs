//! Whether a person lets a file act. Asked before the first effect of each version of a file, in each
//! workspace, by each principal; remembered in the journal, and believed from there only.

use crate::{
    Permissions, Program,
    asks::Unanswered,
    effects::{Effect, Sandbox},
    flow::Flow,
};
use holdpoint::{
    AskId, CallId, Decision, Digest, Kind, Outcome, ToolContext, Yes,
    journal::{AskRecord, JournalError},
    visible,
};
use holdpoint_ask::markdown;
use rmcp::ErrorData;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;

/// What is known in this run about whether the file may act.
#[derive(Default)]
pub(crate) enum Permit {
    #[default]
    Unknown,
    Given,
    /// A person, or nobody, was asked: it stays so for the whole run.
    Refused(Box<Unanswered>),
}

/// What a yes is bound to.
#[derive(Serialize)]
struct Bound<'a> {
    file: &'a str,
    digest: Digest,
    permissions: &'a Permissions,
    workspace: &'a Path,
    principal: &'a str,
}

/// What is recorded of a yes: which ask it was.
#[derive(Serialize, Deserialize)]
struct Allowed {
    ask: AskId,
}

impl Permit {
    /// Whether the file may act; a person is asked where that is not on record.
    pub async fn check(
        &mut self,
        flow: &mut Flow,
        effect: &Effect,
    ) -> Result<Result<(), Unanswered>, ErrorData> {
        match self {
            Self::Given => return Ok(Ok(())),
            Self::Refused(unanswered) => return Ok(Err((**unanswered).clone())),
            Self::Unknown => {}
        }
        *self = ask(flow, effect).await?;
        Ok(match self {
            Self::Refused(unanswered) => Err((**unanswered).clone()),
            _ => Ok(()),
        })
    }
}

async fn ask(flow: &mut Flow, effect: &Effect) -> Result<Permit, ErrorData> {
    let program = flow.program.clone();
    let cx = flow.cx.clone();
    let question = question(&program, &flow.sandbox);
    let bound = Bound {
        file: program.file(),
        digest: program.digest(),
        permissions: program.permissions(),
        workspace: &flow.sandbox.root,
        principal: &cx.session().principal,
    };
    let bound = Digest::hash_json(&bound).map_err(|error| {
        ErrorData::internal_error(format!("A permission has no digest: {error}"), None)
    })?;
    let name = format!("script permission {bound}");
    // What is on record is looked up once: run again, the script takes the same way.
    let look_up = || recorded_yes(&cx, &name, &question);
    let step = format!("{name}, known");
    let file = program.file();
    let label = format!("look up whether {file} may act here");
    let came_to = |known: &Result<Option<AskId>, String>| {
        let may = known.as_ref().is_ok_and(Option::is_some);
        Some(if may { "a person said yes" } else { "not yet" }.to_owned())
    };
    let known = flow.again_labelled(&step, &label, came_to, || async {
        look_up().await.map_err(|error| error.to_string())
    });
    match known.await? {
        Ok(Some(_)) => return Ok(Permit::Given),
        Ok(None) => {}
        Err(error) => return Err(ErrorData::internal_error(error, None)),
    }
    let details = format!(
        "It begins with: {}\n\nFrom {}",
        code(&effect.to_string()),
        code(&program.path().to_string_lossy())
    );
    let asked = cx
        .elicitor()
        .confirm(&*question)
        .details(details)
        .dangerous()
        .word("allow")
        .consequence("The file may do this from now on, until it changes.")
        .in_person();
    let decided = asked.decided().await?;
    flow.note_decision(&decided);
    match decided.outcome {
        Outcome::Accepted(Yes) => {
            let ask = decided.decision.ask;
            let label = format!("remember that {file} may act here");
            flow.again_labelled(&name, &label, |_| None, || async { Allowed { ask } })
                .await?;
            Ok(Permit::Given)
        }
        _ => Ok(Permit::Refused(Box::new(Unanswered {
            message: refusal(&decided.decision),
            decision: decided.decision,
        }))),
    }
}

/// A yes that is on record for exactly this.
async fn recorded_yes(
    cx: &ToolContext,
    name: &str,
    question: &str,
) -> Result<Option<AskId>, JournalError> {
    #[derive(Deserialize)]
    struct Recorded {
        ended: Allowed,
    }
    let journal = cx.desk().journal();
    let server = cx.origin().server.as_deref();
    let Some((call, recorded)) = journal.latest_step(name, server).await? else {
        return Ok(None);
    };
    let Ok(Recorded { ended }) = serde_json::from_value(recorded) else {
        return Ok(None);
    };
    let record = journal.ask(ended.ask).await?;
    let believed = record.is_some_and(|record| is_yes(cx, &record, call, question));
    Ok(believed.then_some(ended.ask))
}

/// Whether an ask on record is a person's yes to this question, asked by that call of the
/// same server, principal, client and workspace.
fn is_yes(cx: &ToolContext, record: &AskRecord, call: CallId, question: &str) -> bool {
    let confirm = match record.ask.form.fields.as_slice() {
        [field] if matches!(field.kind, Kind::Confirm) => &field.name,
        _ => return false,
    };
    let is_true = match record.decision.as_ref().map(|decision| &decision.outcome) {
        Some(Outcome::Accepted(answer)) => answer.get(confirm) == Some(&Value::Bool(true)),
        _ => false,
    };
    is_true
        && record.call == Some(call)
        && record.ask.dangerous
        && record.ask.in_person
        && record.ask.message == question
        && record.origin.is_bound_like(cx.origin())
}

fn question(program: &Program, sandbox: &Sandbox) -> String {
    let Permissions {
        run,
        read,
        write,
        net,
    } = program.permissions();
    let mut text = format!(
        "Let the script {} act in {}?\n\nUntil the file changes it may then, without asking again:\n",
        code(program.file()),
        code(&sandbox.root.to_string_lossy())
    );
    // Where a path leads, not how it is written.
    let path = |given: &String| match sandbox.path(given) {
        Ok(inside) => inside.into_name(),
        Err(_) => given.clone(),
    };
    let paths = |given: &[String]| given.iter().map(path).collect::<Vec<_>>();
    let wants = [
        ("run", run.clone(), "the program"),
        ("read", paths(read), "files under"),
        ("write", paths(write), "files under"),
        ("reach", net.clone(), "the server"),
    ];
    for (may, what, kind) in wants {
        for name in what {
            text.push_str(&format!("\n- **{may}** {kind} {}", code(&name)));
        }
    }
    text.push_str(&format!(
        "\n\nThe file's digest is {}.",
        code(&program.digest().to_string())
    ));
    text
}

fn refusal(decision: &Decision) -> String {
    match &decision.outcome {
        Outcome::Declined { reason: Some(why) } => format!("the person said no: {why}"),
        Outcome::Declined { .. } => "the person said no".into(),
        Outcome::Unreachable { why } => format!("nobody could be asked: {why}"),
        other => format!("nobody allowed it ({})", other.status().replace('_', " ")),
    }
}

/// Text that is shown as it is, and whole, whatever is in it.
fn code(text: &str) -> String {
    markdown::code(&visible(text))
}
