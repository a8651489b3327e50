//! Many plans in one workspace.

use crate::setup;
use holdpoint_testkit::{Conversation, Era, read_file};
use serde_json::{Value, json};

#[tokio::test]
async fn five_hundred_plans_are_listed() {
    let stand = setup().stand().await;
    let mut client = Conversation::new(&stand, Era::Modern).await;
    let plan = json!({ "code": "login", "description": "A login page.", "steps": 8 });
    client.call("plan_create", plan).await.done();
    let plans = stand.path().join("plans");
    let text = read_file(&plans, "login/STATUS.md");
    for number in 1..500 {
        let plan = plans.join(format!("plan-{number}"));
        std::fs::create_dir(&plan).unwrap();
        let text = match number % 2 {
            0 => text.replace(
                "| **Status** | ⬜ pending |",
                "| **Status** | 🔄 in_progress |",
            ),
            _ => text.clone(),
        };
        std::fs::write(plan.join("STATUS.md"), text).unwrap();
    }
    let listed = stand.drive(&mut client, "plan_list", json!({}), &[]).await;
    assert_eq!(listed.body["plans"].as_array().unwrap().len(), 500);
    assert_eq!(listed.body["plans"][0]["total"], 8);
    let some = stand
        .drive(
            &mut client,
            "plan_list",
            json!({ "status": "in_progress" }),
            &[],
        )
        .await;
    assert_eq!(some.body["plans"].as_array().unwrap().len(), 249);
    assert!(some.text.lines().count() < 60);
    // And page by page as resources.
    let mut cursor = Value::Null;
    let mut pages = Vec::new();
    loop {
        let params = match &cursor {
            Value::Null => json!({}),
            cursor => json!({ "cursor": cursor }),
        };
        let page = client.request("resources/list", params).await;
        pages.push(page["result"]["resources"].as_array().unwrap().len());
        cursor = page["result"]["nextCursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!(pages, [102, 100, 100, 100, 100]);
}
