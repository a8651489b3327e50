//! Making and revoking tokens: on record, by a person, and with their PIN where it answers in their place.

use super::*;
use crate::people::pin::set as set_pin;

fn kinds(home: &Home) -> Vec<String> {
    let journal = rusqlite::Connection::open(home.journal()).unwrap();
    let mut query = journal
        .prepare("SELECT kind FROM events WHERE kind LIKE 'token%' ORDER BY seq")
        .unwrap();
    let kinds = query.query_map([], |row| row.get(0)).unwrap();
    kinds.map(Result::unwrap).collect()
}

const PHONE: [&str; 5] = ["token", "create", "phone", "--may", "answer"];

#[test]
fn what_was_made_and_revoked_is_in_the_log() {
    let home = new_home();
    let shown = token(&home, "ci", "ask");
    token(&home, "phone", "ask,answer");
    let (code, _) = Person::ran(&home, &["token", "revoke", "ci"]);
    assert_eq!(code, 0);
    assert_eq!(kinds(&home), ["token_made", "token_made", "token_revoked"]);
    let exported = stdout(&home.run(&["log", "export"]));
    assert!(exported.contains("\"name\":\"ci\""), "{exported}");
    assert!(
        !exported.contains(shown.rsplit('_').next().unwrap()),
        "the token itself is nowhere"
    );
    let odd = stdout(&home.run(&["log", "odd"]));
    assert!(odd.contains("the token `phone` was made by "), "{odd}");
    assert!(odd.contains(": it may ask and answer"), "{odd}");
    assert!(!odd.contains("`ci`"), "one that asks is nothing odd: {odd}");
    assert!(home.run(&["log", "verify"]).status.success());
}

#[test]
fn a_token_that_answers_needs_the_pin() {
    let home = new_home();
    set_pin(&home, "4711");
    // One that asks does not.
    token(&home, "ci", "ask");
    let mut person = Person::runs(&home, &PHONE, &[]);
    person
        .sees("needs your PIN")
        .sees("Esc to leave")
        .types("0000\r");
    person.sees("that is not the PIN");
    assert_eq!(person.code(), 1);
    let mut person = Person::runs(&home, &PHONE, &[]);
    person
        .sees("needs your PIN")
        .sees("Esc to leave")
        .types(ESCAPE)
        .sees("no token was made");
    assert_eq!(person.code(), 1);
    // Neither a pipe, a variable nor an argument gives it.
    let line = "printf '4711\\n' | $holdpoint token create phone --may answer";
    let mut person = Person::shell(&home, line, &[]);
    person
        .sees("needs your PIN")
        .sees("Esc to leave")
        .types(ESCAPE)
        .sees("no token was made");
    assert_eq!(person.code(), 1);
    let (seen, status) = Person::runs(&home, &PHONE, &[("HOLDPOINT_PIN", "4711")]).ends();
    assert_eq!(status.exit_code(), 1, "{seen}");
    let wrong = home.run(&[&PHONE[..], &["--pin", "4711"]].concat());
    assert_eq!(wrong.status.code(), Some(2), "never an argument");
    assert_eq!(kinds(&home), ["token_made"]);

    let mut person = Person::runs(&home, &PHONE, &[]);
    person
        .sees("needs your PIN")
        .sees("Esc to leave")
        .types("4711\r")
        .sees("holdpoint_phone_");
    let (seen, status) = person.ends();
    assert!(status.success(), "{seen}");
    assert!(!seen.contains("4711"), "it is masked: {seen}");
    assert_eq!(kinds(&home), ["token_made", "token_made"]);
    let log = stdout(&home.run(&["log", "export"]));
    assert!(
        log.contains("a token that may answer"),
        "what the PIN was given for: {log}"
    );
}

#[test]
fn no_agent_makes_a_token() {
    let home = new_home();
    for may in ["ask", "answer"] {
        let args = ["token", "create", "mine", "--may", may];
        let alone = home.run(&args);
        assert_eq!(alone.status.code(), Some(1), "no terminal");
        let (seen, status) = Person::runs(&home, &args, &[("CLAUDECODE", "1")]).ends();
        assert_eq!(status.exit_code(), 1, "{seen}");
        assert!(
            seen.contains("run by an agent") && !seen.contains("holdpoint_mine_"),
            "{seen}"
        );
    }
    assert!(kinds(&home).is_empty());
}

/// What an agent with a shell and a token that asks tries: none of it is a yes.
#[test]
fn an_agent_with_a_token_that_asks_gets_no_yes_of_its_own() {
    let home = new_home();
    let _page = client(&home, Value::Null, &[]);
    let program = Program::new(&home, "agent", "ask");
    let mut body = question();
    body["dangerous"] = true.into();
    let asked = program.ask(&body);
    let ask = asked["askId"].as_str().unwrap();
    let yes = json!({
        "askId": ask, "action": "accept", "content": { "ok": true },
        "presence": { "shownMs": 60_000, "gesture": "held" },
    });
    assert_eq!(program.post("/api/elicitation/respond", &yes).0, 403);
    for path in ["/shown", "/extend"] {
        assert_eq!(
            program
                .post(&format!("/api/asks/{ask}{path}"), &json!({}))
                .0,
            403,
            "{path}"
        );
    }
    let answered = home.run(&["answer", ask, "yes"]);
    assert_eq!(answered.status.code(), Some(1), "{}", stderr(&answered));
    let (seen, _) = Person::runs(&home, &["answer", ask, "yes"], &[("CLAUDECODE", "1")]).ends();
    assert!(seen.contains("run by an agent"), "{seen}");
    // Its own name does not make the question a person's, or less dangerous.
    for more in [
        "inPerson",
        "in_person",
        "word",
        "preset",
        "answer",
        "channel",
        "principal",
    ] {
        let mut body = question();
        body[more] = json!("x");
        assert_eq!(program.post("/api/asks", &body).0, 422, "{more}");
    }
    assert_eq!(program.read(&asked, "").unwrap()["status"], "pending");
}
