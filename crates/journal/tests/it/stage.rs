//! What the tests play on: a journal of each kind, and the things to put into it.

use holdpoint_ask::{
    Answer, Ask, AskId, CallId, ChannelKind, Decision, Digest, GrantId, Origin, Outcome,
};
use holdpoint_journal::{
    GrantRecord, Journal, MemoryJournal, NewAsk, NewCall, Settled, SqliteJournal, Write, Written,
};
use jiff::Timestamp;
use serde_json::{Value, json};
use std::{path::PathBuf, sync::Arc, time::Duration};
use tempfile::TempDir;
use uuid::Uuid;

/// A journal of one kind.
pub struct Stage {
    pub name: &'static str,
    pub journal: Arc<dyn Journal>,
    /// Another process that has the same journal open.
    pub neighbour: Option<SqliteJournal>,
    folder: Option<TempDir>,
}

impl Stage {
    /// One of each kind.
    pub fn each() -> [Self; 2] {
        [Self::memory(), Self::sqlite()]
    }

    pub fn memory() -> Self {
        Self {
            name: "memory",
            journal: Arc::new(MemoryJournal::new()),
            neighbour: None,
            folder: None,
        }
    }

    pub fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state/journal.db");
        Self {
            name: "sqlite",
            journal: Arc::new(SqliteJournal::open(&path).unwrap()),
            neighbour: Some(SqliteJournal::open(&path).unwrap()),
            folder: Some(folder),
        }
    }

    /// The file of a SQLite journal.
    pub fn path(&self) -> PathBuf {
        self.folder
            .as_ref()
            .unwrap()
            .path()
            .join("state/journal.db")
    }

    /// A raw connection to it, for reading and for tampering.
    pub fn raw(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.path()).unwrap()
    }

    /// Commits a batch.
    pub async fn commit(&self, batch: impl Into<Vec<Write>>) -> Vec<Written> {
        self.journal.commit(batch.into()).await.unwrap()
    }

    /// Commits one write.
    pub async fn one(&self, write: Write) -> Written {
        self.commit([write]).await.remove(0)
    }

    /// Opens a call with one ask.
    pub async fn opened(&self) -> (CallId, AskId) {
        let call = call(self.journal.owner());
        let ask = ask_of(call.id, Ask::confirm("Deploy?"));
        let ids = (call.id, ask.id);
        self.commit([Write::OpenCall(call), Write::OpenAsk(ask)])
            .await;
        ids
    }

    /// Opens and settles an ask.
    pub async fn settled(&self, outcome: Outcome) -> AskId {
        let (_, ask) = self.opened().await;
        let decision = decided(ask, outcome);
        let won = self.one(Write::Settle(decision)).await;
        assert_eq!(won, Written::Settled(Settled::Won));
        ask
    }

    /// Fails where the record has a flaw.
    pub async fn check_sound(&self) {
        let verified = self.journal.verify().await.unwrap();
        assert_eq!(verified.flaws, [], "{}", self.name);
        assert_eq!(verified.events, self.journal.head().await.unwrap());
    }
}

/// A time, so many seconds into the story.
pub fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_785_000_000 + seconds).unwrap()
}

pub fn origin() -> Origin {
    Origin {
        principal: "ada".into(),
        client: Some("vscode 1.110".into()),
        tool: Some("deploy".into()),
        workspace: Some("/work/demo".into()),
    }
}

pub fn call(owner: Uuid) -> Arc<NewCall> {
    Arc::new(NewCall {
        id: CallId::new(),
        origin: origin(),
        method: "tools/call".into(),
        arguments: json!({"target": "production", "force": null}),
        flow_version: "1".into(),
        owner,
        opened_at: at(0),
    })
}

pub fn ask_of(call: impl Into<Option<CallId>>, ask: Ask) -> Arc<NewAsk> {
    Arc::new(NewAsk {
        id: AskId::new(),
        call: call.into(),
        key: "001".into(),
        digest: ask.digest(),
        occurrence: 0,
        ask,
        origin: origin(),
        opened_at: at(0),
        deadline_at: Some(at(300)),
        epoch: 1,
        seal_to: None,
    })
}

pub fn yes() -> Outcome {
    Outcome::Accepted(answer(json!({"confirmed": true})))
}

pub fn answer(value: Value) -> Answer {
    value.as_object().unwrap().clone()
}

pub fn decided(ask: AskId, outcome: Outcome) -> Decision {
    Decision {
        ask,
        outcome,
        channel: Some(ChannelKind::Inbox),
        answered_by: Some("ada".into()),
        at: at(5) + Duration::from_micros(5),
        duration_ms: 5000,
        fast: false,
        said_no: false,
    }
}

pub fn grant(ask: AskId) -> GrantRecord {
    GrantRecord {
        id: GrantId::new(),
        ask,
        principal: "ada".into(),
        purpose: "migrate".into(),
        digest: Digest::hash_bytes(b"what was shown"),
        issued_at: at(6),
        expires_at: at(600),
        redeemed_at: None,
    }
}
