//! A studio over a folder of its own, in this process.

use holdpoint::{Clock, Desk, DeskBuilder, Holdpoint, Settings};
use holdpoint_testkit::{Connect, Conversation, ParkedInbox, Step};
use serde_json::{Value, json};
use std::{fs, path::PathBuf, sync::Arc, time::Duration};
use studio::{Studio, clips::Clips};
use tempfile::TempDir;
use tokio::io::DuplexStream;

/// A studio with a clip named `intro`.
pub struct Stage {
    pub folder: TempDir,
    pub desk: Desk,
    pub server: Holdpoint<Studio>,
}

impl Stage {
    pub async fn new() -> Self {
        Self::with(|desk| desk).await
    }

    /// The same, with an inbox that somebody may look at later.
    pub async fn with_inbox() -> Self {
        Self::with(|desk| desk.channel(Arc::new(ParkedInbox::default()))).await
    }

    async fn with(channels: impl FnOnce(DeskBuilder) -> DeskBuilder) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let journal = holdpoint::journal::open("memory:").await.unwrap();
        // A test's quick answers count.
        let settings = Settings::default().fast_reply(Duration::ZERO);
        let desk = Desk::builder(journal).settings(settings);
        let desk = channels(desk).clock(Clock::tokio()).build().await.unwrap();
        let studio = Studio::new(Clips::open(folder.path()).unwrap());
        let stage = Self {
            folder,
            server: Holdpoint::new(desk.clone(), studio).unwrap(),
            desk,
        };
        stage.clip("intro");
        stage
    }

    pub fn clip(&self, name: &str) {
        let clip = json!({ "tempo": 120.0, "key": "Am" });
        fs::write(self.path(name), clip.to_string()).unwrap();
    }

    pub fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(format!("{name}.clip"))
    }
}

impl Connect for Stage {
    fn connect(&self) -> DuplexStream {
        self.server.connect()
    }
}

/// Calls a tool, gives these replies, one to each question, and comes to its result.
pub async fn call(
    client: &mut Conversation,
    tool: &str,
    arguments: Value,
    replies: &[Value],
) -> Value {
    let mut step = client.call(tool, arguments).await;
    for reply in replies {
        step = client.answer(step.asked(), reply.clone()).await;
    }
    result(step)
}

/// The result that a call has come to.
pub fn result(step: Step) -> Value {
    let done = step.done();
    assert!(done.get("result").is_some(), "{done}");
    done["result"].clone()
}
