use regex::{Captures, Regex};
use serde_json::{Map, Value, json};
use std::{collections::BTreeMap, sync::LazyLock};

static ID: LazyLock<Regex> =
    LazyLock::new(|| regex("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"));
static TOKEN: LazyLock<Regex> = LazyLock::new(|| regex(r"\$(?:theirs|ours|state)[0-9]+"));
static PAGE: LazyLock<Regex> = LazyLock::new(|| regex(r"http://127\.0\.0\.1:[0-9]+"));
static TIME: LazyLock<Regex> =
    LazyLock::new(|| regex(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?Z"));
/// What a text result says of numbers that differ in every run.
static TOOK: LazyLock<Regex> = LazyLock::new(|| regex("durationMs: [0-9]+"));
/// How long it took to answer, in words.
static AFTER: LazyLock<Regex> = LazyLock::new(|| regex(r", after [0-9.]+ (?:ms|s|min|h)\b"));
/// Ids that a model or a client made up, digests, and the rest of what looks like a key.
static MADE_UP: LazyLock<Regex> = LazyLock::new(|| regex(r"\b([a-z]+_)?[0-9a-f]{12,}\b"));

/// What says nothing of a session is replaced by this.
const ELIDED: &str = "…";
/// Of the server's results. What the server has is tested elsewhere.
const LISTS: [&str; 6] = [
    "tools",
    "prompts",
    "resources",
    "resourceTemplates",
    "instructions",
    "serverInfo",
];
/// Of anything: what a client knows of the folder that it is in.
const KNOWN_OF_FOLDER: &str = "workspaces";
const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
/// Numbers that differ in every run.
const MEASURED: [&str; 3] = ["durationMs", "turn_started_at_unix_ms", "size"];

/// What changes from run to run, under names that stay: `$ours1` is the first id that the server made,
/// `$theirs1` the client's first, `$state1` the first sealed state, `$request1` the first request of the
/// server, `$page` where the page is, `$home` the user's folder.
#[derive(Default)]
pub struct Tokens {
    home: String,
    user: String,
    /// From a token to what it stands for in this run.
    values: BTreeMap<String, String>,
    /// From the number of a request of the server, as JSON, to its token.
    requests: BTreeMap<String, String>,
    counts: BTreeMap<&'static str, usize>,
}

impl Tokens {
    /// For a run in this folder, by this user.
    pub fn new(home: &str, user: &str) -> Self {
        Self {
            home: home.to_owned(),
            user: user.to_owned(),
            ..Self::default()
        }
    }

    /// A message of the server, as it stands in a recording.
    pub fn of_server(&mut self, message: &Value) -> Value {
        let mut message = message.clone();
        if message["method"].is_string() && !message["id"].is_null() {
            let number = message["id"].to_string();
            let token = self.next("$request");
            self.requests.insert(number, token.clone());
            message["id"] = json!(token);
        }
        if let Some(params) = message.get_mut("params") {
            self.replace_request(params, "requestId");
        }
        if let Some(Value::Object(result)) = message.get_mut("result") {
            let elided = result
                .iter_mut()
                .filter(|(key, _)| LISTS.contains(&key.as_str()));
            elided.for_each(|(_, value)| *value = json!(ELIDED));
        }
        self.scrubbed(message, "$ours")
    }

    /// A message of the client, as it stands in a recording.
    pub fn of_client(&mut self, message: &Value) -> Value {
        let mut message = message.clone();
        if !message["method"].is_string() {
            self.replace_request(&mut message, "id");
        }
        self.scrubbed(message, "$theirs")
    }

    /// Anything else that was said in the course of a session, as it stands in a recording.
    pub fn of_other(&mut self, value: &Value) -> Value {
        self.scrubbed(value.clone(), "$ours")
    }

    /// A recorded value with what its tokens stand for in this run.
    pub fn restore(&mut self, recorded: &Value) -> Value {
        match recorded {
            Value::String(text) => {
                if let Some((number, _)) = self.requests.iter().find(|(_, token)| *token == text) {
                    return serde_json::from_str(number).expect("it was written from JSON");
                }
                json!(self.restore_text(text))
            }
            Value::Array(list) => list.iter().map(|value| self.restore(value)).collect(),
            Value::Object(object) => {
                let restored = object
                    .iter()
                    .map(|(key, value)| (key.clone(), self.restore(value)));
                Value::Object(restored.collect())
            }
            other => other.clone(),
        }
    }

    fn restore_text(&mut self, text: &str) -> String {
        let text = TOKEN.replace_all(text, |found: &Captures| {
            let token = &found[0];
            if let Some(value) = self.values.get(token) {
                return value.clone();
            }
            // An id that the client made: any will do, as long as it stays the same.
            let number: u64 = token
                .trim_start_matches(|letter: char| !letter.is_ascii_digit())
                .parse()
                .unwrap_or(0);
            let value = format!("00000000-0000-7000-8000-{number:012x}");
            self.values.insert(token.to_owned(), value.clone());
            value
        });
        text.replace("$home", &self.home)
    }

    fn replace_request(&self, holder: &mut Value, key: &str) {
        let number = holder.get(key).map(Value::to_string);
        if let Some(token) = number.and_then(|number| self.requests.get(&number)) {
            holder[key] = json!(token);
        }
    }

    fn scrubbed(&mut self, value: Value, born: &'static str) -> Value {
        match value {
            Value::String(text) => json!(self.scrubbed_text(&text, born)),
            Value::Array(list) => list
                .into_iter()
                .map(|value| self.scrubbed(value, born))
                .collect(),
            Value::Object(object) => Value::Object(self.scrubbed_object(object, born)),
            other => other,
        }
    }

    fn scrubbed_object(
        &mut self,
        object: Map<String, Value>,
        born: &'static str,
    ) -> Map<String, Value> {
        let one = |(key, value): (String, Value)| {
            let scrubbed = match (key.as_str(), &value) {
                (SERVER_INFO | KNOWN_OF_FOLDER, _) => json!(ELIDED),
                (number, Value::Number(_)) if MEASURED.contains(&number) => json!(0),
                ("requestState", Value::String(state)) => json!(self.token("$state", state)),
                ("answeredBy", Value::String(user)) if *user == self.user => json!("$user"),
                _ => self.scrubbed(value, born),
            };
            (self.scrubbed_text(&key, born), scrubbed)
        };
        object.into_iter().map(one).collect()
    }

    fn scrubbed_text(&mut self, text: &str, born: &'static str) -> String {
        let text = text.replace(&self.home, "$home");
        let text = text.replace(
            &format!("answeredBy: \"{}\"", self.user),
            "answeredBy: \"$user\"",
        );
        let text = text.replace(&format!("ed by {} ", self.user), "ed by $user ");
        let text = TOOK.replace_all(&text, "durationMs: 0");
        let text = AFTER.replace_all(&text, ", after a while");
        let text = PAGE.replace_all(&text, "$$page");
        let text = TIME.replace_all(&text, "$$time");
        let text = ID.replace_all(&text, |found: &Captures| self.token(born, &found[0]));
        MADE_UP.replace_all(&text, "${1}made-up").into_owned()
    }

    /// The token of a value, a new one where it has none.
    fn token(&mut self, kind: &'static str, value: &str) -> String {
        let known = self.values.iter().find(|(_, known)| *known == value);
        if let Some((token, _)) = known {
            return token.clone();
        }
        let token = self.next(kind);
        self.values.insert(token.clone(), value.to_owned());
        token
    }

    fn next(&mut self, kind: &'static str) -> String {
        let count = self.counts.entry(kind).or_default();
        *count += 1;
        format!("{kind}{count}")
    }
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern of this file")
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASK: &str = "01a1e784-24e8-712e-96b9-71503f05f96a";
    const SESSION: &str = "01a1e783-eb29-74b3-afc1-6e69fa2b1d4d";

    #[test]
    fn what_changes_from_run_to_run_has_names_that_stay() {
        let mut tokens = Tokens::new("/tmp/a-home", "ann");
        let question = json!({
            "id": 7, "method": "elicitation/create",
            "params": { "url": format!("http://127.0.0.1:4653/ask/{ASK}"), "at": "2026-11-17T03:19:04.906200Z" },
        });
        let named = json!({
            "id": "$request1", "method": "elicitation/create",
            "params": { "url": "$page/ask/$ours1", "at": "$time" },
        });
        assert_eq!(tokens.of_server(&question), named);
        let reply = json!({ "id": 7, "result": { "ask": ASK, "session": SESSION, "root": "file:///tmp/a-home/work" } });
        let named = json!({ "id": "$request1", "result": { "ask": "$ours1", "session": "$theirs1", "root": "file://$home/work" } });
        assert_eq!(tokens.of_client(&reply), named);

        let mut other = Tokens::new("/tmp/another", "ben");
        let (id, ask) = (json!(3), "01a1e790-3068-7341-b54a-2206db1a9ed6");
        other.of_server(
            &json!({ "id": id, "method": "elicitation/create", "params": { "url": ask } }),
        );
        let restored = other.restore(&named);
        assert_eq!(restored["id"], id);
        assert_eq!(restored["result"]["ask"], ask);
        assert_eq!(restored["result"]["root"], "file:///tmp/another/work");
        let session = restored["result"]["session"].clone();
        assert_eq!(other.restore(&json!("$theirs1")), session);
    }

    #[test]
    fn what_says_nothing_or_is_one_machines_is_left_out() {
        let mut tokens = Tokens::new("/tmp/a-home", "ann");
        let result = json!({ "result": {
            "tools": [{ "name": "elicit_confirm" }],
            "requestState": "rs1.abc",
            "structuredContent": { "durationMs": 812, "answeredBy": "ann", "digest": "0123456789abcdef" },
        } });
        let named = json!({ "result": {
            "tools": "…",
            "requestState": "$state1",
            "structuredContent": { "durationMs": 0, "answeredBy": "$user", "digest": "made-up" },
        } });
        assert_eq!(tokens.of_server(&result), named);
        let text = "answeredBy: \"ann\"; durationMs: 80. Declined by ann on the page, after 1 s.";
        let named =
            "answeredBy: \"$user\"; durationMs: 0. Declined by $user on the page, after a while.";
        assert_eq!(tokens.of_other(&json!(text)), named);
        let retry = json!({ "method": "tools/call", "params": { "requestState": "rs1.abc", "_meta": { "id": "toolu_e782ffb6a88e43ac" } } });
        let named = json!({ "method": "tools/call", "params": { "requestState": "$state1", "_meta": { "id": "toolu_made-up" } } });
        assert_eq!(tokens.of_client(&retry), named);
        assert_eq!(tokens.restore(&named)["params"]["requestState"], "rs1.abc");
    }
}
