//! What was measured of the servers over HTTP, and the figures that come of it.

use bench::{
    figures::Figure, http_client::Era, measure::Load, servers::Server, statistics::median,
};

/// What came of a run.
pub struct Report {
    /// The servers.
    pub subjects: Vec<Subject>,
}

/// What was measured of one server.
pub struct Subject {
    /// Which.
    pub server: Server,
    /// In the order of rounds.
    pub loads: Vec<(Era, Load)>,
    /// Sessions with open asks.
    pub sessions: Option<Sessions>,
}

/// What was measured of sessions with an ask open in each.
pub struct Sessions {
    /// How many there were; each got its own answer in the end.
    pub count: usize,
    /// Bytes for each session before it asked.
    pub idle_bytes: f64,
    /// Bytes for each with its open ask.
    pub open_bytes: f64,
    /// How many lists of the tools were given meanwhile, and how long they took.
    pub lists: usize,
    pub list_p50: Option<f64>,
    pub list_p99: Option<f64>,
    /// The calls beside them.
    pub load: Load,
}

impl Report {
    /// In the order of the table.
    pub fn figures(&self) -> Vec<Figure> {
        let mut figures = Vec::new();
        for era in Era::ALL {
            for window in [64, 1] {
                let rate = |subject: &Subject| subject.rate(era, window);
                figures.extend(self.subjects.iter().map(rate));
            }
            figures.push(self.ratio(era, Server::Rmcp).at_least(0.6));
            for other in [Server::TypeScript, Server::FastMcp] {
                figures.push(self.ratio(era, other));
            }
        }
        for subject in &self.subjects {
            figures.extend(subject.sessions());
        }
        figures
    }

    fn subject(&self, server: Server) -> Option<&Subject> {
        let mut subjects = self.subjects.iter();
        subjects.find(|subject| subject.server == server)
    }

    /// The middle of the rounds' ratios: both sides of one were measured right after each other.
    fn ratio(&self, era: Era, other: Server) -> Figure {
        let ratio = || {
            let own = self.subject(Server::Holdpoint)?.loads(era, 64);
            let other = self.subject(other)?.loads(era, 64);
            median(own.zip(other).map(|(own, other)| own.rate / other.rate))
        };
        let name = format!("{}, 64 in flight / {}", era.revision(), other.name());
        Figure::new(name, ratio(), "x")
    }
}

impl Subject {
    /// Nothing measured yet.
    pub fn new(server: Server) -> Self {
        Self {
            server,
            loads: Vec::new(),
            sessions: None,
        }
    }

    /// Its name in the table.
    pub fn name(&self) -> &'static str {
        self.server.name()
    }

    fn loads(&self, era: Era, window: usize) -> impl Iterator<Item = &Load> + Clone {
        let loads = self.loads.iter().filter(move |(of, _)| *of == era);
        loads
            .map(|(_, load)| load)
            .filter(move |load| load.window == window)
    }

    fn rate(&self, era: Era, window: usize) -> Figure {
        let name = format!("{}, {window} in flight, {}", era.revision(), self.name());
        Load::middle(name, self.loads(era, window))
    }

    fn sessions(&self) -> Vec<Figure> {
        let Some(of) = &self.sessions else {
            return Vec::new();
        };
        let name = |what: &str| format!("{what}, {}", self.name());
        let list = Figure::new(name("tools/list under that load, p99"), of.list_p99, "ms");
        let list = match self.server {
            Server::Holdpoint => list.under(50.0),
            _ => list,
        };
        vec![
            Figure::new(name("an idle session"), of.idle_bytes / 1e3, "KB"),
            Figure::new(
                name("a session with an open ask"),
                of.open_bytes / 1e3,
                "KB",
            )
            .note(format!("{} of them", of.count)),
            list.note(format!(
                "{} lists, p50 {:.2} ms, beside {:.0} calls/s",
                of.lists,
                of.list_p50.unwrap_or_default(),
                of.load.rate
            )),
        ]
    }
}
