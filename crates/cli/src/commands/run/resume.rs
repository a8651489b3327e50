//! `--resume`: going on with a run that was interrupted.

use super::{RunSetup, args::RunOptions, version, wrong};
use crate::{commands::exit_code::FAILED, find_by_id, shell::Shell, times, tracing_setup};
use holdpoint::{
    CallId, ResumeError, SCRIPT_METHOD,
    journal::{CallQuery, CallRecord},
    visible,
};
use holdpoint_ask::{IdPart, describe, short_ids};
use holdpoint_script::{Job, Method, Program};
use jiff::Timestamp;
use serde_json::{Value, json};
use std::{process::ExitCode, sync::Arc};

/// How many are listed.
const MOST: usize = 20;
/// How many runs are searched for those.
const FAR: usize = 1_000;

/// Goes on with a run of this script.
///
/// # Errors
/// When the record cannot be kept; then nothing was approved.
pub async fn run(
    program: &Arc<Program>,
    method: Option<&Method>,
    own: RunOptions,
) -> anyhow::Result<ExitCode> {
    let id = own.resume.clone().unwrap_or_default();
    if id.is_empty() {
        return list(own).await;
    }
    let part = match find_by_id::parse(&id) {
        Ok(part) => part,
        Err(why) => {
            return Ok(wrong(&format!(
                "--resume takes the id of a run: {why:#}. `holdpoint run --resume` lists them"
            )));
        }
    };
    let setup = match RunSetup::open(&own).await {
        Ok(setup) => setup,
        Err(code) => return Ok(code),
    };
    let id = match named(&setup.shell, &part).await? {
        Ok(Some(id)) => id,
        Ok(None) => return Ok(wrong(&ResumeError::Unknown.to_string())),
        Err(why) => return Ok(wrong(&format!("{why:#}"))),
    };
    let Some(history) = setup.shell.journal.call(id).await? else {
        return Ok(wrong(&ResumeError::Unknown.to_string()));
    };
    let tool = history.call.origin.tool.as_deref();
    let begun = program
        .methods()
        .iter()
        .find(|method| Some(method.tool.as_str()) == tool);
    let Some(begun) = begun.filter(|begun| method.is_none_or(|named| named.name == begun.name))
    else {
        return Ok(wrong(&format!(
            "that run belongs to {}, not to this script's method",
            visible(tool.unwrap_or("another tool"))
        )));
    };
    let (emits, private) = (setup.screen.clone(), setup.shell.private()?);
    let (program, method) = (program.clone(), begun.name.clone());
    let wanted = version::for_call(&program, &history.call);
    let resumed = setup.desk.resume(id, wanted, |cx, record: &CallRecord| {
        let job = Job {
            program,
            method,
            arguments: record.arguments.as_object().cloned().unwrap_or_default(),
            workspace: record.origin.workspace.clone().unwrap_or_default().into(),
            private,
        };
        holdpoint_script::run(cx, job, emits)
    });
    match resumed.await {
        Ok(run) => setup.attend(run, &own).await,
        Err(ResumeError::Journal(error)) => Err(error.into()),
        Err(why) => {
            eprintln!("holdpoint: {why}");
            Ok(ExitCode::from(FAILED))
        }
    }
}

/// The run that a part of an id means, among those that can be continued.
async fn named(
    shell: &Shell,
    part: &IdPart,
) -> anyhow::Result<Result<Option<CallId>, anyhow::Error>> {
    if let Ok(whole) = part.as_str().parse::<CallId>() {
        return Ok(Ok(Some(whole)));
    }
    let mut runs = interrupted(shell).await?;
    runs.retain(|call| part.is_in(&call.id));
    let words = |call: &CallRecord| {
        let tool = call.origin.tool.as_deref().unwrap_or("–");
        describe::one_line(tool)
    };
    let found = find_by_id::one(part, runs, |call| call.id, words);
    Ok(found.map(|found| found.map(|call| call.id)))
}

/// The runs that have not ended, the newest first.
async fn interrupted(shell: &Shell) -> anyhow::Result<Vec<CallRecord>> {
    let query = CallQuery {
        method: SCRIPT_METHOD.into(),
        limit: FAR,
        ..CallQuery::default()
    };
    let mut open = shell.journal.calls(query).await?;
    open.retain(|call| call.result.is_none());
    Ok(open)
}

/// Lists runs that have not ended.
///
/// # Errors
/// When the record cannot be read.
pub async fn list(own: RunOptions) -> anyhow::Result<ExitCode> {
    tracing_setup::start_quietly()?;
    let shell = Shell::open(own.journal).await?;
    let mut open = interrupted(&shell).await?;
    open.truncate(MOST);
    if own.json {
        let calls: Vec<Value> = open.iter().map(json).collect();
        println!("{}", json!({ "calls": calls }));
    } else if open.is_empty() {
        eprintln!("No run was interrupted.");
    } else {
        let ids: Vec<_> = open.iter().map(|call| call.id).collect();
        for (call, id) in open.iter().zip(short_ids(&ids)) {
            println!("{id}  {}", line(call, Timestamp::now()));
        }
        eprintln!("\nTo continue one whose process is gone: holdpoint run FILE --resume CALL");
    }
    Ok(ExitCode::SUCCESS)
}

fn line(call: &CallRecord, now: Timestamp) -> String {
    let ago = times::between(call.opened_at, now);
    let shown = |text: &Option<String>| visible(text.as_deref().unwrap_or("–")).into_owned();
    let (tool, folder) = (shown(&call.origin.tool), shown(&call.origin.workspace));
    format!("{tool}  {ago} ago  in {folder}")
}

fn json(call: &CallRecord) -> Value {
    json!({
        "callId": call.id,
        "tool": call.origin.tool,
        "workspace": call.origin.workspace,
        "openedAt": call.opened_at,
        "file": call.flow_version,
    })
}
