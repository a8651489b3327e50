//! A yes needs a person's presence, and the page is believed no further than is possible.

use super::stand::*;
use holdpoint::{Ask, AskId, Gesture, journal::EventKind};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use std::time::Duration;

const RESPOND: &str = "/api/elicitation/respond";
const MANY: &str = "/api/elicitation/respond-many";

fn yes(ask: AskId, presence: Value) -> Value {
    let content = json!({ "confirmed": true });
    json!({ "askId": ask, "action": "accept", "content": content, "presence": presence })
}

#[tokio::test]
async fn a_reply_without_presence_is_refused_with_a_clear_message() {
    let stand = Stand::new().await;
    let ask = stand.open(Ask::confirm("Go on?")).await;
    let mut without = yes(ask, Value::Null);
    without.as_object_mut().unwrap().remove("presence");
    let no = json!({ "askId": ask, "action": "decline" });
    for body in [yes(ask, Value::Null), without, no] {
        let told = stand.post(RESPOND, body.clone()).await;
        assert_eq!(told["result"], "no_presence", "{body}: {told}");
        let message = told["message"].as_str().unwrap();
        assert!(message.starts_with("Nothing was decided:"), "{message}");
    }
    let many = json!({ "askIds": [ask], "action": "accept", "content": { "confirmed": true } });
    let told = stand.post(MANY, many).await;
    assert_eq!(told["results"][0]["result"], "no_presence", "{told}");
    assert_eq!(stand.get("/api/asks").await["open"], 1);
}

#[tokio::test]
async fn a_no_on_the_page_is_taken_however_fast() {
    let stand = Stand::reading(Duration::from_secs(60)).await;
    let presence = json!({ "shownMs": 0, "gesture": "chosen" });
    for ask in [Ask::confirm("Go on?"), Ask::confirm("Drop it?").dangerous()] {
        for no in [
            json!({ "action": "decline" }),
            json!({ "action": "accept", "content": { "confirmed": false } }),
        ] {
            let mut no = no;
            no["askId"] = json!(stand.open(ask.clone()).await);
            no["presence"] = presence.clone();
            let told = stand.post(RESPOND, no.clone()).await;
            assert_eq!(told["decision"]["outcome"], "declined", "{no}: {told}");
        }
    }
}

#[tokio::test]
async fn presence_of_another_shape_is_no_presence() {
    let stand = Stand::new().await;
    let ask = stand.open(Ask::confirm("Go on?")).await;
    for presence in [
        json!([5_000, "held"]),
        json!("held"),
        json!(true),
        json!({}),
        json!({ "shownMs": "5000", "gesture": "held" }),
        json!({ "shownMs": 5_000, "gesture": { "held": null } }),
        json!({ "shownMs": 5_000, "gesture": "form" }),
    ] {
        let (status, told) = stand.try_post(RESPOND, yes(ask, presence.clone())).await;
        assert_eq!(status, 400, "{presence}: {told}");
    }
    assert_eq!(stand.get("/api/asks").await["open"], 1);
}

#[tokio::test]
async fn the_page_is_believed_no_earlier_than_it_gave_the_ask() {
    let stand = Stand::reading(Duration::from_secs(60)).await;
    let hour_ago = Timestamp::now() - SignedDuration::from_hours(1);
    let ask = Ask::confirm("Go on?");
    let ask = open_at(stand.journal.as_ref(), origin("deploy"), ask, hour_ago).await;
    let hours = json!({ "shownMs": 7_200_000, "gesture": "held" });
    // It has not given it to anybody yet, and then only just now.
    let told = stand.post(RESPOND, yes(ask, hours.clone())).await;
    assert_eq!(told["result"], "too_fast", "{told}");
    stand.get("/api/asks").await;
    stand.get(&format!("/api/asks/{ask}")).await;
    let told = stand.post(RESPOND, yes(ask, hours.clone())).await;
    assert_eq!(told["result"], "too_fast", "{told}");
    let many = json!({
        "askIds": [ask], "action": "accept", "content": { "confirmed": true }, "presence": hours,
    });
    let told = stand.post(MANY, many).await;
    assert_eq!(told["results"][0]["result"], "too_fast", "{told}");
    let events = stand.journal.events(0, 100).await.unwrap();
    let fast = |kind: EventKind| kind == EventKind::TooFast;
    assert_eq!(events.iter().filter(|event| fast(event.kind)).count(), 3);
    // The record tells of it, and the page shows that.
    let odd = stand.get("/api/log/odd").await;
    let odd = odd["events"].as_array().unwrap();
    assert_eq!(odd.len(), 3);
    assert_eq!(odd[0]["ask"], json!(ask));
    assert_eq!(odd[0]["text"], "Go on?");
    let words = odd[0]["words"].as_str().unwrap();
    assert!(words.contains("too fast for a person"), "{words}");
}

#[tokio::test]
async fn one_ask_that_has_just_come_holds_up_all_that_are_answered_with_it() {
    let reading = Duration::from_millis(300);
    let stand = Stand::reading(reading).await;
    let old = stand.open(Ask::confirm("Go on?")).await;
    stand.get(&format!("/api/asks/{old}")).await;
    tokio::time::sleep(reading).await;
    let new = stand.open(Ask::confirm("Go on?")).await;
    stand.get(&format!("/api/asks/{new}")).await;
    let many = json!({
        "askIds": [old, new], "action": "accept", "content": { "confirmed": true },
        "presence": { "shownMs": 7_200_000, "gesture": "chosen" },
    });
    let told = stand.post(MANY, many).await;
    for result in told["results"].as_array().unwrap() {
        assert_eq!(result["result"], "too_fast", "{told}");
    }
    let record = stand.journal.ask(old).await.unwrap().unwrap();
    assert!(record.decision.is_none());
}

#[tokio::test]
async fn what_looks_odd_is_read_on_beyond_the_first_hundred() {
    let stand = Stand::reading(Duration::from_secs(60)).await;
    let first = stand.open(Ask::confirm("The first?")).await;
    let other = stand.open(Ask::confirm("Again and again?")).await;
    let at_once = json!({ "shownMs": 0, "gesture": "chosen" });
    stand.post(RESPOND, yes(first, at_once.clone())).await;
    for _ in 0..100 {
        stand.post(RESPOND, yes(other, at_once.clone())).await;
    }
    let page = stand.get("/api/log/odd").await;
    assert_eq!(page["events"].as_array().unwrap().len(), 100);
    let rest = format!("/api/log/odd?before={}", page["next"]);
    let next = stand.get(&rest).await;
    assert_eq!(next["events"].as_array().unwrap().len(), 1);
    assert_eq!(next["events"][0]["ask"], json!(first));
    assert_eq!(next["next"], json!(null));
}

#[tokio::test]
async fn what_is_believed_is_on_record() {
    let stand = Stand::new().await;
    let before = Timestamp::now();
    let ask = stand.open(Ask::confirm("Drop it?").dangerous()).await;
    stand.get(&format!("/api/asks/{ask}")).await;
    let told = stand
        .post(
            RESPOND,
            yes(ask, json!({ "shownMs": u32::MAX, "gesture": "held" })),
        )
        .await;
    assert_eq!(told["result"], "settled", "{told}");
    let record = stand.journal.ask(ask).await.unwrap().unwrap();
    let presence = record.decision.unwrap().presence.unwrap();
    assert_eq!(presence.gesture, Some(Gesture::Held));
    assert!(presence.shown_at.unwrap() >= before);
    assert!(presence.shown_at.unwrap() >= record.opened_at);
}

#[tokio::test]
async fn a_dangerous_yes_is_held_or_its_own_word_is_typed() {
    let stand = Stand::new().await;
    let ask = Ask::confirm("Drop it?").dangerous().with_word("orders");
    let ask = stand.open(ask).await;
    let view = stand.get(&format!("/api/asks/{ask}")).await;
    assert_eq!(view["word"], "orders");
    for presence in [
        json!({ "shownMs": 5_000, "gesture": "chosen" }),
        json!({ "shownMs": 5_000, "gesture": "word", "word": "confirm" }),
        json!({ "shownMs": 5_000, "gesture": "word", "word": "" }),
    ] {
        let told = stand.post(RESPOND, yes(ask, presence.clone())).await;
        assert_eq!(told["result"], "not_deliberate", "{presence}");
    }
    let word = json!({ "shownMs": 5_000, "gesture": "word", "word": "orders" });
    let told = stand.post(RESPOND, yes(ask, word)).await;
    assert_eq!(told["result"], "settled", "{told}");
}

#[tokio::test]
async fn that_an_ask_was_in_view_is_on_record_once() {
    let stand = Stand::new().await;
    let ask = stand.open(Ask::confirm("Go on?")).await;
    let path = format!("/api/asks/{ask}/shown");
    let recorded = async || {
        let events = stand.journal.events(0, 100).await.unwrap();
        let shown = events
            .into_iter()
            .filter(|event| event.kind == EventKind::Shown);
        shown.map(|event| event.body).collect::<Vec<_>>()
    };
    // What was not given to a browser cannot be in view there.
    stand.post(&path, json!({})).await;
    assert_eq!(recorded().await, [Value::Null; 0]);
    stand.get(&format!("/api/asks/{ask}")).await;
    for _ in 0..3 {
        stand.post(&path, json!({})).await;
    }
    assert_eq!(
        recorded().await,
        [json!({ "channel": "inbox", "by": "ann" })]
    );
}
