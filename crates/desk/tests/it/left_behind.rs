//! Calls that a dead process left without a result: the same call again goes on with them.

use crate::support::*;
use holdpoint::{Outcome, StepError, Yes, journal::JournalEngine};
use serde_json::{Value, json};
use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::sync::watch;

/// Where the flow stops, to be killed there.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Stop {
    BeforeTheAsk,
    AfterTheYes,
    InTheStep,
    AfterTheStep,
    Nowhere,
}

/// How far the flow came, and what it did, across all processes of a test.
#[derive(Clone)]
struct World {
    paid: Arc<AtomicUsize>,
    stop: Arc<Mutex<Stop>>,
    reached: watch::Sender<bool>,
}

impl World {
    fn new(stop: Stop) -> Self {
        Self {
            paid: Arc::default(),
            stop: Arc::new(Mutex::new(stop)),
            reached: watch::Sender::new(false),
        }
    }

    async fn at(&self, place: Stop) {
        if *self.stop.lock().unwrap() == place {
            self.reached.send_replace(true);
            std::future::pending::<()>().await;
        }
    }

    fn paid(&self) -> usize {
        self.paid.load(Ordering::SeqCst)
    }

    fn flows(&self) -> Flows {
        let world = self.clone();
        Flows::default().with("pay", move |cx, _| {
            let world = world.clone();
            async move {
                let seen: String = cx.step("look", async { "12 EUR".to_owned() }).await?;
                world.at(Stop::BeforeTheAsk).await;
                match cx.elicitor().confirm(format!("Pay {seen}?")).await? {
                    Outcome::Accepted(Yes) => {}
                    other => return Ok(other.status().into()),
                }
                world.at(Stop::AfterTheYes).await;
                let pay = async {
                    world.paid.fetch_add(1, Ordering::SeqCst);
                    world.at(Stop::InTheStep).await;
                };
                match cx.step("pay", pay).await {
                    Ok(()) => {}
                    Err(StepError::Interrupted { name }) => {
                        return Ok(format!("interrupted: {name}"));
                    }
                    Err(error) => return Err(error.into()),
                }
                world.at(Stop::AfterTheStep).await;
                Ok("paid".into())
            }
        })
    }

    fn replica(&self, folder: &tempfile::TempDir) -> Replica {
        let journal = sqlite_journal(folder);
        Replica::start(&journal, self.flows(), patient(), false)
    }
}

/// A legacy client's call: how often it was asked, and what it was told; none where the flow stopped.
fn call(replica: &Replica, world: &World) -> (usize, Option<String>) {
    let mut reached = world.reached.subscribe();
    replica.runtime.block_on(async {
        let mut client = Client::legacy(&replica.server, form()).await;
        let id = client.call("pay").await;
        let mut asked = 0;
        loop {
            let message = tokio::select! {
                message = client.next() => message,
                _ = reached.wait_for(|reached| *reached) => return (asked, None),
            };
            if message["method"] == "elicitation/create" {
                asked += 1;
                client
                    .reply(&message, accept(json!({ "confirmed": true })))
                    .await;
            } else if message["id"] == id {
                let told = match message["error"]["message"].as_str() {
                    Some(error) => error,
                    None => text(&message),
                };
                return (asked, Some(told.to_owned()));
            }
        }
    })
}

#[test]
fn a_legacy_clients_retry_after_a_kill_pays_once_wherever_it_was_killed() {
    for (stop, asked_again, told) in [
        (Stop::BeforeTheAsk, 1, "paid"),
        (Stop::AfterTheYes, 0, "paid"),
        (Stop::InTheStep, 0, "interrupted: pay"),
        (Stop::AfterTheStep, 0, "paid"),
    ] {
        let (folder, world) = (tempfile::tempdir().unwrap(), World::new(stop));
        let first = world.replica(&folder);
        let (_, ended) = call(&first, &world);
        assert_eq!(ended, None, "{stop:?}");
        first.kill();
        *world.stop.lock().unwrap() = Stop::Nowhere;
        world.reached.send_replace(false);
        let second = world.replica(&folder);
        assert_eq!(
            call(&second, &world),
            (asked_again, Some(told.into())),
            "{stop:?}"
        );
        assert_eq!(world.paid(), 1, "{stop:?}");
        // That call has a result: an equal one asks anew.
        assert_eq!(call(&second, &world), (1, Some("paid".into())), "{stop:?}");
        assert_eq!(world.paid(), 2, "{stop:?}");
    }
}

/// The other process was there all the time, and had calls of its own before.
#[test]
fn a_call_is_taken_up_by_a_process_that_outlived_its_own() {
    let (folder, world) = (tempfile::tempdir().unwrap(), World::new(Stop::Nowhere));
    let second = world.replica(&folder);
    assert_eq!(call(&second, &world), (1, Some("paid".into())));
    let first = world.replica(&folder);
    *world.stop.lock().unwrap() = Stop::AfterTheStep;
    assert_eq!(call(&first, &world), (1, None));
    *world.stop.lock().unwrap() = Stop::Nowhere;
    world.reached.send_replace(false);
    // While its process lives, the call is its own: an equal one asks anew.
    assert_eq!(call(&second, &world), (1, Some("paid".into())));
    assert_eq!(world.paid(), 3);
    first.kill();
    assert_eq!(call(&second, &world), (0, Some("paid".into())));
    assert_eq!(world.paid(), 3);
}

#[test]
fn two_equal_calls_after_a_kill_are_two_calls() {
    let (folder, world) = (tempfile::tempdir().unwrap(), World::new(Stop::AfterTheStep));
    let first = world.replica(&folder);
    assert_eq!(call(&first, &world), (1, None));
    first.kill();
    *world.stop.lock().unwrap() = Stop::Nowhere;
    world.reached.send_replace(false);
    let second = world.replica(&folder);
    let asked = second.runtime.block_on(async {
        let mut client = Client::legacy(&second.server, form()).await;
        let calls = [client.call("pay").await, client.call("pay").await];
        let (mut asked, mut told) = (0, 0);
        while told < 2 {
            let message: Value = client.next().await;
            if message["method"] == "elicitation/create" {
                asked += 1;
                client
                    .reply(&message, accept(json!({ "confirmed": true })))
                    .await;
            } else if calls.iter().any(|call| message["id"] == *call) {
                assert_eq!(text(&message), "paid");
                told += 1;
            }
        }
        asked
    });
    assert_eq!(
        (asked, world.paid()),
        (1, 2),
        "one was taken up, one asked anew"
    );
}

#[test]
fn a_call_older_than_its_states_life_is_never_taken_up() {
    let (folder, world) = (tempfile::tempdir().unwrap(), World::new(Stop::AfterTheYes));
    let start = |lifetime| {
        let settings = patient().state_lifetime(lifetime);
        Replica::start(&sqlite_journal(&folder), world.flows(), settings, false)
    };
    let first = start(Duration::from_secs(3600));
    assert_eq!(call(&first, &world), (1, None));
    first.kill();
    *world.stop.lock().unwrap() = Stop::Nowhere;
    world.reached.send_replace(false);
    let second = start(Duration::ZERO);
    assert_eq!(
        call(&second, &world),
        (1, Some("paid".into())),
        "it asks anew"
    );
    second.kill();
    let third = start(Duration::from_secs(3600));
    assert_eq!(
        call(&third, &world),
        (0, Some("paid".into())),
        "in time it is taken up"
    );
    assert_eq!(world.paid(), 2);
}

/// What a row says leads to a call, and never makes it another's.
#[test]
fn a_call_is_bound_by_its_record_not_by_a_row() {
    let (folder, world) = (tempfile::tempdir().unwrap(), World::new(Stop::AfterTheYes));
    let first = world.replica(&folder);
    assert_eq!(call(&first, &world), (1, None));
    first.kill();
    *world.stop.lock().unwrap() = Stop::Nowhere;
    world.reached.send_replace(false);
    let journal: Arc<dyn JournalEngine> = sqlite_journal(&folder);
    let raw = rusqlite::Connection::open(folder.path().join("journal.db")).unwrap();
    // Somebody else's call, with the row of ours pointing at its binding.
    let second = Replica::start(&journal, world.flows(), patient(), false);
    let other = second.server.workspace("/elsewhere");
    let second = Replica {
        server: other,
        ..second
    };
    let probe = world.replica(&folder);
    let probe = Replica {
        server: probe.server.workspace("/elsewhere"),
        ..probe
    };
    *world.stop.lock().unwrap() = Stop::BeforeTheAsk;
    assert_eq!(call(&probe, &world), (0, None));
    let moved = raw
        .execute(
            "UPDATE calls SET binding = (SELECT binding FROM calls ORDER BY opened DESC LIMIT 1)
             WHERE opened = (SELECT min(opened) FROM calls)",
            [],
        )
        .unwrap();
    assert_eq!(moved, 1);
    raw.execute(
        "UPDATE calls SET binding = NULL WHERE opened > (SELECT min(opened) FROM calls)",
        [],
    )
    .unwrap();
    probe.kill();
    *world.stop.lock().unwrap() = Stop::Nowhere;
    world.reached.send_replace(false);
    assert_eq!(
        call(&second, &world),
        (1, Some("paid".into())),
        "it asks for itself"
    );
}

/// Makes the journal refuse every result of a call, as a full disk does; or take them again.
fn take_results(folder: &tempfile::TempDir, taken: bool) {
    let raw = rusqlite::Connection::open(folder.path().join("journal.db")).unwrap();
    let change = if taken {
        "DROP TRIGGER full"
    } else {
        "CREATE TRIGGER full BEFORE INSERT ON events WHEN NEW.kind = 'finished'
         BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
    };
    raw.execute_batch(change).unwrap();
}

#[test]
fn a_result_that_is_not_on_record_is_told_to_nobody_and_one_yes_answers_one_call() {
    for killed in [false, true] {
        let (folder, world) = (tempfile::tempdir().unwrap(), World::new(Stop::Nowhere));
        let mut replica = world.replica(&folder);
        take_results(&folder, false);
        let (asked, told) = call(&replica, &world);
        let told = told.unwrap();
        assert_eq!(asked, 1, "{told}");
        assert!(told.contains("could not be put on record"), "{told}");
        take_results(&folder, true);
        if killed {
            replica.kill();
            replica = world.replica(&folder);
        }
        // The yes is on record and nobody was told it: it answers the same call, and that one only.
        let paid = |asked| (asked, Some("paid".to_owned()));
        assert_eq!(call(&replica, &world), paid(0), "killed: {killed}");
        assert_eq!(world.paid(), 1, "killed: {killed}");
        assert_eq!(call(&replica, &world), paid(1), "killed: {killed}");
        assert_eq!(world.paid(), 2, "killed: {killed}");
    }
}

/// A replica whose flow waits behind the yes until it may go on.
fn gated(folder: &tempfile::TempDir) -> (Replica, watch::Sender<bool>, watch::Receiver<bool>) {
    let (go, reached) = (watch::Sender::new(false), watch::Sender::new(false));
    let (may_go, reaches) = (go.clone(), reached.clone());
    let flows = Flows::default().with("pay", move |cx, _| {
        let (mut may_go, reaches) = (may_go.subscribe(), reaches.clone());
        async move {
            let paid = cx.elicitor().confirm("Pay?").await? == Outcome::Accepted(Yes);
            reaches.send_replace(true);
            let _ = may_go.wait_for(|go| *go).await;
            Ok(if paid { "paid" } else { "not paid" }.into())
        }
    });
    let replica = Replica::start(&sqlite_journal(folder), flows, patient(), false);
    let reached = reached.subscribe();
    (replica, go, reached)
}

/// One process is stopped behind the yes and another gets the same call; then both go on.
fn stopped_and_woken(silence: impl FnOnce(&tempfile::TempDir, &Replica)) -> [(usize, String); 2] {
    let folder = tempfile::tempdir().unwrap();
    let (first, wake, mut reached) = gated(&folder);
    let (second, go, _) = gated(&folder);
    go.send_replace(true);
    let pay = |server: holdpoint::Holdpoint<Flows>| async move {
        let mut client = Client::legacy(&server, form()).await;
        let id = client.call("pay").await;
        let mut asked = 0;
        loop {
            let message = client.next().await;
            if message["method"] == "elicitation/create" {
                asked += 1;
                let yes = accept(json!({ "confirmed": true }));
                client.reply(&message, yes).await;
            } else if message["id"] == id {
                let error = message["error"]["message"].as_str();
                let told = error.unwrap_or_else(|| text(&message));
                return (asked, told.to_owned());
            }
        }
    };
    let stopped = first.runtime.spawn(pay(first.server.clone()));
    let come = first.runtime.block_on(async {
        let reached = reached.wait_for(|reached| *reached);
        tokio::time::timeout(PATIENCE, reached)
            .await
            .map(|_| ())
            .is_ok()
    });
    assert!(come, "the first never came to its yes");
    silence(&folder, &first);
    let told = second.runtime.block_on(pay(second.server.clone()));
    wake.send_replace(true);
    let woken = first.runtime.block_on(stopped).unwrap();
    [woken, told]
}

#[test]
fn a_process_that_was_stopped_keeps_its_calls_and_the_same_call_elsewhere_asks_anew() {
    let told = stopped_and_woken(|folder, _| {
        let raw = rusqlite::Connection::open(folder.path().join("journal.db")).unwrap();
        let lapse = raw.execute("UPDATE owners SET lease_until = 0", []);
        assert!(lapse.unwrap() > 0);
    });
    assert_eq!(told, [(1, "paid".to_owned()), (1, "paid".to_owned())]);
}

#[test]
fn a_process_whose_call_was_taken_over_tells_no_result() {
    let [(_, woken), told] = stopped_and_woken(|folder, first| {
        let lock = format!("journal.db-owners/{}.lock", first.desk.journal().owner());
        std::fs::remove_file(folder.path().join(lock)).unwrap();
    });
    assert_eq!(told, (0, "paid".into()), "it took the yes over");
    assert!(woken.contains("taken this call over"), "{woken}");
}
