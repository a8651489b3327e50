//! A dangerous yes in the terminal: the ask's word, typed.

use super::*;

const LEAVE: &str = "Esc to leave";

fn ask(home: &Home, more: &[&str]) -> Person {
    let args = [&["ask", "confirm", "Drop users?", "--dangerous"], more].concat();
    Person::runs(home, &args, &[])
}

#[test]
fn a_dangerous_yes_is_the_asks_word_typed() {
    let home = new_home();
    let mut person = ask(&home, &[]);
    person.sees("DANGEROUS").sees(LEAVE);
    for wrong in ["y", "yes", "true", "confirmed", ""] {
        person.types(wrong).types(ENTER);
        person.types(&"\u{7f}".repeat(wrong.len()));
    }
    person.sees("Type confirm for yes, or no.").types("no\r");
    assert_eq!(person.code(), 1, "nothing else was a yes");
    let mut person = ask(&home, &[]);
    person.sees(LEAVE).types("Confirm\r");
    assert_eq!(person.code(), 0);
}

#[test]
fn the_word_and_what_is_said_about_danger_come_from_the_ask() {
    let home = new_home();
    let more = [
        "--word",
        "users",
        "--consequence",
        "can be rolled back for 7 days",
    ];
    let mut person = ask(&home, &more);
    person
        .sees("DANGEROUS: can be rolled back for 7 days")
        .sees("type users for yes")
        .sees(LEAVE);
    person.types("confirm\r").sees("Type users for yes, or no.");
    person.types(&"\u{7f}".repeat(7)).types("users\r");
    assert_eq!(person.code(), 0);
    for wrong in ["no", "drop it", "x\u{1b}[2Jy"] {
        let output = home.run(&["ask", "confirm", "Go?", "--dangerous", "--word", wrong]);
        assert_eq!(
            output.status.code(),
            Some(2),
            "{wrong:?}: {}",
            stderr(&output)
        );
    }
    // What an agent asks has the usual word.
    let mut agent = home.command(&["ask", "confirm", "Go?", "--dangerous", "--word", "users"]);
    let mut agent = agent
        .env("CLAUDECODE", "1")
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let asks = eventually_blocking("the ask", || {
        let listed = last_json(&stdout(&home.run(&["inbox", "--json"])));
        Some(listed["asks"].clone()).filter(|asks| !asks[0].is_null())
    });
    let id = asks[0]["id"].as_str().unwrap();
    let mut person = Person::runs(&home, &["answer", id], &[]);
    person
        .sees("type confirm for yes")
        .sees(LEAVE)
        .types("confirm\r");
    assert_eq!(person.code(), 0);
    assert!(agent.wait().unwrap().success());
}

#[test]
fn a_form_needs_the_word_after_its_answers() {
    let home = new_home();
    let fields = r#"[{"name":"which","kind":"choice","options":[{"value":"a"},{"value":"b"}]}]"#;
    let args = [
        "ask",
        "form",
        "Drop",
        "--dangerous",
        "--json",
        "--fields",
        fields,
    ];
    let mut person = Person::runs(&home, &args, &[]);
    person
        .sees("which")
        .sees(LEAVE)
        .types(&format!("{DOWN}{ENTER}"));
    person.sees("Type confirm for yes").sees(LEAVE).types("y\r");
    person
        .sees("Type confirm for yes.")
        .types("\u{7f}confirm\r");
    let (page, status) = person.ends();
    assert_eq!(status.exit_code(), 0, "{page}");
    assert_eq!(last_json(&page)["values"]["which"], "a");
}

#[test]
fn an_answer_with_values_shows_what_is_dangerous_and_asks_for_its_word() {
    let home = new_home();
    let asking = Asking::start(&home, &["confirm", "Drop users?", "--dangerous", "--json"]);
    let args = ["answer", &asking.id, "yes"];
    let mut person = Person::runs(&home, &args, &[]);
    person
        .types("confirm\r")
        .sees("DANGEROUS")
        .sees("Drop users?");
    person
        .sees("Type confirm for yes")
        .sees(LEAVE)
        .types(ESCAPE);
    let (page, status) = person.ends();
    assert_eq!(status.exit_code(), 1, "{page}");
    assert!(page.contains("The ask is still open"), "{page}");
    let mut person = Person::runs(&home, &args, &[]);
    person
        .sees("Type confirm for yes")
        .sees(LEAVE)
        .types("confirm\r");
    assert_eq!(person.code(), 0);
    let (out, _, code) = asking.ends();
    assert_eq!(code, 0);
    assert_eq!(last_json(&out)["channel"], "terminal");
    // A no needs no word.
    let asking = Asking::start(&home, &["confirm", "Drop users?", "--dangerous"]);
    assert_eq!(Person::ran(&home, &["answer", &asking.id, "no"]).0, 0);
    assert_eq!(asking.ends().2, 1);
    let asking = Asking::start(&home, &["confirm", "Drop users?", "--dangerous"]);
    assert_eq!(
        Person::ran(&home, &["answer", &asking.id, "--decline"]).0,
        0
    );
    assert_eq!(asking.ends().2, 1);
}
