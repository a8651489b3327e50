//! One story of the journal, told on every kind of it.

use holdpoint_ask::{
    Ask, AskId, CallId, ChannelKind, Digest, Field, FieldError, Form, GrantId, Kind, Outcome,
};
use holdpoint_journal::{
    AskQuery, EventKind, GrantRecord, JournalError, Redeemed, Settled, StepStart, StepState,
    TakeOver, Write, Written,
};
use serde_json::{Value, json};
use stage::{Stage, answer, ask_of, at, call, decided, grant, origin, yes};
use std::sync::Arc;
use uuid::Uuid;

mod stage;

#[tokio::test]
async fn what_was_opened_reads_back() {
    for stage in Stage::each() {
        let new_call = call(stage.journal.owner());
        let first = ask_of(new_call.id, Ask::confirm("Deploy?").dangerous());
        let mut second = (*ask_of(new_call.id, Ask::choose("Where?", ["eu", "us"]))).clone();
        (second.key, second.deadline_at) = ("002".into(), None);
        let second = Arc::new(second);
        let written = stage
            .commit([
                Write::OpenCall(new_call.clone()),
                Write::OpenAsk(first.clone()),
                Write::OpenAsk(second.clone()),
            ])
            .await;
        assert_eq!(written, [Written::Done, Written::Done, Written::Done]);

        let history = stage.journal.call(new_call.id).await.unwrap().unwrap();
        assert_eq!(history.call.id, new_call.id);
        assert_eq!(history.call.origin, origin());
        assert_eq!(history.call.method, "tools/call");
        assert_eq!(history.call.arguments, new_call.arguments);
        assert_eq!(history.call.flow_version, "1");
        assert_eq!(history.call.opened_at, at(0));
        assert_eq!(history.call.owner, stage.journal.owner());
        assert_eq!((history.call.epoch, history.call.result), (1, None));
        assert_eq!(history.asks.len(), 2);
        assert_eq!(history.steps, []);

        for (new, record) in [first, second].iter().zip(history.asks) {
            assert_eq!(record.id, new.id);
            assert_eq!(record.call, Some(new_call.id));
            assert_eq!(record.key, new.key);
            assert_eq!(record.digest, new.ask.digest());
            assert_eq!(record.occurrence, 0);
            assert_eq!(record.ask, new.ask);
            assert_eq!(record.origin, origin());
            assert_eq!(record.opened_at, at(0));
            assert_eq!(record.deadline_at, new.deadline_at);
            assert_eq!((record.refusals, &record.last_errors[..]), (0, &[][..]));
            assert_eq!(record.decision, None);
            assert_eq!(stage.journal.ask(new.id).await.unwrap(), Some(record));
        }
        assert_eq!(stage.journal.ask(AskId::new()).await.unwrap(), None);
        assert_eq!(stage.journal.call(CallId::new()).await.unwrap(), None);
        stage.check_sound().await;
    }
}

#[tokio::test]
async fn the_first_decision_wins() {
    for stage in Stage::each() {
        let (_, ask) = stage.opened().await;
        let first = decided(ask, yes());
        let second = decided(ask, Outcome::Cancelled);
        let batch = [Write::Settle(first.clone()), Write::Settle(second.clone())];
        let lost = Written::Settled(Settled::Lost(Box::new(first.clone())));
        let won = Written::Settled(Settled::Won);
        assert_eq!(stage.commit(batch).await, [won, lost.clone()]);
        assert_eq!(stage.one(Write::Settle(second)).await, lost);
        let unknown = stage.one(Write::Settle(decided(AskId::new(), yes()))).await;
        assert_eq!(unknown, Written::Settled(Settled::Unknown));
        let record = stage.journal.ask(ask).await.unwrap().unwrap();
        assert_eq!(record.decision, Some(first));
        stage.check_sound().await;
    }
}

#[tokio::test]
async fn every_outcome_reads_back_as_it_was() {
    let errors = vec![FieldError {
        field: "age".into(),
        message: "Give a number.".into(),
    }];
    for stage in Stage::each() {
        for outcome in [
            yes(),
            Outcome::Declined {
                reason: Some("“no” \u{202e}".into()),
            },
            Outcome::Cancelled,
            Outcome::TimedOut,
            Outcome::Unreachable { why: "off".into() },
            Outcome::Invalid {
                errors: errors.clone(),
            },
        ] {
            let ask = stage.settled(outcome.clone()).await;
            let record = stage.journal.ask(ask).await.unwrap().unwrap();
            assert_eq!(record.decision, Some(decided(ask, outcome)));
        }
        stage.check_sound().await;
    }
}

#[tokio::test]
async fn invalid_replies_are_counted_once_each() {
    let errors = vec![FieldError {
        field: "confirmed".into(),
        message: "Say yes or no.".into(),
    }];
    for stage in Stage::each() {
        let (_, ask) = stage.opened().await;
        let refuse = |refusals| Write::Refuse {
            ask,
            refusals,
            channel: ChannelKind::Client,
            errors: errors.clone(),
            at: at(2),
        };
        assert_eq!(stage.one(refuse(0)).await, Written::Applied(true));
        assert_eq!(stage.one(refuse(0)).await, Written::Applied(false));
        assert_eq!(stage.one(refuse(1)).await, Written::Applied(true));
        let record = stage.journal.ask(ask).await.unwrap().unwrap();
        assert_eq!((record.refusals, record.last_errors), (2, errors.clone()));
        stage.one(Write::Settle(decided(ask, yes()))).await;
        assert_eq!(stage.one(refuse(2)).await, Written::Applied(false));
        stage.check_sound().await;
    }
}

#[tokio::test]
async fn an_open_ask_can_get_more_time() {
    for stage in Stage::each() {
        let (_, ask) = stage.opened().await;
        let extend = |deadline_at| Write::Extend {
            ask,
            deadline_at,
            by: "ada".into(),
            at: at(3),
        };
        for deadline in [Some(at(900)), None, Some(at(1000))] {
            assert_eq!(stage.one(extend(deadline)).await, Written::Applied(true));
            let record = stage.journal.ask(ask).await.unwrap().unwrap();
            assert_eq!(record.deadline_at, deadline);
        }
        stage
            .one(Write::Settle(decided(ask, Outcome::TimedOut)))
            .await;
        assert_eq!(stage.one(extend(None)).await, Written::Applied(false));
        stage.check_sound().await;
    }
}

#[tokio::test]
async fn a_step_runs_once() {
    for stage in Stage::each() {
        let (call, _) = stage.opened().await;
        let start = |name: &str, epoch| Write::StartStep {
            call,
            epoch,
            name: name.into(),
            occurrence: 0,
            at: at(2),
        };
        let finish = |name: &str, epoch, result| Write::FinishStep {
            call,
            epoch,
            name: name.into(),
            occurrence: 0,
            result,
            at: at(3),
        };
        let check = async |write: Write, expected: Written| {
            assert_eq!(
                stage.one(write.clone()).await,
                expected,
                "{}: {write:?}",
                stage.name
            );
        };
        let finished = |value| Written::Step(StepStart::Finished(value));
        check(start("build", 1), Written::Step(StepStart::Started)).await;
        check(start("build", 1), Written::Step(StepStart::Interrupted)).await;
        check(finish("build", 2, json!(0)), Written::Applied(false)).await;
        check(finish("other", 1, json!(0)), Written::Applied(false)).await;
        check(
            finish("build", 1, json!({"files": 5})),
            Written::Applied(true),
        )
        .await;
        check(finish("build", 1, json!("again")), Written::Applied(false)).await;
        check(start("build", 1), finished(json!({"files": 5}))).await;
        check(start("null", 1), Written::Step(StepStart::Started)).await;
        check(finish("null", 1, Value::Null), Written::Applied(true)).await;
        check(start("null", 1), finished(Value::Null)).await;
        check(start("push", 1), Written::Step(StepStart::Started)).await;

        let take = Write::TakeOver {
            call,
            epoch: 1,
            owner: stage.journal.owner(),
            at: at(4),
        };
        check(take, Written::TakeOver(TakeOver::Taken { epoch: 2 })).await;
        check(start("push", 1), Written::Step(StepStart::Lost)).await;
        check(start("push", 2), Written::Step(StepStart::Interrupted)).await;
        check(start("build", 2), finished(json!({"files": 5}))).await;
        check(finish("push", 1, json!(1)), Written::Applied(false)).await;
        check(finish("push", 2, json!(2)), Written::Applied(true)).await;

        let end = |epoch, result| Write::FinishCall {
            call,
            epoch,
            result,
            at: at(5),
        };
        check(end(1, json!("zombie")), Written::Applied(false)).await;
        check(end(2, json!({"ok": true})), Written::Applied(true)).await;
        check(end(2, json!("twice")), Written::Applied(false)).await;
        check(start("late", 2), Written::Step(StepStart::Lost)).await;

        let history = stage.journal.call(call).await.unwrap().unwrap();
        assert_eq!(history.call.epoch, 2);
        assert_eq!(history.call.result, Some(json!({"ok": true})));
        let steps: Vec<_> = history
            .steps
            .iter()
            .map(|step| (&step.name[..], &step.state))
            .collect();
        let files = StepState::Finished(json!({"files": 5}));
        let (null, two) = (
            StepState::Finished(Value::Null),
            StepState::Finished(json!(2)),
        );
        assert_eq!(steps, [("build", &files), ("null", &null), ("push", &two)]);
        stage.check_sound().await;
    }
}

#[tokio::test]
async fn a_call_changes_hands_only_when_its_owner_is_gone() {
    for stage in Stage::each() {
        let me = stage.journal.owner();
        let neighbour = match &stage.neighbour {
            Some(neighbour) => holdpoint_journal::Journal::owner(neighbour),
            None => Uuid::now_v7(),
        };
        let until = jiff::Timestamp::now() + std::time::Duration::from_secs(60);
        stage
            .one(Write::Renew {
                owner: neighbour,
                until,
            })
            .await;
        let open = async |owner| {
            let call = call(owner);
            stage.one(Write::OpenCall(call.clone())).await;
            call.id
        };
        let take = async |call, epoch| {
            let write = Write::TakeOver {
                call,
                epoch,
                owner: me,
                at: jiff::Timestamp::now(),
            };
            match stage.one(write).await {
                Written::TakeOver(taken) => taken,
                other => panic!("{other:?}"),
            }
        };
        let held = open(neighbour).await;
        let lost = open(Uuid::now_v7()).await;
        assert_eq!(take(held, 1).await, TakeOver::Held, "{}", stage.name);
        assert_eq!(take(lost, 1).await, TakeOver::Taken { epoch: 2 });
        assert_eq!(take(lost, 1).await, TakeOver::Held);
        assert_eq!(take(CallId::new(), 1).await, TakeOver::Unknown);
        assert_eq!(
            stage.journal.call(lost).await.unwrap().unwrap().call.owner,
            me
        );

        // A lease that has run out counts as gone, even where the process still stands.
        stage
            .one(Write::Renew {
                owner: neighbour,
                until: at(0),
            })
            .await;
        assert_eq!(take(held, 1).await, TakeOver::Taken { epoch: 2 });
        let end = Write::FinishCall {
            call: held,
            epoch: 2,
            result: json!([1]),
            at: at(9),
        };
        assert_eq!(stage.one(end).await, Written::Applied(true));
        assert_eq!(take(held, 2).await, TakeOver::Finished(json!([1])));
        stage.check_sound().await;
    }
}

#[tokio::test]
async fn a_grant_is_good_once_and_only_for_what_was_shown() {
    for stage in Stage::each() {
        let ask = stage.settled(yes()).await;
        let issue = async |change: fn(&mut GrantRecord)| {
            let mut grant = grant(ask);
            change(&mut grant);
            assert_eq!(
                stage.one(Write::IssueGrant(grant.clone())).await,
                Written::Done
            );
            grant
        };
        let good = issue(|_| ()).await;
        let old = issue(|grant| grant.expires_at = at(7)).await;
        assert_eq!(
            stage.journal.grant(good.id).await.unwrap(),
            Some(good.clone())
        );
        assert_eq!(stage.journal.grant(GrantId::new()).await.unwrap(), None);

        let check = async |grant: &GrantRecord, expected: Redeemed| {
            let write = Write::RedeemGrant {
                grant: grant.id,
                digest: grant.digest,
                purpose: grant.purpose.clone(),
                principal: grant.principal.clone(),
                at: at(7),
            };
            assert_eq!(
                stage.one(write).await,
                Written::Redeemed(expected),
                "{grant:?}"
            );
        };
        let other = |change: fn(&mut GrantRecord)| {
            let mut grant = good.clone();
            change(&mut grant);
            grant
        };
        check(&other(|grant| grant.id = GrantId::new()), Redeemed::Unknown).await;
        check(
            &other(|grant| grant.purpose = "rollback".into()),
            Redeemed::Unknown,
        )
        .await;
        check(
            &other(|grant| grant.principal = "bob".into()),
            Redeemed::Unknown,
        )
        .await;
        let digest = |grant: &mut GrantRecord| grant.digest = Digest::of_bytes(b"else");
        check(&other(digest), Redeemed::OtherDigest).await;
        check(&old, Redeemed::Expired).await;
        check(&good, Redeemed::Good).await;
        check(&good, Redeemed::Used).await;
        let record = stage.journal.grant(good.id).await.unwrap().unwrap();
        assert_eq!(record.redeemed_at, Some(at(7)));
        stage.check_sound().await;
    }
}

#[tokio::test]
async fn a_grant_needs_a_yes() {
    for stage in Stage::each() {
        let (_, open) = stage.opened().await;
        let declined = stage.settled(Outcome::Declined { reason: None }).await;
        for ask in [open, declined, AskId::new()] {
            let grant = grant(ask);
            let error = stage
                .journal
                .commit(vec![Write::IssueGrant(grant.clone())])
                .await;
            let Err(JournalError::Write(what)) = error else {
                panic!("{error:?}")
            };
            assert!(what.contains("no grant without a yes"), "{what}");
            assert_eq!(stage.journal.grant(grant.id).await.unwrap(), None);
        }
        // A yes that came too late grants nothing, and the batch leaves nothing.
        let late = [
            Write::Settle(decided(declined, yes())),
            Write::IssueGrant(grant(declined)),
        ];
        stage.journal.commit(late.into()).await.unwrap_err();
        // One that is in time does, within one batch.
        stage
            .commit([
                Write::Settle(decided(open, yes())),
                Write::IssueGrant(grant(open)),
            ])
            .await;
        stage.check_sound().await;
    }
}

#[tokio::test]
async fn asks_are_found_newest_first() {
    for stage in Stage::each() {
        let mut ids = Vec::new();
        for principal in ["ada", "bob", "ada", "bob", "ada"] {
            let mut ask = (*ask_of(None, Ask::confirm("Go?"))).clone();
            ask.origin.principal = principal.into();
            ids.push(ask.id);
            stage.one(Write::OpenAsk(Arc::new(ask))).await;
        }
        let (call, in_call) = stage.opened().await;
        ids.push(in_call);
        stage.one(Write::Settle(decided(ids[2], yes()))).await;

        let all = AskQuery::default;
        let ada = || Some("ada".to_owned());
        for (query, expected) in [
            (all(), vec![5, 4, 3, 2, 1, 0]),
            (
                AskQuery {
                    open: true,
                    ..all()
                },
                vec![5, 4, 3, 1, 0],
            ),
            (
                AskQuery {
                    call: Some(call),
                    ..all()
                },
                vec![5],
            ),
            (
                AskQuery {
                    call: Some(CallId::new()),
                    ..all()
                },
                vec![],
            ),
            (
                AskQuery {
                    principal: ada(),
                    ..all()
                },
                vec![5, 4, 2, 0],
            ),
            (
                AskQuery {
                    principal: ada(),
                    open: true,
                    ..all()
                },
                vec![5, 4, 0],
            ),
            (
                AskQuery {
                    limit: Some(2),
                    ..all()
                },
                vec![5, 4],
            ),
            (
                AskQuery {
                    limit: Some(2),
                    before: Some(ids[4]),
                    ..all()
                },
                vec![3, 2],
            ),
            (
                AskQuery {
                    limit: Some(9),
                    before: Some(ids[0]),
                    ..all()
                },
                vec![],
            ),
            (
                AskQuery {
                    limit: Some(0),
                    ..all()
                },
                vec![],
            ),
            (
                AskQuery {
                    open: true,
                    before: Some(ids[3]),
                    limit: Some(1),
                    ..all()
                },
                vec![1],
            ),
        ] {
            let found = stage.journal.asks(query.clone()).await.unwrap();
            let found: Vec<_> = found.iter().map(|ask| ask.id).collect();
            let expected: Vec<_> = expected
                .into_iter()
                .map(|index: usize| ids[index])
                .collect();
            assert_eq!(found, expected, "{}: {query:?}", stage.name);
        }
    }
}

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
async fn a_secret_is_never_recorded() {
    for stage in Stage::each() {
        let form = Form::string_input("user").field(Field::new("token", Kind::Secret));
        let ask = ask_of(None, Ask::new("Sign in", form.clone()));
        stage.one(Write::OpenAsk(ask.clone())).await;
        let given = answer(json!({"user": "ada", "token": "hunter2"}));
        let told = decided(ask.id, Outcome::Accepted(given.clone()));
        let error = stage
            .journal
            .commit(vec![Write::Settle(told)])
            .await
            .unwrap_err();
        assert!(error.to_string().contains("secret"), "{error}");
        assert!(!error.to_string().contains("hunter2"), "{error}");
        let record = stage.journal.ask(ask.id).await.unwrap().unwrap();
        assert_eq!(record.decision, None);
        let kept = form.redact(&given);
        let told = decided(ask.id, Outcome::Accepted(kept));
        assert_eq!(
            stage.one(Write::Settle(told)).await,
            Written::Settled(Settled::Won)
        );
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
