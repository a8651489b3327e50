//! A server in a process of its own, and the client's side of MCP: raw lines, parsed no further than
//! needed, so that the client is never what is measured.

use anyhow::{Context, bail, ensure};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

/// A server that runs.
pub struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    /// What is to be sent before the next wait.
    out: Vec<u8>,
    line: Vec<u8>,
    calls: u64,
    /// The tool that is called. It takes a `message`, and gives back the answer.
    pub tool: &'static str,
}

/// What a server said.
pub enum Said {
    /// It asks the person: the request's id as it was written, and which call asks.
    Asked(String, u64),
    /// This call ended, with the right answer in it.
    Ended(u64),
}

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<&'a str>,
}

const READ: usize = 256 * 1024;

impl Client {
    /// Starts a server and shakes hands with it; gives the time until it answered.
    pub fn start(command: &mut Command) -> anyhow::Result<(Self, Duration)> {
        let began = Instant::now();
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {:?}", command.get_program()))?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().context("no standard output")?;
        let mut client = Self {
            child,
            stdin,
            stdout: BufReader::with_capacity(READ, stdout),
            out: Vec::with_capacity(READ),
            line: Vec::new(),
            calls: 0,
            tool: "elicit_input",
        };
        client.write(r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{"form":{}}},"clientInfo":{"name":"bench","version":"1.0.0"}}}"#);
        let line = client.next_line()?;
        let started = began.elapsed();
        ensure!(line.contains(r#""result""#), "no handshake: {line}");
        client.write(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        client.flush()?;
        Ok((client, started))
    }

    /// The server's process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Calls the tool; gives the call's number. It goes out with the next wait.
    pub fn call(&mut self) -> u64 {
        self.calls += 1;
        let (n, tool) = (self.calls, self.tool);
        self.write(&format!(
            r#"{{"jsonrpc":"2.0","id":{n},"method":"tools/call","params":{{"name":"{tool}","arguments":{{"message":"What should the artifact call-{n} be named?"}}}}}}"#
        ));
        n
    }

    /// Answers for the person. It goes out with the next wait.
    pub fn answer(&mut self, id: &str, call: u64) {
        self.write(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"result":{{"action":"accept","content":{{"value":"answer-{call}"}}}}}}"#
        ));
    }

    /// Waits for what the server says next.
    ///
    /// # Errors
    /// When the server ends, asks for something else, or ends a call without its answer.
    pub fn said(&mut self) -> anyhow::Result<Said> {
        loop {
            let line = self.next_line()?;
            let message: Message =
                serde_json::from_str(line).with_context(|| format!("no JSON: {line}"))?;
            match (message.id, message.method) {
                (Some(id), Some("elicitation/create")) => {
                    let call = number_after(line, "call-")
                        .with_context(|| format!("not the message that was given: {line}"))?;
                    return Ok(Said::Asked(id.get().to_owned(), call));
                }
                (Some(id), None) => {
                    let call = id.get().parse()?;
                    if number_after(line, "answer-") != Some(call) {
                        bail!("call {call} did not end with its answer: {line}");
                    }
                    return Ok(Said::Ended(call));
                }
                (Some(id), Some("ping")) => {
                    let pong = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#);
                    self.write(&pong);
                }
                (Some(_), Some(method)) => bail!("the server asks for {method}"),
                (None, _) => {} // A notification.
            }
        }
    }

    /// Ends the server.
    pub fn stop(mut self) -> anyhow::Result<()> {
        self.stdin = None;
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    fn write(&mut self, message: &str) {
        self.out.extend_from_slice(message.as_bytes());
        self.out.push(b'\n');
    }

    fn flush(&mut self) -> anyhow::Result<()> {
        if let Some(stdin) = &mut self.stdin {
            stdin.write_all(&self.out)?;
        }
        self.out.clear();
        Ok(())
    }

    fn next_line(&mut self) -> anyhow::Result<&str> {
        // Only a wait sends: what came together is answered together.
        if !self.stdout.buffer().contains(&b'\n') {
            self.flush()?;
        }
        self.line.clear();
        self.stdout.read_until(b'\n', &mut self.line)?;
        ensure!(!self.line.is_empty(), "the server ended");
        Ok(std::str::from_utf8(&self.line)?)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The number behind this mark.
pub fn number_after(line: &str, mark: &str) -> Option<u64> {
    let rest = &line[line.find(mark)? + mark.len()..];
    let end = rest.find(|c: char| !c.is_ascii_digit())?;
    rest[..end].parse().ok()
}
