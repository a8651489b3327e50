//! An instruction file as blocks of whole lines, with the rules that stand in them.

use super::sentences::{each_line, sentences};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::ops::Range;

/// A file that was read as Markdown. Every line that is not blank is in exactly one block.
#[derive(Debug)]
pub(crate) struct Document<'a> {
    pub lines: Vec<&'a str>,
    pub blocks: Vec<Block>,
    pub units: Vec<Unit>,
}

/// Whole lines that belong together.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Block {
    pub kind: Kind,
    /// From 0.
    pub lines: Range<usize>,
}

/// What a block is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    /// Settings between `---` at the top.
    Front,
    Heading {
        level: u8,
        text: String,
    },
    /// An item of a list without an order; `plain` where it is one text and nothing more.
    Item {
        plain: bool,
    },
    Paragraph,
    /// Kept together and as it is: code, tables, ordered lists, HTML.
    Whole,
}

/// One sentence, item or line that can be a rule.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Unit {
    /// Where it begins, from 1.
    pub line: usize,
    /// Without Markdown's marks.
    pub text: String,
    /// Some of it is code, or in quotation marks.
    pub literal: bool,
    /// The block that it stands in.
    pub block: usize,
}

impl<'a> Document<'a> {
    pub fn read(text: &'a str) -> Self {
        let mut reader = Reader::new(text);
        let options = Options::ENABLE_TABLES
            | Options::ENABLE_TASKLISTS
            | Options::ENABLE_STRIKETHROUGH
            | Options::ENABLE_FOOTNOTES
            | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
        for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
            reader.event(event, range);
        }
        reader.finish()
    }

    /// The lines of a block, as they are.
    pub fn text_of(&self, block: &Block) -> String {
        self.lines[block.lines.clone()].join("\n")
    }

    /// The headings above blocks, outermost first, as texts; and for each block, which of them.
    pub fn headings(&self) -> (Vec<String>, Vec<usize>) {
        let mut path: Vec<(u8, &str)> = Vec::new();
        let mut texts = vec![String::new()];
        let mut of_block = Vec::with_capacity(self.blocks.len());
        for block in &self.blocks {
            if let Kind::Heading { level, text } = &block.kind {
                path.retain(|(above, _)| above < level);
                path.push((*level, text));
                let words: Vec<_> = path.iter().map(|(_, text)| *text).collect();
                texts.push(words.join(" "));
            }
            of_block.push(texts.len() - 1);
        }
        (texts, of_block)
    }
}

/// A piece of a text, and where it stands.
struct Piece {
    at: usize,
    text: String,
    literal: bool,
    breaks: bool,
}

struct Reader<'a> {
    text: &'a str,
    starts: Vec<usize>,
    blocks: Vec<Block>,
    units: Vec<Unit>,
    depth: usize,
    /// The list, and whether it has an order, that stands at the top.
    list: Option<bool>,
    items: usize,
    /// The item at the top, and how many things are in it.
    item: Option<(Range<usize>, usize)>,
    pieces: Vec<Piece>,
    /// Text in here is no rule.
    closed: usize,
    heading: String,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        let mut starts = vec![0];
        starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
        if starts.last() == Some(&text.len()) {
            starts.pop();
        }
        Self {
            text,
            starts,
            blocks: Vec::new(),
            units: Vec::new(),
            depth: 0,
            list: None,
            items: 0,
            item: None,
            pieces: Vec::new(),
            closed: 0,
            heading: String::new(),
        }
    }

    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(&tag, range),
            Event::End(tag) => self.end(tag, range),
            Event::Text(text) => self.piece(&range, &text, false),
            Event::Code(code) => {
                self.piece(&range, &code, true);
            }
            Event::SoftBreak => self.breaks(&range, false),
            Event::HardBreak => self.breaks(&range, true),
            Event::Rule => self.block(Kind::Whole, &range),
            Event::Html(_) | Event::InlineHtml(_) | Event::FootnoteReference(_) => {}
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        let top = self.depth == 0;
        match tag {
            Tag::Heading { .. } => self.heading.clear(),
            Tag::Paragraph => self.flush(),
            Tag::List(order) => {
                self.flush();
                if top {
                    self.list = Some(order.is_some());
                }
                if let Some((_, things)) = &mut self.item {
                    *things += 2;
                }
            }
            Tag::Item => {
                self.flush();
                self.items += 1;
                if self.items == 1 {
                    self.item = Some((range.clone(), 0));
                }
            }
            Tag::CodeBlock(_)
            | Tag::HtmlBlock
            | Tag::Table(_)
            | Tag::BlockQuote(_)
            | Tag::FootnoteDefinition(_)
            | Tag::MetadataBlock(_) => {
                self.flush();
                self.closed += 1;
                if let Some((_, things)) = &mut self.item {
                    *things += 2;
                }
            }
            _ => {}
        }
        if is_block(tag) {
            self.depth += 1;
        }
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        if is_block_end(&tag) {
            self.depth -= 1;
        }
        let top = self.depth == 0;
        match tag {
            TagEnd::Heading(level) => {
                self.pieces.clear();
                let text = std::mem::take(&mut self.heading);
                if top {
                    let kind = Kind::Heading {
                        level: level as u8,
                        text,
                    };
                    self.block(kind, &range);
                } else if let Some((_, things)) = &mut self.item {
                    *things += 2;
                }
            }
            TagEnd::Paragraph => {
                // The units of a block are numbered with it, so the block is made first.
                if top {
                    self.block(Kind::Paragraph, &range);
                    self.flush_into(self.blocks.len() - 1);
                } else {
                    if let Some((_, things)) = &mut self.item {
                        *things += 1;
                    }
                    self.flush();
                }
            }
            TagEnd::Item => {
                self.flush();
                self.items -= 1;
                if self.items == 0
                    && let Some((range, things)) = self.item.take()
                    && self.list == Some(false)
                {
                    self.block(Kind::Item { plain: things <= 1 }, &range);
                }
            }
            TagEnd::List(_) if top && self.list.take() == Some(true) => {
                self.block(Kind::Whole, &range);
            }
            TagEnd::CodeBlock
            | TagEnd::HtmlBlock
            | TagEnd::Table
            | TagEnd::BlockQuote(_)
            | TagEnd::FootnoteDefinition
            | TagEnd::MetadataBlock(_) => {
                self.pieces.clear();
                self.closed -= 1;
                if top {
                    let kind = match tag {
                        TagEnd::MetadataBlock(_) => Kind::Front,
                        _ => Kind::Whole,
                    };
                    self.block(kind, &range);
                }
            }
            _ => {}
        }
    }

    fn piece(&mut self, range: &Range<usize>, text: &str, literal: bool) {
        if self.closed > 0 {
            return;
        }
        self.heading.push_str(text);
        self.pieces.push(Piece {
            at: range.start,
            text: text.to_owned(),
            literal,
            breaks: false,
        });
    }

    fn breaks(&mut self, range: &Range<usize>, hard: bool) {
        if self.closed > 0 {
            return;
        }
        self.heading.push(' ');
        self.pieces.push(Piece {
            at: range.start,
            text: if hard { "\n" } else { " " }.to_owned(),
            literal: false,
            breaks: true,
        });
    }

    /// A new block; lines that the one before has already are not taken twice.
    fn block(&mut self, kind: Kind, range: &Range<usize>) {
        let taken = self.blocks.last().map_or(0, |last| last.lines.end);
        let mut first = self.line_of(range.start).max(taken);
        let mut end = self.line_of(range.end.max(range.start + 1) - 1) + 1;
        let blank = |line: usize| self.line(line).trim().is_empty();
        while first < end && blank(first) {
            first += 1;
        }
        while end > first && blank(end - 1) {
            end -= 1;
        }
        if first >= end {
            // Units that were read for it belong to the block that has its lines.
            if self.blocks.is_empty() {
                self.blocks.push(Block { kind, lines: 0..0 });
            }
            return;
        }
        self.blocks.push(Block {
            kind,
            lines: first..end,
        });
    }

    fn flush(&mut self) {
        // What is not at the top is read before its block is made.
        self.flush_into(self.blocks.len());
    }

    fn flush_into(&mut self, block: usize) {
        let pieces = std::mem::take(&mut self.pieces);
        if self.closed > 0 || pieces.is_empty() {
            return;
        }
        let each_line = self.lines_are_rules(&pieces);
        let mut text = String::new();
        let mut places: Vec<(usize, usize, bool)> = Vec::new();
        for piece in &pieces {
            places.push((text.len(), piece.at, piece.literal));
            if piece.breaks && each_line {
                text.push('\n')
            } else {
                text.push_str(&piece.text)
            }
        }
        for range in sentences(&text) {
            let place = places.partition_point(|(start, ..)| *start <= range.start) - 1;
            let (start, at, _) = places[place];
            let inside = &places[place..];
            let inside = inside.iter().take_while(|(start, ..)| *start < range.end);
            let literal = inside.clone().any(|(.., literal)| *literal);
            let words = text[range.clone()].trim();
            self.units.push(Unit {
                line: self.line_of(at + (range.start - start)) + 1,
                text: words.split_whitespace().collect::<Vec<_>>().join(" "),
                literal: literal || words.contains(['"', '“']),
                block,
            });
        }
    }

    /// Whether each line of a text stands for itself.
    fn lines_are_rules(&self, pieces: &[Piece]) -> bool {
        let mut lines = vec![String::new()];
        for piece in pieces {
            match (piece.breaks, lines.last_mut()) {
                (false, Some(line)) => line.push_str(&piece.text),
                _ => lines.push(String::new()),
            }
        }
        let lines: Vec<_> = lines.iter().map(String::as_str).collect();
        each_line(&lines)
    }

    fn line_of(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at).max(1) - 1
    }

    fn line(&self, number: usize) -> &'a str {
        let start = self.starts[number];
        let end = self.starts.get(number + 1).copied();
        let line = &self.text[start..end.unwrap_or(self.text.len())];
        line.trim_end_matches(['\n', '\r'])
    }

    fn finish(self) -> Document<'a> {
        let lines: Vec<_> = (0..self.starts.len()).map(|n| self.line(n)).collect();
        // Definitions of links make no events, and no line may be left out.
        let mut blocks: Vec<Block> = Vec::with_capacity(self.blocks.len());
        let mut moved = Vec::with_capacity(self.blocks.len());
        let mut next = 0;
        for block in self.blocks {
            loose(&lines, next..block.lines.start, &mut blocks);
            next = next.max(block.lines.end);
            moved.push(blocks.len());
            blocks.push(block);
        }
        loose(&lines, next..lines.len(), &mut blocks);
        let last = blocks.len().saturating_sub(1);
        let mut units = self.units;
        for unit in &mut units {
            unit.block = moved.get(unit.block).copied().unwrap_or(last);
        }
        units.retain(|unit| !unit.text.is_empty());
        Document {
            lines,
            blocks,
            units,
        }
    }
}

/// Lines that no block has.
fn loose(lines: &[&str], range: Range<usize>, blocks: &mut Vec<Block>) {
    let mut start = None;
    for number in range.clone() {
        match (lines[number].trim().is_empty(), start) {
            (false, None) => start = Some(number),
            (true, Some(first)) => {
                blocks.push(whole(first..number));
                start = None;
            }
            _ => {}
        }
    }
    if let Some(first) = start {
        blocks.push(whole(first..range.end));
    }
}

fn whole(lines: Range<usize>) -> Block {
    Block {
        kind: Kind::Whole,
        lines,
    }
}

fn is_block(tag: &Tag<'_>) -> bool {
    matches!(
        tag,
        Tag::Paragraph
            | Tag::Heading { .. }
            | Tag::BlockQuote(_)
            | Tag::CodeBlock(_)
            | Tag::HtmlBlock
            | Tag::List(_)
            | Tag::Item
            | Tag::FootnoteDefinition(_)
            | Tag::Table(_)
            | Tag::MetadataBlock(_)
    )
}

fn is_block_end(tag: &TagEnd) -> bool {
    matches!(
        tag,
        TagEnd::Paragraph
            | TagEnd::Heading(_)
            | TagEnd::BlockQuote(_)
            | TagEnd::CodeBlock
            | TagEnd::HtmlBlock
            | TagEnd::List(_)
            | TagEnd::Item
            | TagEnd::FootnoteDefinition
            | TagEnd::Table
            | TagEnd::MetadataBlock(_)
    )
}
