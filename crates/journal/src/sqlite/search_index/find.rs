//! Finding asks by the index. What it names is read from the journal and checked again.

use super::{
    candidates::{Candidates, names},
    fill::{Failure, fill},
    filled, is_damage, open, remove,
};
use crate::{
    AskRecord, Found, JournalError, Search, Stats, Status,
    rules::event_body::time_from_millis,
    search::Matcher,
    sqlite::{query, sql_error::read_error},
    stats::{Fact, Tally},
};
use holdpoint_ask::{AskId, ChannelKind};
use jiff::tz::TimeZone;
use rusqlite::{Connection, OptionalExtension as _, params_from_iter};
use std::{collections::HashMap, path::Path};

/// The event that opened an ask, and the ask.
type Opened = (u64, AskId);

pub(in crate::sqlite) fn search(
    journal: &Connection,
    path: Option<&Path>,
    search: &Search,
) -> Result<Found, JournalError> {
    let matcher = Matcher::new(search);
    visit(journal, path, |index, snapshot| {
        let mut found = Found::default();
        let take = |record| found.push(record, search.limit);
        snapshot.each(index, search, &matcher, take)?;
        Ok(found)
    })
}

pub(in crate::sqlite) fn stats(
    journal: &Connection,
    path: Option<&Path>,
    search: &Search,
    zone: &TimeZone,
) -> Result<Stats, JournalError> {
    let matcher = Matcher::new(search);
    visit(journal, path, |index, snapshot| {
        let mut tally = Tally::new(zone.clone());
        let add = |record: AskRecord| {
            tally.add(&Fact::from_record(&record));
            true
        };
        match index {
            // Without words, what the index holds of each ask is all that is counted.
            Some(index) if search.words.is_empty() => {
                snapshot.each_open(search, &matcher, add)?;
                snapshot.count(index, search, &matcher, &mut tally)?;
            }
            _ => snapshot.each(index, search, &matcher, add)?,
        }
        Ok(tally.finish())
    })
}

/// Visits the journal at this path, at one moment, with the index brought up to it; without one
/// where it cannot be used, or where the journal is in memory.
pub(super) fn visit<T>(
    journal: &Connection,
    path: Option<&Path>,
    visit: impl Fn(Option<&Connection>, &Snapshot<'_>) -> Result<T, Failure>,
) -> Result<T, JournalError> {
    let without_index = || {
        let snapshot = Snapshot::take(journal).map_err(Failure::into_error)?;
        visit(None, &snapshot).map_err(Failure::into_error)
    };
    let Some(path) = path else {
        return without_index();
    };
    let attempt = || {
        let index = open(path)?;
        let at = filled(&index)?;
        let snapshot = Snapshot::take(journal)?;
        fill(journal, &index, at, snapshot.head)?;
        visit(Some(&index), &snapshot)
    };
    let mut result = attempt();
    if matches!(&result, Err(Failure::Index(error)) if is_damage(error)) {
        tracing::warn!("the index of the record is damaged and is made again");
        remove(path);
        result = attempt();
    }
    match result {
        Err(Failure::Index(error)) => {
            tracing::warn!(%error, "the record is searched without its index, which takes longer");
            without_index()
        }
        result => result.map_err(Failure::into_error),
    }
}

/// The journal at one moment.
pub(super) struct Snapshot<'a> {
    journal: &'a Connection,
    pub head: u64,
    _transaction: rusqlite::Transaction<'a>,
}

impl<'a> Snapshot<'a> {
    fn take(journal: &'a Connection) -> Result<Self, Failure> {
        let transaction = journal.unchecked_transaction().map_err(journal_failure)?;
        Ok(Self {
            journal,
            head: query::head(journal).map_err(Failure::Journal)?,
            _transaction: transaction,
        })
    }

    /// Visits every ask that fits, last opened first, until the visitor has enough.
    fn each(
        &self,
        index: Option<&Connection>,
        search: &Search,
        matcher: &Matcher<'_>,
        visit: impl FnMut(AskRecord) -> bool,
    ) -> Result<(), Failure> {
        let Some(index) = index else {
            let mut all =
                self.read_opened("SELECT opened, id FROM asks ORDER BY opened", search)?;
            return self.visit(Vec::new(), || Ok(all.pop()), matcher, visit);
        };
        let open = self.open(search)?;
        let Some(candidates) = self.candidates(index, search, matcher)? else {
            return self.visit(open, || Ok(None), matcher, visit);
        };
        let mut select = index.prepare_cached(&candidates.select("a.opened, a.id"))?;
        let mut rows = select.query(params_from_iter(&candidates.values))?;
        let decided = || match rows.next()? {
            Some(row) => Ok(Some((row.get(0)?, AskId::from_bytes(row.get(1)?)))),
            None => Ok(None),
        };
        self.visit(open, decided, matcher, visit)
    }

    fn each_open(
        &self,
        search: &Search,
        matcher: &Matcher<'_>,
        visit: impl FnMut(AskRecord) -> bool,
    ) -> Result<(), Failure> {
        let open = self.open(search)?;
        self.visit(open, || Ok(None), matcher, visit)
    }

    /// Counts the decided asks that fit, by what the index holds of them.
    fn count(
        &self,
        index: &Connection,
        search: &Search,
        matcher: &Matcher<'_>,
        tally: &mut Tally,
    ) -> Result<(), Failure> {
        let Some(candidates) = self.candidates(index, search, matcher)? else {
            return Ok(());
        };
        let names: HashMap<i64, String> = names(index)?.into_iter().collect();
        let named = |id: Option<i64>| id.and_then(|id| names.get(&id)).map(String::as_str);
        let columns = "a.opened_at, a.tool, a.status, a.channel, a.author, a.duration, a.fast, \
             a.server, a.client";
        let mut select = index.prepare_cached(&candidates.select(columns))?;
        let mut rows = select.query(params_from_iter(&candidates.values))?;
        while let Some(row) = rows.next()? {
            let status: usize = row.get(2)?;
            let channel: Option<usize> = row.get(3)?;
            let author: Option<i64> = row.get(4)?;
            tally.add(&Fact {
                opened_at: time_from_millis(row.get(0)?).map_err(Failure::Journal)?,
                server: named(row.get(7)?),
                tool: named(row.get(1)?),
                client: named(row.get(8)?),
                status: Status::ALL.get(status).copied().unwrap_or(Status::Pending),
                channel: channel.and_then(|number| match ChannelKind::OWN.get(number) {
                    Some(own) => Some(*own),
                    None => ChannelKind::author(named(author)?).ok(),
                }),
                duration_ms: row.get(5)?,
                fast: row.get(6)?,
            });
        }
        Ok(())
    }

    /// Reads the open asks and those that `decided` names, last opened first.
    fn visit(
        &self,
        mut open: Vec<Opened>,
        mut decided: impl FnMut() -> Result<Option<Opened>, Failure>,
        matcher: &Matcher<'_>,
        mut visit: impl FnMut(AskRecord) -> bool,
    ) -> Result<(), Failure> {
        let mut next = decided()?;
        loop {
            let of_open = match (open.last(), &next) {
                (None, None) => return Ok(()),
                (Some((opened, _)), Some((other, _))) => opened > other,
                (open, _) => open.is_some(),
            };
            let ask = if of_open {
                open.pop()
            } else {
                std::mem::replace(&mut next, decided()?)
            };
            let Some((_, id)) = ask else { return Ok(()) };
            let record = query::ask(self.journal, id).map_err(Failure::Journal)?;
            if let Some(record) = record.filter(|record| matcher.fits(record))
                && !visit(record)
            {
                return Ok(());
            }
        }
    }

    /// The open asks, first opened first, if they can be wanted.
    fn open(&self, search: &Search) -> Result<Vec<Opened>, Failure> {
        if !search.wants(Status::Pending) {
            return Ok(Vec::new());
        }
        let sql = "SELECT opened, id FROM asks WHERE decided IS NULL ORDER BY opened";
        self.read_opened(sql, search)
    }

    fn read_opened(&self, sql: &str, search: &Search) -> Result<Vec<Opened>, Failure> {
        let before = self.before(search)?;
        let read = || {
            self.journal
                .prepare_cached(sql)?
                .query_map([], |row| Ok((row.get(0)?, AskId::from_bytes(row.get(1)?))))?
                .collect::<rusqlite::Result<Vec<Opened>>>()
        };
        let mut asks = read().map_err(journal_failure)?;
        asks.retain(|(opened, _)| *opened < before);
        Ok(asks)
    }

    /// Asks opened from here on are not wanted.
    fn before(&self, search: &Search) -> Result<u64, Failure> {
        let Some(id) = search.before else {
            return Ok(u64::MAX >> 1);
        };
        let read = || {
            self.journal
                .prepare_cached("SELECT opened FROM asks WHERE id = ?")?
                .query_row([id.as_bytes()], |row| row.get(0))
                .optional()
        };
        let mut found = read().map_err(journal_failure)?;
        if search.seen_by.is_some() {
            let ask = query::ask(self.journal, id).map_err(Failure::Journal)?;
            found = found.filter(|_| ask.is_some_and(|ask| search.sees(&ask.origin)));
        }
        found.ok_or_else(|| Failure::Journal(crate::search::no_such_page(id)))
    }

    fn candidates(
        &self,
        index: &Connection,
        search: &Search,
        matcher: &Matcher<'_>,
    ) -> Result<Option<Candidates>, Failure> {
        let within = (self.head, self.before(search)?);
        Ok(Candidates::find(index, within, search, matcher)?)
    }
}

fn journal_failure(error: rusqlite::Error) -> Failure {
    Failure::Journal(read_error(error))
}

impl Failure {
    fn into_error(self) -> JournalError {
        match self {
            Self::Journal(error) => error,
            Self::Index(error) => read_error(error),
        }
    }
}
