//! Where an ask goes: the client's form, a page that the client opens, the inbox alone.

use super::{
    browser::{Browser, read},
    support::*,
};
use serde_json::{Value, json};

/// A legacy client that declares this of elicitation; null for none.
pub fn client(home: &Home, elicitation: Value, args: &[&str]) -> Pipe {
    let mut hello = initialize();
    hello["capabilities"] = match elicitation {
        Value::Null => json!({}),
        declared => json!({ "elicitation": declared }),
    };
    Pipe::greeting(&mut home.command(&[&["serve"], args].concat()), hello)
}

pub fn told(answer: &Value) -> &Value {
    &answer["result"]["structuredContent"]
}

fn answer_to(pipe: &mut Pipe, call: u64) -> Value {
    pipe.until(|message| message["id"] == call && message.get("method").is_none())
}

#[test]
fn the_page_mirrors_the_clients_form_and_the_first_answer_wins() {
    let home = new_home();
    // The client's person reads fast here.
    home.config("fast_reply_ms = 0");
    let mut pipe = client(&home, json!({}), &[]);
    let browser = Browser::open(&home);
    let mut events = browser.listen();

    // On the page first: the client's form is taken away.
    let call = pipe.request("tools/call", confirm());
    let form = pipe.asked();
    let row = events.hear("elicitation");
    assert_eq!(row["title"], "Go on?");
    let ask = browser.get(&format!("/api/asks/{}", row["id"].as_str().unwrap()));
    assert_eq!(ask["origin"]["tool"], "elicit_confirm");
    assert_eq!(ask["origin"]["client"], "mcpdo-test-client 1.0");
    let settled = browser.accept(&ask, json!({ "confirmed": true }));
    assert_eq!(settled["result"], "settled", "{settled}");
    let cancelled = pipe.until(|message| message["method"] == "notifications/cancelled");
    assert_eq!(cancelled["params"]["requestId"], form["id"]);
    let answer = answer_to(&mut pipe, call);
    assert_eq!(told(&answer)["confirmed"], true, "{answer}");
    assert_eq!(told(&answer)["channel"], "inbox");
    events.hear("settled");

    // In the client first: the page is told who, and comes too late.
    let call = pipe.request("tools/call", confirm());
    let form = pipe.asked();
    let ask = events.hear("elicitation");
    read(&browser.get(&format!("/api/asks/{}", ask["id"].as_str().unwrap())));
    pipe.send(json!({ "jsonrpc": "2.0", "id": form["id"], "result": yes() }));
    let heard = events.hear("settled");
    assert_eq!(heard["id"], ask["id"]);
    let words = heard["decision"]["words"].as_str().unwrap();
    assert!(
        words.starts_with("Approved by mcpdo-test-client 1.0 in the client"),
        "{words}"
    );
    let late = browser.respond(json!({ "askId": ask["id"], "action": "decline" }));
    assert_eq!(late["result"], "late");
    assert_eq!(late["decision"]["outcome"], "accepted");
    let answer = answer_to(&mut pipe, call);
    assert_eq!(told(&answer)["channel"], "client", "{answer}");
}

#[test]
fn what_no_form_carries_goes_by_url_to_the_page() {
    let home = new_home();
    let mut pipe = client(&home, json!({ "form": {}, "url": {} }), &[]);
    let browser = Browser::open(&home);
    let file = json!({ "name": "doc", "kind": "file" });
    let arguments = json!({ "message": "A file?", "fields": [file] });
    let call = pipe.request(
        "tools/call",
        json!({ "name": "elicit_form", "arguments": arguments }),
    );
    let asked = pipe.asked();
    let ask = browser.asked();
    assert_eq!(asked["params"]["mode"], "url", "{asked}");
    let page = format!("{}/ask/{}", browser.address, ask["id"].as_str().unwrap());
    assert_eq!(
        asked["params"]["url"],
        json!(page),
        "an address without a key"
    );
    pipe.send(json!({ "jsonrpc": "2.0", "id": asked["id"], "result": { "action": "accept" } }));
    let refused =
        browser.respond(json!({ "askId": ask["id"], "action": "decline", "reason": "none here" }));
    assert_eq!(
        refused["result"], "settled",
        "to agree to open it was no answer"
    );
    let answer = answer_to(&mut pipe, call);
    assert_eq!(told(&answer)["status"], "declined", "{answer}");
}

#[test]
fn dangerous_asks_can_be_for_the_inbox_only() {
    let home = new_home();
    home.config("hold_seconds = 60\n[trust]\ndangerous = \"inbox\"");
    let mut pipe = client(&home, json!({}), &[]);
    let browser = Browser::open(&home);
    let mut dangerous = confirm();
    dangerous["arguments"]["dangerous"] = json!(true);
    let call = pipe.request("tools/call", dangerous);
    let ask = browser.asked();
    assert_eq!(ask["dangerous"], true);
    browser.accept(&ask, json!({ "confirmed": true }));
    // Any form would have come before the answer.
    let answer =
        pipe.until(|message| message["id"] == call || message["method"] == "elicitation/create");
    assert_eq!(told(&answer)["channel"], "inbox", "{answer}");
}

#[test]
fn a_fast_yes_to_something_dangerous_goes_on_in_the_inbox() {
    let home = new_home();
    home.config("fast_reply_ms = 60000");
    let mut pipe = client(&home, json!({}), &[]);
    let browser = Browser::open(&home);
    let mut events = browser.listen();
    let mut dangerous = confirm();
    dangerous["arguments"]["dangerous"] = json!(true);
    let call = pipe.request("tools/call", dangerous);
    let form = pipe.asked();
    let ask = events.hear("elicitation");
    pipe.send(json!({ "jsonrpc": "2.0", "id": form["id"], "result": yes() }));
    // What the client said is on record and changed nothing.
    assert_eq!(events.hear("elicitation")["id"], ask["id"]);
    assert_eq!(browser.asked()["decision"], Value::Null);
    // A no on the page is taken at once.
    let presence = json!({ "shownMs": 0, "gesture": "chosen" });
    let no = json!({ "askId": ask["id"], "action": "decline", "presence": presence });
    browser.post("/api/elicitation/respond", no);
    let answer = answer_to(&mut pipe, call);
    assert_eq!(told(&answer)["status"], "declined", "{answer}");
    assert_eq!(told(&answer)["channel"], "inbox");
}
