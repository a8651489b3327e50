//! Steps that a person must approve.

use super::{call, create, edit, history};
use crate::setup;
use holdpoint_testkit::{
    Conversation, ERAS, Era, StandSetup, ToolStand, accept, cancel, decline, read_file,
};
use serde_json::{Value, json};

const TOOL: &str = "plan_step_complete";

fn which(step: u32) -> Value {
    json!({ "code": "login", "step": step, "summary": "It is **done**." })
}

/// A plan whose first step is under way, behind a gate.
async fn gated(stand: &ToolStand) {
    let first = json!({ "title": "Schema", "gate": "approval", "acceptanceCriteria": ["Tables are there", "They are tested"] });
    create(stand, "login", json!([first, "Form"])).await;
    let ended = call(
        stand,
        "plan_step_start",
        json!({ "code": "login", "step": 1 }),
    )
    .await;
    assert!(!ended.error, "{}", ended.text);
}

async fn state(stand: &ToolStand) -> Value {
    let ended = call(stand, "plan_status", json!({ "code": "login" })).await;
    ended.body["steps"][0]["status"].clone()
}

#[tokio::test(start_paused = true)]
async fn every_criterion_is_a_box_and_all_must_be_ticked() {
    for era in ERAS {
        let stand = setup().stand().await;
        gated(&stand).await;
        let mut client = Conversation::new(&stand, era).await;
        let asked = stand.asked(&mut client, TOOL, which(1)).await;
        if era == Era::Legacy {
            let shown = (asked.message(), &asked.params["requestedSchema"]);
            insta::assert_json_snapshot!("gate", shown);
        }
        for name in ["criterion_1", "criterion_2"] {
            let field = &asked.properties()[name];
            assert_eq!(field["type"], "boolean");
            assert!(field.get("default").is_none(), "{field}");
        }
        let some = json!({ "criterion_1": true, "criterion_2": false, "notes": "Not the second." });
        let step = client.answer(asked, accept(some)).await;
        let ended = stand.ended(TOOL, step);
        let told = ended.fields(&["status", "proceed", "completed", "unmet", "personNotes"]);
        assert_eq!(
            told,
            json!({ "status": "accepted", "proceed": false, "completed": false, "unmet": ["They are tested"], "personNotes": "Not the second." })
        );
        assert_eq!(state(&stand).await, "in_progress");
        let all = json!({ "criterion_1": true, "criterion_2": true });
        let ended = stand.run(era, TOOL, which(1), &[accept(all)]).await;
        let told = ended.fields(&["status", "proceed", "completed", "startable"]);
        assert_eq!(
            told,
            json!({ "status": "accepted", "proceed": true, "completed": true, "startable": [2] })
        );
        assert_eq!(ended.body["steps"][0]["approved"], true);
        let events: Vec<_> = history(&stand)
            .iter()
            .map(|line| line["event"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(
            events[2..],
            ["step_not_approved", "step_approved", "step_completed"]
        );
        assert_eq!(history(&stand)[3]["askId"], ended.body["askId"]);
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_but_all_boxes_completes_it() {
    for era in ERAS {
        for (reply, status) in [
            (decline(), "declined"),
            (cancel(), "cancelled"),
            (
                accept(json!({ "criterion_1": false, "criterion_2": false })),
                "accepted",
            ),
        ] {
            let stand = setup().stand().await;
            gated(&stand).await;
            let ended = stand.run(era, TOOL, which(1), &[reply]).await;
            assert_eq!(ended.body["status"], status);
            assert_eq!(ended.body["completed"], false);
            assert_eq!(state(&stand).await, "in_progress");
        }
        // An empty accept, a word for a tick, and no person at all.
        let stand = setup().stand().await;
        gated(&stand).await;
        let mut client = Conversation::new(&stand, era).await;
        let mut step = client.call(TOOL, which(1)).await;
        for content in [
            json!({}),
            json!({ "criterion_1": true }),
            json!({ "criterion_1": "yes", "criterion_2": 1 }),
        ] {
            step = client.answer(step.asked(), accept(content)).await;
        }
        let ended = stand.ended(TOOL, step);
        assert_eq!(ended.body["status"], "invalid");
        assert_eq!(state(&stand).await, "in_progress");
        let mut mute = Conversation::with(stand.server.clone(), era, json!({})).await;
        let ended = stand.drive(&mut mute, TOOL, which(1), &[]).await;
        assert_eq!(ended.body["status"], "unreachable");
        assert_eq!(state(&stand).await, "in_progress");
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_shown_is_what_is_completed() {
    for era in ERAS {
        let stand = setup().stand().await;
        gated(&stand).await;
        let mut client = Conversation::new(&stand, era).await;
        let asked = stand.asked(&mut client, TOOL, which(1)).await;
        edit(&stand, "plan/01-schema.md", |text| {
            text.replace("They are tested", "Nothing")
        });
        let all = accept(json!({ "criterion_1": true, "criterion_2": true }));
        let step = client.answer(asked, all).await;
        let ended = stand.ended(TOOL, step);
        assert_eq!(ended.body["error"], "STEP_FILE", "{}", ended.text);
        assert!(ended.text.contains("has changed since it was shown"));
        assert_eq!(state(&stand).await, "in_progress");
    }
}

#[tokio::test(start_paused = true)]
async fn a_gate_that_cannot_be_read_is_shut() {
    let stand = setup().stand().await;
    gated(&stand).await;
    let text = read_file(&stand.path(), "plans/login/plan/01-schema.md");
    let file = stand.path().join("plans/login/plan/01-schema.md");
    for (change, words) in [
        (
            text.replace("gate: approval", "gate: aproval"),
            "neither `approval` nor `none`",
        ),
        (
            text.replace("gate: approval", "gate: approval: x"),
            "is not YAML",
        ),
        (
            text.replacen("---", "--- ", 1).replace("\n---\n", "\n"),
            "front matter",
        ),
    ] {
        std::fs::write(&file, change).unwrap();
        let ended = call(&stand, TOOL, which(1)).await;
        assert!(ended.error && ended.text.contains(words), "{}", ended.text);
    }
    std::fs::remove_file(&file).unwrap();
    let ended = call(&stand, TOOL, which(1)).await;
    assert_eq!(ended.body["error"], "STEP_FILE");
    let many: Vec<_> = (0..20)
        .map(|number| format!("Criterion {number}"))
        .collect();
    let step = json!({ "code": "login", "title": "Many", "gate": "approval", "acceptanceCriteria": many, "needs": [] });
    call(&stand, "plan_step_add", step).await;
    std::fs::write(&file, text).unwrap();
    call(
        &stand,
        "plan_step_start",
        json!({ "code": "login", "step": 3 }),
    )
    .await;
    let ended = call(&stand, TOOL, which(3)).await;
    assert!(
        ended.error && ended.text.contains("a person can be shown 19"),
        "{}",
        ended.text
    );
}

#[tokio::test(start_paused = true)]
async fn a_step_whose_file_cannot_be_read_holds_up_what_needs_it() {
    for era in ERAS {
        let stand = setup().stand().await;
        let gate = json!({ "title": "Schema", "gate": "approval" });
        create(&stand, "login", json!([gate, "Form"])).await;
        edit(&stand, "STATUS.md", |text| {
            text.replace("| 01 | Schema | ⬜ pending |", "| 01 | Schema | ✅ |")
                .replace("| **Status** | ⬜ pending |", "| **Status** | 🔄 |")
        });
        let plan = stand.path().join("plans/login/plan");
        let (file, other) = (plan.join("01-schema.md"), plan.join("01-other.md"));
        let text = std::fs::read_to_string(&file).unwrap();
        let mut client = Conversation::new(&stand, era).await;
        let mut refused = async |words: &str| {
            let status = call(&stand, "plan_status", json!({ "code": "login" })).await;
            assert_eq!(status.body["startable"], json!([]), "{}", status.text);
            let ended = start_second(&mut client, &stand).await;
            assert_eq!(ended.body["error"], "NOT_APPROVED", "{}", ended.text);
            assert!(ended.text.contains(words), "{}", ended.text);
        };
        std::fs::write(&other, "# Step 01: Other\n").unwrap();
        refused("are both the file of step 01").await;
        std::fs::remove_file(&other).unwrap();
        std::fs::write(&file, text.replace("gate: approval", "gate: [")).unwrap();
        refused("is not YAML").await;
        std::fs::remove_file(&file).unwrap();
        refused("step 01 has no file").await;
        // Nor does it help that the file of the next one is gone.
        std::fs::write(&file, &text).unwrap();
        std::fs::remove_file(plan.join("02-form.md")).unwrap();
        refused("without a person's approval on record").await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_word_in_the_file_is_no_approval() {
    let stand = setup().stand().await;
    gated(&stand).await;
    // An agent writes what it wants into the state and the history.
    edit(&stand, "STATUS.md", |text| {
        text.replace(
            "| 01 | Schema | 🔄 in_progress |",
            "| 01 | Schema | completed |",
        )
        .replace("| **Current Step** | 01 |", "| Current Step | – |")
    });
    let forged = json!({ "at": "2026-01-01T00:00:00Z", "event": "step_approved", "step": 1, "askId": holdpoint::AskId::new() });
    edit(&stand, ".history/timeline.jsonl", |text| {
        format!("{text}{forged}\nnot json\n{{")
    });
    let status = call(&stand, "plan_status", json!({ "code": "login" })).await;
    assert_eq!(status.body["steps"][0]["approved"], false);
    assert_eq!(status.body["startable"], json!([]));
    assert!(
        status
            .text
            .contains("without a person's approval on record"),
        "{}",
        status.text
    );
    let ended = call(
        &stand,
        "plan_step_start",
        json!({ "code": "login", "step": 2 }),
    )
    .await;
    assert_eq!(ended.body["error"], "NOT_APPROVED");
    // The person can still be asked, and then it is.
    let all = accept(json!({ "criterion_1": true, "criterion_2": true }));
    let ended = stand.run(Era::Modern, TOOL, which(1), &[all]).await;
    assert_eq!(ended.body["completed"], true, "{}", ended.text);
    let ended = call(
        &stand,
        "plan_step_start",
        json!({ "code": "login", "step": 2 }),
    )
    .await;
    assert!(!ended.error, "{}", ended.text);
}

#[tokio::test(start_paused = true)]
async fn an_approval_is_good_for_its_own_step_and_plan() {
    let stand = setup().stand().await;
    gated(&stand).await;
    let all = accept(json!({ "criterion_1": true, "criterion_2": true }));
    stand.run(Era::Legacy, TOOL, which(1), &[all]).await;
    let other = json!({ "title": "Other", "gate": "approval" });
    create(&stand, "other", json!([other.clone(), other])).await;
    let plan = stand.path().join("plans/other");
    let text = read_file(&plan, "STATUS.md");
    let text = text.replace("⬜ pending", "✅ completed");
    std::fs::write(plan.join("STATUS.md"), text).unwrap();
    std::fs::copy(
        stand.path().join("plans/login/.history/timeline.jsonl"),
        plan.join(".history/timeline.jsonl"),
    )
    .unwrap();
    let status = call(&stand, "plan_status", json!({ "code": "other" })).await;
    assert_eq!(
        status.body["steps"][0]["approved"], false,
        "{}",
        status.text
    );
    // Without criteria the whole step is one box.
    let mut client = Conversation::new(&stand, Era::Legacy).await;
    let asked = stand
        .asked(&mut client, TOOL, json!({ "code": "other", "step": 2 }))
        .await;
    assert_eq!(asked.properties()["approved"]["type"], "boolean");
}

/// Approves the first step of the plan.
async fn approve(stand: &ToolStand) {
    let all = accept(json!({ "criterion_1": true, "criterion_2": true }));
    let ended = stand.run(Era::Legacy, TOOL, which(1), &[all]).await;
    assert_eq!(ended.body["completed"], true, "{}", ended.text);
}

async fn start_second(client: &mut Conversation, stand: &ToolStand) -> holdpoint_testkit::Ended {
    let second = json!({ "code": "login", "step": 2 });
    stand.drive(client, "plan_step_start", second, &[]).await
}

#[tokio::test(start_paused = true)]
async fn an_approval_is_good_for_what_was_shown_and_not_for_another_step_in_its_place() {
    let stand = setup().stand().await;
    gated(&stand).await;
    approve(&stand).await;
    let approval = history(&stand);
    let approval = approval
        .iter()
        .find(|line| line["event"] == "step_approved");
    let approval = approval.unwrap().clone();
    std::fs::remove_dir_all(stand.path().join("plans/login")).unwrap();
    let first = json!({ "title": "Delete the database", "gate": "approval", "acceptanceCriteria": ["It is gone", "So is the backup"] });
    create(&stand, "login", json!([first, "Form"])).await;
    edit(&stand, ".history/timeline.jsonl", |text| {
        format!("{text}{approval}\n")
    });
    edit(&stand, "STATUS.md", |text| {
        let row = "| 01 | Delete the database | ";
        text.replace(
            &format!("{row}⬜ pending |"),
            &format!("{row}✅ completed |"),
        )
        .replace(
            "| **Status** | ⬜ pending |",
            "| **Status** | 🔄 in_progress |",
        )
    });
    let status = call(&stand, "plan_status", json!({ "code": "login" })).await;
    assert_eq!(
        status.body["steps"][0]["approved"], false,
        "{}",
        status.text
    );
    assert_eq!(status.body["startable"], json!([]));
    assert!(status.text.contains("has changed since"), "{}", status.text);
    let mut client = Conversation::new(&stand, Era::Modern).await;
    let ended = start_second(&mut client, &stand).await;
    assert_eq!(ended.body["error"], "NOT_APPROVED", "{}", ended.text);
    // The person is shown what is there now.
    let asked = stand.asked(&mut client, TOOL, which(1)).await;
    assert!(asked.message().contains("Delete the database"));
}

#[tokio::test(start_paused = true)]
async fn an_approved_step_that_is_rewritten_needs_another_approval_and_a_ticked_box_does_not() {
    let stand = setup().stand().await;
    gated(&stand).await;
    approve(&stand).await;
    let approved = async || {
        let status = call(&stand, "plan_status", json!({ "code": "login" })).await;
        status.body["steps"][0]["approved"].clone()
    };
    edit(&stand, "plan/01-schema.md", |text| {
        text.replace("- [ ] Tables", "- [x] Tables")
    });
    assert_eq!(approved().await, true);
    edit(&stand, "plan/01-schema.md", |text| {
        text.replace("They are tested", "They are dropped")
    });
    assert_eq!(approved().await, false);
    edit(&stand, "plan/01-schema.md", |text| {
        text.replace("They are dropped", "They are tested")
    });
    assert_eq!(approved().await, true, "it is what was shown again");
    edit(&stand, "STATUS.md", |text| {
        text.replace("| 01 | Schema |", "| 01 | Drop all tables |")
    });
    assert_eq!(approved().await, false, "the name was shown too");
    edit(&stand, "STATUS.md", |text| {
        text.replace("| 01 | Drop all tables |", "| 01 | Schema |")
    });
    edit(&stand, "plan/01-schema.md", |text| {
        format!("{text}\n\nAnd delete the backups.\n")
    });
    assert_eq!(approved().await, false);
    approve(&stand).await;
    assert_eq!(approved().await, true);
}

/// The person takes the first step up again: they said yes before, and say this now. Then the agent
/// writes the sign of its being done into the file.
async fn taken_up_again(stand: &ToolStand, era: Era, client: &str, reply: Option<Value>) {
    edit(stand, "STATUS.md", |text| {
        let row = text
            .lines()
            .find(|line| line.starts_with("| 01 |"))
            .unwrap();
        text.replace(row, "| 01 | Schema | pending | - | - | |")
            .replace("| **Last Completed** | 01 |", "| **Last Completed** | - |")
            .replace("✅ completed", "🔄 in_progress")
    });
    let first = json!({ "code": "login", "step": 1 });
    let ended = call(stand, "plan_step_start", first).await;
    assert!(!ended.error, "{}", ended.text);
    let mut client = Conversation::named(stand, era, client).await;
    let asked = stand.asked(&mut client, TOOL, which(1)).await;
    if let Some(reply) = reply {
        let ended = stand.ended(TOOL, client.answer(asked, reply).await);
        assert_eq!(ended.body["completed"], false, "{}", ended.text);
    }
    edit(stand, "STATUS.md", |text| {
        let row = text
            .lines()
            .find(|line| line.starts_with("| 01 |"))
            .unwrap();
        text.replace(row, "| 01 | Schema | ✅ | - | - | |")
            .replace("| **Current Step** | 01 |", "| **Current Step** | - |")
    });
    // No line that is missing from the file hides a no.
    let text = read_file(&stand.path(), "plans/login/.history/timeline.jsonl");
    let lines = text.lines().filter(|line| !line.contains("not_approved"));
    let kept: String = lines.map(|line| format!("{line}\n")).collect();
    let file = stand.path().join("plans/login/.history/timeline.jsonl");
    std::fs::write(file, kept).unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_later_no_takes_an_older_yes_back() {
    for era in ERAS {
        let some = json!({ "criterion_1": true, "criterion_2": false });
        for (name, reply) in [
            ("mcpdo-test-client", Some(decline())),
            ("mcpdo-test-client", Some(cancel())),
            ("mcpdo-test-client", Some(accept(some))),
            ("mcpdo-test-client", None),
            ("another-client", Some(decline())),
        ] {
            let stand = setup().stand().await;
            gated(&stand).await;
            approve(&stand).await;
            taken_up_again(&stand, era, name, reply).await;
            let mut client = Conversation::new(&stand, era).await;
            let ended = start_second(&mut client, &stand).await;
            assert_eq!(ended.body["error"], "NOT_APPROVED", "{}", ended.text);
            // A further yes is the last word again.
            approve(&stand).await;
            let ended = start_second(&mut client, &stand).await;
            assert!(!ended.error, "{}", ended.text);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_approval_does_not_cross_to_another_principal() {
    let stand = setup().stand().await;
    gated(&stand).await;
    approve(&stand).await;
    let bobs = stand.server.clone().principal(|_| Some("bob".into()));
    let mut bob = Conversation::new(bobs, Era::Modern).await;
    let arguments = json!({ "code": "login" });
    let status = stand.drive(&mut bob, "plan_status", arguments, &[]).await;
    assert_eq!(
        status.body["steps"][0]["approved"], false,
        "{}",
        status.text
    );
    let ended = start_second(&mut bob, &stand).await;
    assert_eq!(ended.body["error"], "NOT_APPROVED", "{}", ended.text);
    let mut own = Conversation::new(&stand, Era::Modern).await;
    let ended = start_second(&mut own, &stand).await;
    assert!(!ended.error, "{}", ended.text);
}

#[tokio::test]
async fn an_answer_completes_the_step_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let setup = || StandSetup {
        journal: format!("sqlite:{}", folder.path().join("journal.db").display()),
        tokio_clock: false,
        ..setup()
    };
    let before = setup().stand().await;
    gated(&before).await;
    let mut client = Conversation::new(&before, Era::Modern).await;
    let asked = before.asked(&mut client, TOOL, which(1)).await;
    drop(client);
    let ToolStand {
        folder: workspace,
        desk,
        server,
        ..
    } = before;
    drop((desk, server));
    let after = setup().stand_in(workspace).await;
    let mut client = Conversation::new(&after, Era::Modern).await;
    let all = accept(json!({ "criterion_1": true, "criterion_2": true }));
    let step = client.answer(asked, all).await;
    let ended = after.ended(TOOL, step);
    assert_eq!(ended.body["completed"], true, "{}", ended.text);
    assert_eq!(state(&after).await, "completed");
}
