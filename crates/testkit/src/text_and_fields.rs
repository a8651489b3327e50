//! What an agent learns from the text of a tool's result alone.

use serde_json::{Map, Value};

/// Reads the fields that the text of a result says, and checks that they are the structured ones:
/// several clients give their model nothing but the text.
///
/// # Panics
/// When the text says something else, or `proceed: true` anywhere but at its beginning.
pub fn check_text_says_fields(result: &Value) {
    let text = result["content"][0]["text"]
        .as_str()
        .unwrap_or_else(|| panic!("no text in {result}"));
    let body = result["structuredContent"].as_object();
    let body = body.unwrap_or_else(|| panic!("no fields in {result}"));
    let mut told = body.clone();
    // Comments have a text of their own, which people can read too.
    if let Some(Value::Array(comments)) = told.remove("comments") {
        let text = result["content"][1]["text"].as_str().unwrap_or_default();
        for comment in comments {
            let said = comment["text"].as_str().unwrap_or_default();
            assert!(
                text.contains(&said.replace('\n', "\n  ")),
                "{said} is not in {text}"
            );
        }
    }
    assert_eq!(fields(text), told, "{text}");
    let yes = body.get("proceed") == Some(&Value::Bool(true));
    assert_eq!(text.starts_with("proceed: true"), yes, "{text}");
    assert_eq!(
        text.matches("proceed: true").count(),
        usize::from(yes),
        "{text}"
    );
    let lines = text.lines().count();
    assert!((1..=2).contains(&lines), "{lines} lines: {text}");
}

/// The fields in a text like `proceed: false; nextStep: "Stop."`.
fn fields(text: &str) -> Map<String, Value> {
    let mut fields = Map::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (name, after) = rest
            .split_once(": ")
            .unwrap_or_else(|| panic!("no field at {rest:?}"));
        // A value may have in it what separates two fields.
        let ends = [("; ", 2), ("\n", 1)];
        let ends = ends.iter().flat_map(|(mark, size)| {
            let found = after.match_indices(mark);
            found.map(move |(at, _)| (at, at + size))
        });
        let mut ends: Vec<_> = ends.chain([(after.len(), after.len())]).collect();
        ends.sort_unstable();
        let read = ends.into_iter().find_map(|(end, next)| {
            let value: Value = serde_json::from_str(&after[..end]).ok()?;
            Some((value, &after[next..]))
        });
        let (value, next) = read.unwrap_or_else(|| panic!("{name} is not JSON in {text}"));
        fields.insert(name.to_owned(), value);
        rest = next;
    }
    fields
}
