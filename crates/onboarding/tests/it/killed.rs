//! A process that is killed at every write: old file or new file, never half, and a backup.

use super::{SOURCE, TOOL, act, backups, read, write, yes};
use crate::setup;
use holdpoint::{Desk, Settings, ToolServer, ToolSource};
use holdpoint_onboarding::OnboardingTools;
use holdpoint_testkit::{Conversation, Ended, Era, StandSetup, Step, ToolStand};
use holdpoint_workspace::crash;
use rmcp::model::Implementation;
use serde_json::json;
use std::{
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
        if ended.body["state"] == "proposed" {
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

/// Kills a process at each of its ends, and looks at what is left. Gives how many there were.
async fn each(action: &str, ends: fn(u64) -> End) -> u64 {
    for number in 0.. {
        let end = ends(number);
        let stage = Stage::new();
        let before = stage.stand(tempfile::tempdir().unwrap()).await;
        write(&before.path(), SOURCE);
        let folder = before.path();
        for step in ["analyze", "propose"] {
            act(&before, Era::Legacy, step, &[]).await;
        }
        let preview = act(&before, Era::Legacy, "preview", &[]).await;
        let result = preview.body["result"].as_str().unwrap().to_owned();
        for step in ["approve", "migrate"] {
            if action == "approve" || action == step {
                break;
            }
            let ended = act(&before, Era::Legacy, step, &[yes(step)]).await;
            assert_eq!(ended.body["proceed"], true);
        }
        let ToolStand {
            desk,
            server,
            folder: kept,
            ..
        } = before;
        drop((desk, server));
        let lived = stage.run(&folder, action, end);

        let after = stage.stand(kept).await;
        let text = read(&folder);
        let status = act(&after, Era::Legacy, "status", &[]).await;
        let state = status.body["state"].as_str().unwrap().to_owned();
        let story = format!("{action} {end:?}: {state}");
        assert!(text == SOURCE || text == result, "{story}: {text}");
        match action {
            "approve" => {
                assert_eq!(text, SOURCE, "{story}");
                assert!(["proposed", "approved"].contains(&&*state), "{story}");
            }
            "migrate" => {
                assert_eq!(text == result, state == "completed", "{story}");
                assert!(
                    ["proposed", "approved", "completed"].contains(&&*state),
                    "{story}"
                );
                if text == result {
                    let backup = status.body["backup"].as_str().unwrap();
                    assert_eq!(backups(&folder)[backup], SOURCE, "{story}");
                    let ended = try_again(&after, "rollback").await;
                    assert_eq!(ended.body["proceed"], true, "{story}: {:?}", ended.body);
                    assert_eq!(read(&folder), SOURCE, "{story}");
                } else {
                    // Nothing stands in the way of another try.
                    if state == "proposed" {
                        act(&after, Era::Legacy, "approve", &[yes("approve")]).await;
                    }
                    let ended = try_again(&after, "migrate").await;
                    assert_eq!(
                        ended.body["state"], "completed",
                        "{story}: {:?}",
                        ended.body
                    );
                }
            }
            _ => {
                assert_eq!(text == SOURCE, state == "not_started", "{story}");
                assert!(
                    backups(&folder).values().any(|kept| kept == SOURCE),
                    "{story}"
                );
                if text == SOURCE {
                    assert!(
                        backups(&folder).values().any(|kept| *kept == result),
                        "{story}"
                    );
                }
            }
        }
        assert!(
            after
                .desk
                .journal()
                .verify()
                .await
                .unwrap()
                .flaws
                .is_empty(),
            "{story}"
        );
        if lived {
            println!("{action}: killed at {number} places ({end:?})");
            return number;
        }
    }
    0
}

#[tokio::test]
async fn killed_at_every_write_of_a_migration() {
    assert!(each("migrate", End::Write).await >= 20);
}

#[tokio::test]
async fn killed_after_every_event_of_a_migration() {
    assert!(each("migrate", |number| End::Event(number + 1)).await >= 8);
}

#[tokio::test]
async fn killed_at_every_write_of_a_rollback() {
    assert!(each("rollback", End::Write).await >= 20);
}

#[tokio::test]
async fn killed_at_every_write_of_an_approval() {
    assert!(each("approve", End::Write).await >= 8);
}
