//! `holdpoint serve` with a client that shows nothing, and its page as a browser sees it.

use anyhow::{Context, ensure};
use holdpoint::{
    Ask, Origin,
    journal::{NewAsk, Write as Record},
};
use jiff::Timestamp;
use serde_json::{Value, json};
use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, Command, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

/// How long a page may take to be there.
const PATIENCE: Duration = Duration::from_secs(20);

/// An ask to write into a journal.
pub fn new_ask(dangerous: bool) -> Record {
    let ask = Ask::confirm("Deploy **build 7** to production?").details("Some `details`.");
    let ask = if dangerous { ask.dangerous() } else { ask };
    let origin = Origin {
        principal: "bench".into(),
        tool: Some("elicit_confirm".into()),
        ..Origin::default()
    };
    Record::OpenAsk(Arc::new(NewAsk::new(ask, origin, Timestamp::now())))
}

/// A server that runs.
pub struct Server {
    child: Child,
}

impl Server {
    /// Starts the one of this command, with a page, greets it and asks for its tools.
    ///
    /// # Errors
    /// When it does not start.
    pub fn start(command: &mut Command) -> anyhow::Result<Self> {
        let mut child = command
            .args(["--inbox", "127.0.0.1:0"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start holdpoint")?;
        let output = child.stdout.take().context("no output")?;
        let mut server = Self { child };
        server.write(&json!({
            "jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": {
                "protocolVersion": "2025-11-25", "capabilities": {},
                "clientInfo": { "name": "bench", "version": "1" },
            },
        }))?;
        server.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        server.write(&json!({ "jsonrpc": "2.0", "id": "tools", "method": "tools/list" }))?;
        let mut output = BufReader::new(output);
        let mut line = String::new();
        while !line.contains(r#""tools":["#) {
            line.clear();
            ensure!(output.read_line(&mut line)? > 0, "the server ended");
        }
        std::thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()));
        Ok(server)
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// An agent's call that asks.
    ///
    /// # Errors
    /// When it does not answer.
    pub fn call(&mut self, number: usize) -> anyhow::Result<()> {
        let arguments = json!({ "message": format!("Go on with {number}?") });
        self.write(&json!({
            "jsonrpc": "2.0", "id": number, "method": "tools/call",
            "params": { "name": "elicit_confirm", "arguments": arguments },
        }))
    }

    fn write(&mut self, message: &Value) -> anyhow::Result<()> {
        let input = self.child.stdin.as_mut().context("no input")?;
        Ok(writeln!(input, "{message}")?)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The page over a journal, opened in a browser.
pub struct Page {
    address: String,
    token: String,
    agent: ureq::Agent,
}

impl Page {
    /// Opens it, once a server hosts it.
    ///
    /// # Errors
    /// When it does not answer.
    pub fn open(journal: &Path) -> anyhow::Result<Self> {
        let beside = |name: &str| format!("{}-{name}", journal.display());
        let began = Instant::now();
        let address = loop {
            match fs::read_to_string(beside("kept/page-address")) {
                Ok(address) => break address,
                Err(error) if began.elapsed() > PATIENCE => return Err(error.into()),
                Err(_) => std::thread::sleep(Duration::from_millis(10)),
            }
        };
        let key = fs::read(beside("keys/page"))?.try_into();
        let key: [u8; 32] = key.map_err(|_| anyhow::anyhow!("the page's key is not whole"))?;
        let key = holdpoint_inbox::Keys::new(key).opening_key()?;
        let agent = ureq::Agent::new_with_defaults();
        let opened = agent
            .post(format!("{address}/api/session"))
            .header("content-type", "application/json")
            .send(json!({ "key": key }).to_string())?;
        let opened: Value = serde_json::from_reader(opened.into_body().into_reader())?;
        let text = |name: &str| opened[name].as_str().unwrap_or_default().to_owned();
        let browser = holdpoint_inbox::Browser {
            number: text("browser"),
            key: text("key"),
        };
        let health = agent.get(format!("{address}/api/health")).call()?;
        let health: Value = serde_json::from_reader(health.into_body().into_reader())?;
        let token = browser.token(health["hosting"].as_str().unwrap_or_default());
        Ok(Self {
            address,
            token,
            agent,
        })
    }

    /// What the page's API says.
    ///
    /// # Errors
    /// When it does not answer.
    pub fn get(&self, path: &str) -> anyhow::Result<Value> {
        let request = self.agent.get(format!("{}{path}", self.address));
        let answer = request.header("x-holdpoint-token", &self.token).call()?;
        Ok(serde_json::from_reader(answer.into_body().into_reader())?)
    }

    /// Its live events.
    ///
    /// # Errors
    /// When it does not answer.
    pub fn listen(&self) -> anyhow::Result<Box<dyn BufRead>> {
        let request = self.agent.get(format!("{}/api/events", self.address));
        let answer = request.header("x-holdpoint-token", &self.token).call()?;
        Ok(Box::new(BufReader::new(answer.into_body().into_reader())))
    }
}

/// Waits for the next ask on the stream.
///
/// # Errors
/// When the stream ends.
pub fn hear(events: &mut dyn BufRead) -> anyhow::Result<()> {
    let mut line = String::new();
    while line.trim() != "event: elicitation" {
        line.clear();
        ensure!(events.read_line(&mut line)? > 0, "the stream ended");
    }
    Ok(())
}
