//! What people look up in PostgreSQL.

use super::{PostgresJournal, find_calls, history, search_index, verify};
use crate::{
    AskHistory, BoxFuture, CallQuery, CallRecord, Found, FoundRuns, JournalError, Records,
    RunSearch, Search, Stats, Verified,
};
use holdpoint_ask::AskId;
use jiff::tz::TimeZone;
use std::sync::Arc;

impl Records for PostgresJournal {
    fn search(&self, search: Search) -> BoxFuture<'_, Result<Found, JournalError>> {
        let given = Arc::new((self.search_index.clone(), search));
        self.read(move |mut client| {
            let given = given.clone();
            async move { search_index::search(&mut client, &given.0, &given.1).await }
        })
    }

    fn stats(&self, search: Search, zone: TimeZone) -> BoxFuture<'_, Result<Stats, JournalError>> {
        let given = Arc::new((self.search_index.clone(), search, zone));
        self.read(move |mut client| {
            let given = given.clone();
            async move { search_index::stats(&mut client, &given.0, &given.1, &given.2).await }
        })
    }

    fn history(&self, id: AskId) -> BoxFuture<'_, Result<Option<AskHistory>, JournalError>> {
        self.read(move |mut client| async move { history::history(&mut client, id).await })
    }

    fn runs(&self, search: RunSearch) -> BoxFuture<'_, Result<FoundRuns, JournalError>> {
        let given = Arc::new((self.search_index.clone(), search));
        self.read(move |mut client| {
            let given = given.clone();
            async move { search_index::runs(&mut client, &given.0, &given.1).await }
        })
    }

    fn calls(&self, query: CallQuery) -> BoxFuture<'_, Result<Vec<CallRecord>, JournalError>> {
        let query = Arc::new(query);
        self.read(move |client| {
            let query = query.clone();
            async move { find_calls::calls(&client, &query).await }
        })
    }

    fn verify(&self) -> BoxFuture<'_, Result<Verified, JournalError>> {
        self.read(verify::verify)
    }
}
