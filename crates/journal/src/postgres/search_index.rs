//! The index that searches use: tables of their own, derived from the events and never believed over them.
//! What it finds is read from the record and checked again. It may be emptied at any time; it is then
//! filled again.
//!
//! A search brings it up to date first, so that a commit costs nothing for it. It holds decided asks and ended
//! runs only: what it says of one never changes. The others, and all that it does not hold yet because this
//! database can only be read, are looked at one by one.
//!
//! Texts are folded before they are stored. Where the extension `pg_trgm` is there, or may be created, they have
//! an index of trigrams; without it a search for a rare word reads every text.
//!
//! | module | does |
//! |---|---|
//! | `fill` | brings it up to date |
//! | `forget` | takes out what is pruned |
//! | `ended_runs` | puts runs of scripts into it |
//! | `names` | the names of servers, tools and so on, by number |
//! | `trigrams` | makes the index of trigrams |
//! | `wanted` | what a search asks of the index, as conditions |
//! | `candidates` | what may fit, last first |
//! | `asks` | finds and counts asks |
//! | `runs` | finds runs of scripts |

use super::{query, select_rows::number};
use crate::JournalError;
use deadpool_postgres::{Client, GenericClient, Transaction};

mod asks;
mod candidates;
mod ended_runs;
mod fill;
mod forget;
mod names;
mod runs;
mod trigrams;
mod wanted;

pub(super) use asks::{search, stats};
pub(super) use forget::forget;
pub(super) use runs::runs;
use trigrams::Trigrams;

/// Raised by every change of what is put into the index: one of an older version is filled again, and one of a
/// newer version is not used.
const VERSION: i32 = 1;

/// How far the index is filled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct State {
    version: i32,
    filled: u64,
    head: u64,
    has_trigrams: bool,
    has_extension: bool,
}

impl State {
    async fn read(client: &impl GenericClient) -> Result<Self, JournalError> {
        Self::select(client, "").await
    }

    /// As [`Self::read`], once nobody else changes the index.
    async fn lock(client: &impl GenericClient) -> Result<Self, JournalError> {
        Self::select(client, "FOR UPDATE OF s").await
    }

    async fn select(client: &impl GenericClient, lock: &str) -> Result<Self, JournalError> {
        let sql = format!(
            "SELECT s.version, s.filled, h.seq,
                to_regclass('holdpoint.{}') IS NOT NULL,
                EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm')
             FROM holdpoint.index_state s, holdpoint.head h {lock}",
            trigrams::INDEX
        );
        let found = query::select(client, &sql, &[]).await?;
        let row = found.first().ok_or_else(|| {
            JournalError::damaged(
                "the row of `holdpoint.head` or of `holdpoint.index_state` is gone",
            )
        })?;
        Ok(Self {
            version: row.get(0),
            filled: number(row.get(1))?,
            head: number(row.get(2))?,
            has_trigrams: row.get(3),
            has_extension: row.get(4),
        })
    }

    /// Up to which event the index is filled; none where it is another version's.
    fn filled(&self) -> Option<u64> {
        (self.version == VERSION).then_some(self.filled)
    }
}

/// The index, as this process may use it.
#[derive(Debug)]
pub(super) struct SearchIndex {
    may_be_filled: bool,
    trigrams: Trigrams,
}

impl SearchIndex {
    /// Whoever only looks at the journal does not fill its index.
    pub fn new(may_be_filled: bool) -> Self {
        Self {
            may_be_filled,
            trigrams: Trigrams::default(),
        }
    }

    /// The record and its index at one moment, the index brought up to date where it may be; with the event up
    /// to which it holds what was decided, if it can be used.
    async fn snapshot<'a>(
        &self,
        client: &'a mut Client,
    ) -> Result<(Transaction<'a>, Option<u64>), JournalError> {
        let state = State::read(client).await?;
        let is_behind = state.filled() < Some(state.head) || self.trigrams.can_be_made(&state);
        if self.may_be_filled
            && is_behind
            && state.version <= VERSION
            && let Err(error) = self.bring_up_to_date(client).await
        {
            tracing::warn!(
                %error,
                "the index of the record cannot be brought up to date; searches take longer"
            );
        }
        let snapshot = query::snapshot(client).await?;
        let filled = State::read(&snapshot).await?.filled();
        Ok((snapshot, filled))
    }

    async fn bring_up_to_date(&self, client: &mut Client) -> Result<(), JournalError> {
        fill::fill(client).await?;
        self.trigrams.make(client).await
    }
}
