//! Finding asks by the index. What it names is read from the journal and checked again.

use super::{
    fill::{Failure, author, channel_number, fill, status_number},
    filled, is_damage, open, remove,
};
use crate::{
    AskRecord, Found, JournalError, Search, Stats, Status,
    rules::event_body::time_from_millis,
    search::{
        Matcher,
        text::{Part, parts},
    },
    sqlite::{query, sql_error::read_error},
    stats::{Fact, Tally},
};
use holdpoint_ask::{AskId, ChannelKind};
use jiff::{Timestamp, tz::TimeZone};
use rusqlite::{Connection, OptionalExtension as _, params_from_iter, types::Value};
use std::{collections::HashMap, path::Path};

/// Where a part of a word is in more terms than this, checking every ask is faster.
const MAX_TERMS: usize = 2000;

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
        let columns =
            "a.opened_at, a.tool, a.status, a.channel, a.author, a.duration, a.fast, a.server";
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
        let found = read().map_err(journal_failure)?;
        found.ok_or_else(|| Failure::Journal(crate::search::no_such_page(id)))
    }

    /// Which of the index's asks to check; none where none can fit.
    fn candidates(
        &self,
        index: &Connection,
        search: &Search,
        matcher: &Matcher<'_>,
    ) -> Result<Option<Candidates>, Failure> {
        let mut wanted = Candidates::default();
        wanted.add("a.decided <= ?", Value::Integer(self.head.cast_signed()));
        wanted.add(
            "a.opened < ?",
            Value::Integer(self.before(search)?.cast_signed()),
        );
        if let Some(since) = search.since {
            wanted.add("a.opened_at >= ?", Value::Integer(millis_from(since)));
        }
        if let Some(until) = search.until {
            wanted.add("a.opened_at < ?", Value::Integer(millis_from(until)));
        }
        if let Some(least) = search.slower_than {
            let least = i64::try_from(least.as_millis()).unwrap_or(i64::MAX);
            wanted.add("a.duration > ?", Value::Integer(least));
        }
        if let Some(channel) = search.channel {
            let number = channel_number(channel) as i64;
            wanted.add("a.channel = ?", Value::Integer(number));
        }
        if !search.status.is_empty() {
            let numbers = search
                .status
                .iter()
                .map(|status| status_number(*status) as i64);
            wanted.one_of("a.status", numbers);
        }
        let names = names(index)?;
        type Fits<'a> = &'a dyn Fn(&str) -> bool;
        let channel = search.channel.as_ref().and_then(author);
        let by_name: [(bool, &str, Fits<'_>); 4] = [
            (search.server.is_some(), "a.server", &|name| {
                matcher.fits_server(Some(name))
            }),
            (search.tool.is_some(), "a.tool", &|name| {
                matcher.fits_tool(Some(name))
            }),
            (search.client.is_some(), "a.client", &|name| {
                matcher.fits_client(Some(name))
            }),
            (channel.is_some(), "a.author", &|name| channel == Some(name)),
        ];
        for (asked, column, fits) in by_name {
            if asked {
                let fitting = names.iter().filter(|(_, name)| fits(name));
                wanted.one_of(column, fitting.map(|(id, _)| *id));
            }
        }
        let mut texts = Vec::new();
        for part in matcher.words.iter().flat_map(|word| parts(word)) {
            match terms(index, &part)? {
                None => {}
                Some(terms) if terms.is_empty() => return Ok(None),
                Some(terms) => texts.push(format!("({})", terms.join(" OR "))),
            }
        }
        wanted.text = (!texts.is_empty()).then(|| texts.join(" AND "));
        if let Some(text) = &wanted.text {
            wanted.values.insert(0, Value::Text(text.clone()));
        }
        Ok(Some(wanted))
    }
}

/// A question to the index.
#[derive(Default)]
struct Candidates {
    text: Option<String>,
    conditions: Vec<String>,
    values: Vec<Value>,
}

impl Candidates {
    fn add(&mut self, condition: &str, value: Value) {
        self.conditions.push(condition.to_owned());
        self.values.push(value);
    }

    fn one_of(&mut self, column: &str, numbers: impl Iterator<Item = i64>) {
        let numbers: Vec<_> = numbers.map(|number| number.to_string()).collect();
        let condition = format!("{column} IN ({})", numbers.join(", "));
        self.conditions.push(condition);
    }

    fn select(&self, columns: &str) -> String {
        let conditions = self.conditions.join(" AND ");
        match &self.text {
            Some(_) => format!(
                "SELECT {columns} FROM texts CROSS JOIN asks a ON a.opened = texts.rowid
                 WHERE texts MATCH ? AND {conditions} ORDER BY texts.rowid DESC"
            ),
            None => {
                format!("SELECT {columns} FROM asks a WHERE {conditions} ORDER BY a.opened DESC")
            }
        }
    }
}

/// The first whole millisecond that is not before this.
pub(super) fn millis_from(time: Timestamp) -> i64 {
    let millis = time.as_millisecond();
    let whole = Timestamp::from_millisecond(millis).is_ok_and(|whole| whole >= time);
    if whole { millis } else { millis + 1 }
}

/// The terms that this part can belong to, in quotes; none where they are too many to help.
pub(super) fn terms(index: &Connection, part: &Part<'_>) -> rusqlite::Result<Option<Vec<String>>> {
    let from = if part.starts { part.run } else { "" };
    let mut select =
        index.prepare_cached("SELECT term FROM terms WHERE term >= ? ORDER BY term")?;
    let mut rows = select.query([from])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let term = row.get_ref(0)?.as_str()?;
        if part.starts && !term.starts_with(part.run) {
            break;
        }
        if part.fits(term) {
            if found.len() == MAX_TERMS {
                return Ok(None);
            }
            found.push(format!("\"{term}\""));
        }
    }
    Ok(Some(found))
}

pub(super) fn names(index: &Connection) -> rusqlite::Result<Vec<(i64, String)>> {
    index
        .prepare_cached("SELECT id, name FROM names")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect()
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
