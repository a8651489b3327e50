//! The client's side of MCP over HTTP, in either era, and a server in a process of its own.

use crate::{client::number_after, http_connection::Connection};
use anyhow::{Context, bail, ensure};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::{
    collections::HashMap,
    io::{BufRead, BufReader},
    net::SocketAddr,
    process::{Child, Command, Stdio},
};

/// A server that listens. It is ended when this is dropped.
#[derive(Debug)]
pub struct HttpServer {
    child: Child,
    address: SocketAddr,
}

impl HttpServer {
    /// Starts one and waits for the address that it prints.
    ///
    /// # Errors
    /// When it does not start.
    pub fn start(command: &mut Command) -> anyhow::Result<Self> {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {:?}", command.get_program()))?;
        let mut output = BufReader::new(child.stdout.take().context("no standard output")?);
        let mut line = String::new();
        output.read_line(&mut line)?;
        std::thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()));
        let address = line.trim().strip_prefix("http://");
        let address = address.and_then(|rest| rest.strip_suffix("/mcp")?.parse().ok());
        let Some(address) = address else {
            let _ = child.kill();
            let _ = child.wait();
            bail!("no address, but {line:?}");
        };
        Ok(Self { child, address })
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// How a client is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// In the middle of its call, within a session.
    Older,
    /// By the result of its call, which it makes again with the answer.
    Newer,
}

impl Era {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Older, Self::Newer];

    /// The revision of the protocol.
    pub fn revision(self) -> &'static str {
        match self {
            Self::Older => "2025-11-25",
            Self::Newer => "2026-07-28",
        }
    }
}

const HELLO: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{"form":{}}},"clientInfo":{"name":"bench","version":"1.0.0"}}}"#;
const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1.0.0"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}"#;

/// A client with a connection for its calls; one of the older era has a session, and a second connection for
/// its answers.
#[derive(Debug)]
pub struct HttpClient {
    era: Era,
    /// What each request begins with.
    head: String,
    calls: Connection,
    answers: Option<Connection>,
    address: SocketAddr,
}

/// A question that waits for its answer.
#[derive(Debug, Clone)]
pub struct Question {
    /// The request's id, or the key of the one input that is required.
    pub id: String,
    /// What goes back with the answer as it came; of the newer era, and not from every server.
    pub state: Option<String>,
}

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<&'a str>,
    result: Option<Called>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Called {
    input_requests: Option<HashMap<String, serde::de::IgnoredAny>>,
    request_state: Option<String>,
}

impl HttpClient {
    /// Connects, and begins a session where the era has sessions.
    ///
    /// # Errors
    /// When the server is not there or does not begin one.
    pub async fn connect(
        address: SocketAddr,
        era: Era,
        token: Option<&str>,
    ) -> anyhow::Result<Self> {
        let mut client = Self {
            era,
            head: head(address, era, token),
            calls: Connection::open(address).await?,
            answers: None,
            address,
        };
        if era == Era::Older {
            let begun = client.calls.post(&client.head, HELLO).await?;
            let said = client.calls.message().await?;
            let session = begun
                .session
                .with_context(|| format!("no session: {} {said:?}", begun.status))?;
            client.calls.finish().await?;
            client.head += &format!("Mcp-Session-Id: {session}\r\n");
            let ready = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
            client.calls.post(&client.head, ready).await?;
            client.calls.finish().await?;
        }
        Ok(client)
    }

    /// Another principal speaks over this connection from now on; of the newer era only.
    pub fn speak_as(&mut self, token: &str) {
        self.head = head(self.address, self.era, Some(token));
    }

    /// Calls the tool, up to its question.
    ///
    /// # Errors
    /// When the call ends otherwise.
    pub async fn ask(&mut self, call: u64) -> anyhow::Result<Question> {
        self.call(call, "").await?;
        let said = self.said().await?;
        ensure!(
            number_after(&said, "call-") == Some(call),
            "call {call} asks something else: {said}"
        );
        let message: Message = serde_json::from_str(&said)?;
        match (self.era, message.method, message.id, message.result) {
            (Era::Older, Some("elicitation/create"), Some(id), _) => Ok(Question {
                id: id.get().to_owned(),
                state: None,
            }),
            (Era::Newer, None, Some(_), Some(called)) => {
                self.calls.finish().await?;
                let requests = called.input_requests.into_iter().flatten();
                let mut keys = requests.map(|(key, _)| key);
                Ok(Question {
                    id: keys
                        .next()
                        .with_context(|| format!("asks nothing: {said}"))?,
                    state: called.request_state,
                })
            }
            _ => bail!("call {call} does not ask: {said}"),
        }
    }

    /// Answers for the person, and waits for the call's result with that answer in it.
    ///
    /// # Errors
    /// When the call ends otherwise.
    pub async fn answer(&mut self, call: u64, question: &Question) -> anyhow::Result<()> {
        let id = &question.id;
        let accept = format!(r#"{{"action":"accept","content":{{"value":"answer-{call}"}}}}"#);
        match self.era {
            Era::Older => {
                let answer = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{accept}}}"#);
                let answers = match &mut self.answers {
                    Some(answers) => answers,
                    None => self.answers.insert(Connection::open(self.address).await?),
                };
                let taken = answers.post(&self.head, &answer).await?;
                answers.finish().await?;
                ensure!(taken.status == 202, "the answer was not taken: {taken:?}");
            }
            Era::Newer => {
                let mut with = format!(r#","inputResponses":{{"{id}":{accept}}}"#);
                if let Some(state) = &question.state {
                    with += &format!(r#","requestState":"{state}""#);
                }
                self.call(call, &with).await?;
            }
        }
        let said = self.said().await?;
        ensure!(
            number_after(&said, "answer-") == Some(call),
            "call {call} did not end with its answer: {said}"
        );
        self.calls.finish().await
    }

    /// Asks which tools there are.
    ///
    /// # Errors
    /// When it is not told.
    pub async fn list_tools(&mut self) -> anyhow::Result<()> {
        let params = match self.era {
            Era::Older => String::new(),
            Era::Newer => META.to_owned(),
        };
        let list =
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{{params}}}}}"#);
        self.post("tools/list", &list).await?;
        let said = self.said().await?;
        ensure!(said.contains("elicit_input"), "no tools: {said}");
        self.calls.finish().await
    }

    async fn call(&mut self, call: u64, with: &str) -> anyhow::Result<()> {
        let meta = match self.era {
            Era::Older => String::new(),
            Era::Newer => format!(",{META}"),
        };
        let call = format!(
            r#"{{"jsonrpc":"2.0","id":{call},"method":"tools/call","params":{{"name":"elicit_input","arguments":{{"message":"What should the artifact call-{call} be named?"}}{with}{meta}}}}}"#
        );
        self.post("tools/call", &call).await
    }

    async fn post(&mut self, method: &str, body: &str) -> anyhow::Result<()> {
        let head = match (self.era, method) {
            (Era::Older, _) => &self.head,
            (Era::Newer, "tools/call") => &format!(
                "{}Mcp-Method: tools/call\r\nMcp-Name: elicit_input\r\n",
                self.head
            ),
            (Era::Newer, _) => &format!("{}Mcp-Method: {method}\r\n", self.head),
        };
        let begun = self.calls.post(head, body).await?;
        if begun.status != 200 {
            let said = self.calls.message().await?.unwrap_or_default();
            bail!("{method} was answered with {}: {said}", begun.status);
        }
        Ok(())
    }

    /// The next message of the open answer that is no notification.
    async fn said(&mut self) -> anyhow::Result<String> {
        loop {
            let said = self.calls.message().await?;
            let said = said.context("the answer ended without a result")?;
            let message: Message =
                serde_json::from_str(&said).with_context(|| format!("no JSON: {said}"))?;
            if message.id.is_some() {
                return Ok(said);
            }
        }
    }
}

fn head(address: SocketAddr, era: Era, token: Option<&str>) -> String {
    let mut head = format!(
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: {}\r\n",
        era.revision()
    );
    if let Some(token) = token {
        head += &format!("Authorization: Bearer {token}\r\n");
    }
    head
}
