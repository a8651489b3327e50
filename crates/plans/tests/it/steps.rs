//! Working through a plan, and reading what people made of it.

use super::{call, create, edit, history};
use crate::setup;
use holdpoint_testkit::{Ended, Era, ToolStand, read_file};
use serde_json::{Value, json};

async fn step(stand: &ToolStand, tool: &str, step: u32) -> Ended {
    call(stand, tool, json!({ "code": "login", "step": step })).await
}

async fn status(stand: &ToolStand) -> Ended {
    call(stand, "plan_status", json!({ "code": "login" })).await
}

#[tokio::test(start_paused = true)]
async fn a_plan_from_its_first_step_to_its_last() {
    let stand = setup().stand().await;
    create(&stand, "login", json!(["Schema", "Form"])).await;
    let ended = status(&stand).await;
    let told = ended.fields(&[
        "planStatus",
        "currentSteps",
        "startable",
        "problems",
        "name",
    ]);
    assert_eq!(
        told,
        json!({ "planStatus": "pending", "currentSteps": [], "startable": [1], "problems": [], "name": "Login" })
    );
    assert!(ended.next().contains("Start step 01"));
    let ended = step(&stand, "plan_step_start", 1).await;
    assert_eq!(
        ended.fields(&["planStatus", "currentSteps"]),
        json!({ "planStatus": "in_progress", "currentSteps": [1] })
    );
    assert!(
        ended.next().contains("plans/login/plan/01-schema.md"),
        "{}",
        ended.next()
    );
    let ended = step(&stand, "plan_step_complete", 1).await;
    assert_eq!(
        ended.fields(&["completed", "proceed", "lastCompleted", "startable"]),
        json!({ "completed": true, "proceed": false, "lastCompleted": 1, "startable": [2] })
    );
    step(&stand, "plan_step_start", 2).await;
    let notes = json!({ "path": "plans/login", "step": 2, "notes": "with | a bar" });
    let ended = call(&stand, "plan_step_complete", notes).await;
    assert_eq!(ended.body["planStatus"], "completed");
    assert_eq!(ended.body["steps"][1]["notes"], "with | a bar");
    // A further step takes it up again.
    let more = json!({ "path": "plans/login/STATUS.md", "title": "Docs", "acceptanceCriteria": ["They are read"] });
    let ended = call(&stand, "plan_step_add", more).await;
    assert_eq!(
        ended.fields(&["step", "file", "planStatus", "startable"]),
        json!({ "step": 3, "file": "plan/03-docs.md", "planStatus": "in_progress", "startable": [3] })
    );
    assert!(
        read_file(&stand.path(), "plans/login/plan/03-docs.md").contains("- [ ] They are read")
    );
    let events: Vec<_> = history(&stand)
        .iter()
        .map(|line| line["event"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(
        events,
        [
            "created",
            "step_started",
            "step_completed",
            "step_started",
            "step_completed",
            "step_added"
        ]
    );
    assert!(
        history(&stand)[1]["by"]
            .as_str()
            .unwrap()
            .starts_with("mcpdo-test-client")
    );
    assert!(stand.asks().await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn transitions_are_checked() {
    let stand = setup().stand().await;
    let free = json!({ "title": "Docs", "needs": [] });
    create(
        &stand,
        "login",
        json!(["Schema", "Form", free, { "title": "Ship", "needs": [2, 3] }]),
    )
    .await;
    let refused = async |tool: &str, number: u32, error: &str, words: &str| {
        let before = read_file(&stand.path(), "plans/login/STATUS.md");
        let ended = step(&stand, tool, number).await;
        assert_eq!(ended.body["error"], error, "{}", ended.text);
        assert!(ended.error && ended.text.contains(words), "{}", ended.text);
        assert_eq!(read_file(&stand.path(), "plans/login/STATUS.md"), before);
    };
    refused("plan_step_complete", 1, "NOT_STARTED", "plan_step_start").await;
    refused("plan_step_start", 2, "NEEDS_OTHERS", "01 is pending").await;
    refused(
        "plan_step_start",
        9,
        "INVALID_ARGUMENTS",
        "there are 01, 02, 03, 04",
    )
    .await;
    assert_eq!(status(&stand).await.body["startable"], json!([1, 3]));
    step(&stand, "plan_step_start", 1).await;
    refused(
        "plan_step_start",
        1,
        "ALREADY_STARTED",
        "by mcpdo-test-client 1.0 at 20",
    )
    .await;
    refused("plan_step_start", 2, "NEEDS_OTHERS", "01 is in_progress").await;
    // What needs nothing may go on beside it.
    let ended = step(&stand, "plan_step_start", 3).await;
    assert_eq!(ended.body["currentSteps"], json!([1, 3]));
    step(&stand, "plan_step_complete", 3).await;
    step(&stand, "plan_step_complete", 1).await;
    refused("plan_step_complete", 1, "ALREADY_COMPLETED", "already").await;
    refused("plan_step_start", 1, "ALREADY_COMPLETED", "already").await;
    refused("plan_step_start", 4, "NEEDS_OTHERS", "02 is pending").await;
    edit(&stand, "STATUS.md", |text| {
        text.replace("| **Status** | 🔄 in_progress |", "| Status | blocked |")
    });
    refused("plan_step_start", 2, "PLAN_STOPPED", "The plan is blocked").await;
    assert!(status(&stand).await.next().contains("ask the person"));
    // What is missing, or there twice, is no step's file.
    edit(&stand, "STATUS.md", |text| {
        text.replace("| Status | blocked |", "| Status | in_progress |")
    });
    step(&stand, "plan_step_start", 2).await;
    std::fs::copy(
        stand.path().join("plans/login/plan/02-form.md"),
        stand.path().join("plans/login/plan/02-other.md"),
    )
    .unwrap();
    refused(
        "plan_step_complete",
        2,
        "STEP_FILE",
        "both the file of step 02",
    )
    .await;
    std::fs::remove_file(stand.path().join("plans/login/plan/02-form.md")).unwrap();
    std::fs::remove_file(stand.path().join("plans/login/plan/02-other.md")).unwrap();
    refused("plan_step_complete", 2, "STEP_FILE", "only it can say").await;
    assert!(status(&stand).await.text.contains("step 02 has no file"));
}

#[tokio::test(start_paused = true)]
async fn a_persons_edits_stay_and_contradictions_are_refused() {
    let stand = setup().stand().await;
    create(&stand, "login", json!(["Schema", "Form"])).await;
    edit(&stand, "STATUS.md", |text| {
        text.replace(
            "## Step Progress",
            "Ann: *mind the sessions.*\n\n## Step Progress",
        )
        .replace(
            "| 01 | Schema | ⬜ pending |",
            "| 1 | **Schema** | ✅ Done |",
        )
        .replace("| **Status** | ⬜ pending |", "| Status | In Progress |")
    });
    let ended = step(&stand, "plan_step_start", 2).await;
    assert!(!ended.error, "{}", ended.text);
    let text = read_file(&stand.path(), "plans/login/STATUS.md");
    assert!(text.contains("Ann: *mind the sessions.*"));
    assert!(text.contains("| 1 | **Schema** | ✅ Done |"), "{text}");
    edit(&stand, "STATUS.md", |text| {
        text.replace("| **Current Step** | 02 |", "| Current Step | 01 |")
    });
    for tool in ["plan_status", "plan_step_add", "plan_step_complete"] {
        let mut arguments = json!({ "code": "login" });
        match tool {
            "plan_step_add" => arguments["title"] = "x".into(),
            "plan_step_complete" => arguments["step"] = 2.into(),
            _ => {}
        }
        let ended = call(&stand, tool, arguments).await;
        assert_eq!(ended.body["error"], "CONTRADICTION");
        let words = "In plans/login: STATUS.md, line 8: the current step is 01, but that step is completed (line 19)";
        assert!(ended.text.contains(words), "{}", ended.text);
    }
    let listed = call(&stand, "plan_list", json!({})).await;
    assert!(
        listed.body["plans"][0]["problem"]
            .as_str()
            .unwrap()
            .contains("line 8")
    );
}

#[tokio::test(start_paused = true)]
async fn which_plan_is_meant() {
    let stand = setup().stand().await;
    let fails = async |arguments: Value, words: &str| {
        let ended = call(&stand, "plan_status", arguments).await;
        let said = ended.message();
        assert!(ended.error && said.contains(words), "{said}");
    };
    fails(json!({}), "there is no plan yet").await;
    create(&stand, "login", json!([])).await;
    fails(json!({}), "there are login").await;
    fails(json!({ "code": "logn" }), "did you mean \"login\"?").await;
    fails(
        json!({ "code": "other", "path": "plans/login" }),
        "names the plan \"login\"",
    )
    .await;
    fails(json!({ "path": "plans" }), "not a plan's folder").await;
    fails(json!({ "path": "../x" }), "outside the workspace").await;
    for directory in ["a", "b"] {
        let arguments = json!({ "code": "twice", "description": "x", "directory": directory });
        call(&stand, "plan_create", arguments).await;
    }
    fails(json!({ "code": "twice" }), "a/twice, b/twice").await;
    let ended = call(&stand, "plan_status", json!({ "path": "b/twice" })).await;
    assert_eq!(ended.body["path"], "b/twice");
}

#[cfg(unix)]
#[tokio::test(start_paused = true)]
async fn no_link_leads_out() {
    use std::os::unix::fs::symlink;
    let stand = setup().stand().await;
    let outer = tempfile::tempdir().unwrap();
    let secret = outer.path().join("secret");
    std::fs::write(&secret, "keep out").unwrap();
    create(&stand, "login", json!(["Schema"])).await;
    let plan = stand.path().join("plans/login");
    let timeline = plan.join(".history/timeline.jsonl");
    std::fs::remove_file(&timeline).unwrap();
    symlink(&secret, &timeline).unwrap();
    let ended = step(&stand, "plan_step_start", 1).await;
    assert!(ended.error && ended.text.contains("link"), "{}", ended.text);
    std::fs::remove_file(&timeline).unwrap();
    std::fs::remove_file(plan.join("STATUS.md")).unwrap();
    symlink(&secret, plan.join("STATUS.md")).unwrap();
    let ended = status(&stand).await;
    assert!(
        ended.error && ended.text.contains("outside"),
        "{}",
        ended.text
    );
    assert_eq!(std::fs::read_to_string(secret).unwrap(), "keep out");
}

#[tokio::test]
async fn of_many_agents_one_gets_the_step() {
    let stand = setup().stand().await;
    create(&stand, "login", json!(["Schema"])).await;
    let calls = (0..8).map(|number| {
        let era = if number % 2 == 0 {
            Era::Legacy
        } else {
            Era::Modern
        };
        let arguments = json!({ "code": "login", "step": 1 });
        stand.run(era, "plan_step_start", arguments, &[])
    });
    let ended = futures::future::join_all(calls).await;
    let won = ended.iter().filter(|ended| !ended.error).count();
    assert_eq!(won, 1);
    for lost in ended.iter().filter(|ended| ended.error) {
        assert_eq!(lost.body["error"], "ALREADY_STARTED");
    }
    let started = history(&stand)
        .into_iter()
        .filter(|line| line["event"] == "step_started");
    assert_eq!(started.count(), 1);
}
