//! What no form may let through: a decision that nobody took.

use crate::{
    clients::{CLIENTS, REVISIONS},
    filled_in::Shown,
};
use holdpoint_ask::{Ask, Field, FieldError, Form};
use serde_json::{Map, Value};

/// Checks, for every client, that neither an empty accept nor a form that was sent as it came decides anything.
pub fn decides_nothing(ask: &Ask) {
    for profile in CLIENTS.iter() {
        for revision in REVISIONS {
            let Ok(lowered) = ask.lower(profile, revision, None) else {
                continue;
            };
            let shown = Shown {
                ask,
                profile,
                revision,
                lowered,
            };
            let mut sent = vec![Map::new(), shown.defaults()];
            if profile.preselects_first {
                for [arrays, texts] in [[false, false], [true, false], [true, true]] {
                    sent.push(shown.untouched(arrays && profile.preselects_many, texts));
                }
            }
            for content in sent {
                let raised = shown.lowered.raise(&content);
                for field in ask.form.fields.iter().filter(|field| field.decides()) {
                    let got = of_one(field, &raised);
                    assert!(
                        matches!(got, Err(_) | Ok(None)),
                        "{}: {got:?} of {content:?} in {shown:?}",
                        field.name
                    );
                }
            }
        }
    }
}

impl Shown<'_> {
    /// What a client sends that fills in every default and accepts.
    fn defaults(&self) -> Map<String, Value> {
        let defaults = self.properties().iter();
        let filled = |(key, property): (&String, &Value)| {
            Some((key.clone(), property.get("default")?.clone()))
        };
        defaults.filter_map(filled).collect()
    }
}

/// What one field got out of a reply, whatever the others got.
pub fn of_one(
    field: &Field,
    raised: &Map<String, Value>,
) -> Result<Option<Value>, Vec<FieldError>> {
    let given = raised.get(&field.name).cloned().unwrap_or(Value::Null);
    let alone = Form::new().field(field.clone());
    let mut valid = alone.validate(&Map::from_iter([(field.name.clone(), given)]))?;
    Ok(valid.shift_remove(&field.name))
}
