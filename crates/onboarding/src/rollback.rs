//! `rollback`: the file as it was before the migration, within seven days.

use super::{
    approve::shown_diff,
    change::{Refusal, step},
    folder::Folder,
    migrate::{interrupted, write},
    output::{ActionResult, Output},
    proposal::diff,
    read_only_actions::checked,
    state::{Backup, Begun, Current, Migration, Record, Status, What},
    traced_ask::{ask, not_approved, said_yes},
};
use crate::Flow;
use holdpoint::tool::{AskResult, ToolError};
use holdpoint::{Ask, Decision, Digest, Field, Form, Kind};
use holdpoint_ask::check::MAX_MESSAGE;
use holdpoint_ask::describe::error_chain;
use holdpoint_ask::markdown::code;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::time::Duration;

/// How long a yes may be acted on.
const GOOD_FOR: Duration = Duration::from_secs(600);

#[derive(Serialize, Deserialize)]
struct Shown {
    current: Current,
    /// What is restored; none where the migration created the file, which is then removed.
    backup: Option<Backup>,
    /// What would be replaced; none where there is no file.
    now: Option<Digest>,
    message: String,
    details: String,
}

pub(super) async fn run(flow: &Flow, folder: &Folder, seconds: Option<u64>) -> ActionResult {
    let read = async { Ok(shown(flow, folder, Current::read(flow, folder).await?)) };
    let shown = match checked(step(flow, "look", read).await?)? {
        Ok(shown) => shown,
        Err(refusal) => return Ok(refusal.into_result(folder)),
    };
    let form = Form::new().field(Field::new("confirmed", Kind::Confirm).title("Execute rollback?"));
    let question = Ask::new(shown.message.clone(), form)
        .titled(format!("Roll back {}", folder.file))
        .details(shown.details.clone())
        .dangerous()
        .with_word("rollback")
        .consequence(match shown.backup {
            Some(_) => "What changed in the file since the migration is lost from it.",
            None => "The file is removed; a copy of it stays among the backups.",
        });
    let decided = ask(flow, folder, "rollback", question, seconds).await?;
    let decision = &decided.decision;
    if !said_yes(&decided.outcome, &["confirmed"]) {
        return Ok(not_approved(decision, shown.current.record.status, folder));
    }
    let done = |record: &Record| {
        let done = record.was_rolled_back(decision.at);
        done.then(|| rolled_back(folder, None))
    };
    let _lock = folder.lock().await?;
    let replaced = match step(flow, "prepare", prepare(flow, folder, &shown, decision)).await? {
        Some(Ok(replaced)) => replaced,
        Some(Err(refusal)) => return Ok(refusal.into_result(folder)),
        None => return interrupted(flow, folder, decision, done).await,
    };
    let begun = Begun {
        what: What::Rollback,
        from: shown.now,
        to: shown.backup.as_ref().map(|backup| backup.digest),
        backup: replaced.clone(),
        at: decision.at,
    };
    let written = write(flow, folder, &shown.current.record, begun, async {
        let state = shown.current.record.status;
        if folder.digest() != Ok(shown.now) {
            return Ok(Err(Refusal::changed(
                state,
                folder.file,
                "the rollback was shown",
            )));
        }
        let written = match &shown.backup {
            Some(backup) => folder
                .backup(backup)
                .and_then(|bytes| folder.replace(&bytes)),
            None => folder.remove_file(),
        };
        Ok(written.map_err(|why| Refusal::file(state, why)))
    });
    let (record, report) = match written.await? {
        Some(Ok(done)) => done,
        Some(Err(refusal)) => return Ok(refusal.into_result(folder)),
        None => return interrupted(flow, folder, decision, done).await,
    };
    let (message, next) = rolled_back(folder, replaced.as_ref());
    let mut output = Output::from_record(folder, &record, message);
    output.report = report;
    if let Some(replaced) = replaced {
        output.backup = Some(replaced.path);
    }
    Ok(AskResult::new(decision, true, next, &output))
}

/// What is said of a rollback that is done, and what the agent does next.
fn rolled_back(folder: &Folder, replaced: Option<&Backup>) -> (String, &'static str) {
    let kept = match replaced {
        Some(replaced) => format!(" What it replaced is kept as {}.", replaced.path),
        None => String::new(),
    };
    (
        format!("{} is as it was before the migration.{kept}", folder.file),
        "The rollback is done: stop here, or begin anew with analyze if the person wants that.",
    )
}

fn shown(flow: &Flow, folder: &Folder, current: Current) -> Result<Shown, Refusal> {
    let state = current.record.status;
    let Some(migration) = current.record.migration.clone() else {
        let message = "There is no migration on record that could be rolled back.";
        return Err(Refusal::state(state, message, "There is nothing to do."));
    };
    if flow.cx.desk().now() >= migration.until {
        return Err(too_late(state, folder, &migration));
    }
    let backup = migration.backup.as_ref();
    let backup = backup.map(|backup| folder.backup(backup)).transpose();
    let backup = backup.map_err(|why| Refusal::file(state, why))?;
    let now = folder.digest();
    let now = now.map_err(|why| Refusal::file(state, why))?;
    if backup.is_none() && now.is_none() {
        let message = format!("{} was created, and is gone already.", folder.file);
        return Err(Refusal::state(state, message, "There is nothing to do."));
    }
    let edited = now != Some(migration.result);
    let what = match backup {
        Some(_) => {
            "The file goes back to what it was before the migration. **Current changes will be lost** from it; what it replaces is backed up under `.copilot-state/backup/`."
        }
        None => {
            "The migration created this file: the rollback **removes** it. **Current changes will be lost** with it; what it holds is backed up under `.copilot-state/backup/`."
        }
    };
    let mut message = format!(
        "## Execute the rollback of {}?\n\n{what}",
        code(folder.file)
    );
    if edited {
        message.push_str("\n\n**The file has changed since the migration.** The diff shows what would be undone.");
    }
    let text =
        |bytes: Option<Vec<u8>>| String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned();
    let current_text = text(folder.bytes().unwrap_or_default());
    let diff = diff(&current_text, &text(backup), "now", "after the rollback");
    Ok(Shown {
        details: shown_diff(&diff, MAX_MESSAGE - 2048),
        backup: migration.backup,
        current,
        now,
        message,
    })
}

fn too_late(state: Status, folder: &Folder, migration: &Migration) -> Refusal {
    let closed = migration.until.strftime("%Y-%m-%d %H:%M UTC");
    let (rest, next) = match &migration.backup {
        Some(backup) => (
            format!("The backup is still {}.", backup.path),
            "Tell the person where the backup is; they can restore it themselves.",
        ),
        None => (
            format!("{} was created then.", folder.file),
            "Tell the person that they can delete the file themselves.",
        ),
    };
    let message = format!("The window for a rollback closed on {closed}. {rest}");
    Refusal::new("TOO_LATE", state, message, next)
}

/// All that must hold, a backup of what is replaced, and a permission that is good once.
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
    if folder.digest() != Ok(shown.now) {
        return Ok(Err(Refusal::changed(
            state,
            folder.file,
            "the rollback was shown",
        )));
    }
    let back_up = |bytes: Vec<u8>| folder.back_up(&bytes, decision.at);
    let replaced = folder.bytes().and_then(|now| now.map(back_up).transpose());
    let replaced = match replaced {
        Ok(replaced) => replaced,
        Err(why) => return Ok(Err(Refusal::file(state, why))),
    };
    let backup = shown.backup.as_ref().map(|backup| backup.digest);
    let what = json!({ "file": folder.file, "now": shown.now, "backup": backup });
    let digest = Digest::hash_json(&what).map_err(|error| ToolError::File(error.to_string()))?;
    let purpose = format!("rollback {}", folder.file);
    let desk = flow.cx.desk();
    let granted = async {
        let grant = desk.grant(decision, &purpose, digest, GOOD_FOR).await?;
        desk.redeem(grant, &flow.cx.session().principal, &purpose, digest)
            .await
    };
    Ok(granted
        .await
        .map(|()| replaced)
        .map_err(|error| Refusal::new("GRANT", state, error_chain(&error), "Call rollback again.")))
}
