//! `holdpoint inbox`: the list, live, and an ask in it.

use super::*;

#[test]
fn in_a_pipe_it_is_a_list() {
    let home = new_home();
    let list = || stdout(&home.run(&["inbox"]));
    assert_eq!(list(), "Nothing waits for you.\n");
    let _one = Asking::start(&home, &["confirm", "# Go\u{1b}[2J on?"]);
    let _two = Asking::start(&home, &["confirm", "Drop it?", "--dangerous"]);
    let _three = Asking::start(&home, &["text", "Name?"]);
    let shown = list();
    let lines: Vec<&str> = shown.lines().collect();
    assert!(!shown.contains('\u{1b}'), "{shown}");
    assert!(lines[0].ends_with("DANGEROUS  Drop it?"), "{shown}");
    let who = lines[1].trim_start();
    assert!(who.starts_with("holdpoint asks, for "), "{shown}");
    assert!(who.contains("'s shell · holdpoint ask · "), "{shown}");
    assert!(
        lines[2].ends_with("Go⟨U+001B⟩[2J on?"),
        "the oldest comes first: {shown}"
    );
    assert!(lines[4].ends_with("Name?"), "{shown}");
    let json = last_json(&stdout(&home.run(&["inbox", "--json"])));
    assert_eq!(json["open"], 3);
    assert_eq!(json["asks"][0]["dangerous"], true);
    assert_eq!(json["asks"][0]["server"], "holdpoint");
    assert_eq!(json["asks"][0]["form"][0]["kind"], "confirm");
}

#[test]
fn tools_of_one_name_are_told_apart_by_their_server() {
    let home = new_home();
    let todo = asked_by(&home, "todo-mcp", Ask::confirm("Delete it?"));
    asked_by(&home, "shop\u{202e}\nmcp", Ask::confirm("Delete it?"));
    let todo_asks = "todo-mcp asks, for Claude Code 2.1 · delete · ";
    let shop_asks = "shop⟨U+202E⟩ mcp asks, for Claude Code 2.1 · delete · ";
    let shown = stdout(&home.run(&["inbox"]));
    let lines: Vec<&str> = shown.lines().map(str::trim_start).collect();
    assert!(lines[1].starts_with(todo_asks), "{shown}");
    assert!(lines[3].starts_with(shop_asks), "{shown}");
    let json = last_json(&stdout(&home.run(&["inbox", "--json"])));
    assert_eq!(json["asks"][0]["server"], "todo-mcp");
    assert_eq!(json["asks"][1]["server"], "shop⟨U+202E⟩\nmcp");
    let found = stdout(&home.run(&["log", "--json", "--server", "todo"]));
    let found: Value = serde_json::from_str(&found).unwrap();
    assert_eq!(found["asks"][0]["id"], todo.as_str());
    assert_eq!(found["asks"].as_array().unwrap().len(), 1);

    // In the list, and in the ask itself.
    let mut person = Person::runs(&home, &["inbox", "--plain"], &[]);
    person.sees("2 asks wait for you").sees(todo_asks);
    person.sees(shop_asks).sees("Enter to read").types(ENTER);
    person.sees(todo_asks).sees("leave it open").types(ESCAPE);
    person.sees("Enter to read").types("q");
    assert_eq!(person.code(), 0);
    let mut person = Person::runs(&home, &["answer", &todo], &[]);
    person.sees(todo_asks).sees("Esc to leave").types("yes\r");
    assert_eq!(person.code(), 0);
}

#[test]
fn a_person_reads_and_answers() {
    let home = new_home();
    let asking = Asking::start(&home, &["confirm", "Go **on**?", "--details", "- because"]);
    let mut person = Person::runs(&home, &["inbox", "--plain"], &[]);
    person
        .sees("1 ask waits for you")
        .sees("Go on?")
        .sees("Enter to read");
    person
        .types(ENTER)
        .sees("Go on?")
        .sees("• because")
        .sees("Answer it")
        .sees("leave it open");
    person.types(ENTER).sees("Esc to leave").types("yes\r");
    person
        .sees("nothing waits for you")
        .sees("Approved by")
        .types("q");
    assert_eq!(person.code(), 0);
    assert_eq!(asking.ends().2, 0);
}

#[test]
fn what_comes_and_goes_is_shown() {
    let home = new_home();
    let mut person = Person::runs(&home, &["inbox", "--plain"], &[]);
    person.sees("nothing waits for you");
    let asking = Asking::start(&home, &["confirm", "Go on?"]);
    person
        .sees("1 ask waits for you")
        .sees("Go on?")
        .sees("Enter to read");
    assert!(person.raw().contains('\u{7}'), "a new one rings the bell");
    // While it is read, somebody else answers.
    person.types(ENTER).sees("Answer it").sees("leave it open");
    let (code, page) = Person::ran(&home, &["answer", &asking.id, "no"]);
    assert_eq!(code, 0, "{page}");
    person
        .sees("Declined by")
        .sees("from a shell")
        .sees("press Esc");
    person
        .types(ESCAPE)
        .sees("nothing waits for you")
        .sees("Declined by")
        .sees("q to quit")
        .types("q");
    assert_eq!(person.code(), 0);
    assert_eq!(asking.ends().2, 1);
}

#[test]
fn more_time_and_a_reason() {
    let home = new_home();
    let asking = Asking::start(&home, &["confirm", "Go on?", "--wait", "10m"]);
    let mut person = Person::runs(&home, &["inbox", "--plain"], &[]);
    person
        .sees("Enter to read")
        .types(ENTER)
        .sees("leave it open");
    person.types(DOWN).types(DOWN).types(DOWN).types(ENTER);
    person
        .sees("How much longer?")
        .types(DOWN)
        .types(ENTER)
        .sees("69 min left");
    person
        .sees("leave it open")
        .types(DOWN)
        .types(ENTER)
        .sees("Why not?")
        .types("too early\r");
    // That it has ended is told first where it was answered; keys count once the list is there.
    person.sees("Declined by").sees("q to quit").types("q");
    assert_eq!(person.code(), 0);
    let (_, said, code) = asking.ends();
    assert_eq!(code, 1);
    assert!(said.contains("too early"), "{said}");
    assert!(kinds(&home).contains(&"extended".to_owned()));
}

#[test]
fn no_color_is_honoured() {
    let home = new_home();
    let _asking = Asking::start(&home, &["confirm", "Drop it?", "--dangerous"]);
    let colours = |variables: &[(&str, &str)]| {
        let mut person = Person::runs(&home, &["inbox", "--plain"], variables);
        person
            .sees("Enter to read")
            .types(ENTER)
            .sees("leave it open")
            .types(ESCAPE);
        person.sees("Enter to read").types("q");
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
