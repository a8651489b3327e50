//! A process that is killed at every write: old file or new file, never half, and a backup; no file or a whole
//! one where there was none; and a trace of every ask.

use super::{FILE, SOURCE, TOOL, act, backups, read, traces, write, yes};
use crate::setup;
use holdpoint::{Desk, Settings, ToolServer, ToolSource};
use holdpoint_onboarding::OnboardingTools;
use holdpoint_testkit::{Conversation, Ended, Era, StandSetup, Step, ToolStand};
use holdpoint_workspace::crash;
use rmcp::model::Implementation;
use serde_json::json;
use std::{
    collections::BTreeSet,
    env,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
    time::Duration,
};
use tempfile::TempDir;

fn settings() -> Settings {
    Settings::default().fast_reply(Duration::ZERO)
}

/// The process that is killed. It does nothing in the one that runs the tests.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn player() {
    let Ok(action) = env::var("PLAYER_ACTION") else {
        return;
    };
    let number = |name: &str| env::var(name).unwrap().parse::<u64>().unwrap();
    let folder = PathBuf::from(env::var("PLAYER_FOLDER").unwrap());
    let journal = holdpoint::journal::open(&env::var("PLAYER_JOURNAL").unwrap())
        .await
        .unwrap();
    let last = journal
        .head()
        .await
        .unwrap()
        .saturating_add(number("PLAYER_EVENTS"));
    let (watched, mut commits) = (journal.clone(), journal.commits());
    tokio::spawn(async move {
        loop {
            if watched.head().await.unwrap() >= last {
                std::process::abort();
            }
            commits.changed().await.unwrap();
        }
    });
    let desk = Desk::builder(journal)
        .settings(settings())
        .build()
        .await
        .unwrap();
    crash::end_process_at(number("PLAYER_WRITES"));
    let tools = OnboardingTools::new(folder.clone());
    let tools: Arc<dyn ToolSource> = Arc::new(tools);
    let server = ToolServer::new(Implementation::new("holdpoint", "1"), "", [tools]);
    let server = server
        .over(desk)
        .unwrap()
        .workspace(folder.to_str().unwrap());
    let mut client = Conversation::with(server, Era::Legacy, json!({ "elicitation": {} })).await;
    let asked = client.call(TOOL, json!({ "action": action })).await.asked();
    let done = client.answer(asked, yes(&action)).await.done();
    assert_eq!(
        done["result"]["structuredContent"]["proceed"], true,
        "{done}"
    );
}

/// Where a process ends: at a step of its disk, or after an event of its journal.
#[derive(Debug, Clone, Copy)]
enum End {
    Write(u64),
    Event(u64),
}

struct Stage {
    journal: String,
    _journal: TempDir,
}

impl Stage {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self {
            journal: format!("sqlite:{}", folder.path().join("journal.db").display()),
            _journal: folder,
        }
    }

    async fn stand(&self, folder: TempDir) -> ToolStand {
        let setup = StandSetup {
            journal: self.journal.clone(),
            tokio_clock: false,
            settings: settings(),
            ..setup()
        };
        setup.stand_in(folder).await
    }

    /// Runs an action in a process of its own; whether it lived through it.
    fn run(&self, folder: &Path, action: &str, end: End) -> bool {
        let (writes, events) = match end {
            End::Write(number) => (number, u64::MAX / 2),
            End::Event(number) => (u64::MAX / 2, number),
        };
        let status = Command::new(env::current_exe().unwrap())
            .args(["--exact", "killed::player", "--test-threads=1"])
            .env("PLAYER_ACTION", action)
            .env("PLAYER_FOLDER", folder)
            .env("PLAYER_JOURNAL", &self.journal)
            .env("PLAYER_WRITES", writes.to_string())
            .env("PLAYER_EVENTS", events.to_string())
            .env("RUST_BACKTRACE", "0")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        status.unwrap().success()
    }
}

/// The same call again. It takes up what the killed process left, with the answer that was given there;
/// where that was in the middle of something, it says so, and is called once more.
async fn try_again(stand: &ToolStand, action: &str) -> Ended {
    let mut client = Conversation::new(stand, Era::Legacy).await;
    for _ in 0..2 {
        let mut step = client.call(TOOL, json!({ "action": action })).await;
        if let Step::Asked(asked) = step {
            step = client.answer(asked, yes(action)).await;
        }
        let ended = stand.ended(TOOL, step);
        let interrupted = ended.text.contains("interrupted before");
        if !interrupted {
            return ended;
        }
        if action == "migrate" && ended.body["state"] == "proposed" {
            act(stand, Era::Legacy, "approve", &[yes("approve")]).await;
        }
    }
    stand
        .run(
            Era::Legacy,
            TOOL,
            json!({ "action": action }),
            &[yes(action)],
        )
        .await
}

/// Ends what stands in a folder, for another process.
fn leave(stand: ToolStand) -> TempDir {
    let ToolStand {
        desk,
        server,
        folder,
        ..
    } = stand;
    drop((desk, server));
    folder
}

/// What is in the instruction file; none where there is none.
fn text(folder: &Path) -> Option<String> {
    folder.join(FILE).exists().then(|| read(folder))
}

/// Kills a process at each of its ends, and looks at what is left. `source` is what was in the file, if
/// there was one. Gives how many ends there were.
async fn each(source: Option<&str>, action: &str, ends: fn(u64) -> End) -> u64 {
    for number in 0.. {
        let end = ends(number);
        let stage = Stage::new();
        let before = stage.stand(tempfile::tempdir().unwrap()).await;
        if let Some(source) = source {
            write(&before.path(), source);
        }
        let folder = before.path();
        for step in ["analyze", "propose"] {
            act(&before, Era::Legacy, step, &[]).await;
        }
        let preview = act(&before, Era::Legacy, "preview", &[]).await;
        let result = preview.body["result"].as_str().map(str::to_owned);
        for step in ["approve", "migrate"] {
            if action == "approve" || action == step {
                break;
            }
            let ended = act(&before, Era::Legacy, step, &[yes(step)]).await;
            assert_eq!(ended.body["proceed"], true);
        }
        let traced = traces(&folder).len();
        let kept = leave(before);
        let lived = stage.run(&folder, action, end);

        let after = stage.stand(kept).await;
        let asks = after.asks().await;
        let open = asks.iter().any(|ask| ask.decision.is_none());
        let asked = asks.len() > traced;
        assert_eq!(asked, asks.len() == traced + 1);
        // It was there before anybody was asked.
        assert!(!asked || traces(&folder).len() == traced + 1, "{end:?}");
        let now = text(&folder);
        let status = act(&after, Era::Legacy, "status", &[]).await;
        let state = status.body["state"].as_str().unwrap().to_owned();
        let story = format!("{action} {end:?}: {state}");
        let source = source.map(str::to_owned);
        assert!(now == source || now == result, "{story}: {now:?}");
        let done = match action {
            "approve" => {
                assert_eq!(now, source, "{story}");
                state == "approved"
            }
            "migrate" => now == result,
            _ => now == source,
        };
        let (not_yet, then): (&[&str], _) = match action {
            "approve" => (&["proposed"], "approved"),
            "migrate" => (&["proposed", "approved"], "completed"),
            _ => (&["completed"], "not_started"),
        };
        assert_eq!(done, state == then, "{story}");
        assert!(done || not_yet.contains(&&*state), "{story}");
        let keeps = |kept: &Option<String>| {
            let wanted = kept.as_ref();
            wanted.is_none_or(|text| backups(&folder).values().any(|kept| kept == text))
        };
        let (of_source, of_result) = match action {
            "approve" => (false, false),
            "migrate" => (done, false),
            _ => (true, done),
        };
        assert!(!of_source || keeps(&source), "{story}");
        assert!(!of_result || keeps(&result), "{story}");
        if !done {
            // Nothing stands in the way of another try.
            if action == "migrate" && state == "proposed" {
                act(&after, Era::Legacy, "approve", &[yes("approve")]).await;
            }
            let ended = try_again(&after, action).await;
            assert_eq!(ended.body["proceed"], true, "{story}: {:?}", ended.body);
            assert_eq!(ended.body["state"], then, "{story}: {:?}", ended.body);
        }
        if action == "migrate" {
            assert_eq!(text(&folder), result, "{story}");
            let ended = try_again(&after, "rollback").await;
            assert_eq!(ended.body["proceed"], true, "{story}: {:?}", ended.body);
            assert_eq!(text(&folder), source, "{story}");
        }
        check_traces(&folder, open, &story);
        let verified = after.desk.journal().verify().await.unwrap();
        assert!(verified.flaws.is_empty(), "{story}");
        if lived {
            println!("{action}: killed at {number} places ({end:?})");
            return number;
        }
    }
    0
}

/// Each call has one trace, in which the ask that a killed process left open was completed.
fn check_traces(folder: &Path, was_open: bool, story: &str) {
    let traces = traces(folder);
    let calls: BTreeSet<_> = traces
        .values()
        .map(|trace| trace["call_id"].as_str().unwrap())
        .collect();
    assert_eq!(calls.len(), traces.len(), "{story}: {traces:?}");
    let pending = traces
        .values()
        .filter(|trace| trace["response"]["action"] == "pending");
    // One whose process was killed before it had asked, or had written down what came of it.
    assert!(
        pending.count() <= usize::from(!was_open),
        "{story}: {traces:?}"
    );
}

/// The process is killed while the person thinks: the trace is there, and the call that goes on completes it.
#[tokio::test]
async fn a_killed_process_leaves_the_trace_of_its_ask() {
    let mut seen = 0;
    for number in 1..12 {
        let stage = Stage::new();
        let before = stage.stand(tempfile::tempdir().unwrap()).await;
        write(&before.path(), SOURCE);
        let folder = before.path();
        let kept = leave(before);
        let lived = stage.run(&folder, "skip", End::Event(number));
        let after = stage.stand(kept).await;
        let open = after
            .asks()
            .await
            .into_iter()
            .any(|ask| ask.decision.is_none());
        if open {
            let left = traces(&folder);
            assert_eq!(left.len(), 1, "{number}: {left:?}");
            let (name, trace) = left.into_iter().next().unwrap();
            assert_eq!(
                trace["response"],
                json!({ "action": "pending", "content": null })
            );
            assert_eq!(trace["duration_ms"], serde_json::Value::Null);
            let ended = try_again(&after, "skip").await;
            assert_eq!(ended.body["state"], "skipped", "{:?}", ended.body);
            let completed = traces(&folder);
            assert_eq!(completed.len(), 1, "{number}: {completed:?}");
            let completed = &completed[&name];
            assert_eq!(completed["response"]["action"], "accept");
            assert!(completed["duration_ms"].is_u64());
            for same in ["timestamp", "message", "schema", "call_id"] {
                assert_eq!(completed[same], trace[same]);
            }
            seen += 1;
        }
        if lived {
            break;
        }
    }
    assert!(seen > 0, "no process was killed while its ask was open");
}

#[tokio::test]
async fn killed_at_every_write_of_a_migration() {
    assert!(each(Some(SOURCE), "migrate", End::Write).await >= 20);
}

#[tokio::test]
async fn killed_after_every_event_of_a_migration() {
    assert!(each(Some(SOURCE), "migrate", |number| End::Event(number + 1)).await >= 8);
}

#[tokio::test]
async fn killed_at_every_write_of_a_rollback() {
    assert!(each(Some(SOURCE), "rollback", End::Write).await >= 20);
}

#[tokio::test]
async fn killed_after_every_event_of_a_rollback() {
    assert!(each(Some(SOURCE), "rollback", |number| End::Event(number + 1)).await >= 8);
}

#[tokio::test]
async fn killed_at_every_write_of_an_approval() {
    assert!(each(Some(SOURCE), "approve", End::Write).await >= 8);
}

#[tokio::test]
async fn killed_at_every_write_of_a_creation() {
    assert!(each(None, "migrate", End::Write).await >= 20);
}

#[tokio::test]
async fn killed_after_every_event_of_a_creation() {
    assert!(each(None, "migrate", |number| End::Event(number + 1)).await >= 8);
}

#[tokio::test]
async fn killed_at_every_write_of_a_removal() {
    assert!(each(None, "rollback", End::Write).await >= 15);
}

#[tokio::test]
async fn killed_after_every_event_of_a_removal() {
    assert!(each(None, "rollback", |number| End::Event(number + 1)).await >= 8);
}
