//! A desk, a workspace, and a person who says what a test wants.

use futures::{FutureExt, future::BoxFuture};
use holdpoint::{
    AskId, Clock, Desk, Emit, Emits, FlowRun, FlowStart, Origin, Reply,
    journal::{JournalEngine, SqliteJournal},
};
use holdpoint_script::{Job, Program, run, version};
use rmcp::model::CallToolResult;
use serde_json::{Map, Value, json};
use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};
use tempfile::TempDir;

pub use holdpoint::testing::accept;
use holdpoint_testkit::check_text_says_fields;
pub use holdpoint_testkit::{ReplyingChannel as Person, eventually};

/// What a script has told.
#[derive(Default)]
pub struct Heard(pub Mutex<Vec<Emit>>);

impl Emits for Heard {
    fn emit(&self, emit: Emit) -> BoxFuture<'_, ()> {
        self.0.lock().unwrap().push(emit);
        std::future::ready(()).boxed()
    }
}

/// Where a script runs.
pub struct Stand {
    pub work: TempDir,
    pub journal: Arc<dyn JournalEngine>,
    pub heard: Arc<Heard>,
    pub private: Vec<PathBuf>,
}

impl Stand {
    pub fn new() -> Self {
        Self {
            work: tempfile::tempdir().unwrap(),
            journal: Arc::new(SqliteJournal::in_memory().unwrap()),
            heard: Arc::default(),
            private: Vec::new(),
        }
    }

    pub fn root(&self) -> PathBuf {
        self.work.path().canonicalize().unwrap()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    pub fn file(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// A desk with this person; with nobody, nobody is reachable.
    pub async fn desk(&self, person: Option<Arc<Person>>) -> Desk {
        let mut desk = Desk::builder(self.journal.clone()).clock(Clock::tokio());
        if let Some(person) = person {
            desk = desk.channel(person);
        }
        desk.build().await.unwrap()
    }

    pub fn origin(&self) -> Origin {
        Origin {
            principal: "ada".into(),
            client: Some("test 1".into()),
            tool: Some("script_main".into()),
            workspace: Some(self.root().to_string_lossy().into_owned()),
            ..Origin::default()
        }
    }

    pub fn job(&self, program: &Arc<Program>) -> Job {
        Job {
            program: program.clone(),
            method: "main".into(),
            arguments: Map::new(),
            workspace: self.root(),
            private: self.private.clone(),
        }
    }

    pub fn begin(&self, desk: &Desk, program: &Arc<Program>) -> FlowRun {
        self.begin_as(desk, program, self.origin())
    }

    pub fn begin_as(&self, desk: &Desk, program: &Arc<Program>, origin: Origin) -> FlowRun {
        let mut begin = self.begun(program);
        begin.origin = origin;
        let (job, heard) = (self.job(program), self.heard.clone());
        desk.run(begin, move |cx| run(cx, job, heard))
    }

    pub fn begun(&self, program: &Program) -> FlowStart {
        FlowStart::new(self.origin(), "script")
            .arguments(json!({}))
            .version(version(program))
    }

    /// The ask with this message that a run waits for.
    pub async fn asked(&self, run: &FlowRun, message: &str) -> AskId {
        eventually(message, async || {
            let ask = *run.open_asks().first()?;
            let record = self.journal.ask(ask).await.unwrap()?;
            (record.ask.message == message).then_some(ask)
        })
        .await
    }

    /// Runs the method `main` of a source whose asks get these replies.
    pub async fn run(&self, source: &str, replies: Vec<Reply>) -> CallToolResult {
        let desk = self.desk(Some(Person::says(replies))).await;
        self.begin(&desk, &program(source)).ended().await.unwrap()
    }
}

/// A program of this source.
pub fn program(source: &str) -> Arc<Program> {
    Arc::new(Program::from_source("script", Path::new("script.js"), source).unwrap())
}

/// A program with one method of this body.
pub fn main(body: &str) -> String {
    format!("export function* main() {{ {body} }}")
}

/// A program that may do this, with one method of this body.
pub fn may(permissions: &str, body: &str) -> String {
    format!("export const permissions = {permissions};\n{}", main(body))
}

/// The fields of a result, which its text says too.
pub fn body(result: &CallToolResult) -> Value {
    check_text_says_fields(&serde_json::to_value(result).unwrap());
    result.structured_content.clone().unwrap()
}

/// The message of a script that did not come to its end, or what it returned.
pub fn said(result: &CallToolResult) -> String {
    let body = body(result);
    let said = body.get("message").unwrap_or(&body["result"]);
    said.as_str()
        .map_or_else(|| said.to_string(), str::to_owned)
}

/// The text for agents.
pub fn text(result: &CallToolResult) -> String {
    result.content[0].as_text().unwrap().text.clone()
}

pub fn yes() -> Reply {
    accept(json!({ "confirmed": true }))
}

pub fn no() -> Reply {
    Reply::Decline { reason: None }
}

/// The ask that a run waits for.
pub async fn open(run: &FlowRun) -> AskId {
    let first = async || run.open_asks().first().copied();
    eventually("an open ask", first).await
}
