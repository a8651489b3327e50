//! Tools over a folder of their own, and calls driven to their end.

use crate::{
    Asked, Connect, Conversation, Era, ParkedInbox, Step, check_text_says_fields,
    let_go::let_go_if_wanted,
};
use holdpoint::{
    Clock, Desk, Holdpoint, Settings, ToolServer, ToolSource,
    journal::{AskQuery, AskRecord},
};
use rmcp::{ServerHandler, model::Implementation};
use serde_json::Value;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};
use tempfile::TempDir;
use tokio::io::DuplexStream;

/// A server of some tools over a workspace of its own.
pub struct ToolStand {
    /// What the tools ask through.
    pub desk: Desk,
    /// What clients connect to.
    pub server: Holdpoint<ToolServer>,
    /// The workspace.
    pub folder: TempDir,
}

/// Makes the server of a workspace.
type MakeServer = Arc<dyn Fn(PathBuf) -> ToolServer>;

/// How a stand is set up.
#[derive(Clone)]
pub struct StandSetup {
    /// An inbox that parks everything.
    pub inbox: bool,
    /// The desk's settings.
    pub settings: Settings,
    /// Which journal is opened.
    pub journal: String,
    /// The clock goes as tokio's does, also when that is paused.
    pub tokio_clock: bool,
    /// What makes the server.
    pub tools: MakeServer,
    /// It has the tool with which agents wait for an answer.
    pub await_answer: bool,
}

impl StandSetup {
    /// A stand of these sources, which are made for its workspace.
    pub fn new(sources: impl Fn(PathBuf) -> Vec<Arc<dyn ToolSource>> + 'static) -> Self {
        let about = Implementation::new("holdpoint", "1");
        Self::with_server(move |workspace| ToolServer::new(about.clone(), "", sources(workspace)))
    }

    /// A stand of this server, which is made for its workspace.
    pub fn with_server(tools: impl Fn(PathBuf) -> ToolServer + 'static) -> Self {
        Self {
            inbox: false,
            // A test's quick answers count.
            settings: Settings::default().fast_reply(Duration::ZERO),
            journal: "memory:".into(),
            tokio_clock: true,
            tools: Arc::new(tools),
            await_answer: true,
        }
    }

    /// Sets it up in a new folder.
    pub async fn stand(self) -> ToolStand {
        self.stand_in(tempfile::tempdir().unwrap()).await
    }

    /// Sets it up in this folder.
    pub async fn stand_in(self, folder: TempDir) -> ToolStand {
        let journal = holdpoint::journal::open(&self.journal).await.unwrap();
        let mut desk = Desk::builder(journal).settings(self.settings);
        if self.tokio_clock {
            desk = desk.clock(Clock::tokio());
        }
        if self.inbox {
            desk = desk.channel(Arc::new(ParkedInbox::default()));
        }
        let desk = desk.build().await.unwrap();
        let workspace = folder.path().canonicalize().unwrap();
        let tools = (self.tools)(workspace.clone());
        let server = tools.over(desk.clone()).unwrap();
        let server = if self.await_answer {
            server.await_answer_named("await_answer")
        } else {
            server.without_await_answer()
        };
        let server = let_go_if_wanted(server);
        ToolStand {
            desk,
            server: server.workspace(workspace.to_str().unwrap()),
            folder,
        }
    }
}

/// What a call came to.
#[derive(Debug)]
pub struct Ended {
    /// `isError`.
    pub error: bool,
    /// `structuredContent`.
    pub body: Value,
    /// The first text of the content.
    pub text: String,
}

impl ToolStand {
    /// The workspace, as the file system names it.
    pub fn path(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    /// Drives a call with these replies, one to each question, to its end.
    pub async fn run(&self, era: Era, tool: &str, arguments: Value, replies: &[Value]) -> Ended {
        let mut client = Conversation::new(self, era).await;
        self.drive(&mut client, tool, arguments, replies).await
    }

    /// Drives a call of this client to its end.
    pub async fn drive(
        &self,
        client: &mut Conversation,
        tool: &str,
        arguments: Value,
        replies: &[Value],
    ) -> Ended {
        let mut step = client.call(tool, arguments).await;
        for reply in replies {
            step = client.answer(step.asked(), reply.clone()).await;
        }
        self.ended(tool, step)
    }

    /// The question that a call comes to first.
    pub async fn asked(&self, client: &mut Conversation, tool: &str, arguments: Value) -> Asked {
        client.call(tool, arguments).await.asked()
    }

    /// The end of a call; its body fits the schema that was told beforehand, and its text says the same.
    pub fn ended(&self, tool: &str, step: Step) -> Ended {
        let done = step.done();
        let result = &done["result"];
        check_text_says_fields(result);
        let ended = Ended {
            error: result["isError"] == true,
            body: result["structuredContent"].clone(),
            text: result["content"][0]["text"]
                .as_str()
                .unwrap_or_else(|| panic!("no text in {done}"))
                .into(),
        };
        let schema = self.server.get_tool(tool).unwrap().output_schema.unwrap();
        let schema = Value::Object(schema.as_ref().clone());
        if let Err(error) = jsonschema::validate(&schema, &ended.body) {
            panic!("{tool}: {error}: {}", ended.body);
        }
        let failed = ["invalid", "timed_out", "unreachable"];
        if let Some(status) = ended.body["status"].as_str() {
            assert_eq!(ended.error, failed.contains(&status), "{done}");
            let may = status == "accepted";
            assert!(may || ended.body["proceed"] == false, "{done}");
        } else {
            assert_ne!(ended.body["proceed"], true, "{done}");
        }
        ended
    }

    /// Every ask on record.
    pub async fn asks(&self) -> Vec<AskRecord> {
        self.desk.journal().asks(AskQuery::default()).await.unwrap()
    }
}

impl Connect for ToolStand {
    fn connect(&self) -> DuplexStream {
        self.server.connect()
    }
}

impl Ended {
    /// Some fields of the body, in the order that was asked for.
    pub fn fields(&self, names: &[&str]) -> Value {
        let fields = names
            .iter()
            .map(|&name| (name.to_owned(), self.body[name].clone()));
        Value::Object(fields.collect())
    }

    /// `message`: what an error says.
    pub fn message(&self) -> &str {
        self.body["message"].as_str().unwrap_or_default()
    }

    /// `nextStep`.
    pub fn next(&self) -> &str {
        self.body["nextStep"].as_str().unwrap()
    }
}

/// A file of a folder, as text.
pub fn read_file(folder: &Path, file: &str) -> String {
    std::fs::read_to_string(folder.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}
