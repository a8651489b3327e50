//! Single questions.

mod await_answer;
mod choice;
mod confirm;
mod form;
mod form_fields;
mod input;
mod number;
mod option;
mod rating;

use crate::tool::Entry;
pub(crate) use option::Names;

/// The tools, in the order in which they are listed.
pub(crate) fn tools() -> Vec<Entry> {
    vec![
        choice::tool(),
        input::tool(),
        confirm::tool(),
        number::tool(),
        rating::tool(),
        form::tool(),
        await_answer::tool(),
    ]
}

/// When to use which.
pub(crate) const INSTRUCTIONS: &str = "\
One question: `elicit_confirm` for a yes or a no, `elicit_choice` for one or some of several options, `elicit_input` for text, `elicit_number`, `elicit_rating`. Several at once: `elicit_form`. Never ask for passwords, tokens or keys. Where a result says `pending`, nobody has answered yet: call `await_answer` with its askId; do not ask again.";

/// What an agent is told of an answer that is only what was filled in beforehand: a client may
/// have sent it by itself.
const AS_IT_WAS: &str =
    "This is only what was filled in beforehand: use it as a value, and take it for no approval.";
