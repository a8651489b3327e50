//! The record itself: events, batches, keys.

use super::fixture::{Fixture, ask_of, at, call, decided, yes};
use crate::{EventKind, JournalError, Write};
use holdpoint_ask::{Ask, CallId};
use serde_json::json;
use std::{sync::Arc, time::Duration};
use tokio::time::timeout;

pub async fn events_tell_what_happened_in_order(fixture: &Fixture) {
    assert_eq!(fixture.journal.head().await.unwrap(), 0);
    let verified = fixture.journal.verify().await.unwrap();
    assert_eq!((verified.events, verified.head), (0, None));
    let (call, ask) = fixture.opened().await;
    let note = Write::Note {
        call: Some(call),
        ask: Some(ask),
        kind: EventKind::AgentGone,
        body: json!({"why": "closed"}),
        at: at(1),
    };
    fixture
        .commit([note, Write::Settle(decided(ask, yes()))])
        .await;
    let events = fixture.journal.events(0, 10).await.unwrap();
    let kinds: Vec<_> = events.iter().map(|event| event.kind).collect();
    use EventKind::{AgentGone, Asked, Called, Decided};
    assert_eq!(kinds, [Called, Asked, AgentGone, Decided]);
    let places: Vec<_> = events.iter().map(|event| event.seq).collect();
    assert_eq!(places, [1, 2, 3, 4]);
    assert!(events.iter().all(|event| event.call == Some(call)));
    assert_eq!(events[0].ask, None);
    assert_eq!(events[3].ask, Some(ask));
    assert_eq!(events[2].body, json!({"why": "closed"}));
    assert_eq!(events[1].body["ask"]["message"], "Deploy?");
    assert_eq!(events[3].body["outcome"]["status"], "accepted");
    assert_eq!(events[3].at, at(5));

    assert_eq!(fixture.journal.events(1, 2).await.unwrap(), events[1..3]);
    assert_eq!(fixture.journal.events(4, 2).await.unwrap(), []);
    assert_eq!(fixture.journal.head().await.unwrap(), 4);
    let verified = fixture.journal.verify().await.unwrap();
    assert_eq!(verified.head, Some(events[3].hash));
    fixture.check_sound().await;
}

pub async fn a_batch_that_fails_leaves_nothing(fixture: &Fixture) {
    let (taken_call, taken_ask) = fixture.opened().await;
    let before = fixture.journal.head().await.unwrap();
    let again = |id| {
        let mut call = (*call(fixture.journal.owner())).clone();
        call.id = id;
        Write::OpenCall(Arc::new(call))
    };
    let twice = |id| {
        let mut ask = (*ask_of(None, Ask::confirm("Go?"))).clone();
        ask.id = id;
        Write::OpenAsk(Arc::new(ask))
    };
    let forged = Write::Note {
        call: None,
        ask: Some(taken_ask),
        kind: EventKind::Decided,
        body: json!({}),
        at: at(1),
    };
    for bad in [
        again(taken_call),
        twice(taken_ask),
        Write::OpenAsk(ask_of(CallId::new(), Ask::confirm("Of which call?"))),
        forged,
    ] {
        let call = call(fixture.journal.owner());
        let ask = ask_of(call.id, Ask::confirm("Go?"));
        let batch = vec![
            Write::OpenCall(call.clone()),
            Write::OpenAsk(ask.clone()),
            Write::Settle(decided(taken_ask, yes())),
            Write::Renew {
                owner: call.owner,
                until: at(9),
            },
            bad.clone(),
        ];
        // Others that were queued at the same time are not taken down with it.
        let (good, fine) = (fixture.opened(), fixture.opened());
        let (_, error, _) = tokio::join!(good, fixture.journal.commit(batch), fine);
        let Err(JournalError::Write { what, .. }) = error else {
            panic!("{}: {bad:?} gave {error:?}", fixture.name)
        };
        assert!(!what.is_empty());
        assert_eq!(fixture.journal.call(call.id).await.unwrap(), None);
        assert_eq!(fixture.journal.ask(ask.id).await.unwrap(), None);
        let record = fixture.journal.ask(taken_ask).await.unwrap().unwrap();
        assert_eq!(record.decision, None);
    }
    assert_eq!(fixture.journal.head().await.unwrap(), before + 4 * 4);
    fixture.check_sound().await;
}

pub async fn of_many_queued_batches_only_the_bad_ones_fail(fixture: &Fixture) {
    let (taken, _) = fixture.opened().await;
    let queued: Vec<_> = (0..100)
        .map(|count| {
            let mut call = (*call(fixture.journal.owner())).clone();
            let bad = count % 7 == 3;
            if bad {
                call.id = taken;
            }
            let ask = ask_of(None, Ask::confirm("Go?"));
            let batch = vec![Write::OpenAsk(ask.clone()), Write::OpenCall(Arc::new(call))];
            (bad, ask.id, fixture.journal.commit(batch))
        })
        .collect();
    for (bad, ask, commit) in queued {
        assert_eq!(commit.await.is_err(), bad, "{}", fixture.name);
        assert_eq!(fixture.journal.ask(ask).await.unwrap().is_none(), bad);
    }
    fixture.check_sound().await;
}

pub async fn a_dropped_commit_is_still_made(fixture: &Fixture) {
    let ask = ask_of(None, Ask::confirm("Go?"));
    drop(fixture.journal.commit(vec![Write::OpenAsk(ask.clone())]));
    // Commits are made in the order in which they queued.
    fixture.opened().await;
    assert!(
        fixture.journal.ask(ask.id).await.unwrap().is_some(),
        "{}",
        fixture.name
    );
}

pub async fn a_key_stays_the_same(fixture: &Fixture) {
    let seal = fixture.journal.key("seal").await.unwrap();
    assert_eq!(fixture.journal.key("seal").await.unwrap(), seal);
    assert_ne!(fixture.journal.key("page").await.unwrap(), seal);
    for name in ["", "../seal", "Seal", "a/b", "a.b", "\0"] {
        fixture.journal.key(name).await.unwrap_err();
    }
}

pub async fn commits_are_counted(fixture: &Fixture) {
    const SOON: Duration = Duration::from_secs(20);
    let mut commits = fixture.journal.commits();
    let foreign = fixture.journal.foreign_commits();
    let mut elsewhere = fixture
        .other_process
        .as_ref()
        .map(|other_process| other_process.foreign_commits());
    fixture.opened().await;
    timeout(SOON, commits.changed()).await.unwrap().unwrap();
    if let Some(elsewhere) = &mut elsewhere {
        timeout(SOON, elsewhere.changed()).await.unwrap().unwrap();
    }
    assert!(!foreign.has_changed().unwrap(), "it was our own commit");
}
