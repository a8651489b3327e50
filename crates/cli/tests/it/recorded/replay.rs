//! One recorded session, again.

use super::{browser::Browser, journal_of};
use crate::support::{Home, Process, new_home};
use clients::recording::{Recording, Step, Tokens, is_noise};
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Write},
    process::{ChildStdin, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::{Duration, Instant},
};

/// How long the server may take for what it sent in the recording.
const LIMIT: Duration = Duration::from_secs(40);
/// How long something is waited for that is not expected, at the end.
const SILENCE: Duration = Duration::from_millis(200);
/// What a person needs for any question. Faster in the recording was not a person, and is as fast here.
const READING: Duration = Duration::from_millis(1200);
/// A recorded reply that came sooner came at once.
const AT_ONCE: Duration = Duration::from_millis(400);

/// Replays a session, and gives it as it went now.
///
/// # Errors
///
/// If the server does not send what it sent then, or sends something besides; with `update` that is no error,
/// and stands in what is given.
pub fn replay(recording: &Recording, update: bool) -> Result<Recording, String> {
    let home = new_home();
    home.config(&recording.session.config);
    let mut session = Session::start(&home, recording);
    let mut now = Recording {
        steps: Vec::new(),
        ..recording.clone()
    };
    for step in &recording.steps {
        let step = match step {
            Step::Server(message) => match session.receive(message) {
                Ok(message) => Step::Server(message),
                Err(_) if update => continue,
                Err(why) => return Err(why),
            },
            other => {
                session.repeat(other)?;
                other.clone()
            }
        };
        now.steps.push(step);
    }
    let besides = session.besides();
    if !besides.is_empty() && !update {
        return Err(format!("this came besides: {besides:?}"));
    }
    now.steps.extend(besides.into_iter().map(Step::Server));
    let journal = journal_of(&home);
    now.journal = session.tokens.of_other(&journal);
    Ok(now)
}

/// Where two of them differ, if they do.
pub fn difference(then: &Recording, now: &Recording) -> Option<String> {
    let name = &then.session.name;
    let pairs = then.steps.iter().zip(&now.steps);
    let differs = pairs.enumerate().find(|(_, (then, now))| then != now);
    if let Some((step, (Step::Server(then), Step::Server(now)))) = differs {
        return Some(format!("{name}, step {step}:\nthen {then}\nnow  {now}"));
    }
    (then.journal != now.journal).then(|| {
        format!(
            "{name}, the journal:\nthen {}\nnow  {}",
            then.journal, now.journal
        )
    })
}

struct Session<'a> {
    home: &'a Home,
    tokens: Tokens,
    input: ChildStdin,
    output: Receiver<Value>,
    /// What came before it was waited for.
    early: Vec<Value>,
    _server: Process,
}

impl<'a> Session<'a> {
    fn start(home: &'a Home, recording: &Recording) -> Self {
        let session = &recording.session;
        let arguments: Vec<_> = session.arguments.iter().map(String::as_str).collect();
        let environment = session.environment.iter();
        let environment =
            environment.map(|(name, value)| (name, value.as_str().unwrap_or_default()));
        let mut command = home.command(&arguments);
        command.envs(environment).stdin(Stdio::piped());
        let mut server = Process::start(&mut command);
        let stdout = BufReader::new(server.child().stdout.take().unwrap());
        let (sender, output) = mpsc::channel();
        thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                let message = serde_json::from_str(&line).expect("every line is JSON-RPC");
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let user = whoami::username().unwrap();
        Self {
            home,
            tokens: Tokens::new(home.root().to_str().unwrap(), &user),
            input: server.child().stdin.take().unwrap(),
            output,
            early: Vec::new(),
            _server: server,
        }
    }

    /// Does what was done then on our side of the server.
    fn repeat(&mut self, step: &Step) -> Result<(), String> {
        match step {
            Step::Client { message, after_ms } => self.send(message, *after_ms),
            Step::Person(answer) => self.answer_on_page(answer),
            Step::Shell(command) => self.run_in_shell(command)?,
            Step::Server(_) => unreachable!("the server sends by itself"),
        }
        Ok(())
    }

    fn send(&mut self, recorded: &Value, after_ms: Option<u64>) {
        let after = Duration::from_millis(after_ms.unwrap_or_default());
        if after >= AT_ONCE {
            thread::sleep(after.min(READING));
        }
        let message = self.tokens.restore(recorded);
        self.write(&message);
    }

    fn write(&mut self, message: &Value) {
        // A server that has ended is found out when something is expected of it.
        let _ = writeln!(self.input, "{message}");
    }

    /// Waits for what is like this, and gives it with its tokens.
    fn receive(&mut self, recorded: &Value) -> Result<Value, String> {
        let wanted = self.tokens.restore(recorded);
        let start = Instant::now();
        loop {
            let found = self
                .early
                .iter()
                .position(|message| is_like(message, &wanted));
            if let Some(at) = found {
                let message = self.early.remove(at);
                return Ok(self.tokens.of_server(&message));
            }
            let left = LIMIT.saturating_sub(start.elapsed());
            if !self.hear(left) {
                return Err(format!(
                    "this did not come: {recorded}\nbut {:?}",
                    self.early
                ));
            }
        }
    }

    /// Hears the next message, for so long; pings are answered.
    fn hear(&mut self, limit: Duration) -> bool {
        let Ok(message) = self.output.recv_timeout(limit) else {
            return false;
        };
        if message["method"] == "ping" {
            self.write(&json!({ "jsonrpc": "2.0", "id": message["id"], "result": {} }));
        } else if !is_noise(&message) {
            self.early.push(message);
        }
        true
    }

    /// What nobody waited for.
    fn besides(&mut self) -> Vec<Value> {
        while self.hear(SILENCE) {}
        let early = std::mem::take(&mut self.early);
        let besides = early.iter().map(|message| self.tokens.of_server(message));
        besides.collect()
    }

    fn answer_on_page(&mut self, answer: &Value) {
        let page = Browser::open(self.home);
        let mut body = self.tokens.restore(answer);
        body["askId"] = page.asked()["id"].clone();
        page.respond(body);
    }

    fn run_in_shell(&mut self, command: &Value) -> Result<(), String> {
        let command = self.tokens.restore(command);
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let arguments: Vec<_> = command["arguments"]
            .as_array()
            .unwrap()
            .iter()
            .map(text)
            .collect();
        let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
        let environment = command["environment"].as_object().unwrap().iter();
        let output = self
            .home
            .command(&arguments)
            .envs(environment.map(|(name, value)| (name, text(value))))
            .output()
            .unwrap();
        let (then, now) = (
            command["exit"].as_i64(),
            output.status.code().map(i64::from),
        );
        let same = then == now;
        same.then_some(())
            .ok_or_else(|| format!("{arguments:?} ended with {now:?}, then {then:?}"))
    }
}

/// Says whether a message answers the same request, or is of the same method.
fn is_like(message: &Value, wanted: &Value) -> bool {
    if wanted["method"].is_string() {
        return message["method"] == wanted["method"];
    }
    message["method"].is_null() && message["id"] == wanted["id"]
}
