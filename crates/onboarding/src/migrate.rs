//! `migrate`: the approved change, once more confirmed, with a backup before it.

use super::{
    approve::{Shown, details, purpose},
    change::{Refusal, record, step},
    folder::Folder,
    output::{ActionResult, Output},
    read_only_actions::{checked, digest_of, proposed},
    state::{Backup, Begun, Current, Record, Status, What},
    traced_ask::{ask, not_approved, said_yes},
};
use crate::Flow;
use holdpoint::tool::{AskResult, ToolError};
use holdpoint::{Ask, Decision, Field, Form, Kind};
use holdpoint_ask::describe::error_chain;
use holdpoint_ask::markdown::code;

pub(super) async fn run(flow: &Flow, folder: &Folder, seconds: Option<u64>) -> ActionResult {
    let read = async {
        let current = Current::read(flow, folder).await?;
        let room = flow.cx.room_for_details();
        Ok(approved(folder, &current, room).map(|mut shown| {
            shown.current = current;
            shown
        }))
    };
    let shown = match checked(step(flow, "look", read).await?)? {
        Ok(shown) => shown,
        Err(refusal) => return Ok(refusal.into_result(folder)),
    };
    let question = Ask::new(shown.message.clone(), form())
        .titled(format!("Migrate {}", folder.file))
        .details(shown.details.clone())
        .dangerous()
        .with_word("migrate")
        .consequence(if shown.proposal.creates() {
            "The file is created. A rollback removes it, for 7 days."
        } else {
            "The file is replaced. It can be rolled back for 7 days."
        });
    let decided = ask(flow, folder, "migrate", question, seconds).await?;
    if !said_yes(&decided.outcome, &["confirmed", "understood_risks"]) {
        let state = shown.current.record.status;
        return Ok(not_approved(&decided.decision, state, folder));
    }
    let _lock = folder.lock().await?;
    let prepared = step(
        flow,
        "prepare",
        prepare(flow, folder, &shown, &decided.decision),
    )
    .await?;
    let backup = match prepared {
        Some(Ok(backup)) => backup,
        Some(Err(refusal)) => return Ok(refusal.into_result(folder)),
        None => {
            return interrupted(flow, folder, &decided.decision, |record| {
                done(folder, record)
            })
            .await;
        }
    };
    let begun = Begun {
        what: What::Migrate,
        from: shown.proposal.source_digest,
        to: Some(shown.proposal.result_digest),
        backup,
        at: decided.decision.at,
    };
    let written = write(flow, folder, &shown.current.record, begun, async {
        let draft = match proposed_now(folder, &shown) {
            Ok(draft) => draft,
            Err(refusal) => return Ok(Err(refusal)),
        };
        Ok(put(folder, &shown, draft.as_bytes()))
    });
    let (record, report) = match written.await? {
        Some(Ok(done)) => done,
        Some(Err(refusal)) => return Ok(refusal.into_result(folder)),
        None => {
            return interrupted(flow, folder, &decided.decision, |record| {
                done(folder, record)
            })
            .await;
        }
    };
    let (message, next) = migrated(folder, &record);
    let output = Output {
        problems: None,
        report,
        ..Output::from_record(folder, &record, message)
    };
    Ok(AskResult::new(&decided.decision, true, next, &output))
}

/// What is said of a migration that is done, and what the agent does next.
fn migrated(folder: &Folder, record: &Record) -> (String, &'static str) {
    let created = record
        .migration
        .as_ref()
        .is_some_and(|migration| migration.backup.is_none());
    if created {
        (
            format!("{} was created as approved.", folder.file),
            "The file is created; tell the person to complete it, and that rollback removes it for 7 days.",
        )
    } else {
        (
            format!("{} was migrated as approved.", folder.file),
            "The file is migrated; tell the person where its backup is, and that rollback undoes it for 7 days.",
        )
    }
}

/// What a person is shown; none where nothing is approved, or the file has changed since.
fn approved(folder: &Folder, current: &Current, room: usize) -> Result<Shown, Refusal> {
    let state = current.record.status;
    if state != Status::Approved {
        let message = format!("Nothing is approved: the state is {}.", state.as_str());
        return Err(Refusal::state(
            state,
            message,
            "Call approve first; an approval is good once, for a day.",
        ));
    }
    let draft = proposed(folder, current).map_err(|refusal| match refusal.code.as_str() {
        "CHANGED" => Refusal::changed(state, folder.file, "it was approved"),
        _ => refusal,
    })?;
    let what = if draft.proposal.creates() {
        "The file is created with the text that was approved, and only if nothing is in its place. A rollback removes it, for 7 days."
    } else {
        "The file is replaced by what was approved. It is backed up first, under `.copilot-state/backup/`, and can be rolled back for 7 days."
    };
    let message = format!(
        "## Execute the migration of {}?\n\n{what}",
        code(folder.file)
    );
    Ok(Shown {
        message,
        details: details(&current.record, &draft, room),
        proposal: draft.proposal,
        text: draft.migrated.text,
        current: current.clone(),
    })
}

fn form() -> Form {
    Form::new()
        .field(Field::new("confirmed", Kind::Confirm).title("Execute migration?"))
        .field(Field::new("understood_risks", Kind::Confirm).title("I understand the changes"))
}

/// All that must hold, the backup of a file that is there, and the approval used up.
async fn prepare(
    flow: &Flow,
    folder: &Folder,
    shown: &Shown,
    decision: &Decision,
) -> Result<Result<Option<Backup>, Refusal>, ToolError> {
    let current = Current::read(flow, folder).await?;
    let state = current.record.status;
    if current != shown.current {
        return Ok(Err(Refusal::overtaken(state)));
    }
    let source = match folder.source() {
        Ok(source) if digest_of(source.as_deref()) == shown.proposal.source_digest => source,
        Ok(_) => return Ok(Err(Refusal::changed(state, folder.file, "it was approved"))),
        Err(why) => return Ok(Err(Refusal::file(state, why))),
    };
    let back_up = |text: String| folder.back_up(text.as_bytes(), decision.at);
    let backup = match source.map(back_up).transpose() {
        Ok(backup) => backup,
        Err(why) => return Ok(Err(Refusal::file(state, why))),
    };
    let Some(grant) = current.record.grant else {
        return Ok(Err(Refusal::overtaken(state)));
    };
    let digest = shown.proposal.bound(folder.file);
    let principal = &flow.cx.session().principal;
    let redeemed = flow
        .cx
        .desk()
        .redeem(grant, principal, &purpose(folder.file), digest)
        .await;
    Ok(redeemed
        .map(|()| backup)
        .map_err(|error| Refusal::new("GRANT", state, error_chain(&error), "Call approve again.")))
}

/// Replaces the file, or creates it; one that has appeared meanwhile stays.
fn put(folder: &Folder, shown: &Shown, bytes: &[u8]) -> Result<(), Refusal> {
    let state = shown.current.record.status;
    let written = if shown.proposal.creates() {
        folder.create_file(bytes)
    } else {
        folder.replace(bytes).map(|()| true)
    };
    match written {
        Ok(true) => Ok(()),
        Ok(false) => Err(Refusal::changed(state, folder.file, "it was approved")),
        Err(why) => Err(Refusal::file(state, why)),
    }
}

fn proposed_now(folder: &Folder, shown: &Shown) -> Result<String, Refusal> {
    let draft = proposed(folder, &shown.current)?;
    if draft.proposal == shown.proposal {
        Ok(draft.migrated.text)
    } else {
        Err(Refusal::changed(
            shown.current.record.status,
            folder.file,
            "it was approved",
        ))
    }
}

/// A write with its intent on record before it, and its end behind it. None where an earlier run
/// was interrupted at it.
pub(super) async fn write(
    flow: &Flow,
    folder: &Folder,
    before: &Record,
    begun: Begun,
    effect: impl Future<Output = Result<Result<(), Refusal>, ToolError>>,
) -> Result<Option<Result<(Record, Option<String>), Refusal>>, ToolError> {
    let mut next = before.clone();
    next.begun = Some(begun.clone());
    let (mut next, _) = record(flow, folder, next).await?;
    let Some(written) = step(flow, "replace", effect).await? else {
        return Ok(None);
    };
    next.begun = None;
    match (&written, begun.what) {
        (Ok(()), What::Migrate) => next.complete(&begun),
        (Ok(()), What::Rollback) => next.roll_back(&begun),
        // The approval is used up: the way goes on from the proposal.
        (Err(_), What::Migrate) => (next.status, next.grant) = (Status::Proposed, None),
        (Err(_), What::Rollback) => {}
    }
    let recorded = record(flow, folder, next).await?;
    Ok(Some(written.map(|()| recorded)))
}

/// What is said where a migration that was interrupted is done.
fn done(folder: &Folder, record: &Record) -> Option<(String, &'static str)> {
    (record.status == Status::Completed).then(|| migrated(folder, record))
}

/// What became of a change that a crash interrupted is seen at the file; `done` says it where it is done.
pub(super) async fn interrupted(
    flow: &Flow,
    folder: &Folder,
    decision: &Decision,
    done: impl Fn(&Record) -> Option<(String, &'static str)>,
) -> ActionResult {
    let current = Current::read(flow, folder).await?;
    let state = current.record.status;
    if let Some((message, next)) = done(&current.record) {
        let message = format!("{message} An interruption came between.");
        let output = Output::from_record(folder, &current.record, message);
        return Ok(AskResult::new(decision, true, next, &output));
    }
    let message = format!(
        "The change of {} was interrupted before: the state is {}.",
        folder.file,
        state.as_str()
    );
    let next = "Tell the person; call status, and go on from there.";
    Ok(Refusal::new("INTERRUPTED", state, message, next).into_result(folder))
}
