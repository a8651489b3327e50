//! Who may read, and who may answer.

use super::{
    stage::Stage,
    tab::{Page, Tab},
};
use axum::{Router, http::HeaderMap, response::Html, routing::get};
use holdpoint::Ask;
use holdpoint_inbox::Browser;
use http::{Request, StatusCode};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;
use tower::ServiceExt;

#[tokio::test]
async fn without_the_key_the_page_says_what_to_do_and_shows_nothing() {
    let stage = Stage::set().await;
    let id = stage.ask(Ask::confirm("Launch the rocket?")).await;
    let tab = Tab::blank().await;
    tab.go(&stage.url(&format!("/ask/{id}"))).await;
    tab.says("#gate", "holdpoint inbox --web").await;
    let all = tab.js("return document.documentElement.outerHTML").await;
    assert!(!all.as_str().unwrap().contains("rocket"));

    // The key in the address lets the browser in, and does not stay there.
    tab.go(&stage.url_with_key(&format!("/ask/{id}"))).await;
    tab.says(".message", "Launch the rocket?").await;
    let address = tab.client.current_url().await.unwrap();
    assert_eq!(address.as_str(), stage.url(&format!("/ask/{id}")));
    let cookie = tab.js("return document.cookie").await;
    assert_eq!(cookie, json!(""), "the cookie is not for scripts");
    // It is known from then on.
    tab.go(&stage.url("/")).await;
    tab.says("#asks li", "Launch the rocket?").await;
    tab.close().await;
}

#[tokio::test]
async fn a_wrong_key_opens_nothing() {
    let stage = Stage::set().await;
    let tab = Tab::blank().await;
    tab.go(&stage.url("/#key=0000")).await;
    tab.says("#gate", "holdpoint inbox --web").await;
    let address = tab.client.current_url().await.unwrap();
    assert_eq!(address.fragment(), None);
    tab.close().await;
}

#[tokio::test]
async fn no_script_reads_the_key_of_the_browser_and_without_it_nothing_is_shown() {
    let stage = Stage::set().await;
    let id = stage.ask(Ask::confirm("Sure?")).await;
    let tab = Tab::with(&stage, id).await;
    tab.armed().await;
    let export = "window.told = undefined; const opening = indexedDB.open('holdpoint'); \
        opening.onsuccess = () => { \
          const got = opening.result.transaction('keys').objectStore('keys').get('browser'); \
          got.onsuccess = () => crypto.subtle.exportKey('raw', got.result.key) \
            .then(() => 'exported', () => 'refused').then((told) => { window.told = told; }); \
        };";
    tab.js(export).await;
    tab.until("window.told").await;
    assert_eq!(tab.js("return window.told").await, json!("refused"));
    let saved = tab.js("return JSON.stringify(localStorage)").await;
    assert!(!saved.as_str().unwrap().contains("token"), "{saved}");
    tab.js("window.told = undefined; const gone = indexedDB.deleteDatabase('holdpoint'); gone.onsuccess = () => { window.told = true; }; gone.onerror = gone.onsuccess;")
        .await;
    tab.reload().await;
    tab.says("#gate", "holdpoint inbox --web").await;
    let all = tab.js("return document.body.innerText").await;
    assert!(!all.as_str().unwrap().contains("Sure?"));
    tab.close().await;
}

#[tokio::test]
async fn a_browser_goes_on_when_the_page_is_served_anew() {
    let mut stage = Stage::set().await;
    let id = stage.ask(Ask::confirm("Sure?")).await;
    let tab = Tab::with(&stage, id).await;
    tab.see("#connection[data-state=live]").await;
    stage.serve_anew().await;
    let later = stage.ask(Ask::confirm("And now?")).await;
    tab.click(&format!("#asks li[data-id=\"{later}\"] a")).await;
    tab.says(".message", "And now?").await;
    tab.approve().await;
    stage.accepted(later).await;
    tab.close().await;
}

/// A server on another port of the same host: it is sent nothing, and may try all it likes.
#[tokio::test]
async fn another_port_of_the_same_host_answers_nothing() {
    let stage = Stage::set().await;
    let id = stage.ask(Ask::confirm("Sure?")).await;
    let stolen = Arc::new(Mutex::new(String::new()));
    let thief = stolen.clone();
    let page = move |headers: HeaderMap| async move {
        let cookie = headers
            .get("cookie")
            .and_then(|cookie| cookie.to_str().ok());
        *thief.lock().unwrap() = cookie.unwrap_or_default().to_owned();
        Html("<!doctype html><title>Other</title>")
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let other = format!("http://{}/", listener.local_addr().unwrap());
    let server = axum::serve(listener, Router::new().route("/", get(page)));
    tokio::spawn(server.into_future());

    let tab = Tab::at(&stage, "/").await;
    tab.client.goto(&other).await.unwrap();
    let target = stage.url("/api/elicitation/respond");
    let answer = json!({ "askId": id, "action": "accept", "content": { "confirmed": true } });
    for kind in ["application/json", "text/plain"] {
        for mode in ["cors", "no-cors"] {
            tab.js(&format!(
                "window.told = undefined; \
                 fetch({target}, {{ method: 'POST', mode: '{mode}', credentials: 'include', headers: {{ 'content-type': '{kind}' }}, body: {body} }}) \
                 .then((it) => {{ window.told = `${{it.type}} ${{it.status}}`; }}, () => {{ window.told = 'refused'; }})",
                target = json!(target),
                body = json!(answer.to_string())
            ))
            .await;
            tab.until("window.told").await;
            let told = tab.js("return window.told").await;
            assert!(told == "refused" || told == "opaque 0", "{told}");
        }
    }
    let read = format!(
        "window.told = undefined; fetch({}, {{ credentials: 'include' }}).then((it) => it.text()).then((it) => {{ window.told = it; }}, () => {{ window.told = 'refused'; }})",
        json!(stage.url("/api/asks"))
    );
    tab.js(&read).await;
    tab.until("window.told").await;
    assert_eq!(tab.js("return window.told").await, json!("refused"));
    assert_eq!(*stolen.lock().unwrap(), "", "no cookie");
    assert!(stage.now(id).await.is_none());
    tab.close().await;
}

#[tokio::test]
async fn hosts_and_origins_that_are_not_the_page_are_refused() {
    let stage = Stage::set().await;
    let id = stage.ask(Ask::confirm("Sure?")).await;
    let own = stage.site.address.to_string();
    let port = stage.site.address.port();
    let (_, opened) = send(
        &stage,
        "POST",
        "/api/session",
        &[],
        &json!({ "key": stage.page.keys().opening_key().unwrap() }),
    )
    .await;
    let text = |name: &str| opened[name].as_str().unwrap().to_owned();
    let browser = Browser {
        number: text("browser"),
        key: text("key"),
    };
    let (_, health) = send(&stage, "GET", "/api/health", &[], &json!({})).await;
    let token = browser.token(health["hosting"].as_str().unwrap());
    // The page has shown it for a while.
    send(
        &stage,
        "GET",
        &format!("/api/asks/{id}"),
        &[("x-holdpoint-token", token.as_str())],
        &json!({}),
    )
    .await;
    tokio::time::sleep(stage.desk.settings().reading_time(false)).await;
    let presence = json!({ "shownMs": 5_000, "gesture": "chosen" });
    let answer = json!({
        "askId": id, "action": "accept", "content": { "confirmed": true }, "presence": presence,
    });
    let check = async |changed: &[(&str, &str)], status: StatusCode, expected: &str| {
        let mut headers = vec![("x-holdpoint-token", token.as_str())];
        headers.retain(|(name, _)| !changed.iter().any(|(changed, _)| changed == name));
        headers.extend(changed.iter().filter(|(_, value)| !value.is_empty()));
        let told = send(
            &stage,
            "POST",
            "/api/elicitation/respond",
            &headers,
            &answer,
        )
        .await;
        assert_eq!((told.0, code(&told.1)), (status, expected), "{changed:?}");
    };
    let refused = StatusCode::FORBIDDEN;
    let rebound = format!("evil.example:{port}");
    check(&[("host", &rebound)], refused, "wrong_host").await;
    check(&[("host", "127.0.0.1:1")], refused, "wrong_host").await;
    check(&[("host", "127.0.0.1.evil.example")], refused, "wrong_host").await;
    let neighbour = "http://127.0.0.1:1";
    check(&[("origin", neighbour)], refused, "wrong_origin").await;
    check(&[("origin", "null")], refused, "wrong_origin").await;
    check(
        &[("origin", &format!("https://{own}"))],
        refused,
        "wrong_origin",
    )
    .await;
    check(&[("sec-fetch-site", "same-site")], refused, "wrong_origin").await;
    check(&[("sec-fetch-site", "cross-site")], refused, "wrong_origin").await;
    let unknown = StatusCode::UNAUTHORIZED;
    check(&[("x-holdpoint-token", "")], unknown, "no_key").await;
    check(&[("x-holdpoint-token", &browser.key)], unknown, "no_key").await;
    assert!(stage.now(id).await.is_none());
    // And with everything right it counts: the refusals above are not for another reason.
    check(&[("origin", &format!("http://{own}"))], StatusCode::OK, "").await;
    assert!(stage.now(id).await.is_some());
}

/// Sends a request as a program would.
async fn send(
    stage: &Stage,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &Value,
) -> (StatusCode, Value) {
    let mut request = Request::builder()
        .method(method)
        .uri(path)
        .header("content-type", "application/json");
    if !headers.iter().any(|(name, _)| *name == "host") {
        request = request.header("host", stage.site.address.to_string());
    }
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request
        .body(axum::body::Body::from(body.to_string()))
        .unwrap();
    let response = stage.router.clone().oneshot(request).await.unwrap();
    let status = response.status();
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    let told = serde_json::from_slice(&bytes).unwrap_or_default();
    (status, told)
}

fn code(told: &Value) -> &str {
    told["error"]["code"].as_str().unwrap_or_default()
}
