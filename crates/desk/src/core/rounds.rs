//! The rounds before an ask, for whoever shows it.

use super::desk::Desk;
use holdpoint_journal::{AskRecord, JournalError};

/// How many are shown.
const MOST: usize = 20;

impl Desk {
    /// The asks of the rounds before this one, the last one first. A chain that leads to what another caller
    /// was asked ends there.
    ///
    /// ```
    /// # use holdpoint::{Desk, journal::{AskRecord, JournalError}};
    /// async fn is_shown_again(desk: &Desk, ask: &AskRecord) -> Result<bool, JournalError> {
    ///     Ok(!desk.rounds_before(ask).await?.is_empty())
    /// }
    /// ```
    ///
    /// # Errors
    /// When the record cannot be read.
    pub async fn rounds_before(&self, record: &AskRecord) -> Result<Vec<AskRecord>, JournalError> {
        let mut past: Vec<AskRecord> = Vec::new();
        let mut last = record;
        while past.len() < MOST
            && let Some(id) = last.ask.round.as_ref().and_then(|round| round.follows)
            && id != record.id
            && past.iter().all(|known| known.id != id)
            && let Some(before) = self.journal().ask(id).await?
            && before.origin.is_seen_by(&record.origin)
        {
            past.push(before);
            last = &past[past.len() - 1];
        }
        Ok(past)
    }
}
