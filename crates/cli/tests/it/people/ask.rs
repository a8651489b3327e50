//! `holdpoint ask`: every exit code, and who can answer.

use super::*;

/// A person at `holdpoint ask`.
fn at(args: &[&str]) -> (Home, Person) {
    let home = new_home();
    let mut all = vec!["ask"];
    all.extend(args);
    let person = Person::runs(&home, &all, &[]);
    (home, person)
}

#[test]
fn a_person_answers_in_the_terminal() {
    let check = |args: &[&str], keys: &[&str], printed: &str, code: u32| {
        let (home, mut person) = at(args);
        person
            .sees("holdpoint asks, for ")
            .sees("'s shell · holdpoint ask");
        for key in keys {
            person.sees("Esc to leave").types(key);
        }
        let (page, status) = person.ends();
        assert_eq!(status.exit_code(), code, "{page}");
        let last = page.lines().last().unwrap();
        assert!(last.starts_with(printed), "{page}");
        // That the answer was taken is on record before the shell goes on.
        let record = stdout(&home.command(&["log", "export"]).output().unwrap());
        assert!(record.contains(r#""kind":"finished""#), "{record}");
    };
    let down_enter = format!("{DOWN}{ENTER}");
    check(&["confirm", "Go?"], &["yes\r"], "yes", 0);
    check(&["confirm", "Go?"], &["no\r"], "no", 1);
    check(
        &["choose", "Which?", "a=Alpha", "b"],
        &[&down_enter],
        "a",
        0,
    );
    check(&["text", "Say?"], &["hello\r"], "hello", 0);
    check(&["number", "How many?", "--integer"], &["7\r"], "7", 0);
    let fields = r#"[{"name":"ok","kind":"confirm"}]"#;
    check(
        &["form", "Fill", "--fields", fields],
        &["no\r"],
        "Declined by",
        1,
    );
}

#[test]
fn leaving_the_form_asks_what_to_do() {
    let left = |keys: &str, said: &str| {
        let (home, mut person) = at(&["confirm", "Go?"]);
        person
            .sees("Esc to leave")
            .types(ESCAPE)
            .sees("What do you want to do?")
            .sees("leave it open");
        person.types(keys);
        if !said.is_empty() {
            person.sees(said);
        }
        (home, person)
    };
    let (_home, mut person) = left(&format!("{DOWN}{ENTER}"), "Why not?");
    person
        .types("not on a Friday\r")
        .sees("Declined by")
        .sees("not on a Friday");
    assert_eq!(person.code(), 1);
    let (_home, person) = left(&format!("{DOWN}{DOWN}{ENTER}"), "Dismissed by");
    assert_eq!(person.code(), 3);
    let (home, mut person) = left(
        &format!("{DOWN}{DOWN}{DOWN}{ENTER}"),
        "It waits in the inbox",
    );
    let open = home.run(&["inbox", "--json"]);
    assert_eq!(last_json(&stdout(&open))["open"], 1);
    person.types(CTRL_C).sees("Withdrawn");
    assert_eq!(person.code(), 6);
}

#[test]
fn ctrl_c_takes_it_back() {
    let (home, mut person) = at(&["confirm", "Go?"]);
    person.sees("Esc to leave").types(CTRL_C).sees("Withdrawn");
    assert_eq!(person.code(), 6);
    assert_eq!(
        kinds(&home)
            .iter()
            .filter(|kind| *kind == "decided")
            .count(),
        1
    );
    let asking = Asking::start(&home, &["confirm", "Go?"]);
    asking.interrupt();
    let (out, _, code) = asking.ends();
    assert_eq!((out.as_str(), code), ("", 6));
}

#[test]
fn wrong_usage_asks_nobody() {
    let home = new_home();
    let check = |args: &[&str], said: &str| {
        let output = home.run(args);
        assert_eq!(
            output.status.code(),
            Some(2),
            "{args:?} {}",
            stderr(&output)
        );
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
        assert_eq!(stdout(&output), "");
    };
    check(&["ask", "choose", "Which?"], "OPTIONS");
    check(&["ask", "confirm", "Go?", "--wait", "1d"], "such as 90s");
    check(
        &["ask", "form", "Fill", "--fields", "{"],
        "--fields is not JSON",
    );
    let form = |fields: &str, said: &str| {
        let refused = home.run(&["ask", "form", "Fill", "--fields", fields]);
        let told = stderr(&refused);
        assert_eq!(refused.status.code(), Some(2), "{fields}: {told}");
        assert!(told.contains(said), "{fields}: {told}");
        for foreign in [
            "struct",
            "u32",
            "i64",
            "f64",
            "invalid type",
            "serde",
            "enum",
        ] {
            assert!(!told.contains(foreign), "{fields}: {told}");
        }
    };
    form("{}", "must be a list of fields");
    form("[]", "at least one field");
    form("[1]", "fields[0]: expected an object, not 1");
    form(r#"[{"kind":"text"}]"#, "`name` is missing");
    form(
        r#"[{"name":"a"}]"#,
        "fields[0].kind is missing: one of text",
    );
    form(r#"[{"name":"a","kind":"txet"}]"#, "did you mean text?");
    form(
        r#"[{"name":"a","kind":"text","titel":"A"}]"#,
        "fields[0].titel is not known; did you mean `title`?",
    );
    form(
        r#"[{"name":"a","kind":"text","options":["x"]}]"#,
        "fields[0].options is not known",
    );
    form(
        r#"[{"name":"a","kind":"text","maxLength":"9"}]"#,
        "fields[0].maxLength: expected a whole number from 0 up, not \"9\"",
    );
    form(
        r#"[{"name":"a","kind":"number","min":"low"}]"#,
        "expected a number, not \"low\"",
    );
    form(
        r#"[{"name":"a","kind":"choice","options":[{"value":"x","recommended":true}]}]"#,
        "fields[0].options[0].recommended: `recommended` is not known",
    );
    form(
        r#"[{"name":"a","kind":"choice","options":["x"],"recommended":"y"}]"#,
        "recommended",
    );
    form(
        r#"[{"name":"a","kind":"toggle","default":"yes"}]"#,
        "expected true or false",
    );
    form(
        r#"[{"name":"a","kind":"text"},{"name":"a","kind":"text"}]"#,
        "a",
    );
    check(
        &[
            "ask",
            "choose",
            "Which?",
            "main",
            "next",
            "--recommended",
            "mian",
        ],
        "--recommended mian is none of the options; did you mean `main`?",
    );
    check(
        &["ask", "form", "Fill", "--fields", "@none.json"],
        "cannot read none.json",
    );
    check(
        &["ask", "number", "N?", "--integer", "--min", "0.5"],
        "--min must be a whole number",
    );
    check(&["ask", "text", "T?", "--pattern", "("], "pattern");
    assert!(!home.journal().exists(), "nothing was begun");
}

#[test]
fn time_runs_out() {
    let home = new_home();
    let (out, said, code) = Asking::start(&home, &["confirm", "Go?", "--wait", "5s"]).ends();
    assert_eq!((out.as_str(), code), ("", 4), "{said}");
    assert!(said.contains("Nobody answered in time"), "{said}");
}

#[test]
fn nobody_can_be_reached() {
    let home = new_home();
    let output = home
        .command(&["ask", "confirm", "Go?", "--json"])
        .env("HOLDPOINT_INBOX", "off")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    assert_eq!(last_json(&stdout(&output))["status"], "unreachable");
    // At a terminal there is somebody all the same.
    let mut person = Person::runs(
        &home,
        &["ask", "confirm", "Go?"],
        &[("HOLDPOINT_INBOX", "off")],
    );
    person.sees("Esc to leave").types("yes\r");
    assert_eq!(person.code(), 0);
}

/// Answers the one open ask from another terminal.
fn answered_elsewhere(home: &Home, answer: &str) {
    let open = last_json(&stdout(&home.run(&["inbox", "--json"])));
    let id = open["asks"][0]["id"].as_str().unwrap();
    let (code, page) = Person::ran(home, &["answer", id, answer]);
    assert_eq!(code, 0, "{page}");
}

#[test]
fn another_process_answers_what_the_terminal_asks() {
    let (home, mut person) = at(&["confirm", "Go?", "--json"]);
    person.sees("Esc to leave");
    answered_elsewhere(&home, "yes");
    person.sees("Approved by").sees("from a shell");
    let (page, status) = person.ends();
    assert_eq!(status.exit_code(), 0);
    assert_eq!(last_json(&page)["channel"], "cli");
}

#[test]
fn of_a_prompt_that_another_process_ended_nothing_is_left() {
    let (home, mut person) = at(&["confirm", "Go?", "--dangerous"]);
    person.shows("then Enter; Esc to leave");
    answered_elsewhere(&home, "--decline");
    person.shows("Declined by").shows_no("Esc to leave");
    assert_eq!(person.code(), 1);
}

#[test]
fn standard_input_is_never_an_answer() {
    let home = new_home();
    // With a terminal, the person is asked there.
    let mut person = Person::shell(&home, "echo yes | $holdpoint ask confirm 'Go?'", &[]);
    person.sees("Esc to leave").types("no\r");
    assert_eq!(person.code(), 1);
    // Without one, the ask waits.
    let asking = Asking::start(&home, &["confirm", "Go?"]);
    let (code, page) = Person::ran(&home, &["answer", &asking.id, "--decline"]);
    assert_eq!(code, 0, "{page}");
    let (out, _, code) = asking.ends();
    assert_eq!((out.as_str(), code), ("no\n", 1));
}

#[test]
fn in_an_agents_terminal_there_is_no_person() {
    for mark in ["CLAUDECODE", "CURSOR_AGENT", "COPILOT_AGENT", "AI_AGENT"] {
        let home = new_home();
        let mut person = Person::runs(&home, &["ask", "confirm", "Go?"], &[(mark, "1")]);
        person
            .sees("Waiting in the inbox")
            .types("yes\r")
            .types(CTRL_C)
            .sees("Withdrawn");
        assert_eq!(person.code(), 6);
    }
}

#[test]
fn a_script_asks_under_a_name_of_its_own() {
    let home = new_home();
    let named = ["confirm", "Delete old copies?", "--as", "nightly backup"];
    let asking = Asking::start(&home, &named);
    let (_person, browser) = opened_page(&home);
    let ask = browser.asked();
    let client = ask["origin"]["client"].as_str().unwrap();
    assert!(
        client.starts_with("nightly backup, in ") && client.ends_with("'s shell"),
        "{client}"
    );
    let record = stdout(&home.run(&["log", "--json"]));
    assert!(record.contains("nightly backup, in "), "{record}");
    let principal = principal(&home);
    assert!(
        principal.starts_with("shell:"),
        "it is the shell's own: {principal}"
    );
    drop(asking);
    for wrong in ["", "a\u{202e}b", "x, run by ann", "a\nb", &"x".repeat(33)] {
        let refused = home.run(&["ask", "confirm", "Go?", "--as", wrong]);
        assert_eq!(refused.status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn a_name_of_its_own_does_not_hide_that_an_agent_asks() {
    let home = new_home();
    let mut command = home.command(&["ask", "confirm", "Go?", "--as", "ann"]);
    let mut agent = command
        .env("CLAUDECODE", "1")
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let (_person, browser) = opened_page(&home);
    let ask = browser.asked();
    let client = ask["origin"]["client"].as_str().unwrap();
    assert!(
        client.contains("shell, run by an agent: ") && client.ends_with(", as ann"),
        "{client}"
    );
    assert!(principal(&home).starts_with("agent:"));
    agent.kill().unwrap();
    agent.wait().unwrap();
}

/// A person who serves the page of this home, and a browser at it.
fn opened_page(home: &Home) -> (Person, browser::Browser) {
    let mut person = Person::runs(home, &["inbox", "--web"], &[]);
    person.sees("This command serves the page");
    (person, browser::Browser::open(home))
}

/// In whose name the one ask was made.
fn principal(home: &Home) -> String {
    let journal = rusqlite::Connection::open(home.journal()).unwrap();
    let body: String = journal
        .query_row("SELECT body FROM events WHERE kind = 'asked'", [], |row| {
            row.get(0)
        })
        .unwrap();
    let body: Value = serde_json::from_str(&body).unwrap();
    body["origin"]["principal"].as_str().unwrap().to_owned()
}

#[test]
fn the_format_of_fields_is_in_the_help() {
    let help = stdout(&new_home().run(&["ask", "form", "--help"]));
    let kinds =
        "text secret confirm toggle choice choices number integer rating date date-time file link";
    for word in kinds
        .split(' ')
        .chain(["minLength", "allowOther", "maxBytes", "required"])
    {
        assert!(help.contains(word), "{word}: {help}");
    }
}
