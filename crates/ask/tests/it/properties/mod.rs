//! What holds for every form, every client and every protocol version.

mod client;
mod forms;
mod mcp;

use client::{Habits, Shown};
use forms::{Asked, asked};
use holdpoint_ask::{
    Answer, Ask, ClientProfile, Field, FieldError, Form, Kind, NoForm, Revision, known_clients,
    profile::{MultiSelect, Numbers, Titles},
    visible::is_visible,
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

/// The known clients.
static KNOWN: LazyLock<Vec<ClientProfile>> = LazyLock::new(|| {
    let mut known = vec![ClientProfile::for_client("unknown")];
    for client in known_clients() {
        if !known.iter().any(|one| lowers_alike(one, &client.profile)) {
            known.push(client.profile.clone());
        }
    }
    known
});

/// Every way in which a client can differ in its forms.
static POSSIBLE: LazyLock<Vec<ClientProfile>> = LazyLock::new(|| {
    let mut possible = vec![ClientProfile::default()];
    let mut vary = |keys: &[fn(&mut ClientProfile)]| {
        let others: Vec<_> = possible
            .iter()
            .flat_map(|profile| {
                keys.iter().map(|change| {
                    let mut profile = profile.clone();
                    change(&mut profile);
                    profile
                })
            })
            .collect();
        possible.extend(others);
    };
    vary(&[
        |client| client.titles = Titles::EnumNames,
        |client| client.titles = Titles::Values,
    ]);
    vary(&[|client| client.multi_select = MultiSelect::Booleans]);
    vary(&[|client| client.numbers = Numbers::Text]);
    vary(&[|client| client.preselects_first = false]);
    vary(&[|client| client.sorts_fields = true]);
    vary(&[|client| client.optional_text = false]);
    possible
});

/// All known clients, and a few of those that could be.
fn clients() -> impl Strategy<Value = Vec<ClientProfile>> {
    prop::sample::subsequence(POSSIBLE.clone(), 6).prop_map(|some| {
        let known = KNOWN.iter().cloned();
        known.chain(some).collect()
    })
}

/// Whether two clients get the same forms.
fn lowers_alike(one: &ClientProfile, other: &ClientProfile) -> bool {
    let keys = |of: &ClientProfile| {
        let ways = (of.titles, of.multi_select, of.numbers);
        let habits = (
            of.preselects_first,
            of.preselects_many,
            of.sorts_fields,
            of.optional_text,
        );
        (ways, habits, of.accepts_empty_forms, of.answers_by_hook)
    };
    keys(one) == keys(other)
}

/// Every way in which the ask goes to a client. Only what is dangerous may not go to some: those that could answer
/// it, and none where an answer may have nothing in it.
fn lowerings<'a>(
    ask: &'a Ask,
    kept: Option<&Answer>,
    clients: &'a [ClientProfile],
) -> Vec<Shown<'a>> {
    let deciding: Vec<_> = ask
        .form
        .fields
        .iter()
        .filter(|field| field.decides())
        .collect();
    let one_confirm = matches!(deciding[..], [field] if field.kind == Kind::Confirm);
    let can_be_empty = ask.form.fields.iter().all(|field| !field.required);
    let mut all = Vec::new();
    for profile in clients {
        let preselects = profile.preselects_first && !one_confirm;
        let may_answer = profile.answers_by_hook || preselects || can_be_empty;
        for revision in [Revision::V2025_06_18, Revision::V2026_07_28] {
            match ask.lower(profile, revision, kept) {
                Ok(lowered) => {
                    assert!(!(ask.dangerous && may_answer), "{profile:?}");
                    all.push(Shown {
                        ask,
                        profile,
                        revision,
                        lowered,
                    });
                }
                Err(NoForm::Dangerous) => assert!(ask.dangerous && may_answer, "{profile:?}"),
                Err(other) => panic!("{other}"),
            }
        }
    }
    all
}

fn ask(form: Form, dangerous: bool) -> Ask {
    let ask = Ask::new("Go on?", form);
    if dangerous { ask.dangerous() } else { ask }
}

fn broken_fields(checked: Result<Answer, Vec<FieldError>>) -> Vec<String> {
    let errors = checked.err().unwrap_or_default();
    errors.into_iter().map(|error| error.field).collect()
}

fn names<'a>(fields: impl Iterator<Item = &'a Field>) -> Vec<String> {
    fields.map(|field| field.name.clone()).collect()
}

/// What one field got out of a reply, whatever the others got.
fn of_one(field: &Field, raised: &Answer) -> Result<Option<Value>, Vec<FieldError>> {
    let given = raised.get(&field.name).cloned().unwrap_or(Value::Null);
    let alone = Form::new().field(field.clone());
    let mut valid = alone.validate(&Map::from_iter([(field.name.clone(), given)]))?;
    Ok(valid.shift_remove(&field.name))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_answer_comes_back_as_it_was(
        Asked { form, answer } in asked(),
        clients in clients(),
        dangerous in any::<bool>(),
        habits in Habits::any(),
    ) {
        prop_assert_eq!(form.check(), Ok(()));
        prop_assert_eq!(form.validate(&answer), Ok(answer.clone()), "the answer is valid by itself");
        let ask = ask(form, dangerous);
        for shown in lowerings(&ask, None, &clients) {
            let Some(answer) = shown.sayable(&answer) else { continue };
            let content = shown.fill_in(&answer, &Habits::good());
            prop_assert!(shown.admits(&content), "{:?} {:?}", shown, content);
            let content = shown.fill_in(&answer, &habits);
            let back = ask.form.validate(&shown.lowered.raise(&content));
            prop_assert_eq!(back, Ok(answer), "{:?} {:?}", shown, content);
        }
    }

    #[test]
    fn a_broken_field_is_named(
        Asked { form, answer } in asked(),
        clients in clients(),
        at in any::<prop::sample::Index>(),
        habits in Habits::any(),
    ) {
        let ask = ask(form, false);
        let field = &ask.form.fields[at.index(ask.form.fields.len())];
        for value in forms::broken(field) {
            let mut broken = answer.clone();
            broken.insert(field.name.clone(), value.clone());
            prop_assert_eq!(broken_fields(ask.form.validate(&broken)), vec![field.name.clone()], "{}", value);
        }
        for shown in lowerings(&ask, None, &clients) {
            let Some(answer) = shown.sayable(&answer) else { continue };
            let content = shown.fill_in(&answer, &habits);
            // What was left out, or goes by another name, is broken by its own.
            let key = shown.first_key(&field.name).unwrap_or_else(|| field.name.clone());
            let keys = [key, field.name.clone()];
            for (key, value) in keys.iter().flat_map(|key| {
                [json!({}), json!([[]]), json!({"it": true})].map(|value| (key, value))
            }) {
                let mut broken = content.clone();
                broken.insert(key.clone(), value);
                let named = broken_fields(ask.form.validate(&shown.lowered.raise(&broken)));
                prop_assert_eq!(named, vec![field.name.clone()], "{:?} {:?}", broken, shown);
            }
            let mut stranger = content.clone();
            stranger.insert("nobody asked".into(), json!(true));
            let named = broken_fields(ask.form.validate(&shown.lowered.raise(&stranger)));
            prop_assert_eq!(named, vec!["nobody asked".to_owned()]);
        }
    }

    #[test]
    fn an_empty_accept_names_all_that_is_required(
        Asked { form, answer } in asked(),
        clients in clients(),
        dangerous in any::<bool>(),
    ) {
        let ask = ask(form, dangerous);
        let required = names(ask.form.fields.iter().filter(|field| field.required));
        for shown in lowerings(&ask, Some(&answer), &clients) {
            let named = broken_fields(ask.form.validate(&shown.lowered.raise(&Map::new())));
            prop_assert_eq!(&named, &required);
        }
    }

    #[test]
    fn the_schema_is_what_its_version_allows(
        Asked { form, answer } in asked(),
        clients in clients(),
        dangerous in any::<bool>(),
    ) {
        let ask = ask(form, dangerous);
        for shown in lowerings(&ask, Some(&answer), &clients) {
            let schema = Value::Object(shown.lowered.schema().clone());
            if let Err(fault) = mcp::conforms(&schema, shown.revision) {
                prop_assert!(false, "{} in {:?}", fault, shown);
            }
            let types = mcp::types(&schema);
            if shown.profile.numbers == Numbers::Text {
                prop_assert!(!types.contains("number") && !types.contains("integer"), "{}", schema);
            }
            if shown.profile.multi_select == MultiSelect::Booleans {
                prop_assert!(!types.contains("array"), "{}", schema);
            }
            if shown.profile.sorts_fields {
                prop_assert!(shown.properties().keys().is_sorted(), "{}", schema);
            }
            for property in shown.properties().values() {
                let said = ["title", "description"].map(|key| property[key].as_str().unwrap_or_default());
                prop_assert!(!said.concat().contains('\n'), "one line is shown of {}", property);
            }
            mcp::texts(&schema, &mut |text| assert!(is_visible(text), "{text:?}"));
            let read = Form::from_requested_schema(&schema);
            prop_assert!(read.is_ok(), "{} {:?}", schema, read);
        }
    }

    #[test]
    fn defaults_decide_nothing(
        Asked { form, answer } in asked(),
        clients in clients(),
        dangerous in any::<bool>(),
        again in any::<bool>(),
    ) {
        let ask = ask(form, dangerous);
        let deciding = ask.form.fields.iter().filter(|field| field.decides() && field.required);
        let deciding = names(deciding);
        for shown in lowerings(&ask, again.then_some(&answer), &clients) {
            for (field, properties) in shown.by_field() {
                let filled = properties.iter().any(|(_, property)| property.get("default").is_some());
                prop_assert!(!(field.decides() && filled), "{:?}", properties);
            }
            // What a client sends that fills in every default and accepts.
            let defaults = shown.properties().iter();
            let content = defaults
                .filter_map(|(key, property)| Some((key.clone(), property.get("default")?.clone())))
                .collect();
            let named = broken_fields(ask.form.validate(&shown.lowered.raise(&content)));
            prop_assert!(deciding.iter().all(|name| named.contains(name)), "{:?} {:?}", named, deciding);
        }
    }

    #[test]
    fn an_untouched_form_is_never_an_answer(
        Asked { form, answer } in asked(),
        clients in clients(),
        [dangerous, again, arrays, texts] in any::<[bool; 4]>(),
    ) {
        let ask = ask(form, dangerous);
        for shown in lowerings(&ask, again.then_some(&answer), &clients) {
            if !shown.profile.preselects_first {
                continue;
            }
            let arrays = arrays && shown.profile.preselects_many;
            let content = shown.untouched(arrays, texts);
            let raised = shown.lowered.raise(&content);
            prop_assert_eq!(shown.lowered.raiser().typed_word(&content), None);
            for field in ask.form.fields.iter().filter(|field| field.decides()) {
                let got = of_one(field, &raised);
                if field.required {
                    prop_assert!(got.is_err(), "{} in {:?} {:?}", field.name, content, shown);
                } else {
                    prop_assert_eq!(got, Ok(None), "{} in {:?} {:?}", field.name, content, shown);
                }
            }
        }
    }

    #[test]
    fn an_untouched_setting_is_what_was_set(
        Asked { form, .. } in asked(),
        clients in clients(),
        texts in any::<bool>(),
    ) {
        let ask = ask(form, false);
        for shown in lowerings(&ask, None, &clients) {
            let raised = shown.lowered.raise(&shown.untouched(true, texts));
            for field in ask.form.fields.iter().filter(|field| !field.decides()) {
                let set = match &field.kind {
                    Kind::Toggle(rules) => rules.default.map(Value::from),
                    Kind::Choice(rules) if shown.profile.preselects_first => rules.default.clone().map(Value::from),
                    Kind::Choices(rules) => rules.default.clone().map(Value::from),
                    _ => None,
                };
                if set.is_some() {
                    prop_assert_eq!(of_one(field, &raised), Ok(set), "{:?}", shown);
                }
            }
        }
    }

    #[test]
    fn only_a_real_yes_is_a_yes(
        Asked { form, .. } in asked(),
        clients in clients(),
        dangerous in any::<bool>(),
        values in prop::collection::vec(forms::anything(), 1..8),
        strays in any::<bool>(),
    ) {
        let ask = ask(form, dangerous);
        for shown in lowerings(&ask, None, &clients) {
            // Under the names that were sent, and perhaps under the fields' own.
            let own = ask.form.fields.iter().map(|field| &field.name).filter(|_| strays);
            let keys = shown.properties().keys().chain(own).cloned();
            let content: Map<_, _> = keys.zip(values.iter().cloned().cycle()).collect();
            let raised = shown.lowered.raise(&content);
            for (field, properties) in shown.by_field() {
                if field.kind != Kind::Confirm {
                    continue;
                }
                let (key, property) = properties[0];
                let given = &content[key];
                let said_yes = match property["type"].as_str() {
                    Some("boolean") => *given == json!(true),
                    _ if !client::listed(property).is_empty() => *given == json!("Yes"),
                    _ => given.as_str().is_some_and(|typed| ask.is_word(typed)),
                };
                let stray = content.get(&field.name).filter(|_| *key != field.name);
                let only_so = stray.is_none_or(Value::is_null);
                // Each field by itself: the others may be as broken as they like.
                let yes = of_one(field, &raised) == Ok(Some(json!(true)));
                prop_assert_eq!(yes, said_yes && only_so, "{:?} {:?}", content, shown);
                let typed = shown.lowered.raiser().typed_word(&content).is_some();
                prop_assert!(!typed || said_yes, "{:?}", content);
            }
        }
    }
}

#[test]
fn a_form_of_decisions_cannot_be_accepted_by_defaults() {
    let form = Form::confirm().field(Form::choice(["approve", "cancel"]).fields.remove(0));
    let kept = json!({"confirmed": true, "choice": "approve"});
    let ask = ask(form, false);
    for shown in lowerings(&ask, kept.as_object(), &POSSIBLE) {
        let text = Value::Object(shown.lowered.schema().clone()).to_string();
        assert!(!text.contains("\"default\""), "{shown:?}");
    }
}
