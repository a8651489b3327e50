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
    // Enough of the id is enough, whatever part it is.
    let open = last_json(&stdout(&home.run(&["inbox", "--json"])));
    let whole = open["asks"][0]["id"].as_str().unwrap();
    assert!(
        whole.ends_with(&asking.id) && asking.id.len() == 8,
        "{whole}"
    );
    let id = &whole[..13];
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
    assert!(said.contains("no ask has an id with ffff in it"), "{said}");
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

#[test]
fn a_short_id_is_enough_and_an_ambiguous_one_lists_what_it_may_mean() {
    let home = new_home();
    let asked: Vec<Asking> = ["Deploy?", "Drop it?", "Merge?"]
        .iter()
        .map(|message| Asking::start(&home, &["confirm", message]))
        .collect();
    let ids: Vec<&str> = asked.iter().map(|asking| asking.id.as_str()).collect();
    // Every surface shows the same.
    let listed = stdout(&home.run(&["inbox"]));
    let record = stdout(&home.run(&["log"]));
    for id in &ids {
        assert!(listed.lines().any(|line| line.starts_with(id)), "{listed}");
        assert!(record.lines().any(|line| line.starts_with(id)), "{record}");
    }
    let open = last_json(&stdout(&home.run(&["inbox", "--json"])));
    let of = |id: &str| {
        let mut all = open["asks"].as_array().unwrap().iter();
        let one = all.find(|ask| ask["id"].as_str().unwrap().ends_with(id));
        one.unwrap()["id"].as_str().unwrap().to_owned()
    };
    // What all begin with names none.
    let shared = &of(ids[0])[..7];
    let (code, said) = answer(&home, shared, &["--cancel"]);
    assert_eq!(code, 1);
    assert!(said.contains("several have"), "{said}");
    for (id, message) in ids.iter().zip(["Deploy?", "Drop it?", "Merge?"]) {
        let line = said.lines().find(|line| line.contains(id)).expect(&said);
        assert!(line.contains(message) && line.contains("open"), "{said}");
    }
    for (id, word) in ids.iter().zip(["no", "--decline", "--cancel"]) {
        assert_eq!(answer(&home, id, &[word]).0, 0);
    }
    // One that has ended is named too; and by its middle.
    let whole = of(ids[0]).replace('-', "");
    for part in [ids[0], &whole[14..], &whole[10..30]] {
        let (code, said) = answer(&home, part, &["yes"]);
        assert_eq!(code, 1);
        assert!(
            said.contains("already ended: Declined by"),
            "{part}: {said}"
        );
        let shown = home.run(&["log", "show", part]);
        assert!(
            stdout(&shown).contains("Deploy?"),
            "{part}: {}",
            stderr(&shown)
        );
    }
}
