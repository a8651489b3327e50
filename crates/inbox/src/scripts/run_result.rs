//! What a run ended with, as it is recorded: a tool's result, or an error.

use super::{
    Artifact, ArtifactKind,
    view::{ResultView, json_html, seen},
};
use serde_json::Value;

/// How it ended, in a word: that of an ask's outcome where one ended it, else `done` or `failed`.
pub(crate) fn outcome(result: &Value) -> String {
    let tool = &result["tool"];
    let failed = !tool.is_object() || tool["isError"] == true;
    match tool["structuredContent"]["status"].as_str() {
        Some("accepted") | None => if failed { "failed" } else { "done" }.to_owned(),
        Some(status) => seen(status),
    }
}

/// What the person is shown of it.
pub(crate) fn view(result: &Value) -> ResultView {
    if let Some(message) = result["error"]["message"].as_str() {
        return ResultView {
            text: seen(message),
            value: None,
        };
    }
    let tool = &result["tool"];
    let told = &tool["structuredContent"];
    // The words for the agent say what it does next; a person is told what happened.
    let first = tool["content"].as_array().and_then(|blocks| blocks.first());
    let first = first.and_then(|block| block["text"].as_str());
    let text = told["message"].as_str().or(first).unwrap_or_default();
    match told.get("result") {
        Some(value @ (Value::Object(_) | Value::Array(_))) => ResultView {
            text: String::new(),
            value: Some(json_html(value)),
        },
        _ => ResultView {
            text: seen(text),
            value: None,
        },
    }
}

/// What it made, where the result carries it.
pub(crate) fn artifacts(result: &Value) -> Vec<Artifact> {
    let blocks = result["tool"]["content"].as_array();
    let mut made: Vec<Artifact> = blocks.into_iter().flatten().filter_map(artifact).collect();
    let listed = result["tool"]["structuredContent"]["artifacts"].as_array();
    for (artifact, listed) in made.iter_mut().zip(listed.into_iter().flatten()) {
        if let Some(title) = listed["title"].as_str() {
            artifact.title = Some(title.to_owned());
        }
        if listed["type"] == "code" {
            artifact.kind = ArtifactKind::Code;
        }
    }
    made
}

fn artifact(block: &Value) -> Option<Artifact> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let (part, content) = match block["type"].as_str()? {
        "image" => (block, text(&block["data"])?),
        "resource" => {
            let part = &block["resource"];
            (part, text(&part["text"]).or_else(|| text(&part["blob"]))?)
        }
        _ => return None,
    };
    let mime = text(&part["mimeType"]);
    let kind = match mime.as_deref() {
        Some("text/markdown") => ArtifactKind::Markdown,
        Some("application/json") => ArtifactKind::Json,
        Some(mime) if mime.starts_with("image/") => ArtifactKind::Image,
        Some("text/plain") | None => ArtifactKind::Text,
        Some(_) => ArtifactKind::Code,
    };
    Some(Artifact {
        kind,
        title: text(&part["uri"]),
        content,
        language: None,
        mime,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn how_it_ended_in_a_word() {
        let check = |result: Value, word: &str| assert_eq!(outcome(&result), word, "{result}");
        check(json!({ "tool": { "content": [] } }), "done");
        check(
            json!({ "tool": { "structuredContent": { "status": "accepted" } } }),
            "done",
        );
        check(
            json!({ "tool": { "structuredContent": { "status": "declined" } } }),
            "declined",
        );
        check(
            json!({ "tool": { "isError": true, "structuredContent": { "result": 1 } } }),
            "failed",
        );
        check(json!({ "error": { "message": "no" } }), "failed");
        check(json!(null), "failed");
    }

    #[test]
    fn what_it_made_is_found_in_the_result() {
        let result = json!({ "tool": { "content": [
            { "type": "text", "text": "Done" },
            { "type": "resource", "resource": { "uri": "a", "mimeType": "text/markdown", "text": "# Hi" } },
            { "type": "image", "mimeType": "image/png", "data": "AAEC" },
        ], "structuredContent": { "result": "Done", "artifacts": [{ "title": "Notes", "type": "markdown" }] } } });
        let made = artifacts(&result);
        assert_eq!(made.len(), 2);
        assert_eq!(made[0].kind, ArtifactKind::Markdown);
        assert_eq!(made[0].title.as_deref(), Some("Notes"));
        assert_eq!(made[1].kind, ArtifactKind::Image);
        assert_eq!(view(&result).text, "Done");
    }
}
