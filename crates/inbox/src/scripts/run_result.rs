//! How a run ended, as the page shows it.

use super::view::{ResultView, json_html, seen};
use holdpoint::{FlowResult, journal::CallRecord};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// What a script's tool says in its structured content.
#[derive(Default, Deserialize)]
struct Body {
    message: Option<String>,
    /// `null` is a result too.
    #[serde(default, deserialize_with = "there")]
    result: Option<Value>,
}

fn there<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(value).map(Some)
}

impl Body {
    fn parse(structured: Option<&Value>) -> Self {
        let body = structured.and_then(|body| Self::deserialize(body).ok());
        body.unwrap_or_default()
    }
}

/// The result of a call on record, where it has one that can be read.
pub(crate) fn recorded(call: &CallRecord) -> Option<FlowResult> {
    FlowResult::deserialize(call.result.as_ref()?).ok()
}

/// How it ended, in a word: that of an ask's outcome where one ended it, else `done` or `failed`.
pub(crate) fn outcome(result: Option<&FlowResult>) -> String {
    result.map_or_else(|| "failed".to_owned(), FlowResult::ended_as)
}

/// What the person is shown of it.
pub(crate) fn view(result: &FlowResult) -> ResultView {
    let text = |text: &str| ResultView {
        text: seen(text),
        value: None,
    };
    let tool = match result {
        FlowResult::Tool(tool) => tool,
        FlowResult::Error(error) => return text(&error.message),
        _ => return text(""),
    };
    // The text for the agent says what it does next; a person is shown what happened.
    let first = tool.content.first().and_then(|block| block.as_text());
    let first = first.map(|block| block.text.as_str());
    let body = Body::parse(tool.structured_content.as_ref());
    match &body.result {
        Some(value @ (Value::Object(_) | Value::Array(_))) => ResultView {
            text: String::new(),
            value: Some(json_html(value)),
        },
        Some(Value::Null) => text("Done."),
        Some(Value::String(value)) => text(value),
        Some(value) => text(&value.to_string()),
        None => text(body.message.as_deref().or(first).unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn how_it_ended_in_a_word() {
        let check = |result: Value, word: &str| {
            let read = FlowResult::deserialize(&result).ok();
            assert_eq!(outcome(read.as_ref()), word, "{result}");
        };
        let tool = |body: Value, is_error: bool| json!({ "tool": { "content": [], "structuredContent": body, "isError": is_error } });
        check(json!({ "tool": { "content": [] } }), "done");
        check(tool(json!({ "status": "accepted" }), false), "done");
        check(tool(json!({ "status": "declined" }), false), "declined");
        check(tool(json!({ "result": 1 }), true), "failed");
        check(json!({ "error": { "code": 1, "message": "no" } }), "failed");
        check(json!(null), "failed");
    }

    #[test]
    fn a_person_is_shown_what_happened() {
        let check = |result: Value, text: &str, value: bool| {
            let shown = view(&FlowResult::deserialize(&result).unwrap());
            assert_eq!((shown.text.as_str(), shown.value.is_some()), (text, value));
        };
        let content = json!([{ "type": "text", "text": "Done" }]);
        check(json!({ "tool": { "content": content } }), "Done", false);
        let body = json!({ "status": "declined", "message": "The person said no" });
        check(
            json!({ "tool": { "content": content, "structuredContent": body } }),
            "The person said no",
            false,
        );
        for (value, shown) in [
            (json!("It is\ndone"), "It is\ndone"),
            (json!(null), "Done."),
            (json!(3), "3"),
        ] {
            let body = json!({ "result": value });
            check(
                json!({ "tool": { "content": content, "structuredContent": body } }),
                shown,
                false,
            );
        }
        let object = json!({ "result": { "a": 1 } });
        check(
            json!({ "tool": { "content": content, "structuredContent": object } }),
            "",
            true,
        );
        check(
            json!({ "error": { "code": -32603, "message": "no\u{202e}" } }),
            "no⟨U+202E⟩",
            false,
        );
    }
}
