//! Nobody reachable: nothing is changed on disk but the trace.

use super::{TOOL, approved, migrated, mute, stand, tree};
use holdpoint_testkit::{ERAS, Era};
use serde_json::json;

#[tokio::test(start_paused = true)]
async fn nothing_changes_where_nobody_can_be_reached() {
    for era in ERAS {
        for action in ["approve", "migrate", "rollback", "skip"] {
            let stand = stand().await;
            match action {
                "approve" => {
                    for action in ["analyze", "propose"] {
                        super::act(&stand, era, action, &[]).await;
                    }
                }
                "migrate" => approved(&stand, Era::Legacy).await,
                "rollback" => drop(migrated(&stand, Era::Legacy).await),
                _ => {}
            }
            let before = tree(&stand.path());
            let mut client = mute(&stand, era).await;
            let ended = stand
                .drive(&mut client, TOOL, json!({ "action": action }), &[])
                .await;
            assert!(ended.error);
            assert_eq!(ended.body["error"], "USER_APPROVAL_REQUIRED", "{action}");
            assert_eq!(ended.body["proceed"], false);
            assert!(
                ended.body["message"]
                    .as_str()
                    .unwrap()
                    .contains("Nothing was changed")
            );
            assert!(ended.body["suggestion"].is_string());
            let mut after = tree(&stand.path());
            let traces: Vec<_> = after
                .keys()
                .filter(|name| !before.contains_key(*name))
                .cloned()
                .collect();
            assert_eq!(traces.len(), 1, "{action}: {traces:?}");
            assert!(
                traces[0].starts_with(".copilot-state/elicitation-traces/"),
                "{traces:?}"
            );
            after.remove(&traces[0]);
            assert_eq!(after, before, "{action}");
        }
    }
}
