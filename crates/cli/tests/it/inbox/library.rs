//! Servers of other authors, in processes of their own, and the inboxes of the real binary.

use super::{
    browser::address,
    delivery::client,
    support::{person::*, *},
};
use holdpoint::{Desk, Holdpoint, Outcome, Settings, Yes};
use holdpoint_testkit::{Client, Flows};
use serde_json::{Value, json};
use std::{
    env, fs,
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::Duration,
};

/// The journal of a server that is started here, or `shared` for the person's own.
const JOURNAL: &str = "LIBRARY_JOURNAL";

const NOBODY: &str = "unreachable: the client shows no questions and no inbox is open";

/// The process that the tests here start: for each line that it reads, a client without forms calls its
/// tool, or waits for the answer to the ask that the line names, and it prints what came of it.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "the process that the tests here start"]
async fn a_server_of_somebody_elses() {
    let Ok(journal) = env::var(JOURNAL) else {
        return;
    };
    let desk = if journal == "shared" {
        let settings = Settings::default().hold(Duration::from_millis(200));
        let desk = Desk::shared_builder().await.unwrap();
        desk.settings(settings).build().await.unwrap()
    } else {
        Desk::open(&journal).await.unwrap()
    };
    let flows = Flows::default().with("deploy", |cx, _| async move {
        Ok(match cx.elicitor().confirm("Deploy?").await? {
            Outcome::Accepted(Yes) => "deployed".to_owned(),
            Outcome::Unreachable { why } => format!("unreachable: {why}"),
            other => other.status().to_owned(),
        })
    });
    let server = Holdpoint::new(desk, flows).unwrap();
    for line in std::io::stdin().lines() {
        let ask = line.unwrap();
        let server = server.clone();
        tokio::spawn(async move {
            let mut client = Client::legacy(server, json!({})).await;
            let call = if ask.is_empty() {
                client.call("deploy").await
            } else {
                let params = json!({ "name": "flows_await_answer", "arguments": { "askId": ask } });
                client.request("tools/call", params).await
            };
            let result = client.answer(call).await["result"].clone();
            let told = match &result["structuredContent"] {
                Value::Null => &result["content"][0]["text"],
                fields => fields,
            };
            println!("> {told}");
        });
    }
}

struct Library {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Library {
    fn start(home: &Home, journal: &str) -> Self {
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "inbox::library::a_server_of_somebody_elses"])
            .args(["--ignored", "--nocapture"])
            .envs(home.variables())
            .env(JOURNAL, journal)
            .current_dir(home.workspace())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Self {
            input: child.stdin.take().unwrap(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
        }
    }

    /// Lets a client call its tool.
    fn call(&mut self) {
        writeln!(self.input).unwrap();
    }

    /// What came of a call: the result's text, or the fields of one that is still out.
    fn told(&mut self) -> Value {
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).unwrap();
            assert_ne!(read, 0, "the server ended");
            if let Some((_, told)) = line.split_once("> ") {
                return serde_json::from_str(told).unwrap();
            }
        }
    }

    fn called(&mut self) -> Value {
        self.call();
        self.told()
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The ask that waits in this journal.
fn waiting(home: &Home, journal: &str) -> String {
    eventually_blocking("an ask", || {
        let listed = stdout(&home.run(&["inbox", "--json", "--journal", journal]));
        let listed: Value = serde_json::from_str(&listed).unwrap_or_default();
        Some(listed["asks"][0]["id"].as_str()?.to_owned())
    })
}

#[test]
fn a_server_of_its_own_journal_is_answered_while_a_page_or_a_terminal_watches_it() {
    let home = new_home();
    let path = home.root().join("server.db");
    let journal = format!("sqlite:{}", path.display());
    let is_watched = || {
        let folder = fs::read_dir(format!("{}-watchers", path.display()));
        folder.is_ok_and(|mut files| files.next().is_some())
    };
    let mut server = Library::start(&home, &journal);
    assert_eq!(server.called(), NOBODY);

    // A page, in a process of its own.
    let page = client(&home, Value::Null, &["--journal", &journal]);
    eventually_blocking("the page", || is_watched().then_some(()));
    server.call();
    let ask = waiting(&home, &journal);
    let answer = ["answer", "--journal", &journal, &ask, "yes"];
    let (code, shown) = Person::ran(&home, &answer);
    assert_eq!(code, 0, "{shown}");
    assert_eq!(server.told(), "deployed");
    drop(page); // SIGKILL
    assert_eq!(server.called(), NOBODY);

    // The list, in a terminal.
    let mut person = Person::runs(&home, &["inbox", "--plain", "--journal", &journal], &[]);
    person.sees("nothing waits for you");
    server.call();
    person
        .sees("1 ask waits for you")
        .sees("Deploy?")
        .sees("Enter to read")
        .types(ENTER)
        .sees("Answer it")
        .sees("leave it open")
        .types(ENTER)
        .sees("Esc to leave")
        .types("yes\r")
        .sees("nothing waits for you")
        .sees("q to quit");
    assert_eq!(server.told(), "deployed");
    person.types("q");
    assert_eq!(person.code(), 0);
    assert_eq!(server.called(), NOBODY);

    let person = Person::runs(&home, &["inbox", "--plain", "--journal", &journal], &[]);
    eventually_blocking("the list", || is_watched().then_some(()));
    person.killed();
    assert_eq!(server.called(), NOBODY);
}

#[test]
fn a_shared_desk_is_in_the_persons_one_inbox_and_knows_the_page() {
    let home = new_home();
    let mut server = Library::start(&home, "shared");
    let pending = server.called();
    assert_eq!(pending["status"], "pending", "{pending}");
    assert_eq!(pending["url"], Value::Null, "there was never a page");
    let next = pending["nextStep"].as_str().unwrap();
    assert!(next.contains("with `holdpoint inbox`"), "{next}");

    // The page comes later, with whatever serves it.
    let _page = client(&home, Value::Null, &[]);
    let page = eventually_blocking("the page", || address(&home));
    let pending = server.called();
    let ask = pending["askId"].as_str().unwrap();
    let url = format!("{page}/ask/{ask}");
    assert_eq!(pending["url"], url, "it holds no key: {pending}");

    let (code, shown) = Person::ran(&home, &["answer", ask, "yes"]);
    assert_eq!(code, 0, "{shown}");
    // The flow may have ended before its agent asks for the answer.
    let told = eventually_blocking("the answer", || {
        writeln!(server.input, "{ask}").unwrap();
        let told = server.told();
        told.is_string().then_some(told)
    });
    assert_eq!(told, "deployed");
}

#[test]
fn a_shared_desk_keeps_to_what_the_person_set() {
    let home = new_home();
    home.config("inbox = \"off\"");
    // What the client's own variables say would turn it on again, and is refused.
    let mut server = Library::start(&home, "shared");
    let mut said = String::new();
    std::io::Read::read_to_string(&mut server.output, &mut said).unwrap();
    assert!(!said.contains("> "), "{said}");
    assert!(!server.child.wait().unwrap().success());
}

#[test]
fn the_library_keeps_a_relative_journal_in_the_persons_own_folder() {
    let home = new_home();
    let mut server = Library::start(&home, "sqlite:of/server.db");
    assert_eq!(server.called(), NOBODY);
    let state = home.root().join(".local/state/holdpoint/of/server.db");
    assert!(state.is_file());
    let left = fs::read_dir(home.workspace()).unwrap().count();
    assert_eq!(left, 0, "nothing lies where the process was started");
}

#[test]
fn the_binary_keeps_a_relative_journal_in_the_current_folder() {
    let home = new_home();
    let listed = home.run(&["inbox", "--journal", "sqlite:flag.db"]);
    assert_eq!(stdout(&listed), "Nothing waits for you.\n");
    let mut command = home.command(&["inbox"]);
    let listed = command.env("HOLDPOINT_JOURNAL", "sqlite:variable.db");
    assert_eq!(
        stdout(&listed.output().unwrap()),
        "Nothing waits for you.\n"
    );
    for name in ["flag.db", "variable.db"] {
        assert!(home.workspace().join(name).is_file(), "{name}");
    }
    assert!(!home.root().join(".local/state/holdpoint").exists());
}
