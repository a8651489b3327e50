//! Taking back what was answered in the harness: its own prompt may be open beside ours, and the first answer wins.

use super::ask::METHOD;
use crate::server_name::SERVER_NAME;
use holdpoint::{
    Desk, Origin, Withdrawal,
    journal::{AskQuery, AskRecord, CallRecord, JournalError},
};
use holdpoint_harness::{Incoming, Over, binding};

/// Withdraws the open asks that a harness says to be over; gives how many there were.
///
/// # Errors
/// When the record cannot be read or kept.
pub async fn withdraw(desk: &Desk, incoming: &Incoming, over: &Over) -> anyhow::Result<usize> {
    let query = AskQuery {
        open: true,
        principal: Some(Origin::LOCAL.to_owned()),
        ..AskQuery::default()
    };
    let mut withdrawn = 0;
    for record in desk.journal().asks(query).await? {
        if is_from(&record, incoming)
            && let Some(call) = call_of(desk, &record).await?
            && call.arguments["session"] == incoming.session.as_str()
            && is_over(desk, &call, incoming, over).await?
        {
            desk.take_back(record.id, Withdrawal::AnsweredInHarness)
                .await?;
            withdrawn += 1;
        }
    }
    Ok(withdrawn)
}

fn is_from(record: &AskRecord, incoming: &Incoming) -> bool {
    record.origin.server.as_deref() == Some(SERVER_NAME)
        && record.origin.client_name.as_deref() == Some(incoming.harness.word())
}

async fn call_of(desk: &Desk, record: &AskRecord) -> Result<Option<CallRecord>, JournalError> {
    let Some(call) = record.call else {
        return Ok(None);
    };
    let history = desk.journal().call(call).await?;
    let call = history.map(|history| history.call);
    Ok(call.filter(|call| call.method == METHOD))
}

/// Whether the harness no longer waits for what a call asks. One that nobody waits for stays open: its answer is
/// for the next try.
async fn is_over(
    desk: &Desk,
    call: &CallRecord,
    incoming: &Incoming,
    over: &Over,
) -> Result<bool, JournalError> {
    match over {
        Over::Tool(_) => Ok(call.arguments["about"] == binding(incoming)["about"]),
        Over::Turn | Over::Session => desk.journal().is_alive(call.owner).await,
    }
}
