//! The example scripts as tools, for clients of both eras.

use super::support::{person::*, *};
use serde_json::{Value, json};
use std::{
    path::Path,
    process::Command,
    thread::{self, JoinHandle},
    time::Instant,
};

const SCRIPTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/scripts");

/// A client of a server that has the example scripts; it answers as fast as no person can.
fn client(home: &Home, modern: bool) -> Pipe {
    home.config("fast_reply_ms = 0");
    let mut command = home.command(&["serve", "--scripts", SCRIPTS]);
    if modern {
        Pipe::modern(&mut command)
    } else {
        Pipe::legacy(&mut command)
    }
}

/// Calls a tool, and answers what it asks: the first answer whose words are in the question.
fn call(
    client: &mut Pipe,
    modern: bool,
    tool: &str,
    arguments: Value,
    answers: &[(&str, Value)],
) -> Value {
    let answer = |params: &Value| {
        let message = params["message"].as_str().unwrap();
        let known = answers.iter().find(|(words, _)| message.contains(words));
        let (_, content) = known.unwrap_or_else(|| panic!("nothing answers {message:?}"));
        if content.is_null() {
            json!({ "action": "decline" })
        } else {
            json!({ "action": "accept", "content": content })
        }
    };
    let mut params = json!({ "name": tool, "arguments": arguments });
    loop {
        let id = client.request("tools/call", params.clone());
        let mut ended = client
            .until(|message| message["method"] == "elicitation/create" || message["id"] == id);
        while ended["method"] == "elicitation/create" {
            let result = answer(&ended["params"]);
            client.send(json!({ "jsonrpc": "2.0", "id": ended["id"], "result": result }));
            ended = client
                .until(|message| message["method"] == "elicitation/create" || message["id"] == id);
        }
        let result = ended["result"].clone();
        let told = &result["structuredContent"];
        if told["status"] == "pending" {
            // A person takes longer than the call is held: the same call again goes on with it.
            continue;
        }
        if !modern || result["resultType"] != "input_required" {
            assert!(result.is_object(), "{ended}");
            return result;
        }
        let requests = result["inputRequests"].as_object().unwrap();
        let replies = requests
            .iter()
            .map(|(key, it)| (key.clone(), answer(&it["params"])));
        params["inputResponses"] = Value::Object(replies.collect());
        params["requestState"] = result["requestState"].clone();
    }
}

/// Somebody who answers in the inbox, once a question with these words is there.
fn in_the_inbox(
    home: &Home,
    words: &'static str,
    reply: impl FnOnce(&Home, &str) + Send + 'static,
) -> JoinHandle<()> {
    let home = home.clone();
    thread::spawn(move || {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            let listed = stdout(&home.run(&["inbox", "--json"]));
            let listed: Value = serde_json::from_str(&listed).unwrap_or_default();
            let asks = listed["asks"].as_array().into_iter().flatten();
            let mut found = asks.filter(|ask| {
                ask["message"]
                    .as_str()
                    .is_some_and(|message| message.contains(words))
            });
            if let Some(ask) = found.next() {
                return reply(&home, ask["id"].as_str().unwrap());
            }
        }
        panic!("{words:?} was not asked");
    })
}

fn shell_answers(answer: &'static [&str]) -> impl FnOnce(&Home, &str) {
    move |home, id| {
        let (code, page) = Person::ran(home, &[&["answer", id], answer].concat());
        assert_eq!(code, 0, "{page}");
    }
}

/// A person who lets a script act: no client can.
fn permits(home: &Home) -> JoinHandle<()> {
    in_the_inbox(home, "act in", |home, id| {
        let mut person = Person::runs(home, &["answer", id], &[]);
        person.sees("Esc to leave").types("allow\r");
        assert_eq!(person.code(), 0);
    })
}

#[test]
fn every_ask_is_asked() {
    for modern in [false, true] {
        let home = new_home();
        home.work_file("note.txt", "abc");
        let mut client = client(&home, modern);
        // What no form carries waits in the inbox.
        let mut others = vec![
            in_the_inbox(&home, "A password", |home, id| {
                let mut person = Person::runs(home, &["answer", id], &[]);
                person.sees("Esc to leave").types("hunter2\r");
                assert_eq!(person.code(), 0);
            }),
            in_the_inbox(&home, "A text file", shell_answers(&["note.txt"])),
            in_the_inbox(&home, "Read the terms", shell_answers(&["yes"])),
        ];
        if modern {
            // So does what comes after as many rounds as clients take part in.
            let address: &[&str] = &["street=Main Street", "kind=work"];
            others.push(in_the_inbox(&home, "Where to?", shell_answers(address)));
            others.push(in_the_inbox(
                &home,
                "Anything else?",
                shell_answers(&["fine"]),
            ));
        }
        let answers = [
            ("nickname", json!({ "value": "ada" })),
            ("Are you sure?", json!({ "confirmed": false })),
            ("Which colour?", json!({ "selected": "green" })),
            (
                "Which toppings?",
                json!({ "selected": ["cheese", "olives"] }),
            ),
            ("How many guests?", json!({ "value": 4 })),
            ("How was it?", json!({ "rating": 5 })),
            ("Which day?", json!({ "value": "2026-07-28" })),
            (
                "And when exactly?",
                json!({ "value": "2026-07-28T09:30:00Z" }),
            ),
            (
                "Where to?",
                json!({ "street": "Main Street", "kind": "work" }),
            ),
            ("Anything else?", json!({})),
        ];
        let told = call(
            &mut client,
            modern,
            "kitchen_sink_everyAsk",
            json!({}),
            &answers,
        );
        assert_eq!(
            told["structuredContent"]["result"],
            json!({
                "name": "ada", "passwordLength": 7, "sure": false, "colour": "green",
                "toppings": ["cheese", "olives"], "guests": 4, "stars": 5, "file": "note.txt",
                "day": "2026-07-28", "moment": "2026-07-28T09:30:00Z",
                "address": { "street": "Main Street", "kind": "work" },
                "visited": true, "remark": if modern { json!("fine") } else { Value::Null },
            }),
            "{told}"
        );
        for other in others {
            other.join().unwrap();
        }
    }
}

#[test]
fn the_other_methods() {
    for modern in [false, true] {
        let home = new_home();
        let mut client = client(&home, modern);
        let mut check = |tool: &str, arguments: Value, answers: &[(&str, Value)], wanted: Value| {
            let told = call(
                &mut client,
                modern,
                &format!("kitchen_sink_{tool}"),
                arguments,
                answers,
            );
            assert_eq!(told["structuredContent"]["result"], wanted, "{told}");
            told
        };
        let ada = [
            ("first", json!({ "value": "Ada" })),
            ("second", json!({ "value": "Lovelace" })),
        ];
        check("together", json!({}), &ada, json!("Ada Lovelace"));
        let name = [("name", json!({ "value": "Ada" }))];
        check(
            "askUserName",
            json!({ "greeting": "Hi" }),
            &name,
            json!("Hi, Ada!"),
        );
        check(
            "outcomes",
            json!({}),
            &[("colour", Value::Null)],
            json!("declined"),
        );
        check("checkpoints", json!({ "numbers": [4, 5] }), &[], json!(9));
        let told = check("everyEmit", json!({ "steps": 2 }), &[], json!("2 steps"));
        let content = told["content"].as_array().unwrap();
        assert_eq!(content.len(), 5, "the text and four artifacts: {told}");
        assert_eq!(content[4]["mimeType"], "image/png");
        let permitted = permits(&home);
        let told = call(&mut client, modern, "kitchen_sink_effects", json!({}), &[]);
        permitted.join().unwrap();
        let result = &told["structuredContent"]["result"];
        assert!(
            result["git"].as_str().unwrap().starts_with("git version"),
            "{told}"
        );
        assert!(home.workspace().join("out/kitchen-sink.txt").is_file());
    }
}

#[test]
fn a_release_is_made() {
    for modern in [false, true] {
        let home = new_home();
        let git = |args: &[&str]| git(&home.workspace(), &home.root(), args);
        home.work_file(
            "Cargo.toml",
            "[package]\nname = \"it\"\nversion = \"0.4.0\"\n",
        );
        git(&["init", "--quiet", "--initial-branch=main"]);
        git(&["config", "user.name", "Ann"]);
        git(&["config", "user.email", "ann@example.org"]);
        git(&["add", "."]);
        git(&["commit", "--quiet", "-m", "Begin"]);
        let mut client = client(&home, modern);
        let answers = |sure: bool| {
            [
                ("How far does it go up?", json!({ "selected": "minor" })),
                ("The notes of", json!({ "value": "- The first one" })),
                ("Release **v0.5.0**", json!({ "confirmed": sure })),
            ]
        };
        let permitted = permits(&home);
        let told = call(
            &mut client,
            modern,
            "release_tag",
            json!({}),
            &answers(false),
        );
        permitted.join().unwrap();
        assert_eq!(told["isError"], true, "{told}");
        assert_eq!(told["structuredContent"]["proceed"], false, "{told}");
        assert_eq!(git(&["tag"]), "");
        let told = call(
            &mut client,
            modern,
            "release_tag",
            json!({}),
            &answers(true),
        );
        let result = &told["structuredContent"]["result"];
        assert_eq!(result["tag"], "v0.5.0", "{told}");
        assert_eq!(result["commit"], git(&["rev-parse", "v0.5.0^{commit}"]));
        assert_eq!(git(&["status", "--porcelain"]), "");
    }
}

fn git(folder: &Path, home: &Path, args: &[&str]) -> String {
    let output = Command::new("git")
        .args(args)
        .current_dir(folder)
        .env("HOME", home)
        .output()
        .unwrap();
    assert!(output.status.success(), "git {args:?}: {}", stderr(&output));
    stdout(&output).trim().to_owned()
}
