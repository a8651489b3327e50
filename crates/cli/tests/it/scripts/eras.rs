//! One script, both eras.

use super::{call, command, finish, support::*, value, with};
use serde_json::json;

const GREET: &str = "/** Greets. */
export function* greet() {
  yield { emit: 'progress', value: 0.5, message: 'half way' };
  const [name, sure] = yield [
    { ask: 'text', id: 'name', message: 'Your name?' },
    { ask: 'confirm', id: 'sure', message: 'Really?' },
  ];
  yield { emit: 'artifact', title: 'card', type: 'markdown', content: `# ${name}` };
  return { greeting: `Hello, ${name}!`, sure };
}";

#[test]
fn a_legacy_client() {
    let (home, args) = with("hello.js", GREET);
    let mut client = Pipe::legacy(&mut command(&home, &args));
    let mut params = call("hello_greet");
    params["_meta"] = json!({ "progressToken": 7 });
    let id = client.request("tools/call", params);
    let progress = client.until(|message| message["method"] == "notifications/progress");
    assert_eq!(progress["params"]["progress"], 0.5, "{progress}");
    assert_eq!(progress["params"]["message"], "half way");
    for _ in 0..2 {
        let asked = client.asked();
        let answer = match asked["params"]["message"].as_str().unwrap() {
            "Your name?" => value(json!("Ada")),
            _ => yes(),
        };
        client.send(json!({ "jsonrpc": "2.0", "id": asked["id"], "result": answer }));
    }
    let answer = client.until(|message| message["id"] == id && message.get("method").is_none());
    let result = &answer["result"];
    let wanted = json!({ "greeting": "Hello, Ada!", "sure": true });
    assert_eq!(result["structuredContent"]["result"], wanted, "{result}");
    assert_eq!(result["content"][1]["resource"]["text"], "# Ada");
}

#[test]
fn a_modern_client_is_asked_together_in_one_round() {
    let (home, args) = with("hello.js", GREET);
    let mut client = Pipe::modern(&mut command(&home, &args));
    let round = client.ask("tools/call", call("hello_greet"))["result"].clone();
    let keys: Vec<_> = round["inputRequests"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["name", "sure"], "{round}");
    let result = finish(&mut client, "hello_greet", round, |message| match message {
        "Your name?" => value(json!("Ada")),
        _ => json!({ "action": "accept", "content": { "confirmed": false } }),
    });
    let wanted = json!({ "greeting": "Hello, Ada!", "sure": false });
    assert_eq!(result["structuredContent"]["result"], wanted, "{result}");
}

#[test]
fn what_is_not_answered_is_told_as_every_tool_tells_it() {
    for (action, status) in [("decline", "declined"), ("cancel", "cancelled")] {
        // A home each: the same call again takes up what a killed process left.
        let (home, args) = with("hello.js", GREET);
        let mut client = Pipe::modern(&mut command(&home, &args));
        let round = client.ask("tools/call", call("hello_greet"))["result"].clone();
        let result = finish(
            &mut client,
            "hello_greet",
            round,
            |_| json!({ "action": action }),
        );
        let told = &result["structuredContent"];
        assert_eq!(
            (&told["status"], &told["proceed"]),
            (&json!(status), &json!(false)),
            "{told}"
        );
        assert!(told["nextStep"].is_string());
    }
}

#[test]
fn a_password_is_not_asked_for_by_form() {
    let (home, args) = with(
        "login.js",
        "export function* go() { const pw = yield { ask: 'password', message: 'Password?' }; return pw.length; }",
    );
    let mut client = Pipe::modern(&mut command(
        &home,
        &[args, vec!["--inbox".into(), "off".into()]].concat(),
    ));
    let answer = client.ask("tools/call", call("login_go"));
    assert_eq!(
        answer["result"]["structuredContent"]["status"], "unreachable",
        "{answer}"
    );
}

#[test]
fn a_client_permits_nothing() {
    let (home, args) = with(
        "act.js",
        "export const permissions = { write: ['out'] };\nexport function* go() { yield { write: 'out/made', text: 'x' }; return 'acted'; }",
    );
    let args = [args, vec!["--inbox".into(), "off".into()]].concat();
    let mut client = Pipe::legacy(&mut command(&home, &args));
    // It is not even asked: a permission counts on the page and in a terminal only.
    let id = client.request("tools/call", call("act_go"));
    let answer =
        client.until(|message| message["method"] == "elicitation/create" || message["id"] == id);
    let told = &answer["result"]["structuredContent"];
    assert_eq!(told["status"], "unreachable", "{answer}");
    assert!(!home.workspace().join("out").exists());
}

const COUNTER: &str = "import { io, Photon } from '@portel/photon-core';
export default class Counter extends Photon {
  async *visit() {
    this.emit({ emit: 'status', message: 'counting' });
    const name = yield io.ask.text('Your name?', { id: 'name', icon: 'user' });
    await new Promise((done) => setTimeout(done, 20));
    const visits = await this.memory.update('visits', (n) => (n ?? 0) + 1);
    yield io.emit.qr('https://example.com', 'Scan it');
    return { name, visits, sure: await this.confirm('Sure?') };
  }
}";

/// One memory for both eras and the terminal; timers, asks that are awaited and photon's module in each.
#[test]
fn what_a_class_of_photons_kind_does() {
    let (home, args) = with("counter.js", COUNTER);
    let answer = |message: &str| match message {
        "Your name?" => value(json!("Ada")),
        _ => yes(),
    };
    let check = |result: &serde_json::Value, visits: u32| {
        let wanted = json!({ "name": "Ada", "visits": visits, "sure": true });
        assert_eq!(result["structuredContent"]["result"], wanted, "{result}");
        assert_eq!(
            result["content"][1]["resource"]["text"],
            "https://example.com"
        );
    };
    {
        let mut client = Pipe::legacy(&mut command(&home, &args));
        let id = client.request("tools/call", call("counter_visit"));
        for _ in 0..2 {
            let asked = client.asked();
            let answer = answer(asked["params"]["message"].as_str().unwrap());
            client.send(json!({ "jsonrpc": "2.0", "id": asked["id"], "result": answer }));
        }
        let ended = client.until(|message| message["id"] == id && message.get("method").is_none());
        check(&ended["result"], 1);
    }
    {
        let mut client = Pipe::modern(&mut command(&home, &args));
        let round = client.ask("tools/call", call("counter_visit"))["result"].clone();
        let result = finish(&mut client, "counter_visit", round, answer);
        check(&result, 2);
    }
    let file = home.root().join("scripts/counter.js");
    let asked = stdout(&home.run(&["run", file.to_str().unwrap(), "--asks", "--json"]));
    assert!(
        asked.contains("Your name?") && asked.contains("Sure?"),
        "{asked}"
    );
}
