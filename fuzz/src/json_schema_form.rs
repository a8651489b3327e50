//! Forms from another server's `requestedSchema`: refused, or a form that can be put to people, and of which
//! no client can make a decision that nobody took.

use crate::{
    clients::{CLIENTS, REVISIONS},
    untouched::decides_nothing,
};
use holdpoint_ask::{Ask, Form};
use serde_json::Value;

pub fn check(data: &[u8]) {
    let Ok(schema) = serde_json::from_slice::<Value>(data) else {
        return;
    };
    let form = match Form::from_requested_schema(&schema) {
        Ok(form) => form,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    assert_eq!(form.check(), Ok(()));
    let text = serde_json::to_string(&form).unwrap();
    let again: Form = serde_json::from_str(&text).unwrap();
    assert_eq!(again, form, "from the journal");
    // Lowering puts a number before a name, for which one that is as long as allowed has no room when it is read again.
    let have_room = form.fields.iter().all(|field| field.name.chars().count() <= 120);
    for profile in CLIENTS.iter() {
        for revision in REVISIONS {
            if let Ok(lowered) = form.lower(profile, revision)
                && have_room
            {
                let schema = Value::Object(lowered.schema().clone());
                let read = Form::from_requested_schema(&schema);
                assert!(read.is_ok(), "{read:?} of {schema}");
            }
        }
    }
    for ask in [
        Ask::new("Go on?", form.clone()),
        Ask::new("Go on?", form).dangerous(),
    ] {
        decides_nothing(&ask);
    }
}
