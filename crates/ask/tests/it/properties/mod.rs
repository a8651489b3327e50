//! What holds for every form, every client and every protocol version.

mod client;
mod forms;
mod mcp;

use client::{Habits, fill_in};
use forms::{Asked, asked};
use holdpoint_ask::{
    Answer, ClientProfile, Field, FieldError, Form, Kind, Lowered, NoForm, Revision,
    profile::{MultiSelect, Numbers, Shows, Titles},
    visible::is_visible,
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn profiles() -> Vec<ClientProfile> {
    let names = [
        "unknown",
        "Visual Studio Code",
        "claude-code",
        "codex-mcp-client",
        "cursor-vscode",
        "opencode",
        "claude-ai",
    ];
    let mut profiles: Vec<_> = names
        .map(|name| ClientProfile::for_client(name, None))
        .into();
    profiles.push(ClientProfile::typescript_sdk());
    for titles in [Titles::OneOf, Titles::EnumNames] {
        for multi_select in [MultiSelect::Native, MultiSelect::Booleans] {
            for numbers in [Numbers::Native, Numbers::Text] {
                profiles.push(ClientProfile {
                    titles,
                    multi_select,
                    numbers,
                    ..ClientProfile::default()
                });
            }
        }
    }
    profiles
}

/// Every way in which the form goes to a client; a client of booleans gets no other form.
fn lowerings(form: &Form) -> Vec<(ClientProfile, Revision, Lowered)> {
    let mut all = Vec::new();
    for profile in profiles() {
        for revision in Revision::ALL {
            match form.lower(&profile, revision) {
                Ok(lowered) => all.push((profile.clone(), revision, lowered)),
                Err(NoForm::NotShown { .. }) => assert_eq!(profile.shows, Shows::Booleans),
                Err(other) => panic!("{other}"),
            }
        }
    }
    all
}

fn broken_fields(checked: Result<Answer, Vec<FieldError>>) -> Vec<String> {
    let errors = checked.err().unwrap_or_default();
    errors.into_iter().map(|error| error.field).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_answer_comes_back_as_it_was(Asked { form, answer } in asked(), habits in Habits::any()) {
        prop_assert_eq!(form.check(), Ok(()));
        prop_assert_eq!(form.validate(&answer), Ok(answer.clone()), "the answer is valid by itself");
        for (profile, revision, lowered) in lowerings(&form) {
            let content = fill_in(&form, lowered.schema(), &answer, &Habits::good());
            prop_assert!(client::admits(lowered.schema(), &content), "{:?} {:?}", lowered, content);
            let content = fill_in(&form, lowered.schema(), &answer, &habits);
            let back = form.validate(&lowered.raise(&content));
            prop_assert_eq!(back, Ok(answer.clone()), "{} {:?} {:?}", revision, profile, content);
        }
    }

    #[test]
    fn a_broken_field_is_named(
        Asked { form, answer } in asked(),
        at in any::<prop::sample::Index>(),
        habits in Habits::any(),
    ) {
        let field = &form.fields[at.index(form.fields.len())];
        for value in forms::broken(field) {
            let mut broken = answer.clone();
            broken.insert(field.name.clone(), value.clone());
            prop_assert_eq!(broken_fields(form.validate(&broken)), vec![field.name.clone()], "{}", value);
        }
        for (_, _, lowered) in lowerings(&form) {
            let content = fill_in(&form, lowered.schema(), &answer, &habits);
            let key = client::first_key(&form, lowered.schema(), &field.name);
            for value in [json!({}), json!([[]]), json!({"it": true})] {
                let mut broken = content.clone();
                broken.insert(key.clone(), value);
                let named = broken_fields(form.validate(&lowered.raise(&broken)));
                prop_assert_eq!(named, vec![field.name.clone()], "{:?}", broken);
            }
            let mut stranger = content.clone();
            stranger.insert("nobody asked".into(), json!(true));
            let named = broken_fields(form.validate(&lowered.raise(&stranger)));
            prop_assert_eq!(named, vec!["nobody asked".to_owned()]);
        }
    }

    #[test]
    fn an_empty_accept_names_all_that_is_required(Asked { form, .. } in asked()) {
        let required = |field: &&Field| field.required;
        let names: Vec<_> = form.fields.iter().filter(required).map(|field| field.name.clone()).collect();
        for (_, _, lowered) in lowerings(&form) {
            let named = broken_fields(form.validate(&lowered.raise(&Map::new())));
            prop_assert_eq!(&named, &names);
        }
    }

    #[test]
    fn the_schema_is_what_its_version_allows(Asked { form, .. } in asked()) {
        for (profile, revision, lowered) in lowerings(&form) {
            let schema = Value::Object(lowered.schema().clone());
            if let Err(fault) = mcp::conforms(&schema, revision) {
                prop_assert!(false, "{} in {} for {:?}", fault, schema, profile);
            }
            let types = mcp::types(&schema);
            if profile.numbers == Numbers::Text {
                prop_assert!(!types.contains("number") && !types.contains("integer"), "{}", schema);
            }
            if profile.multi_select == MultiSelect::Booleans {
                prop_assert!(!types.contains("array"), "{}", schema);
            }
            mcp::texts(&schema, &mut |text| assert!(is_visible(text), "{text:?}"));
            let read = Form::from_requested_schema(&schema);
            prop_assert!(read.is_ok(), "{} {:?}", schema, read);
        }
    }

    #[test]
    fn defaults_decide_nothing(Asked { form, .. } in asked()) {
        let deciding: Vec<_> = form
            .fields
            .iter()
            .filter(|field| field.decides() && field.required)
            .map(|field| field.name.clone())
            .collect();
        for (_, _, lowered) in lowerings(&form) {
            let schema = lowered.schema();
            for (field, properties) in client::by_field(&form, schema) {
                let filled = properties.iter().any(|(_, property)| property.get("default").is_some());
                prop_assert!(!(field.decides() && filled), "{:?}", properties);
            }
            // What a client sends that fills in every default and accepts.
            let defaults = schema["properties"].as_object().unwrap().iter();
            let content = defaults
                .filter_map(|(key, property)| Some((key.clone(), property.get("default")?.clone())))
                .collect();
            let named = broken_fields(form.validate(&lowered.raise(&content)));
            prop_assert!(deciding.iter().all(|name| named.contains(name)), "{:?} {:?}", named, deciding);
        }
    }

    #[test]
    fn only_a_real_true_is_a_yes(
        Asked { form, .. } in asked(),
        values in prop::collection::vec(forms::anything(), 1..8),
    ) {
        for (_, _, lowered) in lowerings(&form) {
            let keys = lowered.schema()["properties"].as_object().unwrap().keys();
            let content: Map<_, _> = keys.cloned().zip(values.iter().cloned().cycle()).collect();
            let raised = lowered.raise(&content);
            for field in &form.fields {
                // Each field by itself: the others may be as broken as they like.
                let alone = Form::new().field(field.clone());
                let given = raised.get(&field.name).cloned().unwrap_or(Value::Null);
                let answer = Map::from_iter([(field.name.clone(), given)]);
                let Ok(valid) = alone.validate(&answer) else { continue };
                if field.kind == Kind::Confirm {
                    prop_assert_eq!(
                        valid.get(&field.name) == Some(&json!(true)),
                        content[&field.name] == json!(true)
                    );
                }
            }
        }
    }
}

#[test]
fn a_form_of_decisions_cannot_be_accepted_by_defaults() {
    let form = Form::confirm().field(Form::choice(["approve", "cancel"]).fields.remove(0));
    for (profile, revision, lowered) in lowerings(&form) {
        let text = Value::Object(lowered.schema().clone()).to_string();
        assert!(
            !text.contains("\"default\""),
            "{revision} {profile:?} {text}"
        );
    }
}
