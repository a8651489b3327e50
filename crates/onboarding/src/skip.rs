//! `skip`: a person decides that the file is left alone.

use super::{
    change::{Refusal, record, step},
    folder::Folder,
    output::{ActionResult, Output},
    read_only_actions::checked,
    state::{Current, Status},
    traced_ask::{ask, not_approved, said_yes},
};
use crate::Flow;
use holdpoint::tool::AskResult;
use holdpoint::{Ask, Field, Form, Kind};
use holdpoint_ask::markdown::code;

pub(super) async fn run(flow: &Flow, folder: &Folder, seconds: Option<u64>) -> ActionResult {
    let read = async {
        let current = Current::read(flow, folder).await?;
        let state = current.record.status;
        Ok(match state {
            Status::Completed => Err(Refusal::state(
                state,
                "The file is migrated already.",
                "There is nothing to skip; rollback undoes the migration.",
            )),
            Status::Skipped => Err(Refusal::state(
                state,
                "The person has decided already to leave the file alone.",
                "There is nothing to do.",
            )),
            _ => Ok(current),
        })
    };
    let current = match checked(step(flow, "look", read).await?)? {
        Ok(current) => current,
        Err(refusal) => return Ok(refusal.into_result(folder)),
    };
    let message = format!(
        "## Leave {} as it is?\n\nIt is marked as left alone on purpose: no migration is proposed for it any more, and an open proposal or approval ends.",
        code(folder.file)
    );
    let form =
        Form::new().field(Field::new("confirmed", Kind::Confirm).title("Leave the file alone?"));
    let question = Ask::new(message, form)
        .titled(format!("Leave {} as it is", folder.file))
        .dangerous()
        .with_word("skip")
        .consequence("No migration is proposed for the file any more.");
    let decided = ask(flow, folder, "skip", question, seconds).await?;
    let decision = &decided.decision;
    if !said_yes(&decided.outcome, &["confirmed"]) {
        return Ok(not_approved(decision, current.record.status, folder));
    }
    let _lock = folder.lock().await?;
    let check = async {
        let now = Current::read(flow, folder).await?;
        Ok(if now == current {
            Ok(())
        } else {
            Err(Refusal::overtaken(now.record.status))
        })
    };
    if let Err(refusal) = checked(step(flow, "check", check).await?)? {
        return Ok(refusal.into_result(folder));
    }
    let mut next = current.record.clone();
    next.status = Status::Skipped;
    next.times.skipped = Some(decision.at);
    next.proposal = None;
    next.grant = None;
    let (next, report) = record(flow, folder, next).await?;
    let message = "The person decided to leave the file alone.";
    let output = Output {
        report,
        ..Output::new(folder, next.status, message)
    };
    let next = "Leave the file alone, and go on with other work.";
    Ok(AskResult::new(decision, true, next, &output))
}
