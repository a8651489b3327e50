//! `holdpoint run`: a script in the terminal.

use super::*;
use serde_json::json;

const LEAVE: &str = "Esc to leave";

/// A person who runs a method of the kitchen sink.
fn sink(home: &Home, args: &[&str]) -> Person {
    let file = example("kitchen-sink.js");
    let mut all = vec!["run", file.as_str()];
    all.extend(args);
    Person::runs(home, &all, &[])
}

/// A script in the workspace.
fn script(home: &Home, source: &str) {
    home.work_file(
        "it.js",
        &format!("export default class It {{\n{source}\n}}\n"),
    );
}

#[test]
fn a_name_is_asked_for() {
    let home = new_home();
    let mut person = sink(&home, &["askUserName", "--greeting", "Welcome"]);
    person.sees("What is your name?").sees(LEAVE).types("Ada\r");
    let (page, status) = person.ends();
    assert!(status.success(), "{page}");
    assert!(page.trim_end().ends_with("Welcome, Ada!"), "{page}");
}

#[test]
fn every_ask_is_prompted_for() {
    let home = new_home();
    home.work_file("note.txt", "abc");
    let mut person = sink(&home, &["everyAsk", "--json"]);
    let mut answer = |question: &str, keys: &str| {
        person.sees(question).sees(LEAVE).types(keys);
    };
    answer("A nickname, please", ENTER);
    answer("A password; it is kept nowhere", "hunter2\r");
    answer("Are you sure?", "no\r");
    answer("Which colour?", &format!("{DOWN}{DOWN}{ENTER}"));
    answer("Which toppings?", &format!(" {DOWN} {ENTER}"));
    answer("How many guests?", ENTER);
    answer("How was it?", &format!("{}{ENTER}", DOWN.repeat(5)));
    answer("A text file", "note.txt\r");
    answer("Which day?", "2026-07-28\r");
    answer("And when exactly?", "2026-07-28T09:30:00Z\r");
    answer("Where to?", "Main Street\r");
    answer("Floor", ENTER);
    answer("Kind", &format!("{DOWN}{DOWN}{ENTER}"));
    person.sees("Is that right?").types(ENTER);
    let mut answer = |question: &str, keys: &str| {
        person.sees(question).sees(LEAVE).types(keys);
    };
    answer("Read the terms", &format!("{DOWN}{ENTER}"));
    answer("Anything else?", ENTER);
    let (page, status) = person.ends();
    assert!(status.success(), "{page}");
    let all = last_json(&page);
    assert_eq!(
        all["result"],
        json!({
            "name": "ada", "passwordLength": 7, "sure": false, "colour": "green",
            "toppings": ["cheese", "olives"], "guests": 4, "stars": 5, "file": "note.txt",
            "day": "2026-07-28", "moment": "2026-07-28T09:30:00Z",
            "address": { "street": "Main Street", "kind": "work" },
            "visited": true, "remark": null,
        }),
    );
    assert_eq!(all["asks"].as_array().unwrap().len(), 13);
    assert!(!page.contains("hunter2"), "{page}");
}

#[test]
fn what_is_asked_together_is_prompted_for_in_turn() {
    let home = new_home();
    let mut person = sink(&home, &["together"]);
    person.sees("Your first name?").sees(LEAVE).types("Ada\r");
    person
        .sees("Your second name?")
        .sees(LEAVE)
        .types("Lovelace\r");
    let (page, _) = person.ends();
    assert!(page.trim_end().ends_with("Ada Lovelace"), "{page}");
}

#[test]
fn what_a_script_tells_is_shown() {
    let home = new_home();
    let mut person = sink(&home, &["everyEmit"]);
    person.sees("Warming up").sees("100% step 4 of 4");
    person.sees("warning: The oven is hot").sees("✔ Done");
    person.sees("Recipe").sees("Pizza").sees("oven.heat(220);");
    person.sees("A pixel (image/png, 70 bytes");
    let (page, _) = person.ends();
    assert!(page.trim_end().ends_with("4 steps"), "{page}");
    // In a pipe there are lines, and nothing that moves or shines.
    let output = home
        .command(&["run", &example("kitchen-sink.js"), "everyEmit", "--steps=2"])
        .output()
        .unwrap();
    assert_eq!(stdout(&output), "2 steps\n");
    let said = stderr(&output);
    assert!(said.starts_with("Warming up\nThinking it over\n"), "{said}");
    assert!(!said.contains('\u{1b}') && !said.contains('%'), "{said}");
}

#[test]
fn every_end_has_its_exit_code() {
    let home = new_home();
    let declined = format!("{DOWN}{ENTER}");
    let dismissed = format!("{DOWN}{DOWN}{ENTER}");
    let check = |keys: &str, code: u32| {
        let mut person = sink(&home, &["askUserName"]);
        person.sees(LEAVE).types(ESCAPE).sees("leave it open");
        person.types(keys);
        if keys == declined {
            person.sees("Why not?").types(ENTER);
        }
        let (page, status) = person.ends();
        assert_eq!(status.exit_code(), code, "{page}");
        assert!(!page.contains("Hello"), "{page}");
    };
    check(&declined, 1);
    check(&dismissed, 3);
    let mut person = sink(&home, &["askUserName"]);
    person.sees(LEAVE).types(CTRL_C).sees("withdrawn");
    assert_eq!(person.code(), 6);
    script(
        &home,
        "  *late() { return yield { ask: 'text', message: 'Now?', timeout: 5 }; }\n  *fails() { yield { emit: 'status', message: 'x' };\n    null.x; }\n  *wrong() { yield { ask: 'txt', message: 'x' }; }",
    );
    let check = |method: &str, code: i32, said: &str| {
        let output = home.command(&["run", "it.js", method]).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
        assert_eq!(stdout(&output), "");
    };
    check("late", 4, "Nobody answered in time");
    check("fails", 6, "it.js:4");
    check("wrong", 6, "did you mean `text`?");
    let output = home
        .command(&["run", &example("kitchen-sink.js"), "askUserName"])
        .env("HOLDPOINT_INBOX", "off")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
}

#[test]
fn a_decline_can_be_caught() {
    let home = new_home();
    let mut person = sink(&home, &["outcomes"]);
    person.sees(LEAVE).types(ESCAPE).sees("leave it open");
    person
        .types(&format!("{DOWN}{ENTER}"))
        .sees("Why not?")
        .types("grey\r");
    let (page, status) = person.ends();
    assert!(status.success(), "{page}");
    assert!(page.trim_end().ends_with("declined: grey"), "{page}");
}

#[test]
fn what_is_wrong_is_said_before_anything_runs() {
    let home = new_home();
    home.work_file(
        "bad.js",
        "export default class Bad {\n  *x() { yield {; }\n}\n",
    );
    script(
        &home,
        "  /** @param {string} name - whose\n   *  @param {integer} [count=2] - how often */\n  *greet({ name, count }) { return `${name} ${count}`; }\n  /** Nothing. */\n  *other() {}",
    );
    let check = |args: &[&str], said: &str| {
        let mut all = vec!["run"];
        all.extend(args);
        let output = home.command(&all).output().unwrap();
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?} {text}");
        assert!(text.contains(said), "{args:?} {text}");
        assert_eq!(stdout(&output), "", "{args:?}");
    };
    check(&[], "name a script");
    check(&["none.js"], "none.js");
    check(&["bad.js"], "bad.js:2:17");
    check(&["bad.js"], "                ^");
    check(&["it.js", "great"], "did you mean `greet`?");
    check(&["it.js", "--name", "x"], "name a method");
    check(&["it.js", "greet"], "give --name");
    check(
        &["it.js", "greet", "--name", "x", "--count", "y"],
        "--count: \"y\" is not a whole number",
    );
    check(&["it.js", "greet", "--nmae", "x"], "--name");
    check(
        &["it.js", "greet", "--name", "x", "--workspace", "none"],
        "--workspace none",
    );
    check(
        &["it.js", "greet", "--name", "x", "--answers", "none.json"],
        "cannot read none.json",
    );
    check(
        &["it.js", "--resume", "xyz"],
        "--resume takes the id of a run",
    );
    check(&["--resume", "xyz"], "holdpoint run FILE --resume xyz");
    assert!(!home.journal().exists() || !kinds(&home).contains(&"asked".to_owned()));
    let methods = home.run(&["run", "it.js"]);
    assert!(methods.status.success(), "{}", stderr(&methods));
    assert!(stdout(&methods).contains("greet") && stdout(&methods).contains("other"));
    let help = home.run(&["run", "it.js", "greet", "--help"]);
    assert!(help.status.success());
    assert!(
        stdout(&help).contains("--count <INTEGER>"),
        "{}",
        stdout(&help)
    );
    // A person is asked for what is missing.
    let mut person = Person::runs(&home, &["run", "it.js", "greet"], &[]);
    person.sees("name").sees("whose").types("Ada\r");
    let (page, _) = person.ends();
    assert!(page.trim_end().ends_with("Ada 2"), "{page}");
}

/// Runs a method of `it.js` in a pipe, with these answers and no inbox.
fn with_answers(
    home: &Home,
    method: &str,
    answers: Value,
    variables: &[(&str, &str)],
) -> (String, String, i32) {
    home.work_file("answers.json", &answers.to_string());
    let output = home
        .command(&[
            "run",
            "it.js",
            method,
            "--answers",
            "answers.json",
            "--json",
        ])
        .env("HOLDPOINT_INBOX", "off")
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    (
        stdout(&output),
        stderr(&output),
        output.status.code().unwrap(),
    )
}

#[test]
fn answers_given_beforehand() {
    let home = new_home();
    home.work_file("note.txt", "abc");
    script(
        &home,
        "  *plain() {
            const name = yield { ask: 'text', id: 'name', message: 'Name?' };
            const again = yield { ask: 'text', id: 'name', message: 'Name?' };
            const sure = yield { ask: 'confirm', id: 'sure', message: 'Sure?' };
            const file = yield { ask: 'file', id: 'file', message: 'File?' };
            return [name, again, sure, file.name];
          }
          *colour() { return yield { ask: 'select', id: 'colour', message: 'Colour?', options: ['red', 'green'] }; }
          *danger() { return yield { ask: 'confirm', id: 'sure', message: 'Drop it?', dangerous: true }; }
          *secret() { return yield { ask: 'password', id: 'token', message: 'Token?' }; }",
    );
    let all =
        json!({ "name": "Ada", "name-2": "Bob", "sure": true, "file": "note.txt", "more": 1 });
    let (out, said, code) = with_answers(&home, "plain", all, &[]);
    assert_eq!(code, 0, "{said}");
    let told: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(told["result"], json!(["Ada", "Bob", true, "note.txt"]));
    for ask in told["asks"].as_array().unwrap() {
        assert_eq!(ask["channel"], "preset", "{ask}");
    }
    assert!(
        said.contains("\"more\" has an answer in the file, but was not asked"),
        "{said}"
    );
    // A no is a no.
    let no = json!({ "name": "Ada", "name-2": "Bob", "sure": false, "file": "note.txt" });
    let (out, _, _) = with_answers(&home, "plain", no, &[]);
    assert_eq!(last_json(&out)["result"][2], false);
    let check = |method: &str, answers: Value, code: i32, why: &str| {
        let (out, said, ended) = with_answers(&home, method, answers, &[]);
        assert_eq!(ended, code, "{said}");
        assert!(said.contains(why), "{said}");
        assert!(!out.contains("\"result\""), "{out}");
    };
    check(
        "colour",
        json!({ "colour": "blue" }),
        2,
        "the answer to \"colour\" does not fit",
    );
    check("colour", json!({}), 5, "Nobody could be reached");
    check(
        "danger",
        json!({ "sure": true }),
        5,
        "Nobody could be reached",
    );
    check(
        "secret",
        json!({ "token": "x" }),
        5,
        "Nobody could be reached",
    );
    check(
        "plain",
        json!({ "name": "A" }),
        5,
        "Nobody could be reached",
    );
    assert!(!kinds(&home).contains(&"agent_answered".to_owned()));
}

#[test]
fn a_dangerous_ask_goes_to_the_person_whatever_was_given() {
    let home = new_home();
    script(
        &home,
        "  *danger() { return yield { ask: 'confirm', id: 'sure', message: 'Drop it?', dangerous: true }; }",
    );
    home.work_file("answers.json", "{\"sure\": true}");
    let args = ["run", "it.js", "danger", "--answers", "answers.json"];
    let mut person = Person::runs(&home, &args, &[]);
    person
        .sees("is not used: it is dangerous")
        .sees("DANGEROUS");
    person.sees(LEAVE).types("no\r");
    let (page, status) = person.ends();
    assert!(status.success(), "{page}");
    assert!(page.trim_end().ends_with("false"), "{page}");
}

#[test]
fn an_agent_decides_nothing_beforehand() {
    let home = new_home();
    script(
        &home,
        "  *sure() { return yield { ask: 'confirm', id: 'it', message: 'Sure?' }; }
           *danger() { return yield { ask: 'confirm', id: 'it', message: 'Drop it?', dangerous: true }; }
           *name() { return yield { ask: 'text', id: 'it', message: 'Name?' }; }",
    );
    let marked = [("CLAUDECODE", "1")];
    for (method, answer) in [
        ("sure", json!(true)),
        ("danger", json!(true)),
        ("name", json!("Ada")),
    ] {
        let (out, said, code) = with_answers(&home, method, json!({ "it": answer }), &marked);
        assert_eq!(code, 5, "{method}: {said}");
        assert!(said.contains("run by an agent: Claude Code"), "{said}");
        assert!(!out.contains("\"result\""), "{out}");
    }
    let tried = kinds(&home)
        .into_iter()
        .filter(|kind| kind == "agent_answered");
    assert_eq!(tried.count(), 3, "every attempt is on record");
    // A missing terminal alone is no obstacle.
    let (out, said, code) = with_answers(&home, "name", json!({ "it": "Ada" }), &[]);
    assert_eq!(code, 0, "{said}");
    assert_eq!(last_json(&out)["result"], "Ada");
    home.work_file("answers.json", "{\"it\": true}");
    let args = ["run", "it.js", "danger", "--answers", "answers.json"];
    let mut person = Person::runs(&home, &args, &marked);
    person
        .sees("are not used")
        .sees("Waiting in the inbox")
        .types("yes\r");
    person.types(CTRL_C);
    assert_eq!(person.code(), 6);
}

#[test]
fn what_a_method_would_ask() {
    let home = new_home();
    let file = example("kitchen-sink.js");
    let listed = home.run(&["run", &file, "everyAsk", "--asks"]);
    let text = stdout(&listed);
    for id in ["nickname", "password", "sure", "colour", "terms", "remark"] {
        assert!(text.contains(&format!("\n  {id} ")), "{text}");
    }
    assert!(
        text.ends_with("Nobody was asked, and nothing was done.\n"),
        "{text}"
    );
    let listed = home.run(&["run", &example("release.js"), "tag", "--asks", "--json"]);
    let told = last_json(&stdout(&listed));
    let ids: Vec<&str> = told["asks"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|ask| ask["id"].as_str())
        .collect();
    assert_eq!(ids, ["bump", "notes", "release"]);
    assert_eq!(told["endedEarly"], Value::Null);
    assert_eq!(told["asks"][2]["dangerous"], true);
    assert!(!home.journal().exists(), "nothing is recorded");
    script(
        &home,
        "  *loop() { for (;;) yield { ask: 'confirm', message: 'Again?' }; }",
    );
    let listed = home.run(&["run", "it.js", "--asks"]);
    assert!(stdout(&listed).contains("It ended early: it goes on after"));
}

#[test]
fn another_process_answers_what_a_script_asks() {
    let home = new_home();
    let mut person = sink(&home, &["together", "--json"]);
    person.sees("Your first name?").sees(LEAVE);
    let open = last_json(&stdout(&home.run(&["inbox", "--json"])));
    assert_eq!(open["open"], 2, "both are asked at once");
    for ask in open["asks"].as_array().unwrap() {
        let id = ask["id"].as_str().unwrap();
        let (code, page) = Person::ran(&home, &["answer", id, "Ada"]);
        assert_eq!(code, 0, "{page}");
    }
    let (page, status) = person.ends();
    assert!(status.success(), "{page}");
    assert_eq!(last_json(&page)["result"], "Ada Ada");
}

#[test]
fn editors_are_given_the_declaration() {
    let home = new_home();
    let types = stdout(&home.run(&["run", "--types"]));
    assert_eq!(
        types,
        std::fs::read_to_string(example("holdpoint.d.ts")).unwrap()
    );
}
