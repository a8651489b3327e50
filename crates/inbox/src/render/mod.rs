//! Renders agent text as harmless HTML.
//!
//! Markdown only: HTML in it is shown as the text that it is. Nothing is loaded from anywhere, an
//! image is its description and address, and a link shows where it leads. What comes out passes a
//! sanitizer that knows only the tags and classes used here, and then every hidden character is
//! written out. Diffs never become HTML: the page gets them as data.

mod blocks;
mod changed_block;
mod changes;
mod code;
#[cfg(feature = "colours")]
mod colour;
#[cfg(not(feature = "colours"))]
#[path = "colour_without_grammars.rs"]
mod colour;
mod diff_view;
mod light_colour;
mod plain;
mod plain_diff;
mod read_blocks;
mod sanitize;
#[cfg(test)]
mod tests;

use blocks::Blocks;
use colour::Budget;
use pulldown_cmark::{CodeBlockKind, html};
use serde::Serialize;

pub use blocks::has_diff;
pub use changes::changes;
pub use diff_view::DiffView;
pub use plain::{plain, plain_with_diffs};

/// What an ask shows, rendered.
#[derive(Debug, Clone, Default)]
pub struct Shown {
    /// The message as harmless HTML.
    pub message: String,
    /// The details as harmless HTML.
    pub details: Option<String>,
    /// The headings of both, in order.
    pub outline: Vec<Heading>,
    /// The diffs of both. In the HTML a place is kept for each, which has its number.
    pub diffs: Vec<DiffView>,
}

/// A heading in what is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Heading {
    /// From 1, the highest, to 6.
    pub level: u8,
    /// Its text, without marks.
    pub text: String,
    /// The id of its element.
    pub id: String,
}

/// Renders what an ask shows: its message, and its details.
pub fn shown(message: &str, details: Option<&str>) -> Shown {
    let mut shown = Shown::default();
    let mut budget = Budget::default();
    shown.message = shown.document(message, 'm', &mut budget);
    shown.details = details.map(|details| shown.document(details, 'd', &mut budget));
    shown
}

/// Renders Markdown as harmless HTML that needs nothing beside it: a diff in it is coloured lines.
pub fn markdown(text: &str) -> String {
    let mut budget = Budget::default();
    finish(text, Blocks::new(text, &mut budget).events())
}

/// Renders code as harmless HTML, coloured where the language is known.
pub fn code(language: &str, text: &str) -> String {
    let kind = CodeBlockKind::Fenced(language.into());
    let shown = if blocks::is_diff(&kind, text) {
        plain_diff::coloured(text, "")
    } else {
        code::coloured(language, text, "", &mut Budget::default())
    };
    sanitize::clean(&shown)
}

impl Shown {
    /// Renders one of the two texts; what it has of headings and diffs goes to the others.
    fn document(&mut self, text: &str, prefix: char, budget: &mut Budget) -> String {
        let blocks = Blocks::new(text, budget).with_lines(prefix, &mut self.diffs);
        let (events, headings) = blocks.events_and_headings();
        self.outline.extend(headings);
        finish(text, events)
    }
}

fn finish(text: &str, events: Vec<pulldown_cmark::Event<'_>>) -> String {
    let mut shown = String::with_capacity(text.len() * 2);
    html::push_html(&mut shown, events.into_iter());
    sanitize::clean(&shown)
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}
