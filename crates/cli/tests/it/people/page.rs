//! The page that a shell command opens: `inbox --web`, and the demonstration's.

use super::{
    browser::Browser,
    secrets::{SECRET, nowhere, pile},
    *,
};
use serde_json::json;

/// The page whose address with its key was printed.
pub fn opened(person: &mut Person) -> Browser {
    person.sees("/#key=").sees("\n");
    let seen = person.plain();
    let (before, after) = seen.rsplit_once("/#key=").unwrap();
    let start = before.rsplit(['\n', ' ']).next().unwrap();
    let key: String = after.chars().take_while(char::is_ascii_hexdigit).collect();
    Browser::at(&format!("{start}/#key={key}"))
}

#[test]
fn a_secret_given_on_the_page_reaches_the_shell_and_nothing_else() {
    let home = new_home();
    let asking = Asking::start(&home, &["text", "Token?", "--secret", "--json"]);
    let mut person = Person::runs(&home, &["inbox", "--web"], &[]);
    let browser = opened(&mut person);
    let ask = browser.asked();
    assert_eq!(ask["shortId"], asking.id);
    assert!(ask["id"].as_str().unwrap().ends_with(&asking.id), "{ask}");
    let told = browser.accept(&ask, json!({ "value": SECRET }));
    assert_eq!(told["result"], "settled", "{told}");
    nowhere(told.to_string().as_bytes());
    let (out, said, code) = asking.ends();
    assert_eq!(code, 0, "{said}");
    assert_eq!(last_json(&out)["values"]["value"], SECRET);
    nowhere(said.as_bytes());
    nowhere(browser.get("/api/log").to_string().as_bytes());
    person.types(CTRL_C);
    let (seen, _) = person.ends();
    nowhere(seen.as_bytes());
    nowhere(&pile(&home.root()));
}

#[test]
fn the_key_is_shown_to_nobody_but_a_person() {
    let home = new_home();
    let output = home.command(&["inbox", "--web"]).output().unwrap();
    assert!(!output.status.success());
    assert!(!stdout(&output).contains("key="), "no terminal, no person");
    let mut agent = Person::runs(&home, &["inbox", "--web"], &[("CLAUDECODE", "1")]);
    agent.sees("run by an agent");
    assert!(!agent.plain().contains("key="));
    assert_eq!(kinds(&home), ["agent_answered", "agent_answered"]);
}

#[test]
fn the_demonstration_can_be_answered_on_its_page() {
    let home = new_home();
    let root = home.root();
    // Its record is kept.
    let temporary = [("TMPDIR", root.to_str().unwrap())];
    let mut person = Person::runs(&home, &["demo"], &temporary);
    let browser = opened(&mut person);
    person.sees("to leave");
    let ask = browser.asked();
    let told = browser.accept(&ask, json!({ "decision": "approve" }));
    assert_eq!(told["result"], "settled", "{told}");
    person.sees("answered on the page").sees("the chain holds");
    let (seen, status) = person.ends();
    assert!(status.success());
    assert!(seen.contains("\"channel\": \"inbox\""), "{seen}");
    assert!(seen.contains("\"proceed\": true"), "{seen}");
}

#[test]
fn the_page_that_a_shell_serves_runs_scripts() {
    let home = new_home();
    let hello = "export function* hello() {\n\
        return `Hello, ${yield { ask: 'text', message: 'Name?' }}!`;\n}\n";
    home.work_file("scripts/greet.js", hello);
    let args = ["inbox", "--web", "--scripts", "scripts"];
    let mut person = Person::runs(&home, &args, &[]);
    let browser = opened(&mut person);
    let listed = browser.get("/api/scripts");
    assert_eq!(listed["scripts"][0]["methods"][0]["name"], "hello");
    let begin = json!({ "script": "greet", "method": "hello" });
    let run = browser.post("/api/scripts/runs", begin);
    browser.accept(&browser.asked(), json!({ "value": "Ada" }));
    let address = format!("/api/scripts/runs/{}", run["id"].as_str().unwrap());
    let ended = eventually_blocking("the result", || {
        Some(browser.get(&address)).filter(|run| run["state"] == "ended")
    });
    assert_eq!(ended["result"]["text"], "Hello, Ada!", "{ended}");
    assert_eq!(ended["client"], "playground");
    person.types(CTRL_C);
    person.ends();
}
