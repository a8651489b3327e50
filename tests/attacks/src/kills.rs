//! Real kills: a serving process is ended with SIGKILL at a random moment, and another one takes over the
//! same journal. `ATTACK_KILLS` says how often.
#![cfg(unix)]

use crate::{
    random::{Random, count},
    shop::{Next, Order, shop},
};
use holdpoint::{Desk, Holdpoint, Settings};
use holdpoint_testkit::ERAS;
use rmcp::ServiceExt;
use serde_json::{Value, json};
use std::{
    env, fs,
    io::{BufRead, BufReader, Lines, Write},
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};
use tokio::net::UnixListener;

/// How many kills there are where nothing else is said.
const USUAL: u64 = 6;
/// What takes longer hangs.
const LONG: Duration = Duration::from_secs(60);
/// How many messages a client sends for one order, at most.
pub const MESSAGES: u64 = 5;
/// How many microseconds a server takes for one of them, about.
const LATER: u64 = 6_000;

/// What is killed. Without a folder it does nothing.
#[tokio::test]
async fn serving_process() {
    let Some(folder) = env::var_os("ATTACK_FOLDER").map(PathBuf::from) else {
        return;
    };
    let journal = env::var("ATTACK_JOURNAL").unwrap();
    let journal = holdpoint::journal::open(&journal).await.unwrap();
    let settings = Settings::default().fast_reply(Duration::ZERO);
    let desk = Desk::builder(journal).settings(settings).build();
    let path = folder.join("effects");
    let flows = shop(Arc::new(move |effect| {
        let file = fs::File::options().create(true).append(true).open(&path);
        file.unwrap()
            .write_all(format!("{effect}\n").as_bytes())
            .unwrap();
    }));
    let server = Holdpoint::new(desk.await.unwrap(), flows).unwrap();
    let listener = UnixListener::bind(env::var_os("ATTACK_SOCKET").unwrap()).unwrap();
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        let (read, write) = stream.into_split();
        let server = server.clone();
        tokio::spawn(async move {
            if let Ok(running) = server.serve(holdpoint::over(read, write)).await {
                let _ = running.waiting().await;
            }
        });
    }
}

/// A serving process that does not outlive the test.
pub struct Server(Arc<Mutex<Child>>);

impl Server {
    /// Starts one over the journal at this address, whose effects are in a file of this folder.
    pub fn start(journal: &str, folder: &Path, socket: &Path) -> (Self, UnixStream) {
        let child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "kills::serving_process", "--nocapture"])
            .env("ATTACK_JOURNAL", journal)
            .env("ATTACK_FOLDER", folder)
            .env("ATTACK_SOCKET", socket)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let server = Self(Arc::new(Mutex::new(child)));
        let began = Instant::now();
        loop {
            match UnixStream::connect(socket) {
                Ok(stream) => return (server, stream),
                Err(error) => assert!(began.elapsed() < LONG, "no server: {error}"),
            }
            thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let mut child = self.0.lock().unwrap();
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// When a server is killed: so many messages of its client's after it began, and this much later.
pub struct Moment {
    pub messages: u64,
    pub delay: Duration,
}

impl Moment {
    /// Some moment among so many messages.
    pub fn among(messages: u64, random: &mut Random) -> Self {
        Self {
            messages: random.below(messages),
            delay: Duration::from_micros(random.below(LATER)),
        }
    }
}

#[test]
fn no_kill_repeats_an_effect_loses_a_decision_or_makes_up_a_yes() {
    let wanted = count("ATTACK_KILLS", USUAL);
    let folder = tempfile::tempdir().unwrap();
    let journal = format!("sqlite:{}", folder.path().join("journal.db").display());
    let mut random = Random::new(0);
    let (mut kills, mut starts) = (0, 0);
    let mut orders = Vec::new();
    while kills < wanted {
        let number = orders.len() as u64;
        let mut order = Order::new(number, ERAS[(number % 2) as usize]);
        let ended = loop {
            starts += 1;
            let socket = folder.path().join(format!("socket-{starts}"));
            let (server, stream) = Server::start(&journal, folder.path(), &socket);
            let moment = Moment::among(MESSAGES, &mut random);
            let mut talk = Talk::new(stream, &server, moment);
            let ended = talk.go_on(&mut order);
            kills += u64::from(talk.end() && ended.is_none());
            match ended {
                Some(ended) => break ended,
                None => order.hang_up(),
            }
        };
        orders.push((order, ended));
    }
    let effects = check(&journal, folder.path(), &orders);
    println!("{kills} kills, {} orders, {effects} effects", orders.len());
}

/// Checks each order and the record, and gives the number of effects.
pub fn check(journal: &str, folder: &Path, orders: &[(Order, String)]) -> usize {
    let text = fs::read_to_string(folder.join("effects")).unwrap_or_default();
    let effects: Vec<_> = text.lines().map(str::to_owned).collect();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let journal = holdpoint::journal::open(journal).await.unwrap();
        for (order, ended) in orders {
            order.check(journal.as_ref(), &effects, ended).await;
        }
        let flaws = journal.verify().await.unwrap().flaws;
        assert!(flaws.is_empty(), "{flaws:?}");
    });
    effects.len()
}

/// A client's connection to a server that is killed at some moment.
pub struct Talk {
    stream: UnixStream,
    lines: Lines<BufReader<UnixStream>>,
    child: Arc<Mutex<Child>>,
    moment: Moment,
    sent: u64,
    killer: Option<thread::JoinHandle<bool>>,
}

impl Talk {
    pub fn new(stream: UnixStream, server: &Server, moment: Moment) -> Self {
        stream.set_read_timeout(Some(LONG)).unwrap();
        Self {
            lines: BufReader::new(stream.try_clone().unwrap()).lines(),
            stream,
            child: server.0.clone(),
            moment,
            sent: 0,
            killer: None,
        }
    }

    /// Goes on with an order until it has ended; none where the server was killed.
    pub fn go_on(&mut self, order: &mut Order) -> Option<String> {
        if let Some(hello) = order.hello() {
            self.send(&hello)?;
            self.receive()?;
            self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        }
        for id in 1.. {
            let params = order.params();
            self.send(
                &json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }),
            )?;
            loop {
                let message = self.receive()?;
                match order.hear(&message) {
                    Next::Wait => {}
                    Next::Reply(reply) => self.send(&reply)?,
                    Next::Call => break,
                    Next::End(ended) => return Some(ended),
                }
            }
        }
        None
    }

    fn send(&mut self, message: &Value) -> Option<()> {
        let line = format!("{message}\n");
        let sent = self.stream.write_all(line.as_bytes()).ok();
        if self.sent == self.moment.messages {
            let (child, delay) = (self.child.clone(), self.moment.delay);
            self.killer = Some(thread::spawn(move || {
                thread::sleep(delay);
                let mut child = child.lock().unwrap();
                let is_alive = child.try_wait().unwrap().is_none();
                let _ = child.kill();
                is_alive
            }));
        }
        self.sent += 1;
        sent
    }

    fn receive(&mut self) -> Option<Value> {
        match self.lines.next()? {
            Ok(line) => serde_json::from_str(&line).ok(),
            Err(error) => {
                let hangs = error.kind() == std::io::ErrorKind::WouldBlock;
                assert!(!hangs, "the server hangs");
                None
            }
        }
    }

    /// Whether the server was killed.
    pub fn end(self) -> bool {
        self.killer.is_some_and(|killer| killer.join().unwrap())
    }
}
