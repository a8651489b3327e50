//! Who is let in.

use super::stand::*;
use axum::{body::Body, http::Request};
use holdpoint::{Ask, journal::SqliteJournal};
use serde_json::{Value, json};
use std::sync::Arc;

#[tokio::test]
async fn reading_needs_the_key_and_the_right_host_and_origin() {
    let stand = Stand::new().await;
    let token = ("x-holdpoint-token", stand.token.as_str());
    let host = ("host", HOST);
    let number = stand.browser.number.as_str();
    let wrong = format!("{number}.{}", "0".repeat(64));
    let check = async |headers: &[(&str, &str)], status: u16, code: &str| {
        let mut request = Request::get("/api/asks");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = stand.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(response.status().as_u16(), status, "{headers:?}");
        let body = json_of(response).await;
        assert_eq!(
            body["error"]["code"].as_str().unwrap_or(""),
            code,
            "{headers:?}"
        );
    };
    check(&[host, token], 200, "").await;
    check(&[("host", "localhost:4653"), token], 200, "").await;
    check(&[("host", "[::1]:4653"), token], 200, "").await;
    check(&[host, token, ("origin", "http://127.0.0.1:4653")], 200, "").await;
    check(&[host, token, ("sec-fetch-site", "same-origin")], 200, "").await;

    check(&[host], 401, "no_key").await;
    for wrong in [&wrong, number, &stand.browser.key, &stand.key, ""] {
        check(&[host, ("x-holdpoint-token", wrong)], 401, "no_key").await;
    }
    check(&[host, token, token], 401, "no_key").await;
    // A cookie would be sent to every port of this host: none counts.
    let cookie = format!("holdpoint_4653={}", stand.token);
    check(&[host, ("cookie", &cookie)], 401, "no_key").await;

    check(&[token], 403, "wrong_host").await;
    check(&[("host", "evil.example"), token], 403, "wrong_host").await;
    check(&[("host", "evil.example:4653"), token], 403, "wrong_host").await;
    check(&[("host", "127.0.0.1"), token], 403, "wrong_host").await;
    check(&[("host", "127.0.0.1:9999"), token], 403, "wrong_host").await;
    check(
        &[("host", "127.0.0.1:4653.evil.example"), token],
        403,
        "wrong_host",
    )
    .await;
    check(
        &[("host", "127.0.0.1@evil.example:4653"), token],
        403,
        "wrong_host",
    )
    .await;
    check(&[host, host, token], 403, "wrong_host").await;

    check(
        &[host, token, ("origin", "https://evil.example")],
        403,
        "wrong_origin",
    )
    .await;
    check(&[host, token, ("origin", "null")], 403, "wrong_origin").await;
    check(
        &[host, token, ("origin", "https://127.0.0.1:4653")],
        403,
        "wrong_origin",
    )
    .await;
    check(
        &[host, token, ("origin", "http://localhost:4653")],
        403,
        "wrong_origin",
    )
    .await;
    // Another server on another port of this host has no use for it.
    check(
        &[host, token, ("origin", "http://127.0.0.1:9999")],
        403,
        "wrong_origin",
    )
    .await;
    check(
        &[host, token, ("sec-fetch-site", "same-site")],
        403,
        "wrong_origin",
    )
    .await;
    check(
        &[host, token, ("sec-fetch-site", "cross-site")],
        403,
        "wrong_origin",
    )
    .await;
}

#[tokio::test]
async fn answering_needs_the_token() {
    let stand = Stand::new().await;
    let ask = stand.open(Ask::confirm("Go on?")).await;
    let body = json!({ "askId": ask, "action": "accept", "content": { "confirmed": true } });
    let host = ("host", HOST);
    let token = ("x-holdpoint-token", stand.token.as_str());
    let json_type = ("content-type", "application/json");
    let check = async |path: &str, headers: &[(&str, &str)], status: u16, code: &str| {
        let mut request = Request::post(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Body::from(body.to_string())).unwrap();
        let response = stand.send(request).await;
        assert_eq!(response.status().as_u16(), status, "{path} {headers:?}");
        let answer = json_of(response).await;
        assert_eq!(
            answer["error"]["code"].as_str().unwrap_or(""),
            code,
            "{path} {headers:?}"
        );
    };
    let extend = format!("/api/asks/{ask}/extend");
    let files = format!("/api/asks/{ask}/files/x");
    let paths = [
        "/api/elicitation/respond",
        "/api/elicitation/respond-many",
        &extend,
        &files,
    ];
    let key = ("x-holdpoint-token", stand.key.as_str());
    for path in paths {
        check(path, &[host, json_type], 401, "no_key").await;
        check(path, &[host, json_type, key], 401, "no_key").await;
        check(path, &[host, json_type, token, token], 401, "no_key").await;
        let elsewhere = ("origin", "http://127.0.0.1:9999");
        check(
            path,
            &[host, json_type, token, elsewhere],
            403,
            "wrong_origin",
        )
        .await;
        check(
            path,
            &[("host", "evil.example:4653"), json_type, token],
            403,
            "wrong_host",
        )
        .await;
    }
    let respond = paths[0];
    let form = ("content-type", "application/x-www-form-urlencoded");
    check(respond, &[host, form, token], 415, "not_json").await;
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
    check(respond, &[host, json_type, token], 200, "").await;
}

#[tokio::test(start_paused = true)]
async fn a_wrong_key_waits_longer_each_time() {
    let stand = Stand::new().await;
    let open = async |key: &str| {
        let request = post("/api/session").header("host", HOST);
        let request = request.body(json!({ "key": key }).to_string().into());
        let started = tokio::time::Instant::now();
        let status = stand.send(request.unwrap()).await.status().as_u16();
        (status, started.elapsed().as_millis())
    };
    let mut waited = Vec::new();
    for _ in 0..8 {
        let (status, millis) = open("wrong").await;
        assert_eq!(status, 401);
        waited.push(millis);
    }
    assert_eq!(waited, [250, 500, 1000, 2000, 4000, 8000, 8000, 8000]);
    let fresh = stand.keys.opening_key().unwrap();
    assert_eq!(open(&fresh).await, (200, 0), "a person gets in at once");
    assert_eq!(open("wrong").await, (401, 250));
    let tries = futures::future::join_all((0..12).map(|_| open("wrong"))).await;
    let refused = tries.iter().filter(|(status, _)| *status == 429).count();
    assert_eq!(refused, 8, "{tries:?}");
}

#[tokio::test(start_paused = true)]
async fn the_key_in_the_address_is_for_one_use() {
    let stand = Stand::new().await;
    let open = async |key: &str| {
        let request = post("/api/session").header("host", HOST);
        let request = request.body(json!({ "key": key }).to_string().into());
        let started = tokio::time::Instant::now();
        let answer = stand.send(request.unwrap()).await;
        let status = answer.status().as_u16();
        assert!(!answer.headers().contains_key("set-cookie"));
        assert_eq!(started.elapsed().as_millis(), 0, "no guess, no penalty");
        (status, json_of(answer).await)
    };
    let (status, said) = open(&stand.key).await;
    assert_eq!((status, &said["error"]["code"]), (401, &json!("used_key")));
    let words = said["error"]["message"].as_str().unwrap();
    assert!(words.contains("holdpoint inbox --web"), "{words}");
    // The browser that used it stays in, and each further key lets one more in.
    stand.get("/api/asks").await;
    let next = stand.keys.opening_key().unwrap();
    assert_eq!(open(&next).await.0, 200);
    assert_eq!(open(&next).await.0, 401);
}

#[tokio::test]
async fn the_page_holds_nothing_and_every_answer_is_guarded() {
    let stand = Stand::new().await;
    let ask = stand.open(Ask::confirm("A secret plan")).await;
    for path in [
        "/",
        "/history",
        "/stats",
        &format!("/ask/{ask}"),
        "/assets/app.js",
        "/assets/none",
        "/api/health",
        "/api/none",
        "/none",
    ] {
        let request = Request::get(path).header("host", HOST);
        // A link in another program's window leads here: the page opens, and holds nothing.
        let request = request.header("sec-fetch-site", "cross-site");
        let request = if path.starts_with("/api/") {
            Request::get(path)
                .header("host", HOST)
                .header("x-holdpoint-token", &stand.token)
        } else {
            request
        };
        let response = stand.send(request.body(Body::empty()).unwrap()).await;
        let headers = response.headers().clone();
        let policy = headers["content-security-policy"].to_str().unwrap();
        assert!(
            policy.contains("default-src 'none'") && !policy.contains("unsafe"),
            "{policy}"
        );
        assert_eq!(headers["x-content-type-options"], "nosniff", "{path}");
        assert_eq!(headers["referrer-policy"], "no-referrer", "{path}");
        // What holds nothing of the record may be kept, and is asked for again each time.
        let is_file = !path.starts_with("/api/") && response.status() == 200;
        let kept = if is_file {
            "private, no-cache"
        } else {
            "no-store"
        };
        assert_eq!(headers["cache-control"], kept, "{path}");
        assert_eq!(headers["holdpoint-api"], "1", "{path}");
        let body = json_of(response).await.to_string();
        for secret in ["secret plan", &stand.key, &stand.token] {
            assert!(!body.contains(secret), "{path}");
        }
    }
}

#[tokio::test]
async fn beyond_this_machine() {
    let check = async |address: &str, tls: bool, host: &str, status: u16| {
        let stand = Stand::over(Arc::new(SqliteJournal::in_memory().unwrap()), address, tls).await;
        let request = Request::get("/api/asks")
            .header("host", host)
            .header("x-holdpoint-token", &stand.token);
        let origin = format!("{}://{host}", if tls { "https" } else { "http" });
        let request = request.header("origin", origin).body(Body::empty());
        let response = stand.send(request.unwrap()).await;
        assert_eq!(response.status().as_u16(), status, "{address} {tls} {host}");
    };
    check("0.0.0.0:4653", false, "192.168.1.5:4653", 200).await;
    check("0.0.0.0:4653", false, "desk.local:4653", 403).await;
    check("0.0.0.0:4653", false, "192.168.1.5:80", 403).await;
    check("0.0.0.0:4653", true, "desk.local:4653", 200).await;
    check("0.0.0.0:443", true, "desk.local", 200).await;
}

/// Says what the page says of itself to this challenge.
async fn health(stand: &Stand, challenge: &str) -> Value {
    stand
        .get(&format!("/api/health?challenge={challenge}"))
        .await
}

#[tokio::test]
async fn health_proves_whose_page_it_is_and_says_nothing_else() {
    let stand = Stand::new().await;
    let said = health(&stand, "one").await;
    assert_eq!(said["holdpoint"], env!("CARGO_PKG_VERSION"));
    assert_eq!(said["proof"].as_str().unwrap().len(), 64);
    assert_eq!(said.as_object().unwrap().len(), 3);
    // An answer that was given once proves nothing to the next who asks.
    assert_ne!(health(&stand, "two").await["proof"], said["proof"]);
    let other = Stand::new().await;
    assert_ne!(health(&other, "one").await["proof"], said["proof"]);
    let moved = Stand::over(stand.journal.clone(), "127.0.0.1:4654", false).await;
    let asked = Request::get("/api/health?challenge=one").header("host", "127.0.0.1:4654");
    let elsewhere = moved.send(asked.body(Body::empty()).unwrap()).await;
    assert_ne!(json_of(elsewhere).await["proof"], said["proof"]);
    assert_eq!(stand.get("/api/health").await["proof"], Value::Null);
    let long = "0".repeat(129);
    assert_eq!(health(&stand, &long).await["proof"], Value::Null);
}

#[tokio::test]
async fn what_was_good_while_the_page_was_served_is_refused_at_the_next_hosting() {
    let stand = Stand::new().await;
    let ask = stand.open(Ask::confirm("Go on?")).await;
    stand.get("/api/asks").await;
    let next = Stand::over(stand.journal.clone(), HOST, false).await;
    let replayed = async |request: axum::http::request::Builder, body: Body| {
        let request = request
            .header("host", HOST)
            .header("x-holdpoint-token", &stand.token);
        next.send(request.body(body).unwrap())
            .await
            .status()
            .as_u16()
    };
    let body = json!({ "askId": ask, "action": "accept", "content": { "confirmed": true }, "presence": held() });
    let body = Body::from(body.to_string());
    assert_eq!(replayed(post("/api/elicitation/respond"), body).await, 401);
    assert_eq!(
        replayed(Request::get("/api/asks"), Body::empty()).await,
        401
    );
    let record = stand.journal.ask(ask).await.unwrap().unwrap();
    assert!(record.decision.is_none());
    // The browser itself goes on: it makes a token for the hosting that is there now.
    let hosting = next.get("/api/health").await["hosting"].take();
    assert_ne!(hosting, stand.get("/api/health").await["hosting"]);
    let request = Request::get("/api/asks").header("host", HOST).header(
        "x-holdpoint-token",
        stand.browser.token(hosting.as_str().unwrap()),
    );
    let answer = next.send(request.body(Body::empty()).unwrap()).await;
    assert_eq!(answer.status(), 200);
}

#[tokio::test]
async fn nothing_is_given_to_be_run_in_the_background() {
    let stand = Stand::new().await;
    let request = Request::get("/assets/app.js")
        .header("host", HOST)
        .header("service-worker", "script");
    let answer = stand.send(request.body(Body::empty()).unwrap()).await;
    assert_eq!(answer.status(), 403);
    let policy = answer.headers()["content-security-policy"]
        .to_str()
        .unwrap();
    assert!(policy.contains("worker-src 'none'"), "{policy}");
}
