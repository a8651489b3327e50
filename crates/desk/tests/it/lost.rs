//! Flows that are lost with their process, and calls that two processes look after.

use crate::support::*;
use holdpoint::{
    Outcome, StepError, Yes,
    journal::{AskQuery, JournalEngine},
};
use serde_json::{Value, json};
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

/// Flows that count their effects, across all processes of a test.
fn flows(effects: &Arc<AtomicUsize>) -> Flows {
    let count = |effects: &Arc<AtomicUsize>| {
        let effects = effects.clone();
        move || async move { effects.fetch_add(1, Ordering::SeqCst) + 1 }
    };
    let (tag, hang) = (count(effects), count(effects));
    Flows::default()
        .with("release", move |cx, _| {
            let tag = tag.clone();
            async move {
                let version = match cx.elicitor().choose("Bump?", ["minor", "major"]).await? {
                    Outcome::Accepted(version) => version,
                    other => return Ok(other.status().into()),
                };
                let tagged: usize = cx.step("tag", tag()).await?;
                match cx.elicitor().confirm(format!("Push {version}?")).await? {
                    Outcome::Accepted(Yes) => Ok(format!("{version} {tagged}")),
                    other => Ok(other.status().into()),
                }
            }
        })
        .with("branches", |cx, _| async move {
            let branch = async |name: &str| {
                let first = cx.elicitor().text_input(format!("{name} 1?"), "word");
                let first = first.await?.accepted().unwrap_or_default();
                let second = cx.elicitor().text_input(format!("{name} 2?"), "word");
                let second = second.await?.accepted().unwrap_or_default();
                Ok::<_, holdpoint::AskError>(format!("{first}{second}"))
            };
            let (left, right) = tokio::try_join!(branch("left"), branch("right"))?;
            Ok(format!("{left} {right}"))
        })
        .with("hang", move |cx, _| {
            let hang = hang.clone();
            async move {
                let yes = cx.elicitor().confirm("Start?").await?;
                assert_eq!(yes, Outcome::Accepted(Yes));
                let effect = async {
                    hang().await;
                    std::future::pending::<()>().await
                };
                match cx.step("effect", effect).await {
                    Err(StepError::Interrupted { name }) => Ok(format!("interrupted: {name}")),
                    other => Ok(format!("{other:?}")),
                }
            }
        })
}

fn start(journal: &Arc<dyn JournalEngine>, effects: &Arc<AtomicUsize>) -> Replica {
    Replica::start(journal, flows(effects), patient(), false)
}

fn word(word: &str) -> Value {
    accept(json!({ "word": word }))
}

#[test]
fn a_killed_server_goes_on_where_it_was_and_no_step_runs_twice() {
    let (journal, effects) = (memory_journal(), Arc::default());
    let first = start(&journal, &effects);
    let (_, state) = round(&first.call("release"));
    first.kill();

    let second = start(&journal, &effects);
    let bump = json!({ "0001": accept(json!({ "choice": "minor" })) });
    let asked = second.retry("release", &state, bump);
    let (keys, state) = round(&asked);
    assert_eq!(keys, ["0002"]);
    assert_eq!(effects.load(Ordering::SeqCst), 1);
    second.kill();

    let third = start(&journal, &effects);
    let push = json!({ "0002": accept(json!({ "confirmed": true })) });
    let answer = third.retry("release", &state, push.clone());
    assert_eq!(text(&answer), "minor 1");
    third.kill();

    // The result is on record: it is given again, and nothing runs.
    let fourth = start(&journal, &effects);
    assert_eq!(text(&fourth.retry("release", &state, push)), "minor 1");
    assert_eq!(effects.load(Ordering::SeqCst), 1);
}

#[test]
fn concurrent_branches_find_their_answers_again_in_any_order() {
    let (journal, effects) = (memory_journal(), Arc::default());
    let first = start(&journal, &effects);
    let (keys, state) = round(&first.call("branches"));
    assert_eq!(keys, ["0001", "0002"]);
    // The right branch goes on alone: its second ask comes before the left one's.
    let (keys, state) = round(&first.retry("branches", &state, json!({ "0002": word("R") })));
    assert_eq!(keys, ["0001", "0003"]);
    first.kill();

    let second = start(&journal, &effects);
    let (keys, state) = round(&second.retry("branches", &state, json!({ "0001": word("L") })));
    assert_eq!(keys, ["0003", "0004"]);
    let rest = json!({ "0003": word("r"), "0004": word("l") });
    assert_eq!(text(&second.retry("branches", &state, rest)), "Ll Rr");
}

#[test]
fn a_step_that_a_crash_left_unfinished_is_not_run_again() {
    let (journal, effects) = (memory_journal(), Arc::<AtomicUsize>::default());
    let first = start(&journal, &effects);
    let (_, state) = round(&first.call("hang"));
    let yes = json!({ "0001": accept(json!({ "confirmed": true })) });
    let desk = first.desk.clone();
    let open = first
        .runtime
        .block_on(desk.journal().asks(AskQuery::default()))
        .unwrap();
    first
        .runtime
        .block_on(inbox_reply(&desk, open[0].id, json!({ "confirmed": true })));
    eventually_blocking("the effect", || {
        (effects.load(Ordering::SeqCst) > 0).then_some(())
    });
    first.kill();

    let second = start(&journal, &effects);
    let told = second.retry("hang", &state, yes);
    assert_eq!(text(&told), "interrupted: effect");
    assert_eq!(effects.load(Ordering::SeqCst), 1);
}

#[test]
fn another_version_of_the_flow_does_not_resume_the_call() {
    let (journal, effects) = (memory_journal(), Arc::default());
    let first = start(&journal, &effects);
    let (_, state) = round(&first.call("release"));
    first.kill();
    let mut second = start(&journal, &effects);
    second.server = second.server.flow_version("release 2");
    let answer = second.retry("release", &state, json!({}));
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains("release 2"), "{message}");
}

#[test]
fn a_tool_with_a_version_of_its_own_is_resumed_by_that_version_only() {
    let (journal, effects) = (memory_journal(), Arc::default());
    let with = |version: &'static str| {
        let mut process = start(&journal, &effects);
        let own = move |tool: &str| (tool == "release").then(|| version.into());
        process.server = process.server.tool_versions(own);
        process
    };
    let first = with("release.js 1");
    let (_, release) = round(&first.call("release"));
    let (_, branches) = round(&first.call("branches"));
    first.kill();
    let second = with("release.js 2");
    let answer = second.retry("release", &release, json!({}));
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(
        message.contains("release.js 1") && message.contains("release.js 2"),
        "{message}"
    );
    round(&second.retry("branches", &branches, json!({})));
    second.kill();
    round(&with("release.js 1").retry("release", &release, json!({})));
}

#[test]
fn a_call_that_is_on_no_record_says_so() {
    let (journal, effects) = (memory_journal(), Arc::default());
    let (_, state) = round(&start(&journal, &effects).call("release"));
    // Another journal with the same key would be needed to even open the seal.
    let other = start(&memory_journal(), &effects);
    let answer = other.retry("release", &state, json!({}));
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
}

/// Two processes with a journal file between them.
fn two(folder: &tempfile::TempDir, effects: &Arc<AtomicUsize>) -> (Replica, Replica) {
    let process = || start(&sqlite_journal(folder), effects);
    (process(), process())
}

#[test]
fn a_retry_at_another_process_is_answered_by_the_one_that_runs_the_flow() {
    let (folder, effects) = (tempfile::tempdir().unwrap(), Arc::<AtomicUsize>::default());
    let (one, two) = two(&folder, &effects);
    let (_, state) = round(&one.call("release"));
    let bump = json!({ "0001": accept(json!({ "choice": "major" })) });
    let (keys, state) = round(&two.retry("release", &state, bump));
    assert_eq!(keys, ["0002"]);
    let push = json!({ "0002": accept(json!({ "confirmed": true })) });
    assert_eq!(text(&two.retry("release", &state, push.clone())), "major 1");
    assert_eq!(text(&one.retry("release", &state, push)), "major 1");
    assert_eq!(effects.load(Ordering::SeqCst), 1, "the step ran once");
}

#[test]
fn a_call_is_taken_over_when_its_process_is_gone() {
    let (folder, effects) = (tempfile::tempdir().unwrap(), Arc::<AtomicUsize>::default());
    let (one, two) = two(&folder, &effects);
    let (_, state) = round(&one.call("release"));
    let bump = json!({ "0001": accept(json!({ "choice": "major" })) });
    let (_, state) = round(&one.retry("release", &state, bump));
    drop(one.desk);
    drop(one.server);
    one.runtime.shutdown_timeout(Duration::from_secs(5));
    let push = json!({ "0002": accept(json!({ "confirmed": true })) });
    assert_eq!(text(&two.retry("release", &state, push)), "major 1");
    assert_eq!(effects.load(Ordering::SeqCst), 1, "the step ran once");
}

#[test]
fn a_step_that_could_not_be_recorded_leaves_its_call_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("journal.db");
    let flows = Flows::default().with("steps", move |cx, _| {
        let file = file.clone();
        async move {
            let raw = rusqlite::Connection::open(&file).unwrap();
            let full = "CREATE TRIGGER full BEFORE INSERT ON calls
                BEGIN SELECT RAISE(ABORT, 'the disk is full'); END";
            raw.execute_batch(full).unwrap();
            let first: Result<u32, _> = cx.step("first", async { 1 }).await;
            raw.execute_batch("DROP TRIGGER full").unwrap();
            let second: Result<u32, _> = cx.step("second", async { 2 }).await;
            let first_failed = matches!(first, Err(StepError::Journal(_)));
            Ok(format!("{first_failed} {second:?}"))
        }
    });
    let process = Replica::start(&sqlite_journal(&folder), flows, patient(), false);
    assert_eq!(text(&process.call("steps")), "true Ok(2)");
}
