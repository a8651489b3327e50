//! `onboarding.json` is a report: whatever is written there, the record counts.

use super::{SOURCE, act, approved, migrated, read, stand, write, yes};
use holdpoint_testkit::{Era, ToolStand};
use serde_json::{Value, json};
use std::fs;

const REPORT: &str = ".copilot-state/onboarding.json";

fn report(stand: &ToolStand) -> Value {
    serde_json::from_slice(&fs::read(stand.path().join(REPORT)).unwrap()).unwrap()
}

fn forge(stand: &ToolStand, report: &Value) {
    fs::write(stand.path().join(REPORT), report.to_string()).unwrap();
}

/// What the tool says and does, without what differs from run to run.
async fn story(forged: &dyn Fn(&ToolStand, usize)) -> Vec<Value> {
    let stand = stand().await;
    let mut story = Vec::new();
    let steps = [
        ("status", None),
        ("migrate", None),
        ("rollback", None),
        ("analyze", None),
        ("status", None),
        ("approve", None),
        ("propose", None),
        ("migrate", None),
        ("approve", Some(yes("approve"))),
        ("status", None),
        ("migrate", Some(yes("migrate"))),
        ("migrate", None),
        ("status", None),
        ("rollback", Some(yes("rollback"))),
        ("status", None),
    ];
    for (number, (action, reply)) in steps.into_iter().enumerate() {
        forged(&stand, number);
        let replies: Vec<_> = reply.into_iter().collect();
        let ended = act(&stand, Era::Legacy, action, &replies).await;
        story.push(ended.fields(&[
            "status",
            "state",
            "error",
            "pattern",
            "problems",
            "problemCount",
            "proceed",
        ]));
        story.push(json!(read(&stand.path())));
    }
    story
}

#[tokio::test(start_paused = true)]
async fn forging_any_field_has_no_effect() {
    let honest = story(&|_, _| ()).await;
    // A report with every field in it.
    let stand = stand().await;
    migrated(&stand, Era::Legacy).await;
    let whole = report(&stand);
    let fields: Vec<String> = whole.as_object().unwrap().keys().cloned().collect();
    for wanted in [
        "version",
        "status",
        "pattern",
        "times",
        "problems",
        "proposal",
        "backup",
        "rollback",
        "migration",
        "grant",
        "source",
        "file",
    ] {
        assert!(
            fields.iter().any(|field| field == wanted),
            "{wanted} in {fields:?}"
        );
    }
    let grant = json!("01890000-0000-7000-8000-000000000000");
    let digest = json!("00".repeat(32));
    let values = |field: &str| -> Vec<Value> {
        match field {
            "status" => [
                "not_started",
                "analyzed",
                "proposed",
                "approved",
                "completed",
                "rejected",
                "skipped",
            ]
            .map(Value::from)
            .to_vec(),
            "pattern" => vec![json!("clean"), Value::Null],
            "grant" => vec![grant.clone(), Value::Null],
            "source" => vec![digest.clone()],
            "backup" => vec![json!("../../etc/passwd"), json!("README.md")],
            "version" => vec![json!(2)],
            "file" => vec![json!("AGENTS.md")],
            "problems" => vec![json!([])],
            "times" => vec![json!({}), json!({ "approved": "2020-01-01T00:00:00Z" })],
            "proposal" | "migration" => {
                let mut forged = whole[field].clone();
                for key in ["sourceDigest", "resultDigest", "result"] {
                    if forged.get(key).is_some() {
                        forged[key] = digest.clone();
                    }
                }
                if field == "migration" {
                    forged["backup"]["path"] = json!("README.md");
                    forged["until"] = json!("2099-01-01T00:00:00Z");
                }
                vec![forged, Value::Null]
            }
            _ => vec![Value::Null, json!("forged"), json!({})],
        }
    };
    for field in &fields {
        for value in values(field) {
            let forged = |stand: &ToolStand, _: usize| {
                fs::create_dir_all(stand.path().join(".copilot-state")).unwrap();
                let there = stand.path().join(REPORT).exists();
                let mut report = if there { report(stand) } else { whole.clone() };
                report[field] = value.clone();
                forge(stand, &report);
            };
            assert_eq!(story(&forged).await, honest, "{field}: {value}");
        }
    }
    // All of it from another life, and nothing at all.
    assert_eq!(
        story(&|stand, _| {
            fs::create_dir_all(stand.path().join(".copilot-state")).unwrap();
            forge(stand, &whole);
        })
        .await,
        honest
    );
    assert_eq!(
        story(&|stand, _| drop(fs::remove_file(stand.path().join(REPORT)))).await,
        honest
    );
}

#[tokio::test(start_paused = true)]
async fn a_report_that_differs_is_told() {
    let stand = stand().await;
    act(&stand, Era::Legacy, "analyze", &[]).await;
    let mut forged = report(&stand);
    forged["status"] = json!("approved");
    forge(&stand, &forged);
    let ended = act(&stand, Era::Legacy, "status", &[]).await;
    assert_eq!(ended.body["state"], "analyzed");
    let told = ended.body["report"].as_str().unwrap();
    assert!(told.contains("differs from the record in status"), "{told}");
    let ended = act(&stand, Era::Legacy, "migrate", &[]).await;
    assert_eq!(ended.body["error"], "WRONG_STATE");
}

#[tokio::test(start_paused = true)]
async fn a_damaged_report_is_told_kept_aside_and_never_guessed_at() {
    for damage in [
        "",
        "{",
        "[]",
        "{\"version\":1,\"status\":\"done\"}",
        "\u{0}\u{1}",
        "{\"version\": 7}",
    ] {
        for action in ["status", "analyze"] {
            let stand = stand().await;
            approved(&stand, Era::Legacy).await;
            fs::write(stand.path().join(REPORT), damage).unwrap();
            let ended = act(&stand, Era::Legacy, action, &[]).await;
            let told = ended.body["report"]
                .as_str()
                .unwrap_or_else(|| panic!("{action} {damage:?}"));
            assert!(told.contains("was damaged"), "{told}");
            let aside = told
                .split("kept as ")
                .nth(1)
                .unwrap()
                .split(',')
                .next()
                .unwrap();
            assert_eq!(
                fs::read_to_string(stand.path().join(aside)).unwrap(),
                damage
            );
            let state = if action == "status" {
                "approved"
            } else {
                "analyzed"
            };
            assert_eq!(ended.body["state"], state);
            assert_eq!(report(&stand)["status"], state);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_folder_that_leads_outside_is_refused() {
    let stand = stand().await;
    let outside = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(outside.path(), stand.path().join(".copilot-state")).unwrap();
    for action in ["analyze", "skip", "status"] {
        let ended = act(&stand, Era::Legacy, action, &[]).await;
        assert_eq!(ended.body["error"], "FILE");
    }
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
    write(&stand.path(), SOURCE);
}
