//! Calls that outlive their client and their server.

use super::{
    browser::Browser,
    delivery::{client, told},
    support::*,
};
use serde_json::{Value, json};

fn await_answer(ask: &Value) -> Value {
    let arguments = json!({ "askId": ask, "waitSeconds": 30 });
    json!({ "name": "await_answer", "arguments": arguments })
}

/// A client that shows nothing calls, and is told to come back.
fn pending(pipe: &mut Pipe) -> Value {
    let answer = pipe.ask("tools/call", confirm());
    let told = told(&answer).clone();
    assert_eq!(told["status"], "pending", "{answer}");
    assert_eq!(told["proceed"], false);
    assert!(told["retryAfterSeconds"].is_number(), "{told}");
    told
}

#[test]
fn a_client_that_shows_nothing_is_answered_on_the_page() {
    let home = new_home();
    home.config("hold_seconds = 1");
    let mut pipe = client(&home, Value::Null, &[]);
    let browser = Browser::open(&home);
    let told_first = pending(&mut pipe);
    let page = format!(
        "{}/ask/{}",
        browser.address,
        told_first["askId"].as_str().unwrap()
    );
    assert_eq!(told_first["url"], json!(page), "an address without a key");
    browser.accept(&browser.asked(), json!({ "confirmed": true }));
    let answer = pipe.ask("tools/call", await_answer(&told_first["askId"]));
    assert_eq!(told(&answer)["confirmed"], true, "{answer}");
    assert_eq!(told(&answer)["askId"], told_first["askId"]);
}

#[test]
fn the_server_is_killed_and_another_one_finishes_the_call() {
    for answered_before in [true, false] {
        let home = new_home();
        home.config("hold_seconds = 1");
        let mut pipe = client(&home, Value::Null, &[]);
        let ask = pending(&mut pipe)["askId"].clone();
        drop(pipe); // SIGKILL

        let mut pipe = client(&home, Value::Null, &[]);
        let browser = Browser::open(&home);
        let open = browser.asked();
        assert_eq!(open["id"], ask);
        let answer = if answered_before {
            browser.accept(&open, json!({ "confirmed": true }));
            pipe.ask("tools/call", await_answer(&ask))
        } else {
            let call = pipe.request("tools/call", await_answer(&ask));
            browser.accept(&open, json!({ "confirmed": true }));
            pipe.until(|message| message["id"] == call)
        };
        assert_eq!(told(&answer)["confirmed"], true, "{answer}");
        assert_eq!(told(&answer)["channel"], "inbox");
    }
}

#[test]
fn another_process_answers_while_the_first_still_runs() {
    let home = new_home();
    home.config("hold_seconds = 1");
    let mut first = client(&home, Value::Null, &[]);
    let ask = pending(&mut first)["askId"].clone();
    let mut second = client(&home, Value::Null, &[]);
    let call = second.request("tools/call", await_answer(&ask));
    let browser = Browser::open(&home);
    browser.accept(&browser.asked(), json!({ "confirmed": true }));
    let answer = second.until(|message| message["id"] == call);
    assert_eq!(told(&answer)["confirmed"], true, "{answer}");
    let answer = first.ask("tools/call", await_answer(&ask));
    assert_eq!(told(&answer)["confirmed"], true, "{answer}");
}

#[test]
fn the_same_call_again_takes_the_open_ask_over() {
    for killed in [false, true] {
        let home = new_home();
        home.config("hold_seconds = 1");
        let mut pipe = client(&home, Value::Null, &[]);
        let ask = pending(&mut pipe)["askId"].clone();
        if killed {
            drop(pipe);
            pipe = client(&home, Value::Null, &[]);
        }
        let again = pending(&mut pipe)["askId"].clone();
        assert_eq!(again, ask, "killed: {killed}");
        let browser = Browser::open(&home);
        let call = pipe.request("tools/call", confirm());
        browser.accept(&browser.asked(), json!({ "confirmed": true }));
        let answer = pipe.until(|message| message["id"] == call);
        assert_eq!(told(&answer)["confirmed"], true, "{answer}");
        assert_eq!(told(&answer)["askId"], ask);
    }
}
