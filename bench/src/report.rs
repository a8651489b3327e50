//! The table, the ratios against the targets, and the JSON.

use crate::{measure::Load, process, servers::Server};
use serde_json::{Value, json};
use std::{fmt, path::Path, time::Duration};

/// What came of a run.
pub struct Report {
    /// The machine and its disk.
    machine: String,
    disk: String,
    date: String,
    /// The disk's own time to make a write durable, in each round.
    pub syncs: Vec<Duration>,
    /// The servers.
    pub subjects: Vec<Subject>,
}

/// What was measured of one server.
pub struct Subject {
    /// Which.
    pub server: Server,
    /// In the order of rounds, the windows in turn.
    pub loads: Vec<Load>,
    /// Start-up times.
    pub starts: Vec<Duration>,
    /// Start-up times with a journal that had to be made.
    pub first_starts: Vec<Duration>,
    /// Bytes per open ask.
    pub parked: Option<f64>,
}

/// A figure that is to be reached.
struct Target {
    what: &'static str,
    wanted: String,
    value: Option<f64>,
    met: Option<bool>,
}

impl Report {
    /// Nothing measured yet.
    pub fn new(folder: &Path) -> anyhow::Result<Self> {
        Ok(Self {
            machine: process::machine(),
            disk: process::file_system(folder)?,
            date: jiff::Zoned::now().date().to_string(),
            syncs: Vec::new(),
            subjects: Vec::new(),
        })
    }

    fn subject(&self, server: Server) -> Option<&Subject> {
        self.subjects
            .iter()
            .find(|subject| subject.server == server)
    }

    /// The middle of the rounds' ratios: both sides of one were measured right after each other.
    fn rate_ratio(&self, window: usize, other: Server) -> Option<f64> {
        let own = self.subject(Server::Holdpoint)?.rates(window);
        let other = self.subject(other)?.rates(window);
        median(own.iter().zip(&other).map(|(own, other)| own / other))
    }

    fn targets(&self) -> Vec<Target> {
        let rate = |what, window, other, least: f64| {
            let value = self.rate_ratio(window, other);
            Target {
                what,
                wanted: format!("at least {least} x"),
                value,
                met: value.map(|value| value >= least),
            }
        };
        let start = self.ratio_of(Server::TypeScript, Subject::start);
        let more = self.more_parked();
        vec![
            rate("rate, 64 in flight / plain rmcp", 64, Server::Rmcp, 0.4),
            rate(
                "rate, 64 in flight / typescript",
                64,
                Server::TypeScript,
                8.0,
            ),
            rate("rate, 64 in flight / fastmcp", 64, Server::FastMcp, 30.0),
            rate("rate, 1 in flight / typescript", 1, Server::TypeScript, 1.5),
            Target {
                what: "start-up / typescript",
                wanted: "under 0.1 x".into(),
                value: start,
                met: start.map(|start| start < 0.1),
            },
            Target {
                what: "KiB per open ask over plain rmcp",
                wanted: "at most 8".into(),
                value: more,
                met: more.map(|more| more <= 8.0),
            },
        ]
    }

    fn ratio_of(&self, other: Server, of: impl Fn(&Subject) -> Option<f64>) -> Option<f64> {
        Some(of(self.subject(Server::Holdpoint)?)? / of(self.subject(other)?)?)
    }

    fn more_parked(&self) -> Option<f64> {
        let own = self.subject(Server::Holdpoint)?.parked?;
        let plain = self.subject(Server::Rmcp)?.parked?;
        Some((own - plain) / 1024.0)
    }

    fn sync_ms(&self) -> Option<f64> {
        median(self.syncs.iter().map(|sync| sync.as_secs_f64() * 1e3))
    }

    /// All of it.
    pub fn json(&self) -> Value {
        json!({
            "date": self.date,
            "machine": self.machine,
            "disk": self.disk,
            "syncMs": self.sync_ms(),
            "servers": self.subjects.iter().map(Subject::json).collect::<Vec<_>>(),
            "targets": self.targets().iter().map(|target| json!({
                "what": target.what,
                "wanted": target.wanted,
                "value": target.value,
                "met": target.met,
            })).collect::<Vec<_>>(),
        })
    }
}

impl Subject {
    /// Nothing measured yet.
    pub fn new(server: Server) -> Self {
        Self {
            server,
            loads: Vec::new(),
            starts: Vec::new(),
            first_starts: Vec::new(),
            parked: None,
        }
    }

    /// Its name in the table.
    pub fn name(&self) -> &'static str {
        self.server.name()
    }

    fn loads(&self, window: usize) -> impl Iterator<Item = &Load> {
        self.loads.iter().filter(move |load| load.window == window)
    }

    fn rates(&self, window: usize) -> Vec<f64> {
        self.loads(window).map(|load| load.rate).collect()
    }

    fn rate(&self, window: usize) -> Option<f64> {
        median(self.rates(window))
    }

    fn cpu_us(&self, window: usize) -> Option<f64> {
        median(self.loads(window).map(|load| load.cpu_us))
    }

    /// The time that this share of the calls kept, in milliseconds, in the middle round.
    fn latency(&self, window: usize, share: f64) -> Option<f64> {
        median(self.loads(window).filter_map(|load| {
            let last = load.latencies.len().checked_sub(1)?;
            let at = (last as f64 * share).round() as usize;
            Some(f64::from(load.latencies[at]) / 1e3)
        }))
    }

    fn start(&self) -> Option<f64> {
        median(self.starts.iter().map(|time| time.as_secs_f64() * 1e3))
    }

    fn first_start(&self) -> Option<f64> {
        median(
            self.first_starts
                .iter()
                .map(|time| time.as_secs_f64() * 1e3),
        )
    }

    fn json(&self) -> Value {
        let windows = [1, 64].map(|window| {
            json!({
                "window": window,
                "rate": self.rate(window),
                "rates": self.rates(window),
                "p50Ms": self.latency(window, 0.5),
                "p99Ms": self.latency(window, 0.99),
                "cpuUs": self.cpu_us(window),
                "calls": self.loads(window).map(|load| load.calls).sum::<usize>(),
            })
        });
        json!({
            "name": self.name(),
            "windows": windows,
            "startMs": self.start(),
            "firstStartMs": self.first_start(),
            "bytesPerOpenAsk": self.parked,
        })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sync = self.sync_ms().unwrap_or_default();
        writeln!(
            f,
            "{}, {}, {}: {sync:.2} ms to make a write durable\n",
            self.date, self.machine, self.disk
        )?;
        writeln!(
            f,
            "{:<12}{:>7}{:>10}{:>10}{:>10}{:>13}",
            "", "window", "calls/s", "p50 ms", "p99 ms", "CPU us/call"
        )?;
        for window in [64, 1] {
            for subject in &self.subjects {
                writeln!(
                    f,
                    "{:<12}{window:>7}{:>10}{:>10}{:>10}{:>13}",
                    subject.name(),
                    shown(subject.rate(window), 0),
                    shown(subject.latency(window, 0.5), 2),
                    shown(subject.latency(window, 0.99), 2),
                    shown(subject.cpu_us(window), 0),
                )?;
            }
        }
        writeln!(
            f,
            "\n{:<12}{:>12}{:>16}{:>18}",
            "", "start-up ms", "first start ms", "KiB per open ask"
        )?;
        for subject in &self.subjects {
            writeln!(
                f,
                "{:<12}{:>12}{:>16}{:>18}",
                subject.name(),
                shown(subject.start(), 1),
                shown(subject.first_start(), 1),
                shown(subject.parked.map(|bytes| bytes / 1024.0), 1),
            )?;
        }
        writeln!(f, "\n{:<36}{:>10}{:>16}", "holdpoint", "is", "to reach")?;
        for target in self.targets() {
            let met = match target.met {
                Some(true) => "met",
                Some(false) => "MISSED",
                None => "",
            };
            writeln!(
                f,
                "{:<36}{:>10}{:>16}  {met}",
                target.what,
                shown(target.value, 3),
                target.wanted
            )?;
        }
        Ok(())
    }
}

fn shown(value: Option<f64>, digits: usize) -> String {
    value.map_or("-".into(), |value| format!("{value:.digits$}"))
}

fn median(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        n if n % 2 == 0 => Some((values[middle - 1] + values[middle]) / 2.0),
        _ => Some(values[middle]),
    }
}
