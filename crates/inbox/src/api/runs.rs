//! Runs of scripts: those that were started here, and those that are on record.

use super::{
    error::{ApiError, Body},
    scripts::no_scripts,
};
use crate::{
    gate::{Gate, Visitor},
    scripts::{
        runs::PageRun,
        view::{AskBrief, RunBrief, RunView, StepView},
    },
};
use axum::{
    Extension, Json,
    extract::{Path, Query, State},
    http::StatusCode,
};
use holdpoint::{
    CallId, SCRIPT_METHOD,
    journal::{AskRecord, CallQuery},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;

#[derive(Deserialize)]
pub(crate) struct Wanted {
    limit: Option<usize>,
    before: Option<String>,
}

#[derive(Serialize)]
pub(crate) struct Listing {
    runs: Vec<RunBrief>,
    next: Option<CallId>,
}

/// Runs, newest first: those of this page, of terminals, and what agents called.
pub(crate) async fn list(
    State(gate): State<Gate>,
    Query(wanted): Query<Wanted>,
) -> Result<Json<Listing>, ApiError> {
    let page = &gate.page;
    let limit = wanted.limit.unwrap_or(20).clamp(1, 100);
    let before = wanted.before.filter(|before| !before.is_empty());
    let before = before.map(|id| call_id(&id)).transpose()?;
    let methods = page.methods();
    let query = CallQuery {
        method: SCRIPT_METHOD.into(),
        tools: methods.keys().cloned().collect(),
        server: page.scripts().map(|scripts| scripts.server().to_owned()),
        before,
        limit,
    };
    let recorded = page.desk().journal().calls(query).await?;
    let more = recorded.len() == limit;
    // What runs, and has neither asked nor done anything yet, is not on record.
    let from = recorded.last().filter(|_| more).map(|call| call.id);
    let fits = |run: &&Arc<PageRun>| {
        before.is_none_or(|before| run.id < before) && from.is_none_or(|from| run.id >= from)
    };
    let mut runs: Vec<RunBrief> = recorded
        .iter()
        .map(|call| page.brief_of(call, &methods))
        .collect();
    for run in page.runs().all().iter().filter(fits) {
        if !recorded.iter().any(|call| call.id == run.id) {
            runs.push(page.brief(run, &methods));
        }
    }
    runs.sort_by_key(|run| std::cmp::Reverse(run.id));
    Ok(Json(Listing { runs, next: from }))
}

#[derive(Deserialize)]
pub(crate) struct From {
    #[serde(default)]
    from: u64,
}

/// One run, with its lines from this number on.
pub(crate) async fn one(
    State(gate): State<Gate>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    Query(From { from }): Query<From>,
) -> Result<Json<RunView>, ApiError> {
    let page = &gate.page;
    let id = call_id(&id)?;
    let run = page.runs().get(id);
    let history = page.desk().journal().call(id).await?;
    let (asks, steps) = history
        .map(|history| (history.asks, history.steps))
        .unwrap_or_default();
    let mut view = match run {
        Some(run) => page.run_view(&run, from),
        None => page.recorded_view(&page.recorded(id).await?),
    };
    let open = |ask: &&AskRecord| ask.decision.is_none();
    let open: Vec<AskRecord> = asks.iter().filter(open).cloned().collect();
    view.did = steps.iter().map(StepView::new).collect();
    view.asks = asks.iter().map(AskBrief::new).collect();
    view.open = page.views(&open, &visitor).await?;
    Ok(Json(view))
}

/// Takes a run back: what it asks is withdrawn.
pub(crate) async fn withdraw(
    State(gate): State<Gate>,
    Path(id): Path<String>,
    Body(_): Body<Value>,
) -> Result<Json<Value>, ApiError> {
    let Some(run) = gate.page.runs().get(call_id(&id)?) else {
        let message = "This run is not under way here: it has ended, or another process runs it.";
        return Err(ApiError::new(StatusCode::CONFLICT, "not_here", message));
    };
    run.run.withdraw().await;
    Ok(Json(json!({})))
}

/// Continues a run whose process is gone.
pub(crate) async fn resume(
    State(gate): State<Gate>,
    Path(id): Path<String>,
    Body(_): Body<Value>,
) -> Result<Json<Value>, ApiError> {
    let page = &gate.page;
    let Some(scripts) = page.scripts() else {
        return Err(no_scripts());
    };
    let call = page.recorded(call_id(&id)?).await?;
    let log = page.runs().new_log()?;
    let run = scripts.resume(page.desk(), call.id, log.clone()).await?;
    let tool = call.origin.tool.unwrap_or_default();
    let workspace = call.origin.workspace;
    page.runs().add(run, &tool, call.arguments, workspace, log);
    Ok(Json(json!({})))
}

pub(crate) fn call_id(text: &str) -> Result<CallId, ApiError> {
    text.parse().map_err(|_| unknown_run())
}

pub(crate) fn unknown_run() -> ApiError {
    let message = "There is no such run, or its output is no longer kept.";
    ApiError::new(StatusCode::NOT_FOUND, "unknown_run", message)
}
