//! Sessions of real clients, recorded once and replayed by the ordinary tests.
//!
//! A recording is a file of JSON lines: a [`Session`], then [`Step`]s, then what the journal held at
//! the end. What changes from run to run (ids, states, addresses, times) stands in it as [`Tokens`].

mod scrub;
mod tokens;

use serde_json::{Map, Value, json};
use std::{fs, path::Path};

pub use scrub::{Raw, scrub};
pub use tokens::Tokens;

/// A recorded session.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// How the server was started.
    pub session: Session,
    /// What happened, in order.
    pub steps: Vec<Step>,
    /// What the journal held at the end.
    pub journal: Value,
}

/// How the server was started, and by whom.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// What the recording is called: the client and the scenario.
    pub name: String,
    /// The arguments of `holdpoint`.
    pub arguments: Vec<String>,
    /// The variables by which a client is known, and those of an agent.
    pub environment: Map<String, Value>,
    /// The user's own configuration.
    pub config: String,
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// The client sent this.
    Client {
        /// The message.
        message: Value,
        /// For a reply to a question: how long after it, in milliseconds, rounded.
        after_ms: Option<u64>,
    },
    /// The server sent this.
    Server(Value),
    /// A person answered on the page: `action`, `content`, and what the message of the ask has in it.
    Person(Value),
    /// The agent ran `holdpoint` in its shell: `arguments`, `environment`, `exit`.
    Shell(Value),
}

impl Recording {
    /// Reads a recording.
    ///
    /// # Panics
    ///
    /// If it is not one.
    pub fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).expect("a recording can be read");
        let mut lines = text.lines().map(|line| {
            let parsed: Result<Value, _> = serde_json::from_str(line);
            parsed.unwrap_or_else(|error| panic!("{}: {error}\n{line}", path.display()))
        });
        let mut head = lines.next().expect("a recording begins with its session");
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let session = Session {
            name: text(&head["session"]),
            arguments: list(&head["arguments"]).iter().map(text).collect(),
            environment: head["environment"]
                .as_object_mut()
                .map(std::mem::take)
                .unwrap_or_default(),
            config: text(&head["config"]),
        };
        let mut recording = Self {
            session,
            steps: Vec::new(),
            journal: Value::Null,
        };
        for mut line in lines {
            let after_ms = line["afterMs"].as_u64();
            let line = line.as_object_mut().expect("a line is an object");
            let mut take = |key: &str| line.shift_remove(key);
            if let Some(message) = take("client") {
                let step = Step::Client { message, after_ms };
                recording.steps.push(step);
            } else if let Some(message) = take("server") {
                recording.steps.push(Step::Server(message));
            } else if let Some(answer) = take("person") {
                recording.steps.push(Step::Person(answer));
            } else if let Some(command) = take("shell") {
                recording.steps.push(Step::Shell(command));
            } else if let Some(journal) = take("journal") {
                recording.journal = journal;
            } else {
                panic!("{}: no step {line:?}", path.display());
            }
        }
        recording
    }

    /// Writes it, a line for each step.
    ///
    /// # Panics
    ///
    /// If the file cannot be written.
    pub fn write(&self, path: &Path) {
        let Session {
            name,
            arguments,
            environment,
            config,
        } = &self.session;
        let head = json!({
            "session": name,
            "arguments": arguments,
            "environment": environment,
            "config": config,
        });
        let steps = self.steps.iter().map(|step| match step {
            Step::Client {
                message,
                after_ms: None,
            } => json!({ "client": message }),
            Step::Client {
                message,
                after_ms: Some(after),
            } => json!({ "client": message, "afterMs": after }),
            Step::Server(message) => json!({ "server": message }),
            Step::Person(answer) => json!({ "person": answer }),
            Step::Shell(command) => json!({ "shell": command }),
        });
        let lines = [head]
            .into_iter()
            .chain(steps)
            .chain([json!({ "journal": self.journal })]);
        let text: String = lines.map(|line| format!("{line}\n")).collect();
        fs::write(path, text).expect("a recording can be written");
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Says whether a message answers a question: a reply to a form, or a call that brings replies.
pub fn is_reply(message: &Value) -> bool {
    message["result"]["action"].is_string() || message["params"]["inputResponses"].is_object()
}

/// Says whether a message asks something: a form, or a result that wants replies.
pub fn is_question(message: &Value) -> bool {
    message["method"] == "elicitation/create" || message["result"]["inputRequests"].is_object()
}

/// Says whether a message says nothing of a session: progress and pings come when they come.
pub fn is_noise(message: &Value) -> bool {
    ["ping", "notifications/progress"]
        .map(Value::from)
        .contains(&message["method"])
}
