//! A question with its form as agents and programs write it, in JSON: the arguments of `elicit_form`, and the body
//! of `POST /api/asks`.

mod field;
mod option;
mod schema;
mod secret_name;

pub use field::FieldArgument;
pub use option::{Names, PickArgument, picks};

use crate::{
    Ask, Form, Kind,
    given_arguments::{Misfit, parse_value, plain_words},
    limits::MAX_MESSAGE,
};
use field::Asker;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::time::Duration;

/// How long whoever asks may let a question wait, in seconds.
const SHORTEST: u64 = 5;
const LONGEST: u64 = 86_400;

/// What is wrong with a form that asks for nothing.
const NO_FIELD: &str = "expected at least one field; for a plain yes, one of the kind confirm";

/// A question with its form.
///
/// ```
/// use holdpoint_ask::form_arguments::FormArguments;
///
/// let ask = |json: serde_json::Value| -> Result<_, Box<dyn std::error::Error>> {
///     let arguments: FormArguments = serde_json::from_value(json)?;
///     Ok(arguments.into_ask()?)
/// };
/// let fields = serde_json::json!([{ "name": "ok", "kind": "confirm" }, { "name": "why", "kind": "text" }]);
/// let deploy = ask(serde_json::json!({ "message": "Deploy?", "fields": fields }))?;
/// assert_eq!(deploy.form.fields[0].title.as_deref(), Some("ok"));
/// let fields = serde_json::json!([{ "name": "apiKey", "kind": "text" }]);
/// let secret = ask(serde_json::json!({ "message": "Which?", "fields": fields }));
/// assert!(secret.unwrap_err().to_string().starts_with("The argument `fields[0].name`: secrets"));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FormArguments {
    /// Short Markdown
    message: String,
    /// Up to 20
    #[serde(default)]
    fields: Option<Vec<FieldArgument>>,
    /// In place of fields: MCP's requestedSchema; a boolean without default must be a yes
    #[serde(default)]
    schema: Option<Map<String, Value>>,
    #[serde(default)]
    details: Option<String>,
    #[serde(default)]
    dangerous: Option<bool>,
    #[serde(default)]
    timeout_seconds: Option<u64>,
}

impl FormArguments {
    /// What is asked.
    ///
    /// # Errors
    /// When there is no form, or what is wrong with it. Secrets are refused: what is filled in goes to whoever asks,
    /// and into the record.
    pub fn into_ask(self) -> Result<Ask, Misfit> {
        let mut form = match (self.fields, self.schema) {
            (Some(fields), None) => of_fields(fields, Asker::Program)?,
            (None, Some(schema)) => schema::form(schema)?,
            (None, None) => {
                let what = "is missing: a list of fields; or give a `schema` in its place";
                return Err(Misfit::new("fields", what));
            }
            (Some(_), Some(_)) => {
                let what = "is given together with `fields`: give only one of them";
                return Err(Misfit::new("schema", what));
            }
        };
        name_confirms(&mut form);
        let mut ask = Ask::new(self.message, form);
        ask.details = short_details(self.details)?;
        ask.dangerous = self.dangerous.unwrap_or(false);
        ask.timeout = timeout(self.timeout_seconds);
        Ok(ask)
    }
}

/// The form of fields that a person wrote for a script of theirs: written as an agent writes them, and of every kind,
/// secrets and links too.
///
/// ```
/// use holdpoint_ask::form_arguments::persons_form;
///
/// let form = persons_form(serde_json::json!([{ "name": "key", "kind": "secret" }])).unwrap();
/// assert_eq!(form.fields[0].name, "key");
/// let wrong = persons_form(serde_json::json!([{ "name": "n", "kind": "text", "maxLength": "9" }]));
/// let said = wrong.unwrap_err().to_string();
/// assert_eq!(said, "The argument `fields[0].maxLength`: expected a whole number from 0 up, not \"9\"");
/// ```
///
/// # Errors
/// What is wrong with them, in plain words; also where there is none.
pub fn persons_form(fields: Value) -> Result<Form, Misfit> {
    let in_words = |misfit: Misfit| Misfit {
        what: plain_words(&misfit.what),
        ..misfit
    };
    let fields = parse_value(fields, "fields").map_err(in_words)?;
    let mut form = of_fields(fields, Asker::Person).map_err(in_words)?;
    name_confirms(&mut form);
    Ok(form)
}

/// The details that an agent or a program gives. Long ones are for what Holdpoint itself reads: a file, a diff.
///
/// # Errors
/// When they are too long.
pub fn short_details(details: Option<String>) -> Result<Option<String>, Misfit> {
    match details.as_ref().map_or(0, String::len) {
        bytes if bytes > MAX_MESSAGE => {
            let what = format!("expected at most {MAX_MESSAGE} bytes, and there are {bytes}");
            Err(Misfit::new("details", what))
        }
        _ => Ok(details),
    }
}

/// The time that whoever asks wants a question to wait, within what it may have.
pub fn timeout(seconds: Option<u64>) -> Option<Duration> {
    seconds.map(|seconds| Duration::from_secs(seconds.clamp(SHORTEST, LONGEST)))
}

fn of_fields(fields: Vec<FieldArgument>, asker: Asker) -> Result<Form, Misfit> {
    let mut form = Form::new();
    for (place, given) in fields.into_iter().enumerate() {
        form = form.field(given.read(&format!("fields[{place}]"), asker)?);
    }
    if form.fields.is_empty() {
        return Err(Misfit::new("fields", NO_FIELD));
    }
    Ok(form)
}

/// Has a yes or no among other fields asked for by its own name. Without a title it would be shown under the
/// message, which says nothing of what the yes is to.
fn name_confirms(form: &mut Form) {
    if form.fields.len() < 2 {
        return;
    }
    for field in &mut form.fields {
        if matches!(field.kind, Kind::Confirm) && field.title.is_none() {
            field.title = Some(field.name.clone());
        }
    }
}
