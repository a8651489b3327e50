//! `holdpoint answer`: one line, and what it refuses.

use super::*;

const FORM: &str = r#"[{"name":"decision","kind":"choice","options":[{"value":"go"},{"value":"stop"}]},
    {"name":"count","kind":"integer"},{"name":"note","kind":"text","required":false}]"#;

fn answer(home: &Home, id: &str, args: &[&str]) -> (i32, String) {
    let mut all = vec!["answer", id];
    all.extend(args);
    let (code, page) = Person::ran(home, &all);
    (code.cast_signed(), page)
}

#[test]
fn the_fields_of_a_form() {
    let home = new_home();
    let asking = Asking::start(&home, &["form", "Fill", "--fields", FORM]);
    // Enough of the id is enough.
    let id = &asking.id[..13];
    let refused = |args: &[&str], wanted: &str| {
        let (code, said) = answer(&home, id, args);
        assert_eq!(code, 2, "{said}");
        assert!(said.contains(wanted), "{said}");
    };
    refused(
        &["decision=perhaps", "count=1"],
        "decision: decision must be one of: go, stop.",
    );
    refused(
        &["decision=go", "count=many"],
        "count: count must be a whole number.",
    );
    refused(&["decision=go"], "count: it is missing");
    refused(&["decision=go", "count=1", "size=2"], "no field \"size\"");
    let (code, said) = answer(&home, id, &["decision=go", "count=3"]);
    assert_eq!(code, 0, "{said}");
    let (out, _, code) = asking.ends();
    assert_eq!(
        (out.as_str(), code),
        ("{\"decision\":\"go\",\"count\":3}\n", 0)
    );
}

#[test]
fn no_and_away() {
    let home = new_home();
    let asking = Asking::start(&home, &["confirm", "Go?"]);
    let id = asking.id.clone();
    let (code, _) = answer(&home, &id, &["--decline", "--reason", "not now"]);
    assert_eq!(code, 0);
    let (_, said, code) = asking.ends();
    assert_eq!(code, 1);
    assert!(said.contains("not now"), "{said}");
    // Whoever comes later is told who and how.
    let (code, said) = answer(&home, &id, &["yes"]);
    assert_eq!(code, 1);
    assert!(
        said.contains("the ask has already ended: Declined by"),
        "{said}"
    );
    let asking = Asking::start(&home, &["confirm", "Go?"]);
    assert_eq!(answer(&home, &asking.id, &["--cancel"]).0, 0);
    assert_eq!(asking.ends().2, 3);
    let (code, said) = answer(&home, "ffff", &["yes"]);
    assert_eq!(code, 1);
    assert!(said.contains("no open ask has the id ffff"), "{said}");
}

#[test]
fn it_asks_where_nothing_is_said() {
    let home = new_home();
    let asking = Asking::start(&home, &["choose", "Which **one**?", "a=Alpha", "b=Beta"]);
    let mut person = Person::runs(&home, &["answer", &asking.id], &[]);
    person
        .sees("Which one?")
        .sees("> · choose")
        .sees("Esc to leave");
    person
        .types(DOWN)
        .types(DOWN)
        .types(ENTER)
        .sees("Answered by");
    assert_eq!(person.code(), 0);
    assert_eq!(asking.ends().0, "b\n");
}
