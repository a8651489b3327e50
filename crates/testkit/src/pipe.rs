//! A client of the real binary, over its standard input and output.

use crate::{
    Process,
    protocol::{
        Era, LEGACY_REVISION, Requests, answers, form_capabilities, initialize, initialized, result,
    },
};
use serde_json::{Value, json};
use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{ChildStdin, ChildStdout, Command, Stdio},
};

/// A client that speaks lines of JSON with a process, and waits for each.
pub struct Pipe {
    /// The server.
    pub process: Process,
    /// What the server reads; taken away, it ends.
    pub input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    requests: Requests,
}

impl Pipe {
    /// Starts a server, with a client that shakes hands.
    pub fn legacy(command: &mut Command) -> Self {
        let hello = initialize(LEGACY_REVISION, &form_capabilities());
        Self::greeting(command, hello)
    }

    /// Starts a server, with a client that shakes hands in these words.
    pub fn greeting(command: &mut Command, words: Value) -> Self {
        Self::greet(command, words, |hello| {
            assert_eq!(
                hello["result"]["protocolVersion"], LEGACY_REVISION,
                "{hello}"
            );
        })
    }

    /// Starts a server, with a client that shakes hands and checks what it hears then.
    pub fn start_legacy_with(command: &mut Command, check: impl FnOnce(&Value)) -> Self {
        let hello = initialize(LEGACY_REVISION, &form_capabilities());
        Self::greet(command, hello, check)
    }

    fn greet(command: &mut Command, words: Value, check: impl FnOnce(&Value)) -> Self {
        let mut client = Self::start(command, Era::Legacy, Stdio::null());
        check(&client.ask("initialize", words));
        client.send(initialized());
        client
    }

    /// Starts a server whose log goes to this file, with a modern client.
    pub fn modern_logging(command: &mut Command, log: &Path) -> Self {
        let log = fs::File::create(log).unwrap();
        Self::start(command, Era::Modern, log.into())
    }

    /// Starts a server, with a client that says who it is with every request.
    pub fn modern(command: &mut Command) -> Self {
        Self::start(command, Era::Modern, Stdio::null())
    }

    fn start(command: &mut Command, era: Era, log: Stdio) -> Self {
        let mut process = Process::logging(command.stdin(Stdio::piped()), log);
        let capabilities = json!({ "elicitation": { "form": {} } });
        Self {
            input: process.child().stdin.take(),
            output: BufReader::new(process.child().stdout.take().unwrap()),
            process,
            requests: Requests::new(era, capabilities),
        }
    }

    /// Sends a message as it is.
    pub fn send(&mut self, message: Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    /// Sends a request, and gives its id.
    pub fn request(&mut self, method: &str, params: Value) -> u64 {
        let request = self.requests.make(method, params);
        self.send(request);
        self.requests.last
    }

    /// Sends a request, and waits for its answer.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        self.until(|message| answers(message, id))
    }

    /// Waits for the next message that is wanted. Every line must be a message of JSON-RPC.
    pub fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).unwrap();
            assert_ne!(read, 0, "the server hung up");
            let message: Value = serde_json::from_str(&line).expect(&line);
            assert_eq!(message["jsonrpc"], "2.0", "{line}");
            if message["method"] == "ping" {
                self.send(result(&message, json!({})));
            } else if wanted(&message) {
                return message;
            }
        }
    }

    /// Waits for the next form that the server sends.
    pub fn asked(&mut self) -> Value {
        self.until(|message| message["method"] == "elicitation/create")
    }
}
