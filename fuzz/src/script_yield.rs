//! What a script yields, read: something that it can yield or an error, and never less strict than it was meant.

use crate::untouched::decides_nothing;
use holdpoint_script::{ScriptAsk, Yield};
use serde_json::{Map, Value};

pub fn check(data: &[u8]) {
    let Ok(yielded) = serde_json::from_slice::<Value>(data) else {
        return;
    };
    let read = Yield::read(yielded.clone());
    assert_eq!(read, Yield::read(yielded.clone()), "read twice");
    match (read, &yielded) {
        (Ok(Yield::Ask(ask)), Value::Object(fields)) => is_as_strict(&ask, fields),
        (Ok(Yield::Together(asks)), Value::Array(yielded)) => {
            assert_eq!(asks.len(), yielded.len());
            for (ask, yielded) in asks.iter().zip(yielded) {
                is_as_strict(ask, yielded.as_object().expect("an ask"));
            }
        }
        (Ok(_), _) => {}
        (Err(error), _) => assert!(!error.to_string().is_empty()),
    }
}

/// Whatever was written of danger counts, also in another manner of writing.
fn is_as_strict(read: &ScriptAsk, fields: &Map<String, Value>) {
    let plain = |name: &str| name.replace(['_', '-'], "").to_lowercase();
    let dangerous = |(name, value): (&String, &Value)| {
        plain(name) == "dangerous" && *value == Value::Bool(true)
    };
    assert!(
        read.ask.dangerous || !fields.iter().any(dangerous),
        "{fields:?}"
    );
    let said = |name: &str| fields.get(name).and_then(Value::as_str);
    for (name, has) in [
        ("details", &read.ask.details),
        ("word", &read.ask.word),
        ("consequence", &read.ask.consequence),
    ] {
        assert_eq!(said(name), has.as_deref(), "{name} of {fields:?}");
    }
    if read.ask.check().is_ok() {
        decides_nothing(&read.ask);
    }
}
