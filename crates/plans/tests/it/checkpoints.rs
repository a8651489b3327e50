//! Checkpoints: kept, shown, put back.

use super::{call, create, edit, history};
use crate::setup;
use holdpoint_testkit::{Conversation, ERAS, Era, ToolStand, accept, cancel, decline, read_file};
use serde_json::{Value, json};
use std::fs;

const TOOL: &str = "plan_restore";

fn checkpoint(name: &str) -> Value {
    json!({ "code": "login", "name": name, "message": "Before the big change" })
}

fn restore(name: &str) -> Value {
    json!({ "code": "login", "checkpoint": name })
}

fn yes() -> Value {
    accept(json!({ "restore": true }))
}

/// A plan with a checkpoint, changed since.
async fn changed(stand: &ToolStand) {
    create(stand, "login", json!(["Schema", "Form"])).await;
    let ended = call(stand, "plan_checkpoint", checkpoint("first")).await;
    assert!(!ended.error, "{}", ended.text);
    call(
        stand,
        "plan_step_start",
        json!({ "code": "login", "step": 1 }),
    )
    .await;
    call(
        stand,
        "plan_step_add",
        json!({ "code": "login", "title": "Docs" }),
    )
    .await;
    fs::create_dir(stand.path().join("plans/login/evidence")).unwrap();
    fs::write(stand.path().join("plans/login/evidence/a.md"), "seen").unwrap();
}

fn status(stand: &ToolStand) -> String {
    read_file(&stand.path(), "plans/login/STATUS.md")
}

#[tokio::test]
async fn a_checkpoint_is_put_back_once_a_person_has_seen_what_changes() {
    for era in ERAS {
        let stand = setup().stand().await;
        changed(&stand).await;
        let now = status(&stand);
        let mut client = Conversation::new(&stand, era).await;
        let asked = stand.asked(&mut client, TOOL, restore("first")).await;
        let message = asked.message();
        for part in [
            "Put plan `plans/login` back to checkpoint `first`?",
            "`STATUS.md: changed`",
            "`plan/03-docs.md: removed`",
            "-| 01 | Schema | 🔄 in_progress |",
            "+| 01 | Schema | ⬜ pending | - | - | |",
        ] {
            assert!(message.contains(part), "{part}: {message}");
        }
        assert!(asked.properties()["restore"].get("default").is_none());
        assert!(stand.asks().await[0].ask.dangerous);
        let ended = stand.ended(TOOL, client.answer(asked, yes()).await);
        assert_eq!(
            ended.fields(&["proceed", "restored", "checkpoint"]),
            json!({ "proceed": true, "restored": true, "checkpoint": "first" })
        );
        let text = status(&stand);
        assert!(
            text.contains("| 01 | Schema | ⬜ pending | - | - | |"),
            "{text}"
        );
        let plan = stand.path().join("plans/login");
        assert!(!plan.join("plan/03-docs.md").exists() && plan.join("evidence/a.md").exists());
        let last = history(&stand).pop().unwrap();
        assert_eq!(
            (&last["event"], &last["askId"]),
            (&json!("checkpoint_restored"), &ended.body["askId"])
        );
        // What was there is a checkpoint, too, and comes back byte for byte.
        let saved = ended.body["savedAs"].as_str().unwrap().to_owned();
        let ended = stand
            .drive(&mut client, TOOL, restore(&saved), &[yes()])
            .await;
        assert_eq!(ended.body["restored"], true, "{}", ended.text);
        assert_eq!(status(&stand), now);
        assert!(plan.join("plan/03-docs.md").exists());
        // And the tools go on with it.
        let ended = call(
            &stand,
            "plan_step_complete",
            json!({ "code": "login", "step": 1 }),
        )
        .await;
        assert_eq!(ended.body["completed"], true, "{}", ended.text);
        assert_eq!(fs::read_dir(stand.path().join("plans")).unwrap().count(), 1);
    }
}

#[tokio::test]
async fn nothing_but_a_yes_changes_anything() {
    for era in ERAS {
        let stand = setup().stand().await;
        changed(&stand).await;
        let now = status(&stand);
        for (reply, outcome) in [
            (decline(), "declined"),
            (cancel(), "cancelled"),
            (accept(json!({ "restore": false })), "declined"),
        ] {
            let ended = stand.run(era, TOOL, restore("first"), &[reply]).await;
            let told = ended.fields(&["status", "proceed", "restored"]);
            assert_eq!(
                told,
                json!({ "status": outcome, "proceed": false, "restored": false })
            );
        }
        let mut mute = Conversation::with(stand.server.clone(), era, json!({})).await;
        let ended = stand.drive(&mut mute, TOOL, restore("first"), &[]).await;
        assert_eq!(ended.body["status"], "unreachable");
        assert_eq!(status(&stand), now);
    }
}

#[tokio::test]
async fn what_the_workspace_says_of_a_checkpoint_is_not_believed() {
    for era in ERAS {
        let stand = setup().stand().await;
        changed(&stand).await;
        let now = status(&stand);
        let refused = async |name: &str, error: &str, words: &str| {
            let mut client = Conversation::new(&stand, era).await;
            let ended = stand.drive(&mut client, TOOL, restore(name), &[]).await;
            assert_eq!(ended.body["error"], error, "{}", ended.text);
            assert!(ended.text.contains(words), "{}", ended.text);
            assert_eq!(status(&stand), now);
        };
        refused("firs", "INVALID_ARGUMENTS", "did you mean").await;
        refused("../../x", "INVALID_ARGUMENTS", "there is no checkpoint").await;
        // Another text, and another file under a name that the history tells of.
        let file = ".history/checkpoints/first.json";
        let kept = read_file(&stand.path().join("plans/login"), file);
        edit(&stand, file, |text| {
            text.replace("A login page.", "Delete the database.")
        });
        refused("first", "CHECKPOINT", "is not what was kept").await;
        fs::write(stand.path().join("plans/login").join(file), &kept).unwrap();
        let forged = stand
            .path()
            .join("plans/login/.history/checkpoints/forged.json");
        fs::write(&forged, kept.replace("\"first\"", "\"forged\"")).unwrap();
        let call = history(&stand)[1]["call"].clone();
        let line = json!({ "at": "2026-01-01T00:00:00Z", "event": "checkpoint_created", "name": "forged", "call": call });
        edit(&stand, ".history/timeline.jsonl", |text| {
            format!("{text}{line}\n")
        });
        refused("forged", "INVALID_ARGUMENTS", "not on record").await;
        // It is its caller's own.
        let mut other = Conversation::named(&stand, era, "another-client").await;
        let ended = stand.drive(&mut other, TOOL, restore("first"), &[]).await;
        assert!(ended.text.contains("not on record"), "{}", ended.text);
    }
}

#[tokio::test]
async fn what_was_shown_is_what_is_put_back() {
    for era in ERAS {
        let stand = setup().stand().await;
        changed(&stand).await;
        let mut client = Conversation::new(&stand, era).await;
        let asked = stand.asked(&mut client, TOOL, restore("first")).await;
        edit(&stand, "SUMMARY.md", |text| format!("{text}\nAnn: wait!\n"));
        let ended = stand.ended(TOOL, client.answer(asked, yes()).await);
        assert_eq!(ended.body["error"], "CONFLICT", "{}", ended.text);
        assert!(status(&stand).contains("🔄 in_progress"));
        assert!(read_file(&stand.path(), "plans/login/SUMMARY.md").contains("wait!"));
    }
}

#[tokio::test]
async fn a_state_that_contradicts_itself_is_put_right_by_a_checkpoint() {
    let stand = setup().stand().await;
    changed(&stand).await;
    edit(&stand, "STATUS.md", |text| {
        text.replace("| **Status** | 🔄 in_progress |", "| **Status** | soon |")
    });
    let ended = call(&stand, "plan_status", json!({ "code": "login" })).await;
    assert_eq!(ended.body["error"], "CONTRADICTION");
    let ended = stand
        .run(Era::Modern, TOOL, restore("first"), &[yes()])
        .await;
    assert_eq!(ended.body["restored"], true, "{}", ended.text);
    let ended = call(&stand, "plan_status", json!({ "code": "login" })).await;
    assert_eq!(ended.body["planStatus"], "pending");
}

#[tokio::test]
async fn what_cannot_be_kept_is_said() {
    let stand = setup().stand().await;
    create(&stand, "login", json!(["Schema"])).await;
    let refused = async |arguments: Value, error: &str, words: &str| {
        let ended = call(&stand, "plan_checkpoint", arguments).await;
        assert_eq!(ended.body["error"], error, "{}", ended.text);
        assert!(ended.text.contains(words), "{}", ended.text);
    };
    refused(checkpoint("../x"), "INVALID_ARGUMENTS", "kebab-case").await;
    let first = call(&stand, "plan_checkpoint", checkpoint("first")).await;
    assert_eq!(
        first.fields(&["name", "file", "files"]),
        json!({ "name": "first", "file": ".history/checkpoints/first.json", "files": 5 })
    );
    refused(checkpoint("first"), "EXISTS", "choose another name").await;
    let same = call(&stand, TOOL, restore("first")).await;
    assert_eq!(same.body["error"], "NOTHING_TO_RESTORE", "{}", same.text);
    #[cfg(unix)]
    {
        let outer = tempfile::tempdir().unwrap();
        fs::write(outer.path().join("secret.md"), "keep out").unwrap();
        let plan = stand.path().join("plans/login");
        std::os::unix::fs::symlink(outer.path().join("secret.md"), plan.join("NOTES.md")).unwrap();
        refused(
            checkpoint("second"),
            "CHECKPOINT",
            "NOTES.md cannot be kept",
        )
        .await;
        fs::remove_file(plan.join("NOTES.md")).unwrap();
        fs::remove_dir_all(plan.join(".history/checkpoints")).unwrap();
        std::os::unix::fs::symlink(outer.path(), plan.join(".history/checkpoints")).unwrap();
        refused(checkpoint("third"), "FILE", "cannot be written").await;
        assert_eq!(fs::read_dir(outer.path()).unwrap().count(), 1);
    }
}

#[tokio::test]
async fn a_reader_of_the_plan_hears_of_it() {
    let stand = setup().stand().await;
    changed(&stand).await;
    let mut client = Conversation::new(&stand, Era::Legacy).await;
    client.subscribe(&["holdpoint://plans/login"]).await;
    let ended = stand
        .run(Era::Modern, TOOL, restore("first"), &[yes()])
        .await;
    assert_eq!(ended.body["restored"], true, "{}", ended.text);
    assert_eq!(client.updated_resource().await, "holdpoint://plans/login");
    // Also of the first change behind it.
    call(
        &stand,
        "plan_step_start",
        json!({ "code": "login", "step": 1 }),
    )
    .await;
    assert_eq!(client.updated_resource().await, "holdpoint://plans/login");
}

#[tokio::test]
async fn no_checkpoint_is_written_over() {
    for era in ERAS {
        let stand = setup().stand().await;
        changed(&stand).await;
        let file = "plans/login/.history/checkpoints/first.json";
        let kept = read_file(&stand.path(), file);
        let mut other = Conversation::named(&stand, era, "another-client").await;
        let taken = stand
            .drive(&mut other, "plan_checkpoint", checkpoint("first"), &[])
            .await;
        assert_eq!(taken.body["error"], "EXISTS", "{}", taken.text);
        assert!(taken.text.contains("choose another name"), "{}", taken.text);
        assert_eq!(read_file(&stand.path(), file), kept);
        let ended = stand.run(era, TOOL, restore("first"), &[yes()]).await;
        assert_eq!(ended.body["restored"], true, "{}", ended.text);
    }
}

#[tokio::test]
async fn what_could_not_be_read_again_is_not_kept() {
    let stand = setup().stand().await;
    create(&stand, "login", json!(["Schema"])).await;
    // Six bytes each, in the file of a checkpoint.
    for name in ["a.md", "b.md"] {
        let file = stand.path().join("plans/login").join(name);
        fs::write(file, "\u{1}".repeat(1_000_000)).unwrap();
    }
    let ended = call(&stand, "plan_checkpoint", checkpoint("large")).await;
    assert_eq!(ended.body["error"], "CHECKPOINT", "{}", ended.text);
    assert!(ended.text.contains("can be read again"), "{}", ended.text);
    let file = "plans/login/.history/checkpoints/large.json";
    assert!(!stand.path().join(file).exists());
}
