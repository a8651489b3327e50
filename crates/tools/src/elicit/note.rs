//! A remark of the person's own beside an answer, where the agent has room for one.

use holdpoint::{Answer, Field, Kind, field::Text};
use serde_json::Value;

const NAME: &str = "note";
const LONGEST: u32 = 1000;

/// The field for it. It decides nothing.
pub(super) fn field() -> Field {
    let text = Text {
        max_length: Some(LONGEST),
        multiline: true,
        ..Text::default()
    };
    Field::new(NAME, Kind::Text(text)).title("Note").optional()
}

/// What the person wrote there.
pub(super) fn take(answer: &mut Answer) -> Option<String> {
    match answer.remove(NAME) {
        Some(Value::String(note)) => Some(note).filter(|note| !note.trim().is_empty()),
        _ => None,
    }
}
