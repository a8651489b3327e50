//! A document on a part of the screen: which lines of it are seen, and which one is read.

use super::{
    document::{Block, Document, Jump, Line, Span},
    look::Look,
};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::{Modifier, Style},
    text::{Line as Drawn, Span as DrawnSpan},
};

const MARKS: &[Jump] = &[Jump::Heading, Jump::File, Jump::Hunk];
const FILES: &[Jump] = &[Jump::File];

/// The columns left of the text: where one reads, and what has a comment.
pub const GUTTER: u16 = 2;

/// Where somebody is in a document.
#[derive(Debug, Clone, Default)]
pub struct Reader {
    document: Document,
    /// The first line that is seen.
    top: usize,
    /// The line that is read.
    at: usize,
    /// How many lines are seen.
    height: usize,
}

/// What one moves to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// So many lines on, or back.
    Lines(isize),
    /// So many half pages on, or back.
    HalfPages(isize),
    /// The beginning.
    Top,
    /// The end.
    Bottom,
    /// The next of these.
    Next(&'static [Jump]),
    /// The one of these before.
    Previous(&'static [Jump]),
}

impl Reader {
    /// Shows this one, from its beginning.
    pub fn new(document: Document) -> Self {
        Self {
            document,
            ..Self::default()
        }
    }

    /// Shows it in another width: the same block stays in view.
    pub fn replace(&mut self, document: Document) {
        let block = self.line().and_then(|line| line.block);
        let share = (self.at, self.document.lines.len().max(1));
        self.document = document;
        let lines = &self.document.lines;
        let same = block.and_then(|block| lines.iter().position(|line| line.block == Some(block)));
        let at = same.unwrap_or(share.0 * lines.len() / share.1);
        self.at = at.min(lines.len().saturating_sub(1));
        self.follow();
    }

    /// It has so many rows now.
    pub fn resize(&mut self, rows: u16) {
        self.height = usize::from(rows);
        self.follow();
    }

    /// What is shown.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Whether the last line is on the screen.
    pub fn shows_end(&self) -> bool {
        self.height > 0 && self.top + self.height >= self.document.lines.len()
    }

    /// How much of it was passed, in percent.
    pub fn percent(&self) -> usize {
        let seen = (self.top + self.height).min(self.document.lines.len());
        seen * 100 / self.document.lines.len().max(1)
    }

    /// The block that is read.
    pub fn block(&self) -> Option<&Block> {
        self.document.blocks.get(self.line()?.block?)
    }

    /// Goes there.
    pub fn go(&mut self, to: Move) {
        let last = self.document.lines.len().saturating_sub(1);
        let page = (self.height / 2).max(1) as isize;
        match to {
            Move::Lines(count) => self.at = self.at.saturating_add_signed(count).min(last),
            Move::HalfPages(count) => {
                // The text moves under the line that is read, as far as there is text.
                let by = count * page;
                self.top = self.top.saturating_add_signed(by).min(self.last_top());
                self.at = self.at.saturating_add_signed(by).min(last);
            }
            Move::Top => self.at = 0,
            Move::Bottom => self.at = last,
            Move::Next(kinds) => {
                let mut below = self.at + 1..self.document.lines.len();
                if let Some(at) = below.find(|at| self.begins(*at, kinds)) {
                    self.bring_to_top(at);
                }
            }
            Move::Previous(kinds) => {
                if let Some(at) = (0..self.at).rev().find(|at| self.begins(*at, kinds)) {
                    self.bring_to_top(at);
                }
            }
        }
        self.follow();
    }

    /// Takes a key that moves in a text; whether it is one.
    pub fn key(&mut self, key: KeyEvent) -> bool {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        self.go(match key.code {
            KeyCode::Char('d') if control => Move::HalfPages(1),
            KeyCode::Char('u') if control => Move::HalfPages(-1),
            KeyCode::Char(_) if control => return false,
            KeyCode::Up | KeyCode::Char('k') => Move::Lines(-1),
            KeyCode::Down | KeyCode::Char('j') => Move::Lines(1),
            KeyCode::PageDown | KeyCode::Char(' ' | 'f') => Move::HalfPages(2),
            KeyCode::PageUp | KeyCode::Char('b') => Move::HalfPages(-2),
            KeyCode::Home | KeyCode::Char('g') => Move::Top,
            KeyCode::End | KeyCode::Char('G') => Move::Bottom,
            KeyCode::Char(']') => Move::Next(MARKS),
            KeyCode::Char('[') => Move::Previous(MARKS),
            KeyCode::Char('}') => Move::Next(FILES),
            KeyCode::Char('{') => Move::Previous(FILES),
            _ => return false,
        });
        true
    }

    /// Scrolls without reading on, as a wheel does.
    pub fn scroll(&mut self, lines: isize) {
        self.top = self.top.saturating_add_signed(lines).min(self.last_top());
        let bottom = self.top + self.height.max(1) - 1;
        self.at = self.at.clamp(self.top, bottom);
    }

    /// Goes to the line in this row of its area.
    pub fn click(&mut self, row: u16) {
        self.go_to(self.top + usize::from(row));
    }

    /// Goes to this line.
    pub fn go_to(&mut self, line: usize) {
        self.at = line.min(self.document.lines.len().saturating_sub(1));
        self.follow();
    }

    /// Goes to the next line with this text, or the one before; whether there is one.
    pub fn find(&mut self, text: &str, forward: bool) -> bool {
        let text = text.to_lowercase();
        let count = self.document.lines.len();
        let has = |at: &usize| {
            self.document.lines[*at]
                .text()
                .to_lowercase()
                .contains(&text)
        };
        let found = if forward {
            let around = (self.at + 1..count).chain(0..(self.at + 1).min(count));
            around.into_iter().find(has)
        } else {
            let around = (0..self.at).rev().chain((self.at..count).rev());
            around.into_iter().find(has)
        };
        if let Some(at) = found {
            self.go_to(at);
        }
        found.is_some()
    }

    /// Draws what is seen. Lines of blocks that `is_marked` have a mark at their left.
    pub fn draw(&self, area: Rect, buffer: &mut Buffer, how: &Drawing<'_>) {
        let here = self.line().and_then(|line| line.block);
        let lines = self.document.lines.iter().enumerate().skip(self.top);
        let mut marked = None;
        for (row, (index, line)) in (0..area.height).zip(lines) {
            let y = area.y + row;
            let reading = index == self.at || (line.block.is_some() && line.block == here);
            if how.focused && reading {
                let bar = how.look.pick("▌", ">");
                buffer.set_string(area.x, y, bar, how.accent);
            }
            let block = line.block.and_then(|block| self.document.blocks.get(block));
            if line.block != marked && block.is_some_and(how.is_marked) {
                buffer.set_string(area.x + 1, y, how.look.pick("●", "*"), how.accent);
                marked = line.block;
            }
            let drawn = drawn(line, how.found);
            let width = area.width.saturating_sub(GUTTER);
            buffer.set_line(area.x + GUTTER, y, &drawn, width);
        }
    }

    fn line(&self) -> Option<&Line> {
        self.document.lines.get(self.at)
    }

    fn begins(&self, at: usize, kinds: &[Jump]) -> bool {
        let jump = self.document.lines[at].jump;
        jump.is_some_and(|jump| kinds.contains(&jump))
    }

    fn bring_to_top(&mut self, at: usize) {
        self.at = at;
        self.top = at.min(self.last_top());
    }

    fn last_top(&self) -> usize {
        self.document.lines.len().saturating_sub(self.height.max(1))
    }

    /// Scrolls as far as it takes to see the line that is read.
    fn follow(&mut self) {
        let height = self.height.max(1);
        if self.at < self.top {
            self.top = self.at;
        } else if self.at >= self.top + height {
            self.top = self.at + 1 - height;
        }
        self.top = self.top.min(self.last_top());
    }
}

/// How a document is drawn.
pub struct Drawing<'a> {
    /// What the terminal can show.
    pub look: Look,
    /// Keys go here.
    pub focused: bool,
    /// The style of marks.
    pub accent: Style,
    /// Which blocks have a mark.
    pub is_marked: &'a dyn Fn(&Block) -> bool,
    /// What was searched for; nothing where that is empty.
    pub found: &'a str,
}

/// A line as it is drawn, with what was found in it marked.
fn drawn<'a>(line: &'a Line, found: &str) -> Drawn<'a> {
    let plain = |span: &'a Span| DrawnSpan::styled(span.text.as_str(), style(span.style));
    let text = line.text();
    if found.is_empty() || !text.to_lowercase().contains(&found.to_lowercase()) {
        return line.spans.iter().map(plain).collect();
    }
    let mut spans: Vec<DrawnSpan<'a>> = line.spans.iter().map(plain).collect();
    for span in &mut spans {
        if span.content.to_lowercase().contains(&found.to_lowercase()) {
            span.style = span.style.add_modifier(Modifier::REVERSED);
        }
    }
    spans.into()
}

/// A style as it is drawn.
pub fn style(style: anstyle::Style) -> Style {
    use anstyle::{AnsiColor, Color, Effects};
    use ratatui::style::Color as Drawn;
    let mut drawn = Style::new();
    if let Some(Color::Ansi(colour)) = style.get_fg_color() {
        drawn = drawn.fg(match colour {
            AnsiColor::Red => Drawn::Red,
            AnsiColor::Green => Drawn::Green,
            AnsiColor::Yellow => Drawn::Yellow,
            AnsiColor::Blue => Drawn::Blue,
            AnsiColor::Magenta => Drawn::Magenta,
            AnsiColor::Cyan => Drawn::Cyan,
            _ => Drawn::Reset,
        });
    }
    let modifiers = [
        (Effects::BOLD, Modifier::BOLD),
        (Effects::DIMMED, Modifier::DIM),
        (Effects::ITALIC, Modifier::ITALIC),
        (Effects::UNDERLINE, Modifier::UNDERLINED),
        (Effects::INVERT, Modifier::REVERSED),
        (Effects::STRIKETHROUGH, Modifier::CROSSED_OUT),
    ];
    for (effect, modifier) in modifiers {
        if style.get_effects().contains(effect) {
            drawn = drawn.add_modifier(modifier);
        }
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::markdown;

    fn reader() -> Reader {
        let mut text = String::from("# One\n\n");
        for line in 0..20 {
            text.push_str(&format!("- point {line}\n"));
        }
        text.push_str("\n# Two\n\nend");
        let mut reader = Reader::new(markdown::document(&text, 40, Look::FULL));
        reader.resize(10);
        reader
    }

    fn quote(reader: &Reader) -> &str {
        &reader.block().unwrap().quote
    }

    #[test]
    fn what_is_read_is_seen() {
        let mut reader = reader();
        assert!(!reader.shows_end());
        reader.go(Move::Lines(11));
        assert_eq!((quote(&reader), reader.top), ("point 9", 2));
        reader.go(Move::Next(&[Jump::Heading]));
        assert_eq!(quote(&reader), "Two");
        assert!(reader.shows_end());
        reader.go(Move::Previous(&[Jump::Heading]));
        assert_eq!((quote(&reader), reader.top), ("One", 0));
        reader.go(Move::Bottom);
        assert_eq!(quote(&reader), "end");
        reader.go(Move::HalfPages(-2));
        reader.go(Move::Top);
        assert!(reader.find("POINT 15", true));
        assert_eq!(quote(&reader), "point 15");
        assert!(!reader.find("nowhere", true));
        reader.scroll(-100);
        assert_eq!((quote(&reader), reader.top), ("point 7", 0));
    }

    #[test]
    fn another_width_keeps_the_place() {
        let mut reader = reader();
        assert!(reader.find("point 12", true));
        let text: String = (0..20).map(|line| format!("- point {line}\n")).collect();
        let narrow = markdown::document(&format!("# One\n\n{text}"), 8, Look::FULL);
        reader.replace(narrow);
        assert_eq!(quote(&reader), "point 12");
        reader.resize(3);
        assert!(reader.top <= reader.at && reader.at < reader.top + 3);
    }
}
