//! What is remembered: listed as the person saw it, searched, revoked, for people only.

use super::{events::Tab, stand::*};
use crate::permission::{harness, permission, yes};
use axum::{body::Body, http::Request};
use holdpoint_inbox::tokens::{May, Tokens};
use serde_json::{Value, json};

/// A person says yes to a command and has it remembered.
async fn give(stand: &Stand, command: &str, remember: &str) -> String {
    let ask = permission(command);
    let ask = open_from(stand.journal.as_ref(), harness(), ask).await;
    let told = stand.respond(ask, "accept", yes(remember)).await;
    assert_eq!(told["result"], "settled", "{told}");
    ask.to_string()
}

async fn list(stand: &Stand, search: &str) -> Vec<Value> {
    let listed = stand.get(&format!("/api/remembered?search={search}")).await;
    listed["remembered"].as_array().unwrap().clone()
}

#[tokio::test]
async fn what_is_remembered_is_listed_as_the_person_saw_it() {
    let stand = Stand::new().await;
    assert_eq!(
        stand.get("/api/remembered").await,
        json!({ "remembered": [], "count": 0 })
    );
    let first = give(&stand, "git push origin main", "workspace pattern").await;
    let second = give(&stand, "git push", "session exactly").await;
    give(&stand, "git push -f", "always pattern").await;
    let [everywhere, session, workspace] = list(&stand, "").await.try_into().unwrap();
    assert_eq!(everywhere["workspace"], Value::Null);
    assert_eq!(workspace["askId"], json!(first));
    assert_eq!(workspace["title"], "Run: git push origin main");
    assert_eq!(
        workspace["label"],
        "`git push` with any arguments, in this workspace, until revoked"
    );
    assert_eq!(
        workspace["description"],
        "It would have allowed lately: git push origin old"
    );
    assert_eq!(workspace["client"], "Claude Code");
    assert_eq!(workspace["workspace"], "/home/ann/shop");
    assert_eq!(workspace["session"], false);
    assert_eq!(workspace["givenBy"], "ann");
    assert_eq!(workspace["until"], Value::Null);
    assert!(workspace["givenAt"].is_string(), "{workspace}");
    assert_eq!(session["askId"], json!(second));
    assert_eq!(session["session"], true);
    assert!(session["until"].is_string(), "{session}");
}

#[tokio::test]
async fn a_yes_for_once_and_a_no_remember_nothing() {
    let stand = Stand::new().await;
    for answer in [
        json!({ "decision": "allow" }),
        json!({ "decision": "deny", "remember": "always pattern" }),
    ] {
        let ask = open_from(stand.journal.as_ref(), harness(), permission("ls")).await;
        let told = stand.respond(ask, "accept", answer).await;
        assert_eq!(told["result"], "settled", "{told}");
    }
    assert_eq!(stand.get("/api/remembered").await["count"], 0);
}

#[tokio::test]
async fn all_words_are_searched_for_and_the_count_is_of_all() {
    let stand = Stand::new().await;
    give(&stand, "git push origin main", "workspace pattern").await;
    give(&stand, "npm install", "session exactly").await;
    for (search, found) in [
        ("", 2),
        ("npm", 1),
        ("NPM+session", 1),
        ("npm+workspace", 0),
        ("claude", 2),
        ("ann", 2),
        ("shop", 2),
        ("nothing-of-this", 0),
    ] {
        assert_eq!(list(&stand, search).await.len(), found, "{search}");
        let path = format!("/api/remembered?search={search}");
        assert_eq!(stand.get(&path).await["count"], 2, "{search}");
    }
}

#[tokio::test]
async fn what_is_revoked_stands_no_more_and_is_revoked_once() {
    let stand = Stand::new().await;
    give(&stand, "git push", "always pattern").await;
    let [given] = list(&stand, "").await.try_into().unwrap();
    let path = format!("/api/remembered/{}/revoke", given["id"].as_str().unwrap());
    let told = stand.post(&path, json!({})).await;
    assert_eq!(told["revoked"], given["id"]);
    assert_eq!(stand.get("/api/remembered").await["count"], 0);
    let (status, told) = stand.try_post(&path, json!({})).await;
    assert_eq!(
        (status.as_u16(), &told["error"]["code"]),
        (409, &json!("ended"))
    );
    let ask = given["askId"].as_str().unwrap();
    for unknown in ["x", ask] {
        let path = format!("/api/remembered/{unknown}/revoke");
        assert_eq!(stand.try_post(&path, json!({})).await.0, 404, "{unknown}");
    }
}

#[tokio::test]
async fn no_program_sees_or_revokes_what_is_remembered() {
    let stand = Stand::new().await;
    give(&stand, "git push", "always pattern").await;
    let [given] = list(&stand, "").await.try_into().unwrap();
    let revoke = format!("/api/remembered/{}/revoke", given["id"].as_str().unwrap());
    let tokens = Tokens::new(stand.journal.clone());
    let token = tokens.create("phone", &[May::Answer]).await.unwrap();
    let send = async |method: &str, path: &str| {
        let request = Request::builder().method(method).uri(path);
        let request = request
            .header("host", HOST)
            .header("authorization", format!("Bearer {token}"))
            .header("content-type", "application/json");
        stand.send(request.body(Body::from("{}")).unwrap()).await
    };
    for (method, path) in [("GET", "/api/remembered"), ("POST", revoke.as_str())] {
        assert_eq!(send(method, path).await.status(), 403, "{method} {path}");
    }
    assert_eq!(stand.get("/api/remembered").await["count"], 1);
    // Nor is it told how many there are.
    let mut heard = Tab::of(send("GET", "/api/events").await);
    assert_eq!(heard.next().await.unwrap().name, "progress");
    give(&stand, "git push", "always pattern").await;
    for name in ["settled", "progress"] {
        assert_eq!(heard.next().await.unwrap().name, name);
    }
}

#[tokio::test]
async fn a_page_hears_when_something_is_remembered_and_when_it_is_revoked() {
    let stand = Stand::new().await;
    give(&stand, "git push", "always pattern").await;
    let mut tab = Tab::open(&stand, None).await;
    let counted = async |tab: &mut Tab| loop {
        let heard = tab.next().await.unwrap();
        if heard.name == "remembered" {
            return heard.data["count"].clone();
        }
    };
    assert_eq!(counted(&mut tab).await, 1);
    give(&stand, "git push -f", "workspace pattern").await;
    assert_eq!(counted(&mut tab).await, 2);
    let id = list(&stand, "").await[0]["id"].as_str().unwrap().to_owned();
    stand
        .post(&format!("/api/remembered/{id}/revoke"), json!({}))
        .await;
    assert_eq!(counted(&mut tab).await, 1);
}

#[tokio::test]
async fn what_can_be_remembered_is_marked_and_answered_on_its_own() {
    let stand = Stand::new().await;
    let ask = open_from(stand.journal.as_ref(), harness(), permission("ls")).await;
    let view = stand.get(&format!("/api/asks/{ask}")).await;
    assert_eq!(view["kind"], "permission");
    assert_eq!(view["together"], Value::Null);
    let fields = view["form"]["fields"].as_array().unwrap();
    let marked: Vec<_> = fields
        .iter()
        .filter(|field| field["remembers"] == true)
        .map(|field| &field["name"])
        .collect();
    assert_eq!(marked, ["remember"]);
}
