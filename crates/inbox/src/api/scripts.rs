//! The scripts that can be run, and beginning a run.

use super::error::{ApiError, Body};
use crate::{
    gate::Gate,
    scripts::{Wanted, arguments, runs::NotBegun, view::ScriptView},
};
use axum::{
    Json,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use holdpoint::FieldError;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

#[derive(Serialize)]
pub(crate) struct Listing {
    /// Where they are; none where this process has no scripts.
    folder: Option<String>,
    scripts: Vec<ScriptView>,
}

/// The scripts as they are now.
pub(crate) async fn list(State(gate): State<Gate>) -> Json<Listing> {
    let scripts = gate.page.scripts();
    Json(Listing {
        folder: scripts.map(|scripts| scripts.folder()),
        scripts: scripts.map_or_else(Vec::new, |scripts| {
            scripts.list().iter().map(ScriptView::of).collect()
        }),
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Beginning {
    script: String,
    method: String,
    #[serde(default)]
    arguments: Map<String, Value>,
}

/// Begins a run of a method that is listed, with arguments that fit.
pub(crate) async fn begin(
    State(gate): State<Gate>,
    Body(beginning): Body<Beginning>,
) -> Result<Response, ApiError> {
    let page = &gate.page;
    let Some(scripts) = page.scripts() else {
        return Err(no_scripts());
    };
    let listed = scripts.list();
    let script = listed.iter().find(|it| it.name == beginning.script);
    let method = script.and_then(|script| {
        let mut methods = script.methods.iter();
        methods.find(|it| it.name == beginning.method)
    });
    let Some(method) = method else {
        let message = "There is no such script or method now: reload the page.";
        return Err(ApiError::new(
            StatusCode::NOT_FOUND,
            "unknown_method",
            message,
        ));
    };
    let errors = arguments::check(&method.input, &beginning.arguments);
    if !errors.is_empty() {
        return Ok(misfits(&errors));
    }
    let wanted = Wanted {
        script: beginning.script,
        method: beginning.method,
        arguments: beginning.arguments,
    };
    let begun = page
        .runs()
        .begin(scripts.as_ref(), page.desk(), &wanted, &method.tool);
    match begun {
        Ok(begun) => Ok(Json(json!({ "id": begun.id })).into_response()),
        Err(refused) => Err(refused.into()),
    }
}

fn misfits(errors: &[FieldError]) -> Response {
    let body = json!({ "errors": errors });
    (StatusCode::OK, Json(body)).into_response()
}

pub(crate) fn no_scripts() -> ApiError {
    ApiError::new(
        StatusCode::NOT_FOUND,
        "no_scripts",
        "The process that serves this page has no scripts: start it with `--scripts DIR`.",
    )
}

impl From<NotBegun> for ApiError {
    fn from(refused: NotBegun) -> Self {
        let (status, code) = match &refused {
            NotBegun::TooMany => (StatusCode::TOO_MANY_REQUESTS, "too_many"),
            NotBegun::Refused(_) => (StatusCode::CONFLICT, "refused"),
        };
        Self::new(status, code, format!("{refused}."))
    }
}
