//! The one strict reader before rmcp, on every transport.
//!
//! rmcp's types are read by serde, which takes a list for a struct, a map for an enum and the last of
//! two equal keys; rmcp itself takes a text for a numeric id. None of that may become a person's answer.
//! What is not a reply is passed on as a mark to the ask that it was sent for, and counts there as a
//! try; what is not a message is refused.

use super::outgoing::Outgoing;
use holdpoint_ask::{ElicitResult, NotAReply, strict_json::StrictValue};
use rmcp::model::RequestId;
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::{Map, Value, error::Category, json, value::RawValue};
use std::{collections::HashSet, fmt};

/// Marks a request whose connection is read by this reader. Over any other transport a client is not
/// asked: its replies would come through rmcp's types, which take more for a reply than is one.
/// It brings what goes out through the same transport.
#[derive(Debug, Clone)]
pub(crate) struct StrictlyRead(pub Outgoing);

/// What somebody has sent.
#[derive(Debug)]
pub(crate) enum Reading {
    /// A message in which nothing can be taken for something else. Where `marked`, a reply in it was
    /// none and a mark is in its place.
    Message { message: Value, marked: bool },
    /// JSON, but not a message.
    Refused(Refusal),
    /// Not JSON at all.
    NotJson,
}

/// Why a message was refused, and the request to tell.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub id: Option<RequestId>,
    pub why: &'static str,
}

/// Reads one message.
pub(crate) fn read(text: &[u8]) -> Reading {
    let entries = match serde_json::from_slice::<Entries<'_>>(text) {
        Ok(Entries(entries)) => entries,
        Err(error) => {
            return match error.classify() {
                Category::Data => refuse(None, "it is not an object"),
                Category::Io | Category::Syntax | Category::Eof => Reading::NotJson,
            };
        }
    };
    let all = |name: &str| {
        let named = entries.iter().filter(|(key, _)| key == name);
        named.map(|(_, value)| *value).collect::<Vec<_>>()
    };
    let id = match all("id").as_slice() {
        [] => None,
        [id] => Some(*id),
        _ => return refuse(None, "it names its id twice"),
    };
    let is_response =
        all("method").is_empty() && (has(&entries, "result") || has(&entries, "error"));
    // Ours are whole numbers: 3.0 and 3e0 are not how one of them is written.
    let is_plain = |id: &str| id.starts_with('"') || !id.contains(['.', 'e', 'E']);
    let id = id.map(RawValue::get).filter(|id| is_plain(id));
    let request_id = id.and_then(|id| serde_json::from_str::<RequestId>(id).ok());
    if !is_response {
        return request(&entries, request_id);
    }
    // The mark keeps the id of the question, so that it counts there.
    let (id, as_text) = match request_id {
        Some(RequestId::Number(id)) => (id, false),
        Some(RequestId::String(text)) => match text.parse() {
            Ok(id) => (id, true),
            Err(_) => return refuse(None, "it answers no question of this server"),
        },
        None if has(&entries, "result") => {
            return refuse(None, "it answers no question of this server");
        }
        // An error that answers nothing: the other side could not read a message.
        None => return request(&entries, None),
    };
    let why = if as_text {
        Some(NotAReply::IdAsText)
    } else {
        response_fault(&entries)
    };
    let mut message = Map::new();
    match why {
        None => {
            for (key, value) in &entries {
                // Read strictly just before.
                let value = serde_json::from_str(value.get()).unwrap_or(Value::Null);
                message.insert(key.clone(), value);
            }
        }
        Some(why) => {
            tracing::warn!(id, "a client's reply is not a reply: {why}");
            message.insert("jsonrpc".into(), "2.0".into());
            message.insert("id".into(), id.into());
            message.insert("result".into(), why.mark());
        }
    }
    Reading::Message {
        message: Value::Object(message),
        marked: why.is_some(),
    }
}

/// What is wrong with a response, if anything is.
fn response_fault(entries: &[(String, &RawValue)]) -> Option<NotAReply> {
    if names_twice(entries) {
        return Some(NotAReply::Twice);
    }
    if !is_version_2(entries) || (has(entries, "result") && has(entries, "error")) {
        return Some(NotAReply::NotAResponse);
    }
    for (key, value) in entries {
        let Ok(StrictValue(value)) = serde_json::from_str(value.get()) else {
            return Some(NotAReply::Twice);
        };
        match key.as_str() {
            "result" if !value.is_object() => return Some(NotAReply::NotAnObject),
            "result" if value.get("action").is_some() => {
                if let Err(why) = ElicitResult::read(value) {
                    return Some(why);
                }
            }
            "error" if !is_error(&value) => return Some(NotAReply::NotAResponse),
            _ => {}
        }
    }
    None
}

fn is_error(error: &Value) -> bool {
    error.is_object() && error["code"].is_i64() && error["message"].is_string()
}

/// A request or a notification: strict as a whole, but for the replies that a retry brings. Each of
/// those counts for itself.
fn request(entries: &[(String, &RawValue)], id: Option<RequestId>) -> Reading {
    if names_twice(entries) {
        return refuse(None, "it names a field twice");
    }
    if !is_version_2(entries) {
        return refuse(id, "it is not of JSON-RPC 2.0");
    }
    let (mut message, mut marked) = (Map::new(), false);
    for (key, value) in entries {
        let value = if key == "params" {
            match params(value) {
                Ok((params, replaced)) => {
                    marked = replaced;
                    Value::Object(params)
                }
                Err(why) => return refuse(id, why),
            }
        } else {
            match serde_json::from_str(value.get()) {
                Ok(StrictValue(value)) => value,
                Err(_) => return refuse(id, "it names a field twice"),
            }
        };
        message.insert(key.clone(), value);
    }
    Reading::Message {
        message: Value::Object(message),
        marked,
    }
}

/// The parameters of a request, and whether a reply in them was none.
fn params(text: &RawValue) -> Result<(Map<String, Value>, bool), &'static str> {
    if text.get() == "null" {
        return Ok((Map::new(), false));
    }
    let Ok(Entries(entries)) = serde_json::from_str::<Entries<'_>>(text.get()) else {
        return Err("its params are not an object");
    };
    if names_twice(&entries) {
        return Err("its params name a field twice");
    }
    let (mut params, mut marked) = (Map::new(), false);
    for (key, value) in entries {
        let value = if key == "inputResponses" && value.get() != "null" {
            let (responses, replaced) = input_responses(value)?;
            marked = replaced;
            Value::Object(responses)
        } else {
            match serde_json::from_str(value.get()) {
                Ok(StrictValue(value)) => value,
                Err(_) => return Err("its params name a field twice"),
            }
        };
        params.insert(key, value);
    }
    Ok((params, marked))
}

/// A retry's replies, each under its key. One that comes twice, or says something twice, is none.
fn input_responses(text: &RawValue) -> Result<(Map<String, Value>, bool), &'static str> {
    let Ok(Entries(entries)) = serde_json::from_str::<Entries<'_>>(text.get()) else {
        return Err("its inputResponses are not an object");
    };
    let (mut responses, mut marked) = (Map::new(), false);
    for (key, value) in entries {
        let response = match serde_json::from_str(value.get()) {
            Ok(StrictValue(value)) if !responses.contains_key(&key) => value,
            _ => {
                tracing::warn!(key, "a client's reply names something twice");
                marked = true;
                NotAReply::Twice.mark()
            }
        };
        responses.insert(key, response);
    }
    Ok((responses, marked))
}

fn refuse(id: Option<RequestId>, why: &'static str) -> Reading {
    Reading::Refused(Refusal { id, why })
}

fn has(entries: &[(String, &RawValue)], name: &str) -> bool {
    entries.iter().any(|(key, _)| key == name)
}

fn names_twice(entries: &[(String, &RawValue)]) -> bool {
    let mut seen = HashSet::new();
    !entries.iter().all(|(key, _)| seen.insert(key))
}

fn is_version_2(entries: &[(String, &RawValue)]) -> bool {
    let mut versions = entries.iter().filter(|(key, _)| key == "jsonrpc");
    versions
        .next()
        .is_some_and(|(_, version)| version.get() == r#""2.0""#)
}

impl Refusal {
    /// What the sender is told.
    pub fn message(&self) -> String {
        format!(
            "This is not a valid message: {}. Nothing was taken from it.",
            self.why
        )
    }

    /// The JSON-RPC error.
    pub fn to_json(&self) -> Value {
        json!({
            "jsonrpc": "2.0",
            "id": self.id,
            "error": { "code": -32600, "message": self.message() },
        })
    }
}

/// The entries of an object in their order, with every key as often as it comes.
struct Entries<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Entries<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Each;

        impl<'de> Visitor<'de> for Each {
            type Value = Entries<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries<'de>, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }

        from.deserialize_map(Each)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> (Value, bool) {
        match read(text.as_bytes()) {
            Reading::Message { message, marked } => (message, marked),
            other => panic!("{text}: {other:?}"),
        }
    }

    fn result_of(text: &str) -> Value {
        let (message, _) = message(text);
        message["result"].clone()
    }

    /// Every one of these was once an answer, or could be.
    const NO_REPLIES: [&str; 14] = [
        r#"{"jsonrpc":"2.0","id":1,"result":["accept",{"go":true},null]}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"action":{"accept":null}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"action":{"accept":null},"content":{"go":true}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"action":"decline","action":"accept","content":{"go":true}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"go":false,"go":true}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"go":{"a":1,"a":2}}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"action":"decline"},"result":{"action":"accept"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"action":"accept"},"error":{"code":1,"message":""}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":null}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":"accept"}"#,
        r#"{"jsonrpc":"2.0","id":"1","result":{"action":"accept","content":{"go":true}}}"#,
        r#"{"jsonrpc":"1.0","id":1,"result":{"action":"accept","content":{"go":true}}}"#,
        r#"{"id":1,"result":{"action":"accept","content":{"go":true}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":[["go",true]]}}"#,
    ];

    #[test]
    fn what_is_no_reply_becomes_a_mark_for_its_question() {
        for text in NO_REPLIES {
            let (message, marked) = message(text);
            assert!(marked, "{text}");
            assert_eq!(message["id"], 1, "{text}");
            assert!(
                ElicitResult::read(message["result"].clone()).is_err(),
                "{text}"
            );
            assert_eq!(message.as_object().unwrap().len(), 3, "{text}: {message}");
        }
    }

    #[test]
    fn a_reply_and_other_results_pass_as_they_are() {
        for result in [
            json!({ "action": "accept", "content": { "go": true }, "_meta": {} }),
            json!({ "action": "decline" }),
            json!({}),
            json!({ "roots": [{ "uri": "file:///a" }] }),
            json!({ "role": "assistant", "model": "m", "content": { "type": "text", "text": "a" } }),
        ] {
            let text = json!({ "jsonrpc": "2.0", "id": 7, "result": result }).to_string();
            assert_eq!(result_of(&text), result);
            assert!(!message(&text).1);
        }
        let error = r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no"}}"#;
        assert_eq!(message(error).0["error"]["code"], -32601);
    }

    #[test]
    fn a_retrys_replies_count_each_for_itself() {
        let text = r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a","inputResponses":{
            "0001":{"action":"decline"},"0001":{"action":"accept","content":{"go":true}},
            "0002":{"action":"accept","content":{"go":false,"go":true}},
            "0003":{"action":"accept","content":{"go":true}}}}}"#;
        let (message, marked) = message(text);
        let responses = &message["params"]["inputResponses"];
        assert!(marked);
        let read = |key: &str| ElicitResult::read(responses[key].clone());
        assert_eq!(read("0001"), Err(NotAReply::Twice));
        assert_eq!(read("0002"), Err(NotAReply::Twice));
        assert!(read("0003").is_ok());
    }

    #[test]
    fn what_is_no_message_is_refused() {
        for (text, id) in [
            ("[]", None),
            (r#"["2.0",1,{"action":"accept"}]"#, None),
            (
                r#"[{"jsonrpc":"2.0","id":1,"result":{"action":"accept"}}]"#,
                None,
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"id":2,"result":{"action":"accept"}}"#,
                None,
            ),
            (r#"{"jsonrpc":"2.0","result":{"action":"accept"}}"#, None),
            (
                r#"{"jsonrpc":"2.0","id":null,"result":{"action":"accept"}}"#,
                None,
            ),
            (
                r#"{"jsonrpc":"2.0","id":"a","result":{"action":"accept"}}"#,
                None,
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}"#,
                None,
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":["ask",{}]}"#,
                Some(1),
            ),
            (
                r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a","arguments":{"x":1,"x":2}}}"#,
                Some(2),
            ),
            (
                r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a","name":"b"}}"#,
                Some(3),
            ),
            (
                r#"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"a","inputResponses":[]}}"#,
                Some(4),
            ),
        ] {
            match read(text.as_bytes()) {
                Reading::Refused(refusal) => {
                    assert_eq!(refusal.id, id.map(RequestId::Number), "{text}");
                }
                other => panic!("{text}: {other:?}"),
            }
        }
        for text in ["", "{", "no", "{}{}", r#"{"a":1,}"#] {
            assert!(matches!(read(text.as_bytes()), Reading::NotJson), "{text}");
        }
    }

    #[test]
    fn a_reply_that_is_nested_too_deeply_is_none() {
        let deep = format!("{}1{}", "[".repeat(500), "]".repeat(500));
        let text = format!(
            r#"{{"jsonrpc":"2.0","id":1,"result":{{"action":"accept","content":{{"go":{deep}}}}}}}"#
        );
        assert!(message(&text).1);
    }
}
