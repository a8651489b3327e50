//! Programs with a token: what is open to them, and what their answers are worth.

use super::stand::*;
use axum::{body::Body, http::Request};
use holdpoint::{Ask, AskId, journal};
use holdpoint_inbox::tokens::{May, Tokens};
use serde_json::{Value, json};
use tempfile::TempDir;

struct Programs {
    stand: Stand,
    tokens: Tokens,
    _folder: TempDir,
}

impl Programs {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.db");
        let journal = journal::open(&format!("sqlite:{}", path.display())).await;
        let journal = journal.unwrap();
        let tokens = Tokens::new(journal.clone());
        Self {
            stand: Stand::over(journal, HOST, false).await,
            tokens,
            _folder: folder,
        }
    }

    async fn send(&self, shown: &str, request: (&str, &str), body: Option<Value>) -> (u16, Value) {
        let (method, path) = request;
        let request = Request::builder().method(method).uri(path);
        let request = request
            .header("host", HOST)
            .header("authorization", shown)
            .header("content-type", "application/json");
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        let answer = self
            .stand
            .send(request.body(Body::from(body)).unwrap())
            .await;
        (answer.status().as_u16(), json_of(answer).await)
    }
}

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
    let phone = programs
        .tokens
        .create("phone", &[May::Answer])
        .await
        .unwrap();
    let phone = format!("Bearer {phone}");
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
    let make = async |name: &str, may: May| {
        let token = programs.tokens.create(name, &[may]).await;
        format!("Bearer {}", token.unwrap())
    };
    let phone = make("phone", May::Answer).await;
    let agent = make("agent", May::Ask).await;
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
        ("GET", "/api/first-steps"),
        ("GET", "/api/scripts"),
        ("GET", "/api/scripts/runs"),
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
