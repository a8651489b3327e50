//! Who is let in.

use super::stand::*;
use axum::{body::Body, http::Request};
use holdpoint::{Ask, journal::SqliteJournal};
use serde_json::{Value, json};
use std::sync::Arc;

#[tokio::test]
async fn reading_needs_the_key_and_the_right_host_and_origin() {
    let stand = Stand::new().await;
    let cookie = ("cookie", stand.cookie.as_str());
    let host = ("host", HOST);
    let name = stand.cookie.split_once('=').unwrap().0;
    let wrong = format!("{name}={}", "0".repeat(64));
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
    check(&[host, cookie], 200, "").await;
    check(&[("host", "localhost:4653"), cookie], 200, "").await;
    check(&[("host", "[::1]:4653"), cookie], 200, "").await;
    check(
        &[host, cookie, ("origin", "http://127.0.0.1:4653")],
        200,
        "",
    )
    .await;
    check(&[host, cookie, ("sec-fetch-site", "same-origin")], 200, "").await;
    check(
        &[host, ("cookie", &format!("a=b; {}", stand.cookie))],
        200,
        "",
    )
    .await;

    check(&[host], 401, "no_key").await;
    check(&[host, ("cookie", &wrong)], 401, "no_key").await;
    check(
        &[host, ("cookie", &stand.cookie.replace("4653", "80"))],
        401,
        "no_key",
    )
    .await;
    check(&[host, ("x-holdpoint-token", &stand.token)], 401, "no_key").await;

    check(&[cookie], 403, "wrong_host").await;
    check(&[("host", "evil.example"), cookie], 403, "wrong_host").await;
    check(&[("host", "evil.example:4653"), cookie], 403, "wrong_host").await;
    check(&[("host", "127.0.0.1"), cookie], 403, "wrong_host").await;
    check(&[("host", "127.0.0.1:9999"), cookie], 403, "wrong_host").await;
    check(
        &[("host", "127.0.0.1:4653.evil.example"), cookie],
        403,
        "wrong_host",
    )
    .await;
    check(
        &[("host", "127.0.0.1@evil.example:4653"), cookie],
        403,
        "wrong_host",
    )
    .await;
    check(&[host, host, cookie], 403, "wrong_host").await;

    check(
        &[host, cookie, ("origin", "https://evil.example")],
        403,
        "wrong_origin",
    )
    .await;
    check(&[host, cookie, ("origin", "null")], 403, "wrong_origin").await;
    check(
        &[host, cookie, ("origin", "https://127.0.0.1:4653")],
        403,
        "wrong_origin",
    )
    .await;
    check(
        &[host, cookie, ("origin", "http://localhost:4653")],
        403,
        "wrong_origin",
    )
    .await;
    // Another server on another port of this host gets the cookie, and is no use for it.
    check(
        &[host, cookie, ("origin", "http://127.0.0.1:9999")],
        403,
        "wrong_origin",
    )
    .await;
    check(
        &[host, cookie, ("sec-fetch-site", "same-site")],
        403,
        "wrong_origin",
    )
    .await;
    check(
        &[host, cookie, ("sec-fetch-site", "cross-site")],
        403,
        "wrong_origin",
    )
    .await;
}

#[tokio::test]
async fn answering_needs_the_token_too() {
    let stand = Stand::new().await;
    let ask = stand.open(Ask::confirm("Go on?")).await;
    let body = json!({ "askId": ask, "action": "accept", "content": { "confirmed": true } });
    let host = ("host", HOST);
    let cookie = ("cookie", stand.cookie.as_str());
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
    let value = stand.cookie.split_once('=').unwrap().1;
    for path in paths {
        check(path, &[host, json_type], 401, "no_key").await;
        check(path, &[host, json_type, token], 401, "no_key").await;
        check(path, &[host, json_type, cookie], 403, "no_token").await;
        check(path, &[host, json_type, cookie, key], 403, "no_token").await;
        check(
            path,
            &[host, json_type, cookie, ("x-holdpoint-token", value)],
            403,
            "no_token",
        )
        .await;
        check(
            path,
            &[host, json_type, cookie, token, token],
            403,
            "no_token",
        )
        .await;
        let elsewhere = ("origin", "http://127.0.0.1:9999");
        check(
            path,
            &[host, json_type, cookie, token, elsewhere],
            403,
            "wrong_origin",
        )
        .await;
        check(
            path,
            &[("host", "evil.example:4653"), json_type, cookie, token],
            403,
            "wrong_host",
        )
        .await;
    }
    let respond = paths[0];
    let form = ("content-type", "application/x-www-form-urlencoded");
    check(respond, &[host, form, cookie, token], 415, "not_json").await;
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
    check(respond, &[host, json_type, cookie, token], 200, "").await;
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
        assert_eq!(answer.headers().contains_key("set-cookie"), status == 200);
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
                .header("cookie", &stand.cookie)
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
        assert_eq!(headers["cache-control"], "no-store", "{path}");
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
            .header("cookie", &stand.cookie);
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

#[tokio::test]
async fn health_names_the_journal_and_nothing_else() {
    let stand = Stand::new().await;
    let health: Value = stand.get("/api/health").await;
    assert_eq!(health["holdpoint"], env!("CARGO_PKG_VERSION"));
    assert_eq!(health["journal"].as_str().unwrap().len(), 64);
    assert_eq!(health.as_object().unwrap().len(), 2);
    let other = Stand::new().await;
    assert_ne!(other.get("/api/health").await["journal"], health["journal"]);
}
