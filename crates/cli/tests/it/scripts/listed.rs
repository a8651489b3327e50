//! Scripts among the tools: listed, changed, broken, in the way.

use super::{call, command, support::*, with};
use serde_json::{Value, json};
use std::fs;

const ONE: &str = "/**\n * Adds up.\n * @param {number[]} numbers - what to add\n * @returns {number} the sum\n */\nexport function* add({ numbers }) { return numbers.reduce((a, b) => a + b, 0); }";

fn tools(client: &mut Pipe) -> Vec<Value> {
    let listed = client.ask("tools/list", json!({}));
    listed["result"]["tools"].as_array().unwrap().clone()
}

fn named<'a>(tools: &'a [Value], name: &str) -> Option<&'a Value> {
    tools.iter().find(|tool| tool["name"] == name)
}

#[test]
fn beside_the_other_tools() {
    let (home, args) = with("sums.js", ONE);
    let mut client = Pipe::start_legacy_with(&mut command(&home, &args), |hello| {
        assert_eq!(
            hello["result"]["capabilities"]["tools"]["listChanged"], true,
            "{hello}"
        );
        let words = hello["result"]["instructions"].as_str().unwrap();
        assert!(words.contains("scripts"), "{words}");
    });
    let tools = tools(&mut client);
    assert!(named(&tools, "elicit_confirm").is_some());
    let tool = named(&tools, "sums_add").unwrap();
    assert_eq!(tool["description"], "Adds up.");
    assert_eq!(
        tool["inputSchema"]["required"],
        json!(["numbers"]),
        "{tool}"
    );
    assert_eq!(
        tool["outputSchema"]["properties"]["result"]["type"],
        "number"
    );
    assert_eq!(tool["annotations"]["readOnlyHint"], true);
    let mut sum = call("sums_add");
    sum["arguments"] = json!({ "numbers": [1, 2, 3.5] });
    let answer = client.ask("tools/call", sum);
    assert_eq!(
        answer["result"]["structuredContent"]["result"], 6.5,
        "{answer}"
    );
    let mut wrong = call("sums_add");
    wrong["arguments"] = json!({ "numbers": "1" });
    let answer = client.ask("tools/call", wrong);
    assert_eq!(
        answer["result"]["structuredContent"]["error"], "INVALID_ARGUMENTS",
        "{answer}"
    );
    let answer = client.ask("tools/call", call("sums_ad"));
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
}

#[test]
fn changes_are_told_in_both_eras() {
    let (home, args) = with("sums.js", ONE);
    let file = home.root().join("scripts/sums.js");
    let mut legacy = Pipe::legacy(&mut command(&home, &args));
    // That it is there is heard before the first change.
    legacy.ask("tools/list", json!({}));
    let mut modern = Pipe::modern(&mut command(&home, &args));
    let wanted = json!({ "notifications": { "toolsListChanged": true } });
    modern.request("subscriptions/listen", wanted);
    modern.until(|message| message["method"] == "notifications/subscriptions/acknowledged");
    modern.ask("tools/list", json!({}));
    for (source, there) in [
        (ONE.replace("* add(", "* plus("), "sums_plus"),
        (ONE.to_owned(), "sums_add"),
    ] {
        fs::write(&file, source).unwrap();
        for client in [&mut legacy, &mut modern] {
            // An editor's save may be seen in parts: the last word counts.
            loop {
                client.until(|message| message["method"] == "notifications/tools/list_changed");
                if named(&tools(client), there).is_some() {
                    break;
                }
            }
        }
    }
}

#[test]
fn a_file_with_an_error_is_told_of_and_the_others_still_load() {
    let (home, args) = with("sums.js", ONE);
    let broken = home.root().join("scripts/broken.js");
    fs::write(&broken, "export function* go() {\n  return 1 +;\n}").unwrap();
    let clash = home.root().join("scripts/elicit.js");
    fs::write(&clash, "export function* confirm() { return 'mine'; }").unwrap();
    let mut process = command(&home, &args);
    let log = home.root().join("log");
    let mut client = Pipe::modern_logging(&mut process, &log);
    let tools = tools(&mut client);
    assert!(named(&tools, "sums_add").is_some());
    let confirms = tools
        .iter()
        .filter(|tool| tool["name"] == "elicit_confirm")
        .count();
    assert_eq!(confirms, 1, "a script does not take a tool's place");
    let round = client.ask("tools/call", confirm());
    assert_eq!(round["result"]["resultType"], "input_required", "{round}");
    drop(client);
    let log = fs::read_to_string(log).unwrap();
    assert!(log.contains("broken.js:2") && log.contains('^'), "{log}");
    assert!(
        log.contains("there is another tool elicit_confirm"),
        "{log}"
    );

    let folder = home.root().join("scripts");
    home.config(&format!("[scripts]\ndir = {folder:?}"));
    let report = stdout(&home.run(&["doctor"]));
    assert!(report.contains("broken.js:2"), "{report}");
    assert!(report.contains("2 files, 2 tools"), "{report}");
}

#[test]
fn a_workspace_cannot_point_at_scripts() {
    let home = new_home();
    home.work_file("evil/a.js", ONE);
    home.work_file(".holdpoint/config.toml", "[scripts]\ndir = \"evil\"");
    let said = stderr(&home.run(&["serve"]));
    assert!(said.contains("may not set `scripts.dir`"), "{said}");
}

#[test]
fn the_journal_in_the_workspace_is_not_a_scripts_to_read() {
    let (home, args) = with(
        "thief.js",
        "export const permissions = { read: ['.'] };\nexport function* go() { return yield { read: 'j.db-keys/page' }; }",
    );
    let journal = home.workspace().join("j.db");
    home.config(&format!("journal = \"sqlite:{}\"", journal.display()));
    let mut client = Pipe::modern(&mut command(&home, &args));
    let permitted = super::killed::permit(&home);
    let result = client.ask("tools/call", call("thief_go"))["result"].clone();
    permitted.join().unwrap();
    let said = result["content"][0]["text"].as_str().unwrap();
    assert!(said.contains("is Holdpoint's own"), "{said}");
}

#[test]
fn the_secret_of_a_journal_in_a_database_is_not_a_scripts_to_read() {
    let (home, args) = with(
        "thief.js",
        "export const permissions = { read: ['.'] };\nexport function* go() { return yield { read: 'secret' }; }",
    );
    home.work_file("secret", "0f");
    let secret = home.workspace().join("secret");
    let mut client = Pipe::modern(command(&home, &args).env("HOLDPOINT_SECRET_FILE", secret));
    let permitted = super::killed::permit(&home);
    let result = client.ask("tools/call", call("thief_go"))["result"].clone();
    permitted.join().unwrap();
    let said = result["content"][0]["text"].as_str().unwrap();
    assert!(said.contains("is Holdpoint's own"), "{said}");
}
