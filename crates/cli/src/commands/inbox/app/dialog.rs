//! What is over an ask: its endings, a text that is typed, the comments, help.

use super::deciding::{Ending, Wanted};
use crate::terminal::text_input::TextInput;
use holdpoint_ask::review::Comment;

/// What is over the ask, or over the list.
#[derive(Debug, Clone)]
pub enum Dialog {
    /// The endings. None is chosen at first, and an Enter alone chooses none.
    Endings {
        /// All of them.
        endings: Vec<Ending>,
        /// The one that is highlighted.
        at: Option<usize>,
    },
    /// A text that is typed.
    Text {
        /// What it is.
        of: TextOf,
        /// What was typed.
        input: TextInput,
        /// What is wrong with it.
        wrong: Option<String>,
    },
    /// The comments.
    Comments {
        /// The one under the cursor.
        at: usize,
    },
    /// How much longer the ask waits. None is chosen at first.
    Longer {
        /// The one that is highlighted.
        at: Option<usize>,
    },
    /// The keys.
    Help {
        /// The first line that is seen.
        top: usize,
    },
}

/// What a text is that is typed.
#[derive(Debug, Clone)]
pub enum TextOf {
    /// A comment on this place; the one of this number where it is there already.
    Comment(Option<usize>, Box<Comment>),
    /// What stands there instead.
    Suggestion(Option<usize>, Box<Comment>),
    /// A part of a reply.
    Reply(Box<Wanted>),
}

/// How much longer an ask can wait, and in minutes.
pub const LONGER: [(&str, i64); 3] = [
    ("10 minutes longer", 10),
    ("An hour longer", 60),
    ("A day longer", 24 * 60),
];

impl Dialog {
    /// Whether an answer can come of it: then no key that was on its way may reach it.
    pub fn decides(&self) -> bool {
        match self {
            Self::Endings { .. } | Self::Longer { .. } => true,
            Self::Text { of, .. } => matches!(of, TextOf::Reply(_)),
            Self::Comments { .. } | Self::Help { .. } => false,
        }
    }
}

/// The row below or above, of so many; the first or the last where none was highlighted.
pub fn step(at: Option<usize>, count: usize, down: bool) -> Option<usize> {
    let last = count.checked_sub(1)?;
    Some(match (at, down) {
        (None, true) => 0,
        (None, false) => last,
        (Some(at), true) => (at + 1).min(last),
        (Some(at), false) => at.saturating_sub(1),
    })
}
