use std::{
    fmt::Write as _,
    io::{BufRead, BufReader, Read, Write as _},
    path::PathBuf,
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{self, Receiver},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::Plan;

/// No plan of a test takes longer; a client that does is killed.
const PATIENCE: Duration = Duration::from_secs(300);

/// What came of a plan.
#[derive(Debug)]
pub struct Run {
    /// All events, in their order.
    pub events: Vec<Value>,
    /// How the client's process ended; `None` if by a signal.
    pub exit_code: Option<i32>,
    /// What it wrote to standard error.
    pub stderr: String,
}

impl Run {
    /// The events of one kind.
    pub fn all<'a>(&'a self, event: &'a str) -> impl Iterator<Item = &'a Value> {
        self.events.iter().filter(move |e| e["event"] == event)
    }

    /// The questions that the client was asked, as their `params`.
    pub fn asked(&self) -> Vec<&Value> {
        self.all("elicitation").map(|e| &e["params"]).collect()
    }

    /// The result of a call, by its index.
    ///
    /// # Panics
    ///
    /// If it has none.
    pub fn result(&self, call: usize) -> &Value {
        &self.of_call("result", call)["result"]
    }

    /// The error of a call, by its index: `code`, `message`, `data`.
    ///
    /// # Panics
    ///
    /// If it has none.
    pub fn error(&self, call: usize) -> &Value {
        self.of_call("error", call)
    }

    /// The first text of a call's result.
    ///
    /// # Panics
    ///
    /// If it has no result, or that has no text.
    pub fn text(&self, call: usize) -> &str {
        let text = self.result(call)["content"][0]["text"].as_str();
        text.unwrap_or_else(|| panic!("call {call} has no text\n{}", self.story()))
    }

    fn of_call(&self, event: &str, call: usize) -> &Value {
        let found = |e: &&Value| e["event"] == event && e["call"] == call;
        self.events
            .iter()
            .find(found)
            .unwrap_or_else(|| panic!("call {call} has no {event}\n{}", self.story()))
    }

    /// All that happened, for the message of a failed test.
    pub fn story(&self) -> String {
        let mut story = String::new();
        for event in &self.events {
            let _ = writeln!(story, "{event}");
        }
        let _ = write!(story, "exit code {:?}\n{}", self.exit_code, self.stderr);
        story
    }
}

/// A client at work.
pub struct Running {
    process: Child,
    stdin: Option<ChildStdin>,
    incoming: Receiver<Value>,
    stderr: Option<JoinHandle<String>>,
    events: Vec<Value>,
    deadline: Instant,
}

impl Running {
    pub(crate) fn start([program, script]: [PathBuf; 2], plan: &Plan) -> Self {
        let mut process = Command::new(&program)
            .arg(script)
            .arg(plan.to_json())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("cannot start {}: {error}", program.display()));

        let (sender, incoming) = mpsc::channel();
        let stdout = BufReader::new(process.stdout.take().expect("stdout is piped"));
        thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                let event = serde_json::from_str(&line)
                    .unwrap_or_else(|_| serde_json::json!({ "event": "noise", "line": line }));
                if sender.send(event).is_err() {
                    break;
                }
            }
        });
        let mut stderr = process.stderr.take().expect("stderr is piped");
        let stderr = thread::spawn(move || {
            let mut text = Vec::new();
            let _ = stderr.read_to_end(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        });

        Self {
            stdin: process.stdin.take(),
            process,
            incoming,
            stderr: Some(stderr),
            events: Vec::new(),
            deadline: Instant::now() + PATIENCE,
        }
    }

    /// Waits for the next event of a kind; the ones before it are kept for the [`Run`].
    ///
    /// # Panics
    ///
    /// If the client ends without it.
    pub fn wait_for(&mut self, event: &str) -> Value {
        loop {
            let Some(next) = self.next() else {
                let events = &self.events;
                panic!("the client ended without an event {event:?}: {events:#?}");
            };
            if next["event"] == event {
                return next;
            }
        }
    }

    /// Lets the answer that waits with `await` go.
    pub fn go_on(&mut self) {
        let stdin = self.stdin.as_mut().expect("stdin is piped");
        writeln!(stdin, "go on").expect("the client reads its standard input");
    }

    /// Waits for the end.
    pub fn finish(mut self) -> Run {
        while self.next().is_some() {}
        let status = self.process.wait().expect("the client ends");
        let stderr = self.stderr.take().map(JoinHandle::join);
        Run {
            events: std::mem::take(&mut self.events),
            exit_code: status.code(),
            stderr: stderr.and_then(Result::ok).unwrap_or_default(),
        }
    }

    fn next(&mut self) -> Option<Value> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        match self.incoming.recv_timeout(left) {
            Ok(event) => {
                self.events.push(event.clone());
                Some(event)
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => None,
            Err(mpsc::RecvTimeoutError::Timeout) => {
                let _ = self.process.kill();
                panic!("the client did not end in {PATIENCE:?}: {:#?}", self.events);
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
