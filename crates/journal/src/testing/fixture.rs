//! An empty journal of an engine, and things to put into it.

use crate::{GrantRecord, JournalEngine, NewAsk, NewCall, Settled, Write, Written};
use holdpoint_ask::{
    Answer, Ask, AskId, CallId, ChannelKind, Decision, Digest, GrantId, Origin, Outcome,
};
use jiff::Timestamp;
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};
use uuid::Uuid;

/// An empty journal of an engine.
#[derive(Debug)]
pub struct Fixture {
    /// The engine, for messages.
    pub name: &'static str,
    /// The journal.
    pub journal: Arc<dyn JournalEngine>,
    /// The same journal as another process has it open; none where an engine has no other.
    pub other_process: Option<Arc<dyn JournalEngine>>,
}

impl Fixture {
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

/// Ada, who calls `deploy`.
pub fn origin() -> Origin {
    Origin {
        principal: "ada".into(),
        server: Some("studio".into()),
        client: Some("vscode 1.110".into()),
        client_name: Some("vscode".into()),
        tool: Some("deploy".into()),
        workspace: Some("/work/demo".into()),
    }
}

/// A call to be opened.
pub fn call(owner: Uuid) -> Arc<NewCall> {
    Arc::new(NewCall {
        id: CallId::new(),
        origin: origin(),
        method: "tools/call".into(),
        arguments: json!({"target": "production", "force": null}),
        flow_version: "1".into(),
        owner,
        opened_at: at(0),
        run: false,
    })
}

/// An ask to be opened, of this call.
pub fn ask_of(call: impl Into<Option<CallId>>, ask: Ask) -> Arc<NewAsk> {
    Arc::new(NewAsk {
        call: call.into(),
        key: "001".into(),
        deadline_at: Some(at(300)),
        ..NewAsk::new(ask, origin(), at(0))
    })
}

/// A yes.
pub fn yes() -> Outcome {
    Outcome::Accepted(answer(json!({"confirmed": true})))
}

/// An answer of these values.
pub fn answer(value: Value) -> Answer {
    value.as_object().unwrap().clone()
}

/// The decision that an ask ended with this outcome.
pub fn decided(ask: AskId, outcome: Outcome) -> Decision {
    let mut decision = Decision::new(ask, outcome, at(5) + Duration::from_micros(5));
    decision.channel = Some(ChannelKind::Inbox);
    decision.answered_by = Some("ada".into());
    decision.duration_ms = 5000;
    decision
}

/// A grant of this ask.
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
