//! Files that a person gives.

use super::stand::*;
use axum::{body::Body, http::Request};
use holdpoint::{Ask, AskId, Field, Form, Kind, field::File, journal};
use serde_json::{Value, json};

async fn upload(stand: &Stand, ask: AskId, path: &str, bytes: Vec<u8>) -> (u16, Value) {
    let request = Request::post(format!("/api/asks/{ask}/files/{path}"))
        .header("host", HOST)
        .header("x-holdpoint-token", &stand.token)
        .body(Body::from(bytes));
    let response = stand.send(request.unwrap()).await;
    (response.status().as_u16(), json_of(response).await)
}

fn ask() -> Ask {
    let rules = File {
        max_bytes: Some(1_000),
        ..File::default()
    };
    Ask::new(
        "A file?",
        Form::new().field(Field::new("doc", Kind::File(rules))),
    )
}

#[tokio::test]
async fn a_file_is_kept_and_then_answers() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("journal.db").display());
    let stand = Stand::over(journal::open(&url).await.unwrap(), HOST, false).await;
    let ask_id = stand.open(ask()).await;
    let (status, given) = upload(
        &stand,
        ask_id,
        "doc?name=..%2F..%2Fplan.md",
        b"hello".to_vec(),
    )
    .await;
    assert_eq!(status, 200, "{given}");
    assert_eq!(given["name"], "plan.md");
    assert_eq!(given["size"], 5);
    assert_eq!(
        given["sha256"],
        "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
    );
    let path = std::path::Path::new(given["path"].as_str().unwrap());
    assert!(path.starts_with(folder.path()), "{given}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(path), 0o600);
        assert_eq!(mode(path.parent().unwrap()), 0o700);
    }
    let elsewhere = stand.open(ask()).await;
    let check = async |ask: AskId, change: &dyn Fn(&mut Value), result: &str| {
        let mut value = given.clone();
        change(&mut value);
        let told = stand.respond(ask, "accept", json!({ "doc": value })).await;
        assert_eq!(told["result"], result, "{value}: {told}");
    };
    check(
        ask_id,
        &|value| value["path"] = json!("/etc/passwd"),
        "invalid",
    )
    .await;
    check(
        ask_id,
        &|value| value["sha256"] = json!("0".repeat(64)),
        "invalid",
    )
    .await;
    check(ask_id, &|value| value["size"] = json!(6), "invalid").await;
    check(elsewhere, &|_| {}, "invalid").await;
    std::fs::write(path, "hullo").unwrap();
    check(ask_id, &|_| {}, "invalid").await;
    std::fs::write(path, "hello").unwrap();
    check(ask_id, &|_| {}, "settled").await;
}

#[tokio::test]
async fn what_is_not_kept() {
    let stand = Stand::new().await;
    let ask_id = stand.open(ask()).await;
    let check = async |ask: AskId, path: &str, bytes: usize, status: u16, code: &str| {
        let (answered, told) = upload(&stand, ask, path, vec![0; bytes]).await;
        assert_eq!(
            (answered, &told["error"]["code"]),
            (status, &json!(code)),
            "{told}"
        );
    };
    check(ask_id, "doc", 1_001, 413, "too_large").await;
    check(ask_id, "none", 1, 404, "unknown_field").await;
    check(AskId::new(), "doc", 1, 404, "unknown_ask").await;
    assert_eq!(upload(&stand, ask_id, "doc", vec![0; 1_000]).await.0, 200);
    stand.respond(ask_id, "cancel", Value::Null).await;
    check(ask_id, "doc", 1, 409, "ended").await;
}
