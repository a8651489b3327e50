//! No instruction file: a new one is proposed, created as approved, and removed again.

use super::{FILE, SOURCE, TOOL, act, approved, backups, migrated, read, traces, write, yes};
use crate::setup;
use holdpoint_testkit::{Conversation, ERAS, Era, ToolStand, accept};
use serde_json::{Value, json};
use std::fs;

async fn empty() -> ToolStand {
    setup().stand().await
}

fn there(stand: &ToolStand) -> bool {
    stand.path().join(FILE).exists()
}

#[tokio::test(start_paused = true)]
async fn the_whole_way_without_a_file() {
    for era in ERAS {
        let stand = empty().await;
        fs::write(stand.path().join("Cargo.toml"), "[package]\n").unwrap();
        let found = act(&stand, era, "analyze", &[]).await;
        assert!(!found.error, "{}", found.text);
        assert_eq!(
            found.fields(&["state", "pattern", "problemCount", "error"]),
            json!({ "state": "analyzed", "pattern": "clean", "problemCount": 0, "error": null })
        );
        assert!(found.next().contains("propose"), "{}", found.next());
        let proposed = act(&stand, era, "propose", &[]).await;
        let proposal = &proposed.body["proposal"];
        assert_eq!(proposal["title"], format!("Create {FILE}"));
        assert_eq!(proposal["sourceDigest"], Value::Null);
        assert_eq!(proposal["seen"], json!(["Cargo.toml"]));
        assert!(proposal["resultDigest"].is_string());
        let preview = act(&stand, era, "preview", &[]).await;
        let result = preview.body["result"].as_str().unwrap().to_owned();
        assert!(result.contains("a person should complete it"), "{result}");
        assert!(result.contains("`cargo test`"), "{result}");

        let mut client = Conversation::new(&stand, era).await;
        let asked = stand
            .asked(&mut client, TOOL, json!({ "action": "approve" }))
            .await;
        for line in result.lines().filter(|line| !line.is_empty()) {
            assert!(asked.message().contains(&format!("+{line}")), "{line}");
        }
        let step = client.answer(asked, yes("approve")).await;
        assert_eq!(stand.ended(TOOL, step).body["state"], "approved");
        assert!(!there(&stand) && !stand.path().join(".github").exists());
        // What else comes meanwhile changes nothing about what was approved.
        fs::write(stand.path().join("go.mod"), "module x\n").unwrap();

        let created = act(&stand, era, "migrate", &[yes("migrate")]).await;
        assert_eq!(
            created.fields(&["status", "state", "proceed", "backup"]),
            json!({ "status": "accepted", "state": "completed", "proceed": true, "backup": null })
        );
        assert!(
            created.message().contains("was created"),
            "{}",
            created.text
        );
        assert_eq!(read(&stand.path()), result);
        assert!(backups(&stand.path()).is_empty());
        let status = act(&stand, era, "status", &[]).await;
        assert_eq!(status.body["report"], Value::Null, "{}", status.text);

        let back = act(&stand, era, "rollback", &[yes("rollback")]).await;
        assert_eq!(back.body["state"], "not_started", "{}", back.text);
        assert!(!there(&stand));
        let kept = back.body["backup"].as_str().unwrap();
        assert_eq!(backups(&stand.path())[kept], result);
        // And once more, now of other files.
        migrated(&stand, era).await;
        assert!(read(&stand.path()).contains("`go test ./...`"));
        let verified = stand.desk.journal().verify().await.unwrap();
        assert!(verified.flaws.is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn what_has_appeared_since_is_never_replaced() {
    for era in ERAS {
        let stand = empty().await;
        for action in ["analyze", "propose"] {
            act(&stand, era, action, &[]).await;
        }
        let open = async |action: &str, text: &str| {
            let mut client = Conversation::new(&stand, era).await;
            let asked = stand
                .asked(&mut client, TOOL, json!({ "action": action }))
                .await;
            write(&stand.path(), text);
            let step = client.answer(asked, yes(action)).await;
            stand.ended(TOOL, step)
        };
        // An empty file is a file, too.
        for text in ["", SOURCE] {
            let ended = open("approve", text).await;
            assert_eq!(ended.body["error"], "CHANGED", "{}", ended.text);
            assert_eq!(read(&stand.path()), text);
            fs::remove_file(stand.path().join(FILE)).unwrap();
        }
        approved(&stand, era).await;
        for text in ["", SOURCE] {
            let ended = open("migrate", text).await;
            assert_eq!(
                ended.fields(&["error", "state", "proceed"]),
                json!({ "error": "CHANGED", "state": "approved", "proceed": false })
            );
            assert_eq!(read(&stand.path()), text);
            let ended = act(&stand, era, "migrate", &[]).await;
            assert_eq!(ended.body["error"], "CHANGED", "{}", ended.text);
            fs::remove_file(stand.path().join(FILE)).unwrap();
        }
        assert!(backups(&stand.path()).is_empty());
    }
}

/// A proposal for a text is none for a file that is gone, nor the other way round.
#[tokio::test(start_paused = true)]
async fn a_file_that_is_gone_is_not_migrated() {
    let stand = empty().await;
    write(&stand.path(), SOURCE);
    approved(&stand, Era::Legacy).await;
    fs::remove_file(stand.path().join(FILE)).unwrap();
    let ended = act(&stand, Era::Legacy, "migrate", &[]).await;
    assert_eq!(ended.body["error"], "CHANGED", "{}", ended.text);
    assert!(!there(&stand));
}

#[tokio::test(start_paused = true)]
async fn every_no_creates_and_removes_nothing() {
    for era in ERAS {
        let stand = empty().await;
        approved(&stand, era).await;
        let half = json!({ "confirmed": true, "understood_risks": false });
        act(&stand, era, "migrate", &[accept(half)]).await;
        assert!(!there(&stand) && !stand.path().join(".github").exists());
        act(&stand, era, "migrate", &[yes("migrate")]).await;
        let no = accept(json!({ "confirmed": false }));
        act(&stand, era, "rollback", &[no]).await;
        assert!(there(&stand));
    }
}

#[tokio::test(start_paused = true)]
async fn a_rollback_shows_what_it_removes() {
    for era in ERAS {
        let stand = empty().await;
        migrated(&stand, era).await;
        let edited = format!("{}- My own rule.\n", read(&stand.path()));
        write(&stand.path(), &edited);
        let mut client = Conversation::new(&stand, era).await;
        let asked = stand
            .asked(&mut client, TOOL, json!({ "action": "rollback" }))
            .await;
        for said in ["**removes** it", "has changed since", "-- My own rule."] {
            assert!(asked.message().contains(said), "{}", asked.message());
        }
        // Changed once more, while the person was looking at it.
        write(&stand.path(), &format!("{edited}- And another.\n"));
        let step = client.answer(asked, yes("rollback")).await;
        let ended = stand.ended(TOOL, step);
        assert_eq!(ended.body["error"], "CHANGED", "{}", ended.text);
        assert!(there(&stand));
        write(&stand.path(), &edited);
        let ended = act(&stand, era, "rollback", &[yes("rollback")]).await;
        assert_eq!(ended.body["state"], "not_started", "{}", ended.text);
        assert!(!there(&stand));
        let kept = ended.body["backup"].as_str().unwrap();
        assert_eq!(backups(&stand.path())[kept], edited);
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_gone_already_is_not_removed() {
    let stand = empty().await;
    migrated(&stand, Era::Modern).await;
    fs::remove_file(stand.path().join(FILE)).unwrap();
    let ended = act(&stand, Era::Modern, "rollback", &[]).await;
    assert_eq!(ended.body["error"], "WRONG_STATE", "{}", ended.text);
    assert!(ended.text.contains("gone already"), "{}", ended.text);
    // The way goes on from analyze.
    migrated(&stand, Era::Modern).await;
}

#[tokio::test(start_paused = true)]
async fn every_file_can_be_created() {
    for file in ["AGENTS.md", "CLAUDE.md"] {
        let stand = empty().await;
        write(&stand.path(), SOURCE);
        for action in ["analyze", "propose", "approve", "migrate"] {
            let replies: Vec<_> = match action {
                "approve" | "migrate" => vec![yes(action)],
                _ => vec![],
            };
            let arguments = json!({ "action": action, "file": file });
            let ended = stand.run(Era::Modern, TOOL, arguments, &replies).await;
            assert!(!ended.error, "{file} {action}: {}", ended.text);
        }
        let text = fs::read_to_string(stand.path().join(file)).unwrap();
        assert!(text.contains(FILE), "{text}");
        assert_eq!(read(&stand.path()), SOURCE);
    }
}

/// Whatever has its name is not nothing, and nothing is written through a link.
#[cfg(unix)]
#[tokio::test(start_paused = true)]
async fn what_cannot_be_read_is_not_absent() {
    use std::os::unix::fs::symlink;
    let outside = tempfile::tempdir().unwrap();
    let places: [fn(&std::path::Path, &std::path::Path); 5] = [
        // A link to nothing, to nothing outside, to a folder of another place; a folder; a file
        // for its folder.
        |at, _| symlink("nowhere.md", at.join(FILE)).unwrap(),
        |at, out| symlink(out.join("new.md"), at.join(FILE)).unwrap(),
        |at, out| {
            fs::remove_dir(at.join(".github")).unwrap();
            symlink(out, at.join(".github")).unwrap();
        },
        |at, _| fs::create_dir(at.join(FILE)).unwrap(),
        |at, _| {
            fs::remove_dir(at.join(".github")).unwrap();
            fs::write(at.join(".github"), "").unwrap();
        },
    ];
    for (number, place) in places.into_iter().enumerate() {
        let stand = empty().await;
        fs::create_dir(stand.path().join(".github")).unwrap();
        place(&stand.path(), outside.path());
        let ended = act(&stand, Era::Legacy, "analyze", &[]).await;
        assert_eq!(ended.body["error"], "FILE", "{number}: {}", ended.text);
        // And put there once the creation was approved.
        let stand = empty().await;
        approved(&stand, Era::Legacy).await;
        let mut client = Conversation::new(&stand, Era::Legacy).await;
        let asked = stand
            .asked(&mut client, TOOL, json!({ "action": "migrate" }))
            .await;
        fs::create_dir(stand.path().join(".github")).unwrap();
        place(&stand.path(), outside.path());
        let step = client.answer(asked, yes("migrate")).await;
        let ended = stand.ended(TOOL, step);
        assert!(ended.error, "{number}: {}", ended.text);
        assert_eq!(ended.body["proceed"], false);
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0, "{number}");
        assert!(!stand.path().join("nowhere.md").exists());
    }
}

#[cfg(unix)]
#[tokio::test(start_paused = true)]
async fn a_link_in_the_place_of_a_created_file_is_not_removed() {
    let stand = empty().await;
    migrated(&stand, Era::Legacy).await;
    let (file, own) = (stand.path().join(FILE), stand.path().join("own.md"));
    fs::rename(&file, &own).unwrap();
    std::os::unix::fs::symlink("../own.md", &file).unwrap();
    let ended = act(&stand, Era::Legacy, "rollback", &[yes("rollback")]).await;
    assert_eq!(ended.body["error"], "FILE", "{}", ended.text);
    assert!(own.exists() && file.is_symlink());
}

#[tokio::test(start_paused = true)]
async fn its_asks_leave_traces() {
    let stand = empty().await;
    migrated(&stand, Era::Modern).await;
    act(&stand, Era::Modern, "rollback", &[yes("rollback")]).await;
    let answered = traces(&stand.path());
    let accepted = answered
        .values()
        .filter(|trace| trace["response"]["action"] == "accept");
    assert_eq!((answered.len(), accepted.count()), (3, 3));
}
