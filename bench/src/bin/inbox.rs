//! How the inbox page does with many open asks: the first page of the list, how soon a new ask is
//! there, what the server uses while nothing happens.
//!
//! It starts `holdpoint serve` over a journal of its own and looks at its page as a browser does.
//! `bench/inbox` builds and runs it.

#[path = "../process.rs"]
#[allow(dead_code)]
mod process;

use anyhow::{Context, ensure};
use clap::Parser;
use holdpoint::{
    Ask, Origin,
    journal::{self, NewAsk, Write as Record},
};
use jiff::Timestamp;
use serde_json::{Value, json};
use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

/// Measures the inbox page.
#[derive(Parser)]
struct Args {
    /// The binary to measure.
    #[arg(long)]
    holdpoint: PathBuf,
    /// How many asks are open.
    #[arg(long, default_value_t = 10_000)]
    open: usize,
    /// How often each time is taken.
    #[arg(long, default_value_t = 50)]
    times: usize,
    /// For how long an idle server is watched, in seconds.
    #[arg(long, default_value_t = 10)]
    idle: u64,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("journal.db");
    let journal = journal::open(&format!("sqlite:{}", path.display())).await?;
    let mut rest = args.open;
    while rest > 0 {
        let batch: Vec<_> = (0..rest.min(500)).map(|at| new_ask(at % 20 == 0)).collect();
        rest -= batch.len();
        journal.commit(batch).await?;
    }
    let mut server = Server::start(&args.holdpoint, &path)?;
    println!("{}", process::machine());
    println!("{} asks open", args.open);

    let list = || {
        let listed = server.get("/api/asks?limit=50")?;
        ensure!(
            listed["asks"]
                .as_array()
                .is_some_and(|asks| asks.len() == 50.min(args.open))
        );
        Ok(())
    };
    report("first page of the list", times(args.times, list)?);

    let mut events = server.listen()?;
    let mut taken = Vec::new();
    for _ in 0..args.times {
        let began = Instant::now();
        journal.commit(vec![new_ask(false)]).await?;
        hear(&mut events)?;
        taken.push(began.elapsed());
    }
    report("a new ask of another process, on the page", taken);

    let mut taken = Vec::new();
    for number in 0..args.times {
        let began = Instant::now();
        server.call(number)?;
        hear(&mut events)?;
        taken.push(began.elapsed());
    }
    report("a new ask of the same process, on the page", taken);

    let (pid, before) = (server.child.id(), process::cpu(server.child.id())?);
    std::thread::sleep(Duration::from_secs(args.idle));
    let used = process::cpu(pid)? - before;
    let share = 100.0 * used.as_secs_f64() / args.idle as f64;
    println!("idle, a tab open: {share:.2} % of one processor");
    Ok(())
}

fn new_ask(dangerous: bool) -> Record {
    let ask = Ask::confirm("Deploy **build 7** to production?").details("Some `details`.");
    let ask = if dangerous { ask.dangerous() } else { ask };
    let origin = Origin {
        principal: "bench".into(),
        tool: Some("elicit_confirm".into()),
        ..Origin::default()
    };
    Record::OpenAsk(Arc::new(NewAsk::new(ask, origin, Timestamp::now())))
}

fn times(count: usize, once: impl Fn() -> anyhow::Result<()>) -> anyhow::Result<Vec<Duration>> {
    let timed = |_| {
        let began = Instant::now();
        once().map(|()| began.elapsed())
    };
    (0..count).map(timed).collect()
}

fn report(what: &str, mut taken: Vec<Duration>) {
    taken.sort();
    let (middle, most) = (taken[taken.len() / 2], taken[taken.len() - 1]);
    println!("{what}: {middle:.1?} in the middle, {most:.1?} at most");
}

/// `holdpoint serve` with a client that shows nothing, and a browser.
struct Server {
    child: Child,
    address: String,
    token: String,
    agent: ureq::Agent,
}

impl Server {
    fn start(holdpoint: &Path, journal: &Path) -> anyhow::Result<Self> {
        let mut child = Command::new(holdpoint)
            .args(["serve", "--inbox", "127.0.0.1:0", "--journal"])
            .arg(format!("sqlite:{}", journal.display()))
            .env("XDG_CONFIG_HOME", journal.with_extension("config"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot start holdpoint")?;
        let hello = json!({
            "jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": {
                "protocolVersion": "2025-11-25", "capabilities": {},
                "clientInfo": { "name": "bench", "version": "1" },
            },
        });
        let input = child.stdin.as_mut().context("no input")?;
        writeln!(input, "{hello}")?;
        writeln!(
            input,
            "{}",
            json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })
        )?;
        // The page is there before the first answer.
        let output = child.stdout.take().context("no output")?;
        let mut output = BufReader::new(output);
        output.read_line(&mut String::new())?;
        std::thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()));
        let beside = |name: &str| format!("{}-{name}", journal.display());
        let address = fs::read_to_string(beside("kept/page-address"))?;
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
            child,
            address,
            token,
            agent,
        })
    }

    fn get(&self, path: &str) -> anyhow::Result<Value> {
        let request = self.agent.get(format!("{}{path}", self.address));
        let answer = request.header("x-holdpoint-token", &self.token).call()?;
        Ok(serde_json::from_reader(answer.into_body().into_reader())?)
    }

    fn listen(&self) -> anyhow::Result<Box<dyn BufRead>> {
        let request = self.agent.get(format!("{}/api/events", self.address));
        let answer = request.header("x-holdpoint-token", &self.token).call()?;
        Ok(Box::new(BufReader::new(answer.into_body().into_reader())))
    }

    /// An agent's call that asks.
    fn call(&mut self, number: usize) -> anyhow::Result<()> {
        let arguments = json!({ "message": format!("Go on with {number}?") });
        let call = json!({
            "jsonrpc": "2.0", "id": number, "method": "tools/call",
            "params": { "name": "elicit_confirm", "arguments": arguments },
        });
        let input = self.child.stdin.as_mut().context("no input")?;
        Ok(writeln!(input, "{call}")?)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits for the next ask on the stream.
fn hear(events: &mut dyn BufRead) -> anyhow::Result<()> {
    let mut line = String::new();
    while line.trim() != "event: elicitation" {
        line.clear();
        ensure!(events.read_line(&mut line)? > 0, "the stream ended");
    }
    Ok(())
}
