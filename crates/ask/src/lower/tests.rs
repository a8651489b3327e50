//! Forms on the wire, and answers from it.

mod asks;
mod fields;
mod replies;
mod untouched;

use crate::{
    ClientProfile, Field, Form, Kind, Revision,
    field::{Choices, Pick},
};
use serde_json::Value;

const OLD: Revision = Revision::V2025_06_18;
const NEW: Revision = Revision::V2025_11_25;

/// Checks the properties that a field called `it` becomes.
fn check(client: &str, revision: Revision, field: Field, properties: Value) {
    check_form(client, revision, Form::new().field(field), properties);
}

/// Checks the properties that a form becomes.
fn check_form(client: &str, revision: Revision, form: Form, properties: Value) {
    let lowered = form
        .lower(&ClientProfile::for_client(client), revision)
        .unwrap();
    assert_eq!(lowered.schema()["type"], "object");
    // As text, since order counts.
    let got = lowered.schema()["properties"].to_string();
    assert_eq!(got, properties.to_string(), "{client} {revision}");
}

/// Checks what the content of a reply is raised to, for a field called `it`.
fn check_raise(client: &str, revision: Revision, field: Field, content: Value, answer: Value) {
    check_raise_form(client, revision, Form::new().field(field), content, answer);
}

/// Checks what the content of a reply is raised to.
fn check_raise_form(client: &str, revision: Revision, form: Form, content: Value, answer: Value) {
    let lowered = form
        .lower(&ClientProfile::for_client(client), revision)
        .unwrap();
    let raised = lowered.raise(content.as_object().unwrap());
    assert_eq!(
        Value::Object(raised),
        answer,
        "{client} {revision} {content}"
    );
}

fn it(kind: Kind) -> Field {
    Field::new("it", kind)
}

fn keys() -> Vec<Pick> {
    vec![
        Pick::new("major").description("sounds glad").recommended(),
        Pick::new("minor").label("Minor\u{200b}"),
    ]
}

fn many(other: bool) -> Kind {
    Kind::Choices(Choices {
        options: keys(),
        other,
        min: Some(1),
        max: Some(2),
        default: None,
    })
}
