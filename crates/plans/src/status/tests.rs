//! What people make of the file, and what is refused.

use super::*;

const PLAIN: &str = "\
# Status: Add login

## Current State

| Field | Value |
|---|---|
| Status | in_progress |
| Current Step | 02 |
| Last Completed | 01 |
| Started At | 2026-07-28T09:00:00Z |
| Last Updated | 2026-07-28T10:00:00Z |

## Step Progress

| Step | Name | Status | Started | Completed | Notes |
|---|---|---|---|---|---|
| 01 | Schema | completed | 2026-07-28T09:00:00Z | 2026-07-28T10:00:00Z | |
| 02 | Form | in_progress | 2026-07-28T10:00:00Z | – | ask Ann |
| 03 | Docs | pending | – | – | |
";

/// The state in a line: plan, current, last; then each step.
fn summary(text: &str) -> String {
    match Status::read(text) {
        Err(flaw) => flaw.to_string(),
        Ok(status) => {
            let steps: Vec<_> = status
                .steps
                .iter()
                .map(|step| format!("{} {} {}", step.number, step.name, step.state.as_str()))
                .collect();
            format!(
                "{} {:?} {:?}; {}",
                status.state.as_str(),
                status.current,
                status.last_completed,
                steps.join("; ")
            )
        }
    }
}

const STORY: &str =
    "in_progress [2] Some(1); 1 Schema completed; 2 Form in_progress; 3 Docs pending";

#[test]
fn edits_by_a_person_are_read() {
    let check = |from: &str, to: &str| {
        assert!(PLAIN.contains(from), "{from}");
        assert_eq!(summary(&PLAIN.replace(from, to)), STORY, "{to}");
    };
    check("# Status", "# Status");
    check("| Status | in_progress |", "| **Status** | `In Progress` |");
    check("| 01 | Schema | completed |", "| 1 | Schema | ✅ Done |");
    check("| 01 | Schema", "| [01](plan/01-schema.md) | Schema");
    check("| Current Step | 02 |", "| Current Step | 02 – Form |");
    check("| Current Step | 02 |", "| Current Step | Form |");
    check("| ask Ann |", "| ask Ann \\| Bob |");
    check("| ask Ann |", "| ask Ann | Bob |");
    check("| 03 | Docs | pending | – | – | |", "03 | Docs | todo");
    check("2026-07-28T09:00:00Z | 2026", "Monday | 2026");
    check(
        "## Step Progress\n",
        "## Step Progress\n\nMind the gap | here.\n",
    );
    check("| Last Updated | 2026-07-28T10:00:00Z |\n", "");
    check("\n", "\r\n");
    check(
        "## Current State\n",
        "```\n| Step | Status |\n|---|---|\n| 9 | nonsense |\n```\n\n## Current State\n",
    );
    let reordered = "\
Notes first.

| Value | Field |
|---|---|
| in_progress | Status |
| 2 | Current Step |
| 1 | Last Completed |

| State | Owner | Title | # |
|:-:|---|---|--:|
| complete | Ann | Schema | 1 |
| WIP | Bob | Form | 2 |
| planned | | Docs | 3 |

More notes.";
    assert_eq!(summary(reordered), STORY);
}

#[test]
fn contradictions_are_refused_with_their_line() {
    let check = |from: &str, to: &str, wanted: &str| {
        assert!(PLAIN.contains(from), "{from}");
        assert_eq!(
            summary(&PLAIN.replace(from, to)),
            format!("STATUS.md{wanted}")
        );
    };
    check(
        "| Status | in_progress |",
        "| Status | completed |",
        ", line 7: the plan is completed, but step 02 is in_progress (line 18)",
    );
    check(
        "| Status | in_progress |",
        "| Status | pending |",
        ", line 7: the plan is pending, but step 01 is completed (line 17)",
    );
    check(
        "| Status | in_progress |",
        "| Status | soon |",
        ", line 7: \"soon\" is not a status; expected one of pending, in_progress, completed, blocked, failed, skipped",
    );
    check(
        "| Current Step | 02 |",
        "| Current Step | 03 |",
        ", line 8: the current step is 03, but that step is pending (line 19)",
    );
    check(
        "| Current Step | 02 |",
        "| Current Step | 7 |",
        ", line 8: there is no step 07",
    );
    check(
        "| Last Completed | 01 |",
        "| Last Completed | 02 |",
        ", line 9: step 02 was completed last, but it is in_progress (line 18)",
    );
    check(
        "| 03 | Docs",
        "| 02 | Docs",
        ", line 19: step 02 is there twice; first in line 18",
    );
    check(
        "| 03 | Docs",
        "| x | Docs",
        ", line 19: expected a step's number, and found \"x\"",
    );
    check(
        "| 03 | Docs | pending | – |",
        "| 03 | Docs | pending | today |",
        ", line 19: step 03 is pending, but started \"today\"",
    );
    check(
        "2026-07-28T10:00:00Z | – | ask Ann |",
        "2026-07-28T10:00:00Z | 2026-07-29 | |",
        ", line 18: step 02 is in_progress, but completed \"2026-07-29\"",
    );
    check(
        "2026-07-28T09:00:00Z | 2026-07-28T10:00:00Z | |",
        "2026-07-28T09:00:00Z | 2026-07-28T08:00:00Z | |",
        ", line 17: step 01 completed at 2026-07-28T08:00:00Z, before it started at 2026-07-28T09:00:00Z",
    );
    check(
        "| Started At | 2026-07-28T09:00:00Z |",
        "| Status | pending |",
        ", line 10: Status is there twice; first in line 7",
    );
    check(
        "| Status | in_progress |\n",
        "",
        ": the Current State table says no Status; expected a row like | Status | pending |",
    );
    let second = format!("{PLAIN}\n| Step | Status |\n|---|---|\n");
    assert_eq!(
        summary(&second),
        "STATUS.md, line 21: there is a second Step Progress table; the first is in line 15"
    );
    assert!(summary("# Nothing here").starts_with("STATUS.md: there is no Step Progress table"));
    let broken = PLAIN.replace("| Completed | Notes |", "| Notes | Completed |");
    let broken = broken.replace("| 2026-07-28T10:00:00Z | |", "| x | 2026-07-28T10:00:00Z |");
    let broken = broken.replace("| – | ask Ann |", "| ask | Ann | – |");
    assert!(
        summary(&broken).contains("line 18: there are 7 cells"),
        "{}",
        summary(&broken)
    );
}

#[test]
fn what_is_written_leaves_the_rest_alone() {
    let edited = PLAIN
        .replace("| Last Completed | 01 |\n", "")
        .replace("| Notes |", "| Notes | Owner |")
        .replace(
            "## Step Progress",
            "Ann: *please be careful.*\n\n## Step Progress",
        );
    let mut status = Status::read(&edited).unwrap();
    status.set(Key::LastCompleted, "02");
    status.set_named(Key::CurrentStep, &[]);
    status.set_step_state(2, State::Completed);
    status.set_step_moment(2, Column::Completed, Some("2026-07-28T11:00:00Z"));
    status.add_step(4, "Ship | it");
    status.set_step(4, Column::Notes, "later");
    insta::assert_snapshot!(status.text());
    let again = Status::read(&status.text()).unwrap();
    assert_eq!(again.step(4).unwrap().name, "Ship | it");
    assert_eq!(again.last_completed, Some(2));
}
