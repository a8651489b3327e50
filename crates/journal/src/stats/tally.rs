//! Counting asks, one after another.

use super::{Count, Day, Ended, Response, Stats};
use crate::{AskRecord, Status};
use holdpoint_ask::ChannelKind;
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use std::{
    collections::{BTreeMap, HashMap},
    hash::Hash,
};

/// How many days are counted apart at most: the latest ones.
const MAX_DAYS: usize = 366;

/// What is counted of one ask.
#[derive(Debug)]
pub struct Fact<'a> {
    /// When it was opened.
    pub opened_at: Timestamp,
    /// The server that asked.
    pub server: Option<&'a str>,
    /// Its tool that asked.
    pub tool: Option<&'a str>,
    /// The agent's client that asked.
    pub client: Option<&'a str>,
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
            client: ask.origin.client.as_deref(),
            status: ask.status(),
            channel: decision.and_then(|decision| decision.channel),
            duration_ms: decision.map_or(0, |decision| decision.duration_ms),
            fast: decision.is_some_and(|decision| decision.fast),
        }
    }
}

/// Counts asks, one after another.
#[derive(Debug)]
pub struct Tally {
    zone: TimeZone,
    stats: Stats,
    all: Group,
    names: Names,
    tools: HashMap<(Name, Name), Group>,
    servers: HashMap<Name, Group>,
    clients: HashMap<Name, Group>,
    outcomes: HashMap<Status, Group>,
    channels: HashMap<ChannelKind, Group>,
    hours: [u64; 24],
    days: BTreeMap<Date, Group>,
}

impl Tally {
    /// Starts at nothing; hours and days are those of this zone.
    pub fn new(zone: TimeZone) -> Self {
        Self {
            zone,
            stats: Stats::default(),
            all: Group::default(),
            names: Names::default(),
            tools: HashMap::new(),
            servers: HashMap::new(),
            clients: HashMap::new(),
            outcomes: HashMap::new(),
            channels: HashMap::new(),
            hours: [0; 24],
            days: BTreeMap::new(),
        }
    }

    /// Counts one ask.
    pub fn add(&mut self, fact: &Fact<'_>) {
        let stats = &mut self.stats;
        let at = fact.opened_at;
        stats.first = Some(stats.first.map_or(at, |first| first.min(at)));
        stats.last = Some(stats.last.map_or(at, |last| last.max(at)));
        stats.fast += u64::from(fact.fast);
        let server = self.names.number(fact.server);
        let tool = self.names.number(fact.tool);
        let client = self.names.number(fact.client);
        let local = self.zone.to_datetime(fact.opened_at);
        self.hours[local.hour().unsigned_abs() as usize % 24] += 1;
        self.all.add(fact);
        self.tools.entry((server, tool)).or_default().add(fact);
        self.servers.entry(server).or_default().add(fact);
        self.clients.entry(client).or_default().add(fact);
        self.outcomes.entry(fact.status).or_default().add(fact);
        if let Some(channel) = fact.channel {
            self.channels.entry(channel).or_default().add(fact);
        }
        self.days.entry(local.date()).or_default().add(fact);
    }

    /// Gives the counts.
    pub fn finish(self) -> Stats {
        let names = &self.names;
        Stats {
            asks: self.all.asks,
            by_tool: most_first(self.tools, |(server, tool)| {
                (names.name(server), names.name(tool))
            }),
            by_server: most_first(self.servers, |server| (None, names.name(server))),
            by_client: most_first(self.clients, |client| (None, names.name(client))),
            by_outcome: most_first(self.outcomes, |status| {
                (None, Some(status.as_str().to_owned()))
            }),
            by_channel: most_first(self.channels, |channel| {
                (None, Some(channel.as_str().to_owned()))
            }),
            by_hour: self.hours.to_vec(),
            by_day: every_day(self.days),
            ended: self.all.finish(),
            ..self.stats
        }
    }
}

/// Asks that are counted together.
#[derive(Debug, Default)]
struct Group {
    asks: u64,
    ended: u64,
    accepted: u64,
    timed_out: u64,
    durations: Vec<u64>,
}

impl Group {
    fn add(&mut self, fact: &Fact<'_>) {
        self.asks += 1;
        self.ended += u64::from(fact.status != Status::Pending);
        self.accepted += u64::from(fact.status == Status::Accepted);
        self.timed_out += u64::from(fact.status == Status::TimedOut);
        if fact
            .channel
            .is_some_and(|through| through != ChannelKind::Preset)
        {
            self.durations.push(fact.duration_ms);
        }
    }

    fn finish(mut self) -> Ended {
        self.durations.sort_unstable();
        let rate = |part: u64| (self.ended > 0).then(|| rate(part, self.ended));
        Ended {
            asks: self.ended,
            accepted: self.accepted,
            timed_out: self.timed_out,
            success_rate: rate(self.accepted),
            timed_out_rate: rate(self.timed_out),
            response: response(&self.durations),
        }
    }
}

/// A part of all, to four places.
fn rate(part: u64, all: u64) -> f64 {
    (part as f64 / all as f64 * 10_000.0).round() / 10_000.0
}

/// How long people took, by these times in order.
fn response(sorted: &[u64]) -> Option<Response> {
    let answered = sorted.len() as u64;
    let all: u128 = sorted.iter().map(|millis| u128::from(*millis)).sum();
    Some(Response {
        answered,
        p50_ms: percentile(sorted, 50)?,
        p90_ms: percentile(sorted, 90)?,
        mean_ms: u64::try_from(all / u128::from(answered)).unwrap_or(u64::MAX),
    })
}

/// Which name it is; 0 where there is none.
type Name = usize;

/// Names by numbers, which are compared faster.
#[derive(Debug, Default)]
struct Names {
    numbers: HashMap<String, Name>,
    names: Vec<String>,
}

impl Names {
    fn number(&mut self, name: Option<&str>) -> Name {
        let Some(name) = name else { return 0 };
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), self.names.len());
        self.names.len()
    }

    fn name(&self, number: Name) -> Option<String> {
        self.names.get(number.checked_sub(1)?).cloned()
    }
}

fn most_first<K: Hash>(
    groups: HashMap<K, Group>,
    name: impl Fn(K) -> (Option<String>, Option<String>),
) -> Vec<Count> {
    let count = |(key, group): (K, Group)| {
        let (server, name) = name(key);
        Count {
            server,
            name,
            asks: group.asks,
            ended: group.finish(),
        }
    };
    let mut counts: Vec<_> = groups.into_iter().map(count).collect();
    counts.sort_by(|a, b| {
        let by_name = || (&a.name, &a.server).cmp(&(&b.name, &b.server));
        b.asks.cmp(&a.asks).then_with(by_name)
    });
    counts
}

/// Every day from the first to the last, those without asks too.
fn every_day(mut days: BTreeMap<Date, Group>) -> Vec<Day> {
    let day = |(day, _): (&Date, &Group)| *day;
    let (Some(first), Some(mut day)) = (
        days.first_key_value().map(day),
        days.last_key_value().map(day),
    ) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    while day >= first && found.len() < MAX_DAYS {
        let group = days.remove(&day).unwrap_or_default();
        found.push(Day {
            day,
            asks: group.asks,
            ended: group.finish(),
        });
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
                client: None,
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
        assert_eq!(stats.ended, Ended::default());
    }
}
