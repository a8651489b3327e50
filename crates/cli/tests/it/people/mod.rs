//! People reached from a shell, with the real binary: `ask`, `answer`, `inbox`, `pin`, `run`, hooks.

mod agents;
mod answer;
mod ask;
mod dangerous;
mod fields;
mod full_screen;
mod inbox;
mod init_prompts;
mod init_trust;
mod named;
mod nobody_asked;
mod notify;
pub mod page;
mod permission;
mod phone;
pub mod pin;
mod release;
mod resume;
mod run;
mod secrets;
mod typed_before;

use crate::{
    inbox::browser,
    support::{person::*, *},
};
use holdpoint::{
    Ask, Origin,
    journal::{Journal as _, NewAsk, SqliteJournal, Write},
};
use jiff::Timestamp;
use serde_json::Value;
use std::{
    io::{BufRead, BufReader, Read},
    process::{Child, ChildStderr, Command, Stdio},
    sync::Arc,
};

/// `holdpoint ask` without a terminal, which waits for an answer.
struct Asking {
    child: Child,
    said: BufReader<ChildStderr>,
    id: String,
}

impl Asking {
    fn start(home: &Home, args: &[&str]) -> Self {
        let mut all = vec!["ask"];
        all.extend(args);
        let mut child = home
            .command(&all)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while !line.contains("Waiting in the inbox") {
            line.clear();
            assert_ne!(said.read_line(&mut line).unwrap(), 0, "it ended");
        }
        let id = line.trim().rsplit(' ').next().unwrap().to_owned();
        Self { child, said, id }
    }

    /// Tells it to stop.
    fn interrupt(&self) {
        let pid = self.child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-INT", &pid])
                .status()
                .unwrap()
                .success()
        );
    }

    /// What it printed to standard output, what it said, and its exit code.
    fn ends(mut self) -> (String, String, i32) {
        let (mut out, mut said) = (String::new(), String::new());
        self.child
            .stdout
            .take()
            .unwrap()
            .read_to_string(&mut out)
            .unwrap();
        self.said.read_to_string(&mut said).unwrap();
        let code = self.child.wait().unwrap().code().unwrap();
        (out, said, code)
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An open ask of another author's server, whose journal this is too.
fn asked_by(home: &Home, server: &str, ask: Ask) -> String {
    let origin = Origin {
        server: Some(server.into()),
        principal: "local".into(),
        client: Some("Claude Code 2.1".into()),
        client_name: Some("Claude Code".into()),
        tool: Some("delete".into()),
        workspace: Some("/home/ann/shop".into()),
    };
    let ask = NewAsk::new(ask, origin, Timestamp::now());
    let id = ask.id.to_string();
    let journal = SqliteJournal::open(home.journal()).unwrap();
    let opened = journal.commit(vec![Write::OpenAsk(Arc::new(ask))]);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(opened).unwrap();
    id
}

/// The last JSON object among what was shown.
fn last_json(page: &str) -> Value {
    // Before it may stand what was cleared away.
    let json = |line: &str| serde_json::from_str(&line[line.find('{')?..]).ok();
    page.lines().rev().find_map(json).expect(page)
}

/// What is recorded, kind by kind.
fn kinds(home: &Home) -> Vec<String> {
    let journal = rusqlite::Connection::open(home.journal()).unwrap();
    let mut query = journal
        .prepare("SELECT kind FROM events ORDER BY seq")
        .unwrap();
    let kinds = query.query_map([], |row| row.get(0)).unwrap();
    kinds.map(Result::unwrap).collect()
}

/// An example script.
fn example(name: &str) -> String {
    format!(
        "{}/../../examples/scripts/{name}",
        env!("CARGO_MANIFEST_DIR")
    )
}
