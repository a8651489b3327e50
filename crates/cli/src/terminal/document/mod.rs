//! A text as a terminal shows it: lines with styles, and what each of them is about.
//!
//! | module | holds |
//! |---|---|
//! | [`wrap`] | breaks text into lines of a width |

pub mod wrap;

use super::look::Look;
use anstyle::Style;
use holdpoint_ask::review::Place;
use unicode_width::UnicodeWidthStr as _;

/// Lines, and the blocks of the text that they show.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Document {
    /// From top to bottom; none is wider than the document was made for, where that is possible at all.
    pub lines: Vec<Line>,
    /// What can be commented on.
    pub blocks: Vec<Block>,
}

/// A line of a document.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Line {
    /// From left to right.
    pub spans: Vec<Span>,
    /// What begins here that one jumps to.
    pub jump: Option<Jump>,
    /// The block that it shows a part of.
    pub block: Option<usize>,
}

/// A piece of text in one style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Nothing in it is hidden, and there is no line break in it.
    pub text: String,
    /// How it is shown.
    pub style: Style,
}

/// What one jumps to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Jump {
    /// A heading.
    Heading,
    /// The beginning of a file's changes.
    File,
    /// A part of them.
    Hunk,
}

/// What can be commented on: a paragraph, an item, a row, a line of code.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Block {
    /// Where it is.
    pub place: Place,
    /// What stands there.
    pub quote: String,
}

impl Span {
    /// Text in this style.
    pub fn new(text: impl Into<String>, style: Style) -> Self {
        Self {
            text: text.into(),
            style,
        }
    }

    /// Text as it is.
    pub fn plain(text: impl Into<String>) -> Self {
        Self::new(text, Style::new())
    }

    /// How many columns it takes.
    pub fn width(&self) -> usize {
        self.text.width()
    }
}

impl Line {
    /// A line of these.
    pub fn new(spans: Vec<Span>) -> Self {
        Self {
            spans,
            ..Self::default()
        }
    }

    /// How many columns it takes.
    pub fn width(&self) -> usize {
        self.spans.iter().map(Span::width).sum()
    }

    /// What it says, without styles.
    pub fn text(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }

    /// With its styles as escape sequences.
    pub fn ansi(&self) -> String {
        let mut text = String::new();
        let mut on = Style::new();
        for span in &self.spans {
            if span.style != on {
                text.push_str(&on.render_reset().to_string());
                text.push_str(&span.style.render().to_string());
                on = span.style;
            }
            text.push_str(&span.text);
        }
        text.push_str(&on.render_reset().to_string());
        text
    }
}

impl Document {
    /// Puts another below this one.
    pub fn append(&mut self, other: Self) {
        let first = self.blocks.len();
        self.blocks.extend(other.blocks);
        for mut line in other.lines {
            line.block = line.block.map(|block| block + first);
            self.lines.push(line);
        }
    }

    /// Puts a line below it.
    pub fn push(&mut self, spans: Vec<Span>) {
        self.lines.push(Line::new(spans));
    }

    /// Puts a line of text below it, broken where it is too wide.
    pub fn push_text(&mut self, text: &str, style: Style, width: usize, look: Look) {
        let spans = [Span::new(look.text(text), look.style(style))];
        for line in wrap::words(&spans, width) {
            self.push(line);
        }
    }

    /// With its styles as escape sequences.
    pub fn ansi(&self) -> String {
        let lines: Vec<String> = self.lines.iter().map(Line::ansi).collect();
        lines.join("\n")
    }

    /// What it says, without styles.
    pub fn text(&self) -> String {
        let lines: Vec<String> = self.lines.iter().map(Line::text).collect();
        lines.join("\n")
    }

    /// Makes a block, which lines can then name.
    pub fn block(&mut self, place: Place, quote: impl Into<String>) -> usize {
        let quote = quote.into();
        self.blocks.push(Block { place, quote });
        self.blocks.len() - 1
    }
}
