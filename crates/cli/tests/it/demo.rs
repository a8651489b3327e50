//! `holdpoint demo`, the real binary: without a person, and at a terminal.

use crate::support::{person::*, *};
use serde_json::Value;

/// The part under a title.
fn part<'a>(page: &'a str, title: &str) -> &'a str {
    let (_, rest) = page.split_once(title).expect(title);
    let (_, rest) = rest.split_once('\n').unwrap();
    rest.split("\n── ").next().unwrap()
}

/// The result that the agent got.
fn told(page: &str) -> Value {
    serde_json::from_str(part(page, "3. What the agent was told")).unwrap()
}

#[test]
fn without_a_person() {
    let check = |answer: &str, proceed: bool| {
        let home = new_home();
        let output = home.run(&["demo", "--answer", answer]);
        let page = stdout(&output);
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(!page.contains('\u{1b}'), "no styles in a pipe");
        assert!(part(&page, "1. The agent asks").contains("request_plan_approval"));
        assert!(part(&page, "2. The person decides").contains("Phases: 3"));
        let told = told(&page);
        assert_eq!(told["status"], "accepted");
        assert_eq!(told["decision"], answer);
        assert_eq!(told["proceed"], proceed);
        assert_eq!(told["channel"], "preset", "nobody was there");
        let record = part(&page, "4. What is on the record");
        let called = "holdpoint · request_plan_approval, for ";
        assert!(record.contains(called), "{record}");
        for word in ["asked", "decided", "hash", "the chain holds"] {
            assert!(record.contains(word), "{word}: {record}");
        }
        assert!(page.contains("holdpoint init vscode"));
        assert!(!home.journal().exists(), "the journal is a temporary one");
    };
    check("approve", true);
    check("request_changes", false);
    check("cancel", false);
}

#[test]
fn without_a_terminal_nobody_is_asked() {
    let home = new_home();
    let output = home.run(&["demo"]);
    assert_eq!(output.status.code(), Some(5));
    assert_eq!(stdout(&output), "");
    let said = stderr(&output);
    assert!(said.contains("--answer approve"), "{said}");
    let wrong = home.run(&["demo", "--answer", "perhaps"]);
    assert_eq!(wrong.status.code(), Some(2));
}

/// A person who runs it.
fn at_demo(variables: &[(&str, &str)]) -> Person {
    Person::runs(&new_home(), &["demo"], variables)
}

#[test]
fn a_person_chooses_with_the_arrow_keys() {
    let mut person = at_demo(&[]);
    person
        .sees("Approve the plan")
        .sees("Plan Approval Decision")
        .sees("Approve - Start Implementation")
        .sees("to leave");
    // The cursor is on no option: this decides nothing, and the question comes again.
    person
        .types(ENTER)
        .sees("Plan Approval Decision")
        .sees("to leave");
    person
        .types(DOWN)
        .sees("> ✅ Approve")
        .types(DOWN)
        .sees("> 📝 Request Changes");
    person
        .types(ENTER)
        .sees("Feedback (Optional)")
        .sees("to leave");
    person.types("per key, please").types(ENTER);
    person
        .sees("What should count as one client?")
        .sees("to leave");
    person.types(ENTER).sees("Is that right?");
    person
        .sees("Change Feedback (Optional): per key, please")
        .sees("to leave it open")
        .types(ENTER);
    let (page, status) = person.ends();
    assert!(status.success());
    let told = told(&page);
    assert_eq!(told["decision"], "request_changes", "{page}");
    assert_eq!(told["feedback"], "per key, please");
    assert_eq!(told["proceed"], false);
}

#[test]
fn a_dismissed_form_is_no_yes() {
    for key in [ESCAPE, CTRL_C] {
        let mut person = at_demo(&[]);
        person.sees("Plan Approval Decision").sees("to leave");
        person.types(key).sees("dismissed");
        let (page, status) = person.ends();
        assert!(status.success());
        let told = told(&page);
        assert_eq!(told["status"], "cancelled", "{page}");
        assert_eq!(told["proceed"], false);
        assert!(part(&page, "4. What is on the record").contains("cancelled"));
    }
}

#[test]
fn no_color_is_honoured() {
    let colours = |variables: &[(&str, &str)]| {
        let mut person = at_demo(variables);
        person.sees("Plan Approval Decision").sees("to leave");
        person.types(ESCAPE).sees("holdpoint init vscode");
        // Colours are 3x and 9x; moving the cursor is none.
        let seen = person.raw();
        let sequences = seen.split("\u{1b}[").skip(1);
        let mut codes = sequences
            .filter_map(|part| part.split_once('m'))
            .map(|(code, _)| code);
        codes.any(|code| code.starts_with('3') || code.starts_with('9'))
    };
    assert!(colours(&[]));
    assert!(!colours(&[("NO_COLOR", "1")]));
}
