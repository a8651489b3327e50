use super::{Recording, Session, Step, Tokens, is_noise, is_question, is_reply, list};
use serde_json::{Map, Value, json};
use std::{fs, path::Path};

/// What is kept of the environment: how clients are known, and the marks of agents.
const KEPT_NAMES: [&str; 16] = [
    "AGENT",
    "AI_AGENT",
    "CI",
    "CLAUDE",
    "CLINE",
    "CODEX",
    "CONTINUE",
    "COPILOT",
    "CURSOR",
    "FAST_AGENT",
    "GEMINI_CLI",
    "KILO",
    "OPENCODE",
    "QWEN",
    "TERM_PROGRAM",
    "VSCODE",
];
/// Whose values matter; of others it is only said that they are set.
const KEPT_VALUES: [&str; 5] = [
    "AI_AGENT",
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "COPILOT_CLI_BINARY_VERSION",
    "TERM_PROGRAM",
];

/// A session as it was written down while it ran.
pub struct Raw<'a> {
    /// What the recording is to be called.
    pub name: &'a str,
    /// The folder that `tee.py` wrote to.
    pub folder: &'a Path,
    /// The user's folder and name.
    pub home: &'a str,
    /// See `home`.
    pub user: &'a str,
    /// The user's own configuration.
    pub config: &'a str,
    /// What the journal held at the end.
    pub journal: Value,
}

/// Makes a recording that fits into a repository: small, without paths, keys and ids of one machine.
///
/// # Panics
///
/// If no run of the folder called a tool.
pub fn scrub(raw: Raw<'_>) -> Recording {
    let mut tokens = Tokens::new(raw.home, raw.user);
    let (start, events) = events(raw.folder);
    let mut recording = Recording {
        session: Session {
            name: raw.name.to_owned(),
            arguments: list(&start["arguments"])
                .iter()
                .filter_map(|argument| argument.as_str().map(ToOwned::to_owned))
                .collect(),
            environment: kept(&start["environment"]),
            config: raw.config.to_owned(),
        },
        steps: Vec::new(),
        journal: Value::Null,
    };
    let mut pings = Vec::new();
    let mut asked_at = None;
    for event in events {
        let at = event["at"].as_f64().unwrap_or_default();
        if let Some(message) = event.get("server") {
            if message["method"] == "ping" {
                pings.push(message["id"].clone());
            }
            if is_noise(message) {
                continue;
            }
            if is_question(message) {
                asked_at = Some(at);
            }
            recording
                .steps
                .push(Step::Server(tokens.of_server(message)));
        } else if let Some(message) = event.get("client") {
            let answers_ping = message["method"].is_null() && pings.contains(&message["id"]);
            if answers_ping || is_noise(message) {
                continue;
            }
            let waited = asked_at
                .filter(|_| is_reply(message))
                .map(|asked| at - asked);
            recording.steps.push(Step::Client {
                message: tokens.of_client(message),
                after_ms: waited.map(|seconds| (seconds * 10.0).round() as u64 * 100),
            });
        } else if let Some(answer) = event.get("person") {
            recording.steps.push(Step::Person(tokens.of_other(answer)));
        } else if let Some(command) = event.get("shell") {
            let mut command = command.clone();
            command["environment"] = Value::Object(kept(&command["environment"]));
            recording.steps.push(Step::Shell(tokens.of_other(&command)));
        }
    }
    recording.journal = tokens.of_other(&raw.journal);
    recording
}

/// How the server was started that was used, and all that happened since, in order.
fn events(folder: &Path) -> (Value, Vec<Value>) {
    let files = fs::read_dir(folder).expect("the folder of a tee");
    let mut runs: Vec<Vec<Value>> = files
        .map(|file| fs::read_to_string(file.expect("a file").path()).expect("it can be read"))
        .map(|text| {
            text.lines()
                .map(|line| serde_json::from_str(line).expect("JSON"))
                .collect()
        })
        .collect();
    let used = |run: &Vec<Value>| {
        run.iter()
            .any(|event| event["client"]["method"] == "tools/call")
    };
    // Clients start servers to see what they have, and end them.
    runs.retain(|run| used(run) || run.iter().all(|event| event["start"].is_null()));
    assert_eq!(
        runs.iter().filter(|run| used(run)).count(),
        1,
        "one server was used"
    );
    let mut events: Vec<Value> = runs.into_iter().flatten().collect();
    events.sort_by(|one, other| {
        one["at"]
            .as_f64()
            .partial_cmp(&other["at"].as_f64())
            .expect("times")
    });
    let start = events.iter().find_map(|event| event.get("start")).cloned();
    (start.expect("a server was started"), events)
}

fn kept(environment: &Value) -> Map<String, Value> {
    let all = environment.as_object().into_iter().flatten();
    all.filter(|(name, _)| {
        KEPT_NAMES.iter().any(|kept| {
            name.strip_prefix(kept).is_some_and(|rest| {
                rest.is_empty() || rest.starts_with('_') || *name == "CLAUDECODE"
            })
        })
    })
    .map(|(name, value)| {
        let kept = KEPT_VALUES.contains(&name.as_str());
        (name.clone(), if kept { value.clone() } else { json!("1") })
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_has_no_secrets_and_no_noise() {
        let folder = std::env::temp_dir().join(format!("scrub-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let start = json!({ "arguments": ["serve"], "environment": {
            "CLAUDECODE": "1", "CLAUDE_CODE_MESSAGING_TOKEN": "hush", "HOME": "/tmp/a-home", "API_KEY": "hush",
        } });
        let lines = [
            json!({ "at": 1.0, "start": start }),
            json!({ "at": 1.1, "client": { "id": 1, "method": "tools/call", "params": {} } }),
            json!({ "at": 1.2, "server": { "id": 9, "method": "ping" } }),
            json!({ "at": 1.2, "client": { "id": 9, "result": {} } }),
            json!({ "at": 2.0, "server": { "id": 10, "method": "elicitation/create", "params": {} } }),
            json!({ "at": 2.5, "log": "hush" }),
            json!({ "at": 6.34, "client": { "id": 10, "result": { "action": "accept" } } }),
        ];
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        fs::write(folder.join("run.jsonl"), text).unwrap();
        let raw = Raw {
            name: "a-client-plan",
            folder: &folder,
            home: "/tmp/a-home",
            user: "ann",
            config: "",
            journal: Value::Null,
        };
        let recording = scrub(raw);
        let path = folder.join("a-client-plan.jsonl");
        recording.write(&path);
        let written = fs::read_to_string(&path).unwrap();
        assert!(
            !written.contains("hush") && !written.contains("ping"),
            "{written}"
        );
        assert_eq!(recording.session.environment["CLAUDECODE"], "1");
        assert_eq!(
            recording.session.environment["CLAUDE_CODE_MESSAGING_TOKEN"],
            "1"
        );
        let reply = json!({ "id": "$request1", "result": { "action": "accept" } });
        let step = Step::Client {
            message: reply,
            after_ms: Some(4300),
        };
        assert_eq!(recording.steps.last(), Some(&step));
        assert_eq!(Recording::read(&path), recording);
        fs::remove_dir_all(&folder).unwrap();
    }
}
