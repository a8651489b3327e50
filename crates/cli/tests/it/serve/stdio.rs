//! Over standard input and output.

use super::support::*;
use serde_json::json;
use std::{
    fs,
    io::Write,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

#[test]
fn a_legacy_client_is_asked_in_the_middle_of_its_call() {
    let home = new_home();
    home.config("fast_reply_ms = 0");
    let mut client = Pipe::legacy(&mut home.command(&["serve"]));
    let call = client.request("tools/call", confirm());
    let asked = client.asked();
    client.send(json!({ "jsonrpc": "2.0", "id": asked["id"], "result": yes() }));
    let answer = client.until(|message| message["id"] == call);
    let told = &answer["result"]["structuredContent"];
    assert_eq!(told["status"], "accepted", "{answer}");
    assert_eq!(told["confirmed"], true);
    assert!(
        home.journal().is_file(),
        "the record is in the state folder"
    );
}

#[test]
fn a_modern_client_is_asked_by_the_result() {
    let home = new_home();
    home.config("fast_reply_ms = 0");
    let mut client = Pipe::modern(&mut home.command(&["serve"]));
    let round = client.ask("tools/call", confirm());
    let round = &round["result"];
    assert_eq!(round["resultType"], "input_required", "{round}");
    let mut again = confirm();
    again["requestState"] = round["requestState"].clone();
    again["inputResponses"] = json!({ "0001": yes() });
    let answer = client.ask("tools/call", again);
    let told = &answer["result"]["structuredContent"];
    assert_eq!(told["confirmed"], true, "{answer}");
}

#[test]
fn it_ends_when_the_client_is_gone() {
    for log in [["--log-format", "text"], ["--log-format", "json"]] {
        let home = new_home();
        let mut command = home.command(&[&["serve"], &log[..]].concat());
        let mut client = Pipe::legacy(command.env("HOLDPOINT_LOG", "trace"));
        client.ask("tools/list", json!({}));
        // Every line so far was a message: `until` reads nothing else.
        drop(client.input.take());
        assert!(client.process.ended().success());
    }
    let home = new_home();
    assert!(home.run(&["serve"]).status.success(), "no client at all");
}

#[test]
fn the_log_goes_to_standard_error() {
    let home = new_home();
    let text = home.run(&["serve"]);
    assert!(stderr(&text).contains("ready"), "{}", stderr(&text));
    assert_eq!(stdout(&text), "");
    let json = home.run(&["serve", "--log-format", "json"]);
    for line in stderr(&json).lines() {
        serde_json::from_str::<serde_json::Value>(line).expect(line);
    }
    let mut quiet = home.command(&["serve"]);
    let quiet = quiet.env("RUST_LOG", "trace").env("HOLDPOINT_LOG", "error");
    assert_eq!(stderr(&quiet.output().unwrap()), "");
}

#[test]
fn tools_and_workspace_are_as_configured() {
    let home = new_home();
    home.config("tools = [\"elicit\", \"orchestra\"]");
    home.work_file(
        ".holdpoint/config.toml",
        "tools = [\"orchestra\", \"plans\"]",
    );
    let names = |args: &[&str]| -> Vec<String> {
        let mut client = Pipe::legacy(&mut home.command(args));
        let listed = client.ask("tools/list", json!({}));
        let tools = listed["result"]["tools"].as_array().unwrap().iter();
        tools
            .map(|tool| tool["name"].as_str().unwrap().to_owned())
            .collect()
    };
    let shared = names(&["serve"]);
    assert!(
        shared.contains(&"request_plan_approval".to_owned()),
        "{shared:?}"
    );
    assert!(!shared.contains(&"elicit_confirm".to_owned()), "{shared:?}");
    let flag = names(&["serve", "--tools", "elicit"]);
    assert!(flag.contains(&"elicit_confirm".to_owned()), "{flag:?}");
    assert!(
        !flag.contains(&"request_plan_approval".to_owned()),
        "{flag:?}"
    );
}

/// The most memory that a process has had, in bytes.
#[cfg(target_os = "linux")]
fn most_memory(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = most.unwrap().trim().trim_end_matches(" kB");
    kib.parse::<u64>().unwrap() * 1024
}

/// It asks without end and reads nothing: it is held back, the server stays small, and goes on in step
/// as soon as it is read from.
#[cfg(target_os = "linux")]
#[test]
fn a_client_that_floods_and_never_reads_is_held_back() {
    let home = new_home();
    let mut client = Pipe::legacy(&mut home.command(&["serve", "--tools", "elicit"]));
    let before = most_memory(client.process.child().id());
    let (mut input, written) = (client.input.take().unwrap(), Arc::new(AtomicU64::new(0)));
    let counted = written.clone();
    const LAST: u64 = 200_000;
    let flood = thread::spawn(move || {
        for id in 1_000..LAST {
            let line = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/list" });
            if writeln!(input, "{line}").is_err() {
                return None;
            }
            if counted.fetch_add(1, Ordering::SeqCst) == u64::MAX / 2 {
                break; // The test has seen enough.
            }
        }
        Some(input)
    });
    // Held back: no line more within a second.
    let started = Instant::now();
    let (mut last, mut since) = (0, Instant::now());
    while since.elapsed() < Duration::from_secs(1) {
        assert!(
            started.elapsed() < Duration::from_secs(50),
            "nothing held it back"
        );
        thread::sleep(Duration::from_millis(20));
        let now = written.load(Ordering::SeqCst);
        if now != last {
            (last, since) = (now, Instant::now());
        }
    }
    let grown = most_memory(client.process.child().id()) - before;
    println!(
        "{last} requests were read; {} KiB more memory",
        grown / 1024
    );
    assert!(last < LAST - 1_000, "all was read");
    assert!(grown < 100 << 20, "{grown} bytes");
    // It is read from again, and everything that was asked is answered, once each.
    written.store(u64::MAX / 2, Ordering::SeqCst);
    let answered = client.until(|message| message["id"] == 1_000 + last - 1);
    assert!(answered["result"]["tools"].is_array(), "{answered}");
    client.process.child().kill().unwrap();
    drop(flood.join());
}
