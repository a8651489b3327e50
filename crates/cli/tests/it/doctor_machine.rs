//! `holdpoint doctor` on the machine: disk, clock, notifications, the page from outside, a service.

use crate::support::*;
use serde_json::Value;
use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    os::unix::fs::PermissionsExt,
    sync::mpsc,
    thread,
};

/// What it says under this name.
fn checks(home: &Home, name: &str, args: &[&str], path: Option<&str>) -> Vec<Value> {
    let mut doctor = home.command(&[&["doctor", "--json"], args].concat());
    if let Some(path) = path {
        doctor.env("PATH", path);
    }
    let output = doctor.output().unwrap();
    let report: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let checks = report["checks"].as_array().unwrap().clone();
    checks
        .into_iter()
        .filter(|check| check["name"] == name)
        .collect()
}

#[track_caller]
fn has(found: &[Value], state: &str, parts: &[&str]) {
    let fits = |check: &&Value| {
        let said = check.to_string();
        check["state"] == state && parts.iter().all(|part| said.contains(part))
    };
    assert!(
        found.iter().any(|check| fits(&check)),
        "no {state} with {parts:?} in {found:#?}"
    );
}

#[test]
fn the_space_beside_the_journal_is_said() {
    let home = new_home();
    let found = checks(&home, "disk", &[], None);
    assert_eq!(found.len(), 1);
    assert!(
        found[0]["what"].as_str().unwrap().contains("free in"),
        "{found:?}"
    );
    assert!(checks(&home, "disk", &["--journal", "memory:"], None).is_empty());
}

#[test]
fn a_clock_that_went_back_is_found() {
    let home = new_home();
    assert!(
        checks(&home, "clock", &[], None).is_empty(),
        "no record, nothing to compare with"
    );
    let mut client = Pipe::modern(&mut home.command(&["serve"]));
    client.ask("tools/call", confirm());
    drop(client);
    has(&checks(&home, "clock", &[], None), "ok", &["newest entry"]);
    // As if the last entry had been made tomorrow.
    let database = rusqlite::Connection::open(home.journal()).unwrap();
    let columns: Vec<String> = database
        .prepare("SELECT name FROM pragma_table_info('events')")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert!(columns.contains(&"at".to_owned()), "{columns:?}");
    database
        .pragma_update(None, "writable_schema", true)
        .unwrap();
    let triggers = "DELETE FROM sqlite_schema WHERE type = 'trigger'";
    database.execute(triggers, []).unwrap();
    drop(database);
    let database = rusqlite::Connection::open(home.journal()).unwrap();
    let kind: String = database
        .query_row(
            "SELECT typeof(at) FROM events ORDER BY seq DESC LIMIT 1",
            [],
            |row| row.get(0),
        )
        .unwrap();
    let later = if kind == "text" {
        "UPDATE events SET at = replace(at, substr(at, 1, 4), '2099')"
    } else {
        "UPDATE events SET at = at + 86400000000000"
    };
    assert_ne!(database.execute(later, []).unwrap(), 0);
    drop(database);
    has(
        &checks(&home, "clock", &[], None),
        "problem",
        &["it went back", "timedatectl"],
    );
}

/// Somebody's server: answers each request so, and tells what it was sent.
fn listen(answer: &'static str) -> (String, mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (sender, got) = mpsc::channel();
    thread::spawn(move || {
        while let Ok((stream, _)) = listener.accept() {
            if sender.send(reply(stream, answer)).is_err() {
                break;
            }
        }
    });
    (url, got)
}

fn reply(stream: TcpStream, answer: &str) -> String {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert_ne!(reader.read_line(&mut head).unwrap(), 0);
    }
    let length = head.to_lowercase();
    let length = length
        .split("content-length: ")
        .nth(1)
        .and_then(|rest| rest.split("\r\n").next());
    let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
    reader.read_exact(&mut body).unwrap();
    write!(
        reader.get_mut(),
        "HTTP/1.1 {answer}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
    )
    .unwrap();
    String::from_utf8(body).unwrap()
}

fn executable(home: &Home, name: &str, text: &str) -> String {
    home.work_file(name, text);
    let path = home.workspace().join(name);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
}

#[test]
fn what_notifies_is_checked_and_with_try_it_is_sent() {
    let home = new_home();
    assert!(checks(&home, "notify", &[], None).is_empty());
    has(
        &checks(&home, "notify", &["--try"], None),
        "hint",
        &["nothing to try", "notify.command"],
    );

    let (url, got) = listen("200 OK");
    let heard = home.workspace().join("heard.json");
    let ring = executable(
        &home,
        "ring",
        &format!("#!/bin/sh\nexec cat > '{}'\n", heard.display()),
    );
    home.config(&format!(
        "[notify]\ncommand = \"{ring}\"\nurl = \"{url}/hook\"\nsecret = \"s\"\n"
    ));
    has(
        &checks(&home, "notify", &[], None),
        "ok",
        &["runs", "/ring"],
    );
    assert!(!heard.exists(), "nothing is sent without --try");
    let tried = checks(&home, "notify", &["--try"], None);
    for hook in ["notify.command", "notify.url"] {
        has(&tried, "ok", &[hook, "was tried"]);
    }
    let posted: Value = serde_json::from_str(&got.recv_timeout(PATIENCE).unwrap()).unwrap();
    assert_eq!(posted["event"], "trial");
    assert_eq!(fs::read_to_string(&heard).unwrap(), posted.to_string());
    assert!(!home.journal().exists(), "it is about no ask");

    // Each fault has its own tip.
    let fault = |config: &str, args: &[&str], state: &str, parts: &[&str]| {
        home.config(&format!("[notify]\n{config}\n"));
        has(&checks(&home, "notify", args, None), state, parts);
    };
    fault(
        "command = \"/nowhere/ring\"",
        &[],
        "problem",
        &["not found", "full path"],
    );
    home.work_file("still", "#!/bin/sh\n");
    let still = home.workspace().join("still");
    fault(
        &format!("command = \"{}\"", still.display()),
        &[],
        "problem",
        &["cannot be run", "chmod +x"],
    );
    fault(
        "command = \"false\"",
        &["--try"],
        "problem",
        &["exit status: 1", "echo '{}' | COMMAND"],
    );
    let (refuses, _got) = listen("403 Forbidden");
    fault(
        &format!("url = \"{refuses}\""),
        &["--try"],
        "problem",
        &["403", "signature"],
    );
    fault(
        "url = \"http://example.org/x\"",
        &[],
        "hint",
        &["without TLS", "https://"],
    );
    fault("secret = \"s\"", &[], "hint", &["signs nothing"]);
    fault(
        "quiet = \"00:00-23:59\"\ndesktop = true",
        &[],
        "problem",
        &["--features desktop"],
    );
}

#[test]
fn the_page_is_asked_at_its_address() {
    let home = new_home();
    let outside = |answer: &'static str, state: &str, parts: &[&str]| {
        let (url, _got) = listen(answer);
        home.config(&format!("inbox_url = \"{url}\"\n"));
        has(&checks(&home, "page", &[], None), state, parts);
    };
    outside(
        "502 Bad Gateway",
        "problem",
        &["no page behind it", "inbox --web"],
    );
    outside(
        "200 OK",
        "problem",
        &["something else answers", "every path"],
    );
    outside(
        "302 Found\r\nlocation: https://login.example.com/",
        "problem",
        &["sends to https://login"],
    );
    outside(
        "401 Unauthorized",
        "hint",
        &["asks who is there", "browser"],
    );
    outside(
        "403 Forbidden\r\nholdpoint-api: 1",
        "problem",
        &["refuses", "`Host`"],
    );
    // Nothing listens where something did.
    let free = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    home.config(&format!("inbox_url = \"http://{free}\"\n"));
    has(
        &checks(&home, "page", &[], None),
        "problem",
        &["nothing listens", "start the proxy"],
    );
    // The page itself.
    let free = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    home.config(&format!("inbox_url = \"http://{free}\"\n"));
    let place = free.to_string();
    let _client = Pipe::modern(&mut home.command(&["serve", "--inbox", &place]));
    let version = concat!("a page of Holdpoint ", env!("CARGO_PKG_VERSION"));
    eventually_blocking("the page", || {
        let found = checks(&home, "page", &[], None);
        found
            .iter()
            .any(|check| check.to_string().contains(version))
            .then_some(())
    });
}

#[test]
fn a_service_is_checked() {
    let home = new_home();
    assert!(checks(&home, "service", &[], None).is_empty());
    let unit = home.root().join(".config/systemd/user/inbox.service");
    fs::create_dir_all(unit.parent().unwrap()).unwrap();
    fs::write(
        &unit,
        "[Service]\nExecStart=/nowhere/holdpoint serve --http 127.0.0.1:0\n",
    )
    .unwrap();
    has(
        &checks(&home, "service", &[], None),
        "problem",
        &["/nowhere/holdpoint", "ExecStart"],
    );
    let start = format!(
        "[Service]\nExecStart={} serve --http 127.0.0.1:0\n",
        home.binary().display()
    );
    fs::write(&unit, start).unwrap();
    // A systemd that says what the test wants.
    let said = |answer: &str, state: &str, parts: &[&str]| {
        executable(&home, "bin/systemctl", &format!("#!/bin/sh\n{answer}\n"));
        let path = format!("{}:/usr/bin:/bin", home.workspace().join("bin").display());
        has(&checks(&home, "service", &[], Some(&path)), state, parts);
    };
    let state = |load: &str, active: &str, file: &str| {
        format!("printf 'LoadState={load}\\nActiveState={active}\\nUnitFileState={file}\\n'")
    };
    said(
        &state("loaded", "active", "enabled"),
        "ok",
        &["inbox.service runs"],
    );
    said(
        &state("loaded", "failed", "enabled"),
        "problem",
        &["journalctl --user --unit inbox.service"],
    );
    said(
        &state("not-found", "inactive", ""),
        "problem",
        &["daemon-reload"],
    );
    said(
        "echo 'Failed to connect to bus' >&2; exit 1",
        "hint",
        &["Failed to connect to bus", "login session"],
    );
}

#[test]
fn tips_fit_the_fault() {
    let tip = |prepare: &dyn Fn(&Home), name: &str, parts: &[&str]| {
        let home = new_home();
        prepare(&home);
        has(&checks(&home, name, &[], None), "problem", parts);
    };
    let journal = |home: &Home| fs::create_dir_all(home.journal().parent().unwrap()).unwrap();
    tip(
        &|home| {
            journal(home);
            fs::write(home.journal(), "not a database, but long enough").unwrap();
        },
        "journal",
        &["not a SQLite file", "--journal sqlite:PATH"],
    );
    tip(
        &|home| {
            journal(home);
            fs::create_dir(home.journal()).unwrap();
        },
        "journal",
        &["it is a folder", "another path"],
    );
    tip(
        &|home| home.config("tool = []"),
        "config",
        &["no command works but this one"],
    );
    tip(
        &|home| {
            home.work_file(
                ".mcp.json",
                r#"{"mcpServers": {"holdpoint": {"command": "/nowhere/holdpoint"}}}"#,
            )
        },
        "claude",
        &["correct the path there", "holdpoint init claude"],
    );
    // The variable, not a file.
    let home = new_home();
    let mut doctor = home.command(&["doctor"]);
    let output = doctor.env("HOLDPOINT_TOOL", "elicit").output().unwrap();
    assert!(
        stdout(&output).contains("unset it where it is set"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn the_clients_of_this_machine_are_named() {
    let home = new_home();
    for name in ["codex", "gemini"] {
        executable(&home, &format!("bin/{name}"), "#!/bin/sh\n");
    }
    let path = format!("{}:/usr/bin:/bin", home.workspace().join("bin").display());
    let found = checks(&home, "clients", &[], Some(&path));
    has(
        &found,
        "hint",
        &[
            "Codex, Gemini CLI is on this machine",
            "holdpoint init codex",
        ],
    );
}
