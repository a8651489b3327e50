//! Who may answer what is dangerous: PINs, agents, answers beforehand; and asks from a shell.

use crate::support::*;
use holdpoint::{
    Ask, AskId, ChannelKind, Clock, Desk, Field, Form, Holdpoint, Kind, Origin, Outcome, PinError,
    PinPlace, Refusal, Replier, Reply, ReplyResult,
    field::{Ending, Pick},
    journal::{self, EventKind},
    testing::accept,
};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};

async fn desk() -> Desk {
    let journal = journal::open("memory:").await.unwrap();
    let builder = Desk::builder(journal).clock(Clock::tokio());
    builder
        .channel(Arc::new(ParkedInbox::default()))
        .build()
        .await
        .unwrap()
}

fn shell() -> Origin {
    Origin {
        principal: "shell".into(),
        ..Origin::default()
    }
}

fn dangerous() -> Ask {
    Ask::confirm("Delete everything?").dangerous()
}

fn person() -> Replier {
    holdpoint::testing::person(ChannelKind::Inbox, Some("ada"))
}

fn yes() -> Reply {
    accept(json!({ "confirmed": true }))
}

async fn is_open(desk: &Desk, ask: AskId) -> bool {
    let record = desk.journal().ask(ask).await.unwrap().unwrap();
    record.decision.is_none()
}

async fn kinds(desk: &Desk) -> Vec<EventKind> {
    let events = desk.journal().events(0, 1000).await.unwrap();
    events.into_iter().map(|event| event.kind).collect()
}

#[tokio::test(start_paused = true)]
async fn a_yes_to_a_dangerous_ask_needs_the_pin() {
    let desk = desk().await;
    let mut ask = desk.ask(shell(), dangerous()).await.unwrap();
    desk.pin().set(None, "2580").await.unwrap();
    let reply = |from, reply| desk.reply(ask.id(), from, reply);

    assert_eq!(
        reply(person(), yes()).await.unwrap(),
        ReplyResult::PinNeeded
    );
    let invalid = reply(person().with_pin("2580"), accept(json!({}))).await;
    assert!(matches!(invalid.unwrap(), ReplyResult::Invalid(_)));
    let wrong = reply(person().with_pin("2581"), yes()).await.unwrap();
    let retry_after = Duration::ZERO;
    assert_eq!(wrong, ReplyResult::WrongPin { retry_after });
    let client = holdpoint::testing::person(ChannelKind::Client, Some("a client"));
    tokio::time::advance(Duration::from_secs(1)).await;
    assert_eq!(reply(client, yes()).await.unwrap(), ReplyResult::PinNeeded);
    assert!(is_open(&desk, ask.id()).await);

    let right = reply(person().with_pin("2580"), yes()).await.unwrap();
    assert!(matches!(right, ReplyResult::Settled(_)), "{right:?}");
    let decided = ask.decided().await.unwrap();
    assert!(matches!(decided.outcome, Outcome::Accepted(_)));
}

#[tokio::test]
async fn a_no_needs_no_pin_and_neither_does_what_is_not_dangerous() {
    let desk = desk().await;
    desk.pin().set(None, "2580").await.unwrap();
    let refused = desk.ask(shell(), dangerous()).await.unwrap();
    let tame = desk.ask(shell(), Ask::confirm("Look?")).await.unwrap();
    for (ask, reply) in [
        (refused.id(), Reply::Decline { reason: None }),
        (tame.id(), yes()),
    ] {
        let taken = desk.reply(ask, person(), reply).await.unwrap();
        assert!(matches!(taken, ReplyResult::Settled(_)), "{taken:?}");
    }
}

#[tokio::test]
async fn an_ending_that_says_no_needs_no_pin_and_one_that_says_yes_does() {
    let desk = desk().await;
    desk.pin().set(None, "2580").await.unwrap();
    let commit = || {
        let options = [
            Pick::new("commit").ending(Ending::go("Commit", "Committed")),
            Pick::new("revise").ending(Ending::hold("Revise", "Revisions requested")),
        ];
        Ask::choose("Commit?", options).dangerous()
    };
    let yes = desk.ask(shell(), commit()).await.unwrap();
    let no = desk.ask(shell(), commit()).await.unwrap();
    let reply = async |ask, choice| {
        let reply = accept(json!({ "choice": choice }));
        desk.reply(ask, person(), reply).await.unwrap()
    };
    assert_eq!(reply(yes.id(), "commit").await, ReplyResult::PinNeeded);
    assert!(is_open(&desk, yes.id()).await);
    let taken = reply(no.id(), "revise").await;
    assert!(matches!(taken, ReplyResult::Settled(_)), "{taken:?}");
}

#[tokio::test]
async fn an_ending_that_says_no_permits_nothing() {
    let desk = desk().await;
    let granted = async |choice: &str| {
        let options = [
            Pick::new("commit").ending(Ending::go("Commit", "Committed")),
            Pick::new("revise").ending(Ending::hold("Revise", "Revisions requested")),
        ];
        let ask = desk.ask(shell(), Ask::choose("Commit?", options));
        let ask = ask.await.unwrap();
        let reply = accept(json!({ "choice": choice }));
        let taken = desk.reply(ask.id(), person(), reply).await.unwrap();
        let ReplyResult::Settled(decision) = taken else {
            panic!("{taken:?}")
        };
        let digest = holdpoint::Digest::hash_bytes(b"what was shown");
        let lifetime = Duration::from_secs(60);
        desk.grant(&decision, "commit", digest, lifetime)
            .await
            .is_ok()
    };
    assert!(granted("commit").await);
    assert!(!granted("revise").await);
}

#[tokio::test(start_paused = true)]
async fn guessing_gets_slower_and_slower_and_a_right_one_ends_that() {
    let desk = desk().await;
    desk.pin().set(None, "2580").await.unwrap();
    let ask = desk.ask(shell(), dangerous()).await.unwrap();
    let try_pin = |pin: &str| desk.reply(ask.id(), person().with_pin(pin), yes());
    let mut waits = Vec::new();
    for _ in 0..6 {
        match try_pin("0000").await.unwrap() {
            ReplyResult::WrongPin { retry_after } => waits.push(retry_after.as_secs()),
            other => panic!("{other:?}"),
        }
        tokio::time::advance(Duration::from_secs(*waits.last().unwrap())).await;
    }
    assert_eq!(waits, [0, 0, 0, 2, 4, 8]);
    let _ = try_pin("0000").await.unwrap();
    let early = try_pin("2580").await.unwrap();
    assert!(
        matches!(early, ReplyResult::WrongPin { .. }),
        "even the right one waits"
    );
    assert!(is_open(&desk, ask.id()).await);
    tokio::time::advance(Duration::from_secs(60)).await;
    assert!(matches!(
        try_pin("2580").await.unwrap(),
        ReplyResult::Settled(_)
    ));
    assert!(kinds(&desk).await.contains(&EventKind::PinGiven));
}

#[tokio::test]
async fn many_guesses_at_once_are_tried_one_by_one() {
    let desk = desk().await;
    desk.pin().set(None, "2580").await.unwrap();
    let ask = desk.ask(shell(), dangerous()).await.unwrap().id();
    let tries = (0..12).map(|_| desk.reply(ask, person().with_pin("0000"), yes()));
    for taken in futures::future::join_all(tries).await {
        assert!(matches!(taken.unwrap(), ReplyResult::WrongPin { .. }));
    }
    let wrong = kinds(&desk).await;
    let wrong = wrong.iter().filter(|kind| **kind == EventKind::WrongPin);
    assert_eq!(wrong.count(), 4, "the others were not even looked at");
}

#[tokio::test]
async fn a_pin_is_changed_and_cleared_only_by_who_knows_it() {
    let desk = desk().await;
    let pin = desk.pin();
    assert!(matches!(pin.clear("2580").await, Err(PinError::NotSet)));
    assert!(matches!(
        pin.set(None, "123").await,
        Err(PinError::TooShort)
    ));
    assert!(!pin.is_set().await.unwrap());
    pin.set(None, "2580").await.unwrap();
    assert!(matches!(pin.set(None, "9999").await, Err(PinError::Needed)));
    let wrong = pin.set(Some("0000"), "9999").await;
    assert!(matches!(wrong, Err(PinError::Wrong { .. })));
    assert!(matches!(
        pin.clear("0000").await,
        Err(PinError::Wrong { .. })
    ));
    pin.set(Some("2580"), "9999").await.unwrap();
    pin.clear("9999").await.unwrap();
    assert!(!pin.is_set().await.unwrap());
}

#[tokio::test]
async fn a_hash_that_somebody_put_in_its_place_refuses() {
    let (desk, other) = (desk().await, desk().await);
    desk.pin().set(None, "2580").await.unwrap();
    other.pin().set(None, "0000").await.unwrap();
    let planted = other.journal().load("pin").await.unwrap();
    desk.journal().store("pin", planted).await.unwrap();
    let ask = desk.ask(shell(), dangerous()).await.unwrap();
    for pin in ["2580", "0000"] {
        let error = desk.reply(ask.id(), person().with_pin(pin), yes()).await;
        assert!(error.unwrap_err().to_string().contains("PIN"));
    }
    assert!(is_open(&desk, ask.id()).await);
}

#[tokio::test]
async fn a_missing_hash_refuses() {
    let desk = desk().await;
    desk.pin().set(None, "2580").await.unwrap();
    desk.journal().store("pin", None).await.unwrap();
    let ask = desk.ask(shell(), dangerous()).await.unwrap();
    for pin in ["2580", ""] {
        let error = desk.reply(ask.id(), person().with_pin(pin), yes()).await;
        assert!(error.unwrap_err().to_string().contains("PIN"));
    }
    assert!(matches!(
        desk.pin().set(Some("2580"), "1111").await,
        Err(PinError::Missing)
    ));
    assert!(is_open(&desk, ask.id()).await);
}

#[tokio::test]
async fn a_pin_set_by_another_process_keeps_dangerous_asks_from_the_client() {
    let folder = tempfile::tempdir().unwrap();
    let b = open(&folder).await;
    b.pin().set(None, "2580").await.unwrap();
    let a = open(&folder).await;
    let flows = Flows::default().with("delete", |cx, _| async move {
        let outcome = cx.elicitor().confirm("Delete?").dangerous().await?;
        Ok(outcome.status().into())
    });
    let mut client = Client::legacy(Holdpoint::new(a.clone(), flows).unwrap(), form()).await;
    let call = client.call("delete").await;
    let ask = open_ask(&a).await.id;
    let taken = b
        .reply(ask, person().with_pin("2580"), yes())
        .await
        .unwrap();
    assert!(matches!(taken, ReplyResult::Settled(_)), "{taken:?}");
    // It fails on a request of the server's: the client is shown nothing.
    assert_eq!(text(&client.answer(call).await), "accepted");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_was_asked_before_a_pin_was_set_is_not_asked_again() {
    let desk = desk().await;
    let flows = Flows::default().with("delete", |cx, _| async move {
        let outcome = cx.elicitor().confirm("Delete?").dangerous().await?;
        Ok(outcome.status().into())
    });
    let mut client = Client::modern(Holdpoint::new(desk.clone(), flows).unwrap(), form());
    let call = client.call("delete").await;
    let (keys, state) = round(&client.answer(call).await);
    desk.pin().set(None, "2580").await.unwrap();
    tokio::time::sleep(Duration::from_secs(1)).await;
    let accepted = json!({ "action": "accept", "content": { "confirmed": true } });
    let call = client
        .retry("delete", &state, json!({ &keys[0]: accepted }))
        .await;
    let answer = client.answer(call).await;
    let status = &answer["result"]["structuredContent"]["status"];
    assert_eq!(status, "pending", "it is left to the inbox: {answer}");
    let ask = open_ask(&desk).await.id;
    let settled = desk.reply(ask, person().with_pin("2580"), yes()).await;
    assert!(matches!(settled.unwrap(), ReplyResult::Settled(_)));
}

async fn open(folder: &tempfile::TempDir) -> Desk {
    let journal = journal::open(&url(folder)).await.unwrap();
    let settings = patient().fast_reply(Duration::ZERO);
    let builder = Desk::builder(journal).settings(settings);
    builder
        .channel(Arc::new(ParkedInbox::default()))
        .build()
        .await
        .unwrap()
}

fn inside() -> Replier {
    let mut inside = holdpoint::testing::person(ChannelKind::Terminal, Some("ada"));
    inside.presence.agent = Some("an agent".into());
    inside
}

fn inside_agent() -> ReplyResult {
    ReplyResult::NotTaken(Refusal::InsideAgent("an agent".into()))
}

#[tokio::test]
async fn nothing_is_answered_from_inside_an_agent_and_nothing_dangerous_beforehand() {
    let desk = desk().await;
    let ask = desk.ask(shell(), dangerous()).await.unwrap();
    for reply in [yes(), Reply::Decline { reason: None }, Reply::Cancel] {
        let taken = desk.reply(ask.id(), inside(), reply.clone()).await.unwrap();
        assert_eq!(taken, inside_agent());
        let preset = holdpoint::testing::person(ChannelKind::Preset, None);
        let taken = desk.reply(ask.id(), preset, reply).await.unwrap();
        assert_eq!(taken, ReplyResult::NotTaken(Refusal::NotBeforehand));
    }
    assert!(is_open(&desk, ask.id()).await);
    let attempts = kinds(&desk).await;
    let attempts = attempts.iter().filter(|k| **k == EventKind::AgentAnswered);
    assert_eq!(attempts.count(), 3);

    let tame = desk.ask(shell(), Ask::confirm("Look?")).await.unwrap();
    let taken = desk.reply(tame.id(), inside(), yes()).await.unwrap();
    assert_eq!(taken, inside_agent());
}

#[tokio::test]
async fn an_ask_from_a_shell_waits_times_out_and_is_taken_back() {
    let desk = desk().await;
    let mut answered = desk.ask(shell(), Ask::confirm("Go?")).await.unwrap();
    assert!(
        is_open(&desk, answered.id()).await,
        "it is on record at once"
    );
    desk.reply(answered.id(), person(), yes()).await.unwrap();
    let decided = answered.decided().await.unwrap();
    assert_eq!(decided.decision.answered_by.as_deref(), Some("ada"));

    let mut back = desk.ask(shell(), Ask::confirm("Go?")).await.unwrap();
    back.withdraw().await;
    let decided = back.decided().await.unwrap();
    assert!(matches!(decided.outcome, Outcome::Withdrawn { .. }));
    assert!(desk.journal().verify().await.unwrap().flaws.is_empty());

    let nobody = Desk::open("memory:").await.unwrap();
    let mut lost = nobody.ask(shell(), Ask::confirm("Go?")).await.unwrap();
    let decided = lost.decided().await.unwrap();
    assert!(matches!(decided.outcome, Outcome::Unreachable { .. }));
}

#[tokio::test(start_paused = true)]
async fn an_ask_from_a_shell_times_out() {
    let desk = desk().await;
    let ask = Ask::confirm("Go?").deadline(Duration::from_secs(60));
    let mut waiting = desk.ask(shell(), ask).await.unwrap();
    let decided = waiting.decided().await.unwrap();
    assert_eq!(decided.outcome, Outcome::TimedOut);
}

#[tokio::test]
async fn a_secret_from_another_process_reaches_a_shell_once() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (open(&folder).await, open(&folder).await);
    let form = Form::new().field(Field::new("password", Kind::Secret));
    let mut waiting = a.ask(shell(), Ask::new("Password?", form)).await.unwrap();
    let reply = accept(json!({ "password": "hunter2" }));
    b.reply(waiting.id(), person(), reply).await.unwrap();
    let decided = waiting.decided().await.unwrap();
    let Outcome::Accepted(answer) = decided.outcome else {
        panic!("{:?}", decided.outcome)
    };
    assert_eq!(answer["password"], Value::from("hunter2"));
    a.journal().verify().await.unwrap();
    assert_eq!(a.journal().parcel(waiting.id()).await.unwrap(), None);
    for entry in walk(folder.path()) {
        let bytes = std::fs::read(&entry).unwrap();
        let found = bytes.windows(7).any(|bytes| bytes == b"hunter2");
        assert!(!found, "the secret is in {}", entry.display());
    }
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(walk(&path))
        } else {
            files.push(path)
        }
    }
    files
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn guesses_are_reserved_first_so_that_of_16_in_16_processes_4_are_judged() {
    let folder = tempfile::tempdir().unwrap();
    let first = open(&folder).await;
    first.pin().set(None, "2580").await.unwrap();
    let ask = first.ask(shell(), dangerous()).await.unwrap().id();
    let mut desks = Vec::new();
    for _ in 0..16 {
        desks.push(open(&folder).await);
    }
    let tries = desks.into_iter().enumerate().map(|(number, desk)| {
        let pin = format!("00{number:02}");
        tokio::spawn(async move { desk.reply(ask, person().with_pin(pin), yes()).await })
    });
    let mut waits = 0;
    for taken in futures::future::join_all(tries).await {
        match taken.unwrap().unwrap() {
            ReplyResult::WrongPin { retry_after } if !retry_after.is_zero() => waits += 1,
            ReplyResult::WrongPin { .. } => {}
            other => panic!("{other:?}"),
        }
    }
    let kinds = kinds(&first).await;
    let count = |wanted| kinds.iter().filter(|kind| **kind == wanted).count();
    assert_eq!(count(EventKind::PinTried), 4);
    assert_eq!(
        count(EventKind::WrongPin),
        4,
        "the others were not even looked at"
    );
    assert_eq!(waits, 13, "the fourth one and those behind it have to wait");
    // The right one has to wait too.
    let early = first.reply(ask, person().with_pin("2580"), yes()).await;
    assert!(matches!(early.unwrap(), ReplyResult::WrongPin { .. }));
    assert!(is_open(&first, ask).await);
}

/// A desk over a journal of its own, whose person's PIN is in this file.
async fn of_person(folder: &tempfile::TempDir) -> Desk {
    let journal = journal::open("memory:").await.unwrap();
    Desk::builder(journal)
        .channel(Arc::new(ParkedInbox::default()))
        .pin_place(PinPlace::File(folder.path().join("journal.db")))
        .build()
        .await
        .unwrap()
}

#[tokio::test]
async fn the_pin_belongs_to_the_person_and_not_to_a_journal() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (of_person(&folder).await, of_person(&folder).await);
    let waiting = b.ask(shell(), dangerous()).await.unwrap();
    assert!(!b.pin().is_set().await.unwrap());
    assert!(
        !folder.path().join("journal.db").exists(),
        "looking makes nothing"
    );
    a.pin().set(None, "2580").await.unwrap();
    // Another journal, which was there before and knows nothing of it.
    let reply = |pin: Option<&str>| {
        let from = match pin {
            Some(pin) => person().with_pin(pin),
            None => person(),
        };
        b.reply(waiting.id(), from, yes())
    };
    assert_eq!(reply(None).await.unwrap(), ReplyResult::PinNeeded);
    let wrong = reply(Some("0000")).await.unwrap();
    assert!(matches!(wrong, ReplyResult::WrongPin { .. }), "{wrong:?}");
    assert!(
        kinds(&b).await.contains(&EventKind::WrongPin),
        "it is on record there"
    );
    let right = reply(Some("2580")).await.unwrap();
    assert!(matches!(right, ReplyResult::Settled(_)), "{right:?}");
    // Tries count for the person too.
    let ask = a.ask(shell(), dangerous()).await.unwrap().id();
    let other = b.ask(shell(), dangerous()).await.unwrap().id();
    for (desk, ask) in [(&a, ask), (&b, other), (&a, ask), (&b, other)] {
        desk.reply(ask, person().with_pin("0000"), yes())
            .await
            .unwrap();
    }
    let early = a
        .reply(ask, person().with_pin("2580"), yes())
        .await
        .unwrap();
    assert!(matches!(early, ReplyResult::WrongPin { retry_after } if !retry_after.is_zero()));
    // An author's own server has none.
    assert!(!desk().await.pin().is_set().await.unwrap());
}

#[tokio::test]
async fn a_lost_event_of_a_pin_is_missing_and_not_none() {
    let folder = tempfile::tempdir().unwrap();
    of_person(&folder)
        .await
        .pin()
        .set(None, "2580")
        .await
        .unwrap();
    let path = |end: &str| folder.path().join(format!("journal.db{end}"));
    for end in ["", "-wal", "-shm", "-mark"] {
        let _ = std::fs::remove_file(path(end));
    }
    assert!(path("-kept").exists());
    for desk in [of_person(&folder).await, open(&folder).await] {
        assert!(desk.pin().is_set().await.unwrap());
        let ask = desk.ask(shell(), dangerous()).await.unwrap();
        let error = desk.reply(ask.id(), person().with_pin("2580"), yes()).await;
        assert!(error.unwrap_err().to_string().contains("PIN"));
        let set = desk.pin().set(Some("2580"), "1111").await;
        assert!(matches!(set, Err(PinError::Missing)));
        let set = desk.pin().set(None, "1111").await;
        assert!(matches!(set, Err(PinError::Needed)));
        assert!(is_open(&desk, ask.id()).await);
    }
}

#[tokio::test]
async fn a_pin_that_an_older_program_set_in_another_journal_counts_and_moves() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal::open("memory:").await.unwrap();
    let older = Desk::builder(journal.clone()).build().await.unwrap();
    older.pin().set(None, "2580").await.unwrap();
    drop(older);
    let place = PinPlace::File(folder.path().join("journal.db"));
    let builder = Desk::builder(journal).pin_place(place);
    let desk = builder.build().await.unwrap();
    assert!(matches!(
        desk.pin().set(None, "1111").await,
        Err(PinError::Needed)
    ));
    desk.pin().set(Some("2580"), "1111").await.unwrap();
    assert!(of_person(&folder).await.pin().is_set().await.unwrap());
    desk.pin().clear("1111").await.unwrap();
    assert!(
        !desk.pin().is_set().await.unwrap(),
        "the older one is gone too"
    );
}

fn url(folder: &tempfile::TempDir) -> String {
    format!("sqlite:{}", folder.path().join("journal.db").display())
}
