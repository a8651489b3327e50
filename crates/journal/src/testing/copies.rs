//! The story of a journal that is copied into another, and back.

use super::{Fixture, ask_of, at, decided, grant, yes};
use crate::{
    AskQuery, EventKind, Journal as _, JournalEngine, JournalError, NewCall, Records as _,
    SqliteJournal, StoredEvent, TakeOver, Upkeep as _, Vault as _, Write, Written, copy,
};
use holdpoint_ask::{Ask, AskId, CallId, ChannelKind, FieldError, GrantId, Outcome};
use serde_json::{Value, json};
use std::sync::Arc;
use uuid::Uuid;

/// Everything that a row can say, in a few calls; gives what is still in use.
async fn fill(journal: &dyn JournalEngine) -> (CallId, AskId, GrantId) {
    let commit = async |batch: Vec<Write>| journal.commit(batch).await.unwrap();
    let dead = Uuid::from_bytes([7; 16]);
    let call = super::call(dead);
    let run = Arc::new(NewCall {
        id: CallId::new(),
        run: true,
        ..(*super::call(journal.owner())).clone()
    });
    let open = ask_of(call.id, Ask::confirm("Deploy?").dangerous());
    let answered = ask_of(run.id, Ask::confirm("Migrate?"));
    let alone = ask_of(None, Ask::confirm("From a shell?"));
    let given = grant(answered.id);
    let (open_id, alone_id) = (open.id, alone.id);
    let decided_at = decided(answered.id, yes());
    commit(vec![
        Write::OpenCall(call.clone()),
        Write::OpenAsk(open),
        Write::OpenCall(run.clone()),
        Write::OpenAsk(answered),
        Write::OpenAsk(alone),
        Write::Settle(decided_at),
        Write::IssueGrant(given.clone()),
        Write::RedeemGrant {
            required: true,
            grant: given.id,
            digest: given.digest,
            purpose: given.purpose.clone(),
            principal: given.principal.clone(),
            at: at(7),
        },
    ])
    .await;
    let taken = Write::TakeOver {
        call: call.id,
        epoch: 1,
        owner: journal.owner(),
        at: at(8),
    };
    assert_eq!(
        commit(vec![taken]).await,
        [Written::TakeOver(TakeOver::Taken { epoch: 2 })]
    );
    let step = |call, epoch, name: &str| Write::StartStep {
        call,
        epoch,
        name: name.into(),
        occurrence: 0,
        label: Some("what it does".into()),
        at: at(9),
    };
    commit(vec![
        step(call.id, 2, "interrupted"),
        step(run.id, 1, "state"),
        Write::FinishStep {
            call: run.id,
            epoch: 1,
            name: "state".into(),
            occurrence: 0,
            result: json!({"kept": null}),
            label: None,
            at: at(10),
        },
        Write::FinishCall {
            call: run.id,
            epoch: 1,
            result: Arc::new(Value::from("done")),
            at: at(11),
        },
        Write::Refuse {
            ask: open_id,
            refusals: 0,
            channel: ChannelKind::Client,
            errors: vec![FieldError::new("confirmed", "is missing")],
            takes_away: true,
            at: at(12),
        },
        Write::Extend {
            ask: open_id,
            deadline_at: None,
            by: "ada".into(),
            at: at(13),
        },
        Write::Note {
            call: Some(call.id),
            ask: Some(open_id),
            kind: EventKind::AgentGone,
            body: json!({}),
            at: at(14),
        },
        Write::Settle(decided(alone_id, Outcome::Declined { reason: None })),
    ])
    .await;
    (call.id, open_id, given.id)
}

/// What a reader sees of it.
async fn seen(journal: &dyn JournalEngine, call: CallId, grant: GrantId) -> Vec<String> {
    let asks = journal.asks(AskQuery::default()).await.unwrap();
    let mut seen: Vec<String> = asks.iter().map(|ask| format!("{ask:?}")).collect();
    seen.push(format!("{:?}", journal.call(call).await.unwrap()));
    seen.push(format!("{:?}", journal.grant(grant).await.unwrap()));
    let state = journal.latest_step("state", Some("studio")).await.unwrap();
    seen.push(format!("{state:?}"));
    let verified = journal.verify().await.unwrap();
    seen.push(format!("{verified:?}"));
    seen
}

async fn stored(journal: &dyn JournalEngine) -> Vec<StoredEvent> {
    journal.stored_events(0, usize::MAX).await.unwrap()
}

pub async fn a_copy_is_the_same_byte_for_byte(fixture: &Fixture) {
    let other = SqliteJournal::in_memory().unwrap();
    let (call, ask, grant) = fill(&*fixture.journal).await;
    let mut told = Vec::new();
    let copied = copy(&*fixture.journal, &other, |events| told.push(events)).await;
    let copied = copied.unwrap();
    let events = fixture.journal.head().await.unwrap();
    assert_eq!((copied.found, copied.events), (0, events));
    assert_eq!(told, [events]);
    assert_eq!(stored(&other).await, stored(&*fixture.journal).await);
    assert_eq!(
        seen(&other, call, grant).await,
        seen(&*fixture.journal, call, grant).await
    );
    // It can be gone on with there: the old owner does not live there, and one reply wins.
    let take = Write::TakeOver {
        call,
        epoch: 2,
        owner: other.owner(),
        at: at(20),
    };
    let settle = Write::Settle(decided(ask, yes()));
    let written = other.commit(vec![take, settle]).await;
    assert_eq!(
        written.unwrap()[0],
        Written::TakeOver(TakeOver::Taken { epoch: 3 })
    );
    let verified = other.verify().await.unwrap();
    assert_eq!(verified.flaws, []);
}

pub async fn a_copy_comes_back(fixture: &Fixture) {
    let other = SqliteJournal::in_memory().unwrap();
    let (call, _, grant) = fill(&other).await;
    let journal = &*fixture.journal;
    match &fixture.other_process {
        None => drop(copy(&other, journal, |_| {}).await.unwrap()),
        Some(_) => {
            let error = copy(&other, journal, |_| {}).await.unwrap_err().to_string();
            assert!(
                error.contains("another process has the journal open"),
                "{error}"
            );
            journal.import(stored(&other).await).await.unwrap();
        }
    }
    assert_eq!(stored(journal).await, stored(&other).await);
    assert_eq!(
        seen(journal, call, grant).await,
        seen(&other, call, grant).await
    );
    fixture.check_sound().await;
}

pub async fn a_copy_has_the_keys_and_what_is_private(fixture: &Fixture) {
    let journal = &*fixture.journal;
    let other = SqliteJournal::in_memory().unwrap();
    let key = journal.key("page").await.unwrap();
    assert_ne!(other.key("page").await.unwrap(), key);
    for name in ["pin", "tokens/phone", "files/one/Plan (2).md"] {
        let value = Some(name.as_bytes().to_vec());
        journal.store(name, value).await.unwrap();
    }
    assert_eq!(copy(journal, &other, |_| {}).await.unwrap().private, 4);
    assert_eq!(other.key("page").await.unwrap(), key);
    let mut names = other.value_names().await.unwrap();
    names.sort();
    assert_eq!(names, ["files/one/Plan (2).md", "pin", "tokens/phone"]);
    for name in names {
        let value = other.load(&name).await.unwrap();
        assert_eq!(value, Some(name.into_bytes()));
    }
}

pub async fn a_copy_goes_on_where_it_stopped(fixture: &Fixture) {
    let other = SqliteJournal::in_memory().unwrap();
    fill(&*fixture.journal).await;
    let events = stored(&*fixture.journal).await;
    let (first, rest) = events.split_at(5);
    other_import(&other, first).await.unwrap();
    // One that cannot be believed leaves nothing of its batch.
    let mut bad = rest.to_vec();
    bad[3].body = bad[3].body.replace(':', ": ");
    let error = other_import(&other, &bad).await.unwrap_err();
    assert!(error.to_string().contains("does not fit"), "{error}");
    // Nor does a gap.
    let error = other_import(&other, &rest[1..]).await.unwrap_err();
    assert!(error.to_string().contains("cannot follow"), "{error}");
    assert_eq!(other.head().await.unwrap(), 5);
    let copied = copy(&*fixture.journal, &other, |_| {}).await.unwrap();
    assert_eq!((copied.found, copied.events), (5, events.len() as u64 - 5));
    assert_eq!(stored(&other).await, events);
    // What happened since follows.
    fixture.opened().await;
    let copied = copy(&*fixture.journal, &other, |_| {}).await.unwrap();
    assert_eq!(copied.events, 2);
    let again = copy(&*fixture.journal, &other, |_| {}).await.unwrap();
    assert_eq!(again.events, 0);
}

pub async fn a_copy_into_another_journal_is_refused(fixture: &Fixture) {
    let other = SqliteJournal::in_memory().unwrap();
    fixture.opened().await;
    let open = Write::OpenAsk(ask_of(None, Ask::confirm("Mine?")));
    other.commit(vec![open]).await.unwrap();
    let error = copy(&*fixture.journal, &other, |_| {}).await.unwrap_err();
    let text = error.to_string();
    assert!(text.contains("are not the first"), "{text}");
    assert_eq!(other.head().await.unwrap(), 1);
}

async fn other_import(other: &SqliteJournal, events: &[StoredEvent]) -> Result<(), JournalError> {
    other.import(events.to_vec()).await
}
