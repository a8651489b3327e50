//! What a person gives with a yes to be remembered.

use crate::support::*;
use holdpoint::{
    Ask, AskId, ChannelKind, Clock, Desk, Field, Form, GrantError, Kind, Origin, Outcome, Replier,
    Reply, ReplyResult, Withdrawal,
    field::{Choice, Ending, Pick},
    journal::{self, EventKind},
    remember::{OfferedScope, Remember},
    testing::accept,
};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};

async fn desk() -> Desk {
    let journal = journal::open("memory:").await.unwrap();
    let builder = Desk::builder(journal).clock(Clock::tokio());
    let inbox = Arc::new(ParkedInbox::default());
    builder.channel(inbox).build().await.unwrap()
}

fn permission() -> Ask {
    let pick = |value: &str, ending: Ending| Pick {
        ending: Some(Box::new(ending)),
        ..value.into()
    };
    let decision = Choice {
        options: vec![
            pick("allow", Ending::go("Allow", "Allowed")),
            pick("deny", Ending::hold("Deny", "Denied")),
        ],
        ..Choice::default()
    };
    let remember = Choice {
        options: vec!["minutes".into(), "always".into()],
        ..Choice::default()
    };
    let form = Form::new()
        .field(Field::new("decision", Kind::Choice(decision)))
        .field(Field::new("remember", Kind::Choice(remember)).optional());
    let offered = |seconds| OfferedScope {
        scope: json!({ "tool": "Bash", "seconds": seconds }),
        seconds,
    };
    let scopes = [
        ("minutes".to_owned(), offered(Some(60))),
        ("always".to_owned(), offered(None)),
    ];
    Ask::new("Run it?", form).in_person().remember(Remember {
        field: "remember".into(),
        scopes: scopes.into(),
    })
}

async fn asked(desk: &Desk) -> AskId {
    let origin = Origin {
        principal: "local".into(),
        ..Origin::default()
    };
    desk.ask(origin, permission()).await.unwrap().id()
}

async fn reply(desk: &Desk, ask: AskId, content: Value) -> ReplyResult {
    let ada = holdpoint::testing::person(ChannelKind::Inbox, Some("ada"));
    desk.reply(ask, ada, accept(content)).await.unwrap()
}

async fn scopes(desk: &Desk) -> Vec<Value> {
    let remembered = desk.remembered().await.unwrap();
    let scopes = remembered.into_iter();
    scopes.map(|remembered| remembered.scope.scope).collect()
}

#[tokio::test(start_paused = true)]
async fn a_yes_gives_what_it_chose_until_it_ends_or_is_revoked() {
    let desk = desk().await;
    reply(&desk, asked(&desk).await, json!({ "decision": "allow" })).await;
    assert_eq!(scopes(&desk).await, Vec::<Value>::new(), "once is once");

    for remember in ["minutes", "always"] {
        let answer = json!({ "decision": "allow", "remember": remember });
        reply(&desk, asked(&desk).await, answer).await;
    }
    let [always, minutes] = scopes(&desk).await.try_into().unwrap();
    assert_eq!(
        (&always["seconds"], &minutes["seconds"]),
        (&json!(null), &json!(60))
    );

    tokio::time::advance(Duration::from_secs(61)).await;
    let [left] = desk.remembered().await.unwrap().try_into().unwrap();
    assert_eq!((left.scope.scope.clone(), left.until), (always, None));
    desk.revoke_remembered(left.id).await.unwrap();
    assert_eq!(scopes(&desk).await, Vec::<Value>::new());
    let again = desk.revoke_remembered(left.id).await;
    assert!(matches!(again, Err(GrantError::Used)), "{again:?}");
    let events = desk.journal().events(0, 1000).await.unwrap();
    let count = |kind| events.iter().filter(|event| event.kind == kind).count();
    assert_eq!(
        (count(EventKind::Granted), count(EventKind::Redeemed)),
        (2, 1)
    );
}

#[tokio::test(start_paused = true)]
async fn nothing_but_a_persons_yes_is_remembered() {
    let desk = desk().await;
    let always = |decision: &str| json!({ "decision": decision, "remember": "always" });
    reply(&desk, asked(&desk).await, always("deny")).await;
    // A program, and a client, say nothing here.
    for channel in [
        ChannelKind::Token,
        ChannelKind::Client,
        ChannelKind::Cli,
        ChannelKind::Preset,
    ] {
        let from = Replier::new(channel, Some("bot".into()), Default::default());
        let ask = asked(&desk).await;
        let said = desk
            .reply(ask, from, accept(always("allow")))
            .await
            .unwrap();
        assert!(
            matches!(said, ReplyResult::NotTaken(_)),
            "{channel:?}: {said:?}"
        );
    }
    // A second answer, in another tab, comes after another yes.
    let ask = asked(&desk).await;
    reply(&desk, ask, json!({ "decision": "allow" })).await;
    let late = reply(&desk, ask, always("allow")).await;
    assert!(matches!(late, ReplyResult::Late(_)), "{late:?}");
    assert_eq!(scopes(&desk).await, Vec::<Value>::new());
}

#[tokio::test(start_paused = true)]
async fn an_answer_in_the_harness_takes_the_ask_back_on_record() {
    let desk = desk().await;
    let ask = asked(&desk).await;
    let decision = desk
        .take_back(ask, Withdrawal::AnsweredInHarness)
        .await
        .unwrap();
    let why = Withdrawal::AnsweredInHarness;
    assert_eq!(decision.outcome, Outcome::Withdrawn { why });
    let late = reply(
        &desk,
        ask,
        json!({ "decision": "allow", "remember": "always" }),
    )
    .await;
    assert!(matches!(late, ReplyResult::Late(_)), "{late:?}");
    // What a person answered first stays.
    let ask = asked(&desk).await;
    let ada = holdpoint::testing::person(ChannelKind::Inbox, Some("ada"));
    let no = Reply::Decline { reason: None };
    desk.reply(ask, ada, no).await.unwrap();
    let decision = desk
        .take_back(ask, Withdrawal::AnsweredInHarness)
        .await
        .unwrap();
    assert_eq!(decision.outcome.status(), "declined");
}
