//! A harness that calls the hook, and the person who answers it.

use crate::support::{Home, PATIENCE, new_home};
use holdpoint::{
    AskId, ChannelKind, Desk, Reply, ReplyResult,
    journal::{self, AskQuery, AskRecord, CallRecord},
    testing::{accept, person},
};
use serde_json::{Value, json};
use std::{
    io::Write,
    process::{Child, Output, Stdio},
    time::{Duration, Instant},
};

/// A home with a harness in it.
pub struct Station {
    pub home: Home,
}

/// What the hook said.
#[derive(Debug)]
pub struct Said {
    pub reply: Value,
    pub text: String,
    pub errors: String,
    pub code: i32,
}

impl Station {
    pub fn new() -> Self {
        Self { home: new_home() }
    }

    /// With these rules of the person's own.
    pub fn with_rules(rules: &str) -> Self {
        let station = Self::new();
        station.rules(rules);
        station
    }

    pub fn rules(&self, rules: &str) {
        let folder = self.home.root().join(".config/holdpoint");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("rules.toml"), rules).unwrap();
    }

    pub fn folder(&self) -> String {
        let folder = self.home.workspace().canonicalize().unwrap();
        folder.to_str().unwrap().to_owned()
    }

    /// Claude Code's prompt for a command.
    pub fn bash(&self, command: &str) -> Value {
        self.claude("PermissionRequest", "Bash", json!({ "command": command }))
    }

    /// An event of Claude Code about a tool.
    pub fn claude(&self, event: &str, tool: &str, input: Value) -> Value {
        json!({
            "session_id": "11111111-1111-4111-8111-111111111111",
            "transcript_path": "/home/ann/.claude/projects/p/t.jsonl",
            "cwd": self.folder(),
            "prompt_id": "22222222-2222-4222-8222-222222222222",
            "permission_mode": "default",
            "hook_event_name": event,
            "tool_name": tool,
            "tool_input": input,
        })
    }

    /// Calls the hook and waits for what it says.
    pub fn say(&self, harness: &str, within: u64, payload: &Value) -> Said {
        self.start(harness, within, payload).said()
    }

    /// Calls the hook, which goes on.
    pub fn start(&self, harness: &str, within: u64, payload: &Value) -> Hook {
        self.start_raw(harness, within, payload.to_string().as_bytes(), &[])
    }

    pub fn start_raw(
        &self,
        harness: &str,
        within: u64,
        payload: &[u8],
        variables: &[(&str, &str)],
    ) -> Hook {
        let within = within.to_string();
        let mut child = self
            .home
            .command(&["hook", harness, "--within", &within])
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // One that has refused already does not read.
        let _ = child.stdin.take().unwrap().write_all(payload);
        Hook(child)
    }

    /// A desk over the same record, in this process.
    pub async fn desk(&self) -> Desk {
        let url = format!("sqlite:{}", self.home.journal().display());
        let journal = journal::open(&url).await.unwrap();
        Desk::builder(journal).shared_inbox().build().await.unwrap()
    }

    /// Waits for the open ask.
    pub async fn open_ask(&self, desk: &Desk) -> AskRecord {
        let mut commits = desk.journal().commits();
        let found = async {
            loop {
                commits.borrow_and_update();
                if let Some(ask) = open(desk).await.into_iter().next() {
                    return ask;
                }
                commits.changed().await.unwrap();
            }
        };
        tokio::time::timeout(PATIENCE, found)
            .await
            .expect("an ask is opened")
    }

    /// The calls of the hook that are on record, newest first.
    pub async fn calls(&self, desk: &Desk) -> Vec<CallRecord> {
        let query = journal::CallQuery {
            method: "hook".into(),
            limit: 100,
            ..Default::default()
        };
        desk.journal().calls(query).await.unwrap()
    }
}

/// The open asks.
pub async fn open(desk: &Desk) -> Vec<AskRecord> {
    let query = AskQuery {
        open: true,
        ..AskQuery::default()
    };
    desk.journal().asks(query).await.unwrap()
}

/// Answers on the page.
pub async fn answer(desk: &Desk, ask: AskId, content: Value) {
    let ada = person(ChannelKind::Inbox, Some("ada"));
    let said = desk.reply(ask, ada, accept(content)).await.unwrap();
    assert!(matches!(said, ReplyResult::Settled(_)), "{said:?}");
}

pub async fn allow(desk: &Desk, ask: AskId) {
    answer(desk, ask, json!({ "decision": "allow" })).await;
}

pub async fn decline(desk: &Desk, ask: AskId, reason: &str) {
    let ada = person(ChannelKind::Inbox, Some("ada"));
    let reason = Some(reason.to_owned());
    desk.reply(ask, ada, Reply::Decline { reason })
        .await
        .unwrap();
}

/// A hook that runs.
pub struct Hook(pub Child);

impl Hook {
    /// Waits for its end, but not for ever.
    pub fn said(mut self) -> Said {
        let began = Instant::now();
        while self.0.try_wait().unwrap().is_none() {
            if began.elapsed() > PATIENCE {
                self.0.kill().unwrap();
                panic!("the hook hangs");
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let Output {
            status,
            stdout,
            stderr,
        } = self.0.wait_with_output().unwrap();
        let text = String::from_utf8(stdout).unwrap();
        Said {
            reply: serde_json::from_str(&text).unwrap_or(Value::Null),
            text,
            errors: String::from_utf8(stderr).unwrap(),
            code: status.code().unwrap_or(-1),
        }
    }
}

impl Said {
    /// What Claude Code is told at its prompt.
    pub fn behavior(&self) -> &str {
        let decision = &self.reply["hookSpecificOutput"]["decision"];
        decision["behavior"].as_str().unwrap_or("none")
    }

    /// With what words.
    pub fn message(&self) -> &str {
        let output = &self.reply["hookSpecificOutput"];
        let said = output["decision"]["message"].as_str();
        said.or(output["permissionDecisionReason"].as_str())
            .unwrap_or_default()
    }

    /// What Claude Code is told before a tool is used.
    pub fn before(&self) -> &str {
        let decision = &self.reply["hookSpecificOutput"]["permissionDecision"];
        decision.as_str().unwrap_or("none")
    }
}
