//! Several surfaces at once, and clients that answer for the person.

use crate::support::*;
use futures::future::BoxFuture;
use holdpoint::{
    AskId, Channel, ChannelKind, Clock, Delivery, DeliveryError, Desk, Holdpoint, Outcome, Reply,
    ReplyResult, Settings, Showing, Yes, journal::EventKind,
};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};
use tokio::sync::mpsc;

/// An inbox that parks everything, and tells the test what it shows.
#[derive(Debug)]
struct Inbox(mpsc::UnboundedSender<Showing>);

impl Channel for Inbox {
    fn kind(&self) -> ChannelKind {
        ChannelKind::Inbox
    }
    fn deliver(&self, showing: Showing) -> BoxFuture<'static, Result<Delivery, DeliveryError>> {
        let _ = self.0.send(showing);
        Box::pin(async { Ok(Delivery::Parked) })
    }
}

struct Served {
    desk: Desk,
    server: Holdpoint<Flows>,
    shown: mpsc::UnboundedReceiver<Showing>,
}

async fn served(settings: Settings, inbox: bool) -> Served {
    let (show, shown) = mpsc::unbounded_channel();
    let journal = holdpoint::journal::open("memory:").await.unwrap();
    let mut builder = Desk::builder(journal)
        .settings(settings)
        .clock(Clock::tokio())
        .page(|ask| format!("http://127.0.0.1:4653/asks/{ask}"));
    if inbox {
        builder = builder.channel(Arc::new(Inbox(show)));
    }
    let desk = builder.build().await.unwrap();
    let flows = Flows::default()
        .with("danger", |cx, _| async move {
            let outcome = cx.elicitor().confirm("Drop the table?").dangerous().await?;
            Ok(match outcome {
                Outcome::Accepted(Yes) => "dropped".into(),
                other => other.status().to_owned(),
            })
        })
        .with("plain", |cx, _| async move {
            let outcome = cx.elicitor().text_input("Name?", "name").await?;
            Ok(outcome.status().to_owned())
        })
        .with("await", |cx, arguments| async move {
            let ask: AskId = arguments["askId"].as_str().unwrap().parse().unwrap();
            let result = cx.await_answer(ask, Duration::from_secs(20)).await?;
            Ok(serde_json::to_string(&result).unwrap())
        });
    let server = Holdpoint::new(desk.clone(), flows).unwrap();
    Served {
        desk,
        server,
        shown,
    }
}

impl Served {
    async fn answer(&self, ask: AskId, content: Value) -> ReplyResult {
        let from = holdpoint::testing::person(ChannelKind::Inbox, Some("ann"));
        let content = content.as_object().unwrap().clone();
        let reply = Reply::Accept { content };
        self.desk.reply(ask, from, reply).await.unwrap()
    }
}

#[tokio::test(start_paused = true)]
async fn whoever_answers_first_wins_and_the_other_surface_is_cleared() {
    let mut served = served(patient(), true).await;
    let mut client = Client::legacy(served.server.clone(), form()).await;
    let call = client.call("plain").await;
    let asked = client.asked().await;
    let showing = served.shown.recv().await.unwrap();
    assert!(!showing.is_ended());
    served.answer(showing.id(), json!({ "name": "x" })).await;
    let cleared = client.next().await;
    assert_eq!(cleared["method"], "notifications/cancelled");
    assert_eq!(cleared["params"]["requestId"], asked["id"]);
    assert_eq!(text(&client.answer(call).await), "accepted");
    let decision = served.desk.journal().ask(showing.id()).await.unwrap();
    let decision = decision.unwrap().decision.unwrap();
    assert_eq!(decision.channel, Some(ChannelKind::Inbox));
    assert_eq!(decision.answered_by.as_deref(), Some("ann"));

    let call = client.call("plain").await;
    let asked = client.asked().await;
    let showing = served.shown.recv().await.unwrap();
    client
        .reply(&asked, accept(json!({ "name": "from the client" })))
        .await;
    assert_eq!(text(&client.answer(call).await), "accepted");
    let ended = showing.ended().await.unwrap();
    assert_eq!(ended.channel, Some(ChannelKind::Client));
    let late = served.answer(showing.id(), json!({ "name": "late" })).await;
    let ReplyResult::Late(decision) = late else {
        panic!("{late:?}")
    };
    assert_eq!(
        decision.answered_by.as_deref(),
        Some("mcpdo-test-client 1.0")
    );
}

#[tokio::test(start_paused = true)]
async fn a_slip_on_the_page_is_corrected_there_and_counts_as_no_try() {
    let mut served = served(patient(), true).await;
    let mut client = Client::legacy(served.server.clone(), json!({})).await;
    let call = client.call("plain").await;
    let ask = served.shown.recv().await.unwrap().id();
    for _ in 0..5 {
        let taken = served.answer(ask, json!({})).await;
        assert!(matches!(taken, ReplyResult::Invalid(_)), "{taken:?}");
    }
    served.answer(ask, json!({ "name": "x" })).await;
    assert_eq!(text(&client.answer(call).await), "accepted");
}

/// Calls `danger` with a client that answers at once; gives the result, if there is one at once.
async fn too_fast(served: &mut Served, reply: Value, modern: bool) -> (Client, u64) {
    if modern {
        let mut client = Client::modern(served.server.clone(), form());
        let call = client.call("danger").await;
        let (_, state) = round(&client.answer(call).await);
        let call = client
            .retry("danger", &state, json!({ "0001": reply }))
            .await;
        return (client, call);
    }
    let mut client = Client::legacy(served.server.clone(), form()).await;
    let call = client.call("danger").await;
    let asked = client.asked().await;
    client.reply(&asked, reply).await;
    (client, call)
}

#[tokio::test(start_paused = true)]
async fn a_reply_too_fast_for_a_person_settles_nothing_dangerous() {
    let replies = [
        accept(json!({ "confirmed": true })),
        accept(json!({ "confirmed": false })),
        json!({ "action": "decline" }),
        json!({ "action": "cancel" }),
    ];
    for (reply, modern) in replies
        .into_iter()
        .flat_map(|r| [(r.clone(), false), (r, true)])
    {
        let mut alone = served(Settings::default(), false).await;
        let (mut client, call) = too_fast(&mut alone, reply.clone(), modern).await;
        assert_eq!(text(&client.answer(call).await), "unreachable", "{reply}");

        let mut with_inbox = served(Settings::default(), true).await;
        let (mut client, call) = too_fast(&mut with_inbox, reply, modern).await;
        let ask = with_inbox.shown.recv().await.unwrap().id();
        let events = eventually("a note that it was too fast", async || {
            let events = with_inbox.desk.journal().events(0, 100).await.unwrap();
            let too_fast = events.iter().any(|event| event.kind == EventKind::TooFast);
            too_fast.then_some(events)
        })
        .await;
        assert!(!events.iter().any(|event| event.kind == EventKind::Decided));
        with_inbox.answer(ask, json!({ "confirmed": true })).await;
        assert_eq!(text(&client.answer(call).await), "dropped");
    }
}

#[tokio::test(start_paused = true)]
async fn a_clients_fast_reply_to_a_harmless_ask_is_nobodys_word() {
    let mut served = served(Settings::default(), true).await;
    let mut client = Client::legacy(served.server.clone(), form()).await;
    let replies = [
        accept(json!({ "name": "the client" })),
        json!({ "action": "decline" }),
        json!({ "action": "cancel" }),
    ];
    for reply in replies {
        let call = client.call("plain").await;
        let asked = client.asked().await;
        client.reply(&asked, reply).await;
        let ask = served.shown.recv().await.unwrap().id();
        eventually("a note that it was too fast", async || {
            let events = served.desk.journal().events(0, 100).await.unwrap();
            let mut notes = events.iter().filter(|event| event.ask == Some(ask));
            notes
                .find(|event| event.kind == EventKind::TooFast)
                .cloned()
        })
        .await;
        served.answer(ask, json!({ "name": "ann" })).await;
        assert_eq!(text(&client.answer(call).await), "accepted");
        let record = served.desk.journal().ask(ask).await.unwrap().unwrap();
        let decision = record.decision.unwrap();
        assert_eq!(decision.channel, Some(ChannelKind::Inbox));
    }
    let call = client.call("plain").await;
    let asked = client.asked().await;
    tokio::time::sleep(Duration::from_millis(401)).await;
    client.reply(&asked, accept(json!({ "name": "x" }))).await;
    assert_eq!(text(&client.answer(call).await), "accepted");
    let ask = served.shown.recv().await.unwrap().id();
    let record = served.desk.journal().ask(ask).await.unwrap().unwrap();
    let decision = record.decision.unwrap();
    assert_eq!(decision.channel, Some(ChannelKind::Client));
}

#[tokio::test(start_paused = true)]
async fn dangerous_asks_can_be_kept_from_the_client() {
    let settings = patient().dangerous_by_inbox_only(true);
    let mut served = served(settings, true).await;
    let mut client = Client::legacy(served.server.clone(), form()).await;
    let call = client.call("danger").await;
    let ask = served.shown.recv().await.unwrap().id();
    served.answer(ask, json!({ "confirmed": true })).await;
    // The very first thing that the client hears is the result.
    let answer = client.next().await;
    assert_eq!(answer["id"], call);
    assert_eq!(text(&answer), "dropped");
}

#[tokio::test(start_paused = true)]
async fn a_call_that_only_the_inbox_shows_ends_pending_and_is_awaited() {
    for modern in [false, true] {
        let mut served = served(patient(), true).await;
        let mut client = if modern {
            Client::modern(served.server.clone(), json!({}))
        } else {
            Client::legacy(served.server.clone(), json!({})).await
        };
        let call = client.call("plain").await;
        let answer = client.answer(call).await;
        let pending = &answer["result"]["structuredContent"];
        assert_eq!(pending["status"], "pending", "{answer}");
        assert_eq!(pending["proceed"], false);
        assert!(pending["retryAfterSeconds"].is_number());
        let ask = served.shown.recv().await.unwrap().id();
        assert_eq!(pending["askId"], ask.to_string());
        assert!(pending["url"].as_str().unwrap().ends_with(&ask.to_string()));

        let args = json!({ "name": "await", "arguments": { "askId": ask.to_string() } });
        let call = client.request("tools/call", args.clone()).await;
        let still = client.answer(call).await;
        assert!(text(&still).contains("pending"), "{still}");

        served.answer(ask, json!({ "name": "x" })).await;
        let call = client.request("tools/call", args).await;
        let result = client.answer(call).await;
        assert!(text(&result).contains("accepted"), "{result}");
    }
}

#[tokio::test(start_paused = true)]
async fn another_principals_ask_does_not_exist() {
    let mut served = served(patient(), true).await;
    let mut client = Client::legacy(served.server.clone(), json!({})).await;
    client.call("plain").await;
    let ask = served.shown.recv().await.unwrap().id();
    let stranger = served.server.clone().principal(|_| Some("bob".into()));
    let elsewhere = served.server.clone().workspace("/elsewhere");
    for server in [stranger, elsewhere] {
        let mut other = Client::legacy(server, json!({})).await;
        let args = json!({ "name": "await", "arguments": { "askId": ask.to_string() } });
        let call = other.request("tools/call", args).await;
        let answer = other.answer(call).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
}

#[tokio::test(start_paused = true)]
async fn more_time_is_more_time() {
    let mut served = served(patient(), true).await;
    let mut client = Client::legacy(served.server.clone(), form()).await;
    let call = client.call("plain").await;
    let asked = client.asked().await;
    let showing = served.shown.recv().await.unwrap();
    let deadline = showing.deadline_at().unwrap();
    let later = deadline + Duration::from_secs(600);
    let extended = served.desk.extend(showing.id(), Some(later), "ann").await;
    assert!(extended.unwrap());
    tokio::time::sleep(Duration::from_secs(500)).await;
    client.reply(&asked, accept(json!({ "name": "x" }))).await;
    assert_eq!(text(&client.answer(call).await), "accepted");
    let extended = served.desk.extend(showing.id(), None, "ann").await;
    assert!(!extended.unwrap(), "it has ended");
}

#[tokio::test(start_paused = true)]
async fn one_client_cannot_flood_the_person() {
    let settings = patient().max_open_asks(2);
    let mut served = served(settings, true).await;
    let mut client = Client::legacy(served.server.clone(), form()).await;
    let mut asked = Vec::new();
    for _ in 0..2 {
        client.call("plain").await;
        asked.push(client.asked().await);
        served.shown.recv().await.unwrap();
    }
    let call = client.call("plain").await;
    let answer = client.answer(call).await;
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains("2 questions"), "{message}");
    client.reply(&asked[0], json!({ "action": "cancel" })).await;
    client.answer(call - 2).await;
    client.call("plain").await;
    client.asked().await;
}
