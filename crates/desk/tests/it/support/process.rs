//! Processes that share a journal, and an inbox that parks everything.

use super::{Client, Flows, form};
use futures::future::BoxFuture;
use holdpoint::{
    Ask, AskId, Channel, ChannelKind, Delivery, DeliveryError, Desk, Holdpoint, Replier, Reply,
    Settings, Showing,
    journal::{AskQuery, AskRecord, Journal},
};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::runtime::Runtime;

/// An inbox that parks everything.
#[derive(Debug)]
pub struct Inbox;
impl Channel for Inbox {
    fn kind(&self) -> ChannelKind {
        ChannelKind::Inbox
    }
    fn reaches(&self, _ask: &Ask) -> bool {
        true
    }
    fn answers_as(&self) -> Option<String> {
        None
    }
    fn deliver(&self, _s: Showing) -> BoxFuture<'static, Result<Delivery, DeliveryError>> {
        Box::pin(async { Ok(Delivery::Parked) })
    }
}

pub fn memory() -> Arc<dyn Journal> {
    Runtime::new()
        .unwrap()
        .block_on(holdpoint::journal::open("memory:"))
        .unwrap()
}
pub fn sqlite(folder: &tempfile::TempDir) -> Arc<dyn Journal> {
    let url = format!("sqlite:{}", folder.path().join("journal.db").display());
    Runtime::new()
        .unwrap()
        .block_on(holdpoint::journal::open(&url))
        .unwrap()
}

/// A process: a runtime of its own, with a desk over a journal that others may share.
pub struct Process {
    pub runtime: Runtime,
    pub desk: Desk,
    pub server: Holdpoint<Flows>,
}
impl Process {
    pub fn start(
        journal: &Arc<dyn Journal>,
        flows: Flows,
        settings: Settings,
        inbox: bool,
    ) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(4)
            .enable_all()
            .build()
            .unwrap();
        let desk = runtime.block_on(async {
            let mut b = Desk::builder(journal.clone())
                .settings(settings)
                .page(|ask| format!("http://127.0.0.1:4653/asks/{ask}"));
            if inbox {
                b = b.channel(Arc::new(Inbox));
            }
            b.build().await.unwrap()
        });
        let server = Holdpoint::new(desk.clone(), flows);
        Self {
            runtime,
            desk,
            server,
        }
    }
    pub fn send_as(&self, caps: Value, params: Value) -> Value {
        let server = self.server.clone();
        self.runtime.block_on(async {
            let mut client = Client::modern(server, caps);
            let call = client.request("tools/call", params).await;
            client.answer(call).await
        })
    }
    pub fn call(&self, tool: &str) -> Value {
        self.send_as(form(), json!({ "name": tool, "arguments": {} }))
    }
    pub fn retry(&self, tool: &str, state: &Value, responses: Value) -> Value {
        self.send_as(form(), json!({ "name": tool, "arguments": {}, "requestState": state, "inputResponses": responses }))
    }
    pub fn kill(self) {
        self.runtime.shutdown_background();
    }
}

/// An answer on the inbox page.
pub async fn inbox_reply(desk: &Desk, ask: AskId, content: Value) {
    let from = Replier::new(ChannelKind::Inbox, None);
    let content = content.as_object().unwrap().clone();
    desk.reply(ask, from, Reply::Accept { content })
        .await
        .unwrap();
}
pub async fn open_asks(desk: &Desk) -> Vec<AskRecord> {
    desk.journal()
        .asks(AskQuery {
            open: true,
            ..Default::default()
        })
        .await
        .unwrap()
}
