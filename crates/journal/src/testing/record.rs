//! The record itself: events, batches, keys.

use super::stage::{Stage, ask_of, at, call, decided, yes};
use crate::{EventKind, JournalError, Write};
use holdpoint_ask::{Ask, CallId};
use serde_json::json;
use std::{sync::Arc, time::Duration};
use tokio::time::timeout;

pub async fn events_tell_what_happened_in_order(stage: &Stage) {
    assert_eq!(stage.journal.head().await.unwrap(), 0);
    let verified = stage.journal.verify().await.unwrap();
    assert_eq!((verified.events, verified.head), (0, None));
    let (call, ask) = stage.opened().await;
    let note = Write::Note {
        call: Some(call),
        ask: Some(ask),
        kind: EventKind::AgentGone,
        body: json!({"why": "closed"}),
        at: at(1),
    };
    stage
        .commit([note, Write::Settle(decided(ask, yes()))])
        .await;
    let events = stage.journal.events(0, 10).await.unwrap();
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

    assert_eq!(stage.journal.events(1, 2).await.unwrap(), events[1..3]);
    assert_eq!(stage.journal.events(4, 2).await.unwrap(), []);
    assert_eq!(stage.journal.head().await.unwrap(), 4);
    let verified = stage.journal.verify().await.unwrap();
    assert_eq!(verified.head, Some(events[3].hash));
    stage.check_sound().await;
}

pub async fn a_batch_that_fails_leaves_nothing(stage: &Stage) {
    let (taken_call, taken_ask) = stage.opened().await;
    let before = stage.journal.head().await.unwrap();
    let again = |id| {
        let mut call = (*call(stage.journal.owner())).clone();
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
        let call = call(stage.journal.owner());
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
        let (good, fine) = (stage.opened(), stage.opened());
        let (_, error, _) = tokio::join!(good, stage.journal.commit(batch), fine);
        let Err(JournalError::Write { what, .. }) = error else {
            panic!("{}: {bad:?} gave {error:?}", stage.name)
        };
        assert!(!what.is_empty());
        assert_eq!(stage.journal.call(call.id).await.unwrap(), None);
        assert_eq!(stage.journal.ask(ask.id).await.unwrap(), None);
        let record = stage.journal.ask(taken_ask).await.unwrap().unwrap();
        assert_eq!(record.decision, None);
    }
    assert_eq!(stage.journal.head().await.unwrap(), before + 4 * 4);
    stage.check_sound().await;
}

pub async fn of_many_queued_batches_only_the_bad_ones_fail(stage: &Stage) {
    let (taken, _) = stage.opened().await;
    let queued: Vec<_> = (0..100)
        .map(|count| {
            let mut call = (*call(stage.journal.owner())).clone();
            let bad = count % 7 == 3;
            if bad {
                call.id = taken;
            }
            let ask = ask_of(None, Ask::confirm("Go?"));
            let batch = vec![Write::OpenAsk(ask.clone()), Write::OpenCall(Arc::new(call))];
            (bad, ask.id, stage.journal.commit(batch))
        })
        .collect();
    for (bad, ask, commit) in queued {
        assert_eq!(commit.await.is_err(), bad, "{}", stage.name);
        assert_eq!(stage.journal.ask(ask).await.unwrap().is_none(), bad);
    }
    stage.check_sound().await;
}

pub async fn a_dropped_commit_is_still_made(stage: &Stage) {
    let ask = ask_of(None, Ask::confirm("Go?"));
    drop(stage.journal.commit(vec![Write::OpenAsk(ask.clone())]));
    // Commits are made in the order in which they queued.
    stage.opened().await;
    assert!(
        stage.journal.ask(ask.id).await.unwrap().is_some(),
        "{}",
        stage.name
    );
}

pub async fn a_key_stays_the_same(stage: &Stage) {
    let seal = stage.journal.key("seal").await.unwrap();
    assert_eq!(stage.journal.key("seal").await.unwrap(), seal);
    assert_ne!(stage.journal.key("page").await.unwrap(), seal);
    for name in ["", "../seal", "Seal", "a/b", "a.b", "\0"] {
        stage.journal.key(name).await.unwrap_err();
    }
}

pub async fn commits_are_counted(stage: &Stage) {
    const SOON: Duration = Duration::from_secs(20);
    let mut commits = stage.journal.commits();
    let foreign = stage.journal.foreign_commits();
    let mut elsewhere = stage
        .neighbour
        .as_ref()
        .map(|neighbour| neighbour.foreign_commits());
    stage.opened().await;
    timeout(SOON, commits.changed()).await.unwrap().unwrap();
    if let Some(elsewhere) = &mut elsewhere {
        timeout(SOON, elsewhere.changed()).await.unwrap().unwrap();
    }
    assert!(!foreign.has_changed().unwrap(), "it was our own commit");
}
