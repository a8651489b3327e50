//! Which asks of the index a search has to look at.

use super::fill::{author, channel_number, status_number};
use crate::{
    Search,
    search::{
        Matcher, millis_from,
        text::{Part, parts},
    },
};
use holdpoint_ask::Origin;
use rusqlite::{Connection, types::Value};

/// Where a part of a word is in more terms than this, checking every ask is faster.
const MAX_TERMS: usize = 2000;

/// A question to the index: which of its asks to look at.
#[derive(Default)]
pub(super) struct Candidates {
    text: Option<String>,
    conditions: Vec<String>,
    pub values: Vec<Value>,
}

impl Candidates {
    /// Which of the index's asks to check; none where none can fit.
    /// Those decided up to the event `head` and opened before the event `before`.
    pub fn find(
        index: &Connection,
        (head, before): (u64, u64),
        search: &Search,
        matcher: &Matcher<'_>,
    ) -> rusqlite::Result<Option<Self>> {
        let mut wanted = Self::default();
        wanted.add("a.decided <= ?", Value::Integer(head.cast_signed()));
        wanted.add("a.opened < ?", Value::Integer(before.cast_signed()));
        let names = names(index)?;
        if let Some(caller) = &search.seen_by {
            let fits = wanted.seen_by(caller, &names);
            if !fits {
                return Ok(None);
            }
        }
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

    /// Only those that this caller may see; false where the index has none from there.
    fn seen_by(&mut self, caller: &Origin, names: &[(i64, String)]) -> bool {
        let number = |name: &str| names.iter().find(|(_, its)| its == name).map(|(id, _)| *id);
        for (column, name) in [
            ("a.principal", Some(caller.principal.as_str())),
            ("a.workspace", caller.workspace.as_deref()),
            ("a.server", caller.server.as_deref()),
        ] {
            match name.map(number) {
                None => self.conditions.push(format!("{column} IS NULL")),
                Some(None) => return false,
                Some(Some(number)) => self.add(&format!("{column} = ?"), Value::Integer(number)),
            }
        }
        true
    }

    fn add(&mut self, condition: &str, value: Value) {
        self.conditions.push(condition.to_owned());
        self.values.push(value);
    }

    fn one_of(&mut self, column: &str, numbers: impl Iterator<Item = i64>) {
        let numbers: Vec<_> = numbers.map(|number| number.to_string()).collect();
        let condition = format!("{column} IN ({})", numbers.join(", "));
        self.conditions.push(condition);
    }

    pub fn select(&self, columns: &str) -> String {
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
