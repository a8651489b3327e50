//! `holdpoint pin`, and dangerous asks while one is set.

use super::*;

/// Sets the PIN as a person does.
pub fn set(home: &Home, pin: &str) {
    let mut person = Person::runs(home, &["pin", "set"], &[]);
    person.sees("The new PIN").types(pin).types(ENTER);
    person
        .sees("Once more")
        .types(pin)
        .types(ENTER)
        .sees("The PIN is set");
    assert_eq!(person.code(), 0);
}

#[test]
fn it_is_typed_at_the_terminal_only() {
    let home = new_home();
    let piped = home.command(&["pin", "set"]).output().unwrap();
    assert_eq!(piped.status.code(), Some(1));
    assert!(stderr(&piped).contains("terminal"), "{}", stderr(&piped));
    let person = Person::runs(&home, &["pin", "set"], &[("CLAUDECODE", "1")]);
    let (page, status) = person.ends();
    assert_eq!(status.exit_code(), 1);
    assert!(page.contains("run by an agent"), "{page}");
    // A pipe into it is not read.
    let line = "printf '1234\\n1234\\n' | $holdpoint pin set";
    let mut person = Person::shell(&home, line, &[]);
    person
        .sees("The new PIN")
        .types(ESCAPE)
        .sees("nothing was changed");
    assert_eq!(person.code(), 1);
    assert!(!kinds(&home).contains(&"pin_set".to_owned()));
    let wrong = home.run(&["pin", "set", "1234"]);
    assert_eq!(wrong.status.code(), Some(2), "never an argument");
}

#[test]
fn a_yes_to_what_is_dangerous_needs_it() {
    let home = new_home();
    set(&home, "4711");
    let mut person = Person::runs(&home, &["ask", "confirm", "Drop it?", "--dangerous"], &[]);
    person
        .sees("DANGEROUS")
        .sees("Esc to leave")
        .types("confirm\r");
    person
        .sees("needs your PIN")
        .sees("Esc to leave")
        .types("1111\r");
    person
        .sees("Wrong PIN")
        .sees("Esc to leave")
        .types("4711\r");
    let (page, status) = person.ends();
    assert_eq!(status.exit_code(), 0, "{page}");
    assert!(!page.contains("4711"), "it is masked: {page}");
    // A no needs none, and neither does what is not dangerous.
    let mut person = Person::runs(&home, &["ask", "confirm", "Drop it?", "--dangerous"], &[]);
    person.sees("Esc to leave").types("no\r");
    assert_eq!(person.code(), 1);
    let mut person = Person::runs(&home, &["ask", "confirm", "Go?"], &[]);
    person.sees("Esc to leave").types("yes\r");
    assert_eq!(person.code(), 0);
    let asking = Asking::start(&home, &["confirm", "Drop it?", "--dangerous"]);
    let line = format!("$holdpoint answer {} yes 2>&1 | cat", asking.id);
    let (page, _) = Person::shell(&home, &line, &[]).ends();
    assert!(page.contains("shown whole and its word is typed"), "{page}");
}

#[test]
fn changing_it_needs_it() {
    let home = new_home();
    set(&home, "4711");
    let mut person = Person::runs(&home, &["pin", "set"], &[]);
    person.sees("The current PIN").types("0000\r");
    person
        .sees("The new PIN")
        .types("5555\r")
        .sees("Once more")
        .types("5555\r");
    person.sees("that is not the PIN");
    assert_eq!(person.code(), 1);
    let mut person = Person::runs(&home, &["pin", "clear"], &[]);
    person
        .sees("The PIN")
        .sees("Esc to leave")
        .types("4711\r")
        .sees("The PIN is cleared");
    assert_eq!(person.code(), 0);
    let person = Person::runs(&home, &["pin", "clear"], &[]);
    let (page, _) = person.ends();
    assert!(page.contains("no PIN is set"), "{page}");
}

#[test]
fn a_clients_env_block_leads_around_neither_the_pin_nor_the_settings() {
    let home = new_home();
    set(&home, "4711");
    home.config("[trust]\ndangerous = \"inbox\"");
    let elsewhere = home.root().join("elsewhere");
    let elsewhere = elsewhere.to_str().unwrap();
    let other = format!("sqlite:{elsewhere}/other.db");
    for variables in [
        &[
            ("HOME", elsewhere),
            ("XDG_STATE_HOME", ""),
            ("XDG_CONFIG_HOME", ""),
        ][..],
        &[
            ("XDG_STATE_HOME", elsewhere),
            ("XDG_CONFIG_HOME", elsewhere),
        ],
        &[("HOLDPOINT_JOURNAL", "memory:")],
        &[("HOLDPOINT_JOURNAL", &other)],
    ] {
        let mut person = Person::runs(&home, &["pin", "set"], variables);
        person.sees("The current PIN").types(ESCAPE);
        assert_eq!(person.code(), 1, "{variables:?}");
    }
    let args = ["pin", "--journal", &other, "clear"];
    let mut person = Person::runs(&home, &args, &[]);
    person.sees("The PIN").sees("Esc to leave").types("0000\r");
    person.sees("that is not the PIN");
    assert_eq!(person.code(), 1);

    let loosened = home.root().join("elsewhere/holdpoint/config.toml");
    std::fs::create_dir_all(loosened.parent().unwrap()).unwrap();
    std::fs::write(&loosened, "[trust]\ndangerous = \"client\"").unwrap();
    let mut serve = home.command(&["serve"]);
    let output = serve.env("XDG_CONFIG_HOME", elsewhere).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    assert!(
        said.contains("`trust.dangerous` can only be tightened"),
        "{said}"
    );
}

#[test]
fn of_16_guesses_in_16_processes_4_are_judged() {
    let home = new_home();
    set(&home, "4711");
    let asking = Asking::start(&home, &["confirm", "Drop it?", "--dangerous"]);
    let mut people: Vec<Person> = (0..16)
        .map(|_| Person::runs(&home, &["answer", &asking.id], &[]))
        .collect();
    for person in &mut people {
        person.sees("Esc to leave").types("confirm\r");
        person.sees("needs your PIN").sees("Esc to leave");
    }
    for person in &mut people {
        person.types("1111\r");
    }
    for person in &mut people {
        person.sees("rong PIN");
    }
    let kinds = kinds(&home);
    let count = |wanted: &str| kinds.iter().filter(|kind| *kind == wanted).count();
    assert_eq!((count("pin_tried"), count("wrong_pin")), (4, 4));
    assert_eq!(count("decided"), 0);
}
