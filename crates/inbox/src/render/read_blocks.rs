//! Reads Markdown as blocks of words and marks.

use super::{
    blocks::options,
    changed_block::{Block, BlockKind, Shape, Token},
};
use pulldown_cmark::{CowStr, Event, Parser, Tag, TagEnd};

/// Marks within words that are nested deeper are left out.
const DEEPEST: usize = 8;

/// The blocks of a text, in order.
pub(super) fn read_blocks(text: &str) -> Vec<Block> {
    let mut reader = Reader::default();
    for event in Parser::new_ext(text, options()) {
        reader.take(event);
    }
    reader.close();
    reader.blocks
}

#[derive(Default)]
struct Reader<'a> {
    blocks: Vec<Block>,
    open: Option<Block>,
    quotes: usize,
    /// The next number of each list that is open.
    lists: Vec<Option<u64>>,
    /// What the item that was begun has before its text.
    item: Option<String>,
    struck: usize,
    /// The links and images that are open: where each leads, and where its words begin.
    links: Vec<(CowStr<'a>, usize)>,
    in_head: bool,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, event: Event<'a>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.words(&text),
            Event::Code(text) => self.word(&text, true),
            Event::SoftBreak => self.word(" ", false),
            Event::HardBreak => self.mark("<br>"),
            Event::Rule => {
                self.begin(BlockKind::Rule);
                self.close();
            }
            // To be seen as changed, what is done or not is a word.
            Event::TaskListMarker(done) => self.word(if done { "☑ " } else { "☐ " }, false),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'a>) {
        match tag {
            Tag::Paragraph | Tag::HtmlBlock => self.begin(BlockKind::Text),
            Tag::Heading { level, .. } => self.begin(BlockKind::Heading(level as u8)),
            Tag::CodeBlock(_) => self.begin(BlockKind::Code),
            Tag::Table(_) => {
                self.begin(BlockKind::Table);
                self.mark("<table>");
            }
            Tag::TableHead => {
                self.in_head = true;
                self.mark("<thead><tr>");
            }
            Tag::TableRow => self.mark("<tr>"),
            Tag::TableCell => self.mark(if self.in_head { "<th>" } else { "<td>" }),
            Tag::BlockQuote(_) => {
                self.close();
                self.quotes += 1;
            }
            Tag::List(number) => {
                self.close();
                self.lists.push(number);
            }
            Tag::Item => {
                self.close();
                let number = self.lists.last_mut().and_then(Option::as_mut);
                self.item = Some(match number {
                    Some(number) => {
                        let mark = format!("<span class=\"number\">{number}.</span> ");
                        *number = number.saturating_add(1);
                        mark
                    }
                    None => String::new(),
                });
            }
            Tag::Emphasis => self.inline("<em>"),
            Tag::Strong => self.inline("<strong>"),
            Tag::Strikethrough => self.struck += 1,
            Tag::Link { dest_url, .. } => {
                self.links.push((dest_url, self.tokens()));
            }
            Tag::Image { dest_url, .. } => {
                self.words("[image: ");
                self.links.push((dest_url, usize::MAX));
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock | TagEnd::Heading(_) | TagEnd::CodeBlock => {
                self.close();
            }
            TagEnd::Table => {
                self.mark("</tbody></table>");
                self.close();
            }
            TagEnd::TableHead => {
                self.in_head = false;
                self.mark("</tr></thead><tbody>");
            }
            TagEnd::TableRow => self.mark("</tr>"),
            TagEnd::TableCell => self.mark(if self.in_head { "</th>" } else { "</td>" }),
            TagEnd::BlockQuote(_) => {
                self.close();
                self.quotes = self.quotes.saturating_sub(1);
            }
            TagEnd::List(_) => {
                self.close();
                self.lists.pop();
            }
            TagEnd::Item => {
                // An item without any text is one all the same.
                if self.item.is_some() {
                    self.begin(BlockKind::Text);
                }
                self.close();
            }
            TagEnd::Emphasis => self.inline_end("</em>"),
            TagEnd::Strong => self.inline_end("</strong>"),
            TagEnd::Strikethrough => self.struck = self.struck.saturating_sub(1),
            TagEnd::Link => self.link_end(),
            TagEnd::Image => {
                self.words("]");
                self.link_end();
            }
            _ => {}
        }
    }

    /// Where a link leads stands behind it, so that a change of that is seen.
    fn link_end(&mut self) {
        let Some((address, start)) = self.links.pop() else {
            return;
        };
        let tokens = self.open.as_ref().map_or(&[][..], |block| &block.tokens);
        let text: String = tokens
            .get(start..)
            .unwrap_or_default()
            .iter()
            .map(Token::text)
            .collect();
        if text != *address {
            self.words(" ");
            self.mark("<span class=\"address\">");
            self.words(&format!("({address})"));
            self.mark("</span>");
        }
    }

    fn tokens(&self) -> usize {
        self.open.as_ref().map_or(0, |block| block.tokens.len())
    }

    fn begin(&mut self, kind: BlockKind) {
        self.close();
        let mark = self.item.take();
        self.open = Some(Block {
            shape: Shape {
                kind,
                quotes: self.quotes,
                lists: self.lists.len(),
                begins_item: mark.is_some(),
            },
            tokens: Vec::new(),
        });
        if let Some(mark) = mark.filter(|mark| !mark.is_empty()) {
            self.mark(&mark);
        }
    }

    fn close(&mut self) {
        self.depth = 0;
        self.blocks.extend(self.open.take());
    }

    /// The block that is open; words in a tight list have none of their own.
    fn block(&mut self) -> &mut Block {
        if self.open.is_none() {
            self.begin(BlockKind::Text);
        }
        self.open.as_mut().expect("one was begun")
    }

    fn inline(&mut self, mark: &str) {
        self.depth += 1;
        if self.depth <= DEEPEST {
            self.mark(mark);
        }
    }

    fn inline_end(&mut self, mark: &str) {
        if self.depth <= DEEPEST {
            self.mark(mark);
        }
        self.depth = self.depth.saturating_sub(1);
    }

    fn mark(&mut self, mark: &str) {
        self.block().tokens.push(Token::Mark(mark.to_owned()));
    }

    fn word(&mut self, text: &str, code: bool) {
        let struck = self.struck > 0;
        self.block().tokens.push(Token::Word {
            text: text.to_owned(),
            struck,
            code,
        });
    }

    fn words(&mut self, text: &str) {
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let same = |char: char| match first {
                _ if first.is_alphanumeric() => char.is_alphanumeric(),
                _ if first.is_whitespace() => char.is_whitespace(),
                _ => false,
            };
            let length = rest.find(|char| !same(char)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(length.max(first.len_utf8()));
            self.word(word, false);
            rest = after;
        }
    }
}
