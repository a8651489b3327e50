//! Secrets are never kept. The desk takes them out of an answer; this is the second lock.

use crate::JournalError;
use holdpoint_ask::{Answer, Form, Kind};
use serde_json::json;

/// Refuses an answer that still holds the value of a secret field.
pub(crate) fn refuse_values(form: &Form, answer: &Answer) -> Result<(), JournalError> {
    let given = json!({"secret": "given"});
    for field in form
        .fields
        .iter()
        .filter(|field| field.kind == Kind::Secret)
    {
        if answer.get(&field.name).is_some_and(|value| *value != given) {
            return Err(JournalError::Write(format!(
                "the answer still holds the secret `{}`; nothing was recorded",
                field.name
            )));
        }
    }
    Ok(())
}
