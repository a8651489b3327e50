//! The description of what programs use (OpenAPI 3.1). It needs no token and holds nothing of the record.

use axum::{
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use holdpoint::tool::input_schema;
use holdpoint_ask::form_arguments::FormArguments;
use serde_json::{Map, Value, json};

/// What it says besides what the code knows itself: the body of an ask, and the version.
const WRITTEN: &str = include_str!("openapi.json");

/// The description.
pub(crate) async fn read() -> Response {
    let kind = HeaderValue::from_static("application/json");
    ([(header::CONTENT_TYPE, kind)], description().to_string()).into_response()
}

fn description() -> Value {
    let mut description: Value = serde_json::from_str(WRITTEN).unwrap_or_default();
    description["info"]["version"] = env!("CARGO_PKG_VERSION").into();
    description["components"]["schemas"]["Question"] = Value::Object(question());
    description
}

/// The body of an ask: what it is read as.
fn question() -> Map<String, Value> {
    let mut question = input_schema::<FormArguments>();
    let about = "A question with its form: the arguments of the tool `elicit_form`. Either `fields` or `schema` is \
         given.";
    question.insert("description".to_owned(), json!(about));
    // Agents know these from other tools.
    for (name, about) in [
        (
            "details",
            "More to read first, as Markdown; 64 KiB at most, as the message",
        ),
        (
            "dangerous",
            "A yes to it cannot be taken back: its button is held, or its word typed, and the PIN given where one is set",
        ),
        (
            "timeoutSeconds",
            "How long it waits, from 5 to 86400; as long as the person's inbox keeps asks where it is left out",
        ),
    ] {
        question["properties"][name]["description"] = about.into();
    }
    question
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program_routes::ROUTES;
    use std::collections::BTreeSet;

    #[test]
    fn it_has_all_that_is_open_to_a_token_and_nothing_else() {
        let description = description();
        let paths = description["paths"].as_object().unwrap();
        let described: BTreeSet<_> = paths
            .iter()
            .flat_map(|(path, item)| {
                let methods = item.as_object().unwrap().keys();
                let methods = methods.filter(|method| *method != "parameters");
                methods.map(move |method| format!("{} {path}", method.to_uppercase()))
            })
            .collect();
        let open = ROUTES
            .iter()
            .map(|route| format!("{} {}", route.method, route.path));
        assert_eq!(described, open.collect());
        for route in &ROUTES {
            let operation = &paths[route.path][route.method.as_str().to_lowercase()];
            let said = operation["description"].as_str().unwrap();
            for may in route.may {
                let right = format!("--may {}", may.as_str());
                assert!(
                    said.contains(&right),
                    "{} {}: {said}",
                    route.method,
                    route.path
                );
            }
        }
    }
}
