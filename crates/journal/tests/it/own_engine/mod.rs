//! Another engine, written as somebody outside this workspace would: over `rules`, with nothing that is not
//! public. It keeps everything in maps, is not durable, and passes the whole story.

mod state;

use futures::FutureExt;
use holdpoint_ask::{AskId, CallId, GrantId};
use holdpoint_journal::{
    AskHistory, AskQuery, AskRecord, BoxFuture, CallBinding, CallHistory, CallQuery, CallRecord,
    Condition, Event, EventKind, Found, FoundRuns, GrantRecord, Journal, JournalError, PruneBatch,
    Records, RunSearch, Search, Stats, StoredEvent, Upkeep, Vault, Verified, Watcher, Write,
    Written,
    rules::{self, Fact, Matcher, PreparedWrite, RunMatcher, Tally, Verifier},
    testing::Fixture,
};
use jiff::tz::TimeZone;
use serde_json::Value;
use state::State;
use std::{
    collections::HashMap,
    future::ready,
    sync::{Arc, Mutex, MutexGuard},
};
use tokio::sync::watch;
use uuid::Uuid;

holdpoint_journal::story_tests!(open);

async fn open() -> Fixture {
    Fixture {
        name: "maps",
        journal: Arc::new(MapJournal::new()),
        other_process: None,
    }
}

/// A journal in maps.
#[derive(Debug)]
struct MapJournal {
    owner: Uuid,
    state: Mutex<State>,
    commits: watch::Sender<u64>,
    foreign: watch::Sender<u64>,
    private: Mutex<HashMap<String, Vec<u8>>>,
    keys: Mutex<HashMap<String, [u8; 32]>>,
    /// Each watcher has a clone.
    watchers: Arc<()>,
}

/// Everything is done when a method is called: there is nothing to wait for.
type Done<T> = BoxFuture<'static, Result<T, JournalError>>;

fn done<T: Send + 'static>(result: Result<T, JournalError>) -> Done<T> {
    ready(result).boxed()
}

impl MapJournal {
    fn new() -> Self {
        Self {
            owner: Uuid::now_v7(),
            state: Mutex::new(State::new()),
            commits: watch::Sender::new(0),
            foreign: watch::Sender::new(0),
            private: Mutex::default(),
            keys: Mutex::default(),
            watchers: Arc::new(()),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// All of it is done to a copy, which takes the place of the state, or none.
    fn transact<T>(
        &self,
        work: impl FnOnce(&mut State) -> Result<T, JournalError>,
    ) -> Result<T, JournalError> {
        let mut state = self.state();
        let mut next = state.clone();
        let done = work(&mut next)?;
        *state = next;
        self.commits.send_modify(|count| *count += 1);
        Ok(done)
    }

    fn apply(&self, batch: Vec<Write>) -> Result<Vec<Written>, JournalError> {
        let batch = PreparedWrite::prepare_batch(batch)?;
        self.transact(|state| {
            let writes = batch.iter();
            writes.map(|write| rules::apply(state, write)).collect()
        })
    }
}

impl Journal for MapJournal {
    fn commit(&self, batch: Vec<Write>) -> Done<Vec<Written>> {
        done(self.apply(batch))
    }

    fn ask(&self, id: AskId) -> Done<Option<AskRecord>> {
        done(self.state().ask_record(id))
    }

    fn asks(&self, query: AskQuery) -> Done<Vec<AskRecord>> {
        done(self.state().asks(&query))
    }

    fn open_asks(&self) -> Done<u64> {
        let open = AskQuery {
            open: true,
            ..AskQuery::default()
        };
        done(self.state().asks(&open).map(|asks| asks.len() as u64))
    }

    fn call(&self, id: CallId) -> Done<Option<CallHistory>> {
        done(self.state().call_history(id))
    }

    fn unfinished_calls(&self, binding: CallBinding) -> Done<Vec<CallId>> {
        done(Ok(self.state().unfinished_calls(binding, self.owner)))
    }

    fn latest_step(&self, name: &str, server: Option<&str>) -> Done<Option<(CallId, Value)>> {
        done(self.state().latest_step(name, server))
    }

    fn latest_steps(&self, prefix: &str, server: Option<&str>) -> Done<Vec<(String, Value)>> {
        done(self.state().latest_steps(prefix, server))
    }

    fn grant(&self, id: GrantId) -> Done<Option<GrantRecord>> {
        done(Ok(self.state().grants.get(&id).cloned()))
    }

    fn unused_grants(&self, purpose: &str) -> Done<Vec<GrantRecord>> {
        let state = self.state();
        let unused = state.grants.values();
        let unused = unused.filter(|grant| grant.purpose == purpose && grant.redeemed_at.is_none());
        let mut unused: Vec<_> = unused.cloned().collect();
        unused.sort_by_key(|grant| std::cmp::Reverse((grant.issued_at, grant.id)));
        done(Ok(unused))
    }

    fn events(&self, after: u64, limit: usize) -> Done<Vec<Event>> {
        let state = self.state();
        let behind = state.links().skip(after as usize).take(limit);
        done(
            behind
                .map(|(link, hash)| rules::read_event(&link, hash))
                .collect(),
        )
    }

    fn guard_events(&self, kinds: &'static [EventKind], limit: usize) -> Done<Vec<Event>> {
        let state = self.state();
        let wanted = |kind: &str| EventKind::parse(kind).is_some_and(|kind| kinds.contains(&kind));
        let mut found: Vec<_> = state
            .links()
            .filter(|(link, _)| wanted(link.kind))
            .collect();
        found.reverse();
        let newest = found.into_iter().take(limit);
        done(
            newest
                .map(|(link, hash)| rules::read_event(&link, hash))
                .collect(),
        )
    }

    fn head(&self) -> Done<u64> {
        done(Ok(self.state().head.seq))
    }

    fn commits(&self) -> watch::Receiver<u64> {
        self.commits.subscribe()
    }

    fn foreign_commits(&self) -> watch::Receiver<u64> {
        self.foreign.subscribe()
    }

    fn owner(&self) -> Uuid {
        self.owner
    }

    fn is_alive(&self, owner: Uuid) -> Done<bool> {
        done(Ok(owner == self.owner))
    }

    fn watch(&self) -> Done<Watcher> {
        done(Ok(Watcher::new(self.watchers.clone())))
    }

    fn is_watched(&self) -> Done<bool> {
        done(Ok(Arc::strong_count(&self.watchers) > 1))
    }
}

impl Records for MapJournal {
    fn search(&self, search: Search) -> Done<Found> {
        let asks = self.state().last_opened_first(&search);
        done(asks.map(|asks| {
            let (matcher, mut found) = (Matcher::new(&search), Found::default());
            for ask in asks.into_iter().filter(|ask| matcher.fits(ask)) {
                if !found.push(ask, search.limit) {
                    break;
                }
            }
            found
        }))
    }

    fn stats(&self, search: Search, zone: TimeZone) -> Done<Stats> {
        let asks = self.state().last_opened_first(&search);
        done(asks.map(|asks| {
            let (matcher, mut tally) = (Matcher::new(&search), Tally::new(zone));
            for ask in asks.iter().filter(|ask| matcher.fits(ask)) {
                tally.add(&Fact::from_record(ask));
            }
            tally.finish()
        }))
    }

    fn history(&self, id: AskId) -> Done<Option<AskHistory>> {
        done(self.state().history(id))
    }

    fn runs(&self, search: RunSearch) -> Done<FoundRuns> {
        let calls = self.state().calls_newest_first(search.before);
        done(calls.map(|calls| {
            let (matcher, mut found) = (RunMatcher::new(&search), FoundRuns::default());
            for call in calls.into_iter().filter(|call| matcher.fits(call)) {
                if !found.push(call, search.limit) {
                    break;
                }
            }
            found
        }))
    }

    fn calls(&self, query: CallQuery) -> Done<Vec<CallRecord>> {
        done(self.state().calls(&query))
    }

    fn verify(&self) -> Done<Verified> {
        let state = self.state().clone();
        let mut verifier = Verifier::new(state.clone());
        let walked = state
            .links()
            .try_for_each(|(link, hash)| verifier.event(&link, hash));
        done(walked.and_then(|()| verifier.finish()))
    }
}

impl Upkeep for MapJournal {
    fn stored_events(&self, after: u64, limit: usize) -> Done<Vec<StoredEvent>> {
        let state = self.state();
        let behind = state.events.iter().skip(after as usize).take(limit);
        done(Ok(behind.cloned().collect()))
    }

    fn import(&self, events: Vec<StoredEvent>) -> Done<()> {
        done(self.transact(|state| rules::replay(state, state.head, &events).map(drop)))
    }

    fn key_names(&self) -> Done<Vec<String>> {
        done(Ok(self.keys.lock().unwrap().keys().cloned().collect()))
    }

    fn put_key(&self, name: &str, key: [u8; 32]) -> Done<()> {
        done(rules::check_key_name(name).map(|()| {
            self.keys.lock().unwrap().insert(name.to_owned(), key);
        }))
    }

    fn value_names(&self) -> Done<Vec<String>> {
        done(Ok(self.private.lock().unwrap().keys().cloned().collect()))
    }

    fn prune_batch(&self, batch: PruneBatch) -> Done<u64> {
        done(self.transact(|state| rules::prune(state, &batch)))
    }

    fn last_pruned(&self) -> Done<Option<Event>> {
        let state = self.state();
        let mut pruned = state.links().filter(|(link, _)| link.kind == "pruned");
        let last = pruned.next_back();
        done(
            last.map(|(link, hash)| rules::read_event(&link, hash))
                .transpose(),
        )
    }

    fn free_space(&self) -> Done<bool> {
        done(Ok(true))
    }

    fn condition(&self) -> Done<Condition> {
        done(Ok(Condition::new("maps", 1, 1)))
    }

    fn is_open_elsewhere(&self) -> Done<bool> {
        done(Ok(false))
    }
}

impl Vault for MapJournal {
    fn key(&self, name: &str) -> Done<[u8; 32]> {
        // A real one takes its bytes from the operating system, and keeps them where only the owner can read.
        let key = rules::check_key_name(name).map(|()| {
            let mut keys = self.keys.lock().unwrap();
            *keys.entry(name.to_owned()).or_insert_with(rand::random)
        });
        done(key)
    }

    fn load(&self, name: &str) -> Done<Option<Vec<u8>>> {
        let private = self.private.lock().unwrap();
        done(rules::check_name(name).map(|()| private.get(name).cloned()))
    }

    fn store(&self, name: &str, value: Option<Vec<u8>>) -> Done<()> {
        let mut private = self.private.lock().unwrap();
        done(rules::check_name(name).map(|()| match value {
            Some(value) => drop(private.insert(name.to_owned(), value)),
            None => drop(private.remove(name)),
        }))
    }

    fn create(&self, name: &str, value: Vec<u8>) -> Done<bool> {
        let mut private = self.private.lock().unwrap();
        done(rules::check_name(name).map(|()| {
            let is_new = !private.contains_key(name);
            private.entry(name.to_owned()).or_insert(value);
            is_new
        }))
    }

    fn names(&self, below: &str) -> Done<Vec<String>> {
        let private = self.private.lock().unwrap();
        let mut names: Vec<_> = private.keys().cloned().collect();
        names.retain(|name| name.rsplit_once('/').is_some_and(|(of, _)| of == below));
        names.sort_unstable();
        done(rules::check_name(below).map(|()| names))
    }

    fn parcel(&self, ask: AskId) -> Done<Option<Vec<u8>>> {
        done(Ok(self.state().parcels.get(&ask).cloned()))
    }
}
