//! One page for all processes.

use super::{
    browser::{Browser, address},
    delivery::client,
    support::*,
};
use serde_json::{Value, json};
use std::net::TcpListener;

#[test]
fn the_first_process_serves_the_page_and_another_takes_over_when_it_is_killed() {
    let home = new_home();
    let first = client(&home, json!({}), &[]);
    let browser = Browser::open(&home);
    let mut second = client(&home, json!({}), &[]);
    let mut events = browser.listen();
    assert_eq!(
        address(&home).as_ref(),
        Some(&browser.address),
        "it is shared"
    );

    second.request("tools/call", confirm());
    let ask = events.hear("elicitation");
    drop(first); // SIGKILL
    // The same address, and the browser is still let in.
    let listed = eventually_blocking("the page", || browser.try_get("/api/asks"));
    assert_eq!(listed["asks"][0]["id"], ask["id"]);
    let settled = browser.accept(&ask, json!({ "confirmed": true }));
    assert_eq!(settled["result"], "settled", "{settled}");
}

#[test]
fn another_program_has_the_port() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let home = new_home();
    let place = format!("127.0.0.1:{port}");
    let _pipe = client(&home, json!({}), &["--inbox", &place]);
    let browser = Browser::open(&home);
    assert_ne!(browser.address, format!("http://{place}"));
    assert_eq!(browser.get("/api/asks")["open"], 0);
}

#[test]
fn there_is_none_where_it_is_off() {
    let home = new_home();
    let mut pipe = client(&home, Value::Null, &["--inbox", "off"]);
    let answer = pipe.ask("tools/call", confirm());
    assert_eq!(
        answer["result"]["structuredContent"]["status"], "unreachable",
        "{answer}"
    );
    assert_eq!(address(&home), None);
}
