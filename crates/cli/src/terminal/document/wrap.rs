//! Breaks text into lines of a width. Nothing is ever cut off: what is too wide goes on in the next line.

use super::Span;
use anstyle::Style;
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// Breaks between words, and within words that are wider than a line; runs of whitespace are one space, and
/// a line break in the text is one here.
pub fn words(spans: &[Span], width: usize) -> Vec<Vec<Span>> {
    let width = width.max(1);
    let mut lines = Lines::default();
    let mut word = Word::default();
    for span in spans {
        for piece in span.text.split_inclusive(char::is_whitespace) {
            let text = piece.trim_end();
            word.push(text, span.style);
            if text.len() == piece.len() {
                continue;
            }
            lines.place(&mut word, width);
            if piece.ends_with('\n') {
                lines.end();
            } else {
                word.space = Some(span.style);
            }
        }
    }
    lines.place(&mut word, width);
    lines.end();
    lines.done
}

/// Breaks where a line is full, wherever that is; spaces stay.
pub fn exactly(spans: &[Span], width: usize) -> Vec<Vec<Span>> {
    let width = width.max(1);
    let mut lines = Lines::default();
    for span in spans {
        lines.put(&span.text, span.style, width);
    }
    lines.end();
    lines.done
}

/// As much of a text as there is room for, with `more` at its end where it is cut.
pub fn cut(text: &str, width: usize, more: &str) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let room = width.saturating_sub(more.width());
    let (mut kept, mut used) = (String::new(), 0);
    for part in text.graphemes(true) {
        used += part.width();
        if used > room {
            break;
        }
        kept.push_str(part);
    }
    if more.width() <= width {
        kept.push_str(more);
    }
    kept
}

#[derive(Default)]
struct Word {
    /// A space belongs before it, where it does not begin a line; its style.
    space: Option<Style>,
    spans: Vec<Span>,
}

impl Word {
    fn push(&mut self, text: &str, style: Style) {
        if !text.is_empty() {
            self.spans.push(Span::new(text, style));
        }
    }
}

#[derive(Default)]
struct Lines {
    done: Vec<Vec<Span>>,
    line: Vec<Span>,
    used: usize,
}

impl Lines {
    fn place(&mut self, word: &mut Word, width: usize) {
        let Some(first) = word.spans.first() else {
            return;
        };
        let space = word.space.take().filter(|_| self.used > 0);
        let needed: usize = word.spans.iter().map(Span::width).sum();
        let used = self.used + usize::from(space.is_some());
        if self.used > 0 && used + needed > width {
            self.end();
        } else if space.is_some() {
            // Between two words of one style the space has it too: a line through both goes on.
            let before = self.line.last().map(|span| span.style);
            let style = before.filter(|style| *style == first.style);
            self.add(" ", style.unwrap_or_default());
            self.used += 1;
        }
        for span in word.spans.drain(..) {
            self.put(&span.text, span.style, width);
        }
    }

    fn put(&mut self, text: &str, style: Style, width: usize) {
        for part in text.graphemes(true) {
            let needed = part.width();
            if self.used > 0 && self.used + needed > width {
                self.end();
            }
            self.add(part, style);
            self.used += needed;
        }
    }

    fn add(&mut self, text: &str, style: Style) {
        match self.line.last_mut() {
            Some(last) if last.style == style => last.text.push_str(text),
            _ => self.line.push(Span::new(text, style)),
        }
    }

    fn end(&mut self) {
        self.done.push(std::mem::take(&mut self.line));
        self.used = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(lines: Vec<Vec<Span>>) -> Vec<String> {
        let text = |line: Vec<Span>| line.into_iter().map(|span| span.text).collect();
        lines.into_iter().map(text).collect()
    }

    #[test]
    fn words_go_on_in_the_next_line() {
        let check = |text: &str, width, wanted: &[&str]| {
            assert_eq!(
                texts(words(&[Span::plain(text)], width)),
                wanted,
                "{text:?}"
            );
        };
        check("one two three", 7, &["one two", "three"]);
        check("one\n two", 9, &["one", "two"]);
        check("unbreakable", 4, &["unbr", "eaka", "ble"]);
        check("a unbreakable", 4, &["a", "unbr", "eaka", "ble"]);
        check("東京 東京東", 5, &["東京", "東京", "東"]);
        // A letter and its accent are one, and so is a family.
        check(
            "e\u{301}e\u{301}e\u{301}",
            2,
            &["e\u{301}e\u{301}", "e\u{301}"],
        );
        check(
            "👩\u{200d}🔧👩\u{200d}🔧",
            3,
            &["👩\u{200d}🔧", "👩\u{200d}🔧"],
        );
        check("", 4, &[""]);
    }

    #[test]
    fn words_of_two_styles_are_one() {
        let bold = Style::new().bold();
        let spans = [
            Span::plain("go "),
            Span::new("o", bold),
            Span::plain("n it"),
        ];
        assert_eq!(texts(words(&spans, 4)), ["go", "on", "it"]);
    }

    #[test]
    fn code_keeps_its_spaces() {
        let lines = exactly(&[Span::plain("  a  b")], 4);
        assert_eq!(texts(lines), ["  a ", " b"]);
    }

    #[test]
    fn what_is_cut_says_so() {
        assert_eq!(cut("short", 10, "…"), "short");
        assert_eq!(cut("much too long", 6, "…"), "much …");
        assert_eq!(cut("東京東京", 6, "…"), "東京…");
        assert_eq!(cut("much too long", 7, "..."), "much...");
        assert_eq!(cut("abc", 0, "…"), "");
    }
}
