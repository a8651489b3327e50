//! The files that stay: written whole, with the decisions from the journal.

use crate::setup;
use holdpoint_testkit::{ERAS, Era, ToolStand, accept, cancel, read_file};
use serde_json::{Value, json};
use std::fs;

const PHASE: &str = "record_phase_completion";
const PLAN: &str = "record_plan_completion";

fn phase() -> Value {
    json!({
        "planName": "Add Login",
        "phaseNumber": 2,
        "summary": "Sessions are signed.",
        "files": ["src/session.rs", "src/cookie.rs"],
        "functions": ["sign", "verify"],
        "tests": "a_forged_cookie_is_refused",
        "reviewStatus": "APPROVED",
        "commitMessage": "feat: sign sessions\n\n- with HMAC",
    })
}

fn plan() -> Value {
    json!({
        "planName": "Add Login",
        "outcome": "completed",
        "summary": "There is a login now.",
        "phases": ["Page", "Sessions"],
        "files": ["src/session.rs"],
        "keyFunctions": ["sign"],
        "testCoverage": "Everything but the page's looks.",
        "recommendations": ["Add a second factor."],
    })
}

/// Some decisions about the plan, and some about others.
async fn decide(stand: &ToolStand, era: Era) {
    let approval = |name: &str| {
        json!({ "planSummary": "x", "phaseCount": 2, "planName": name,
                "openQuestions": ["Which store? SQLite / Redis"] })
    };
    let changes = json!({ "decision": "request_changes", "feedback": "Sign them.\n# And test." });
    let approve = json!({ "decision": "approve", "answer_1": "SQLite" });
    let tool = "request_plan_approval";
    stand
        .run(era, tool, approval("Add Login"), &[accept(changes)])
        .await;
    stand
        .run(era, tool, approval("add-login"), &[accept(approve.clone())])
        .await;
    stand
        .run(era, tool, approval("another plan"), &[accept(approve)])
        .await;
    stand
        .run(era, tool, approval("add login"), &[cancel()])
        .await;
    let review =
        json!({ "planName": "Add Login", "phaseNumber": 2, "summary": "x", "findings": [] });
    let fix = accept(json!({ "decision": "fix" }));
    stand
        .run(era, "request_review_decision", review, &[fix])
        .await;
    let commit = json!({ "planName": "Add Login", "phaseNumber": 2, "phaseSummary": "x",
                         "commitMessage": "feat: x" });
    let go = json!({ "decision": "commit_and_continue", "commitConfirmed": true });
    stand
        .run(era, "request_phase_commit_approval", commit, &[accept(go)])
        .await;
}

/// The text without what differs between runs.
fn steady(text: &str) -> String {
    let mut steady = Vec::new();
    for line in text.lines() {
        let line = match line.strip_prefix("- 20") {
            Some(rest) => format!("- TIME{}", &rest[rest.find("UTC").unwrap() + 3..]),
            None => line.to_owned(),
        };
        steady.push(match line.find("in call ") {
            Some(at) => format!("{}in call ID{}", &line[..at], &line[at + 8 + 36..]),
            None => line,
        });
    }
    steady.join("\n")
}

#[tokio::test]
async fn the_files_hold_the_decisions() {
    for era in ERAS {
        let stand = setup().stand().await;
        decide(&stand, era).await;
        let ended = stand.run(era, PHASE, phase(), &[]).await;
        let path = "plans/add-login-phase-2-complete.md";
        let told = ended.fields(&["path", "decisions", "edited"]);
        assert_eq!(
            told,
            json!({ "path": path, "decisions": 5, "edited": null })
        );
        assert!(!ended.error);
        insta::assert_snapshot!("phase_complete", steady(&read_file(&stand.path(), path)));
        let ended = stand.run(era, PLAN, plan(), &[]).await;
        assert_eq!(ended.body["path"], "plans/add-login-complete.md");
        let text = steady(&read_file(&stand.path(), "plans/add-login-complete.md"));
        insta::assert_snapshot!("plan_complete", text);
        let mut aborted = plan();
        aborted["outcome"] = "aborted".into();
        stand.run(era, PLAN, aborted, &[]).await;
        let text = read_file(&stand.path(), "plans/add-login-complete.md");
        assert!(text.starts_with("# Plan aborted: Add Login\n"), "{text}");
        let mut left: Vec<_> = fs::read_dir(stand.path().join("plans"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        assert_eq!(
            left,
            ["add-login-complete.md", "add-login-phase-2-complete.md"]
        );
    }
}

#[tokio::test]
async fn a_file_of_ours_is_replaced_and_an_edited_one_is_not() {
    let stand = setup().stand().await;
    let path = "plans/add-login-phase-2-complete.md";
    let beside = "plans/add-login-phase-2-complete.2.md";
    stand.run(Era::Legacy, PHASE, phase(), &[]).await;
    let mut better = phase();
    better["summary"] = "Sessions are signed and expire.".into();
    stand.run(Era::Legacy, PHASE, better.clone(), &[]).await;
    let ours = read_file(&stand.path(), path);
    assert!(ours.contains("signed and expire"));
    let edited = ours.replace("expire", "expire after a day");
    fs::write(stand.path().join(path), &edited).unwrap();
    for summary in ["One.", "Two."] {
        better["summary"] = summary.into();
        let ended = stand.run(Era::Legacy, PHASE, better.clone(), &[]).await;
        let told = ended.fields(&["path", "edited"]);
        assert_eq!(told, json!({ "path": beside, "edited": path }));
        assert!(
            ended
                .next()
                .contains("was edited by hand and is left as it is"),
            "{}",
            ended.next()
        );
        assert_eq!(read_file(&stand.path(), path), edited);
        assert!(read_file(&stand.path(), beside).contains(summary));
    }
}

#[tokio::test]
async fn a_mark_that_somebody_wrote_is_not_believed() {
    let stand = setup().stand().await;
    let first = "plans/add-login-complete.md";
    stand.run(Era::Legacy, PLAN, plan(), &[]).await;
    let ours = read_file(&stand.path(), first);
    let mark = &ours[ours.find("<!--").unwrap()..];
    // The mark of another file, and of this one with other text.
    for text in [
        format!("Mine.\n\n{mark}"),
        "Mine, without a mark.\n".into(),
        String::new(),
    ] {
        fs::write(
            stand.path().join("plans/add-login-phase-2-complete.md"),
            &text,
        )
        .unwrap();
        let ended = stand.run(Era::Legacy, PHASE, phase(), &[]).await;
        assert_eq!(ended.body["edited"], "plans/add-login-phase-2-complete.md");
        assert_eq!(
            read_file(&stand.path(), "plans/add-login-phase-2-complete.md"),
            text
        );
    }
    fs::write(
        stand.path().join("plans/add-login-phase-2-complete.md"),
        &ours,
    )
    .unwrap();
    let ended = stand.run(Era::Legacy, PHASE, phase(), &[]).await;
    assert_eq!(ended.body["edited"], "plans/add-login-phase-2-complete.md");
}

#[tokio::test]
async fn names_that_leave_the_folder_are_refused() {
    let stand = setup().stand().await;
    for name in ["../x", "a/b", "..", "/tmp/x", "a\\b", "", "!!", ".git"] {
        for (tool, mut arguments) in [(PHASE, phase()), (PLAN, plan())] {
            arguments["planName"] = name.into();
            let ended = stand.run(Era::Legacy, tool, arguments, &[]).await;
            assert!(ended.error, "{name}");
            assert!(ended.text.contains("`planName`"), "{name}: {}", ended.text);
        }
    }
    assert_eq!(fs::read_dir(stand.path()).unwrap().count(), 0);
}

#[cfg(unix)]
#[tokio::test]
async fn a_folder_of_plans_that_leads_outside_is_refused() {
    let stand = setup().stand().await;
    let outside = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(outside.path(), stand.path().join("plans")).unwrap();
    let ended = stand.run(Era::Legacy, PLAN, plan(), &[]).await;
    assert!(
        ended.error && ended.text.contains("outside the workspace"),
        "{}",
        ended.text
    );
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_in_the_place_of_a_report_is_left_alone() {
    let stand = setup().stand().await;
    let outside = tempfile::tempdir().unwrap();
    let target = outside.path().join("target.md");
    fs::write(&target, "mine").unwrap();
    fs::create_dir(stand.path().join("plans")).unwrap();
    let link = stand.path().join("plans/add-login-complete.md");
    std::os::unix::fs::symlink(&target, &link).unwrap();
    let ended = stand.run(Era::Legacy, PLAN, plan(), &[]).await;
    assert_eq!(ended.body["path"], "plans/add-login-complete.2.md");
    assert_eq!(fs::read_to_string(&target).unwrap(), "mine");
}

#[cfg(unix)]
#[tokio::test]
async fn a_folder_that_cannot_be_written_is_told() {
    let stand = setup().stand().await;
    fs::write(stand.path().join("plans"), "a file in its place").unwrap();
    let ended = stand.run(Era::Legacy, PLAN, plan(), &[]).await;
    assert!(ended.error, "{}", ended.text);
    assert_eq!(ended.body["error"], "FILE");
}

#[tokio::test]
async fn a_plan_that_nobody_decided_about_says_so() {
    let stand = setup().stand().await;
    let ended = stand.run(Era::Legacy, PLAN, plan(), &[]).await;
    assert_eq!(ended.body["decisions"], 0);
    let text = read_file(&stand.path(), "plans/add-login-complete.md");
    assert!(text.contains("None on record under this plan's name."));
}

#[tokio::test]
async fn a_huge_file_at_the_place_of_a_report_is_not_read() {
    let stand = setup().stand().await;
    let folder = stand.path().join("plans");
    fs::create_dir_all(&folder).unwrap();
    let huge = fs::File::create(folder.join("add-login-phase-2-complete.md")).unwrap();
    // Far larger than any memory.
    huge.set_len(1 << 42).unwrap();
    let ended = stand.run(Era::Modern, PHASE, phase(), &[]).await;
    assert!(!ended.error, "{}", ended.text);
    assert!(folder.join("add-login-phase-2-complete.2.md").exists());
}
