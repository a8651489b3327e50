//! Asks in the terminal.
//!
//! | module | holds |
//! |---|---|
//! | [`markdown`] | Markdown as a terminal shows it |
//! | [`form`] | a form, one question after another |

pub mod form;
pub mod markdown;

use std::io::{self, IsTerminal};

/// Whether a person can be asked here: they see what is written, and what is read is what they type.
pub fn has_person() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}
