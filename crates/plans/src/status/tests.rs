//! What people and other programs make of the file, and what is refused.

use super::*;
use proptest::prelude::*;

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

#[test]
fn hidden_characters_beside_a_step_lead_to_a_file_that_can_be_read() {
    // Written they are visible, as `U+007F`, which looks like a list of steps.
    let cases = [
        ("01", "02 -\u{7f}Form", "Form"),
        ("01", "02 - Form", "Form\u{7f}s"),
        // What stands between the number and the name is taken over from the other field.
        ("01 # Schema", "02", "Form\u{7f}s"),
        ("01 - Schema", "02", "Form\u{b}\u{7f}s"),
    ];
    for (last, current, name) in cases {
        let text = PLAIN
            .replace(
                "| Current Step | 02 |",
                &format!("| Current Step | {current} |"),
            )
            .replace(
                "| Last Completed | 01 |",
                &format!("| Last Completed | {last} |"),
            )
            .replace("| 02 | Form |", &format!("| 02 | {name} |"));
        let mut status = Status::read(&text).unwrap();
        status.complete(2, "2026-07-28T11:00:00Z", None).unwrap();
        let again = Status::read(&status.text());
        let again = again.unwrap_or_else(|flaw| panic!("{flaw}\n{}", status.text()));
        assert_eq!(again.last_completed, Some(2));
    }
}

#[test]
fn a_number_is_that_steps_whatever_others_are_called() {
    let mut status = Status::read(PLAIN).unwrap();
    status.add_step(4, "| 01 |");
    let again = Status::read(&status.text()).unwrap();
    assert_eq!((again.last_completed, again.current), (Some(1), vec![2]));
    // A further step takes nothing of what was said before it was there.
    let text = PLAIN.replace("| Last Completed | 01 |", "| Last Completed | Step 01 |");
    let mut status = Status::read(&text).unwrap();
    status.add_step(4, "Step 01");
    assert_eq!(
        Status::read(&status.text()).unwrap().last_completed,
        Some(1)
    );
    // A number with its own step's name, too.
    let text = PLAIN.replace("| 01 | Schema |", "| 01 | 02 Form |");
    let text = text.replace("| Current Step | 02 |", "| Current Step | 02 - Form |");
    assert_eq!(Status::read(&text).unwrap().current, [2]);
    // Without a step of that number it is a name.
    let text = PLAIN.replace("| 02 | Form |", "| 02 | 2026 |");
    let text = text.replace("| Current Step | 02 |", "| Current Step | 2026 |");
    assert_eq!(Status::read(&text).unwrap().current, [2]);
}

#[test]
fn a_completed_plan_without_steps_goes_on_with_its_first() {
    let rows = PLAIN.find("| 01 | Schema").unwrap();
    let text = PLAIN[..rows].replace("| Status | in_progress |", "| Status | completed |");
    let text = text.replace("| Current Step | 02 |", "| Current Step | – |");
    let text = text.replace("| Last Completed | 01 |", "| Last Completed | – |");
    let mut status = Status::read(&text).unwrap();
    let step = status.further_step().unwrap();
    status.add_step(step, "Ship it");
    let again = Status::read(&status.text()).unwrap();
    assert_eq!((again.state, step), (State::Pending, 1));
}

#[test]
fn what_starts_later_cannot_be_completed_now() {
    let text = PLAIN.replace(
        "| 2026-07-28T10:00:00Z | – |",
        "| 4052-07-28T10:00:00Z | – |",
    );
    let mut status = Status::read(&text).unwrap();
    let refused = status
        .complete(2, "2026-07-28T11:00:00Z", None)
        .unwrap_err();
    assert!(refused.to_string().contains("still to come"), "{refused}");
    assert_eq!(status.text(), text);
}

/// A cell that a file of any program may have for a state.
fn state_cell() -> impl Strategy<Value = String> {
    (prop::sample::select(State::ALL.to_vec()), 0..6usize).prop_map(|(state, manner)| {
        let like = [
            "⬜",
            "⬜ pending",
            "⬜ PENDING",
            "pending",
            "`pending`",
            "⬜ **Pending**",
        ];
        state.in_manner_of(like[manner])
    })
}

/// A file in one of many manners: bold names or not, a progress or not, further columns and texts, any
/// line's end.
fn any_file() -> impl Strategy<Value = String> {
    let row = (state_cell(), "[ a-zA-Zé,0-9]{0,12}", " {0,3}");
    // A fence that is never closed would rightly hide the tables behind it.
    let text = || {
        "([-#*<>! a-z0-9`\\[\\]]{0,20}\n){0,4}"
            .prop_filter("opens no fence", |text: &String| !text.contains("```"))
    };
    (
        prop::collection::vec(row, 0..6),
        any::<[bool; 4]>(),
        prop::sample::select(vec!["-", "–", "—", "", "n/a"]),
        (text(), text()),
    )
        .prop_map(|(rows, [bold, progress, crlf, owner], nothing, (before, after))| {
            let name = |name: &str| if bold { format!("**{name}**") } else { name.to_owned() };
            let states: Vec<_> = rows.iter().filter_map(|(cell, ..)| State::read(cell)).collect();
            let state = match states.iter().all(|state| state.is_done()) {
                true if !states.is_empty() => "✅",
                _ if states.iter().any(|state| state.is_begun()) => "🔄",
                _ => "⬜",
            };
            let mut file = format!("# A Status\n\n{before}\n| Field | Value |\n|---|:-:|\n");
            file.push_str(&format!("| {} | {state} |\n", name("Status")));
            file.push_str(&format!("|{}|  {nothing}|\n", name("Current Step")));
            if progress {
                file.push_str(&format!("| {} | 7% (0/9 steps) |\n", name("Progress")));
            }
            file.push_str(&format!("| {} | 2026-01-10 |\n| Own | row |\n\n", name("Last Updated")));
            let column = if owner { " Owner |" } else { "" };
            file.push_str(&format!("| Step | Name | Status | Started | Completed |{column}\n"));
            file.push_str(&format!("|--|--|--|--|--|{}\n", if owner { "--|" } else { "" }));
            for ((cell, text, space), number) in rows.iter().zip(1..) {
                let owner = if owner { format!("{space}x{space}|") } else { String::new() };
                file.push_str(&format!(
                    "| {number:02} |{space}{text}{space}| {cell} |{space}{nothing} | {nothing} |{owner}\n"
                ));
            }
            file.push_str(&format!("\n## Blockers\n\n{after}"));
            if crlf { file.replace('\n', "\r\n") } else { file }
        })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_read_and_written_unchanged_is_the_same(text in any_file()) {
        let status = Status::read(&text);
        prop_assert!(status.is_ok(), "{:?}: {text}", status.err());
        prop_assert_eq!(status.unwrap().text(), text);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "(\\PC{0,20}[\\|\n-]{0,3}){0,30}") {
        if let Ok(status) = Status::read(&text) {
            prop_assert_eq!(status.text(), text);
        }
    }

    #[test]
    fn a_transition_changes_only_the_cells_that_it_must(text in any_file(), number in 1..6u32) {
        let mut status = Status::read(&text).unwrap();
        let now = "2026-02-03T04:05:06Z";
        let from = status.step(number).map(|row| row.state);
        let done = match from {
            Some(State::Pending | State::Failed) => status.start(number, &[], now).is_ok(),
            Some(State::InProgress) => status.complete(number, now, None).is_ok(),
            _ => status.skip(number, None).is_ok(),
        };
        prop_assume!(done);
        let after = status.text();
        let own = ["Status", "Current Step", "Progress", "Started At", "Last Completed"];
        let step = format!("| {number:02} |");
        let changed = |line: &str| {
            let name = line.trim_start_matches(['|', ' ', '*']);
            line.starts_with(&step) || own.iter().any(|own| name.starts_with(own))
        };
        let kept = |text: &str| -> Vec<String> {
            text.split('\n').filter(|line| !changed(line)).map(str::to_owned).collect()
        };
        prop_assert_eq!(kept(&after), kept(&text));
        // Of a line that changes, the cells that have nothing to do with it keep every character.
        let cells = |text: &str| -> Vec<String> {
            let row = text.lines().find(|line| line.starts_with(&step)).unwrap();
            row.split('|').map(str::to_owned).collect()
        };
        let (before, after_cells) = (cells(&text), cells(&after));
        prop_assert_eq!(before.len(), after_cells.len());
        for place in [0, 1, 2, 6, 7] {
            prop_assert_eq!(before.get(place), after_cells.get(place));
        }
        let again = Status::read(&after).unwrap();
        prop_assert_ne!(again.step(number).map(|row| row.state), from);
        prop_assert_eq!(again.steps.iter().filter(|row| row.number != number).map(|row| row.state).collect::<Vec<_>>(),
            Status::read(&text).unwrap().steps.iter().filter(|row| row.number != number).map(|row| row.state).collect::<Vec<_>>());
    }
}
