//! Replicas of a server that share a journal, and what the tests do at their desks.

use crate::{
    Client, Flows, PATIENCE, ParkedInbox, eventually, form_capabilities, let_go::let_go_if_wanted,
};
use holdpoint::{
    AskId, ChannelKind, Desk, Holdpoint, Reply, Settings,
    journal::{AskQuery, AskRecord, JournalEngine},
};
use serde_json::{Value, json};
use std::sync::Arc;
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};

/// A journal in memory.
pub fn memory_journal() -> Arc<dyn JournalEngine> {
    open_journal("memory:")
}

/// The journal of this folder.
pub fn sqlite_journal(folder: &TempDir) -> Arc<dyn JournalEngine> {
    let path = folder.path().join("journal.db");
    open_journal(&format!("sqlite:{}", path.display()))
}

fn open_journal(url: &str) -> Arc<dyn JournalEngine> {
    let runtime = Runtime::new().unwrap();
    runtime.block_on(holdpoint::journal::open(url)).unwrap()
}

/// A replica of a server: a runtime of its own in this process, with a desk over a journal that others
/// may share.
pub struct Replica {
    /// What its flows run on.
    pub runtime: Runtime,
    /// Its desk.
    pub desk: Desk,
    /// What clients connect to.
    pub server: Holdpoint<Flows>,
}

impl Replica {
    /// Starts one; with `inbox`, everything also goes to a [`ParkedInbox`].
    pub fn start(
        journal: &Arc<dyn JournalEngine>,
        flows: Flows,
        settings: Settings,
        inbox: bool,
    ) -> Self {
        let runtime = Builder::new_multi_thread()
            .worker_threads(4)
            .enable_all()
            .build()
            .unwrap();
        let desk = runtime.block_on(async {
            let mut desk = Desk::builder(journal.clone())
                .settings(settings)
                .page(|ask| format!("http://127.0.0.1:4653/asks/{ask}"));
            if inbox {
                desk = desk.channel(Arc::new(ParkedInbox::default()));
            }
            desk.build().await.unwrap()
        });
        let server = let_go_if_wanted(Holdpoint::new(desk.clone(), flows).unwrap());
        Self {
            runtime,
            desk,
            server,
        }
    }

    /// Calls a tool with these parameters, as a modern client with these capabilities.
    pub fn send_as(&self, capabilities: Value, params: Value) -> Value {
        self.runtime.block_on(async {
            let mut client = Client::modern(&self.server, capabilities);
            let call = client.request("tools/call", params).await;
            client.answer(call).await
        })
    }

    /// Calls a tool that takes no arguments.
    pub fn call(&self, tool: &str) -> Value {
        self.send_as(
            form_capabilities(),
            json!({ "name": tool, "arguments": {} }),
        )
    }

    /// Calls again with answers.
    pub fn retry(&self, tool: &str, state: &Value, responses: Value) -> Value {
        let params = json!({
            "name": tool, "arguments": {}, "requestState": state, "inputResponses": responses,
        });
        self.send_as(form_capabilities(), params)
    }

    /// Ends it in the middle of whatever it does, as a kill does: nothing of it goes on, and its lock on the
    /// journal is gone.
    pub fn kill(self) {
        self.runtime.shutdown_timeout(PATIENCE);
        drop((self.desk, self.server));
    }
}

/// Accepts an ask with this content, on the inbox page.
pub async fn inbox_reply(desk: &Desk, ask: AskId, content: Value) {
    let from = holdpoint::testing::person(ChannelKind::Inbox, None);
    let content = content.as_object().unwrap().clone();
    desk.reply(ask, from, Reply::Accept { content })
        .await
        .unwrap();
}

/// The first ask that is open on this desk's journal, as soon as there is one.
pub async fn open_ask(desk: &Desk) -> AskRecord {
    let find = async || open_asks(desk).await.into_iter().next();
    eventually("an open ask", find).await
}

/// The asks that are open on this desk's journal.
pub async fn open_asks(desk: &Desk) -> Vec<AskRecord> {
    desk.journal()
        .asks(AskQuery {
            open: true,
            ..Default::default()
        })
        .await
        .unwrap()
}
