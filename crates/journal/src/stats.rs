//! Counts over asks: how many, how they ended, how fast people were.

use crate::{AskRecord, Status};
use holdpoint_ask::ChannelKind;
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// How many days are counted apart at most: the latest ones.
const MAX_DAYS: usize = 366;

/// How many asks there were, by what, and how fast they were answered.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Stats {
    /// How many asks were counted.
    pub asks: u64,
    /// When the first of them was opened.
    pub first: Option<Timestamp>,
    /// When the last of them was opened.
    pub last: Option<Timestamp>,
    /// By the server and its tool that asked, most first; no name for an ask without a tool.
    pub by_tool: Vec<Count>,
    /// By their status, most first.
    pub by_outcome: Vec<Count>,
    /// By the channel that the answer came through, most first; those that no reply ended are not
    /// in it.
    pub by_channel: Vec<Count>,
    /// By the hour of the day in which they were opened, from 0 to 23.
    pub by_hour: Vec<u64>,
    /// By the day on which they were opened: every day from the first to the last, or the latest
    /// 366 of them.
    pub by_day: Vec<Day>,
    /// How long people took; none where nobody answered.
    pub response: Option<Response>,
    /// How many deadlines passed.
    pub timed_out: u64,
    /// How many answers came faster than a person can read.
    pub fast: u64,
}

/// How many asks share a tool, an outcome or a channel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Count {
    /// Whose tool it is: tools of two servers can have one name. None for what is no tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// Which one.
    pub name: Option<String>,
    /// How many.
    pub asks: u64,
}

/// How many asks were opened on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Day {
    /// The day.
    pub day: Date,
    /// How many.
    pub asks: u64,
}

/// How long it took from opening an ask to a person's reply. Answers given beforehand are not
/// counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Response {
    /// How many replies.
    pub answered: u64,
    /// Half of them took no longer.
    pub p50_ms: u64,
    /// Nine of ten took no longer.
    pub p90_ms: u64,
}

/// What is counted of one ask.
#[derive(Debug)]
pub struct Fact<'a> {
    /// When it was opened.
    pub opened_at: Timestamp,
    /// The server that asked.
    pub server: Option<&'a str>,
    /// Its tool that asked.
    pub tool: Option<&'a str>,
    /// How it stands.
    pub status: Status,
    /// The channel that the answer came through.
    pub channel: Option<ChannelKind>,
    /// How long it took from opening to decision.
    pub duration_ms: u64,
    /// Whether the answer came faster than a person can read.
    pub fast: bool,
}

impl<'a> Fact<'a> {
    /// What is counted of this ask.
    pub fn from_record(ask: &'a AskRecord) -> Self {
        let decision = ask.decision.as_ref();
        Self {
            opened_at: ask.opened_at,
            server: ask.origin.server.as_deref(),
            tool: ask.origin.tool.as_deref(),
            status: ask.status(),
            channel: decision.and_then(|decision| decision.channel),
            duration_ms: decision.map_or(0, |decision| decision.duration_ms),
            fast: decision.is_some_and(|decision| decision.fast),
        }
    }
}

/// A server and its tool.
type ToolName = (Option<String>, Option<String>);

/// Counts asks, one after another.
#[derive(Debug)]
pub struct Tally {
    zone: TimeZone,
    stats: Stats,
    tools: HashMap<ToolName, u64>,
    outcomes: BTreeMap<Status, u64>,
    channels: BTreeMap<ChannelKind, u64>,
    hours: [u64; 24],
    days: BTreeMap<Date, u64>,
    durations: Vec<u64>,
}

impl Tally {
    /// Starts at nothing; hours and days are those of this zone.
    pub fn new(zone: TimeZone) -> Self {
        Self {
            zone,
            stats: Stats::default(),
            tools: HashMap::new(),
            outcomes: BTreeMap::new(),
            channels: BTreeMap::new(),
            hours: [0; 24],
            days: BTreeMap::new(),
            durations: Vec::new(),
        }
    }

    /// Counts one ask.
    pub fn add(&mut self, fact: &Fact<'_>) {
        let stats = &mut self.stats;
        stats.asks += 1;
        let at = fact.opened_at;
        stats.first = Some(stats.first.map_or(at, |first| first.min(at)));
        stats.last = Some(stats.last.map_or(at, |last| last.max(at)));
        stats.timed_out += u64::from(fact.status == Status::TimedOut);
        stats.fast += u64::from(fact.fast);
        let tool = (fact.server.map(str::to_owned), fact.tool.map(str::to_owned));
        *self.tools.entry(tool).or_default() += 1;
        *self.outcomes.entry(fact.status).or_default() += 1;
        if let Some(channel) = fact.channel {
            *self.channels.entry(channel).or_default() += 1;
            if channel != ChannelKind::Preset {
                self.durations.push(fact.duration_ms);
            }
        }
        let local = self.zone.to_datetime(fact.opened_at);
        self.hours[local.hour().unsigned_abs() as usize % 24] += 1;
        *self.days.entry(local.date()).or_default() += 1;
    }

    /// Gives the counts.
    pub fn finish(mut self) -> Stats {
        self.durations.sort_unstable();
        Stats {
            by_tool: most_first(self.tools),
            by_outcome: most_first(named(self.outcomes, |status| status.as_str())),
            by_channel: most_first(named(self.channels, ChannelKind::as_str)),
            by_hour: self.hours.to_vec(),
            by_day: every_day(&self.days),
            response: percentile(&self.durations, 50)
                .zip(percentile(&self.durations, 90))
                .map(|(p50_ms, p90_ms)| Response {
                    answered: self.durations.len() as u64,
                    p50_ms,
                    p90_ms,
                }),
            ..self.stats
        }
    }
}

fn named<T>(
    counts: BTreeMap<T, u64>,
    name: impl Fn(&T) -> &str,
) -> impl Iterator<Item = (ToolName, u64)> {
    let named = counts.into_iter();
    named.map(move |(what, asks)| ((None, Some(name(&what).to_owned())), asks))
}

fn most_first(counts: impl IntoIterator<Item = (ToolName, u64)>) -> Vec<Count> {
    let count = |((server, name), asks)| Count { server, name, asks };
    let mut counts: Vec<_> = counts.into_iter().map(count).collect();
    counts.sort_by(|a, b| {
        let by_name = || (&a.name, &a.server).cmp(&(&b.name, &b.server));
        b.asks.cmp(&a.asks).then_with(by_name)
    });
    counts
}

/// Every day from the first to the last, those without asks too.
fn every_day(days: &BTreeMap<Date, u64>) -> Vec<Day> {
    let (Some((first, _)), Some((last, _))) = (days.first_key_value(), days.last_key_value())
    else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut day = *last;
    while day >= *first && found.len() < MAX_DAYS {
        let asks = days.get(&day).copied().unwrap_or_default();
        found.push(Day { day, asks });
        let Ok(before) = day.yesterday() else { break };
        day = before;
    }
    found.reverse();
    found
}

/// The value that this percentage of the sorted values does not exceed.
fn percentile(sorted: &[u64], percent: usize) -> Option<u64> {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.checked_sub(1)?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_occurred() {
        let check = |values: &[u64], p50, p90| {
            assert_eq!(percentile(values, 50), p50, "{values:?}");
            assert_eq!(percentile(values, 90), p90, "{values:?}");
        };
        check(&[], None, None);
        check(&[7], Some(7), Some(7));
        check(&[1, 2], Some(1), Some(2));
        check(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], Some(5), Some(9));
    }

    #[test]
    fn hours_and_days_are_local() {
        let mut tally = Tally::new(TimeZone::fixed(jiff::tz::offset(2)));
        for time in [
            "2026-11-01T21:59:00Z",
            "2026-11-01T22:00:00Z",
            "2026-11-03T23:30:00Z",
        ] {
            tally.add(&Fact {
                opened_at: time.parse().unwrap(),
                server: None,
                tool: None,
                status: Status::Pending,
                channel: None,
                duration_ms: 0,
                fast: false,
            });
        }
        let stats = tally.finish();
        let hours: Vec<_> = (0..24).filter(|hour| stats.by_hour[*hour] > 0).collect();
        assert_eq!(hours, [0, 1, 23]);
        let days: Vec<_> = stats
            .by_day
            .iter()
            .map(|day| (day.day.day(), day.asks))
            .collect();
        assert_eq!(days, [(1, 1), (2, 1), (3, 0), (4, 1)]);
        assert_eq!(stats.response, None);
    }
}
