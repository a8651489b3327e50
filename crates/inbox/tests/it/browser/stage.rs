//! A page that is served over a journal of its own.

use crate::called::open_ask;
use axum::Router;
use holdpoint::{
    Ask, AskId, ChannelKind, Decision, Desk, Form, Origin, Outcome, Reply, ReplyResult,
    journal::{self, EventKind, JournalEngine, NewAsk, Write},
};
use holdpoint_inbox::{Inbox, Page, http_server::HttpServer, scripts::Scripts, server::Site};
use holdpoint_testkit::{PATIENCE, browser};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value};
use std::{path::Path, sync::Arc};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio_util::sync::{CancellationToken, DropGuard};

/// The page, its desk and its journal, in a folder of their own.
pub struct Stage {
    pub site: Site,
    pub desk: Desk,
    pub page: Arc<Page>,
    /// The same page, without a socket.
    pub router: Router,
    journal: Arc<dyn JournalEngine>,
    folder: TempDir,
    _stop: DropGuard,
}

/// A tool called `deploy` of a server called `shop-mcp`, in a shop.
pub fn origin() -> Origin {
    Origin {
        principal: "test".into(),
        server: Some("shop-mcp".into()),
        client: Some("studio 2.1".into()),
        tool: Some("deploy".into()),
        workspace: Some("/home/ann/shop".into()),
        ..Origin::default()
    }
}

impl browser::Page for Stage {
    fn url_with_key(&self, path: &str) -> String {
        let key = self.page.keys().opening_key().unwrap();
        format!("{}{path}#key={key}", self.site.url())
    }
}

impl Stage {
    pub async fn set() -> Self {
        Self::with(None).await
    }

    /// One with scripts.
    pub async fn with_scripts(scripts: Arc<dyn Scripts>) -> Self {
        Self::with(Some(scripts)).await
    }

    async fn with(scripts: Option<Arc<dyn Scripts>>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.db");
        let address = format!("sqlite:{}", path.display());
        let journal = journal::open(&address).await.unwrap();
        let inbox = Inbox::new(Some("ann".into()), "");
        let desk = Desk::builder(journal.clone()).channel(Arc::new(inbox.clone()));
        let desk = desk.build().await.unwrap();
        let stop = CancellationToken::new();
        let page = Page::with_scripts(desk.clone(), inbox, scripts, stop.clone());
        let page = page.await.unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let site = Site {
            address,
            tls: false,
            public: None,
        };
        tokio::spawn(
            page.clone()
                .serve(HttpServer::default(), listener, site.clone()),
        );
        Self {
            desk,
            router: page.clone().router(site.clone()),
            site,
            page,
            journal,
            folder,
            _stop: stop.drop_guard(),
        }
    }

    /// Ends the serving of the page, and begins it anew at the same address.
    pub async fn serve_anew(&mut self) {
        let stop = CancellationToken::new();
        self._stop = stop.clone().drop_guard();
        let inbox = Inbox::new(Some("ann".into()), "");
        let page = Page::new(self.desk.clone(), inbox, stop).await.unwrap();
        let address = self.site.address;
        let listening = holdpoint_testkit::eventually("the port", async || {
            TcpListener::bind(address).await.ok()
        });
        let listener = listening.await;
        self.page = page.clone();
        tokio::spawn(page.serve(HttpServer::default(), listener, self.site.clone()));
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.site.url())
    }

    /// Opens an ask of a tool called `deploy`.
    pub async fn ask(&self, ask: Ask) -> AskId {
        self.ask_from(origin(), ask).await
    }

    pub async fn ask_from(&self, origin: Origin, ask: Ask) -> AskId {
        ask.check().expect("an ask that can be put to a person");
        let opened_at = Timestamp::now();
        let new = NewAsk {
            deadline_at: Some(opened_at + SignedDuration::from_mins(30)),
            ..NewAsk::new(ask, origin, opened_at)
        };
        let id = new.id;
        open_ask(self.journal.as_ref(), new).await;
        id
    }

    /// Opens so many asks at once, without calls.
    pub async fn crowd(&self, asks: usize) {
        let opened_at = Timestamp::now();
        let opening = |number: usize| {
            let ask = Ask::confirm(format!("Question {number}?"));
            Write::OpenAsk(Arc::new(NewAsk::new(ask, origin(), opened_at)))
        };
        let all: Vec<usize> = (0..asks).collect();
        for some in all.chunks(1_000) {
            let writes = some.iter().map(|number| opening(*number)).collect();
            self.journal.commit(writes).await.unwrap();
        }
    }

    /// The ask's time is up in so many minutes from now.
    pub async fn due_in(&self, id: AskId, minutes: i64) {
        let deadline = Timestamp::now() + SignedDuration::from_mins(minutes);
        assert!(self.desk.extend(id, Some(deadline), "ann").await.unwrap());
    }

    pub async fn form(&self, form: Form) -> AskId {
        self.ask(Ask::new("Please fill this in", form)).await
    }

    /// Notes what became of an ask's agent.
    pub async fn note(&self, id: AskId, kind: EventKind) {
        let note = Write::Note {
            call: None,
            ask: Some(id),
            kind,
            body: Value::Null,
            at: Timestamp::now(),
        };
        self.journal.commit(vec![note]).await.unwrap();
    }

    /// Somebody replies in a terminal.
    pub async fn reply_elsewhere(&self, id: AskId, reply: Reply) -> ReplyResult {
        let bob = holdpoint::testing::person(ChannelKind::Terminal, Some("bob"));
        self.desk.reply(id, bob, reply).await.unwrap()
    }

    /// The ask's time is up.
    pub async fn time_out(&self, id: AskId) {
        let opened_at = self.journal.ask(id).await.unwrap().unwrap().opened_at;
        let at = Timestamp::now();
        let mut decision = Decision::new(id, Outcome::TimedOut, at);
        decision.duration_ms = (at.as_millisecond() - opened_at.as_millisecond()).unsigned_abs();
        let settle = Write::Settle(decision);
        self.journal.commit(vec![settle]).await.unwrap();
    }

    /// How the ask ended, once it has.
    pub async fn decision(&self, id: AskId) -> Decision {
        let mut commits = self.journal.commits();
        let decided = async {
            loop {
                commits.mark_unchanged();
                if let Some(decision) = self.now(id).await {
                    return decision;
                }
                commits.changed().await.unwrap();
            }
        };
        let decided = tokio::time::timeout(PATIENCE, decided).await;
        decided.expect("a decision")
    }

    /// How the ask has ended, if it has.
    pub async fn now(&self, id: AskId) -> Option<Decision> {
        self.journal.ask(id).await.unwrap().unwrap().decision
    }

    /// What was accepted, once it was.
    pub async fn accepted(&self, id: AskId) -> Value {
        let decision = self.decision(id).await;
        assert_eq!(decision.channel, Some(ChannelKind::Inbox));
        assert_eq!(decision.answered_by.as_deref(), Some("ann"));
        let content: Option<Map<_, _>> = decision.outcome.accepted();
        content.expect("accepted").into()
    }
}
