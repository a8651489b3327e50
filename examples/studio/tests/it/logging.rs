//! The log: what was skipped is `info`, what failed is `warning`, and the client says from which level on it wants lines.

use crate::stage::{Stage, call};
use holdpoint_testkit::{Conversation, ERAS, Era, accept, decline};
use serde_json::{Value, json};

/// The log lines of a skipped choice, a skipped one for want of a person, a wrong answer and a wrong name.
async fn logged(era: Era, level: &'static str) -> Vec<(String, String)> {
    let stage = Stage::new().await;
    let mut client = Conversation::new(&stage, era).await;
    match era {
        Era::Legacy => {
            let set = client
                .request("logging/setLevel", json!({ "level": level }))
                .await;
            assert!(set.get("result").is_some(), "{set}");
        }
        Era::Modern => client.set_log_level(level),
    }
    let variations =
        json!({ "variations": [{ "name": "slow", "label": "slow\u{1b}[2J" }, "fast"] });
    call(&mut client, "select_variation", variations, &[decline()]).await;
    let wrong = accept(json!({ "value": 7 }));
    let wrong = [wrong.clone(), wrong.clone(), wrong];
    call(&mut client, "get_tempo", json!({}), &wrong).await;
    let name = [accept(json!({ "name": "a b" }))];
    call(
        &mut client,
        "name_artifact",
        json!({ "clip": "intro" }),
        &name,
    )
    .await;
    let line = |log: &Value| {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        (text(&log["level"]), text(&log["data"]))
    };
    client.logs.iter().map(line).collect()
}

#[tokio::test(start_paused = true)]
async fn levels() {
    for era in ERAS {
        let logs = logged(era, "info").await;
        let levels: Vec<_> = logs.iter().map(|(level, _)| level.as_str()).collect();
        assert_eq!(levels, ["info", "warning", "warning"], "{era:?} {logs:?}");
        let first = "The person skipped this: the first variation, slow⟨U+001B⟩[2J, is used.";
        assert_eq!(logs[0].1, first, "{era:?}");
        assert!(logs[1].1.contains("did not fit"), "{era:?} {logs:?}");
        assert!(logs[2].1.contains("\"a b\""), "{era:?} {logs:?}");

        let logs = logged(era, "warning").await;
        let all = logs.iter().all(|(level, _)| level == "warning");
        assert!(all && logs.len() == 2, "{era:?} {logs:?}");
        assert_eq!(logged(era, "error").await, [], "{era:?}");
    }
}
