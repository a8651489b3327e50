//! A database of the test's own, and journals in it: directly, or through a proxy.

use crate::fixture::{ask_of, call, decided, yes};
use holdpoint_ask::{Ask, AskId, CallId};
use holdpoint_journal::{EventKind, Journal, PostgresJournal, Records, StepStart, Write, Written};
use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};
use test_postgres::{Database, Options, Proxy, Server};

/// What takes longer than this fails.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A server with a database, and a proxy before it.
pub struct Stand {
    pub server: Server,
    pub database: Database,
    pub proxy: Proxy,
}

impl Stand {
    pub async fn new() -> Self {
        Self::with(Options::new()).await
    }

    pub async fn with(options: Options) -> Self {
        let server = Server::with(options);
        Self {
            database: server.database().await,
            proxy: Proxy::to(server.address()).await,
            server,
        }
    }

    /// The journal, reached without the proxy.
    pub async fn direct(&self) -> Arc<PostgresJournal> {
        self.journal_at(self.server.address()).await
    }

    /// The journal, reached through the proxy.
    pub async fn behind_proxy(&self) -> Arc<PostgresJournal> {
        self.journal_at(self.proxy.address()).await
    }

    pub async fn journal_at(&self, address: SocketAddr) -> Arc<PostgresJournal> {
        let url = self.database.url_at(address);
        Arc::new(PostgresJournal::open(&url).await.unwrap())
    }
}

/// Commits one write.
pub async fn one(journal: &PostgresJournal, write: Write) -> Written {
    journal.commit(vec![write]).await.unwrap().remove(0)
}

/// Opens a call of this journal's with one ask.
pub async fn opened(journal: &PostgresJournal) -> (CallId, AskId) {
    let call = call(journal.owner());
    let ask = ask_of(call.id, Ask::confirm("Deploy?"));
    let ids = (call.id, ask.id);
    let writes = vec![Write::OpenCall(call), Write::OpenAsk(ask)];
    journal.commit(writes).await.unwrap();
    ids
}

/// A yes of this person.
pub fn settle(ask: AskId, by: &str) -> Write {
    let mut decision = decided(ask, yes());
    decision.answered_by = Some(by.into());
    Write::Settle(decision)
}

/// Who decided an ask, on the record.
pub async fn decided_by(journal: &PostgresJournal, ask: AskId) -> Option<String> {
    let record = journal.ask(ask).await.unwrap().expect("the ask is lost");
    record
        .decision
        .map(|decision| decision.answered_by.unwrap())
}

/// The step of a call, under this epoch.
pub fn start_step(call: CallId, epoch: u64) -> Write {
    Write::StartStep {
        call,
        epoch,
        name: "deploy".into(),
        occurrence: 0,
        label: None,
        at: jiff::Timestamp::now(),
    }
}

/// Tries to make a journal's process the owner of a call, at its first epoch.
pub async fn take_over(journal: &PostgresJournal, call: CallId, at: jiff::Timestamp) -> Written {
    let take = Write::TakeOver {
        call,
        epoch: 1,
        owner: journal.owner(),
        at,
    };
    one(journal, take).await
}

/// Whether a step may run.
pub fn is_started(written: &Written) -> bool {
    matches!(written, Written::Step(StepStart::Started))
}

/// Checks the chain and the rows, and that nothing was decided or started twice.
pub async fn check_sound(journal: &PostgresJournal) {
    let verified = journal.verify().await.unwrap();
    assert_eq!(verified.flaws, []);
    assert_eq!(verified.events, journal.head().await.unwrap());
    let mut counts: HashMap<_, u32> = HashMap::new();
    for event in journal.events(0, 1_000_000).await.unwrap() {
        let once = [
            EventKind::Decided,
            EventKind::StepStarted,
            EventKind::Finished,
        ];
        if once.contains(&event.kind) {
            *counts
                .entry((event.kind, event.call, event.ask))
                .or_default() += 1;
        }
    }
    let twice: Vec<_> = counts.iter().filter(|(_, count)| **count > 1).collect();
    assert!(twice.is_empty(), "twice: {twice:?}");
}

/// Looks again until it is there, and gives it.
pub async fn eventually<T>(what: &str, mut find: impl AsyncFnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = find().await {
            return found;
        }
        assert!(began.elapsed() < PATIENCE, "{what}: not yet");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
