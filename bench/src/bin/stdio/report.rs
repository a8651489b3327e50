//! What was measured of the servers, and the figures that come of it.

use bench::{
    figures::Figure,
    measure::{Load, Parked},
    servers::Server,
    statistics::{median, ms},
};
use std::time::Duration;

/// What came of a run.
#[derive(Default)]
pub struct Report {
    /// The disk's own time to make durable what Holdpoint writes, in each round, right after it did.
    pub syncs: Vec<Duration>,
    /// How many bytes that is.
    pub sync_bytes: Vec<f64>,
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
    /// What open asks take.
    pub parked: Option<Parked>,
}

impl Report {
    /// In the order of the table.
    pub fn figures(&self) -> Vec<Figure> {
        let mut figures = Vec::new();
        for window in [64, 1] {
            figures.extend(self.subjects.iter().map(|subject| subject.rate(window)));
        }
        figures.extend([
            self.ratio("64 in flight / plain rmcp", 64, Server::Rmcp)
                .at_least(0.65),
            self.ratio("64 in flight / typescript", 64, Server::TypeScript)
                .at_least(8.0),
            self.ratio("64 in flight / fastmcp", 64, Server::FastMcp)
                .at_least(30.0),
            self.ratio("1 in flight / typescript", 1, Server::TypeScript)
                .at_least(1.5),
            self.tail().under(3.0),
            self.above_the_disk().at_most(1.25),
        ]);
        figures.extend(self.subjects.iter().map(Subject::start));
        figures.push(self.start_ratio().under(0.1));
        let parked = |subject: &Subject| Some(subject.memory(subject.parked?));
        figures.extend(self.subjects.iter().filter_map(parked));
        figures.push(self.more_parked().at_most(2.0));
        figures
    }

    fn subject(&self, server: Server) -> Option<&Subject> {
        let mut subjects = self.subjects.iter();
        subjects.find(|subject| subject.server == server)
    }

    /// The middle of the rounds' ratios: both sides of one were measured right after each other.
    fn ratio(&self, name: &str, window: usize, other: Server) -> Figure {
        let ratio = || {
            let own = self.subject(Server::Holdpoint)?.loads(window);
            let other = self.subject(other)?.loads(window);
            median(own.zip(other).map(|(own, other)| own.rate / other.rate))
        };
        Figure::new(name, ratio(), "x")
    }

    fn tail(&self) -> Figure {
        let tail = || {
            let loads = self.subject(Server::Holdpoint)?.loads(64);
            median(loads.filter_map(|load| Some(load.latency(0.99)? / load.latency(0.5)?)))
        };
        Figure::new("64 in flight, p99 / p50", tail(), "x")
    }

    /// A call at 1 in flight beside two durable writes of the disk alone and a call on plain rmcp.
    fn above_the_disk(&self) -> Figure {
        let middle = |load: &Load| load.latency(0.5);
        let ratio = || {
            let own = self.subject(Server::Holdpoint)?.loads(1).filter_map(middle);
            let plain = self.subject(Server::Rmcp)?.loads(1).filter_map(middle);
            let rounds = own.zip(plain).zip(&self.syncs);
            median(rounds.map(|((own, plain), sync)| own / (2.0 * ms(*sync) + plain)))
        };
        let note = format!(
            "a bare fsync of {:.0} bytes takes {:.3} ms",
            median(self.sync_bytes.iter().copied()).unwrap_or_default(),
            median(self.syncs.iter().copied().map(ms)).unwrap_or_default(),
        );
        let name = "1 in flight, p50 / (2 fsyncs + plain rmcp)";
        Figure::new(name, ratio(), "x").note(note)
    }

    fn start_ratio(&self) -> Figure {
        let start = |server| median(self.subject(server)?.starts.iter().copied().map(ms));
        let ratio = || Some(start(Server::Holdpoint)? / start(Server::TypeScript)?);
        Figure::new("start-up / typescript", ratio(), "x")
    }

    fn more_parked(&self) -> Figure {
        let parked = |server| Some(self.subject(server)?.parked?.bytes);
        let more = || Some((parked(Server::Holdpoint)? - parked(Server::Rmcp)?) / 1e3);
        Figure::new("an open ask over plain rmcp", more(), "KB")
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

    fn loads(&self, window: usize) -> impl Iterator<Item = &Load> + Clone {
        self.loads.iter().filter(move |load| load.window == window)
    }

    fn rate(&self, window: usize) -> Figure {
        let name = format!("{window} in flight, {}", self.name());
        Load::middle(name, self.loads(window))
    }

    fn start(&self) -> Figure {
        let middle = |times: &[Duration]| median(times.iter().copied().map(ms));
        let figure = Figure::new(
            format!("start-up, {}", self.name()),
            middle(&self.starts),
            "ms",
        );
        match middle(&self.first_starts) {
            Some(first) => figure.note(format!("{first:.1} ms with a journal to be made")),
            None => figure,
        }
    }

    fn memory(&self, parked: Parked) -> Figure {
        let name = format!("an open ask, {}", self.name());
        let note = format!("opened at {:.0} asks/s", parked.rate);
        Figure::new(name, parked.bytes / 1e3, "KB").note(note)
    }
}
