//! Sessions of real clients, replayed: the same messages to the real binary, and the same back.
//!
//! `tests/clients/recorded` holds them; `dev/test --clients` with `RECORD_CLIENTS=1` makes them.
//! `UPDATE_RECORDED=1` rewrites the server's side from what really came, for a wording that was changed on
//! purpose; `RECORDED=codex` replays those only whose names have this.

mod replay;

use crate::{
    inbox::browser,
    support::{Home, stdout},
};
use clients::recording::{Recording, Step};
use serde_json::{Value, json};
use std::{collections::VecDeque, fs, sync::Mutex, thread};

/// How many are replayed at once: they mostly wait.
const AT_ONCE: usize = 4;

#[test]
fn recorded_sessions_go_as_they_went() {
    let only = std::env::var("RECORDED").unwrap_or_default();
    let folder = fs::read_dir(clients::recorded()).unwrap();
    let mut files: Vec<_> = folder.map(|file| file.unwrap().path()).collect();
    files.sort();
    assert!(
        files
            .iter()
            .all(|file| file.extension().is_some_and(|ending| ending == "jsonl")),
        "what nobody reads: {files:?}"
    );
    files.retain(|file| file.to_str().unwrap().contains(&only));
    assert!(!files.is_empty(), "there are recordings");
    let update = std::env::var_os("UPDATE_RECORDED").is_some();
    let waiting = Mutex::new(VecDeque::from(files));
    let failures = Mutex::new(Vec::new());
    let next = || waiting.lock().unwrap().pop_front();
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(file) = next() {
                    let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
                    let recording = Recording::read(&file);
                    assert_eq!(recording.session.name, name);
                    match replay::replay(&recording, update) {
                        Ok(now) if update => now.write(&file),
                        Ok(now) => failures
                            .lock()
                            .unwrap()
                            .extend(replay::difference(&recording, &now)),
                        Err(why) => failures.lock().unwrap().push(format!("{name}: {why}")),
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// The replay itself is tested with a session that went otherwise.
#[test]
fn a_session_that_went_otherwise_is_found() {
    let recording = Recording::read(&clients::recorded().join("codex-late.jsonl"));
    let last = recording
        .steps
        .iter()
        .rposition(|step| matches!(step, Step::Server(_)));
    let last = last.unwrap();

    let mut reworded = recording.clone();
    let Step::Server(message) = &mut reworded.steps[last] else {
        unreachable!("it is the server's");
    };
    message["result"]["content"][0]["text"] = json!("Declined.");
    let now = replay::replay(&reworded, false).unwrap();
    let found = replay::difference(&reworded, &now).unwrap();
    assert!(
        found.contains("Declined.") && found.contains("proceed: true"),
        "{found}"
    );
    assert_eq!(now, recording, "it goes as it went");

    let mut silent = recording.clone();
    silent.steps.remove(last);
    let found = replay::replay(&silent, false).unwrap_err();
    assert!(found.contains("came besides"), "{found}");
    let updated = replay::replay(&silent, true).unwrap();
    assert_eq!(updated, recording, "it is put in");
}

/// What a journal holds in the end: how each ask ended, and which kinds of events there were.
pub fn journal_of(home: &Home) -> Value {
    let log = stdout(&home.run(&["log", "--json", "--limit", "0"]));
    let log: Value = serde_json::from_str(&log).expect(&log);
    let asks = log["asks"].as_array().unwrap().iter().rev();
    let asks: Vec<_> = asks
        .map(|ask| {
            json!({
                "tool": ask["tool"],
                "status": ask["status"],
                "channel": ask["decided"]["channel"],
                "content": ask["decided"]["content"],
            })
        })
        .collect();
    let exported = stdout(&home.run(&["log", "export"]));
    let events = exported
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    // Steps are a tool's own; that a call was made and has ended is on the wire.
    let told = |kind: &str| !kind.starts_with("step_") && !["called", "finished"].contains(&kind);
    let events = events
        .map(|event| event["kind"].clone())
        .filter(|kind| told(kind.as_str().unwrap()));
    json!({ "asks": asks, "events": events.collect::<Vec<_>>() })
}
