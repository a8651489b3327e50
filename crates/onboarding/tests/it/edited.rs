//! A proposal that a person edits before they approve it.

use super::{SOURCE, TOOL, act, mute, yes};
use crate::setup;
use holdpoint::{AskId, ChannelKind, ReplyResult, Review, testing};
use holdpoint_testkit::{Era, StandSetup, ToolStand};
use serde_json::json;

const MINE: &str = "# Rules\n\n- Be brief.\n";

/// A stand whose proposal was approved with the person's own text.
async fn edited() -> ToolStand {
    let setup = StandSetup {
        inbox: true,
        ..setup()
    };
    let stand = setup.stand().await;
    super::write(&stand.path(), SOURCE);
    for action in ["analyze", "propose"] {
        act(&stand, Era::Legacy, action, &[]).await;
    }
    let mut client = mute(&stand, Era::Legacy).await;
    let arguments = json!({ "action": "approve" });
    let pending = stand.drive(&mut client, TOOL, arguments, &[]).await;
    let id: AskId = pending.body["askId"].as_str().unwrap().parse().unwrap();
    let record = stand.desk.journal().ask(id).await.unwrap().unwrap();
    let mut review = Review::default();
    review.edited = record.ask.editable.unwrap().edited(MINE);
    let from = testing::person(ChannelKind::Inbox, Some("ada"));
    let reply = testing::accept(json!({ "approved": true }));
    let settled = stand.desk.reply_with_review(id, from, reply, review).await;
    assert!(
        matches!(settled, Ok(ReplyResult::Settled(_))),
        "{settled:?}"
    );
    let wait = json!({ "askId": id, "waitSeconds": 10 });
    let ended = stand.drive(&mut client, "await_answer", wait, &[]).await;
    assert_eq!(ended.body["proceed"], true, "{}", ended.text);
    assert_eq!(ended.body["edited"]["text"], MINE);
    stand
}

#[tokio::test(start_paused = true)]
async fn what_the_person_made_of_it_is_migrated() {
    let stand = edited().await;
    let ended = act(&stand, Era::Legacy, "migrate", &[yes("migrate")]).await;
    assert_eq!(ended.body["state"], "completed", "{}", ended.text);
    assert_eq!(super::read(&stand.path()), MINE);
    let shown = stand.asks().await[0].ask.details.clone().unwrap();
    assert!(shown.contains("+- Be brief."), "{shown}");
}

#[tokio::test(start_paused = true)]
async fn an_edited_approval_is_for_the_file_as_it_was() {
    let stand = edited().await;
    super::write(&stand.path(), "# Other\n");
    let ended = act(&stand, Era::Legacy, "migrate", &[]).await;
    assert!(ended.error, "{}", ended.text);
    assert_eq!(super::read(&stand.path()), "# Other\n");
}
