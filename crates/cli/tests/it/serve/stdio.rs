//! Over standard input and output.

use super::support::*;
use serde_json::json;

#[test]
fn a_legacy_client_is_asked_in_the_middle_of_its_call() {
    let home = new_home();
    let mut client = Pipe::legacy(&mut home.command(&["serve"]));
    let call = client.request("tools/call", confirm());
    let asked = client.asked();
    client.send(json!({ "jsonrpc": "2.0", "id": asked["id"], "result": yes() }));
    let answer = client.until(|message| message["id"] == call);
    let told = &answer["result"]["structuredContent"];
    assert_eq!(told["status"], "accepted", "{answer}");
    assert_eq!(told["confirmed"], true);
    assert!(
        home.journal().is_file(),
        "the record is in the state folder"
    );
}

#[test]
fn a_modern_client_is_asked_by_the_result() {
    let home = new_home();
    let mut client = Pipe::modern(&mut home.command(&["serve"]));
    let round = client.ask("tools/call", confirm());
    let round = &round["result"];
    assert_eq!(round["resultType"], "input_required", "{round}");
    let mut again = confirm();
    again["requestState"] = round["requestState"].clone();
    again["inputResponses"] = json!({ "0001": yes() });
    let answer = client.ask("tools/call", again);
    let told = &answer["result"]["structuredContent"];
    assert_eq!(told["confirmed"], true, "{answer}");
}

#[test]
fn it_ends_when_the_client_is_gone() {
    for log in [["--log-format", "text"], ["--log-format", "json"]] {
        let home = new_home();
        let mut command = home.command(&[&["serve"], &log[..]].concat());
        let mut client = Pipe::legacy(command.env("HOLDPOINT_LOG", "trace"));
        client.ask("tools/list", json!({}));
        // Every line so far was a message: `until` reads nothing else.
        drop(client.input.take());
        assert!(client.process.ended().success());
    }
    let home = new_home();
    assert!(home.run(&["serve"]).status.success(), "no client at all");
}

#[test]
fn the_log_goes_to_standard_error() {
    let home = new_home();
    let text = home.run(&["serve"]);
    assert!(stderr(&text).contains("ready"), "{}", stderr(&text));
    assert_eq!(stdout(&text), "");
    let json = home.run(&["serve", "--log-format", "json"]);
    for line in stderr(&json).lines() {
        serde_json::from_str::<serde_json::Value>(line).expect(line);
    }
    let mut quiet = home.command(&["serve"]);
    let quiet = quiet.env("RUST_LOG", "trace").env("HOLDPOINT_LOG", "error");
    assert_eq!(stderr(&quiet.output().unwrap()), "");
}

#[test]
fn tools_and_workspace_are_as_configured() {
    let home = new_home();
    home.config("tools = [\"elicit\", \"orchestra\"]");
    home.work_file(
        ".holdpoint/config.toml",
        "tools = [\"orchestra\", \"plans\"]",
    );
    let names = |args: &[&str]| -> Vec<String> {
        let mut client = Pipe::legacy(&mut home.command(args));
        let listed = client.ask("tools/list", json!({}));
        let tools = listed["result"]["tools"].as_array().unwrap().iter();
        tools
            .map(|tool| tool["name"].as_str().unwrap().to_owned())
            .collect()
    };
    let shared = names(&["serve"]);
    assert!(
        shared.contains(&"request_plan_approval".to_owned()),
        "{shared:?}"
    );
    assert!(!shared.contains(&"elicit_confirm".to_owned()), "{shared:?}");
    let flag = names(&["serve", "--tools", "elicit"]);
    assert!(flag.contains(&"elicit_confirm".to_owned()), "{flag:?}");
    assert!(
        !flag.contains(&"request_plan_approval".to_owned()),
        "{flag:?}"
    );
}
