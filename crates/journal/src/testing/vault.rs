//! What is private: sealed secrets and values; and who may answer.

use super::fixture::{Fixture, ask_of, at, decided, yes};
use crate::{AskQuery, EventKind, Settled, Write, Written};
use holdpoint_ask::{Ask, Outcome};
use serde_json::json;

pub async fn only_the_reply_that_wins_leaves_a_parcel(fixture: &Fixture) {
    let (_, ask) = fixture.opened().await;
    let sealed = |bytes: &[u8]| Write::SettleSealed {
        decision: decided(ask, yes()),
        sealed: bytes.to_vec(),
    };
    let written = fixture.commit([sealed(b"first"), sealed(b"second")]).await;
    assert_eq!(written[0], Written::Settled(Settled::Won));
    assert!(matches!(written[1], Written::Settled(Settled::Lost(_))));
    let parcel = fixture.journal.parcel(ask).await.unwrap();
    assert_eq!(parcel.as_deref(), Some(b"first".as_slice()));
    let body = serde_json::to_string(&fixture.journal.events(0, 10).await.unwrap()[2].body);
    assert!(!body.unwrap().contains("first"), "events hold no parcel");

    fixture.commit([Write::DropParcel { ask }]).await;
    assert_eq!(fixture.journal.parcel(ask).await.unwrap(), None);
    fixture.check_sound().await;
}

pub async fn a_batch_that_fails_leaves_no_parcel(fixture: &Fixture) {
    let (taken, ask) = fixture.opened().await;
    let parcel = Write::SettleSealed {
        decision: decided(ask, yes()),
        sealed: b"secret".to_vec(),
    };
    let mut again = (*super::fixture::call(fixture.journal.owner())).clone();
    again.id = taken;
    let batch = vec![parcel, Write::OpenCall(again.into())];
    fixture.journal.commit(batch).await.unwrap_err();
    assert_eq!(fixture.journal.parcel(ask).await.unwrap(), None);
}

pub async fn an_agent_goes_and_comes_back(fixture: &Fixture) {
    let (call, ask) = fixture.opened().await;
    let note = |kind| Write::Note {
        call: Some(call),
        ask: Some(ask),
        kind,
        body: json!({}),
        at: at(1),
    };
    for (kind, gone) in [
        (EventKind::TooFast, false),
        (EventKind::AgentGone, true),
        (EventKind::AgentBack, false),
        (EventKind::AgentGone, true),
    ] {
        fixture.commit([note(kind)]).await;
        let record = fixture.journal.ask(ask).await.unwrap().unwrap();
        assert_eq!(record.agent_gone, gone, "{} {kind:?}", fixture.name);
    }
    fixture.check_sound().await;
}

pub async fn dangerous_asks_can_be_told_apart(fixture: &Fixture) {
    let tame = ask_of(None, Ask::confirm("Look?"));
    let wild = ask_of(None, Ask::confirm("Delete?").dangerous());
    let settled = ask_of(None, Ask::confirm("Drop?").dangerous());
    let declined = Outcome::Declined { reason: None };
    fixture
        .commit([
            Write::OpenAsk(tame.clone()),
            Write::OpenAsk(wild.clone()),
            Write::OpenAsk(settled.clone()),
            Write::Settle(decided(settled.id, declined)),
        ])
        .await;
    for (dangerous, wanted) in [
        (Some(true), vec![wild.id]),
        (Some(false), vec![tame.id]),
        (None, vec![wild.id, tame.id]),
    ] {
        let query = AskQuery {
            open: true,
            dangerous,
            ..AskQuery::default()
        };
        let found = fixture.journal.asks(query).await.unwrap();
        let found: Vec<_> = found.iter().map(|ask| ask.id).collect();
        assert_eq!(found, wanted, "{} {dangerous:?}", fixture.name);
    }
    fixture.check_sound().await;
}

pub async fn a_private_value_is_there_until_it_is_removed(fixture: &Fixture) {
    let journal = &fixture.journal;
    assert_eq!(journal.load("pin").await.unwrap(), None);
    journal.store("pin", None).await.unwrap();
    for what in [b"one".as_slice(), b"two"] {
        journal.store("pin", Some(what.to_vec())).await.unwrap();
        assert_eq!(journal.load("pin").await.unwrap().as_deref(), Some(what));
    }
    journal.store("pin", None).await.unwrap();
    assert_eq!(journal.load("pin").await.unwrap(), None);
}

pub async fn names_that_lead_elsewhere_are_refused(fixture: &Fixture) {
    let journal = &fixture.journal;
    for name in [
        "",
        "Pin",
        "../pin",
        "pin/",
        "/pin",
        "files/../pin",
        "files/.hidden",
        "files//x",
        "files/a\\b",
        "files/a\0",
        "files/a%",
        "files/a/b/c",
        &format!("files/{}", "x".repeat(256)),
    ] {
        journal.load(name).await.unwrap_err();
        journal.store(name, Some(Vec::new())).await.unwrap_err();
        journal.create(name, Vec::new()).await.unwrap_err();
        journal.names(name).await.unwrap_err();
        journal.file(name).await.unwrap_err();
        journal.key(name).await.unwrap_err();
    }
    journal.key("files/a").await.unwrap_err();
    assert!(journal.names("files").await.unwrap().is_empty());
}

pub async fn a_private_value_is_made_once(fixture: &Fixture) {
    let journal = &fixture.journal;
    let other = fixture.other_process.as_ref().unwrap_or(journal);
    let name = "used/001";
    let (one, two) = tokio::join!(
        journal.create(name, b"one".to_vec()),
        other.create(name, b"two".to_vec()),
    );
    let (one, two) = (one.unwrap(), two.unwrap());
    assert!(one != two, "{}: one of them made it", fixture.name);
    let made = if one { b"one" } else { b"two" };
    for journal in [journal, other] {
        assert!(!journal.create(name, b"three".to_vec()).await.unwrap());
        assert_eq!(
            journal.load(name).await.unwrap().as_deref(),
            Some(&made[..])
        );
    }
    other.store(name, None).await.unwrap();
    assert!(journal.create(name, b"four".to_vec()).await.unwrap());
}

pub async fn private_values_are_listed(fixture: &Fixture) {
    let journal = &fixture.journal;
    let other = fixture.other_process.as_ref().unwrap_or(journal);
    let large: Vec<u8> = (0..3_000_000_u32).map(|at| (at % 251) as u8).collect();
    for name in [
        "tokens/phone",
        "tokens/ci-2",
        "tokens-of/others",
        "tokens",
        "files/one/0a-Plan (2).md",
        "files/one/0b-naïve 東京.png",
        "files/two/0a",
        "people/ann@example.com",
    ] {
        journal.store(name, Some(large.clone())).await.unwrap();
    }
    for journal in [journal, other] {
        let names = async |below: &str| journal.names(below).await.unwrap();
        assert_eq!(names("tokens").await, ["tokens/ci-2", "tokens/phone"]);
        let of_one = ["files/one/0a-Plan (2).md", "files/one/0b-naïve 東京.png"];
        assert_eq!(names("files/one").await, of_one);
        assert_eq!(names("files").await, [""; 0], "{}", fixture.name);
        assert_eq!(names("people").await, ["people/ann@example.com"]);
        let stored = journal.load("files/two/0a").await.unwrap();
        assert!(stored.is_some_and(|stored| stored == large));
        let file = journal.file("files/two/0a").await.unwrap();
        assert!(file.is_none_or(|file| std::fs::read(file).unwrap() == large));
    }
    other.store("tokens/phone", None).await.unwrap();
    assert_eq!(journal.names("tokens").await.unwrap(), ["tokens/ci-2"]);
}

pub async fn guard_events_are_found_among_many_others(fixture: &Fixture) {
    let guard = |kind, count: u64| Write::Note {
        call: None,
        ask: None,
        kind,
        body: json!({ "count": count }),
        at: at(1),
    };
    fixture.opened().await;
    fixture.commit([guard(EventKind::PinSet, 1)]).await;
    fixture.opened().await;
    fixture
        .commit([
            guard(EventKind::WrongPin, 2),
            guard(EventKind::PinGiven, 3),
            guard(EventKind::AgentAnswered, 4),
        ])
        .await;
    fixture.opened().await;
    use EventKind::{AgentAnswered, Decided, PinGiven, PinSet, WrongPin};
    let all = &[PinSet, WrongPin, PinGiven, AgentAnswered, Decided];
    let found = fixture.journal.guard_events(all, 3).await.unwrap();
    let counts: Vec<_> = found.iter().map(|event| &event.body["count"]).collect();
    assert_eq!(counts, [4, 3, 2], "{}", fixture.name);
    assert_eq!(fixture.journal.guard_events(all, 9).await.unwrap().len(), 4);
    let set = fixture.journal.guard_events(&[PinSet], 9).await.unwrap();
    assert_eq!(set.len(), 1);
    fixture.check_sound().await;
}
