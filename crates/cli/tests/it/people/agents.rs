//! An agent's own shell: what a person says at a terminal is not an agent's to say.

use super::*;
use serde_json::json;

/// The attempts on record: the command, and the mark by which the agent was known.
pub fn attempts(home: &Home) -> Vec<(String, String)> {
    let journal = rusqlite::Connection::open(home.journal()).unwrap();
    let mut query = journal
        .prepare("SELECT body FROM events WHERE kind = 'agent_answered' ORDER BY seq")
        .unwrap();
    let bodies = query.query_map([], |row| row.get::<_, String>(0)).unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    bodies
        .map(|body| serde_json::from_str::<Value>(&body.unwrap()).unwrap())
        .map(|body| (text(&body["command"]), text(&body["agent"])))
        .collect()
}

/// What is open.
fn open(home: &Home) -> Value {
    last_json(&stdout(&home.run(&["inbox", "--json"])))["open"].clone()
}

#[track_caller]
fn refused(person: Person, mark: &str) {
    let (page, status) = person.ends();
    assert_eq!(status.exit_code(), 1, "{page}");
    assert!(page.contains("run by an agent"), "{page}");
    assert!(page.contains(mark), "{page}");
}

const FORM: &str =
    r#"[{"name":"decision","kind":"choice","options":[{"value":"approve"},{"value":"no"}]}]"#;

#[test]
fn an_agents_shell_answers_nothing() {
    let home = new_home();
    let plan = Asking::start(&home, &["form", "Approve the plan?", "--fields", FORM]);
    let sure = Asking::start(&home, &["confirm", "Sure?"]);
    let name = Asking::start(&home, &["text", "Name?"]);
    let drop_it = Asking::start(&home, &["confirm", "Drop it?", "--dangerous"]);
    let replies: [(&str, &[&str]); 6] = [
        (&plan.id, &["decision=approve"]),
        (&sure.id, &["yes"]),
        (&name.id, &["Ada"]),
        (&drop_it.id, &["yes"]),
        (&drop_it.id, &["--decline"]),
        (&sure.id, &["--cancel"]),
    ];
    for (id, reply) in replies {
        let args = [&["answer", id], reply].concat();
        // A terminal of its own does not make an agent a person.
        refused(
            Person::runs(&home, &args, &[("CLAUDECODE", "1")]),
            "Claude Code (CLAUDECODE)",
        );
        let alone = home.command(&args).env("CLAUDECODE", "1").output().unwrap();
        assert_eq!(alone.status.code(), Some(1), "{}", stderr(&alone));
        assert!(stderr(&alone).contains("CLAUDECODE"), "{}", stderr(&alone));
    }
    assert_eq!(open(&home), 4);
    let attempt = ("answer".to_owned(), "Claude Code (CLAUDECODE)".to_owned());
    assert_eq!(attempts(&home), vec![attempt; 12]);
}

#[test]
fn every_mark_of_an_agents_shell_counts() {
    let home = new_home();
    let asking = Asking::start(&home, &["confirm", "Sure?"]);
    for mark in [
        "AI_AGENT",
        "GEMINI_CLI",
        "CODEX_THREAD_ID",
        "CODEX_SANDBOX",
        "COPILOT_CLI",
        "QWEN_CODE",
        "CLINE_ACTIVE",
        "CLAUDE_CODE_ENTRYPOINT",
    ] {
        let args = ["answer", &asking.id, "yes"];
        refused(Person::runs(&home, &args, &[(mark, "1")]), "");
    }
    assert_eq!(attempts(&home).len(), 8);
    assert_eq!(open(&home), 1);
}

#[test]
fn a_mark_on_the_parents_of_a_command_counts() {
    let home = new_home();
    let asking = Asking::start(&home, &["confirm", "Sure?"]);
    let answer = format!("$holdpoint answer {} yes", asking.id);
    // The agent takes its mark off the command, not off the shell that runs it.
    let line = format!("CLAUDECODE=1 sh -c 'env -u CLAUDECODE {answer}; exit $?'; exit $?");
    refused(Person::shell(&home, &line, &[]), "Claude Code (CLAUDECODE)");
    // The leader of the terminal's session has it.
    let line = format!("env -u GEMINI_CLI {answer}; exit $?");
    let marked = [("GEMINI_CLI", "1")];
    refused(Person::shell(&home, &line, &marked), "Gemini CLI");
    // What was left behind by its parents leads to no session; nor is it hidden that way.
    let said = "while [ ! -s said ]; do sleep 0.05; done; cat said; exit 1";
    let line = format!("( ( sleep 0.2; {answer} >said.new 2>&1; mv said.new said ) & ); {said}");
    refused(
        Person::shell(&home, &line, &[]),
        "leader of the terminal's session",
    );
    assert_eq!(attempts(&home).len(), 3);
    assert_eq!(open(&home), 1);
    // The person's own shell has none.
    let line = format!("sh -c '{answer}; exit $?'; exit $?");
    assert_eq!(Person::shell(&home, &line, &[]).code(), 0);
}

#[test]
fn without_a_controlling_terminal_nobody_answers() {
    let home = new_home();
    let asking = Asking::start(&home, &["confirm", "Sure?"]);
    let alone = home.run(&["answer", &asking.id, "yes"]);
    assert_eq!(alone.status.code(), Some(1));
    let said = stderr(&alone);
    assert!(said.contains("no controlling terminal"), "{said}");
    let attempt = ("answer".to_owned(), "no controlling terminal".to_owned());
    assert_eq!(attempts(&home), [attempt]);
    assert_eq!(open(&home), 1);
}

#[test]
fn what_loosens_is_refused_in_an_agents_shell() {
    let home = new_home();
    let asking = Asking::start(&home, &["confirm", "Sure?"]);
    let commands: [&[&str]; 11] = [
        &["inbox"],
        &["inbox", "--web"],
        &["pin", "set"],
        &["pin", "clear"],
        &["token", "create", "mine", "--may", "answer"],
        &["token", "revoke", "mine"],
        &["token", "show"],
        &["pin", "set", "--person", "ann"],
        &["person", "add", "mine"],
        &["person", "key", "ann"],
        &["person", "remove", "ann"],
    ];
    for command in commands {
        let person = Person::runs(&home, command, &[("QWEN_CODE", "1")]);
        refused(person, "Qwen Code (QWEN_CODE)");
    }
    let tried: Vec<String> = attempts(&home)
        .into_iter()
        .map(|(command, _)| command)
        .collect();
    assert_eq!(
        tried,
        [
            "inbox",
            "inbox --web",
            "pin",
            "pin",
            "token",
            "token",
            "token",
            "pin",
            "person",
            "person",
            "person"
        ]
    );
    // To read what is open is to answer nothing.
    assert_eq!(open(&home), 1);
    drop(asking);
}

#[test]
fn an_agents_ask_goes_to_the_inbox_only() {
    let home = new_home();
    let line =
        "CLAUDECODE=1 sh -c 'env -u CLAUDECODE $holdpoint ask confirm Sure?; exit $?'; exit $?";
    let mut agent = Person::shell(&home, line, &[]);
    agent.sees("Waiting in the inbox").types("yes\r");
    let listed = last_json(&stdout(&home.run(&["inbox", "--json"])));
    assert_eq!(listed["open"], json!(1));
    let id = listed["asks"][0]["id"].as_str().unwrap();
    // The person answers it where they are.
    assert_eq!(Person::ran(&home, &["answer", id, "yes"]).0, 0);
    agent.sees("Approved by").sees("yes");
    assert_eq!(agent.code(), 0);
}

/// The body of the last event of this kind.
fn last(home: &Home, kind: &str) -> Value {
    let journal = rusqlite::Connection::open(home.journal()).unwrap();
    let query = "SELECT body FROM events WHERE kind = ? ORDER BY seq DESC LIMIT 1";
    let body: String = journal.query_row(query, [kind], |row| row.get(0)).unwrap();
    serde_json::from_str(&body).unwrap()
}

#[test]
fn an_agents_ask_is_not_asked_by_its_person() {
    let home = new_home();
    let mut asking = Person::runs(
        &home,
        &["ask", "confirm", "Drop it?"],
        &[("CLAUDECODE", "1")],
    );
    asking.sees("Waiting in the inbox");
    let client = &last(&home, "asked")["origin"]["client"];
    let client = client.as_str().unwrap();
    assert!(client.contains("Claude Code (CLAUDECODE)"), "{client}");
}

#[test]
fn an_ask_from_inside_an_agent_has_the_usual_word() {
    let home = new_home();
    let args = ["confirm", "Drop it?", "--dangerous", "--word", "yes"];
    // Without a terminal.
    let _asking = Asking::start(&home, &args);
    assert_eq!(last(&home, "asked")["ask"]["word"], Value::Null);
    let mut person = Person::runs(&home, &[&["ask"], &args[..]].concat(), &[]);
    person.sees("Drop it?");
    assert_eq!(last(&home, "asked")["ask"]["word"], "yes");
}

#[test]
fn what_a_terminal_showed_is_on_record() {
    let home = new_home();
    let mut person = Person::runs(&home, &["ask", "confirm", "Sure?"], &[]);
    person.sees("yes or no");
    let shown = last(&home, "shown");
    assert_eq!(shown["channel"], "terminal", "{shown}");
}
