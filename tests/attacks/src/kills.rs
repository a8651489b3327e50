//! Real kills: a serving process is ended with SIGKILL at a random moment, and another one takes over the
//! same journal. `ATTACK_KILLS` says how often.
#![cfg(unix)]

use crate::{
    random::{Random, count},
    shop::{Order, shop},
};
use holdpoint::{Desk, Holdpoint, Settings};
use rmcp::ServiceExt;
use serde_json::{Value, json};
use std::{
    env, fs,
    io::{BufRead, BufReader, Write},
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

/// What is killed. Without a folder it does nothing.
#[tokio::test]
async fn serving_process() {
    let Some(folder) = env::var_os("ATTACK_FOLDER").map(PathBuf::from) else {
        return;
    };
    let journal = format!("sqlite:{}", folder.join("journal.db").display());
    let journal = holdpoint::journal::open(&journal).await.unwrap();
    let settings = Settings {
        fast_reply: Duration::ZERO,
        ..Settings::default()
    };
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
    let (stream, _) = listener.accept().await.unwrap();
    let (read, write) = stream.into_split();
    let running = server.serve(holdpoint::over(read, write)).await.unwrap();
    let _ = running.waiting().await;
}

/// A serving process that does not outlive the test.
struct Server(Arc<Mutex<Child>>);

impl Server {
    fn start(folder: &Path, socket: &Path) -> (Self, UnixStream) {
        let child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "kills::serving_process", "--nocapture"])
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

#[test]
fn no_kill_repeats_an_effect_loses_a_decision_or_makes_up_a_yes() {
    let wanted = count("ATTACK_KILLS", USUAL);
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random::new(0);
    let (mut kills, mut number, mut starts) = (0, 0, 0);
    let mut orders = Vec::new();
    // How long an order takes, in microseconds.
    let mut usual = 30_000;
    while kills < wanted {
        number += 1;
        let mut order = Order::new(number);
        let ended = loop {
            starts += 1;
            let socket = folder.path().join(format!("socket-{starts}"));
            let (server, stream) = Server::start(folder.path(), &socket);
            let began = Instant::now();
            let moment = Duration::from_micros(random.below(usual + usual / 2));
            let child = server.0.clone();
            let killer = thread::spawn(move || {
                thread::sleep(moment);
                let mut child = child.lock().unwrap();
                let is_alive = child.try_wait().unwrap().is_none();
                let _ = child.kill();
                is_alive
            });
            let ended = talk(stream, &mut order);
            let took = began.elapsed().as_micros() as u64;
            kills += u64::from(killer.join().unwrap() && ended.is_none());
            if let Some(ended) = ended {
                usual = (usual * 7 + took) / 8;
                break ended;
            }
        };
        orders.push((order, ended));
    }
    let text = fs::read_to_string(folder.path().join("effects")).unwrap_or_default();
    let effects: Vec<_> = text.lines().map(str::to_owned).collect();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let journal = format!("sqlite:{}", folder.path().join("journal.db").display());
        let journal = holdpoint::journal::open(&journal).await.unwrap();
        for (order, ended) in &orders {
            order.check(journal.as_ref(), &effects, ended).await;
        }
        let flaws = journal.verify().await.unwrap().flaws;
        assert!(flaws.is_empty(), "{flaws:?}");
    });
    println!("{kills} kills, {number} orders");
}

/// Goes on with an order until it has ended; none where the server was killed.
fn talk(mut stream: UnixStream, order: &mut Order) -> Option<String> {
    stream.set_read_timeout(Some(LONG)).unwrap();
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
    for id in 1.. {
        let request =
            json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": order.params() });
        stream.write_all(format!("{request}\n").as_bytes()).ok()?;
        let answer = loop {
            let line = match lines.next()? {
                Ok(line) => line,
                Err(error) => {
                    let hangs = error.kind() == std::io::ErrorKind::WouldBlock;
                    assert!(!hangs, "the server hangs");
                    return None;
                }
            };
            let message: Value = serde_json::from_str(&line).ok()?;
            if message["id"] == id && message.get("method").is_none() {
                break message;
            }
        };
        if let Some(ended) = order.heard(&answer) {
            return Some(ended);
        }
    }
    None
}
