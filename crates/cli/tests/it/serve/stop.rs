//! Stopping with an ask open: it stays open, and another server goes on with it.

use super::{
    http::{Events, Server},
    support::*,
};
use holdpoint::journal::{AskQuery, AskRecord, JournalEngine};
use serde_json::{Value, json};
use std::sync::Arc;

/// The asks on record.
fn asks(home: &Home, open: bool) -> Vec<AskRecord> {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let url = format!("sqlite:{}", home.journal().display());
        let journal: Arc<dyn JournalEngine> = holdpoint::journal::open(&url).await.unwrap();
        assert_eq!(journal.verify().await.unwrap().flaws, []);
        let query = AskQuery {
            open,
            ..AskQuery::default()
        };
        journal.asks(query).await.unwrap()
    })
}

fn again(round: &Value) -> Value {
    let mut again = confirm();
    again["requestState"] = round["result"]["requestState"].clone();
    again["inputResponses"] = json!({ "0001": yes() });
    again
}

#[test]
fn a_modern_ask_over_http() {
    let home = new_home();
    home.config("fast_reply_ms = 0");
    let mut first = Server::start(&home, &[]);
    let round = first.modern(confirm());
    first.process.terminate();
    assert!(first.process.ended().success());
    assert_eq!(asks(&home, true).len(), 1);

    let second = Server::start(&home, &[]);
    let answer = second.modern(again(&round));
    let told = &answer["result"]["structuredContent"];
    assert_eq!(told["confirmed"], true, "{answer}");
    assert_eq!(asks(&home, true), []);
    assert_eq!(asks(&home, false).len(), 1, "it was not asked twice");
}

#[test]
fn a_legacy_ask_over_http() {
    let home = new_home();
    let mut server = Server::start(&home, &[]);
    let session = server.session();
    let call = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": confirm() });
    let mut events = Events::of(server.in_session(&session, &call));
    events.until(|message| message["method"] == "elicitation/create");
    server.process.terminate();
    events.end();
    assert!(server.process.ended().success());
    assert_eq!(asks(&home, true).len(), 1);
}

#[test]
fn a_modern_ask_over_stdio() {
    let home = new_home();
    home.config("fast_reply_ms = 0");
    let mut first = Pipe::modern(&mut home.command(&["serve"]));
    let round = first.ask("tools/call", confirm());
    first.process.terminate();
    assert!(first.process.ended().success());
    assert_eq!(asks(&home, true).len(), 1);

    let mut second = Pipe::modern(&mut home.command(&["serve"]));
    let answer = second.ask("tools/call", again(&round));
    let told = &answer["result"]["structuredContent"];
    assert_eq!(told["confirmed"], true, "{answer}");
    assert_eq!(asks(&home, true), []);
}

#[test]
fn a_legacy_ask_over_stdio() {
    let home = new_home();
    let mut client = Pipe::legacy(&mut home.command(&["serve"]));
    client.request("tools/call", confirm());
    client.asked();
    client.process.terminate();
    assert!(client.process.ended().success());
    assert_eq!(asks(&home, true).len(), 1);
}

#[test]
fn a_client_that_goes_leaves_its_ask() {
    let home = new_home();
    let mut client = Pipe::legacy(&mut home.command(&["serve"]));
    client.request("tools/call", confirm());
    client.asked();
    drop(client.input.take());
    assert!(client.process.ended().success());
    assert_eq!(asks(&home, true).len(), 1);
}
