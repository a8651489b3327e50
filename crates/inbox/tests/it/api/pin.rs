//! A PIN for what is dangerous.

use super::stand::*;
use holdpoint::{Ask, Desk};
use serde_json::json;

#[tokio::test]
async fn a_dangerous_yes_needs_the_pin() {
    let stand = Stand::new().await;
    let ask = stand.open(Ask::confirm("Delete it?").dangerous()).await;
    let plain = stand.open(Ask::confirm("Go on?")).await;
    assert_eq!(stand.get("/api/asks").await["pinSet"], false);
    let desk = Desk::builder(stand.journal.clone()).build().await.unwrap();
    desk.pin().set(None, "2468").await.unwrap();
    let listed = stand.get("/api/asks").await;
    assert_eq!(listed["pinSet"], true);
    for (ask, needed) in [(ask, true), (plain, false)] {
        let view = stand.get(&format!("/api/asks/{ask}")).await;
        assert_eq!(view["pinNeeded"], needed);
    }

    let answer = async |ask, pin: serde_json::Value| {
        let content = json!({ "confirmed": true });
        let body = json!({ "askId": ask, "action": "accept", "content": content, "pin": pin, "presence": held() });
        let told = stand.post("/api/elicitation/respond", body).await;
        told["result"].as_str().unwrap().to_owned()
    };
    assert_eq!(answer(ask, json!(null)).await, "pin_needed");
    assert_eq!(answer(ask, json!("")).await, "pin_needed");
    assert_eq!(answer(ask, json!("1357")).await, "wrong_pin");
    assert_eq!(answer(plain, json!(null)).await, "settled");
    assert_eq!(answer(ask, json!("2468")).await, "settled");
}
