//! Programs with a token: what is open to them, and what their answers are worth.

use super::{programs::*, stand::*};
use axum::{body::Body, http::Request};
use holdpoint::{Ask, AskId, Origin, journal::EventKind};
use holdpoint_inbox::tokens::May;
use serde_json::{Value, json};

fn yes(ask: AskId) -> Value {
    json!({
        "askId": ask, "action": "accept", "content": { "confirmed": true },
        // Whatever a program says of a person, it is not one.
        "presence": { "shownMs": 60_000, "gesture": "held" },
    })
}

const RESPOND: (&str, &str) = ("POST", "/api/elicitation/respond");

#[tokio::test]
async fn a_program_with_a_token_answers_in_its_own_name_and_nothing_dangerous() {
    let programs = Programs::new().await;
    let phone = programs.bearer("phone", &[May::Answer]).await;
    let ask = programs.stand.open(Ask::confirm("Go on?")).await;
    let dangerous = programs
        .stand
        .open(Ask::confirm("Drop it?").dangerous())
        .await;
    let (status, listed) = programs.send(&phone, ("GET", "/api/asks"), None).await;
    let rows = listed["asks"].as_array().unwrap();
    assert_eq!((status, rows.len()), (200, 2));
    assert!(rows.iter().all(|row| row["form"].is_null()), "{listed}");
    // What is asked for is read by its id.
    let one = format!("/api/asks/{ask}");
    let (status, whole) = programs.send(&phone, ("GET", &one), None).await;
    assert_eq!(status, 200);
    assert_eq!(whole["form"]["fields"][0]["name"], "confirmed", "{whole}");

    let (status, told) = programs.send(&phone, RESPOND, Some(yes(dangerous))).await;
    assert_eq!(status, 200);
    assert_ne!(told["result"], "settled", "{told}");
    let record = programs
        .stand
        .journal
        .ask(dangerous)
        .await
        .unwrap()
        .unwrap();
    assert!(record.decision.is_none(), "it stays open for a person");

    let (_, told) = programs.send(&phone, RESPOND, Some(yes(ask))).await;
    assert_eq!(told["result"], "settled", "{told}");
    let record = programs.stand.journal.ask(ask).await.unwrap().unwrap();
    let decision = serde_json::to_value(record.decision.unwrap()).unwrap();
    assert_eq!(decision["channel"], "token", "{decision}");
    assert!(decision.to_string().contains("phone"), "{decision}");
}

#[tokio::test]
async fn what_a_token_does_not_open() {
    let programs = Programs::new().await;
    let ask = programs.stand.open(Ask::confirm("Go on?")).await;
    let phone = programs.bearer("phone", &[May::Answer]).await;
    let agent = programs.bearer("agent", &[May::Ask]).await;
    let (one, events) = (
        format!("/api/asks/{ask}"),
        format!("/api/asks/{ask}/events"),
    );
    let extend = format!("/api/asks/{ask}/extend");
    let file = format!("/api/asks/{ask}/files/x");
    for (method, path) in [
        ("POST", "/api/elicitation/respond-many"),
        ("POST", extend.as_str()),
        ("POST", file.as_str()),
        ("POST", "/api/scripts/runs"),
        ("POST", "/api/session"),
        ("GET", "/api/log"),
        ("GET", "/api/stats"),
        ("GET", "/api/remembered"),
        ("GET", "/api/first-steps"),
        ("GET", "/api/scripts"),
        ("GET", "/api/scripts/runs"),
        ("POST", "/api/asks"),
        ("DELETE", one.as_str()),
        ("GET", events.as_str()),
    ] {
        let (status, said) = programs.send(&phone, (method, path), Some(yes(ask))).await;
        assert_eq!(status, 403, "{method} {path}: {said}");
    }
    for path in [RESPOND, ("GET", "/api/asks")] {
        let (status, _) = programs.send(&agent, path, Some(yes(ask))).await;
        assert_eq!(status, 403, "it may ask, not answer");
        for wrong in [
            "Bearer x",
            "Bearer",
            "Basic eDp5",
            &phone[7..],
            &phone.replace("phone", "agent"),
        ] {
            let (status, _) = programs.send(wrong, path, Some(yes(ask))).await;
            assert_eq!(status, 401, "{wrong}");
        }
    }
    // A person's token beside a bad token of a program: no one's.
    let mixed = Request::post(RESPOND.1)
        .header("host", HOST)
        .header("content-type", "application/json")
        .header("x-holdpoint-token", &programs.stand.token)
        .header("authorization", &agent)
        .body(Body::from(yes(ask).to_string()));
    let mixed = programs.stand.send(mixed.unwrap()).await;
    assert_eq!(mixed.status(), 403);
    programs.tokens.revoke("phone").await.unwrap();
    assert_eq!(programs.send(&phone, RESPOND, Some(yes(ask))).await.0, 401);
    let record = programs.stand.journal.ask(ask).await.unwrap().unwrap();
    assert!(record.decision.is_none());
}

#[tokio::test]
async fn a_token_decides_nothing_that_counts_only_in_person() {
    let programs = Programs::new().await;
    let phone = programs.bearer("phone", &[May::Answer]).await;
    let no = |ask: AskId| json!({ "askId": ask, "action": "decline", "reason": "No." });
    for ask in [
        Ask::confirm("Drop it?").dangerous(),
        Ask::confirm("May it read your keys?").in_person(),
    ] {
        let ask = programs.stand.open(ask).await;
        for answer in [yes(ask), no(ask)] {
            let (status, told) = programs.send(&phone, RESPOND, Some(answer)).await;
            assert_eq!(
                (status, &told["result"]),
                (200, &json!("not_by_program")),
                "{told}"
            );
        }
        let history = programs.stand.journal.history(ask).await.unwrap().unwrap();
        assert!(history.ask.decision.is_none(), "it stays open for a person");
        let tries = history
            .events
            .iter()
            .filter(|event| event.kind == EventKind::NotTaken);
        let tries: Vec<_> = tries.map(|event| &event.body).collect();
        assert_eq!(tries.len(), 2, "each try is on record");
        assert_eq!(
            (&tries[0]["channel"], &tries[0]["by"]),
            (&json!("token"), &json!("phone"))
        );
    }
}

/// Whoever answers what they asked themselves decides for nobody.
#[tokio::test]
async fn a_token_does_not_answer_what_it_asked() {
    let programs = Programs::new().await;
    let bot = programs.bearer("bot", &[May::Ask, May::Answer]).await;
    let phone = programs.bearer("phone", &[May::Answer]).await;
    let id = |told: &Value| -> AskId { told["askId"].as_str().unwrap().parse().unwrap() };
    let (_, own) = programs
        .send(&bot, ("POST", "/api/asks"), Some(question()))
        .await;
    // The same token over MCP is the same program.
    let mcp = Origin {
        principal: "token:bot".into(),
        ..origin("elicit_confirm")
    };
    let over_mcp = open_from(programs.stand.journal.as_ref(), mcp, Ask::confirm("Go on?")).await;
    for ask in [id(&own), over_mcp] {
        let no = json!({ "askId": ask, "action": "decline" });
        for answer in [yes(ask), no] {
            let (_, told) = programs.send(&bot, RESPOND, Some(answer)).await;
            assert_eq!(told["result"], "own_ask", "{told}");
        }
        let history = programs.stand.journal.history(ask).await.unwrap().unwrap();
        assert!(history.ask.decision.is_none());
        let tries = history
            .events
            .iter()
            .filter(|event| event.kind == EventKind::NotTaken);
        assert!(tries.clone().all(|event| event.body["why"] == "own_ask"));
        assert_eq!(tries.count(), 2, "each try is on record");
        let (_, told) = programs.send(&phone, RESPOND, Some(yes(ask))).await;
        assert_eq!(told["result"], "settled", "another's bot may: {told}");
    }
    // A name that begins alike is another program.
    let other = programs.bearer("bo", &[May::Ask]).await;
    let (_, asked) = programs
        .send(&other, ("POST", "/api/asks"), Some(question()))
        .await;
    let (_, told) = programs.send(&bot, RESPOND, Some(yes(id(&asked)))).await;
    assert_eq!(told["result"], "settled", "{told}");
}
