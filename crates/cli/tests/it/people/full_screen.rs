//! `holdpoint inbox` over the whole screen, at a real terminal.

use super::*;
use holdpoint::field::{Choice, Ending, Field, Kind, Pick, Text};
use holdpoint::{
    AskId, Form,
    review::{EditableText, Round},
};
use std::{fs, os::unix::fs::PermissionsExt, time::Duration};

const READY: &str = "to choose, Enter to do it";

fn inbox(home: &Home) -> Person {
    Person::runs(home, &["inbox"], &[])
}

fn open(home: &Home) -> Value {
    last_json(&stdout(&home.run(&["inbox", "--json"])))["open"].clone()
}

/// The decision on this ask, as it is on record.
fn decided(home: &Home, id: &str) -> Value {
    let shown = stdout(&home.run(&["log", "show", id, "--json"]));
    serde_json::from_str(&shown).unwrap()
}

fn plan() -> Ask {
    let option = |value: &str, ending| Pick::new(value).ending(ending);
    let decision = Choice {
        options: vec![
            option("approve", Ending::go("Approve", "Approved")),
            option(
                "revise",
                Ending::hold("Request changes", "Changes requested").wants("feedback"),
            ),
        ],
        ..Choice::default()
    };
    let mut feedback = Field::new("feedback", Kind::Text(Text::default()));
    feedback.required = false;
    let form = Form::new()
        .field(Field::new("decision", Kind::Choice(decision)))
        .field(feedback);
    Ask::new("Approve the plan?", form)
        .details("# Plan\n\nFirst ~~old~~ words.\n\n## Tests\n\nMany.")
        .editable(EditableText::field("plan", "The plan", "First words."))
}

/// A script in the home that stands for a program of the person's.
fn script(home: &Home, name: &str, text: &str) -> String {
    let path = home.workspace().join(name);
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.to_string_lossy().into_owned()
}

#[test]
fn a_person_reads_and_answers_with_two_keys_at_least() {
    let home = new_home();
    let asking = Asking::start(&home, &["confirm", "Go **on**?", "--details", "- because"]);
    let mut person = inbox(&home);
    // The ask under the cursor is beside the list.
    person.shows("1 ask waits for you").shows("• because");
    person.types(ENTER).shows("a answer").types("a");
    person.shows(READY).types(ENTER).types(ENTER);
    assert_eq!(open(&home), 1, "nothing is chosen beforehand");
    person.types(DOWN).shows("› Yes").types(ENTER);
    person.shows("nothing waits for you").shows("Approved by");
    person.types("q");
    assert_eq!(person.code(), 0);
    assert_eq!(asking.ends().2, 0);
}

#[test]
fn keys_on_their_way_decide_nothing() {
    let home = new_home();
    let asking = Asking::start(&home, &["confirm", "Go?"]);
    let mut person = inbox(&home);
    person.types(&format!("{ENTER}a{DOWN}{ENTER}yes\r"));
    person.shows("Enter to read");
    person
        .types(&format!("{ENTER}a{DOWN}{ENTER}"))
        .shows("a answer");
    person
        .types(&format!("a{DOWN}{ENTER}{DOWN}{ENTER}"))
        .shows(READY);
    assert_eq!(open(&home), 1, "{}", person.screen().contents());
    assert!(!person.screen().contents().contains("› Yes"));
    // A paste is not keys.
    person
        .types("\u{1b}[200~jj\r\r\u{1b}[201~")
        .types(DOWN)
        .shows("› Yes");
    person.types(DOWN).shows("› No…").types(ENTER);
    person
        .shows("Why not?")
        .shows("Enter to decline")
        .types("too early\r");
    person.shows("Declined by").types("q");
    assert_eq!(person.code(), 0);
    let (_, said, code) = asking.ends();
    assert_eq!(code, 1);
    assert!(said.contains("too early"), "{said}");
}

#[test]
fn a_dangerous_yes_is_its_word_typed_after_its_end_was_shown() {
    let home = new_home();
    let details: String = (1..=100).map(|line| format!("- point {line}\n")).collect();
    let args = [
        "confirm",
        "Drop users?",
        "--dangerous",
        "--details",
        &details,
    ];
    let asking = Asking::start(&home, &args);
    let mut person = inbox(&home);
    person
        .shows("⚠ Drop users?")
        .types(ENTER)
        .shows("more below")
        .types("a");
    person.shows(READY).types(DOWN).shows("› Yes").types(ENTER);
    person
        .shows("Read it to its end first")
        .types("G")
        .shows("point 100");
    person
        .types("a")
        .shows(READY)
        .types(DOWN)
        .shows("› Yes")
        .types(ENTER);
    person
        .shows("type confirm for yes")
        .shows("the word, then Enter");
    person
        .types("\u{1b}[200~confirm\u{1b}[201~")
        .shows("it cannot be pasted");
    person.types("yes\r").shows("Type confirm for yes.");
    assert_eq!(open(&home), 1);
    person
        .types("\u{7f}\u{7f}\u{7f}confirm\r")
        .shows("Approved by")
        .types("q");
    assert_eq!(person.code(), 0);
    assert_eq!(asking.ends().2, 0);
}

#[test]
fn what_ends_elsewhere_is_said() {
    let home = new_home();
    let asking = Asking::start(&home, &["confirm", "Go?"]);
    let mut person = inbox(&home);
    person
        .shows("Enter to read")
        .types(ENTER)
        .shows("a answer")
        .types("a");
    person.shows(READY).types(DOWN).shows("› Yes");
    let (code, page) = Person::ran(&home, &["answer", &asking.id, "no"]);
    assert_eq!(code, 0, "{page}");
    person.shows("It has ended: Declined by").shows_no(READY);
    person
        .types(ESCAPE)
        .shows("nothing waits for you")
        .types("q");
    assert_eq!(person.code(), 0);
    assert_eq!(asking.ends().2, 1);
}

#[test]
fn comments_and_changes_reach_the_record() {
    let home = new_home();
    let id = asked_by(&home, "plans", plan());
    let mut person = inbox(&home);
    person
        .shows("Reviews")
        .types(ENTER)
        .shows("Approve / Request changes…");
    person
        .types("]]")
        .types("c")
        .shows("Comment on Plan › Tests");
    person.types("How many?\r").shows("1 comment");
    person
        .types("C")
        .shows("Comment on All of it")
        .types("Good.\r")
        .shows("2 comments");
    person
        .types("l")
        .shows("Plan › Tests: How many?")
        .types("jx")
        .shows_no("Good.");
    person
        .types(ESCAPE)
        .shows("1 comment ")
        .types("a")
        .shows(READY);
    person.types("jj").shows("› Request changes…").types(ENTER);
    person.shows("Enter to send it").types("More tests\r");
    person.shows("Changes requested by").types("q");
    assert_eq!(person.code(), 0);
    let shown = decided(&home, &id);
    let shown = shown.to_string();
    assert!(
        shown.contains("How many?") && !shown.contains("Good."),
        "{shown}"
    );
    let text = stdout(&home.run(&["log", "show", &id]));
    assert!(text.contains("Changes requested by"), "{text}");
    assert!(
        text.contains("- Plan › Tests: “Tests”\n    How many?"),
        "{text}"
    );
    assert!(
        text.contains("~~old~~"),
        "struck-out text looks so in a pipe: {text}"
    );
}

#[test]
fn a_second_round_shows_the_first_and_what_differs() {
    let home = new_home();
    let first = Round::first("plan.md");
    let id = asked_by(&home, "plans", plan().in_round(first.clone()));
    let mut person = inbox(&home);
    person
        .shows("Enter to read")
        .types(ENTER)
        .shows("a answer")
        .shows("plan.md: round 1");
    person.types("C").shows("Comment on All of it");
    person.types("How many?\r").shows("1 comment").types("a");
    person.shows(READY).types("jj").shows("› Request changes…");
    person.types(ENTER).shows("Enter to send it");
    person.types("More tests\r").shows("Changes requested by");
    person.types("q");
    assert_eq!(person.code(), 0);

    let changed = plan()
        .details("# Plan\n\nFirst ~~old~~ words.\n\n## Tests\n\nTwelve.")
        .in_round(first.after(id.parse().unwrap()));
    asked_by(&home, "plans", changed);
    let mut person = inbox(&home);
    person.shows("Enter to read").types(ENTER);
    person.shows("a answer");
    person
        .shows("plan.md: round 2")
        .shows("Round 1: Changes requested by");
    person
        .shows("More tests")
        .shows("How many?")
        .shows("Twelve.");
    person.types("d").shows("What differs from round 1:");
    person.shows("Many.").shows("Twelve.").shows_no("How many?");
    person.types("d").shows("How many?").shows_no("Many.");
    person.types(ESCAPE).shows("Enter to read").types("q");
    assert_eq!(person.code(), 0);
}

/// An ask that was opened so long ago, and has a minute left.
fn nearly_over(home: &Home, ago: Duration) -> AskId {
    let origin = Origin {
        principal: "local".into(),
        ..Origin::default()
    };
    let now = Timestamp::now();
    let mut ask = NewAsk::new(plan(), origin, now - ago);
    ask.deadline_at = Some(now + Duration::from_secs(60));
    let id = ask.id;
    let journal = SqliteJournal::open(home.journal()).unwrap();
    let opened = journal.commit(vec![Write::OpenAsk(Arc::new(ask))]);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(opened).unwrap();
    id
}

/// How long it waits in all, and how often that was extended.
fn waits(home: &Home, id: AskId) -> (Duration, usize) {
    let journal = SqliteJournal::open(home.journal()).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let record = runtime.block_on(journal.ask(id)).unwrap().unwrap();
    let all = record.deadline_at.unwrap().duration_since(record.opened_at);
    let kinds = kinds(home);
    let extended = kinds.iter().filter(|kind| *kind == "extended");
    (all.try_into().unwrap(), extended.count())
}

#[test]
fn the_deadline_moves_on_while_a_person_is_at_it() {
    let home = new_home();
    let hour = Duration::from_secs(3600);
    let id = nearly_over(&home, hour);
    let mut person = inbox(&home);
    person.shows("Enter to read").types(ENTER);
    person.shows("a answer").shows("s left");
    assert_eq!(waits(&home, id).1, 0, "to have it open is not to be at it");
    person.types("C").shows("Comment on All of it").types("Why");
    person.shows("Why").types("?\r").shows("1 comment");
    person.shows(" min left");
    let (all, extended) = waits(&home, id);
    assert!(all > hour + Duration::from_secs(9 * 60), "{all:?}");
    assert_eq!(extended, 1, "and not at every key");
    person.types(ESCAPE).shows("Enter to read").types("q");
    // What was written is not lost with the screen.
    person.sees("Not sent:").sees("Why?");
    assert_eq!(person.code(), 0);
}

#[test]
fn it_never_waits_longer_than_the_inbox_does() {
    let home = new_home();
    let day = Duration::from_secs(24 * 3600);
    let id = nearly_over(&home, day - Duration::from_secs(90));
    let mut person = inbox(&home);
    person.shows("Enter to read").types(ENTER);
    person.shows("a answer").shows("s left");
    person
        .types("C")
        .shows("Comment on All of it")
        .types("Why?\r");
    person.shows("1 comment").types("jjjj").types("?");
    person.shows("next, previous file").types(ESCAPE);
    let (all, extended) = waits(&home, id);
    assert!(all <= day && day - all < Duration::from_secs(1), "{all:?}");
    assert_eq!(extended, 1);
    person.types(CTRL_C).sees("Why?");
    assert_eq!(person.code(), 0);
}

#[test]
fn what_was_written_when_it_ended_elsewhere_can_be_read() {
    let home = new_home();
    let asking = Asking::start(&home, &["confirm", "Go?"]);
    let pager = script(&home, "pager", "cat > paged.txt; echo paged");
    let mut person = Person::runs(&home, &["inbox"], &[("PAGER", pager.as_str())]);
    person.shows("Enter to read").types(ENTER).shows("a answer");
    person
        .types("C")
        .shows("Comment on All of it")
        .types("Not today");
    person.shows("Not today");
    assert_eq!(Person::ran(&home, &["answer", &asking.id, "no"]).0, 0);
    person.shows("It has ended: Declined by");
    person.shows("What you wrote was not sent").types(ESCAPE);
    person.shows("nothing waits for you").shows("u shows it");
    person
        .types("u")
        .sees("paged")
        .shows("nothing waits for you");
    let paged = fs::read_to_string(home.workspace().join("paged.txt")).unwrap();
    assert!(
        paged.contains("Go?") && paged.contains("Not today"),
        "{paged}"
    );
    person.types("q").sees("Not today");
    assert_eq!(person.code(), 0);
    assert_eq!(asking.ends().2, 1);
}

#[test]
fn the_persons_own_editor_and_pager() {
    let home = new_home();
    let id = asked_by(&home, "plans", plan());
    let editor = script(&home, "editor", "echo 'My words.' > \"$1\"");
    let pager = script(&home, "pager", "cat > paged.txt; echo paged");
    let variables = [("EDITOR", editor.as_str()), ("PAGER", pager.as_str())];
    let mut person = Person::runs(&home, &["inbox"], &variables);
    person.shows("Enter to read").types(ENTER).shows("a answer");
    person.types("v").sees("paged").shows("a answer");
    let paged = fs::read_to_string(home.workspace().join("paged.txt")).unwrap();
    assert!(paged.contains("First ~~old~~ words."), "{paged}");
    person
        .types("e")
        .shows("Your version is sent with a yes")
        .shows("edited");
    person
        .types("]c")
        .shows("Enter to keep it")
        .types("\u{7}")
        .shows("My words.");
    person.types(ESCAPE).shows_no("Enter to keep it");
    person
        .types("a")
        .shows(READY)
        .types(DOWN)
        .shows("› Approve (with your edits)");
    person.types(ENTER).shows("Approved by").types("q");
    assert_eq!(person.code(), 0);
    let text = stdout(&home.run(&["log", "show", &id]));
    assert!(text.contains("edited plan:\n    My words."), "{text}");
}

#[test]
fn any_size_colours_and_characters() {
    let home = new_home();
    asked_by(&home, "plans", plan());
    let mut person = inbox(&home);
    person
        .shows("Enter to read")
        .types(ENTER)
        .shows("a answer")
        .shows_no("more below");
    assert!(
        person.raw().contains("\u{1b}[9m"),
        "a line is drawn through it"
    );
    person
        .resizes(40, 12)
        .shows("a answer")
        .types("G")
        .shows("100%");
    person
        .resizes(250, 40)
        .shows("Esc back")
        .types(ESCAPE)
        .shows("│");
    person
        .types("/nothing has this")
        .shows("No open ask has that.");
    person
        .types(ESCAPE)
        .shows("› Approve the plan?")
        .types("?")
        .shows("next, previous file");
    person
        .types(ESCAPE)
        .shows_no("next, previous file")
        .types("q");
    assert_eq!(person.code(), 0);

    let colours = |variables: &[(&str, &str)]| {
        let mut person = Person::runs(&home, &["inbox", "--no-mouse"], variables);
        person.shows("Enter to read").types(ENTER).shows("a answer");
        person.types(ESCAPE).shows("Enter to read").types("q");
        let seen = person.raw();
        assert!(
            !seen.contains("\u{1b}[?1000h"),
            "the mouse is the terminal's"
        );
        let sequences = seen.split("\u{1b}[").skip(1);
        let mut codes = sequences.filter_map(|part| part.split_once('m'));
        let coloured = codes.any(|(code, _)| {
            let mut parts = code.split(';');
            parts.any(|part| matches!(part.as_bytes(), [b'3' | b'9', b'0'..=b'8']))
        });
        (coloured, seen.replace('\u{1b}', "").is_ascii())
    };
    assert_eq!(colours(&[]), (true, false));
    assert!(!colours(&[("NO_COLOR", "1")]).0);
    assert!(colours(&[("LANG", "C")]).1, "a poor locale has ASCII");
}

#[test]
fn an_interrupt_and_a_kill_lose_nothing() {
    let home = new_home();
    let asking = Asking::start(&home, &["confirm", "Go?"]);
    let mut person = inbox(&home);
    person
        .shows("Enter to read")
        .types(ENTER)
        .shows("a answer")
        .types("a")
        .shows(READY);
    person.types(CTRL_C);
    let (_, status) = person.ends();
    assert_eq!(status.exit_code(), 0);
    let mut person = inbox(&home);
    person.shows("Enter to read").types(ENTER).shows("a answer");
    person.killed();
    assert_eq!(open(&home), 1);
    assert_eq!(Person::ran(&home, &["answer", &asking.id, "yes"]).0, 0);
    assert_eq!(asking.ends().2, 0);
}
