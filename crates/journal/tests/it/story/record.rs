//! The record itself: events, batches, keys.

use crate::stage::{Stage, ask_of, at, call, decided, yes};
use holdpoint_ask::{Ask, CallId};
use holdpoint_journal::{EventKind, JournalError, Write};
use serde_json::json;
use std::sync::Arc;

#[tokio::test]
async fn events_tell_what_happened_in_order() {
    for stage in Stage::each() {
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
}

#[tokio::test]
async fn a_batch_that_faults_leaves_nothing() {
    for stage in Stage::each() {
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
        for fault in [
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
                fault.clone(),
            ];
            // Others that were queued at the same time are not taken down with it.
            let (good, fine) = (stage.opened(), stage.opened());
            let (_, error, _) = tokio::join!(good, stage.journal.commit(batch), fine);
            let Err(JournalError::Write(what)) = error else {
                panic!("{}: {fault:?} gave {error:?}", stage.name)
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
}

#[tokio::test]
async fn of_many_queued_batches_only_the_faulty_ones_fail() {
    for stage in Stage::each() {
        let (taken, _) = stage.opened().await;
        let queued: Vec<_> = (0..100)
            .map(|count| {
                let mut call = (*call(stage.journal.owner())).clone();
                let faulty = count % 7 == 3;
                if faulty {
                    call.id = taken;
                }
                let ask = ask_of(None, Ask::confirm("Go?"));
                let batch = vec![Write::OpenAsk(ask.clone()), Write::OpenCall(Arc::new(call))];
                (faulty, ask.id, stage.journal.commit(batch))
            })
            .collect();
        for (faulty, ask, commit) in queued {
            assert_eq!(commit.await.is_err(), faulty, "{}", stage.name);
            assert_eq!(stage.journal.ask(ask).await.unwrap().is_none(), faulty);
        }
        stage.check_sound().await;
    }
}

#[tokio::test]
async fn a_dropped_commit_is_still_made() {
    for stage in Stage::each() {
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
}

#[tokio::test]
async fn a_key_stays_the_same() {
    for stage in Stage::each() {
        let seal = stage.journal.key("seal").await.unwrap();
        assert_eq!(stage.journal.key("seal").await.unwrap(), seal);
        assert_ne!(stage.journal.key("page").await.unwrap(), seal);
        for name in ["", "../seal", "Seal", "a/b", "a.b", "\0"] {
            stage.journal.key(name).await.unwrap_err();
        }
    }
}
