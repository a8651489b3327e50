//! A text that somebody types, and where they are in it.

use super::document::wrap;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use holdpoint_ask::visible;
use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation as _};
use unicode_width::UnicodeWidthStr as _;

/// A text that is typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextInput {
    text: String,
    /// The byte before which the next character comes.
    at: usize,
    /// A line break is a character like others.
    pub multiline: bool,
}

impl TextInput {
    /// One that begins with this text.
    pub fn new(text: impl Into<String>, multiline: bool) -> Self {
        let text = text.into();
        let at = text.len();
        Self {
            text,
            at,
            multiline,
        }
    }

    /// What was typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Takes a key; whether it was one for a text.
    pub fn key(&mut self, key: KeyEvent) -> bool {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        match key.code {
            KeyCode::Enter if alt && self.multiline => self.insert("\n"),
            KeyCode::Char('j') if control && self.multiline => self.insert("\n"),
            KeyCode::Char('a') if control => self.at = self.line_start(),
            KeyCode::Char('e') if control => self.at = self.line_end(),
            KeyCode::Char('u') if control => {
                let start = self.line_start();
                self.text.drain(start..self.at);
                self.at = start;
            }
            KeyCode::Char('w') if control => self.delete_word(),
            KeyCode::Char(char) if !control && !alt => self.insert(char.encode_utf8(&mut [0; 4])),
            KeyCode::Backspace => {
                let from = self.before();
                self.text.drain(from..self.at);
                self.at = from;
            }
            KeyCode::Delete => {
                let to = self.after();
                self.text.drain(self.at..to);
            }
            KeyCode::Left => self.at = self.before(),
            KeyCode::Right => self.at = self.after(),
            KeyCode::Home => self.at = self.line_start(),
            KeyCode::End => self.at = self.line_end(),
            KeyCode::Up if self.multiline => self.line_up(),
            KeyCode::Down if self.multiline => self.line_down(),
            _ => return false,
        }
        true
    }

    /// Puts a text in, as a paste does. Where only one line fits, line breaks become spaces.
    pub fn insert(&mut self, text: &str) {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let text = if self.multiline {
            text
        } else {
            text.replace('\n', " ")
        };
        self.text.insert_str(self.at, &text);
        self.at += text.len();
    }

    /// The lines as they are shown in this width, and the column and row of the next character.
    pub fn lines(&self, width: usize) -> (Vec<String>, (usize, usize)) {
        let shown = |text: &str| visible(text).replace('\t', "    ");
        let mut lines = Vec::new();
        let (mut place, mut from) = ((0, 0), 0);
        for line in self.text.split('\n') {
            let to = from + line.len();
            let first = lines.len();
            let spans = [super::document::Span::plain(shown(line))];
            let rows = wrap::exactly(&spans, width);
            let text = |row: &Vec<super::document::Span>| {
                row.iter()
                    .map(|span| span.text.as_str())
                    .collect::<String>()
            };
            lines.extend(rows.iter().map(text));
            if (from..=to).contains(&self.at) {
                let before = shown(&self.text[from..self.at]);
                let mut row = wrap::exactly(&[super::document::Span::plain(before)], width);
                let mut column = row.pop().map_or(0, |last| text(&last).width());
                let mut rows = row.len();
                if column >= width {
                    (column, rows) = (0, rows + 1);
                    if first + rows >= lines.len() {
                        lines.push(String::new());
                    }
                }
                place = (column, first + rows);
            }
            from = to + 1;
        }
        (lines, place)
    }

    fn before(&self) -> usize {
        let mut cursor = GraphemeCursor::new(self.at, self.text.len(), true);
        cursor
            .prev_boundary(&self.text, 0)
            .ok()
            .flatten()
            .unwrap_or(0)
    }

    fn after(&self) -> usize {
        let mut cursor = GraphemeCursor::new(self.at, self.text.len(), true);
        let next = cursor.next_boundary(&self.text, 0);
        next.ok().flatten().unwrap_or(self.text.len())
    }

    fn line_start(&self) -> usize {
        self.text[..self.at].rfind('\n').map_or(0, |at| at + 1)
    }

    fn line_end(&self) -> usize {
        self.text[self.at..]
            .find('\n')
            .map_or(self.text.len(), |at| self.at + at)
    }

    fn line_up(&mut self) {
        let start = self.line_start();
        let column = self.text[start..self.at].graphemes(true).count();
        if start > 0 {
            self.at = start - 1;
            self.at = self.line_start();
            self.go_to_column(column);
        }
    }

    fn line_down(&mut self) {
        let column = self.text[self.line_start()..self.at]
            .graphemes(true)
            .count();
        let end = self.line_end();
        if end < self.text.len() {
            self.at = end + 1;
            self.go_to_column(column);
        }
    }

    fn go_to_column(&mut self, column: usize) {
        let line = &self.text[self.at..self.line_end()];
        let bytes: usize = line.graphemes(true).take(column).map(str::len).sum();
        self.at += bytes;
    }

    fn delete_word(&mut self) {
        let start = self.line_start();
        let before = self.text[start..self.at].trim_end();
        let from = before.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        self.text.drain(start + from..self.at);
        self.at = start + from;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(input: &mut TextInput, code: KeyCode) {
        assert!(input.key(KeyEvent::new(code, KeyModifiers::NONE)));
    }

    #[test]
    fn typing_and_taking_back() {
        let mut input = TextInput::new("", true);
        input.insert("one two\r\nthr\u{65}\u{301}e");
        assert_eq!(input.text(), "one two\nthre\u{301}e");
        press(&mut input, KeyCode::Backspace);
        press(&mut input, KeyCode::Backspace);
        assert_eq!(
            input.text(),
            "one two\nthr",
            "a letter goes with its accent"
        );
        press(&mut input, KeyCode::Up);
        press(&mut input, KeyCode::Char('!'));
        assert_eq!(input.text(), "one! two\nthr");
        input.key(KeyEvent::new(KeyCode::Char('w'), KeyModifiers::CONTROL));
        assert_eq!(input.text(), " two\nthr");
        press(&mut input, KeyCode::End);
        press(&mut input, KeyCode::Delete);
        assert_eq!(input.text(), " twothr");
        let alt_enter = KeyEvent::new(KeyCode::Enter, KeyModifiers::ALT);
        assert!(input.key(alt_enter));
        assert!(!TextInput::new("", false).key(alt_enter));
        let mut line = TextInput::new("", false);
        line.insert("a\nb");
        assert_eq!(
            line.text(),
            "a b",
            "a paste is one line where only one fits"
        );
    }

    #[test]
    fn as_it_is_shown() {
        let input = TextInput::new("東京 is far\nx", true);
        let (lines, at) = input.lines(6);
        assert_eq!(lines, ["東京 i", "s far", "x"]);
        assert_eq!(at, (1, 2));
        let (lines, at) = TextInput::new("abcdef", false).lines(6);
        assert_eq!((lines.len(), at), (2, (0, 1)));
        let (lines, _) = TextInput::new("a\u{202e}b", false).lines(20);
        assert_eq!(lines, ["a⟨U+202E⟩b"]);
    }
}
