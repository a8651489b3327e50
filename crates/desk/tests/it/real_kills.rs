//! Processes that are really killed, at every point of a flow that pays: a retry pays no second time.

use crate::support::*;
use holdpoint::{Clock, Desk, Holdpoint, Outcome, StepError, Yes};
use holdpoint_testkit::Connect;
use rmcp::ServiceExt;
use serde_json::{Value, json};
use std::{
    env, fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};
use tokio::{
    io::{DuplexStream, copy_bidirectional, duplex},
    net::{UnixListener, UnixStream},
};

/// Where the flow stops, to be killed there.
const PLACES: [(&str, usize, &str); 4] = [
    ("before the ask", 1, "paid"),
    ("after the yes", 0, "paid"),
    ("in the step", 0, "interrupted: pay"),
    ("after the step", 0, "paid"),
];

const FOLDER: &str = "HOLDPOINT_TEST_KILLED_IN";

/// Waits to be killed, where the test wants this process to be.
async fn stop_at(folder: &Path, place: &str) {
    if fs::read_to_string(folder.join("stop")).is_ok_and(|stop| stop == place) {
        fs::write(folder.join("reached"), "").unwrap();
        std::future::pending::<()>().await;
    }
}

fn flows(folder: PathBuf) -> Flows {
    Flows::default().with("pay", move |cx, _| {
        let folder = folder.clone();
        async move {
            let seen: String = cx.step("look", async { "12 EUR".to_owned() }).await?;
            stop_at(&folder, "before the ask").await;
            match cx.elicitor().confirm(format!("Pay {seen}?")).await? {
                Outcome::Accepted(Yes) => {}
                other => return Ok(other.status().into()),
            }
            stop_at(&folder, "after the yes").await;
            let pay = async {
                let mut file = fs::File::options();
                let mut file = file
                    .create(true)
                    .append(true)
                    .open(folder.join("paid"))
                    .unwrap();
                writeln!(file, "12 EUR").unwrap();
                stop_at(&folder, "in the step").await;
            };
            match cx.step("pay", pay).await {
                Ok(()) => {}
                Err(StepError::Interrupted { name }) => return Ok(format!("interrupted: {name}")),
                Err(error) => return Err(error.into()),
            }
            stop_at(&folder, "after the step").await;
            Ok("paid".into())
        }
    })
}

/// The process that is killed: this test, started by the others with a folder.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "the process that the tests here start and kill"]
async fn a_server_that_pays() {
    let Some(folder) = env::var_os(FOLDER).map(PathBuf::from) else {
        return;
    };
    let client = UnixStream::connect(folder.join("socket")).await.unwrap();
    let (read, write) = client.into_split();
    let url = format!("sqlite:{}", folder.join("journal.db").display());
    let journal = holdpoint::journal::open(&url).await.unwrap();
    let desk = Desk::builder(journal)
        .settings(patient())
        .clock(Clock::system());
    let desk = desk.build().await.unwrap();
    let server = Holdpoint::new(desk, flows(folder)).unwrap();
    let running = server.serve(holdpoint::over(read, write)).await.unwrap();
    let _ = running.waiting().await;
}

/// A server in a process of its own.
struct Killed {
    child: Child,
    socket: std::sync::Mutex<Option<UnixStream>>,
}

impl Killed {
    async fn start(folder: &Path) -> Self {
        let socket = folder.join("socket");
        let _ = fs::remove_file(&socket);
        let listener = UnixListener::bind(&socket).unwrap();
        let child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "real_kills::a_server_that_pays", "--ignored"])
            .env(FOLDER, folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let accepted = tokio::time::timeout(PATIENCE, listener.accept()).await;
        let (socket, _) = accepted.expect("the server connects").unwrap();
        Self {
            child,
            socket: std::sync::Mutex::new(Some(socket)),
        }
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Connect for Killed {
    fn connect(&self) -> DuplexStream {
        let (ours, mut theirs) = duplex(1 << 16);
        let mut socket = self.socket.lock().unwrap().take().expect("one client");
        tokio::spawn(async move { copy_bidirectional(&mut theirs, &mut socket).await });
        ours
    }
}

/// Calls until the flow ends or stops: how often the person was asked, and what the client was told.
async fn call(server: &Killed, folder: &Path, modern: bool) -> (usize, Option<String>) {
    let mut client = if modern {
        Client::modern(server, form())
    } else {
        Client::legacy(server, form()).await
    };
    let (yes, mut asked) = (accept(json!({ "confirmed": true })), 0);
    let reached = async || folder.join("reached").exists().then_some(());
    let mut id = client.call("pay").await;
    loop {
        let message: Value = tokio::select! {
            message = client.next() => message,
            () = eventually("the place to be killed at", reached), if folder.join("stop").exists() => {
                return (asked, None);
            }
        };
        if message["method"] == "elicitation/create" {
            asked += 1;
            client.reply(&message, yes.clone()).await;
        } else if message["result"]["resultType"] == "input_required" {
            asked += 1;
            let (keys, state) = round(&message);
            id = client.retry("pay", &state, json!({ &keys[0]: yes })).await;
        } else if message["id"] == id {
            return (asked, Some(text(&message).to_owned()));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_retry_after_a_real_kill_pays_once_in_both_eras() {
    for (place, asked_again, told) in PLACES {
        for modern in [false, true] {
            let what = format!("{place}, modern: {modern}");
            let folder = tempfile::tempdir().unwrap();
            let folder = folder.path();
            let paid = || {
                fs::read_to_string(folder.join("paid"))
                    .unwrap_or_default()
                    .lines()
                    .count()
            };
            fs::write(folder.join("stop"), place).unwrap();
            let first = Killed::start(folder).await;
            let (_, ended) = call(&first, folder, modern).await;
            assert_eq!(ended, None, "{what}");
            first.kill();
            fs::remove_file(folder.join("stop")).unwrap();
            let second = Killed::start(folder).await;
            let again = call(&second, folder, modern).await;
            assert_eq!(again, (asked_again, Some(told.into())), "{what}");
            assert_eq!(paid(), 1, "{what}");
            second.kill();
            // That call has a result: an equal one asks anew.
            let third = Killed::start(folder).await;
            let anew = call(&third, folder, modern).await;
            assert_eq!((anew, paid()), ((1, Some("paid".into())), 2), "{what}");
            third.kill();
        }
    }
}
