//! The reference of the HTTP API, made from the description that the page serves at `/api/openapi.json`.

use super::schema_table::{cell, table, type_of};
use serde_json::Value;
use std::{fmt::Write, fs, path::Path};

/// The page.
pub fn page() -> String {
    let description = description();
    let mut page = INTRODUCTION.to_owned();
    let about = description["info"]["description"].as_str().unwrap();
    let _ = write!(page, "\n{about}\n");
    for (path, item) in description["paths"].as_object().unwrap() {
        let operations = item.as_object().unwrap();
        for (method, operation) in operations.iter().filter(|(key, _)| *key != "parameters") {
            add_operation(&mut page, &description, (method, path), operation, item);
        }
    }
    page.push_str("\n## What goes to and fro\n");
    for (name, schema) in description["components"]["schemas"].as_object().unwrap() {
        add_schema(&mut page, name, schema);
    }
    page
}

/// The part of the description that is written by hand; the rest is the schema of a question, which is the
/// one of `elicit_form`.
fn description() -> Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../inbox/src/api/openapi.json");
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

fn add_operation(
    page: &mut String,
    whole: &Value,
    (method, path): (&str, &str),
    operation: &Value,
    item: &Value,
) {
    let text = |key: &str| operation[key].as_str().unwrap_or_default();
    let method = method.to_uppercase();
    let _ = write!(
        page,
        "\n## `{method} {path}`\n\n{}. {}\n",
        text("summary"),
        text("description")
    );
    let parameters = [&item["parameters"], &operation["parameters"]];
    let parameters = parameters.into_iter().filter_map(Value::as_array).flatten();
    let parameters: Vec<_> = parameters
        .map(|parameter| resolved(whole, parameter))
        .collect();
    if !parameters.is_empty() {
        page.push_str("\n| parameter | in | is | |\n|---|---|---|---|\n");
    }
    for parameter in parameters {
        let text = |key: &str| parameter[key].as_str().unwrap_or_default();
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | {} |",
            text("name"),
            text("in"),
            type_of(&parameter["schema"]),
            cell(text("description"))
        );
    }
    if let Some(body) = content(&operation["requestBody"]) {
        let _ = write!(page, "\nThe body is JSON: {}.\n", type_of(body));
    }
    page.push_str("\n| answer | | body |\n|---|---|---|\n");
    let mut answers: Vec<(String, String)> = Vec::new();
    for (status, response) in operation["responses"].as_object().unwrap() {
        let response = resolved(whole, response);
        let body = content(response).map(type_of).unwrap_or_default();
        let about = cell(response["description"].as_str().unwrap_or_default());
        let row = format!("{about} | {body}");
        match answers.last_mut() {
            // Whatever was refused is told in one form.
            Some((statuses, same)) if *same == row => {
                let _ = write!(statuses, ", {status}");
            }
            _ => answers.push((status.clone(), row)),
        }
    }
    for (statuses, row) in answers {
        let _ = writeln!(page, "| {statuses} | {row} |");
    }
}

fn add_schema(page: &mut String, name: &str, schema: &Value) {
    let _ = write!(page, "\n### {name}\n\n");
    if name == "Question" {
        page.push_str(QUESTION);
        return;
    }
    if let Some(about) = schema["description"].as_str() {
        let _ = write!(page, "{about}\n\n");
    }
    match table(schema, &[]) {
        fields if fields.is_empty() => {
            let _ = writeln!(page, "{}", type_of(schema));
        }
        fields => page.push_str(&fields),
    }
}

/// The schema of a body.
fn content(holder: &Value) -> Option<&Value> {
    let kinds = holder["content"].as_object()?;
    kinds.values().next().map(|kind| &kind["schema"])
}

/// What a reference leads to, or the value itself.
fn resolved<'a>(whole: &'a Value, value: &'a Value) -> &'a Value {
    match value["$ref"].as_str() {
        Some(named) => whole.pointer(&named[1..]).unwrap(),
        None => value,
    }
}

const INTRODUCTION: &str = "\
<!-- Made from crates/inbox/src/api/openapi.json by a test; do not edit. -->
# The HTTP API

What programs use, at the address of the inbox page. [Programs that ask](../programs.md) tells how, with examples; this \
is every request, made from the description that the page itself serves at `/api/openapi.json` (OpenAPI 3.1, without a \
token). Every request has `Authorization: Bearer TOKEN`. The page has further addresses for its own browser; they are no \
interface and change without notice.
";

const QUESTION: &str = "\
A question with its form: the arguments of the tool [`elicit_form`](tools.md#elicit_form). Either `fields` or `schema` \
is given; message and details have 64 KiB each at most.
";
