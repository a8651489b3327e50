//! Finding and counting asks. What the index names is read from the record and checked again.

use super::{SearchIndex, candidates::Candidates, names, wanted::Wanted};
use crate::{
    AskRecord, Found, JournalError, Search, Stats, Status,
    postgres::{
        query::{self, select, select_asks},
        select_rows::{column, number, uuid},
        sql_error::read_error,
    },
    rules::event_body::time_from_millis,
    search::{Matcher, millis_from, no_such_page},
    stats::{Fact, Tally},
};
use deadpool_postgres::{Client, Transaction};
use futures::{TryStreamExt as _, pin_mut};
use jiff::tz::TimeZone;
use tokio_postgres::{Row, types::Type};

/// How many rows are counted before others get their turn on this thread.
const TURN: usize = 1_000;

pub(in crate::postgres) async fn search(
    client: &mut Client,
    index: &SearchIndex,
    search: &Search,
) -> Result<Found, JournalError> {
    let matcher = Matcher::new(search);
    let view = View::open(client, index, search).await?;
    let wanted = view.wanted(search, &matcher).await?;
    let mut found = Found::default();
    view.each(wanted.as_ref(), search, &matcher, |record| {
        found.push(record, search.limit)
    })
    .await?;
    Ok(found)
}

pub(in crate::postgres) async fn stats(
    client: &mut Client,
    index: &SearchIndex,
    search: &Search,
    zone: &TimeZone,
) -> Result<Stats, JournalError> {
    let matcher = Matcher::new(search);
    let view = View::open(client, index, search).await?;
    let wanted = view.wanted(search, &matcher).await?;
    let unlimited = Search {
        limit: None,
        ..search.clone()
    };
    let mut tally = Tally::new(zone.clone());
    // Where the index says exactly what fits, what it holds of each ask is all that is counted.
    let (exact, checked) = match &wanted {
        Some(wanted) if wanted.is_exact => (Some(wanted), None),
        wanted => (None, wanted.as_ref()),
    };
    view.each(checked, &unlimited, &matcher, |record| {
        tally.add(&Fact::from_record(&record));
        true
    })
    .await?;
    if let Some(wanted) = exact {
        view.count(wanted, &mut tally).await?;
    }
    Ok(tally.finish())
}

/// The record and its index at one moment, as far back as a search pages.
struct View<'a> {
    snapshot: Transaction<'a>,
    /// Up to which event the index is filled, if it can be used.
    filled: Option<u64>,
    /// Asks that this event or a later one opened are not wanted.
    before: i64,
}

impl<'a> View<'a> {
    async fn open(
        client: &'a mut Client,
        index: &SearchIndex,
        search: &Search,
    ) -> Result<Self, JournalError> {
        let (snapshot, filled) = index.snapshot(client).await?;
        let before = before(&snapshot, search).await?;
        Ok(Self {
            snapshot,
            filled,
            before,
        })
    }

    /// What a search asks of the index; none where that cannot be used, or can have nothing that fits.
    async fn wanted(
        &self,
        search: &Search,
        matcher: &Matcher<'_>,
    ) -> Result<Option<Wanted>, JournalError> {
        if self.filled.is_none() {
            return Ok(None);
        }
        let mut wanted = Wanted::new("index_asks", "opened");
        if let Some(caller) = &search.seen_by {
            wanted.scope("principal", Some(&caller.principal));
            wanted.scope("workspace", caller.workspace.as_deref());
            wanted.scope("server", caller.server.as_deref());
        }
        if let Some(since) = search.since {
            wanted.add("a.opened_at >= ?", millis_from(since));
        }
        if let Some(until) = search.until {
            wanted.add("a.opened_at < ?", millis_from(until));
        }
        if let Some(least) = search.slower_than {
            wanted.add("a.duration > ?", column(least.as_millis()));
        }
        if let Some(channel) = &search.channel {
            let numbers = names::numbers_of(&self.snapshot, [channel.as_str()]).await?;
            wanted.numbered("channel", numbers);
        }
        if !search.status.is_empty() {
            let words = search.status.iter().map(|status| status.as_str());
            let numbers = names::numbers_of(&self.snapshot, words).await?;
            wanted.numbered("status", numbers);
        }
        if search.server.is_some() || search.tool.is_some() || search.client.is_some() {
            let names = names::all(&self.snapshot).await?;
            let fitting = |fits: &dyn Fn(&str) -> bool| {
                let fitting = names.iter().filter(|(_, name)| fits(name));
                fitting.map(|(number, _)| *number).collect()
            };
            if search.server.is_some() {
                let fits = |name: &str| matcher.fits_server(Some(name));
                wanted.numbered("server", fitting(&fits));
            }
            if search.tool.is_some() {
                let fits = |name: &str| matcher.fits_tool(Some(name));
                wanted.numbered("tool", fitting(&fits));
            }
            if search.client.is_some() {
                let fits = |name: &str| matcher.fits_client(Some(name));
                wanted.numbered("client", fitting(&fits));
            }
        }
        wanted.words(&matcher.words);
        Ok(wanted.can_fit.then_some(wanted))
    }

    /// Visits every ask that fits, last opened first, until the visitor has enough; of the index those that are
    /// wanted of it.
    async fn each(
        &self,
        wanted: Option<&Wanted>,
        search: &Search,
        matcher: &Matcher<'_>,
        mut visit: impl FnMut(AskRecord) -> bool,
    ) -> Result<(), JournalError> {
        let others = self.not_indexed(search).await?;
        let key = (self.before, Type::INT8);
        let mut candidates = Candidates::new(&self.snapshot, wanted, others, key, search.limit);
        loop {
            let opened = candidates.next().await?;
            if opened.is_empty() {
                return Ok(());
            }
            let rest = "WHERE a.opened = ANY($1) ORDER BY a.opened DESC";
            let records = select_asks(&self.snapshot, rest, &[&opened]).await?;
            for record in records {
                if matcher.fits(&record) && !visit(record) {
                    return Ok(());
                }
            }
        }
    }

    /// The asks that are open, if they can be wanted, or were decided behind what the index holds; the first
    /// opened first.
    async fn not_indexed(&self, search: &Search) -> Result<Vec<i64>, JournalError> {
        let sql = "
            SELECT a.opened FROM holdpoint.asks a
            WHERE a.decided IS NULL AND a.opened < $1 AND $3
            UNION
            SELECT a.opened FROM holdpoint.events d
            JOIN holdpoint.asks a ON a.id = d.ask AND a.decided = d.seq
            WHERE d.seq > $2 AND d.kind = 'decided' AND a.opened < $1
            ORDER BY 1";
        let found = select(
            &self.snapshot,
            sql,
            &[
                &self.before,
                &column(self.filled.unwrap_or_default()),
                &search.wants(Status::Pending),
            ],
        )
        .await?;
        Ok(found.iter().map(|row| row.get(0)).collect())
    }

    /// Counts what is wanted of the index.
    async fn count(&self, wanted: &Wanted, tally: &mut Tally) -> Result<(), JournalError> {
        let names = names::all(&self.snapshot).await?;
        let sql = wanted.columns(
            "a.opened_at, a.duration, a.fast, a.status, a.channel, a.server, a.tool, a.client",
        );
        let values = wanted.values((&self.before, Type::INT8), &i64::MAX);
        let rows = self.snapshot.query_typed_raw(&sql, values).await;
        let rows = rows.map_err(read_error)?;
        pin_mut!(rows);
        let mut counted = 0;
        while let Some(row) = rows.try_next().await.map_err(read_error)? {
            let name = |place| {
                let number: Option<i32> = row.get(place);
                number.and_then(|number| names.get(&number))
            };
            tally.add(&Fact {
                opened_at: time_from_millis(row.get(0))?,
                duration_ms: number(row.get(1))?,
                fast: row.get(2),
                status: name(3)
                    .and_then(|word| Status::parse(word))
                    .unwrap_or(Status::Pending),
                channel: name(4).and_then(|word| word.parse().ok()),
                server: name(5).map(String::as_str),
                tool: name(6).map(String::as_str),
                client: name(7).map(String::as_str),
            });
            counted += 1;
            if counted % TURN == 0 {
                tokio::task::yield_now().await;
            }
        }
        Ok(())
    }
}

/// The event that opened the ask to page back from.
async fn before(snapshot: &Transaction<'_>, search: &Search) -> Result<i64, JournalError> {
    let Some(id) = search.before else {
        return Ok(i64::MAX);
    };
    let sql = "SELECT opened FROM holdpoint.asks WHERE id = $1";
    let found = select(snapshot, sql, &[&uuid(id.as_bytes())]).await?;
    let mut opened = found.first().map(|row: &Row| row.get(0));
    if search.seen_by.is_some() {
        let ask = query::ask(snapshot, id).await?;
        opened = opened.filter(|_| ask.is_some_and(|ask| search.sees(&ask.origin)));
    }
    opened.ok_or_else(|| no_such_page(id))
}
