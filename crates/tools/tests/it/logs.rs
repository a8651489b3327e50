//! Log lines about questions, for clients that want them.

use crate::setup;
use holdpoint_testkit::{Conversation, Era, ToolStand, accept};
use serde_json::{Value, json};

async fn events(client: &mut Conversation, stand: &ToolStand) -> Vec<Value> {
    let arguments = json!({ "message": "## Deploy to production?\n\nNow." });
    let yes = accept(json!({ "confirmed": true }));
    stand
        .drive(client, "elicit_confirm", arguments, &[yes])
        .await;
    client.logs.drain(..).collect()
}

fn check(logs: &[Value]) {
    let [asked, settled] = logs else {
        panic!("not two lines: {logs:?}")
    };
    assert_eq!(asked["level"], "info");
    assert_eq!(
        asked["data"],
        json!({ "event": "asked", "question": "Deploy to production?" })
    );
    assert_eq!(settled["data"]["event"], "settled");
    assert_eq!(settled["data"]["status"], "accepted");
    assert!(settled["data"]["askId"].is_string());
}

#[tokio::test(start_paused = true)]
async fn a_legacy_client_sets_its_level_once() {
    let stand = setup().stand().await;
    let mut client = Conversation::new(&stand, Era::Legacy).await;
    assert!(events(&mut client, &stand).await.is_empty());
    let set = client
        .request("logging/setLevel", json!({ "level": "info" }))
        .await;
    assert!(set.get("error").is_none(), "{set}");
    check(&events(&mut client, &stand).await);
    client
        .request("logging/setLevel", json!({ "level": "warning" }))
        .await;
    assert!(events(&mut client, &stand).await.is_empty());
    // Another connection's level is its own.
    let mut other = Conversation::new(&stand, Era::Legacy).await;
    assert!(events(&mut other, &stand).await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_modern_client_says_it_with_each_request() {
    let stand = setup().stand().await;
    let mut client = Conversation::new(&stand, Era::Modern).await;
    assert!(events(&mut client, &stand).await.is_empty());
    client.set_log_level("info");
    check(&events(&mut client, &stand).await);
}
