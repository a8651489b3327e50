//! From analyze to rollback.

use super::{FILE, SOURCE, TOOL, act, approved, backups, migrated, read, stand, write, yes};
use crate::setup;
use holdpoint_testkit::{Conversation, ERAS, Era, StandSetup, ToolStand, accept, cancel, decline};
use serde_json::{Value, json};
use std::time::Duration;

#[tokio::test(start_paused = true)]
async fn the_whole_way() {
    for era in ERAS {
        let stand = stand().await;
        let status = act(&stand, era, "status", &[]).await;
        assert_eq!(status.body["state"], "not_started");
        let found = act(&stand, era, "analyze", &[]).await;
        assert_eq!(found.body["state"], "analyzed");
        assert_eq!(found.body["pattern"], "messy");
        let problems: Vec<_> = found.body["problems"]
            .as_array()
            .unwrap()
            .iter()
            .map(|problem| json!([problem["kind"], problem["lines"]]))
            .collect();
        assert_eq!(
            json!(problems),
            json!([
                ["contradiction", [11, 13]],
                ["duplication", [17, 18]],
                ["unclear", [12]],
            ])
        );
        assert_eq!(found.body["explanation"]["by"], "holdpoint");
        let proposed = act(&stand, era, "propose", &[]).await;
        assert_eq!(proposed.body["state"], "proposed");
        assert_eq!(proposed.body["proposal"]["risk"], "medium");
        let preview = act(&stand, era, "preview", &[]).await;
        let result = preview.body["result"].as_str().unwrap().to_owned();
        assert!(
            preview.body["diff"]
                .as_str()
                .unwrap()
                .contains("+## To be settled")
        );
        let comment = accept(json!({ "approved": true, "comment": "Go." }));
        let approved = act(&stand, era, "approve", &[comment]).await;
        assert_eq!(
            approved.fields(&["status", "state", "proceed", "comment"]),
            json!({ "status": "accepted", "state": "approved", "proceed": true, "comment": "Go." })
        );
        assert_eq!(read(&stand.path()), SOURCE);
        let migrated = act(&stand, era, "migrate", &[yes("migrate")]).await;
        assert_eq!(
            migrated.fields(&["status", "state", "proceed"]),
            json!({ "status": "accepted", "state": "completed", "proceed": true })
        );
        assert_eq!(read(&stand.path()), result);
        let backup = migrated.body["backup"].as_str().unwrap();
        assert_eq!(backups(&stand.path())[backup], SOURCE);
        let again = act(&stand, era, "migrate", &[]).await;
        assert_eq!(again.body["error"], "WRONG_STATE");
        let back = act(&stand, era, "rollback", &[yes("rollback")]).await;
        assert_eq!(
            back.fields(&["status", "state", "proceed"]),
            json!({ "status": "accepted", "state": "not_started", "proceed": true })
        );
        assert_eq!(read(&stand.path()), SOURCE);
        let kept = back.body["backup"].as_str().unwrap();
        assert_eq!(backups(&stand.path())[kept], result);
        // The way goes on from analyze, and the journal is whole.
        super::migrated(&stand, era).await;
        assert!(
            stand
                .desk
                .journal()
                .verify()
                .await
                .unwrap()
                .flaws
                .is_empty()
        );
    }
}

#[tokio::test(start_paused = true)]
async fn the_migrated_file() {
    let stand = stand().await;
    migrated(&stand, Era::Legacy).await;
    insta::assert_snapshot!("migrated", read(&stand.path()));
}

/// What a person says and what comes of it.
async fn check(stand: &ToolStand, era: Era, action: &str, reply: Value, expected: Value) {
    let ended = act(stand, era, action, std::slice::from_ref(&reply)).await;
    let told = ended.fields(&["status", "state", "comment"]);
    assert_eq!(told, expected, "{era:?} {action} {reply}");
    assert_eq!(ended.body["proceed"], false);
}

#[tokio::test(start_paused = true)]
async fn every_no_is_a_no() {
    let no = "No comment provided";
    for era in ERAS {
        let stand = stand().await;
        for action in ["analyze", "propose"] {
            act(&stand, era, action, &[]).await;
        }
        let told = |status: &str, state: &str, comment: Value| json!({ "status": status, "state": state, "comment": comment });
        // Closing the form throws no proposal away, whatever the client calls it.
        for (reply, status, comment) in [
            (cancel(), "cancelled", Value::Null),
            (decline(), "declined", json!(no)),
        ] {
            let expected = told(status, "proposed", comment);
            check(&stand, era, "approve", reply, expected).await;
            let preview = act(&stand, era, "preview", &[]).await;
            assert_eq!(preview.body["state"], "proposed", "{}", preview.text);
        }
        let not = accept(json!({ "approved": false, "comment": "Not like this." }));
        check(
            &stand,
            era,
            "approve",
            not,
            told("declined", "rejected", json!("Not like this.")),
        )
        .await;
        let ended = act(&stand, era, "approve", &[]).await;
        assert_eq!(ended.body["error"], "WRONG_STATE");
        let ended = act(&stand, era, "propose", &[]).await;
        assert_eq!(ended.body["error"], "WRONG_STATE");
        for action in ["analyze", "propose"] {
            act(&stand, era, action, &[]).await;
        }
        let plain_no = accept(json!({ "approved": false }));
        check(
            &stand,
            era,
            "approve",
            plain_no,
            told("declined", "rejected", json!(no)),
        )
        .await;
        approved(&stand, era).await;
        for half in [
            json!({ "confirmed": true, "understood_risks": false }),
            json!({ "confirmed": false, "understood_risks": true }),
        ] {
            check(
                &stand,
                era,
                "migrate",
                accept(half),
                told("declined", "approved", json!(no)),
            )
            .await;
        }
        check(
            &stand,
            era,
            "migrate",
            decline(),
            told("declined", "approved", json!(no)),
        )
        .await;
        check(
            &stand,
            era,
            "migrate",
            cancel(),
            told("cancelled", "approved", Value::Null),
        )
        .await;
        assert_eq!(read(&stand.path()), SOURCE);
        check(
            &stand,
            era,
            "skip",
            accept(json!({ "confirmed": false })),
            told("declined", "approved", json!(no)),
        )
        .await;
        let ended = act(&stand, era, "migrate", &[yes("migrate")]).await;
        assert_eq!(ended.body["state"], "completed");
        let result = read(&stand.path());
        check(
            &stand,
            era,
            "rollback",
            accept(json!({ "confirmed": false })),
            told("declined", "completed", json!(no)),
        )
        .await;
        assert_eq!(read(&stand.path()), result);
    }
}

#[tokio::test(start_paused = true)]
async fn skipping_asks_and_marks_the_file() {
    for era in ERAS {
        let stand = stand().await;
        let ended = act(&stand, era, "skip", &[yes("skip")]).await;
        assert_eq!(
            ended.fields(&["status", "state"]),
            json!({ "status": "accepted", "state": "skipped" })
        );
        let ended = act(&stand, era, "propose", &[]).await;
        assert_eq!(ended.body["error"], "WRONG_STATE");
        let ended = act(&stand, era, "analyze", &[]).await;
        assert!(
            ended.next().contains("leave this file alone"),
            "{}",
            ended.next()
        );
        assert_eq!(read(&stand.path()), SOURCE);
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_approved_is_all_that_is_written() {
    for era in ERAS {
        let stand = stand().await;
        approved(&stand, era).await;
        write(&stand.path(), &format!("{SOURCE}- One more.\n"));
        let ended = act(&stand, era, "migrate", &[]).await;
        assert_eq!(ended.body["error"], "CHANGED", "{:?}", ended.body);
        // Changed while the person was looking at it.
        write(&stand.path(), SOURCE);
        let mut client = Conversation::new(&stand, era).await;
        let asked = stand
            .asked(&mut client, TOOL, json!({ "action": "migrate" }))
            .await;
        let other = format!("{SOURCE}- Another.\n");
        write(&stand.path(), &other);
        let step = client.answer(asked, yes("migrate")).await;
        let ended = stand.ended(TOOL, step);
        assert_eq!(ended.body["error"], "CHANGED", "{:?}", ended.body);
        assert_eq!(read(&stand.path()), other);
        assert!(backups(&stand.path()).is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn of_two_that_were_asked_one_migrates() {
    let stand = stand().await;
    approved(&stand, Era::Modern).await;
    let mut one = Conversation::new(&stand, Era::Modern).await;
    let mut two = Conversation::new(&stand, Era::Legacy).await;
    let first = stand
        .asked(&mut one, TOOL, json!({ "action": "migrate" }))
        .await;
    let second = stand
        .asked(
            &mut two,
            TOOL,
            json!({ "action": "migrate", "timeoutSeconds": 200 }),
        )
        .await;
    let step = one.answer(first, yes("migrate")).await;
    assert_eq!(stand.ended(TOOL, step).body["state"], "completed");
    let step = two.answer(second, yes("migrate")).await;
    let ended = stand.ended(TOOL, step);
    assert_eq!(ended.body["error"], "OVERTAKEN", "{:?}", ended.body);
    assert_eq!(backups(&stand.path()).len(), 1);
}

#[tokio::test(start_paused = true)]
async fn approvals_and_rollbacks_have_their_time() {
    let stand = stand().await;
    approved(&stand, Era::Legacy).await;
    tokio::time::sleep(Duration::from_secs(86_401)).await;
    let ended = act(&stand, Era::Legacy, "migrate", &[]).await;
    assert_eq!(
        ended.fields(&["error", "state"]),
        json!({ "error": "WRONG_STATE", "state": "proposed" })
    );
    let ended = act(&stand, Era::Legacy, "approve", &[yes("approve")]).await;
    assert_eq!(ended.body["state"], "approved");
    act(&stand, Era::Legacy, "migrate", &[yes("migrate")]).await;
    tokio::time::sleep(Duration::from_secs(7 * 86_400 + 1)).await;
    let ended = act(&stand, Era::Legacy, "rollback", &[]).await;
    assert_eq!(ended.body["error"], "TOO_LATE");
}

#[tokio::test(start_paused = true)]
async fn a_rollback_shows_what_it_undoes_and_trusts_no_backup() {
    let stand = stand().await;
    let ended = migrated(&stand, Era::Legacy).await;
    let edited = format!("{}- My own rule.\n", read(&stand.path()));
    write(&stand.path(), &edited);
    let mut client = Conversation::new(&stand, Era::Legacy).await;
    let asked = stand
        .asked(&mut client, TOOL, json!({ "action": "rollback" }))
        .await;
    assert!(asked.message().contains("Current changes will be lost"));
    assert!(asked.message().contains("has changed since"));
    assert!(
        asked.message().contains("-- My own rule."),
        "{}",
        asked.message()
    );
    let step = client.answer(asked, decline()).await;
    stand.ended(TOOL, step);
    let backup = stand.path().join(ended.body["backup"].as_str().unwrap());
    std::fs::write(&backup, "forged").unwrap();
    let ended = act(&stand, Era::Legacy, "rollback", &[]).await;
    assert_eq!(ended.body["error"], "FILE", "{:?}", ended.body);
    assert!(
        ended.text.contains("not what was backed up"),
        "{}",
        ended.text
    );
    std::fs::write(&backup, SOURCE).unwrap();
    let ended = act(&stand, Era::Legacy, "rollback", &[yes("rollback")]).await;
    assert_eq!(ended.body["proceed"], true);
    assert!(backups(&stand.path()).values().any(|kept| *kept == edited));
    assert_eq!(read(&stand.path()), SOURCE);
}

#[tokio::test]
async fn a_yes_faster_than_a_person_migrates_nothing() {
    for era in ERAS {
        let record = tempfile::tempdir().unwrap();
        let setup = StandSetup {
            journal: format!("sqlite:{}", record.path().join("journal.db").display()),
            ..setup()
        };
        let patient = setup.clone().stand().await;
        write(&patient.path(), SOURCE);
        approved(&patient, era).await;
        let setup = StandSetup {
            settings: holdpoint::Settings::default(),
            ..setup
        };
        let stand = setup.stand_in(patient.folder).await;
        for action in ["migrate", "skip"] {
            let ended = act(&stand, era, action, &[yes(action)]).await;
            assert_eq!(
                ended.fields(&["status", "error"]),
                json!({ "status": "unreachable", "error": "USER_APPROVAL_REQUIRED" })
            );
        }
        assert_eq!(read(&stand.path()), SOURCE);
    }
}

#[tokio::test(start_paused = true)]
async fn three_files_and_no_other() {
    let stand = stand().await;
    std::fs::write(stand.path().join("AGENTS.md"), "- Use tabs.\n").unwrap();
    let run = async |arguments: Value| stand.run(Era::Legacy, TOOL, arguments, &[]).await;
    let ended = run(json!({ "action": "analyze", "file": "AGENTS.md" })).await;
    assert_eq!(
        ended.fields(&["state", "file"]),
        json!({ "state": "analyzed", "file": "AGENTS.md" })
    );
    let ended = run(json!({ "action": "status" })).await;
    assert_eq!(
        ended.fields(&["state", "file"]),
        json!({ "state": "not_started", "file": FILE })
    );
    let ended = run(json!({ "action": "analyze", "file": "CLAUDE.md" })).await;
    assert!(ended.next().contains("AGENTS.md"), "{}", ended.next());
    for wrong in [
        json!({ "action": "analyze", "file": "../x.md" }),
        json!({ "action": "delete" }),
        json!({}),
    ] {
        assert_eq!(run(wrong).await.body["error"], "INVALID_ARGUMENTS");
    }
}

#[tokio::test(start_paused = true)]
async fn files_far_larger_than_any_memory_are_refused_and_never_replaced() {
    let stand = stand().await;
    let ended = migrated(&stand, Era::Legacy).await;
    let grow = |file: &str| {
        let huge = std::fs::File::create(stand.path().join(file)).unwrap();
        huge.set_len(1 << 42).unwrap();
    };
    let refused = async || {
        let ended = act(&stand, Era::Legacy, "rollback", &[]).await;
        assert_eq!(ended.body["error"], "FILE", "{:?}", ended.body);
        let said = "it has 4398046511104 bytes, and at most 4194304 are read";
        assert!(ended.text.contains(said), "{}", ended.text);
    };
    grow(FILE);
    refused().await;
    let size = stand.path().join(FILE).metadata().unwrap().len();
    assert_eq!(size, 1 << 42);
    grow(ended.body["backup"].as_str().unwrap());
    refused().await;
    grow(".copilot-state/onboarding.json");
    let status = act(&stand, Era::Legacy, "status", &[]).await;
    assert_eq!(status.body["state"], "completed", "{}", status.text);
}
