//! Scripts as tools of the real binary, with clients of both eras; killed at every point.
#![cfg(unix)]

mod eras;
mod killed;
mod listed;
#[path = "../support/mod.rs"]
mod support;

use serde_json::{Value, json};
use support::*;

/// A home with this script, and what serves it.
pub(crate) fn with(name: &str, source: &str) -> (Home, Vec<String>) {
    let home = Home::new();
    let folder = home.root().join("scripts");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(name), source).unwrap();
    // These clients answer at once, and are believed all the same.
    home.config("fast_reply_ms = 0");
    let args = ["serve", "--scripts", folder.to_str().unwrap()];
    (home, args.map(str::to_owned).to_vec())
}

pub(crate) fn command(home: &Home, args: &[String]) -> std::process::Command {
    home.command(&args.iter().map(String::as_str).collect::<Vec<_>>())
}

pub(crate) fn call(tool: &str) -> Value {
    json!({ "name": tool, "arguments": {} })
}

pub(crate) fn value(value: Value) -> Value {
    json!({ "action": "accept", "content": { "value": value } })
}

/// A script's flow for a modern client: each round is answered by what `answer` says of its form,
/// until the result is there.
pub(crate) fn finish(
    client: &mut Pipe,
    tool: &str,
    mut round: Value,
    answer: impl Fn(&str) -> Value,
) -> Value {
    while round["resultType"] == "input_required" {
        let mut again = call(tool);
        again["requestState"] = round["requestState"].clone();
        let asked = round["inputRequests"].as_object().unwrap();
        let answers = asked.iter().map(|(key, asked)| {
            (
                key.clone(),
                answer(asked["params"]["message"].as_str().unwrap()),
            )
        });
        again["inputResponses"] = Value::Object(answers.collect());
        round = client.ask("tools/call", again)["result"].clone();
    }
    round
}
