//! What must hold for whatever comes from outside. Each module is a fuzz target: it panics where something
//! does not hold. An input is text that a person can read and write, so that `seeds/` holds examples.

pub mod json_schema_form;
pub mod lower_raise;
#[cfg(feature = "page")]
pub mod markdown_html;
pub mod plan_status;
pub mod rules;
#[cfg(feature = "scripts")]
pub mod script_yield;
pub mod sealed_state;
pub mod stdio_decoder;

mod clients;
#[path = "../../crates/ask/tests/it/properties/client.rs"]
#[allow(dead_code, reason = "the tests of the asks use all of it")]
mod filled_in;
mod untouched;
mod written;

/// The input as text; none where it is none.
fn text(data: &[u8]) -> Option<&str> {
    std::str::from_utf8(data).ok()
}

/// The input as texts with a line `---` between them.
fn sections<const COUNT: usize>(data: &[u8]) -> Option<[&str; COUNT]> {
    let mut sections = text(data)?.splitn(COUNT, "\n---\n");
    let sections = std::array::from_fn(|_| sections.next().unwrap_or_default());
    Some(sections)
}
