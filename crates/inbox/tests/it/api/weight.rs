//! How much a browser loads before the first ask is there, and that it loads it once.

use super::stand::*;
use axum::{body::Body, http::Request};
use http_body_util::BodyExt;
use std::collections::BTreeMap;

/// Compressed.
const MOST_BYTES: usize = 60 * 1024;

/// What a browser gets: the compressed bytes, and the text.
async fn load(stand: &Stand, path: &str) -> (usize, String) {
    let get = async |encoding: &str| {
        let request = Request::get(path)
            .header("host", HOST)
            .header("accept", "text/html")
            .header("accept-encoding", encoding);
        let answer = stand.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status(), 200, "{path}");
        answer.into_body().collect().await.unwrap().to_bytes()
    };
    let text = get("identity").await;
    let text = String::from_utf8(text.to_vec()).unwrap();
    (get("gzip").await.len(), text)
}

/// The addresses that follow one of these marks in a text, up to the next quote.
fn named(text: &str, marks: &[&str]) -> Vec<String> {
    let named = marks.iter().flat_map(|mark| text.split(mark).skip(1));
    let named = named.filter_map(|rest| rest.split(['"', '\'']).next());
    named.map(str::to_owned).collect()
}

#[tokio::test]
async fn the_first_load_is_light() {
    let stand = Stand::new().await;
    let mut weights = BTreeMap::new();
    let mut waiting = vec!["/".to_owned()];
    while let Some(path) = waiting.pop() {
        if weights.contains_key(&path) {
            continue;
        }
        let (bytes, text) = load(&stand, &path).await;
        let found = if path.ends_with(".js") {
            named(&text, &["from './", "import './", "import('./"])
        } else {
            named(&text, &["href=\"/assets/", "src=\"/assets/"])
        };
        waiting.extend(found.iter().map(|name| format!("/assets/{name}")));
        weights.insert(path, bytes);
    }
    // Everything is in it, in few files.
    let (_, script) = load(&stand, "/assets/app.all.js").await;
    assert!(script.contains("$$_ask = ") && script.contains("$$_diff = "));
    assert!(weights.len() <= 5, "{weights:#?}");
    let all: usize = weights.values().sum();
    assert!(all < MOST_BYTES, "{all} bytes: {weights:#?}");
}

#[tokio::test]
async fn a_file_that_has_not_changed_is_not_sent_again() {
    let stand = Stand::new().await;
    let get = async |stand: &Stand, path: &str, tag: Option<&str>| {
        let mut request = Request::get(path).header("host", HOST);
        if let Some(tag) = tag {
            request = request.header("if-none-match", tag);
        }
        stand.send(request.body(Body::empty()).unwrap()).await
    };
    let other = Stand::new().await;
    for path in ["/", "/assets/app.js", "/assets/app.all.js", "/stats"] {
        let first = get(&stand, path, None).await;
        assert_eq!(first.headers()["cache-control"], "private, no-cache");
        let tag = first.headers()["etag"].to_str().unwrap().to_owned();
        let again = get(&stand, path, Some(&tag)).await;
        assert_eq!(again.status(), 304, "{path}");
        let several = format!("\"x\", {tag}");
        assert_eq!(get(&stand, path, Some(&several)).await.status(), 304);
        assert_eq!(get(&stand, path, Some("W/\"x\"")).await.status(), 200);
        // Whoever had the port before cannot know what is good at the next hosting.
        assert_eq!(get(&other, path, Some(&tag)).await.status(), 200, "{path}");
    }
}

#[tokio::test]
async fn an_address_that_does_not_exist_is_told_as_the_asker_reads() {
    let stand = Stand::new().await;
    let get = async |path: &str, accept: &str| {
        let request = Request::get(path)
            .header("host", HOST)
            .header("x-holdpoint-token", &stand.token)
            .header("accept", accept);
        let answer = stand.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status(), 404, "{path}");
        json_of(answer).await
    };
    let page = get("/none", "text/html,*/*").await;
    assert!(page.as_str().unwrap().contains("<nav"), "{page}");
    for (path, accept) in [("/none", "*/*"), ("/api/none", "text/html")] {
        assert_eq!(get(path, accept).await["error"]["code"], "not_found");
    }
}
