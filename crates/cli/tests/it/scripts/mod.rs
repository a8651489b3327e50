//! Scripts as tools of the real binary, with clients of both eras; killed at every point.

mod eras;
pub(crate) mod killed;
mod listed;

use crate::support::{self, *};
use serde_json::{Value, json};

/// A home with this script, and what serves it.
pub(crate) fn with(name: &str, source: &str) -> (Home, Vec<String>) {
    let home = new_home();
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
        round = client.ask("tools/call", again(tool, &round, &answer))["result"].clone();
    }
    round
}

/// The call once more, with what `answer` says of each form of its round.
pub(crate) fn again(tool: &str, round: &Value, answer: impl Fn(&str) -> Value) -> Value {
    let mut again = call(tool);
    again["requestState"] = round["requestState"].clone();
    let asked = round["inputRequests"].as_object().unwrap().iter();
    let answers = asked.map(|(key, asked)| {
        let message = asked["params"]["message"].as_str().unwrap();
        (key.clone(), answer(message))
    });
    again["inputResponses"] = Value::Object(answers.collect());
    again
}
