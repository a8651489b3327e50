//! The real binary, with a home of its own.

#[cfg(unix)]
pub mod person;

use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Output, Stdio},
    sync::{Arc, mpsc},
    thread,
    time::Duration,
};
use tempfile::TempDir;

/// Nothing that a test starts takes longer; it is killed then.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A user's folders, empty at first.
#[derive(Clone)]
pub struct Home(Arc<TempDir>);

impl Home {
    pub fn new() -> Self {
        let home = Self(Arc::new(tempfile::tempdir().unwrap()));
        std::fs::create_dir(home.workspace()).unwrap();
        home
    }

    /// All of it.
    pub fn root(&self) -> PathBuf {
        self.0.path().to_owned()
    }

    pub fn workspace(&self) -> PathBuf {
        self.0.path().join("work")
    }

    pub fn journal(&self) -> PathBuf {
        self.0.path().join("state/holdpoint/journal.db")
    }

    /// Writes the user's own file.
    pub fn config(&self, text: &str) {
        self.file(&self.0.path().join("config/holdpoint/config.toml"), text);
    }

    /// Writes a file of the workspace.
    pub fn work_file(&self, name: &str, text: &str) {
        self.file(&self.workspace().join(name), text);
    }

    fn file(&self, path: &Path, text: &str) {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// The variables under which the binary knows this home only.
    pub fn variables(&self) -> Vec<(String, PathBuf)> {
        let at = |name: &str, below: &str| (name.to_owned(), self.0.path().join(below));
        vec![
            at("HOME", ""),
            at("XDG_CONFIG_HOME", "config"),
            at("XDG_STATE_HOME", "state"),
            // A page at a free port, beside those of other tests.
            ("HOLDPOINT_INBOX".to_owned(), "127.0.0.1:0".into()),
        ]
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_holdpoint"));
        for (name, _) in std::env::vars_os() {
            let own = name.to_str().is_some_and(|it| it.starts_with("HOLDPOINT_"));
            if own || name == "RUST_LOG" {
                command.env_remove(name);
            }
        }
        command
            .args(args)
            .envs(self.variables())
            .current_dir(self.workspace())
            .stdin(Stdio::null());
        command
    }

    pub fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A process that is killed when it is dropped, or when it takes too long.
pub struct Process {
    child: Child,
    /// Held while it may run; the watch over it ends with this.
    watched: Option<mpsc::Sender<()>>,
}

impl Process {
    pub fn start(command: &mut Command) -> Self {
        Self::logging(command, Stdio::null())
    }

    /// One whose log goes there.
    pub fn logging(command: &mut Command, log: Stdio) -> Self {
        let command = command.stdout(Stdio::piped()).stderr(log);
        let child = command.spawn().unwrap();
        let pid = child.id();
        let (watched, ended) = mpsc::channel();
        thread::spawn(move || {
            if ended.recv_timeout(PATIENCE) == Err(mpsc::RecvTimeoutError::Timeout) {
                signal("-KILL", pid);
            }
        });
        Self {
            child,
            watched: Some(watched),
        }
    }

    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Tells it to stop.
    pub fn terminate(&self) {
        signal("-TERM", self.child.id());
    }

    /// How it ended.
    pub fn ended(&mut self) -> ExitStatus {
        let status = self.child.wait().unwrap();
        self.watched = None;
        status
    }
}

fn signal(signal: &str, pid: u32) {
    let sent = Command::new("kill")
        .args([signal, &pid.to_string()])
        .status();
    assert!(sent.unwrap().success());
}

impl Drop for Process {
    fn drop(&mut self) {
        self.watched = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A client that speaks lines of JSON over the binary's standard input and output.
pub struct Pipe {
    pub process: Process,
    pub input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    modern: bool,
    last: u64,
}

impl Pipe {
    /// A client that shakes hands.
    pub fn legacy(command: &mut Command) -> Self {
        Self::greeting(command, initialize())
    }

    /// A client that shakes hands with these words.
    pub fn greeting(command: &mut Command, words: Value) -> Self {
        let mut client = Self::start(command, false);
        let hello = client.ask("initialize", words);
        assert_eq!(hello["result"]["protocolVersion"], "2025-11-25", "{hello}");
        client.send(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    /// A client that shakes hands, and looks at what it is told then.
    pub fn start_legacy_with(command: &mut Command, look: impl FnOnce(&Value)) -> Self {
        let mut client = Self::start(command, false);
        look(&client.ask("initialize", initialize()));
        client.send(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    /// A modern client of a server whose log goes to this file.
    pub fn modern_logging(command: &mut Command, log: &Path) -> Self {
        let log = std::fs::File::create(log).unwrap();
        let mut process = Process::logging(command.stdin(Stdio::piped()), log.into());
        Self {
            input: process.child().stdin.take(),
            output: BufReader::new(process.child().stdout.take().unwrap()),
            process,
            modern: true,
            last: 0,
        }
    }

    /// A client that says who it is with every request.
    pub fn modern(command: &mut Command) -> Self {
        Self::start(command, true)
    }

    fn start(command: &mut Command, modern: bool) -> Self {
        let mut process = Process::start(command.stdin(Stdio::piped()));
        Self {
            input: process.child().stdin.take(),
            output: BufReader::new(process.child().stdout.take().unwrap()),
            process,
            modern,
            last: 0,
        }
    }

    pub fn send(&mut self, message: Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    pub fn request(&mut self, method: &str, mut params: Value) -> u64 {
        self.last += 1;
        if self.modern {
            params["_meta"] = modern_meta();
        }
        self.send(json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params }));
        self.last
    }

    /// A request and its answer.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        self.until(|message| message["id"] == id && message.get("method").is_none())
    }

    /// The next message that is wanted. Every line must be a message of JSON-RPC.
    pub fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).unwrap();
            assert_ne!(read, 0, "the server hung up");
            let message: Value = serde_json::from_str(&line).expect(&line);
            assert_eq!(message["jsonrpc"], "2.0", "{line}");
            if message["method"] == "ping" {
                self.send(json!({ "jsonrpc": "2.0", "id": message["id"], "result": {} }));
            } else if wanted(&message) {
                return message;
            }
        }
    }

    /// The next form that the server sends.
    pub fn asked(&mut self) -> Value {
        self.until(|message| message["method"] == "elicitation/create")
    }
}

pub fn initialize() -> Value {
    json!({
        "protocolVersion": "2025-11-25",
        "capabilities": { "elicitation": {} },
        "clientInfo": { "name": "test-client", "version": "1.0" },
    })
}

pub fn modern_meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test-client", "version": "1.0" },
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": { "form": {} } },
    })
}

/// A call of `elicit_confirm`.
pub fn confirm() -> Value {
    json!({ "name": "elicit_confirm", "arguments": { "message": "Go on?" } })
}

pub fn yes() -> Value {
    json!({ "action": "accept", "content": { "confirmed": true } })
}
