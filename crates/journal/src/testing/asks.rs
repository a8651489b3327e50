//! Asks: opened, refused, extended, settled, found.

use super::fixture::{Fixture, answer, ask_of, at, call, decided, origin, yes};
use crate::{AskQuery, Settled, Write, Written};
use holdpoint_ask::{
    Ask, AskId, CallId, ChannelKind, Decision, Field, FieldError, Form, IdPart, Kind, Outcome,
    short_id,
};
use serde_json::json;
use std::sync::Arc;

pub async fn what_was_opened_reads_back(fixture: &Fixture) {
    let new_call = call(fixture.journal.owner());
    let first = ask_of(new_call.id, Ask::confirm("Deploy?").dangerous());
    let mut second = (*ask_of(new_call.id, Ask::choose("Where?", ["eu", "us"]))).clone();
    (second.key, second.deadline_at) = ("002".into(), None);
    let second = Arc::new(second);
    let written = fixture
        .commit([
            Write::OpenCall(new_call.clone()),
            Write::OpenAsk(first.clone()),
            Write::OpenAsk(second.clone()),
        ])
        .await;
    let opened = Written::Applied(true);
    assert_eq!(written, [Written::Done, opened.clone(), opened]);

    let history = fixture.journal.call(new_call.id).await.unwrap().unwrap();
    assert_eq!(history.call.id, new_call.id);
    assert_eq!(history.call.origin, origin());
    assert_eq!(history.call.method, "tools/call");
    assert_eq!(history.call.arguments, new_call.arguments);
    assert_eq!(history.call.flow_version, "1");
    assert_eq!(history.call.opened_at, at(0));
    assert_eq!(history.call.owner, fixture.journal.owner());
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
        assert_eq!(fixture.journal.ask(new.id).await.unwrap(), Some(record));
    }
    assert_eq!(fixture.journal.ask(AskId::new()).await.unwrap(), None);
    assert_eq!(fixture.journal.call(CallId::new()).await.unwrap(), None);
    fixture.check_sound().await;
}

pub async fn the_first_decision_wins(fixture: &Fixture) {
    let (_, ask) = fixture.opened().await;
    let first = decided(ask, yes());
    let second = decided(ask, Outcome::Cancelled);
    let batch = [Write::Settle(first.clone()), Write::Settle(second.clone())];
    let lost = Written::Settled(Settled::Lost(Box::new(first.clone())));
    let won = Written::Settled(Settled::Won);
    assert_eq!(fixture.commit(batch).await, [won, lost.clone()]);
    assert_eq!(fixture.one(Write::Settle(second)).await, lost);
    let unknown = fixture
        .one(Write::Settle(decided(AskId::new(), yes())))
        .await;
    assert_eq!(unknown, Written::Settled(Settled::Unknown));
    let record = fixture.journal.ask(ask).await.unwrap().unwrap();
    assert_eq!(record.decision, Some(first));
    fixture.check_sound().await;
}

pub async fn every_outcome_reads_back_as_it_was(fixture: &Fixture) {
    let errors = vec![FieldError::new("age", "Give a number.")];
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
        let ask = fixture.settled(outcome.clone()).await;
        let record = fixture.journal.ask(ask).await.unwrap().unwrap();
        assert_eq!(record.decision, Some(decided(ask, outcome)));
    }
    fixture.check_sound().await;
}

pub async fn a_client_that_an_ask_was_taken_from_ends_it_no_more(fixture: &Fixture) {
    let (_, ask) = fixture.opened().await;
    let refuse = |refusals, takes_away| Write::Refuse {
        ask,
        refusals,
        channel: ChannelKind::Client,
        errors: Vec::new(),
        takes_away,
        at: at(2),
    };
    let by = |channel| {
        let mut decision = decided(ask, yes());
        decision.channel = channel;
        Write::Settle(decision)
    };
    assert_eq!(fixture.one(refuse(0, false)).await, Written::Applied(true));
    let record = fixture.journal.ask(ask).await.unwrap().unwrap();
    assert!(!record.taken_from_client);
    assert_eq!(fixture.one(refuse(1, true)).await, Written::Applied(true));
    for takes_away in [false, true] {
        let again = fixture.one(refuse(2, takes_away)).await;
        assert_eq!(again, Written::Applied(false));
    }
    let record = fixture.journal.ask(ask).await.unwrap().unwrap();
    assert_eq!((record.refusals, record.taken_from_client), (2, true));
    for channel in [ChannelKind::Client, ChannelKind::Url] {
        let nothing = Written::Settled(Settled::TakenAway);
        assert_eq!(fixture.one(by(Some(channel))).await, nothing);
    }
    let won = Written::Settled(Settled::Won);
    assert_eq!(fixture.one(by(Some(ChannelKind::Inbox))).await, won);
    fixture.check_sound().await;
}

pub async fn an_ask_that_was_given_more_time_does_not_time_out(fixture: &Fixture) {
    let (_, ask) = fixture.opened().await;
    let time_out = |second| Write::TimeOut(Decision::new(ask, Outcome::TimedOut, at(second)));
    let extend = |deadline_at| Write::Extend {
        ask,
        deadline_at,
        by: "ada".into(),
        at: at(299),
    };
    let not_due = Written::Settled(Settled::NotDue);
    assert_eq!(fixture.one(time_out(299)).await, not_due);
    // Whoever read the deadline before that was extended, or removed, does not end it.
    for deadline in [Some(at(400)), None] {
        let batch = fixture.commit([extend(deadline), time_out(301)]).await;
        assert_eq!(batch, [Written::Applied(true), not_due.clone()]);
    }
    let batch = fixture.commit([extend(Some(at(400))), time_out(400)]).await;
    let won = Written::Settled(Settled::Won);
    assert_eq!(batch, [Written::Applied(true), won]);
    let again = fixture.one(time_out(401)).await;
    assert!(matches!(again, Written::Settled(Settled::Lost(_))));
    fixture.check_sound().await;
}

pub async fn invalid_replies_are_counted_once_each(fixture: &Fixture) {
    let errors = vec![FieldError::new("confirmed", "Say yes or no.")];
    let (_, ask) = fixture.opened().await;
    let refuse = |refusals| Write::Refuse {
        ask,
        refusals,
        channel: ChannelKind::Client,
        errors: errors.clone(),
        takes_away: false,
        at: at(2),
    };
    assert_eq!(fixture.one(refuse(0)).await, Written::Applied(true));
    assert_eq!(fixture.one(refuse(0)).await, Written::Applied(false));
    assert_eq!(fixture.one(refuse(1)).await, Written::Applied(true));
    let record = fixture.journal.ask(ask).await.unwrap().unwrap();
    assert_eq!((record.refusals, record.last_errors), (2, errors.clone()));
    fixture.one(Write::Settle(decided(ask, yes()))).await;
    assert_eq!(fixture.one(refuse(2)).await, Written::Applied(false));
    fixture.check_sound().await;
}

pub async fn a_process_that_lost_a_call_settles_nothing_of_it(fixture: &Fixture) {
    let gone = call(uuid::Uuid::now_v7());
    let ask = ask_of(gone.id, Ask::confirm("Deploy?"));
    let (call, id) = (gone.id, ask.id);
    fixture
        .commit([Write::OpenCall(gone), Write::OpenAsk(ask)])
        .await;
    let take = Write::TakeOver {
        call,
        epoch: 1,
        owner: fixture.journal.owner(),
        at: at(1),
    };
    let taken = Written::TakeOver(crate::TakeOver::Taken { epoch: 2 });
    assert_eq!(fixture.one(take).await, taken);
    let why = holdpoint_ask::Withdrawal::CallCancelled;
    let settle = |epoch, outcome| Write::SettleOwn {
        call,
        epoch,
        decision: decided(id, outcome),
    };
    for outcome in [yes(), Outcome::Withdrawn { why }] {
        let lost = fixture.one(settle(1, outcome)).await;
        assert_eq!(
            lost,
            Written::Settled(Settled::CallLost),
            "{}",
            fixture.name
        );
        let record = fixture.journal.ask(id).await.unwrap().unwrap();
        assert_eq!(record.decision, None, "{}", fixture.name);
    }
    let (_, other) = fixture.opened().await;
    let foreign = Write::SettleOwn {
        call,
        epoch: 2,
        decision: decided(other, yes()),
    };
    assert!(fixture.journal.commit(vec![foreign]).await.is_err());
    let won = fixture.one(settle(2, yes())).await;
    assert_eq!(won, Written::Settled(Settled::Won), "{}", fixture.name);
    fixture.check_sound().await;
}

pub async fn an_open_ask_can_get_more_time(fixture: &Fixture) {
    let (_, ask) = fixture.opened().await;
    let extend = |deadline_at| Write::Extend {
        ask,
        deadline_at,
        by: "ada".into(),
        at: at(3),
    };
    for deadline in [Some(at(900)), None, Some(at(1000))] {
        assert_eq!(fixture.one(extend(deadline)).await, Written::Applied(true));
        let record = fixture.journal.ask(ask).await.unwrap().unwrap();
        assert_eq!(record.deadline_at, deadline);
    }
    fixture
        .one(Write::Settle(decided(ask, Outcome::TimedOut)))
        .await;
    assert_eq!(fixture.one(extend(None)).await, Written::Applied(false));
    fixture.check_sound().await;
}

pub async fn asks_are_found_newest_first(fixture: &Fixture) {
    let mut ids = Vec::new();
    for principal in ["ada", "bob", "ada", "bob", "ada"] {
        let mut ask = (*ask_of(None, Ask::confirm("Go?"))).clone();
        ask.origin.principal = principal.into();
        ids.push(ask.id);
        fixture.one(Write::OpenAsk(Arc::new(ask))).await;
    }
    let (call, in_call) = fixture.opened().await;
    ids.push(in_call);
    fixture.one(Write::Settle(decided(ids[2], yes()))).await;

    let check = async |edit: &dyn Fn(&mut AskQuery), expected: &[usize]| {
        let mut query = AskQuery::default();
        edit(&mut query);
        let found = fixture.journal.asks(query.clone()).await.unwrap();
        let found: Vec<_> = found.iter().map(|ask| ask.id).collect();
        let expected: Vec<_> = expected.iter().map(|index| ids[*index]).collect();
        assert_eq!(found, expected, "{}: {query:?}", fixture.name);
    };
    let ada = || Some("ada".to_owned());
    check(&|_| {}, &[5, 4, 3, 2, 1, 0]).await;
    check(&|query| query.open = true, &[5, 4, 3, 1, 0]).await;
    check(&|query| query.call = Some(call), &[5]).await;
    check(&|query| query.call = Some(CallId::new()), &[]).await;
    check(&|query| query.principal = ada(), &[5, 4, 2, 0]).await;
    let of_ada = |query: &mut AskQuery| (query.principal, query.open) = (ada(), true);
    check(&of_ada, &[5, 4, 0]).await;
    check(&|query| query.limit = Some(2), &[5, 4]).await;
    let page = |open, before, limit| {
        move |query: &mut AskQuery| {
            (query.open, query.before, query.limit) = (open, Some(before), Some(limit));
        }
    };
    check(&page(false, ids[4], 2), &[3, 2]).await;
    check(&page(false, ids[0], 9), &[]).await;
    check(&|query| query.limit = Some(0), &[]).await;
    check(&page(true, ids[3], 1), &[1]).await;
    // By a part of the id: its end, its middle, its beginning, which those of a moment share.
    let part = |text: String| {
        let part: IdPart = text.parse().unwrap();
        move |query: &mut AskQuery| query.part = Some(part.clone())
    };
    let text = ids[3].to_string();
    check(&part(short_id(&ids[3])), &[3]).await;
    check(&part(text[19..].to_owned()), &[3]).await;
    check(&part(text.to_uppercase()), &[3]).await;
    check(&part(text[..4].to_owned()), &[5, 4, 3, 2, 1, 0]).await;
    check(&part(short_id(&AskId::new())), &[]).await;
    let of_open = |query: &mut AskQuery| {
        query.open = true;
        query.part = short_id(&ids[2]).parse().ok();
    };
    check(&of_open, &[]).await;
}

pub async fn a_secret_is_never_recorded(fixture: &Fixture) {
    let form = Form::string_input("user").field(Field::new("token", Kind::Secret));
    let ask = ask_of(None, Ask::new("Sign in", form.clone()));
    fixture.one(Write::OpenAsk(ask.clone())).await;
    let given = answer(json!({"user": "ada", "token": "hunter2"}));
    let decision = decided(ask.id, Outcome::Accepted(given.clone()));
    let error = fixture
        .journal
        .commit(vec![Write::Settle(decision)])
        .await
        .unwrap_err();
    assert!(error.to_string().contains("secret"), "{error}");
    assert!(!error.to_string().contains("hunter2"), "{error}");
    let record = fixture.journal.ask(ask.id).await.unwrap().unwrap();
    assert_eq!(record.decision, None);
    let redacted = form.redact(&given);
    let decision = decided(ask.id, Outcome::Accepted(redacted));
    assert_eq!(
        fixture.one(Write::Settle(decision)).await,
        Written::Settled(Settled::Won)
    );
    fixture.check_sound().await;
}
