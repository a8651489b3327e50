//! A Conductor's plan that has a folder.

use crate::tools_list::setup;
use holdpoint_testkit::{Conversation, ERAS, Ended, Era, ToolStand, accept, decline, read_file};
use serde_json::{Value, json};

#[tokio::test(start_paused = true)]
async fn a_plan_is_approved_with_its_steps_in_view() {
    for era in ERAS {
        let stand = setup().stand().await;
        let gate = json!({ "title": "Form", "gate": "approval" });
        create(&stand, "login", json!(["Schema", gate])).await;
        let mut client = Conversation::new(&stand, era).await;
        let plan =
            json!({ "planSummary": "Adds a login page.", "phaseCount": 2, "planName": "Login" });
        let asked = stand
            .asked(&mut client, "request_plan_approval", plan.clone())
            .await;
        let message = asked.message();
        assert!(
            message.contains("Steps in `plans/login` (pending)"),
            "{message}"
        );
        assert!(
            message
                .contains("1. Schema – pending\n2. Form – pending – **needs a person's approval**"),
            "{message}"
        );
        let answer = json!({ "decision": "request_changes", "feedback": "Add docs." });
        client.answer(asked, accept(answer)).await;
        stand
            .run(era, "request_plan_approval", plan, &[decline()])
            .await;
        let told: Vec<_> = history(&stand)[1..]
            .iter()
            .map(|line| {
                json!([
                    line["event"],
                    line["outcome"],
                    line["decision"],
                    line["feedback"]
                ])
            })
            .collect();
        assert_eq!(
            told,
            [
                json!(["plan_approval", "accepted", "request_changes", "Add docs."]),
                json!(["plan_approval", "declined", null, null]),
            ]
        );
        assert!(
            history(&stand)[1]["by"]
                .as_str()
                .unwrap()
                .contains("client")
        );
    }
}

fn phase(number: u32) -> Value {
    json!({ "phaseNumber": number, "phaseSummary": "Done.", "commitMessage": "feat: login", "planName": "login" })
}

#[tokio::test]
async fn a_commit_marks_its_step() {
    for era in ERAS {
        let stand = setup().stand().await;
        let gate = json!({ "title": "Form", "gate": "approval" });
        create(&stand, "login", json!(["Schema", gate, "Docs"])).await;
        let tool = "request_phase_commit_approval";
        let committed =
            || accept(json!({ "decision": "commit_and_continue", "commitConfirmed": true }));
        // Not committed: not marked.
        let not = accept(json!({ "decision": "commit_and_continue" }));
        let ended = stand.run(era, tool, phase(1), &[not]).await;
        assert_eq!(ended.body["planStep"]["completed"], false);
        let ended = stand.run(era, tool, phase(1), &[committed()]).await;
        assert_eq!(ended.body["proceed"], true, "{}", ended.text);
        assert_eq!(
            ended.body["planStep"],
            json!({ "path": "plans/login", "step": 1, "completed": true })
        );
        let status = call(&stand, "plan_status", json!({ "code": "login" })).await;
        assert_eq!(status.body["steps"][0]["status"], "completed");
        // A commit is no approval of a gate's criteria, nor does a step jump the queue.
        call(
            &stand,
            "plan_step_start",
            json!({ "code": "login", "step": 2 }),
        )
        .await;
        for (step, words) in [
            (2, "plan_step_complete"),
            (3, "02 is in_progress"),
            (9, "no step 09"),
        ] {
            let ended = stand.run(era, tool, phase(step), &[committed()]).await;
            assert_eq!(ended.body["planStep"]["completed"], false);
            assert!(ended.next().contains(words), "{}", ended.next());
        }
        let abort = accept(json!({ "decision": "abort" }));
        stand.run(era, tool, phase(2), &[abort]).await;
        let status = call(&stand, "plan_status", json!({ "code": "login" })).await;
        assert_eq!(status.body["planStatus"], "failed");
        let commits = history(&stand)
            .into_iter()
            .filter(|line| line["event"] == "phase_commit");
        assert_eq!(commits.count(), 6);
    }
}

/// A plan of these steps, in this workspace.
async fn create(stand: &ToolStand, code: &str, steps: Value) {
    let arguments = json!({ "code": code, "description": "A login page.", "steps": steps });
    let ended = stand.run(Era::Legacy, "plan_create", arguments, &[]).await;
    assert!(!ended.error, "{}", ended.text);
}

/// Calls a tool that asks nobody.
async fn call(stand: &ToolStand, tool: &str, arguments: Value) -> Ended {
    stand.run(Era::Modern, tool, arguments, &[]).await
}

/// The events of the plan's history.
fn history(stand: &ToolStand) -> Vec<Value> {
    let text = read_file(&stand.path(), "plans/login/.history/timeline.jsonl");
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}
