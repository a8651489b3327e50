//! Steps that a person leaves out.

use super::{call, create, edit, history};
use crate::setup;
use holdpoint_testkit::{Conversation, ERAS, Era, ToolStand, accept, cancel, decline, read_file};
use serde_json::{Value, json};

const TOOL: &str = "plan_step_skip";

fn which(step: u32) -> Value {
    json!({ "code": "login", "step": step, "reason": "No **time**." })
}

async fn status(stand: &ToolStand) -> Value {
    call(stand, "plan_status", json!({ "code": "login" }))
        .await
        .body
}

#[tokio::test(start_paused = true)]
async fn a_person_leaves_a_step_out_and_the_next_may_start() {
    for era in ERAS {
        let stand = setup().stand().await;
        create(&stand, "login", json!(["Schema", "Form"])).await;
        for (reply, outcome) in [
            (decline(), "declined"),
            (cancel(), "cancelled"),
            (accept(json!({ "skip": false })), "accepted"),
        ] {
            let ended = stand.run(era, TOOL, which(1), &[reply]).await;
            let told = ended.fields(&["status", "proceed", "skipped", "completed"]);
            assert_eq!(
                told,
                json!({ "status": outcome, "proceed": false, "skipped": false, "completed": false })
            );
            assert_eq!(status(&stand).await["steps"][0]["status"], "pending");
        }
        let mut client = Conversation::new(&stand, era).await;
        let asked = stand.asked(&mut client, TOOL, which(1)).await;
        assert!(
            asked.message().contains("Leave step 01 “Schema” out?"),
            "{}",
            asked.message()
        );
        assert!(asked.message().contains("> No **time**."));
        assert!(asked.properties()["skip"].get("default").is_none());
        let step = client
            .answer(
                asked,
                accept(json!({ "skip": true, "notes": "Next year." })),
            )
            .await;
        let ended = stand.ended(TOOL, step);
        let told = ended.fields(&["proceed", "skipped", "completed", "startable"]);
        assert_eq!(
            told,
            json!({ "proceed": true, "skipped": true, "completed": false, "startable": [2] })
        );
        let text = read_file(&stand.path(), "plans/login/STATUS.md");
        assert!(
            text.contains("| 01 | Schema | ⏭\u{fe0f} skipped | - | - | Next year. |"),
            "{text}"
        );
        assert_eq!(history(&stand).last().unwrap()["event"], "step_skipped");
        for (tool, error) in [
            (TOOL, "ALREADY_SKIPPED"),
            ("plan_step_start", "ALREADY_SKIPPED"),
            ("plan_step_complete", "ALREADY_SKIPPED"),
        ] {
            let mut arguments = which(1);
            if tool != TOOL {
                arguments.as_object_mut().unwrap().remove("reason");
            }
            let ended = call(&stand, tool, arguments).await;
            assert_eq!(ended.body["error"], error, "{tool}: {}", ended.text);
        }
        // What is done and what was left out make a plan that is completed.
        let second = json!({ "code": "login", "step": 2 });
        call(&stand, "plan_step_start", second.clone()).await;
        let ended = call(&stand, "plan_step_complete", second).await;
        assert_eq!(ended.body["planStatus"], "completed", "{}", ended.text);
    }
}

#[tokio::test(start_paused = true)]
async fn nobody_to_ask_is_no_yes() {
    for era in ERAS {
        let stand = setup().stand().await;
        create(&stand, "login", json!(["Schema", "Form"])).await;
        let mut mute = Conversation::with(stand.server.clone(), era, json!({})).await;
        let ended = stand.drive(&mut mute, TOOL, which(1), &[]).await;
        assert_eq!(ended.body["status"], "unreachable");
        assert_eq!(status(&stand).await["startable"], json!([1]));
    }
}

#[tokio::test(start_paused = true)]
async fn a_gate_is_not_walked_around() {
    for era in ERAS {
        let stand = setup().stand().await;
        let gate =
            json!({ "title": "Schema", "gate": "approval", "acceptanceCriteria": ["It is there"] });
        create(&stand, "login", json!([gate, "Form", "Docs"])).await;
        // An agent writes into the file that the gated step, and one behind it, are left out.
        edit(&stand, "STATUS.md", |text| {
            text.replace(
                "| 01 | Schema | ⬜ pending |",
                "| 01 | Schema | ⏭\u{fe0f} |",
            )
            .replace("| 02 | Form | ⬜ pending |", "| 02 | Form | ⏭ skipped |")
        });
        let told = status(&stand).await;
        assert_eq!(told["startable"], json!([]));
        assert_eq!(told["steps"][0]["approved"], false);
        let problem = told["problems"][0].as_str().unwrap();
        assert!(
            problem.contains("step 01 is skipped without a person's approval"),
            "{problem}"
        );
        let ended = call(
            &stand,
            "plan_step_start",
            json!({ "code": "login", "step": 3 }),
        )
        .await;
        assert_eq!(ended.body["error"], "NOT_APPROVED", "{}", ended.text);
        // The person is asked, and told what it means.
        let mut client = Conversation::new(&stand, era).await;
        let asked = stand.asked(&mut client, TOOL, which(1)).await;
        assert!(
            asked.message().contains("It has a gate"),
            "{}",
            asked.message()
        );
        assert!(asked.message().contains("marked skipped already"));
        let step = client.answer(asked, accept(json!({ "skip": true }))).await;
        assert_eq!(stand.ended(TOOL, step).body["skipped"], true);
        assert!(stand.asks().await.last().unwrap().ask.dangerous);
        assert_eq!(status(&stand).await["startable"], json!([]));
        // The one without a gate as well.
        let yes = accept(json!({ "skip": true }));
        stand.drive(&mut client, TOOL, which(2), &[yes]).await;
        let told = status(&stand).await;
        assert_eq!(told["startable"], json!([3]), "{told}");
        // A yes to leaving it out is none to its being done.
        edit(&stand, "STATUS.md", |text| {
            text.replace("| 01 | Schema | ⏭\u{fe0f} |", "| 01 | Schema | ✅ |")
                .replace(
                    "| ⬜ pending |\n| **Current",
                    "| 🔄 in_progress |\n| **Current",
                )
        });
        let told = status(&stand).await;
        assert_eq!(
            (&told["startable"], &told["steps"][0]["approved"]),
            (&json!([]), &json!(false)),
            "{told}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_step_without_a_file_or_a_plan_that_stopped_is_not_left_out() {
    let stand = setup().stand().await;
    create(&stand, "login", json!(["Schema", "Form"])).await;
    std::fs::remove_file(stand.path().join("plans/login/plan/02-form.md")).unwrap();
    let ended = stand.run(Era::Modern, TOOL, which(2), &[]).await;
    assert_eq!(ended.body["error"], "STEP_FILE", "{}", ended.text);
    edit(&stand, "STATUS.md", |text| {
        text.replacen("⬜ pending", "⏸ blocked", 1)
    });
    let ended = stand.run(Era::Modern, TOOL, which(1), &[]).await;
    assert_eq!(ended.body["error"], "PLAN_STOPPED", "{}", ended.text);
}

/// Writes a step's sign into the file, as an agent can.
fn typed(stand: &ToolStand, step: &str, sign: &str) {
    edit(stand, "STATUS.md", |text| {
        text.replace(&format!("{step} ⬜ pending |"), &format!("{step} {sign} |"))
            .replace(
                "| **Status** | ⬜ pending |",
                "| **Status** | 🔄 in_progress |",
            )
    });
}

#[tokio::test(start_paused = true)]
async fn nobody_but_a_person_leaves_out_a_step_without_a_gate() {
    for era in ERAS {
        let stand = setup().stand().await;
        create(&stand, "login", json!(["Schema", "Form"])).await;
        typed(&stand, "| 01 | Schema |", "⏭\u{fe0f}");
        let told = status(&stand).await;
        assert_eq!(
            (&told["startable"], &told["steps"][0]["approved"]),
            (&json!([]), &json!(false)),
            "{told}"
        );
        let mut client = Conversation::new(&stand, era).await;
        let second = json!({ "code": "login", "step": 2 });
        let ended = stand
            .drive(&mut client, "plan_step_start", second.clone(), &[])
            .await;
        assert_eq!(ended.body["error"], "NOT_APPROVED", "{}", ended.text);
        assert!(ended.text.contains("plan_step_skip"), "{}", ended.text);
        // A folder that came from elsewhere has such steps: it is in order, and they are named.
        let ended = call(&stand, "plan_validate", json!({ "code": "login" })).await;
        let findings = ended.body["findings"].as_array().unwrap();
        let named = |finding: &Value| {
            finding["severity"] == "warning" && finding.to_string().contains("step 01 is skipped")
        };
        assert!(findings.iter().any(named), "{}", ended.text);
        // What a no leaves as it is, a yes puts right.
        let ended = stand.drive(&mut client, TOOL, which(1), &[decline()]).await;
        assert_eq!(ended.body["skipped"], false, "{}", ended.text);
        assert_eq!(status(&stand).await["startable"], json!([]));
        let yes = accept(json!({ "skip": true }));
        let ended = stand.drive(&mut client, TOOL, which(1), &[yes]).await;
        assert_eq!(ended.body["skipped"], true, "{}", ended.text);
        let ended = stand
            .drive(&mut client, "plan_step_start", second, &[])
            .await;
        assert!(!ended.error, "{}", ended.text);
    }
}

#[tokio::test(start_paused = true)]
async fn a_last_step_that_nobody_left_out_does_not_end_the_plan_in_silence() {
    let stand = setup().stand().await;
    create(&stand, "login", json!(["Schema"])).await;
    typed(&stand, "| 01 | Schema |", "⏭\u{fe0f}");
    let ended = call(&stand, "plan_status", json!({ "code": "login" })).await;
    let next = ended.next();
    assert!(next.contains("before a person has confirmed"), "{next}");
}

#[tokio::test(start_paused = true)]
async fn what_was_shown_is_what_is_left_out() {
    for era in ERAS {
        let stand = setup().stand().await;
        create(&stand, "login", json!(["Schema", "Form"])).await;
        let mut client = Conversation::new(&stand, era).await;
        let asked = stand.asked(&mut client, TOOL, which(1)).await;
        edit(&stand, "plan/01-schema.md", |text| {
            format!("{text}\nCheck who may sign in.\n")
        });
        let yes = accept(json!({ "skip": true }));
        let ended = stand.ended(TOOL, client.answer(asked, yes).await);
        assert_eq!(ended.body["error"], "STEP_FILE", "{}", ended.text);
        assert_eq!(status(&stand).await["steps"][0]["status"], "pending");
    }
}
