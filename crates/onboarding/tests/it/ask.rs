//! What people are asked, and the trace that each ask leaves.

use super::{SOURCE, TOOL, act, approved, mute, stand, traces, write, yes};
use crate::setup;
use holdpoint::testing::at_leisure;
use holdpoint::{AskId, ChannelKind, Reply};
use holdpoint_testkit::{Conversation, ERAS, Era, StandSetup, ToolStand, accept, cancel, decline};
use serde_json::{Value, json};
use std::time::Duration;

async fn asked(stand: &ToolStand, action: &str) -> (String, Value) {
    let mut client = Conversation::new(stand, Era::Legacy).await;
    let asked = stand
        .asked(&mut client, TOOL, json!({ "action": action }))
        .await;
    let shown = (asked.message().to_owned(), asked.properties().clone());
    let step = client.answer(asked, cancel()).await;
    stand.ended(TOOL, step);
    shown
}

#[tokio::test(start_paused = true)]
async fn what_people_see() {
    let stand = stand().await;
    for action in ["analyze", "propose"] {
        act(&stand, Era::Legacy, action, &[]).await;
    }
    let (message, form) = asked(&stand, "approve").await;
    insta::assert_snapshot!("approve_message", message);
    insta::assert_json_snapshot!("approve_form", form);
    act(&stand, Era::Legacy, "approve", &[yes("approve")]).await;
    let (message, form) = asked(&stand, "migrate").await;
    insta::assert_snapshot!("migrate_message", message);
    insta::assert_json_snapshot!("migrate_form", form);
    let (message, form) = asked(&stand, "skip").await;
    insta::assert_snapshot!("skip_message", message);
    insta::assert_json_snapshot!("skip_form", form);
    act(&stand, Era::Legacy, "migrate", &[yes("migrate")]).await;
    let (message, form) = asked(&stand, "rollback").await;
    insta::assert_snapshot!("rollback_message", message);
    insta::assert_json_snapshot!("rollback_form", form);
}

#[tokio::test(start_paused = true)]
async fn dangerous_asks() {
    let stand = stand().await;
    super::migrated(&stand, Era::Legacy).await;
    act(&stand, Era::Legacy, "rollback", &[yes("rollback")]).await;
    act(&stand, Era::Legacy, "skip", &[yes("skip")]).await;
    let mut asks = stand.asks().await;
    asks.reverse();
    let dangerous: Vec<_> = asks.iter().map(|ask| ask.ask.dangerous).collect();
    assert_eq!(dangerous, [false, true, true, true]);
}

/// The one trace that there is, checked against what happened.
fn check(stand: &ToolStand, action: &str, response: &str, content: Value) {
    let traces = traces(&stand.path());
    let (name, trace) = traces.iter().next_back().unwrap();
    assert!(name.ends_with(&format!("Z-{action}.json")), "{name}");
    let time = trace["timestamp"].as_str().unwrap();
    assert_eq!(name[..10], time[..10], "{name}");
    assert_eq!(trace["action"], action);
    assert_eq!(
        trace["response"],
        json!({ "action": response, "content": content }),
        "{trace}"
    );
    assert!(trace["message"].as_str().unwrap().starts_with("## "));
    assert_eq!(trace["schema"]["type"], "object");
    assert!(trace["duration_ms"].is_u64());
}

#[tokio::test(start_paused = true)]
async fn one_trace_for_each_ask_through_the_client() {
    for era in ERAS {
        let stand = stand().await;
        let mut count = 0;
        let mut next = |stand: &ToolStand| {
            count += 1;
            assert_eq!(traces(&stand.path()).len(), count);
        };
        for (reply, response, content) in [
            // A form with nothing but a no in it is a no.
            (
                accept(json!({ "confirmed": false })),
                "decline",
                json!({ "reason": null }),
            ),
            (decline(), "decline", json!({ "reason": null })),
            (cancel(), "cancel", Value::Null),
        ] {
            act(&stand, era, "skip", &[reply]).await;
            tokio::time::sleep(Duration::from_millis(5)).await;
            next(&stand);
            check(&stand, "skip", response, content);
        }
        let invalid = vec![accept(json!({ "confirmed": "maybe" })); 3];
        act(&stand, era, "skip", &invalid).await;
        tokio::time::sleep(Duration::from_millis(5)).await;
        next(&stand);
        let (_, trace) = traces(&stand.path()).into_iter().next_back().unwrap();
        assert_eq!(trace["response"]["action"], "invalid");
        let mut client = mute(&stand, era).await;
        let ended = stand
            .drive(&mut client, TOOL, json!({ "action": "skip" }), &[])
            .await;
        assert_eq!(ended.body["error"], "USER_APPROVAL_REQUIRED");
        next(&stand);
        let (_, trace) = traces(&stand.path()).into_iter().next_back().unwrap();
        assert_eq!(trace["response"]["action"], "unreachable");
    }
}

#[tokio::test(start_paused = true)]
async fn a_time_out_is_told_apart_and_comes_no_sooner_than_three_minutes() {
    for (given, waited) in [(None, 300), (Some(5), 180), (Some(400), 400)] {
        let stand = stand().await;
        let mut client = Conversation::new(&stand, Era::Legacy).await;
        let begun = tokio::time::Instant::now();
        let asked = stand
            .asked(
                &mut client,
                TOOL,
                json!({ "action": "skip", "timeoutSeconds": given }),
            )
            .await;
        drop(asked);
        let step = client.wait_for_end().await;
        let ended = stand.ended(TOOL, step);
        assert_eq!(begun.elapsed().as_secs(), waited);
        assert_eq!(ended.body["status"], "timed_out");
        check(&stand, "skip", "timed_out", Value::Null);
    }
    // A shorter setting of the user's is not short enough to read a diff in.
    let mut setup = setup();
    setup.settings.timeout = Some(Duration::from_secs(60));
    let stand = setup.stand().await;
    let mut client = Conversation::new(&stand, Era::Legacy).await;
    let begun = tokio::time::Instant::now();
    drop(
        stand
            .asked(&mut client, TOOL, json!({ "action": "skip" }))
            .await,
    );
    let step = client.wait_for_end().await;
    stand.ended(TOOL, step);
    assert_eq!(begun.elapsed().as_secs(), 180);
}

#[tokio::test(start_paused = true)]
async fn the_other_channels_leave_a_trace_too() {
    for channel in [ChannelKind::Inbox, ChannelKind::Terminal] {
        let setup = StandSetup {
            inbox: true,
            ..setup()
        };
        let stand = setup.stand().await;
        write(&stand.path(), SOURCE);
        let mut client = mute(&stand, Era::Modern).await;
        let ended = stand
            .drive(&mut client, TOOL, json!({ "action": "skip" }), &[])
            .await;
        assert_eq!(ended.body["status"], "pending");
        let asked = traces(&stand.path());
        assert_eq!(asked.len(), 1);
        let (name, trace) = asked.first_key_value().unwrap();
        assert_eq!(
            trace["response"],
            json!({ "action": "pending", "content": null })
        );
        let id: AskId = ended.body["askId"].as_str().unwrap().parse().unwrap();
        let content = json!({ "confirmed": true }).as_object().unwrap().clone();
        let from = holdpoint::Replier::new(channel, Some("ada".into()), at_leisure("skip"));
        let taken = stand
            .desk
            .reply(id, from, Reply::Accept { content })
            .await
            .unwrap();
        assert!(
            matches!(taken, holdpoint::ReplyResult::Settled(_)),
            "{channel:?} {taken:?}"
        );
        let wait = json!({ "askId": id.to_string() });
        let ended = stand.drive(&mut client, "await_answer", wait, &[]).await;
        assert_eq!(
            ended.body["state"], "skipped",
            "{channel:?} {:?}",
            ended.body
        );
        check(&stand, "skip", "accept", json!({ "confirmed": true }));
        let ended = traces(&stand.path());
        assert_eq!(ended.len(), 1);
        let trace = &ended[name];
        assert_eq!(trace["ask_id"], id.to_string());
        assert_eq!(trace["channel"], channel.as_str());
        assert_eq!(trace["answered_by"], "ada");
    }
}

#[tokio::test(start_paused = true)]
async fn traces_of_one_moment_have_names_of_their_own() {
    let stand = stand().await;
    approved(&stand, Era::Modern).await;
    for _ in 0..3 {
        act(&stand, Era::Modern, "migrate", &[decline()]).await;
    }
    let names: Vec<_> = traces(&stand.path()).into_keys().collect();
    assert_eq!(names.len(), 4, "{names:?}");
}

#[tokio::test(start_paused = true)]
async fn an_ask_that_is_withdrawn_leaves_a_trace() {
    let stand = stand().await;
    let mut client = Conversation::new(&stand, Era::Legacy).await;
    let asked = stand
        .asked(&mut client, TOOL, json!({ "action": "skip" }))
        .await;
    client.give_up().await;
    let written = async {
        let pending = |trace: &Value| trace["response"]["action"] == "pending";
        while traces(&stand.path()).values().any(pending) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), written)
        .await
        .expect("no trace");
    drop(asked);
    let why = json!({ "why": "the call was cancelled" });
    check(&stand, "skip", "withdrawn", why);
    let ended = act(&stand, Era::Legacy, "status", &[]).await;
    assert_eq!(ended.body["state"], "not_started");
}

/// A no that is no answer, from every surface: the proposal stays.
#[tokio::test(start_paused = true)]
async fn turning_the_question_down_leaves_the_proposal() {
    for channel in [ChannelKind::Inbox, ChannelKind::Terminal, ChannelKind::Cli] {
        let cases = [
            (Reply::Decline { reason: None }, "declined", "proposed"),
            (
                Reply::Decline {
                    reason: Some("Not now.".into()),
                },
                "declined",
                "proposed",
            ),
            (Reply::Cancel, "cancelled", "proposed"),
            (
                Reply::Accept {
                    content: json!({ "approved": false }).as_object().unwrap().clone(),
                },
                "declined",
                "rejected",
            ),
        ];
        for (reply, status, state) in cases {
            let setup = StandSetup {
                inbox: true,
                ..setup()
            };
            let stand = setup.stand().await;
            write(&stand.path(), SOURCE);
            for action in ["analyze", "propose"] {
                act(&stand, Era::Modern, action, &[]).await;
            }
            let mut client = mute(&stand, Era::Modern).await;
            let ended = stand
                .drive(&mut client, TOOL, json!({ "action": "approve" }), &[])
                .await;
            let id: AskId = ended.body["askId"].as_str().unwrap().parse().unwrap();
            let from = holdpoint::Replier::new(channel, Some("ada".into()), at_leisure("approve"));
            let comment = match &reply {
                Reply::Decline { reason: Some(why) } => json!(why),
                Reply::Cancel => Value::Null,
                _ => json!("No comment provided"),
            };
            stand.desk.reply(id, from, reply).await.unwrap();
            let wait = json!({ "askId": id.to_string() });
            let ended = stand.drive(&mut client, "await_answer", wait, &[]).await;
            assert_eq!(
                ended.fields(&["status", "state", "comment", "proceed"]),
                json!({ "status": status, "state": state, "comment": comment, "proceed": false }),
                "{channel:?}"
            );
            let turned_down = ended.message().contains("without an answer");
            assert_eq!(turned_down, status == "declined" && state == "proposed");
            let status = act(&stand, Era::Legacy, "status", &[]).await;
            assert_eq!(status.body["state"], state, "{channel:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_ask_that_cannot_be_asked_leaves_no_trace_that_waits() {
    for era in ERAS {
        let mut setup = setup();
        setup.settings = setup.settings.max_open_asks(1);
        let stand = setup.stand().await;
        let mut one = Conversation::new(&stand, era).await;
        let skip = |seconds: u64| json!({ "action": "skip", "timeoutSeconds": seconds });
        let _open = stand.asked(&mut one, TOOL, skip(400)).await;
        let ended = stand.run(era, TOOL, skip(500), &[]).await;
        assert_eq!(ended.body["error"], "CANNOT_BE_ASKED", "{}", ended.text);
        let traces = traces(&stand.path());
        let mut said: Vec<_> = traces
            .values()
            .map(|trace| trace["response"]["action"].as_str().unwrap())
            .collect();
        said.sort_unstable();
        assert_eq!(said, ["not_asked", "pending"]);
    }
}
