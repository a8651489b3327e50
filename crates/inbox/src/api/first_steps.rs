//! How far somebody who begins has come, as far as the record can tell.

use super::error::ApiError;
use crate::gate::{Gate, Visitor};
use axum::{Extension, Json, extract::State};
use holdpoint::journal::{AskRecord, Search, Status};
use serde::Serialize;

#[derive(Serialize)]
pub(crate) struct FirstSteps {
    /// An agent's client has asked something.
    client: bool,
    /// Something was decided.
    decided: bool,
    /// The page can be reached from a phone.
    phone: bool,
    /// Dangerous asks need a PIN.
    pin: bool,
}

/// Which of the first steps are done.
pub(crate) async fn read(
    State(gate): State<Gate>,
    Extension(visitor): Extension<Visitor>,
) -> Result<Json<FirstSteps>, ApiError> {
    let journal = gate.page.desk().journal();
    let found = async |status: Vec<Status>, limit: usize| {
        let search = Search {
            status,
            limit: Some(limit),
            ..Search::default()
        };
        journal.search(search).await
    };
    // Among the latest: whoever has asked this much is past the beginning.
    let latest = found(Vec::new(), 50).await?;
    let by_client = |ask: &AskRecord| ask.call.is_some();
    let ended = Status::ALL
        .into_iter()
        .filter(|status| *status != Status::Pending);
    let decided = found(ended.collect(), 1).await?;
    Ok(Json(FirstSteps {
        client: latest.asks.iter().any(by_client),
        decided: !decided.asks.is_empty(),
        phone: gate.site.public.is_some() || !gate.site.address.ip().is_loopback(),
        pin: gate.page.pin_set(&visitor).await?,
    }))
}
