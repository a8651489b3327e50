use super::*;
use crate::{Answer, AskId};
use jiff::Timestamp;

fn every_outcome() -> [Outcome; 7] {
    let errors = ["Name is missing.", "Age must be a number."];
    let errors = errors.map(|message| FieldError::new("field", message));
    [
        Outcome::Accepted(Answer::new()),
        Outcome::Declined {
            reason: Some("too risky".into()),
        },
        Outcome::Cancelled,
        Outcome::TimedOut,
        Outcome::Unreachable {
            why: "the inbox is off".into(),
        },
        Outcome::Invalid {
            errors: errors.into(),
        },
        Outcome::Withdrawn {
            why: Withdrawal::CallCancelled,
        },
    ]
}

#[test]
fn agents_are_told_where_a_person_can_answer() {
    let page = Some("http://127.0.0.1:4653/asks/1");
    assert_eq!(
        where_to_answer(page, true).as_deref(),
        Some("at http://127.0.0.1:4653/asks/1 or with `holdpoint inbox`")
    );
    assert_eq!(
        where_to_answer(None, true).as_deref(),
        Some("with `holdpoint inbox`")
    );
    assert_eq!(where_to_answer(None, false), None);
}

#[test]
fn every_outcome_says_what_the_person_did() {
    assert_eq!(
        every_outcome().each_ref().map(happened_and_why),
        [
            "The person answered",
            "The person said no: too risky",
            "The person dismissed the question",
            "Nobody answered in time",
            "Nobody could be reached: the inbox is off",
            "The answers were invalid: Name is missing. Age must be a number.",
            "The question was withdrawn",
        ]
    );
}

#[test]
fn nothing_is_approved_without_a_decision() {
    let [_, undecided @ .., _] = &every_outcome();
    for outcome in undecided {
        let next = next_step_in_chat(outcome, "yes, no");
        assert!(next.contains("nothing is approved"), "{next}");
    }
}

#[test]
fn every_outcome_has_its_exit_code() {
    let codes = every_outcome().map(|outcome| exit_code(outcome.status()));
    assert_eq!(codes, [0, 1, 3, 4, 5, 6, 6]);
    assert_eq!(exit_code("anything else"), 6);
}

#[test]
fn a_decision_says_who_where_and_how_long() {
    let check = |outcome, channel, by: Option<&str>, duration_ms, fast, wanted: &str| {
        let made = Decision {
            ask: AskId::new(),
            outcome,
            channel,
            answered_by: by.map(str::to_owned),
            at: Timestamp::UNIX_EPOCH,
            duration_ms,
            fast,
            said_no: false,
            presence: None,
            review: None,
        };
        assert_eq!(decision(&made), wanted);
    };
    check(
        Outcome::Accepted(Answer::new()),
        Some(ChannelKind::Inbox),
        Some("ann"),
        12_900,
        false,
        "Accepted by ann on the page, after 12 s",
    );
    check(
        Outcome::Declined { reason: None },
        Some(ChannelKind::Client),
        Some("vs\u{202e}code"),
        90,
        true,
        "Declined by vs⟨U+202E⟩code in the client, after 90 ms (faster than a person can read)",
    );
    check(
        Outcome::Accepted(Answer::new()),
        Some(ChannelKind::author("telegram").unwrap()),
        Some("ann"),
        61_000,
        false,
        "Accepted by ann through telegram, after 61 s",
    );
    check(
        Outcome::TimedOut,
        None,
        None,
        300_000,
        false,
        "Nobody answered in time, after 5 min",
    );
}

#[test]
fn a_reason_is_visible_and_names_fields() {
    let errors = vec![FieldError::new("na\u{200b}me", "is missing")];
    let outcome: Outcome = Outcome::Invalid { errors };
    assert_eq!(
        reason(&outcome).as_deref(),
        Some("na⟨U+200B⟩me: is missing")
    );
    assert_eq!(reason(&Outcome::<Answer>::Cancelled), None);
}

#[test]
fn durations() {
    let check = |millis, wanted: &str| assert_eq!(duration(Duration::from_millis(millis)), wanted);
    check(0, "0 s");
    check(999, "999 ms");
    check(119_999, "119 s");
    check(120_000, "2 min");
    check(7_200_000, "2 h");
    check(3 * 86_400_000, "3 d");
}

#[test]
fn titles_and_sentences() {
    assert_eq!(first_line("\n## **Deploy** now?\nmore"), "Deploy now?");
    assert_eq!(first_line("a\tb\u{202e}"), "a b⟨U+202E⟩");
    assert_eq!(first_line(""), "");
    assert_eq!(sentence("no such file"), "No such file.");
    assert_eq!(sentence("Really? "), "Really?");
    assert_eq!(sentence("état"), "état.");
}

#[test]
fn who_asks_names_the_server_and_then_the_client() {
    let check = |server: Option<&str>, client: Option<&str>, wanted: &str| {
        let origin = Origin {
            server: server.map(str::to_owned),
            client: client.map(str::to_owned),
            ..Origin::default()
        };
        assert_eq!(who_asks(&origin), wanted);
    };
    check(
        Some("todo-mcp"),
        Some("Claude Code 2.1"),
        "todo-mcp asks, for Claude Code 2.1",
    );
    check(None, Some("Claude Code"), "Claude Code asks");
    check(Some("todo-mcp"), None, "todo-mcp asks");
    check(None, None, "An agent asks");
    check(Some(" "), Some("\n"), "An agent asks");
    check(
        Some("todo\u{202e}-mcp\u{2028}"),
        Some("Claude\nCode\u{1b}[2J"),
        "todo⟨U+202E⟩-mcp⟨U+2028⟩ asks, for Claude Code⟨U+001B⟩[2J",
    );
    let whole = "é".repeat(80);
    check(Some(&whole), None, &format!("{whole} asks"));
    let cut = format!("{}…", "é".repeat(79));
    let long = "é".repeat(81);
    check(Some(&long), Some(&long), &format!("{cut} asks, for {cut}"));
}
