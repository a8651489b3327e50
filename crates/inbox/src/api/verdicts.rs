//! Counts what was decided, in the words of the asks: "Changes requested", where the protocol only knows an answer.

use crate::server::Page;
use holdpoint::{
    describe,
    field::Tone,
    journal::{AskRecord, JournalError, Search},
};
use jiff::{civil::Date, tz::TimeZone};
use serde::Serialize;
use std::collections::BTreeMap;

/// How many asks are read at once, and at most: the latest.
const CHUNK: usize = 500;
const MOST: usize = 5_000;
/// Words beyond these are counted as others.
const MOST_WORDS: usize = 7;
const OTHERS: &str = "Others";

/// What was decided, counted.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Verdicts {
    /// Most first.
    by_verdict: Vec<Verdict>,
    /// The same by the day on which they were asked.
    verdicts_by_day: BTreeMap<Date, BTreeMap<String, u64>>,
    /// There are more asks than these.
    verdicts_of_latest: Option<usize>,
}

#[derive(Debug, Clone, Serialize)]
struct Verdict {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tone: Option<&'static str>,
    asks: u64,
}

impl Page {
    /// What was decided on the asks that this search finds.
    pub(crate) async fn verdicts(&self, search: &Search) -> Result<Verdicts, JournalError> {
        let mut facts = Vec::new();
        let mut before = None;
        let mut more = true;
        while more && facts.len() < MOST {
            let search = Search {
                before,
                limit: Some(CHUNK),
                ..search.clone()
            };
            let found = self.desk().journal().search(search).await?;
            facts.extend(found.asks.iter().map(fact));
            before = found.asks.last().map(|ask| ask.id);
            more = found.more;
        }
        Ok(count(facts, more))
    }
}

type Fact = (Date, String, Option<&'static str>);

fn fact(record: &AskRecord) -> Fact {
    let day = TimeZone::system().to_datetime(record.opened_at).date();
    let Some(decision) = &record.decision else {
        return (day, "Open".to_owned(), Some("open"));
    };
    let (words, tone) = describe::verdict(&record.ask.form, decision);
    let tone = tone.map(|tone| match tone {
        Tone::Go => "go",
        Tone::Hold => "hold",
        Tone::Stop => "stop",
    });
    (day, words, tone)
}

fn count(facts: Vec<Fact>, more: bool) -> Verdicts {
    let mut words: BTreeMap<&str, (u64, Option<&'static str>)> = BTreeMap::new();
    for (_, name, tone) in &facts {
        let counted = words.entry(name).or_insert((0, *tone));
        counted.0 += 1;
    }
    let verdict = |(name, (asks, tone)): (&str, (u64, Option<&'static str>))| Verdict {
        name: name.to_owned(),
        tone,
        asks,
    };
    let mut by_verdict: Vec<Verdict> = words.into_iter().map(verdict).collect();
    by_verdict.sort_by(|one, other| {
        let by_name = || one.name.cmp(&other.name);
        other.asks.cmp(&one.asks).then_with(by_name)
    });
    if by_verdict.len() > MOST_WORDS {
        let rest = by_verdict.split_off(MOST_WORDS - 1);
        by_verdict.push(Verdict {
            name: OTHERS.to_owned(),
            tone: None,
            asks: rest.iter().map(|verdict| verdict.asks).sum(),
        });
    }
    let known = |name: &str| by_verdict.iter().any(|verdict| verdict.name == name);
    let mut verdicts_by_day: BTreeMap<Date, BTreeMap<String, u64>> = BTreeMap::new();
    let latest = facts.len();
    for (day, name, _) in facts {
        let name = if known(&name) {
            name
        } else {
            OTHERS.to_owned()
        };
        *verdicts_by_day
            .entry(day)
            .or_default()
            .entry(name)
            .or_default() += 1;
    }
    Verdicts {
        by_verdict,
        verdicts_by_day,
        verdicts_of_latest: more.then_some(latest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_words_are_counted_together() {
        let day = Date::constant(2026, 11, 18);
        let facts = (0..10_usize).flat_map(|word| {
            let one = (day, format!("word {word}"), None);
            std::iter::repeat_n(one, 20 - word)
        });
        let counted = count(facts.collect(), false);
        let names: Vec<_> = counted
            .by_verdict
            .iter()
            .map(|one| one.name.as_str())
            .collect();
        assert_eq!(names.len(), MOST_WORDS);
        assert_eq!((names[0], names[MOST_WORDS - 1]), ("word 0", OTHERS));
        let rest = 14 + 13 + 12 + 11;
        assert_eq!(counted.by_verdict[MOST_WORDS - 1].asks, rest);
        assert_eq!(counted.verdicts_by_day[&day][OTHERS], rest);
    }
}
