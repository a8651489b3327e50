//! One ask whole.

use super::fixture::{Fixture, ask_of, at, call, decided, grant, yes};
use crate::{EventKind, Write};
use holdpoint_ask::{Ask, AskId, ChannelKind};
use serde_json::json;

pub async fn what_was_asked_decided_and_done(fixture: &Fixture) {
    use EventKind::{
        AgentGone, Asked, Called, Decided, Extended, Finished, Refused, StepFinished, StepStarted,
    };
    let new_call = call(fixture.journal.owner());
    let first = ask_of(new_call.id, Ask::confirm("Deploy?"));
    let second = ask_of(new_call.id, Ask::confirm("Really?"));
    let (call, id) = (new_call.id, first.id);
    let start = |name: &str| Write::StartStep {
        call,
        epoch: 1,
        name: name.into(),
        occurrence: 0,
        label: None,
        at: at(1),
    };
    let finish = |name: &str| Write::FinishStep {
        call,
        epoch: 1,
        name: name.into(),
        occurrence: 0,
        result: json!("done"),
        label: None,
        at: at(2),
    };
    fixture
        .commit([Write::OpenCall(new_call), start("read"), finish("read")])
        .await;
    fixture.opened().await;
    fixture
        .commit([Write::OpenAsk(first), Write::OpenAsk(second.clone())])
        .await;
    let open = fixture.journal.history(id).await.unwrap().unwrap();
    let kinds =
        |events: &[crate::Event]| -> Vec<_> { events.iter().map(|event| event.kind).collect() };
    assert_eq!(
        kinds(&open.events),
        [Called, StepStarted, StepFinished, Asked]
    );
    fixture
        .commit([
            Write::Refuse {
                ask: id,
                refusals: 0,
                takes_away: false,
                channel: ChannelKind::Client,
                errors: vec![],
                at: at(3),
            },
            Write::Extend {
                ask: id,
                deadline_at: None,
                by: "ada".into(),
                at: at(3),
            },
            Write::Note {
                call: Some(call),
                ask: None,
                kind: AgentGone,
                body: json!({}),
                at: at(4),
            },
            Write::Settle(decided(id, yes())),
            Write::IssueGrant(grant(id)),
        ])
        .await;
    fixture.opened().await;
    fixture.commit([start("write"), finish("write")]).await;
    fixture
        .commit([
            Write::Settle(decided(second.id, yes())),
            Write::FinishCall {
                call,
                epoch: 1,
                result: std::sync::Arc::new(json!("ok")),
                at: at(9),
            },
        ])
        .await;
    let whole = fixture.journal.history(id).await.unwrap().unwrap();
    assert_eq!(
        kinds(&whole.events),
        [
            Called,
            StepStarted,
            StepFinished,
            Asked,
            Refused,
            Extended,
            AgentGone,
            Decided,
            StepStarted,
            StepFinished,
            Finished
        ],
        "{}",
        fixture.name
    );
    assert_eq!(whole.ask, fixture.journal.ask(id).await.unwrap().unwrap());
    assert_eq!(whole.grants.len(), 1);
    assert_eq!(whole.events[9].body["name"], "write");
    assert_eq!(fixture.journal.history(AskId::new()).await.unwrap(), None);

    let alone = ask_of(None, Ask::confirm("From a shell?"));
    fixture
        .commit([
            Write::OpenAsk(alone.clone()),
            Write::Settle(decided(alone.id, yes())),
        ])
        .await;
    let alone = fixture.journal.history(alone.id).await.unwrap().unwrap();
    assert_eq!(kinds(&alone.events), [Asked, Decided]);
}
