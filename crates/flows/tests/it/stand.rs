//! A server over a folder of its own, and calls driven to their end.

use crate::client::{Asked, Client, Era, Step};
use holdpoint::{
    Clock, Desk, Holdpoint, Settings,
    journal::{AskQuery, AskRecord},
};
use holdpoint_flows::{Commit, FlowConfig, FlowServer, ToolSet};
use holdpoint_testkit::{Connect, ParkedInbox};
use rmcp::ServerHandler;
use serde_json::Value;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};
use tempfile::TempDir;
use tokio::io::DuplexStream;

pub struct Stand {
    pub desk: Desk,
    pub server: Holdpoint<FlowServer>,
    pub folder: TempDir,
    flows: FlowServer,
}

/// How a stand is set up.
pub struct Setup {
    pub commit: Commit,
    pub inbox: bool,
    pub settings: Settings,
    pub journal: String,
    /// The clock goes as tokio's does, also when that is paused.
    pub tokio_clock: bool,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            commit: Commit::Verify,
            inbox: false,
            settings: Settings {
                // A test's quick answers count.
                fast_reply: Duration::ZERO,
                ..Settings::default()
            },
            journal: "memory:".into(),
            tokio_clock: true,
        }
    }
}

impl Setup {
    pub async fn stand(self) -> Stand {
        self.stand_in(tempfile::tempdir().unwrap()).await
    }

    pub async fn stand_in(self, folder: TempDir) -> Stand {
        let journal = holdpoint::journal::open(&self.journal).await.unwrap();
        let mut desk = Desk::builder(journal).settings(self.settings);
        if self.tokio_clock {
            desk = desk.clock(Clock::tokio());
        }
        if self.inbox {
            desk = desk.channel(Arc::new(ParkedInbox));
        }
        let desk = desk.build().await.unwrap();
        let workspace = folder.path().canonicalize().unwrap();
        let flows = FlowServer::new(FlowConfig {
            tools: ToolSet::ALL.to_vec(),
            workspace: workspace.clone(),
            plans_dir: "plans".into(),
            commit: self.commit,
        })
        .unwrap();
        let server =
            Holdpoint::new(desk.clone(), flows.clone()).workspace(workspace.to_str().unwrap());
        Stand {
            desk,
            server,
            folder,
            flows,
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
    pub text: String,
}

impl Stand {
    pub async fn new() -> Self {
        Setup::default().stand().await
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    /// Drives a call with these replies, one to each question, to its end.
    pub async fn run(&self, era: Era, tool: &str, arguments: Value, replies: &[Value]) -> Ended {
        let mut client = Client::new(self, era).await;
        self.drive(&mut client, tool, arguments, replies).await
    }

    pub async fn drive(
        &self,
        client: &mut Client,
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
    pub async fn asked(&self, client: &mut Client, tool: &str, arguments: Value) -> Asked {
        client.call(tool, arguments).await.asked()
    }

    /// The end of a call; its body fits the schema that was told beforehand.
    pub fn ended(&self, tool: &str, step: Step) -> Ended {
        let done = step.done();
        let result = &done["result"];
        let ended = Ended {
            error: result["isError"] == true,
            body: result["structuredContent"].clone(),
            text: result["content"][0]["text"]
                .as_str()
                .unwrap_or_else(|| panic!("no text in {done}"))
                .into(),
        };
        let schema = self.flows.get_tool(tool).unwrap().output_schema.unwrap();
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

    pub async fn asks(&self) -> Vec<AskRecord> {
        self.desk.journal().asks(AskQuery::default()).await.unwrap()
    }
}

impl Connect for Stand {
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

    pub fn next(&self) -> &str {
        self.body["nextStep"].as_str().unwrap()
    }
}

pub fn read(folder: &Path, file: &str) -> String {
    std::fs::read_to_string(folder.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}
