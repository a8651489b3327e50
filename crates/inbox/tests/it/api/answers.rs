//! Answering: one, several, late, wrong.

use super::stand::*;
use holdpoint::{Ask, AskId, Field, Form, Kind, Origin};
use serde_json::{Value, json};

#[tokio::test]
async fn an_answer_settles_once() {
    let stand = Stand::new().await;
    let ask = stand.open(Ask::confirm("Go on?")).await;
    for wrong in [
        json!({}),
        json!({ "confirmed": "yes" }),
        json!({ "confirmed": null }),
    ] {
        let told = stand.respond(ask, "accept", wrong.clone()).await;
        assert_eq!(told["result"], "invalid", "{wrong}");
        assert_eq!(told["errors"][0]["field"], "confirmed", "{wrong}");
    }
    let told = stand
        .respond(ask, "accept", json!({ "confirmed": true }))
        .await;
    assert_eq!(told["result"], "settled", "{told}");
    assert_eq!(told["decision"]["outcome"], "accepted");
    assert_eq!(told["decision"]["answeredBy"], "ann");
    assert_eq!(told["decision"]["channel"], "inbox");
    let late = stand.respond(ask, "decline", Value::Null).await;
    assert_eq!(late["result"], "late");
    assert_eq!(late["decision"]["outcome"], "accepted");
    let view = stand.get(&format!("/api/asks/{ask}")).await;
    assert_eq!(view["decision"]["content"], json!({ "confirmed": true }));
}

#[tokio::test]
async fn a_no_is_a_no() {
    let stand = Stand::new().await;
    let check = async |body: Value, outcome: &str, reason: Value| {
        let ask = stand.open(Ask::confirm("Go on?")).await;
        let mut body = body;
        body["askId"] = json!(ask);
        body["presence"] = json!({ "shownMs": 0, "gesture": "chosen" });
        let told = stand.post("/api/elicitation/respond", body.clone()).await;
        assert_eq!(told["decision"]["outcome"], outcome, "{body}");
        assert_eq!(told["decision"]["reason"], reason, "{body}");
    };
    let no = json!({ "confirmed": false });
    check(
        json!({ "action": "accept", "content": no }),
        "declined",
        Value::Null,
    )
    .await;
    check(
        json!({ "action": "decline", "reason": "too soon" }),
        "declined",
        json!("too soon"),
    )
    .await;
    check(
        json!({ "action": "decline", "reason": "  " }),
        "declined",
        Value::Null,
    )
    .await;
    check(json!({ "action": "cancel" }), "cancelled", Value::Null).await;
}

#[tokio::test]
async fn what_is_refused() {
    let stand = Stand::new().await;
    let ask = stand.open(Ask::confirm("Go on?")).await;
    let check = async |path: &str, body: Value, status: u16, code: &str| {
        let (answered, told) = stand.try_post(path, body.clone()).await;
        assert_eq!(answered.as_u16(), status, "{body}: {told}");
        assert_eq!(told["error"]["code"], code, "{body}");
        assert!(
            told["error"]["message"]
                .as_str()
                .is_some_and(|message| message.ends_with('.')),
            "{told}"
        );
    };
    let respond = "/api/elicitation/respond";
    check(
        respond,
        json!({ "askId": AskId::new(), "action": "accept" }),
        404,
        "unknown_ask",
    )
    .await;
    check(
        respond,
        json!({ "askId": "x", "action": "decline" }),
        404,
        "unknown_ask",
    )
    .await;
    check(
        respond,
        json!({ "askId": ask, "action": "approve" }),
        400,
        "bad_request",
    )
    .await;
    check(respond, json!({ "askId": ask }), 400, "bad_request").await;
    check(respond, json!([]), 400, "bad_request").await;
    let long = "x".repeat(5_000);
    check(
        respond,
        json!({ "askId": ask, "action": "decline", "reason": long }),
        400,
        "bad_request",
    )
    .await;
    let huge = "x".repeat(300 * 1024);
    check(
        respond,
        json!({ "askId": ask, "action": "accept", "content": { "confirmed": huge } }),
        413,
        "too_large",
    )
    .await;
    let extend = format!("/api/asks/{ask}/extend");
    for minutes in [json!(0), json!(-5), json!(1_000_000), json!("5")] {
        check(&extend, json!({ "minutes": minutes }), 400, "bad_request").await;
    }
    assert!(
        stand
            .journal
            .ask(ask)
            .await
            .unwrap()
            .unwrap()
            .decision
            .is_none()
    );
    stand.respond(ask, "cancel", Value::Null).await;
    check(&extend, json!({ "minutes": 5 }), 409, "ended").await;
}

#[tokio::test]
async fn more_time() {
    let stand = Stand::new().await;
    let ask = stand.open(Ask::confirm("Go on?")).await;
    let before = stand
        .journal
        .ask(ask)
        .await
        .unwrap()
        .unwrap()
        .deadline_at
        .unwrap();
    let told = stand
        .post(&format!("/api/asks/{ask}/extend"), json!({ "minutes": 15 }))
        .await;
    let after = stand
        .journal
        .ask(ask)
        .await
        .unwrap()
        .unwrap()
        .deadline_at
        .unwrap();
    assert_eq!((after - before).get_seconds(), 15 * 60);
    assert_eq!(told["deadlineAt"], json!(after));
}

#[tokio::test]
async fn several_at_once_only_of_one_agent_and_where_they_are_alike() {
    let stand = Stand::new().await;
    let many = "/api/elicitation/respond-many";
    let yes = json!({ "confirmed": true });
    let first = stand.open(Ask::confirm("Delete file 1?")).await;
    let second = stand.open(Ask::confirm("Delete file 2?")).await;
    let dangerous = stand.open(Ask::confirm("Delete file 3?").dangerous()).await;
    let other_tool = stand
        .open_of("request_plan_approval", Ask::confirm("Delete file 4?"))
        .await;
    let other_form = stand.open(Ask::choose("Delete file 5?", ["a", "b"])).await;
    let other_text = stand.open(Ask::confirm("Keep file 1?")).await;
    let long = Ask::confirm("Delete file 1?").details("x ".repeat(300));
    let long = stand.open(long).await;
    let own = || origin("elicit_confirm");
    let other_agents = [
        Origin {
            server: Some("shop-mcp".into()),
            ..own()
        },
        Origin {
            server: None,
            ..own()
        },
        Origin {
            principal: "other".into(),
            ..own()
        },
        Origin {
            client: Some("other 1.0".into()),
            ..own()
        },
        Origin {
            client: None,
            ..own()
        },
        Origin {
            workspace: Some("/elsewhere".into()),
            ..own()
        },
    ];
    let secret = Form::new().field(Field::new("token", Kind::Secret));
    let secret = stand.open(Ask::new("Delete file 6?", secret)).await;
    let check = async |asks: &[AskId], status: u16, code: &str| {
        let body =
            json!({ "askIds": asks, "action": "accept", "content": yes, "presence": held() });
        let (answered, told) = stand.try_post(many, body).await;
        assert_eq!(answered.as_u16(), status, "{told}");
        assert_eq!(told["error"]["code"], code);
    };
    check(&[first, dangerous], 409, "not_alike").await;
    check(&[dangerous], 409, "not_alike").await;
    check(&[first, other_tool], 409, "not_alike").await;
    check(&[first, other_form], 409, "not_alike").await;
    check(&[first, other_text], 409, "not_alike").await;
    check(&[long], 409, "not_alike").await;
    for origin in other_agents {
        let other = open_from(
            stand.journal.as_ref(),
            origin,
            Ask::confirm("Delete file 2?"),
        )
        .await;
        check(&[first, other], 409, "not_alike").await;
        stand.respond(other, "cancel", Value::Null).await;
    }
    check(&[secret], 409, "not_alike").await;
    check(&[first, first], 400, "bad_request").await;
    check(&[], 400, "bad_request").await;
    check(&[first, AskId::new()], 404, "unknown_ask").await;

    let body = json!({ "askIds": [first, second], "action": "accept", "content": {} });
    let told = stand.post(many, body).await;
    assert_eq!(told["results"][1]["result"], "invalid", "{told}");
    assert_eq!(
        stand.get("/api/asks").await["open"],
        8,
        "nothing was decided so far"
    );

    let body = json!({ "askIds": [first, second], "action": "accept", "content": yes, "presence": held() });
    let told = stand.post(many, body).await;
    for (at, ask) in [first, second].iter().enumerate() {
        assert_eq!(told["results"][at]["askId"], json!(ask));
        assert_eq!(told["results"][at]["decision"]["outcome"], "accepted");
    }
    assert_eq!(stand.get("/api/asks").await["open"], 6);
}

#[tokio::test]
async fn a_body_that_is_no_reply_answers_nothing() {
    let stand = Stand::new().await;
    let ask = stand.open(Ask::confirm("Go on?")).await;
    for body in [
        r#"["ID","accept",{"confirmed":true}]"#,
        r#"{"askId":"ID","action":{"accept":null},"content":{"confirmed":true}}"#,
        r#"{"askId":"ID","action":["accept"],"content":{"confirmed":true}}"#,
        r#"{"askId":"ID","action":"decline","action":"accept","content":{"confirmed":true}}"#,
        r#"{"askId":"ID","action":"accept","content":{"confirmed":false,"confirmed":true}}"#,
        r#"{"askId":"ID","action":"accept","content":[["confirmed",true]]}"#,
        r#"{"askId":"ID","askId":"ID","action":"accept","content":{"confirmed":true}}"#,
        "null",
    ] {
        let body = body.replace("ID", &ask.to_string());
        let path = "/api/elicitation/respond";
        let (status, told) = stand.try_post_text(path, body.clone()).await;
        assert_eq!(status, 400, "{body}: {told}");
        let view = stand.get(&format!("/api/asks/{ask}")).await;
        assert_eq!(view["decision"], Value::Null, "{body}");
    }
}
