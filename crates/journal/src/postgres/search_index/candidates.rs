//! What may fit, last first: what the index finds, and what it does not hold yet.

use super::wanted::Wanted;
use crate::{JournalError, postgres::sql_error::read_error};
use deadpool_postgres::Transaction;
use std::{cmp::Ordering, collections::VecDeque};
use tokio_postgres::types::{FromSqlOwned, ToSql, Type};

/// How many are read at a time at least.
const PAGE: usize = 60;

/// What may fit. It is read as far as it is taken.
pub(super) struct Candidates<'a, K> {
    snapshot: &'a Transaction<'a>,
    wanted: Option<&'a Wanted>,
    /// What the index does not hold, the last at the end.
    others: Vec<K>,
    indexed: VecDeque<K>,
    before: K,
    key_type: Type,
    /// Whether the latest are still to be looked at by themselves.
    is_start: bool,
    page: usize,
}

impl<'a, K: Ord + Copy + FromSqlOwned + ToSql + Sync> Candidates<'a, K> {
    /// Those before `before` that the index finds, none where it is not asked, and these others, the first of
    /// them first. `limit` is how many are going to fit.
    pub fn new(
        snapshot: &'a Transaction<'a>,
        wanted: Option<&'a Wanted>,
        others: Vec<K>,
        (before, key_type): (K, Type),
        limit: Option<usize>,
    ) -> Self {
        Self {
            snapshot,
            wanted,
            others,
            indexed: VecDeque::new(),
            before,
            key_type,
            is_start: true,
            page: limit.map_or(usize::MAX, |limit| limit.saturating_add(1).max(PAGE)),
        }
    }

    /// The next few; none when there are no more.
    pub async fn next(&mut self) -> Result<Vec<K>, JournalError> {
        let mut keys = Vec::new();
        while keys.len() < PAGE {
            if self.indexed.is_empty() {
                self.read().await?;
            }
            let last = match self.others.last().cmp(&self.indexed.front()) {
                Ordering::Greater => self.others.pop(),
                _ => self.indexed.pop_front(),
            };
            match last {
                Some(key) => keys.push(key),
                None => break,
            }
        }
        Ok(keys)
    }

    /// Reads what the index finds next, until it finds no more.
    async fn read(&mut self) -> Result<(), JournalError> {
        while self.indexed.is_empty()
            && let Some(wanted) = self.wanted
        {
            let latest = wanted.latest().filter(|_| self.is_start);
            let is_all = latest.is_none();
            self.is_start = false;
            let limit = i64::try_from(self.page).unwrap_or(i64::MAX);
            let sql = latest.unwrap_or_else(|| wanted.all());
            let values = wanted.values((&self.before, self.key_type.clone()), &limit);
            // Not prepared for later: there are many such statements, and each is planned for its values.
            let found = self.snapshot.query_typed(&sql, &values).await;
            let found = found.map_err(read_error)?;
            if is_all {
                if found.len() < self.page {
                    self.wanted = None;
                }
                // Most of them did not fit: there is no end to asking for so few.
                self.page = self.page.saturating_mul(4);
            }
            self.indexed
                .extend(found.iter().map(|row| row.get::<_, K>(0)));
            self.before = self.indexed.back().copied().unwrap_or(self.before);
        }
        Ok(())
    }
}
