//! The scripts that can be run, and starting a run.

use super::error::{ApiError, Body};
use crate::{
    gate::Gate,
    scripts::{
        RunError, RunRequest,
        view::{ScriptView, seen},
    },
};
use axum::{Json, extract::State, http::StatusCode};
use holdpoint::arguments::ArgumentError;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

#[derive(Serialize)]
pub(crate) struct Listing {
    /// Where they are; none where this process has no scripts.
    folder: Option<String>,
    scripts: Vec<ScriptView>,
    /// Where runs may act: the first unless somebody chooses another.
    workspaces: Vec<WorkspaceView>,
}

/// A workspace, by its whole path.
#[derive(Serialize)]
struct WorkspaceView {
    /// What is sent back.
    path: String,
    /// What is shown.
    shown: String,
}

/// The scripts as they are now.
pub(crate) async fn list(State(gate): State<Gate>) -> Result<Json<Listing>, ApiError> {
    let scripts = gate.page.scripts();
    let workspaces = match scripts {
        Some(scripts) => scripts.workspaces(gate.page.desk()).await?,
        None => Vec::new(),
    };
    let view = |path: String| WorkspaceView {
        shown: seen(&path),
        path,
    };
    Ok(Json(Listing {
        workspaces: workspaces.into_iter().map(view).collect(),
        folder: scripts.map(|scripts| scripts.folder()),
        scripts: scripts.map_or_else(Vec::new, |scripts| {
            scripts.list().iter().map(ScriptView::new).collect()
        }),
    }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StartRequest {
    script: String,
    method: String,
    #[serde(default)]
    arguments: Map<String, Value>,
    workspace: Option<String>,
}

/// Starts a run of a method that is listed, with arguments that fit.
pub(crate) async fn start(
    State(gate): State<Gate>,
    Body(wanted): Body<StartRequest>,
) -> Result<Json<Value>, ApiError> {
    let page = &gate.page;
    let Some(scripts) = page.scripts() else {
        return Err(no_scripts());
    };
    let listed = scripts.list();
    let script = listed.iter().find(|script| script.name == wanted.script);
    let method = script.and_then(|script| {
        let mut methods = script.methods.iter();
        methods.find(|method| method.name == wanted.method)
    });
    let method = method.ok_or(RunError::UnknownMethod)?;
    if let Err(errors) = method.arguments.check(wanted.arguments.clone()) {
        let errors: Vec<_> = errors.iter().map(ArgumentError::to_field_error).collect();
        return Ok(Json(json!({ "errors": errors })));
    }
    let known = scripts.workspaces(page.desk()).await?;
    let workspace = wanted.workspace.or_else(|| known.first().cloned());
    if workspace.as_ref().is_some_and(|one| !known.contains(one)) {
        return Err(RunError::UnknownWorkspace.into());
    }
    let request = RunRequest {
        script: wanted.script,
        method: wanted.method,
        arguments: wanted.arguments,
        workspace,
    };
    let run = page
        .runs()
        .start(scripts.as_ref(), page.desk(), &request, &method.tool)?;
    Ok(Json(json!({ "id": run.id })))
}

pub(crate) fn no_scripts() -> ApiError {
    ApiError::new(
        StatusCode::NOT_FOUND,
        "no_scripts",
        "The process that serves this page has no scripts: start it with `--scripts DIR`.",
    )
}

impl From<RunError> for ApiError {
    fn from(error: RunError) -> Self {
        let (status, code) = match &error {
            RunError::TooMany => (StatusCode::TOO_MANY_REQUESTS, "too_many"),
            RunError::UnknownMethod => (StatusCode::NOT_FOUND, "unknown_method"),
            RunError::UnknownWorkspace => (StatusCode::BAD_REQUEST, "unknown_workspace"),
            _ => (StatusCode::CONFLICT, "refused"),
        };
        Self::new(status, code, format!("{error}."))
    }
}
