//! Markdown as a terminal shows it.

use anstyle::{AnsiColor, Style};
use holdpoint_ask::visible;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// Markdown as lines of text with styles, no wider than `width` where words allow it. What is
/// hidden in it is made visible first; raw HTML is shown as it is written.
pub fn render(markdown: &str, width: usize) -> String {
    let markdown = visible(markdown);
    let mut page = Page {
        width,
        ..Page::default()
    };
    let parser = Parser::new_ext(&markdown, Options::ENABLE_STRIKETHROUGH);
    for event in parser {
        page.event(event);
    }
    page.line();
    page.text.trim_end().to_owned()
}

const BOLD: Style = Style::new().bold();
const ITALIC: Style = Style::new().italic();
const CODE: Style = AnsiColor::Cyan.on_default();
const ADDED: Style = AnsiColor::Green.on_default();
/// A tab's width is the terminal's to choose, so that nobody could tell how many lines a text takes.
const TAB: &str = "    ";
const REMOVED: Style = AnsiColor::Red.on_default();

#[derive(Default)]
struct Page {
    text: String,
    width: usize,
    column: usize,
    indent: usize,
    styles: Vec<Style>,
    /// The next number of each list that is open; none where it has bullets.
    lists: Vec<Option<u64>>,
    /// The indent outside each item that is open.
    outside: Vec<usize>,
    in_code: bool,
    in_diff: bool,
    /// The addresses of the links that are open.
    links: Vec<String>,
    /// A blank belongs before the next word.
    blank: bool,
    /// The style that is on.
    on: Option<Style>,
}

impl Page {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(&tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) if self.in_code => {
                for line in text.lines() {
                    self.line();
                    if line.is_empty() {
                        self.text.push('\n')
                    } else {
                        self.put(&line.replace('\t', TAB), self.code(line))
                    }
                }
            }
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => {
                self.words(&text, None);
            }
            Event::Code(text) => self.words(&text, Some(CODE)),
            Event::SoftBreak => self.blank = true,
            Event::HardBreak => self.line(),
            Event::Rule => self.block(),
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::Heading { .. } => {
                self.block();
                self.styles.push(BOLD);
            }
            Tag::Paragraph if self.lists.is_empty() => self.block(),
            Tag::CodeBlock(kind) => {
                self.block();
                self.in_diff = matches!(kind, CodeBlockKind::Fenced(name) if &**name == "diff");
                self.indent += 2;
                self.in_code = true;
            }
            Tag::BlockQuote(_) => {
                self.block();
                self.indent += 2;
            }
            Tag::List(first) => {
                if self.lists.is_empty() {
                    self.block()
                } else {
                    self.line()
                }
                self.lists.push(*first);
            }
            Tag::Item => {
                self.line();
                let mark = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    }
                    _ => "• ".to_owned(),
                };
                self.put(&mark, None);
                self.outside.push(self.indent);
                self.indent += mark.chars().count();
            }
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.links.push(dest_url.to_string());
            }
            Tag::Strong => self.styles.push(BOLD),
            Tag::Emphasis => self.styles.push(ITALIC),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) | TagEnd::Strong | TagEnd::Emphasis => drop(self.styles.pop()),
            TagEnd::CodeBlock => {
                self.indent -= 2;
                self.in_code = false;
            }
            // A link is never without its address.
            TagEnd::Link | TagEnd::Image => {
                if let Some(address) = self.links.pop() {
                    self.blank = true;
                    self.words(&format!("({address})"), None);
                }
            }
            TagEnd::BlockQuote(_) => self.indent -= 2,
            TagEnd::List(_) => drop(self.lists.pop()),
            TagEnd::Item => {
                self.line();
                self.indent = self.outside.pop().unwrap_or_default();
            }
            _ => {}
        }
    }

    /// How a line of code is shown.
    fn code(&self, line: &str) -> Option<Style> {
        match line.as_bytes().first() {
            Some(b'+') if self.in_diff => Some(ADDED),
            Some(b'-') if self.in_diff => Some(REMOVED),
            _ if self.in_diff => None,
            _ => Some(CODE),
        }
    }

    /// Begins a block of its own, with an empty line before it.
    fn block(&mut self) {
        self.line();
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// Begins a line, unless nothing is on this one yet.
    fn line(&mut self) {
        self.style(None);
        if self.column > 0 {
            self.text.push('\n');
            self.column = 0;
        }
        self.blank = false;
    }

    fn words(&mut self, text: &str, style: Option<Style>) {
        let style = style.or(self.styles.last().copied());
        self.blank |= text.starts_with(char::is_whitespace);
        for word in text.split_whitespace() {
            let long = self.column + 1 + word.chars().count() > self.width;
            if self.blank && long {
                self.line();
            } else if self.blank && self.column > self.indent {
                if self.on != style {
                    self.style(None);
                }
                self.text.push(' ');
                self.column += 1;
            }
            self.put(word, style);
            self.blank = true;
        }
        self.blank = text.ends_with(char::is_whitespace);
    }

    fn put(&mut self, text: &str, style: Option<Style>) {
        if self.column == 0 {
            self.text.push_str(&" ".repeat(self.indent));
            self.column = self.indent;
        }
        self.style(style);
        self.text.push_str(text);
        self.column += text.chars().count();
    }

    fn style(&mut self, wanted: Option<Style>) {
        if self.on == wanted {
            return;
        }
        if let Some(on) = self.on {
            self.text.push_str(&format!("{on:#}"));
        }
        if let Some(style) = wanted {
            self.text.push_str(&style.to_string());
        }
        self.on = wanted;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_people_read_it() {
        let check = |markdown: &str, wanted: &str| {
            let plain = anstream::adapter::strip_str(&render(markdown, 40)).to_string();
            assert_eq!(plain, wanted, "{markdown:?}");
        };
        check(
            "# Plan\n\nIt is **short**, and `done`.",
            "Plan\n\nIt is short, and done.",
        );
        check(
            "1. one\n2. two\n   - below\n   - again\n3. three",
            "1. one\n2. two\n   • below\n   • again\n3. three",
        );
        check("```rust\nlet a = 1;\n\nb\n```", "  let a = 1;\n\n  b");
        check("soft\nbreak, hard  \nbreak", "soft break, hard\nbreak");
        check("not \\*bold\\* <b>html</b>", "not *bold* <b>html</b>");
        check(
            "words go on until the line of forty is full",
            "words go on until the line of forty is\nfull",
        );
        check("```\na\tb\n```", "  a    b");
        check("\u{1b}[2J", "⟨U+001B⟩[2J");
        check("> quoted", "  quoted");
        check(
            "[safe](https://evil.example) ![cat](http://x/y.png)",
            "safe (https://evil.example) cat\n(http://x/y.png)",
        );
    }

    #[test]
    fn styles() {
        let bold = "\u{1b}[1ma b\u{1b}[0m c";
        assert_eq!(render("**a b** c", 40), bold);
        let diff = render("```diff\n-old\n+new\n same\n```", 40);
        assert_eq!(
            diff,
            "  \u{1b}[31m-old\u{1b}[0m\n  \u{1b}[32m+new\u{1b}[0m\n   same"
        );
    }
}
