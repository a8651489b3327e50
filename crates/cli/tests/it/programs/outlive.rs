//! What a program asked outlives the process that served the page, however that ends.

use super::*;

#[test]
fn the_page_is_killed_and_another_process_has_the_question_and_its_answer() {
    let home = new_home();
    let first = client(&home, Value::Null, &[]);
    let program = Program::new(&home, "ci", "ask");
    let asked = program.ask(&question());
    let answered = program.ask(&question());
    let decided =
        json!({ "askId": answered["askId"], "action": "accept", "content": { "ok": true } });
    Browser::open(&home).respond(decided);
    drop(first); // SIGKILL

    let _second = client(&home, Value::Null, &[]);
    let read = |told: &Value, more: &str| {
        eventually_blocking("the page", || {
            Program::with(&home, program.token.clone()).read(told, more)
        })
    };
    let told = read(&answered, "");
    assert_eq!(
        (&told["status"], &told["proceed"]),
        (&json!("accepted"), &json!(true))
    );
    assert_eq!(read(&asked, "")["status"], "pending");
    let browser = Browser::open(&home);
    let open = browser.asked();
    assert_eq!(open["id"], asked["askId"]);
    let there = Program::with(&home, program.token.clone());
    let told = std::thread::scope(|scope| {
        let waits = scope.spawn(|| there.read(&asked, "?wait=60"));
        browser.accept(&open, json!({ "ok": true }));
        waits.join().unwrap().unwrap()
    });
    assert_eq!(
        (&told["status"], &told["proceed"]),
        (&json!("accepted"), &json!(true)),
        "{told}"
    );
    assert_eq!(told["channel"], "inbox");
}

/// Ctrl-C at `holdpoint inbox --web` stops the page, not what programs asked.
#[test]
fn a_page_that_a_person_stops_leaves_the_question_open_until_its_deadline() {
    let home = new_home();
    let program = {
        let mut person = Person::runs(&home, &["inbox", "--web"], &[]);
        person.sees("This command serves the page");
        let program = Program::new(&home, "ci", "ask");
        let mut body = question();
        body["timeoutSeconds"] = 5.into();
        let short = program.ask(&body);
        let long = program.ask(&question());
        assert!(
            long["url"]
                .as_str()
                .unwrap()
                .ends_with(long["askId"].as_str().unwrap()),
            "{long}"
        );
        person.types(CTRL_C);
        person.ends();
        (program.token, short, long)
    };
    let (token, short, long) = program;
    let _page = client(&home, Value::Null, &[]);
    let read = |told: &Value, more: &str| {
        eventually_blocking("the page", || {
            Program::with(&home, token.clone()).read(told, more)
        })
    };
    assert_eq!(read(&long, "")["status"], "pending");
    assert_eq!(
        read(&short, "?wait=60")["status"],
        "timed_out",
        "its own process is gone"
    );
    let record = home.run(&["log", "verify"]);
    assert!(record.status.success(), "{}", stdout(&record));
}
