//! Asks in the terminal.
//!
//! | module | holds |
//! |---|---|
//! | [`person`], [`agent`] | whether a person is at a terminal here, or an agent runs us |
//! | [`markdown`] | Markdown as a terminal shows it |
//! | [`form`] | a form, one field after another |
//! | [`prompt`], `choose`, `write` | one field, by what is picked and what is typed |
//! | [`value`], [`file`] | what a person typed, as the value of a field |

pub mod agent;
mod choose;
pub mod file;
pub mod form;
pub mod markdown;
pub mod person;
pub mod prompt;
pub mod value;
mod write;

use anstyle::{AnsiColor, Style};
use holdpoint_ask::visible;

const WRONG: Style = AnsiColor::Red.on_default();

/// Says what is wrong, above the prompt that comes next.
fn complain(message: &str) {
    anstream::eprintln!("{WRONG}# {}{WRONG:#}", visible(message));
}
