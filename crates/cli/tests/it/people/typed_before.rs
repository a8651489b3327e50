//! What was typed before a question was on the screen is no answer to it.

use super::*;

const LEAVE: &str = "Esc to leave";

/// How many asks are open.
fn open(home: &Home) -> u64 {
    let listed = last_json(&stdout(&home.run(&["inbox", "--json"])));
    listed["open"].as_u64().unwrap()
}

/// Keys as a terminal sends what is pasted while a program wants to know.
fn pasted(text: &str) -> String {
    format!("\u{1b}[200~{text}\u{1b}[201~")
}

#[test]
fn keys_typed_before_the_question_answer_nothing() {
    let typed = [
        "confirm\r".to_owned(),
        "yes\r".to_owned(),
        pasted("confirm\r"),
        // More than a terminal holds, and than is read at once.
        "confirm\r".repeat(1_000),
    ];
    for keys in typed {
        let home = new_home();
        let args = ["ask", "confirm", "Drop it?", "--dangerous"];
        let mut person = Person::runs(&home, &args, &[]);
        person.types(&keys).sees("Drop it?").sees(LEAVE);
        assert_eq!(open(&home), 1, "{}", person.plain());
        person.types("no\r");
        assert_eq!(person.code(), 1);
    }
    // An ordinary question is not answered either, wherever it is asked.
    let home = new_home();
    let mut person = Person::runs(&home, &["ask", "confirm", "Go?"], &[]);
    person.types("yes\r").sees("Go?").sees(LEAVE);
    assert_eq!(open(&home), 1, "{}", person.plain());
    person.types("no\r");
    assert_eq!(person.code(), 1);
    let asking = Asking::start(&home, &["confirm", "Go?"]);
    let mut person = Person::runs(&home, &["answer", &asking.id], &[]);
    person.types("yes\r").sees("Go?").sees(LEAVE);
    assert_eq!(open(&home), 1, "{}", person.plain());
    person.types("no\r");
    assert_eq!(person.code(), 0);
    assert_eq!(asking.ends().2, 1);
}

#[test]
fn keys_typed_before_the_inbox_answer_nothing() {
    let home = new_home();
    let asking = Asking::start(&home, &["confirm", "Go?"]);
    let mut person = Person::runs(&home, &["inbox", "--plain"], &[]);
    // Enter reads the ask, Enter begins to answer it, and then comes the yes.
    person.types("\r\ryes\r").sees("Enter to read");
    assert_eq!(open(&home), 1);
    person.types("\r\ryes\r").sees("Go?").sees("leave it open");
    person.types("\ryes\r").sees(LEAVE);
    assert_eq!(open(&home), 1, "{}", person.plain());
    person.types("no\r").sees("Declined by");
    person.sees("q to quit").types("q");
    assert_eq!(person.code(), 0);
    assert_eq!(asking.ends().2, 1);
}

#[test]
fn keys_typed_while_it_is_read_answer_nothing() {
    for (args, yes) in [
        (
            &["ask", "confirm", "Drop it?", "--dangerous"][..],
            "confirm\r",
        ),
        (&["ask", "confirm", "Drop it?"][..], "yes\r"),
    ] {
        let home = new_home();
        let mut person = Person::runs(&home, args, &[]);
        person.sees("Drop it?").types(yes).sees(LEAVE);
        assert_eq!(open(&home), 1, "{}", person.plain());
        person.types(yes);
        let (page, status) = person.ends();
        assert_eq!(status.exit_code(), 0, "{page}");
    }
}

#[test]
fn keys_typed_between_two_prompts_answer_nothing() {
    let home = new_home();
    let fields = r#"[{"name":"name","kind":"text"},{"name":"sure","kind":"confirm"},
        {"name":"one","kind":"choice","options":[{"value":"a"},{"value":"b"}]}]"#;
    let args = ["ask", "form", "Fill", "--fields", fields, "--json"];
    let mut person = Person::runs(&home, &args, &[]);
    person.sees("name").sees(LEAVE).types("Ada\ryes\r");
    person.sees("sure").sees(LEAVE).types("no\r");
    // The same prompt again, because nothing was chosen.
    person.sees("one").sees("> · choose").sees(LEAVE);
    person.types(&format!("{ENTER}{DOWN}{ENTER}"));
    person.sees("one").sees("> · choose").sees(LEAVE);
    person.types(&format!("{DOWN}{DOWN}{ENTER}{ENTER}"));
    person.sees("Is that right?").sees("leave it open");
    assert_eq!(open(&home), 1, "{}", person.plain());
    person.types(ENTER);
    let (page, status) = person.ends();
    assert_eq!(status.exit_code(), 0, "{page}");
    let values = &last_json(&page)["values"];
    assert_eq!(values["sure"], false, "{page}");
    assert_eq!(values["one"], "b", "{page}");
}

#[test]
fn a_paste_sends_nothing() {
    let home = new_home();
    let mut person = Person::runs(&home, &["ask", "confirm", "Go?"], &[]);
    person.sees(LEAVE).types(&pasted("yes\r")).types(ENTER);
    person.sees("Only one line fits here");
    assert_eq!(open(&home), 1);
    person.types(ESCAPE).sees("leave it open").types(CTRL_C);
    assert_eq!(person.code(), 6);
}

#[test]
fn a_long_question_is_shown_whole_before_it_is_answered() {
    let home = new_home();
    let details: String = (1..=100).map(|line| format!("- point {line}\n")).collect();
    let args = [
        "ask",
        "confirm",
        "Drop it?",
        "--dangerous",
        "--details",
        &details,
    ];
    let mut person = Person::runs(&home, &args, &[]);
    // All keys that come at once turn one page, and none of them reaches the prompt.
    person
        .shows("Space for more")
        .shows_no("point 100")
        .types("   confirm\r");
    person
        .shows("point 100")
        .shows("Space to go on")
        .types("\rconfirm\r");
    person.sees("for yes").sees(LEAVE);
    assert_eq!(open(&home), 1, "{}", person.plain());
    person.types("confirm\r");
    assert_eq!(person.code(), 0);
    // Who leaves before its end has not read it, and can say no.
    let mut person = Person::runs(&home, &args, &[]);
    person.sees("Space for more").types(ESCAPE);
    person.sees("What do you want to do?").sees("leave it open");
    person.types(ENTER).sees("Space for more").types(ESCAPE);
    person.sees("What do you want to do?").sees("leave it open");
    person
        .types(&format!("{DOWN}{ENTER}"))
        .sees("Why not?")
        .types(ENTER);
    person.sees("Declined by");
    assert_eq!(person.code(), 1);
}
