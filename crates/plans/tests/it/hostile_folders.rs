//! Plan folders that somebody made to do harm.

use super::{call, create, edit};
use crate::setup;
use holdpoint_testkit::{ERAS, ToolStand, read_file};
use serde_json::json;
use std::fs;

/// What every tool says of the plan `login`, which is no good; none of them hangs or shows what is not its own.
async fn every_tool(stand: &ToolStand) -> Vec<String> {
    let mut said = Vec::new();
    for era in ERAS {
        for (tool, more) in [
            ("plan_status", json!({})),
            ("plan_validate", json!({})),
            ("plan_history", json!({})),
            ("plan_list", json!(null)),
            ("plan_step_start", json!({ "step": 1 })),
            ("plan_step_complete", json!({ "step": 1 })),
            ("plan_step_skip", json!({ "step": 9999, "reason": "x" })),
            ("plan_checkpoint", json!({ "name": "first" })),
            ("plan_restore", json!({ "checkpoint": "first" })),
        ] {
            let mut arguments = json!({ "code": "login" });
            match more.as_object() {
                Some(more) => arguments.as_object_mut().unwrap().extend(more.clone()),
                None => arguments = json!({}),
            }
            let ended = stand.run(era, tool, arguments, &[]).await;
            assert!(!ended.text.contains("keep out"), "{tool}: {}", ended.text);
            said.push(ended.text);
        }
    }
    said
}

#[cfg(unix)]
#[tokio::test]
async fn links_show_nothing_and_lead_nowhere() {
    use std::os::unix::fs::symlink;
    let outer = tempfile::tempdir().unwrap();
    let secret = outer.path().join("01-secret.md");
    fs::write(&secret, "# keep out\n").unwrap();
    let before = fs::read_dir(outer.path()).unwrap().count();
    for place in [
        "plan/01-schema.md",
        "plan",
        "SUMMARY.md",
        ".history",
        ".history/timeline.jsonl",
    ] {
        let stand = setup().stand().await;
        create(&stand, "login", json!(["Schema"])).await;
        let path = stand.path().join("plans/login").join(place);
        if path.is_dir() {
            fs::remove_dir_all(&path).unwrap();
            symlink(outer.path(), &path).unwrap();
        } else {
            fs::remove_file(&path).unwrap();
            symlink(&secret, &path).unwrap();
        }
        every_tool(&stand).await;
        assert_eq!(
            fs::read_to_string(&secret).unwrap(),
            "# keep out\n",
            "{place}"
        );
        assert_eq!(
            fs::read_dir(outer.path()).unwrap().count(),
            before,
            "{place}"
        );
    }
}

#[tokio::test]
async fn huge_files_and_thousands_of_steps_are_refused_at_once() {
    let stand = setup().stand().await;
    create(&stand, "login", json!(["Schema"])).await;
    let plan = stand.path().join("plans/login");
    let status = read_file(&plan, "STATUS.md");
    // More rows than a table may have.
    let rows: String = (2..5_000)
        .map(|step| format!("| {step} | x | ⬜ | - | - | |\n"))
        .collect();
    fs::write(
        plan.join("STATUS.md"),
        status.replace("\n\n## Notes", &format!("\n{rows}\n## Notes")),
    )
    .unwrap();
    let begun = std::time::Instant::now();
    let said = every_tool(&stand).await;
    assert!(
        said.iter().any(|said| said.contains("more than 999 rows")),
        "{said:#?}"
    );
    // Thousands of files, and files that are larger than any memory.
    fs::write(plan.join("STATUS.md"), &status).unwrap();
    for step in 2..3_000 {
        fs::write(plan.join(format!("plan/{step}-x.md")), "# x\n").unwrap();
    }
    let said = every_tool(&stand).await;
    assert!(said.iter().all(|said| said.len() < 64 * 1024));
    assert!(
        said.iter()
            .any(|said| said.contains("has more than 300 files")),
        "{said:#?}"
    );
    for file in ["plan/01-schema.md", ".history/timeline.jsonl", "STATUS.md"] {
        let huge = fs::OpenOptions::new()
            .write(true)
            .open(plan.join(file))
            .unwrap();
        huge.set_len(1 << 40).unwrap();
        every_tool(&stand).await;
    }
    assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
}

#[tokio::test(start_paused = true)]
async fn signs_that_only_look_alike_are_no_state() {
    let stand = setup().stand().await;
    create(&stand, "login", json!(["Schema", "Form"])).await;
    let state = async |cell: &str| {
        edit(&stand, "STATUS.md", |text| {
            let row = text
                .lines()
                .find(|line| line.starts_with("| 01 |"))
                .unwrap()
                .to_owned();
            let text = text.replace(
                &row,
                &format!("| 01 | Schema | {cell} | - | - | x{} |", row.len()),
            );
            text.replace("| **Status** | ⬜ pending |", "| **Status** | 🔄 |")
        });
        let ended = call(&stand, "plan_status", json!({ "code": "login" })).await;
        ended.body["steps"][0]["status"].clone()
    };
    for (cell, wanted) in [
        ("⏸", json!("blocked")),
        ("⏸\u{fe0f}", json!("blocked")),
        ("⏸\u{fe0e}", json!("blocked")),
        ("⏭", json!("skipped")),
        ("✔", json!("completed")),
        ("✔\u{fe0f}", json!("completed")),
        ("⬜\u{fe0f}", json!("pending")),
        ("❌", json!("failed")),
        ("✅\u{200b}", json!("completed")),
        ("⏯", json!(null)),
        ("🟢", json!(null)),
        ("✅ or ❌", json!(null)),
        ("✅ not yet", json!(null)),
        ("\u{202e}✅ pending", json!(null)),
    ] {
        assert_eq!(state(cell).await, wanted, "{cell:?}");
    }
}
