//! What a person says beside an answer, and the time that they are given while they write it.

use super::stand::*;
use holdpoint::{
    Ask, AskId,
    journal::EventKind,
    review::{EditableText, MAX_EDITED},
};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

fn commit() -> Ask {
    Ask::confirm("Commit?").editable(EditableText::field(
        "message",
        "Commit message",
        "Add tests",
    ))
}

fn yes(ask: AskId, more: Value) -> Value {
    let mut body = json!({
        "askId": ask, "action": "accept", "content": { "confirmed": true }, "presence": held(),
    });
    let more = more.as_object().unwrap().clone();
    body.as_object_mut().unwrap().extend(more);
    body
}

const RESPOND: &str = "/api/elicitation/respond";

#[tokio::test]
async fn comments_and_an_edited_text_are_in_the_decision() {
    let stand = Stand::new().await;
    let ask = stand.open(commit()).await;
    let comment = json!({ "where": { "file": "a.rs", "line": 3 }, "quote": "x", "text": "Why?", "suggestion": "y" });
    let body = yes(
        ask,
        json!({ "comments": [comment], "edited": "Add more tests" }),
    );
    let told = stand.post(RESPOND, body).await;
    assert_eq!(told["result"], "settled", "{told}");
    assert_eq!(told["decision"]["comments"], json!([comment]));
    assert_eq!(told["decision"]["edited"]["text"], "Add more tests");
    assert_eq!(told["decision"]["edited"]["field"], "message");
    assert_eq!(told["decision"]["verdict"], "Approved");
}

#[tokio::test]
async fn what_is_wrong_with_a_review_decides_nothing() {
    let stand = Stand::new().await;
    let ask = stand.open(commit()).await;
    let plain = stand.open(Ask::confirm("Go on?")).await;
    let check = async |ask: AskId, more: Value, field: &str| {
        let told = stand.post(RESPOND, yes(ask, more.clone())).await;
        assert_eq!(told["result"], "invalid", "{more}");
        assert_eq!(told["errors"][0]["field"], field, "{told}");
    };
    check(ask, json!({ "edited": " " }), "edited").await;
    check(
        ask,
        json!({ "edited": "x".repeat(MAX_EDITED + 1) }),
        "edited",
    )
    .await;
    check(plain, json!({ "edited": "y" }), "edited").await;
    check(ask, json!({ "comments": [{ "text": " " }] }), "comments").await;
    let many = vec![json!({ "text": "x" }); 501];
    check(ask, json!({ "comments": many }), "comments").await;
    let hidden = json!([{ "text": "x", "where": { "file": "a\u{202e}b" } }]);
    check(ask, json!({ "comments": hidden }), "comments").await;

    let refuse = async |more: Value, status: u16, code: &str| {
        let (answered, told) = stand.try_post(RESPOND, yes(ask, more)).await;
        assert_eq!(answered.as_u16(), status, "{told}");
        assert_eq!(told["error"]["code"], code);
    };
    for hostile in [
        json!({ "comments": "x" }),
        json!({ "comments": [{}] }),
        json!({ "comments": [{ "text": 3 }] }),
        json!({ "comments": [{ "text": "x", "html": "<b>" }] }),
        json!({ "comments": [{ "text": "x", "where": { "line": -1 } }] }),
        json!({ "edited": { "text": "x" } }),
    ] {
        refuse(hostile, 400, "bad_request").await;
    }
    refuse(json!({ "edited": "x".repeat(5 << 20) }), 413, "too_large").await;
    // Only what is said beside the answer may be larger than every other request.
    let large = "x".repeat(300 * 1024);
    refuse(
        json!({ "content": { "confirmed": large } }),
        413,
        "too_large",
    )
    .await;
    for ask in [ask, plain] {
        let record = stand.journal.ask(ask).await.unwrap().unwrap();
        assert!(record.decision.is_none());
    }
    // A no approves no text, whatever was edited.
    let no = json!({ "askId": ask, "action": "decline", "edited": "x", "presence": held() });
    assert_eq!(stand.post(RESPOND, no).await["result"], "invalid");
}

#[tokio::test]
async fn an_ask_goes_on_while_somebody_is_at_it_and_no_longer_than_the_inbox_waits() {
    let stand = Stand::new().await;
    let ask = stand.open(Ask::confirm("Go on?")).await;
    let extend = format!("/api/asks/{ask}/extend");
    let told = stand.post(&extend, json!({ "active": true })).await;
    let deadline: Timestamp = told["deadlineAt"].as_str().unwrap().parse().unwrap();
    let now = Timestamp::now();
    assert!(deadline > now + SignedDuration::from_mins(9));
    assert!(deadline <= now + SignedDuration::from_mins(10));
    let history = stand.journal.history(ask).await.unwrap().unwrap();
    let extended = |kind: &EventKind| *kind == EventKind::Extended;
    let count = history.events.iter().filter(|event| extended(&event.kind));
    assert_eq!(count.count(), 1, "it is on record");

    // One that was opened almost as long ago as the inbox waits gets only the rest of that.
    let opened = Timestamp::now() - SignedDuration::from_secs(86_400 - 360);
    let old = open_at(
        stand.journal.as_ref(),
        origin("old"),
        Ask::confirm("Old?"),
        opened,
    )
    .await;
    let told = stand
        .post(
            &format!("/api/asks/{old}/extend"),
            json!({ "active": true }),
        )
        .await;
    let deadline: Timestamp = told["deadlineAt"].as_str().unwrap().parse().unwrap();
    assert_eq!(
        deadline.as_second(),
        (opened + SignedDuration::from_hours(24)).as_second()
    );

    for wrong in [
        json!({}),
        json!({ "active": false }),
        json!({ "active": "true" }),
        json!({ "active": true, "minutes": 5 }),
        json!({ "active": true, "until": "2099-01-01T00:00:00Z" }),
    ] {
        let (status, told) = stand.try_post(&extend, wrong.clone()).await;
        assert_eq!(status.as_u16(), 400, "{wrong}: {told}");
    }
    stand.respond(ask, "cancel", Value::Null).await;
    let (status, told) = stand.try_post(&extend, json!({ "active": true })).await;
    assert_eq!(status.as_u16(), 409);
    assert_eq!(told["error"]["code"], "ended");
}
