//! The ways to arrive at a plan with the tools, and what stands in the way.

use super::{call, create};
use crate::setup;
use holdpoint::{AskId, ChannelKind, Reply};
use holdpoint_testkit::{Conversation, ERAS, Era, StandSetup, accept, decline, read_file};
use serde_json::{Value, json};
use std::{fs, path::Path};

/// All files below a folder, by name.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap().flatten() {
            if entry.path().is_dir() {
                folders.push(entry.path())
            } else {
                let below = entry.path();
                let below = below.strip_prefix(folder).unwrap();
                found.push(below.to_str().unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

#[tokio::test(start_paused = true)]
async fn all_arguments_make_the_whole_folder() {
    for era in ERAS {
        let stand = setup().stand().await;
        let arguments = json!({
            "code": "add-login", "name": "Add | login", "description": "A login page.\n\n# With sessions",
            "steps": ["Schema", { "title": "The form: part 1/2", "goal": "It renders.", "tasks": ["Draw it"],
                "acceptanceCriteria": ["It is seen", "It is\nsent"], "needs": [], "gate": "approval" }],
        });
        let ended = stand.run(era, "plan_create", arguments.clone(), &[]).await;
        assert!(!ended.error, "{}", ended.text);
        assert_eq!(ended.body["path"], "plans/add-login");
        assert_eq!(ended.body["proceed"], false);
        let plan = stand.path().join("plans/add-login");
        let wanted = [
            ".history/timeline.jsonl",
            "EXECUTION_PLAN.md",
            "STATUS.md",
            "SUMMARY.md",
            "add-login-prompt.md",
            "plan/01-schema.md",
            "plan/02-the-form-part-1-2.md",
        ];
        assert_eq!(files(&plan), wanted);
        let mut told: Vec<_> = ended.body["files"].as_array().unwrap().clone();
        told.sort_by_key(|file| file.as_str().unwrap().to_owned());
        assert_eq!(told, wanted.map(Value::from));
        if era == Era::Legacy {
            let all = wanted[1..]
                .iter()
                .map(|file| format!("=== {file}\n{}", read_file(&plan, file)));
            let all = all.collect::<String>();
            let settled = all.lines().map(|line| {
                if line.starts_with("| **Last Updated**") {
                    "| **Last Updated** | … |"
                } else {
                    line
                }
            });
            insta::assert_snapshot!("plan_files", settled.collect::<Vec<_>>().join("\n"));
        }
        // Once more is refused, and changes nothing.
        let again = stand.run(era, "plan_create", arguments, &[]).await;
        assert_eq!(again.body["error"], "EXISTS");
        assert_eq!(files(&plan), wanted);
        assert!(stand.asks().await.is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_missing_is_asked_for_and_nothing_else() {
    for era in ERAS {
        let stand = setup().stand().await;
        let mut client = Conversation::new(&stand, era).await;
        let arguments = json!({ "description": "A login page.", "steps": 2 });
        let asked = stand.asked(&mut client, "plan_create", arguments).await;
        assert_eq!(asked.properties().as_object().unwrap().len(), 1);
        assert!(asked.message().contains("A login page."));
        // A code that cannot be is asked for again.
        let step = client
            .answer(asked, accept(json!({ "code": "Add Login" })))
            .await;
        let step = client
            .answer(step.asked(), accept(json!({ "code": "login" })))
            .await;
        let ended = stand.ended("plan_create", step);
        assert_eq!(ended.body["status"], "accepted");
        assert_eq!(ended.body["path"], "plans/login");
        assert_eq!(ended.body["proceed"], false);
        assert_eq!(
            files(&stand.path().join("plans/login/plan")),
            ["01-step-1.md", "02-step-2.md"]
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_code_that_is_taken_is_asked_for_again() {
    let stand = setup().stand().await;
    create(&stand, "login", json!([])).await;
    let mut client = Conversation::new(&stand, Era::Modern).await;
    let asked = stand.asked(&mut client, "plan_create", json!({})).await;
    let answer = |code: &str| accept(json!({ "code": code, "description": "x" }));
    let asked = client.answer(asked, answer("login")).await.asked();
    assert!(
        asked.message().contains("There is a plans/login already"),
        "{}",
        asked.message()
    );
    let step = client.answer(asked, answer("login-2")).await;
    assert_eq!(
        stand.ended("plan_create", step).body["path"],
        "plans/login-2"
    );
}

#[tokio::test(start_paused = true)]
async fn nobody_to_ask_is_said_with_what_is_missing() {
    for era in ERAS {
        let stand = setup().stand().await;
        let mut client = Conversation::with(stand.server.clone(), era, json!({})).await;
        let ended = stand
            .drive(&mut client, "plan_create", json!({ "code": "login" }), &[])
            .await;
        assert!(ended.error);
        assert_eq!(ended.body["status"], "unreachable");
        assert_eq!(ended.body["missing"], json!(["description"]));
        assert!(
            ended.next().contains("description missing"),
            "{}",
            ended.next()
        );
        let ended = stand
            .drive(&mut client, "plan_create", json!({}), &[])
            .await;
        assert_eq!(ended.body["missing"], json!(["code", "description"]));
        assert!(!stand.path().join("plans").exists());
        // A person who does not want to say it writes nothing either.
        let ended = stand.run(era, "plan_create", json!({}), &[decline()]).await;
        assert_eq!(ended.body["status"], "declined");
        assert_eq!(ended.body["missing"], json!(["code", "description"]));
        assert!(!stand.path().join("plans").exists());
    }
}

#[tokio::test(start_paused = true)]
async fn the_inbox_answers_where_the_client_cannot() {
    let setup = StandSetup {
        inbox: true,
        ..setup()
    };
    let stand = setup.stand().await;
    let mut client = Conversation::with(stand.server.clone(), Era::Legacy, json!({})).await;
    let ended = stand
        .drive(&mut client, "plan_create", json!({}), &[])
        .await;
    assert_eq!(ended.body["status"], "pending");
    let ask: AskId = ended.body["askId"].as_str().unwrap().parse().unwrap();
    let content = json!({ "code": "login", "description": "A login page." });
    let content = content.as_object().unwrap().clone();
    let from = holdpoint::testing::person(ChannelKind::Inbox, Some("ada"));
    stand
        .desk
        .reply(ask, from, Reply::Accept { content })
        .await
        .unwrap();
    let ended = stand
        .drive(&mut client, "await_answer", json!({ "askId": ask }), &[])
        .await;
    assert_eq!(ended.body["path"], "plans/login");
    assert!(stand.path().join("plans/login/STATUS.md").exists());
}

#[tokio::test(start_paused = true)]
async fn the_tool_that_asks_for_everything_gives_it_back() {
    for era in ERAS {
        let stand = setup().stand().await;
        let mut client = Conversation::new(&stand, era).await;
        let asked = stand
            .asked(&mut client, "elicit_plan_info", json!({}))
            .await;
        assert_eq!(
            asked.params["requestedSchema"]["required"],
            json!(["code", "description"])
        );
        let names: Vec<_> = asked
            .properties()
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect();
        assert_eq!(names, ["code", "description", "directory", "steps"]);
        let outside = json!({ "code": "login", "description": "x", "directory": "../out" });
        let asked = client.answer(asked, accept(outside)).await.asked();
        assert!(
            asked.message().contains("outside the workspace"),
            "{}",
            asked.message()
        );
        let answer = json!({ "code": "login", "description": "A page.", "steps": "Schema\nForm" });
        let step = client.answer(asked, accept(answer)).await;
        let ended = stand.ended("elicit_plan_info", step);
        let told = ended.fields(&["code", "description", "directory", "steps", "proceed"]);
        assert_eq!(
            told,
            json!({ "code": "login", "description": "A page.", "directory": "plans", "steps": "Schema\nForm", "proceed": true })
        );
        assert!(!stand.path().join("plans").exists());
        // And plan_create takes it as it is.
        let mut arguments = told;
        arguments.as_object_mut().unwrap().remove("proceed");
        let ended = call(&stand, "plan_create", arguments).await;
        assert_eq!(ended.body["steps"].as_array().unwrap().len(), 2);
    }
}

#[tokio::test(start_paused = true)]
async fn names_and_folders_are_safe() {
    let stand = setup().stand().await;
    let outer = tempfile::tempdir().unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(outer.path(), stand.path().join("out")).unwrap();
    fs::create_dir_all(stand.path().join("plans")).unwrap();
    fs::write(stand.path().join("plans/taken"), "a person's file").unwrap();
    let check = async |arguments: Value, wanted: &str| {
        let mut all = json!({ "code": "login", "description": "x" });
        all.as_object_mut()
            .unwrap()
            .extend(arguments.as_object().unwrap().clone());
        let ended = call(&stand, "plan_create", all.clone()).await;
        assert!(
            ended.error && ended.text.contains(wanted),
            "{all}: {}",
            ended.text
        );
    };
    check(json!({ "code": "../login" }), "`code`: expected kebab-case").await;
    check(json!({ "code": "a".repeat(65) }), "at most 64 characters").await;
    check(json!({ "directory": "../x" }), "outside the workspace").await;
    check(json!({ "directory": "/tmp" }), "outside the workspace").await;
    for hidden in [
        ".git/x",
        ".git",
        ".GIT",
        "docs/.github",
        ".claude/agents",
        ".holdpoint",
    ] {
        check(json!({ "directory": hidden }), "decides what runs").await;
    }
    #[cfg(unix)]
    {
        check(json!({ "directory": "out" }), "outside the workspace").await;
        check(
            json!({ "directory": "out/deeper" }),
            "outside the workspace",
        )
        .await;
    }
    check(json!({ "code": "taken" }), "There is a plans/taken already").await;
    check(json!({ "steps": 100 }), "at most 99 steps").await;
    check(
        json!({ "description": "x".repeat(4001) }),
        "at most 4000 characters",
    )
    .await;
    check(json!({ "colour": "red" }), "`colour` is not known").await;
    assert_eq!(fs::read_dir(outer.path()).unwrap().count(), 0);
    assert_eq!(fs::read_dir(stand.path().join("plans")).unwrap().count(), 1);
    // Another folder inside is fine, and the plan is found there by its code.
    let arguments = json!({ "code": "login", "description": "x", "directory": "docs/plans/" });
    let ended = call(&stand, "plan_create", arguments).await;
    assert_eq!(ended.body["path"], "docs/plans/login");
    let ended = call(&stand, "plan_status", json!({ "code": "login" })).await;
    assert_eq!(ended.body["path"], "docs/plans/login", "{}", ended.text);
}
