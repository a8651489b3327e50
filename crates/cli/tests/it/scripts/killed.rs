//! Killed with -9 at every point, a script goes on where it was, and no effect happens twice.

use super::{
    again, call, command, finish,
    support::{person::Person, *},
    value, with,
};
use serde_json::{Value, json};
use std::{fs, thread};

const STEPS: &str = "export const permissions = { run: ['sh'] };
export function* go() {
  const first = yield { ask: 'text', message: 'First?' };
  yield { run: ['sh', '-c', 'echo one >> count'] };
  yield { run: ['sh', '-c', 'echo two >> count; while test -e hang; do sleep 0.1; done'] };
  const second = yield { ask: 'text', id: 'second', message: 'Second?' };
  yield { run: ['sh', '-c', 'echo three >> count'] };
  return first + ' ' + second;
}";

fn counted(home: &Home) -> Vec<String> {
    let text = fs::read_to_string(home.workspace().join("count")).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

fn answer(message: &str) -> Value {
    match message {
        "First?" => value(json!("one")),
        "Second?" => value(json!("two")),
        _ => yes(),
    }
}

/// The messages of a round.
fn asked(round: &Value) -> String {
    let asked = round["inputRequests"].as_object().unwrap().values();
    asked
        .map(|request| request["params"]["message"].as_str().unwrap())
        .collect()
}

fn kill(mut client: Pipe) {
    client.process.child().kill().unwrap();
    client.process.ended();
}

/// Answers rounds until one asks this.
fn until(client: &mut Pipe, wanted: &str) -> Value {
    let mut round = client.ask("tools/call", call("steps_go"))["result"].clone();
    while !asked(&round).contains(wanted) {
        round = client.ask("tools/call", again("steps_go", &round, answer))["result"].clone();
    }
    round
}

/// The open ask whether the script may act, as soon as it is there: no client is asked that.
fn permission(home: &Home) -> String {
    eventually_blocking("the permission", || {
        let listed = stdout(&home.run(&["inbox", "--json"]));
        let listed: Value = serde_json::from_str(&listed).ok()?;
        let mut asks = listed["asks"].as_array()?.iter();
        let ask = asks.find(|ask| ask["message"].as_str().unwrap().contains("act in"))?;
        Some(ask["id"].as_str()?.to_owned())
    })
}

/// A person who lets the script act as soon as it asks.
pub(crate) fn permit(home: &Home) -> thread::JoinHandle<()> {
    let home = home.clone();
    thread::spawn(move || {
        let mut person = Person::runs(&home, &["answer", &permission(&home)], &[]);
        person.sees("Esc to leave").types("allow\r");
        assert_eq!(person.code(), 0);
    })
}

#[test]
fn while_an_ask_is_open() {
    for (open, done) in [("First?", 0), ("act in", 0), ("Second?", 2)] {
        let (home, args) = with("steps.js", STEPS);
        let mut first = Pipe::modern(&mut command(&home, &args));
        let (round, permitted) = if open == "Second?" {
            let permitted = permit(&home);
            (until(&mut first, open), Some(permitted))
        } else {
            (until(&mut first, "First?"), None)
        };
        if open == "act in" {
            first.request("tools/call", again("steps_go", &round, answer));
            permission(&home);
        }
        assert_eq!(counted(&home).len(), done, "{open}");
        kill(first);
        let permitted = permitted.unwrap_or_else(|| permit(&home));
        let mut second = Pipe::modern(&mut command(&home, &args));
        let result = finish(&mut second, "steps_go", round, answer);
        assert_eq!(
            result["structuredContent"]["result"], "one two",
            "{open}: {result}"
        );
        permitted.join().unwrap();
        assert_eq!(counted(&home), ["one", "two", "three"], "{open}");
    }
}

#[test]
fn in_the_middle_of_an_effect() {
    let (home, args) = with("steps.js", STEPS);
    home.work_file("hang", "");
    let mut first = Pipe::modern(&mut command(&home, &args));
    let round = until(&mut first, "First?");
    let again = again("steps_go", &round, answer);
    first.request("tools/call", again.clone());
    permit(&home).join().unwrap();
    while counted(&home).len() < 2 {
        std::thread::yield_now();
    }
    kill(first);
    fs::remove_file(home.workspace().join("hang")).unwrap();
    let mut second = Pipe::modern(&mut command(&home, &args));
    let answer = second.ask("tools/call", again);
    let told = &answer["result"]["structuredContent"];
    assert_eq!(told["error"], "INTERRUPTED", "{answer}");
    assert_eq!(
        counted(&home),
        ["one", "two"],
        "neither again, nor what comes after it"
    );
}

#[test]
fn await_answer_goes_on_with_it_after_a_kill() {
    let (home, args) = with("steps.js", STEPS);
    home.config("hold_seconds = 1");
    let no_forms = || {
        let mut words = initialize();
        words["capabilities"] = json!({});
        words
    };
    let mut first = Pipe::greeting(&mut command(&home, &args), no_forms());
    let pending = first.ask("tools/call", call("steps_go"));
    let ask = pending["result"]["structuredContent"]["askId"].clone();
    assert_eq!(
        pending["result"]["structuredContent"]["status"], "pending",
        "{pending}"
    );
    kill(first);
    let (code, page) = Person::ran(&home, &["answer", ask.as_str().unwrap(), "value=one"]);
    assert_eq!(code, 0, "{page}");
    let mut second = Pipe::greeting(&mut command(&home, &args), no_forms());
    let wait = json!({ "name": "await_answer", "arguments": { "askId": ask, "waitSeconds": 1 } });
    let waited = second.ask("tools/call", wait);
    // It has gone on to the question whether it may act, which no shell without a person answers.
    assert_eq!(
        waited["result"]["structuredContent"]["status"], "pending",
        "{waited}"
    );
    let open = stdout(&home.run(&["log", "--json"]));
    assert!(open.contains("act in"), "{open}");
    assert!(counted(&home).is_empty());
}

#[test]
fn a_changed_file_does_not_go_on_with_what_another_began() {
    let (home, args) = with("steps.js", STEPS);
    let mut first = Pipe::modern(&mut command(&home, &args));
    let permitted = permit(&home);
    let round = until(&mut first, "Second?");
    permitted.join().unwrap();
    kill(first);
    let file = home.root().join("scripts/steps.js");
    fs::write(&file, STEPS.replace("three", "evil")).unwrap();
    let mut second = Pipe::modern(&mut command(&home, &args));
    let again = again("steps_go", &round, answer);
    let answer = second.ask("tools/call", again);
    let said = answer["error"]["message"]
        .as_str()
        .unwrap_or_else(|| panic!("{answer}"));
    assert!(
        said.contains("steps.js") && said.contains("cannot be resumed"),
        "{said}"
    );
    assert_eq!(counted(&home), ["one", "two"]);
}

#[test]
fn a_shell_goes_on_with_what_an_agent_began() {
    let (home, args) = with("steps.js", STEPS);
    let mut first = Pipe::modern(&mut command(&home, &args));
    let permitted = permit(&home);
    until(&mut first, "Second?");
    permitted.join().unwrap();
    kill(first);
    let record = stdout(&home.run(&["log", "export"]));
    let mut events = record
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let call = events.find_map(|event| event["call"].as_str().map(str::to_owned));
    home.work_file("answers.json", r#"{ "second": "two" }"#);
    let file = home.root().join("scripts/steps.js");
    let resumed = home.run(&[
        "run",
        file.to_str().unwrap(),
        "--resume",
        &call.unwrap(),
        "--answers",
        "answers.json",
    ]);
    assert_eq!(stdout(&resumed), "one two\n", "{}", stderr(&resumed));
    assert_eq!(counted(&home), ["one", "two", "three"]);
}
