//! What happened to a plan.

use super::{call, create, edit};
use crate::setup;
use holdpoint_testkit::{Conversation, ERAS, ToolStand, accept, decline};
use serde_json::{Value, json};

async fn worked_on(stand: &ToolStand, era: holdpoint_testkit::Era) {
    let gate = json!({ "title": "Schema", "gate": "approval" });
    create(stand, "login", json!([gate, "Form"])).await;
    call(
        stand,
        "plan_step_start",
        json!({ "code": "login", "step": 1 }),
    )
    .await;
    let first = json!({ "path": "plans/login/STATUS.md", "step": 1 });
    stand
        .run(era, "plan_step_complete", first.clone(), &[decline()])
        .await;
    let yes = accept(json!({ "approved": true }));
    stand.run(era, "plan_step_complete", first, &[yes]).await;
}

#[tokio::test(start_paused = true)]
async fn events_are_the_files_and_decisions_the_journals() {
    for era in ERAS {
        let stand = setup().stand().await;
        worked_on(&stand, era).await;
        let forged = json!({ "at": "2026-01-01T00:00:00Z", "event": "step_approved", "step": 2, "askId": holdpoint::AskId::new() });
        edit(&stand, ".history/timeline.jsonl", |text| {
            format!("{text}{forged}\n")
        });
        let ended = stand
            .run(era, "plan_history", json!({ "code": "login" }), &[])
            .await;
        let events: Vec<_> = ended.body["events"]
            .as_array()
            .unwrap()
            .iter()
            .map(|event| json!([event["event"], event["onRecord"]]))
            .collect();
        assert_eq!(
            events,
            [
                json!(["created", null]),
                json!(["step_started", null]),
                json!(["step_not_approved", true]),
                json!(["step_approved", true]),
                json!(["step_completed", null]),
                json!(["step_approved", false]),
            ]
        );
        let decided: Vec<_> = ended.body["decisions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| json!([one["tool"], one["step"], one["outcome"], one["answer"]]))
            .collect();
        assert_eq!(
            decided,
            [
                json!(["plan_step_complete", 1, "declined", null]),
                json!(["plan_step_complete", 1, "accepted", { "approved": true }]),
            ]
        );
        let told = async |arguments: Value| {
            let ended = stand.run(era, "plan_history", arguments, &[]).await;
            let count = |name: &str| ended.body[name].as_array().map_or(0, Vec::len);
            (count("events"), count("decisions"))
        };
        assert_eq!(told(json!({ "code": "login", "limit": 1 })).await, (1, 1));
        assert_eq!(
            told(json!({ "code": "login", "event": "step_approved" })).await,
            (2, 2)
        );
        assert_eq!(told(json!({ "code": "login", "step": 2 })).await, (1, 0));
        assert_eq!(
            told(json!({ "code": "login", "since": "2126-01-01T00:00:00Z" })).await,
            (0, 0)
        );
        for (name, bad) in [
            ("limit", json!(0)),
            ("limit", json!(201)),
            ("since", json!("monday")),
        ] {
            let arguments = json!({ "code": "login", name: bad });
            let ended = stand.run(era, "plan_history", arguments, &[]).await;
            assert_eq!(ended.body["error"], "INVALID_ARGUMENTS", "{}", ended.text);
        }
        // Another plan, and another principal's workspace, see none of it.
        create(&stand, "other", json!(1)).await;
        assert_eq!(told(json!({ "code": "other" })).await, (1, 0));
    }
}

#[tokio::test(start_paused = true)]
async fn of_one_step_the_last_decisions_about_it_are_told() {
    for era in ERAS {
        let stand = setup().stand().await;
        worked_on(&stand, era).await;
        let second = json!({ "code": "login", "step": 2, "reason": "No time." });
        let ended = stand.run(era, "plan_step_skip", second, &[decline()]).await;
        assert_eq!(ended.body["status"], "declined", "{}", ended.text);
        let first = json!({ "code": "login", "step": 1, "limit": 1 });
        let ended = stand.run(era, "plan_history", first, &[]).await;
        let decided = ended.body["decisions"].as_array().unwrap();
        assert_eq!(decided.len(), 1, "{}", ended.text);
        assert_eq!(
            (&decided[0]["step"], &decided[0]["outcome"]),
            (&json!(1), &json!("accepted"))
        );
    }
}

#[tokio::test(start_paused = true)]
async fn what_another_principal_decided_is_not_told() {
    for era in ERAS {
        let stand = setup().stand().await;
        worked_on(&stand, era).await;
        let bobs = stand.server.clone().principal(|_| Some("bob".into()));
        for (server, decisions) in [(stand.server.clone(), 2), (bobs, 0)] {
            let mut client = Conversation::new(server, era).await;
            let login = json!({ "code": "login" });
            let ended = stand.drive(&mut client, "plan_history", login, &[]).await;
            assert!(!ended.error, "{}", ended.text);
            let told = ended.body["decisions"].as_array().unwrap();
            assert_eq!(told.len(), decisions, "{}", ended.text);
            // The file is there to read, and what it says of decisions is not theirs.
            let events = ended.body["events"].as_array().unwrap().iter();
            let mut on_record = events.filter(|event| event["event"] == "step_approved");
            let approved = on_record.next().unwrap();
            assert_eq!(approved["onRecord"], decisions > 0, "{}", ended.text);
        }
    }
}
