//! Markdown as plain text, for clients that show its marks.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// Writes Markdown as plain text, with all that it says: marks of emphasis and headings are dropped, list
/// items keep a dash or their number, struck-out text its tildes, and a link names its address.
pub fn plain_text(markdown: &str) -> String {
    let mut text = PlainText::default();
    for event in Parser::new_ext(markdown, Options::ENABLE_STRIKETHROUGH) {
        text.add(event);
    }
    text.out.trim().to_owned()
}

#[derive(Default)]
struct PlainText {
    out: String,
    /// The number of the next item of each list that is open; none where it has no numbers.
    lists: Vec<Option<u64>>,
    /// Addresses of the links and images that are open.
    addresses: Vec<String>,
}

impl PlainText {
    fn add(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Code(text) => self.out.push_str(&text),
            Event::Html(text) | Event::InlineHtml(text) => self.out.push_str(&text),
            Event::SoftBreak | Event::HardBreak => self.out.push('\n'),
            Event::Rule => {
                self.block();
                self.out.push_str("---");
            }
            // Extensions that the parser was not asked for.
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph | Tag::Heading { .. } | Tag::HtmlBlock | Tag::BlockQuote(_) => {
                self.block();
            }
            Tag::CodeBlock(kind) => {
                self.block();
                if let CodeBlockKind::Fenced(language) = kind
                    && !language.is_empty()
                {
                    self.out.push_str(&format!("{language}:\n"));
                }
            }
            Tag::List(first) => {
                if self.lists.is_empty() {
                    self.block();
                }
                self.lists.push(first);
            }
            Tag::Item => self.item(),
            Tag::Strikethrough => self.out.push_str("~~"),
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.addresses.push(dest_url.into_string());
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::List(_) => {
                self.lists.pop();
            }
            TagEnd::Strikethrough => self.out.push_str("~~"),
            TagEnd::Link | TagEnd::Image => {
                if let Some(address) = self.addresses.pop()
                    && !self.out.ends_with(&address)
                {
                    self.out.push_str(&format!(" ({address})"));
                }
            }
            _ => {}
        }
    }

    /// Leaves a line free before a block; within a list item the text goes on behind its mark.
    fn block(&mut self) {
        if self.out.ends_with("- ") || self.out.ends_with(". ") && !self.lists.is_empty() {
            return;
        }
        let text = self.out.trim_end().len();
        self.out.truncate(text);
        if !self.out.is_empty() {
            self.out.push_str("\n\n");
        }
    }

    fn item(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
        let depth = self.lists.len().saturating_sub(1);
        self.out.push_str(&"  ".repeat(depth));
        match self.lists.last_mut() {
            Some(Some(number)) => {
                self.out.push_str(&format!("{number}. "));
                *number += 1;
            }
            _ => self.out.push_str("- "),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_is_said_stays_and_the_marks_go() {
        let check = |markdown: &str, plain: &str| assert_eq!(plain_text(markdown), plain);
        check("**Bold** and `code`", "Bold and code");
        check("# Plan\n\nFirst.\nSecond.", "Plan\n\nFirst.\nSecond.");
        check(
            "- one\n- two\n  - deep\n\nend",
            "- one\n- two\n  - deep\n\nend",
        );
        check("3. one\n4. two", "3. one\n4. two");
        check("1. one\n\n2. two", "1. one\n2. two");
        check("[here](https://example.org)", "here (https://example.org)");
        check("<https://example.org>", "https://example.org");
        check("![plan](plan.png)", "plan (plan.png)");
        check(
            "```diff\n- old\n+ new\n```\nthen",
            "diff:\n- old\n+ new\n\nthen",
        );
        check("<b>loud</b> <!-- hidden -->", "<b>loud</b> <!-- hidden -->");
        check("> quoted", "quoted");
        check(
            "| a | b |\n|---|---|\n| 1 | 2 |",
            "| a | b |\n|---|---|\n| 1 | 2 |",
        );
        // What is struck out never reads as if it were not.
        check("do ~~not~~ ~it~", "do ~~not~~ ~~it~~");
        check("~~**all** of it~~", "~~all of it~~");
        check("2 * 3 * 4", "2 * 3 * 4");
        check("", "");
    }
}
