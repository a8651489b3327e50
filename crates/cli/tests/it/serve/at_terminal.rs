//! A person starts the server by hand.

use super::support::{person::*, *};
use serde_json::json;

#[test]
fn a_person_is_told_what_it_is_and_it_serves_all_the_same() {
    let home = new_home();
    // Standard output is a file: what is on the screen came by standard error.
    let mut person = Person::shell(&home, "$holdpoint serve > out", &[]);
    person
        .sees("This is the MCP server")
        .sees("init CLIENT")
        .sees(" demo")
        .sees(" inbox");
    person.sees("Ctrl-C");
    let hello =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize() });
    person.types(&format!("{hello}\r"));
    let out = home.workspace().join("out");
    let answer = eventually_blocking("the answer", || {
        let text = std::fs::read_to_string(&out).ok()?;
        serde_json::from_str::<serde_json::Value>(text.lines().next()?).ok()
    });
    assert_eq!(
        answer["result"]["serverInfo"]["name"], "holdpoint",
        "{answer}"
    );
    person.types(CTRL_C);
    person.ends();
    let text = std::fs::read_to_string(&out).unwrap();
    for line in text.lines() {
        serde_json::from_str::<serde_json::Value>(line).expect("only JSON-RPC");
    }
}

#[test]
fn a_client_and_an_address_are_told_nothing_of_it() {
    let home = new_home();
    let output = home.run(&["serve"]);
    assert!(output.status.success());
    assert!(
        !stderr(&output).contains("This is the MCP server"),
        "{}",
        stderr(&output)
    );
    let mut person = Person::runs(&home, &["serve", "--http", "127.0.0.1:0"], &[]);
    person.sees("/mcp").types(CTRL_C);
    let (page, _) = person.ends();
    assert!(!page.contains("This is the MCP server"), "{page}");
}
